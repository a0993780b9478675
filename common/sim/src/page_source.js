/* SPDX-License-Identifier: MIT */
/* Findings and profile beside the source; and, last, what begins to draw. */
/* ---- findings and profile beside the source ---- */

const opened = []; /* by file: shows a line */

function goTo(siteNumber) {
    const at = data.sites[siteNumber];
    if (at && opened[at.file])
        opened[at.file](at.line);
}

function findingBox(parent, f) {
    const box = add(parent, 'div', {class: 'finding', 'data-line': f.line});
    add(box, 'b', {}, f.kind + (f.count > 1 ? ', ' + f.count.toLocaleString('en') + ' times' : ''));
    add(box, 'span', {}, '  ' + f.message);
    if (f.allocation)
        add(box, 'small', {}, f.allocation);
}

/* Comments recede. */
function codeLine(parent, text, inComment) {
    const code = add(parent, 'div', {class: 'code'});
    for (let rest = text; rest;) {
        const end = inComment ? rest.indexOf('*/') : -1;
        const start = inComment ? -1 : rest.search(/\/\/|\/\*/);
        if (inComment) {
            const n = end < 0 ? rest.length : end + 2;
            add(code, 'i', {}, rest.slice(0, n));
            rest = rest.slice(n);
            inComment = end < 0;
        } else if (start < 0) {
            code.append(rest);
            rest = '';
        } else {
            code.append(rest.slice(0, start));
            rest = rest.slice(start);
            if (rest[1] === '/') {
                add(code, 'i', {}, rest);
                rest = '';
            }
            inComment = rest[1] === '*';
        }
    }
    return inComment;
}

function drawFile(section, file, number, findings, rows) {
    const card = add(section, 'div', {class: 'card file' + (rows.length ? ' profiled' : '')}),
          head = add(card, 'header');
    add(head, 'b', {}, file.path);
    add(head, 'span', {}, findings.length ? count(findings.length, 'finding') : '');
    if (file.text === undefined) {
        add(card, 'p', {class: 'missing'},
            'The text of this file could not be read when the program ended (' + file.missing + ').');
        for (const f of findings)
            findingBox(card, {...f, message: 'line ' + f.line + ': ' + f.message});
        return;
    }
    const source = add(card, 'div', {class: 'source'}), lines = file.text.split('\n');
    if (lines[lines.length - 1] === '')
        lines.pop();
    const around = lines.length <= 70 ? lines.length : 6, wanted = new Set();
    const marked = [...findings, ...rows]
                       .map(r => r.line)
                       .concat(findings.length + rows.length
                                   ? []
                                   : data.ops.filter(op => op.grid && data.sites[op.at].file === number)
                                         .map(op => data.sites[op.at].line));
    for (const line of marked)
        for (let i = line - around; i <= line + around; i++)
            wanted.add(i);
    const elements = [];
    let comment = false, hidden = null;
    lines.forEach((text, i) => {
        const line = i + 1, here = findings.filter(f => f.line === line);
        if (wanted.has(line))
            hidden = null;
        else if (!hidden)
            hidden = fold(source);
        const parent = hidden ? hidden.body : source;
        const row = add(parent, 'div', {class: 'row' + (here.length ? ' hit' : ''), 'data-line': line});
        add(row, 'div', {class: 'no'}, line);
        comment = codeLine(row, text, comment);
        const profile = rows.filter(r => r.line === line);
        if (profile.length)
            drawBars(row, profile, rows);
        for (const f of here)
            findingBox(parent, f);
        if (hidden)
            hidden.name(++hidden.lines);
        elements[line] = {row, hidden};
    });
    for (const f of findings.filter(f => f.line > lines.length || f.line < 1))
        findingBox(card, f);
    opened[number] = line => {
        const at = elements[line];
        if (!at)
            return;
        if (at.hidden)
            at.hidden.open();
        at.row.scrollIntoView({block: 'center'});
        at.row.classList.remove('flash');
        void at.row.offsetWidth; /* so that the animation begins anew */
        at.row.classList.add('flash');
    };
}

/* Lines that nothing is said about: a button until somebody wants them. */
function fold(parent) {
    const button = add(parent, 'button', {class: 'fold', type: 'button'}),
          body = add(parent, 'div', {hidden: ''});
    const open = () => {
        button.remove();
        body.hidden = false;
    };
    button.addEventListener('click', open);
    return {body, open, lines: 0, name: n => button.textContent = '⋯ ' + count(n, 'line')};
}

/* One bar for what each space and operation of a line moved, as long as the share of the largest in the file.
 */
function drawBars(row, profile, all) {
    const cost = r => r.space === 'global' || r.space === 'local'
                          ? [r.bytes, 32 * r.sectors, bytesText]
                          : [r.requests, r.requests + r.conflicts, n => n.toLocaleString('en')];
    const box = add(row, 'div', {class: 'bars'});
    for (const r of profile) {
        const [asked, moved, text] = cost(r),
                             most = Math.max(
                                 ...all.filter(o => cost(o)[2].name === text.name).map(o => cost(o)[1]));
        const line = add(box, 'div', {class: 'bar', tabindex: 0}), full = 100 * moved / most,
              used = moved ? Math.min(1, asked / moved) : 1;
        add(line, 'span', {}, r.space + ' ' + r.op);
        const bar = add(line, 'div');
        add(bar, 'u', {style: 'width:' + full * used + '%'});
        add(bar, 's', {style: 'width:' + full * (1 - used) + '%'});
        add(line, 'b', {}, moved ? Math.round(100 * asked / moved) + ' %' : '');
        const inBytes = text === bytesText;
        const tell = () => [r.space + ' ' + r.op + ' in ' + r.kernel, [
            ['requests', r.requests.toLocaleString('en') + ' by warps'], ['asked for', bytesText(r.bytes)],
            inBytes ? ['moved', bytesText(moved) + ' in ' + count(r.sectors, 'sector')]
                    : ['conflicts', count(r.conflicts, 'pass').replace(/s$/, 'es') + ' more than without']
        ].concat(r.incomplete ? [['note', 'more accesses than could be kept']] : [])];
        line.addEventListener('pointermove', e => showTip({tell}, e.clientX, e.clientY));
        line.addEventListener('focus', () => showTip({tell}, line.getBoundingClientRect().left,
                                                     line.getBoundingClientRect().bottom));
        line.addEventListener('pointerleave', hideTip);
        line.addEventListener('blur', hideTip);
    }
}

function drawSource() {
    const section = add(page, 'section', {id: 'source'}), profile = data.profile || [];
    const parts = [data.findings.length && 'Findings', profile.length && 'profile', 'source'].filter(Boolean);
    const title = parts.join(parts.length > 2 ? ', ' : ' and ');
    add(section, 'h2', {}, title[0].toUpperCase() + title.slice(1));
    add(section, 'p', {class: 'say'},
        (data.findings.length ? 'Each mark is a mistake that the simulated device saw, at its line.'
         : data.checked       ? 'Nothing was found.'
                              : 'Nothing was found; the checked build (simcc --check) looks at every access.') +
            (profile.length ? ' The bars tell what the warps asked of memory at a line.' : ''));
    if (profile.length) {
        const legend = add(section, 'ul', {class: 'legend'});
        key(legend, 'useful', 'asked for, or needed at least');
        key(legend, 'wasted', 'moved without use, or repeated for a conflict');
    }
    for (const f of data.findings.filter(f => f.file < 0))
        findingBox(section, f);
    const files = data.files.map(
        (file, i) => [file, i, data.findings.filter(f => f.file === i), profile.filter(r => r.file === i)]);
    const said = files.filter(f => f[2].length || f[3].length);
    const shown = said.length ? said
                              : files
                                    .filter(f => data.ops.some(op => op.grid && op.at !== undefined &&
                                                                     data.sites[op.at].file === f[1]))
                                    .slice(0, 1);
    shown.sort((a, b) => b[2].length - a[2].length);
    for (const f of shown)
        drawFile(section, ...f);
}

drawHead();
drawMemory();
drawLanes();
drawSource();
addEventListener('scroll', hideTip, {passive: true});
addEventListener('keydown', e => e.key === 'Escape' && hideTip());
