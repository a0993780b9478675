/* SPDX-License-Identifier: MIT */
/* The head of the page, memory over time, and the lanes of the streams. */
/* ---- head ---- */

function drawHead() {
    const head = add(page, 'header');
    const lost = data.error ? 0 : leaks.size;
    document.title = data.program + ': GPU memory report';
    add(head, 'h1', {}, data.program);
    add(head, 'p', {class: 'sub'}, [
        data.date, data.device + ', ' + bytesText(data.memory), data.checked ? 'checked build' : 'fast build',
        data.order + ' order' + (data.order === 'random' ? ', seed ' + data.seed : '')
    ].join(' · '));
    const tiles = add(head, 'ul', {class: 'tiles'});
    function tile(name, value, more, bad) {
        const li = add(tiles, 'li', bad ? {class: 'is-bad'} : {});
        add(li, 'span', {}, name);
        add(li, 'b', {}, value);
        add(li, 'small', {}, more);
    }
    tile('Device memory, peak', bytesText(data.peak),
         data.peakPages + ' of ' + data.memory / data.page + ' pages of 2 MiB');
    tile('Allocations', data.allocations.toLocaleString('en'),
         lost ? count(lost, 'block') + ' never freed' : count(data.frees, 'free'), lost);
    tile('Kernels', data.launches.toLocaleString('en'),
         data.neverRan ? count(data.neverRan, 'operation') + ' never ran' : count(data.fills, 'fill'));
    tile('Copies', data.copies.toLocaleString('en'), bytesText(data.copied) + ' in all');
    tile('Findings', data.findings.length.toLocaleString('en'),
         data.findings.length ? 'beside the source below'
         : data.checked       ? 'nothing was found'
                              : 'build with --check to find more',
         data.findings.length);
    if (data.error)
        add(head, 'p', {class: 'note warn'},
            'The device failed with ' + data.error + '; nothing ran or could be freed after that.');
    add(head, 'p', {class: 'note'},
        'Times are those of a model, described in docs/sim.md; nothing on this page was measured.');
}

/* ---- memory over time ---- */

const blocks = data.blocks, leaks = new Set(blocks.filter(b => b.died === undefined && b.kind !== 'segment'));
const kindText = {
    device: 'device',
    pool: 'device, from a pool',
    segment: 'reserved by a pool',
    array: 'array',
    pinned: 'pinned host',
    managed: 'managed'
};

function tellBlock(b) {
    const end = b.died !== undefined ? b.freeApi + ' at ' + site(b.freed)
                : data.error         ? 'not before the device failed'
                                     : 'never';
    return [
        bytesText(b.bytes) + ' ' + kindText[b.kind],
        [
            ['size', b.bytes.toLocaleString('en') + ' bytes'], ['made by', b.api + ' at ' + site(b.made)],
            ['freed by', end], ['address', '0x' + b.base.toString(16)],
            ['lives', 'steps ' + b.born + ' to ' + (b.died === undefined ? 'the end' : b.died)]
        ]
    ];
}

/* Where a block lies in the device's memory: in the checked build addresses are further apart. */
const placeOf = b => b.base / data.spread;

/*
 * The y axis of the map: address space that was ever in use, cut at every beginning and end of a block. A
 * piece is as high as the logarithm of its bytes, so that 512 bytes and 512 MiB can both be seen.
 */
function layout(most) {
    const groups = [
        ['device', 0x200000000000, Infinity], ['pinned', 0x1e0000000000, 0x200000000000],
        ['managed', 0x1c0000000000, 0x1e0000000000]
    ];
    const rows = [];
    let y = 0;
    for (const [name, first, end] of groups) {
        const inside = blocks.filter(b => b.base >= first && b.base < end).sort((a, b) => a.base - b.base);
        if (!inside.length)
            continue;
        const cuts = new Set();
        for (const b of inside)
            cuts.add(placeOf(b)).add(placeOf(b) + b.bytes);
        const sorted = [...cuts].sort((a, b) => a - b), pageOf = a => Math.floor(a / data.page);
        const group = {name, y0: y += rows.length ? 14 : 0, runs: [], begin: new Map(), end: new Map()};
        let reach = 0, before = 0, run = null, next = 0;
        sorted.forEach((cut, i) => {
            for (; next < inside.length && placeOf(inside[next]) <= cut; next++)
                reach = Math.max(reach, placeOf(inside[next]) + inside[next].bytes);
            group.end.set(cut, y);
            if (!run || (reach > cut && cut >= before && pageOf(cut) > pageOf(before - 1)))
                group.runs.push(run = {y0: y += run ? 4 : 0, first: cut});
            group.begin.set(cut, y);
            before = reach;
            const to = sorted[i + 1];
            if (to !== undefined && cut < reach)
                y += 3 + 2.4 * Math.log2(1 + (to - cut) / 512);
            else if (to !== undefined && to - cut >= 512 && pageOf(to) === pageOf(cut - 1))
                y += 3;
            run.y1 = y;
            run.pages = pageOf(reach - 1) - pageOf(run.first) + 1;
        });
        rows.push(group);
    }
    return {rows, height: y, scale: Math.min(most / y, Math.max(1, Math.min(3, 140 / y)))};
}

function drawMemory() {
    if (!data.steps)
        return;
    const section = add(page, 'section', {id: 'memory'});
    const map = layout(460), thinned = data.allocations - blocks.filter(b => b.kind !== 'segment').length;
    const say =
        'Above, what the device holds; below, where: each block from its allocation to its free, at its ' +
        'place in address space. ' +
        'Only address space that was in use is shown, and large blocks are drawn smaller than to scale.' +
        (thinned > 0 ? ' Of ' + count(data.allocations, 'block') + ', ' + thinned.toLocaleString('en') +
                           ' freed ones are left out.'
                     : '');
    const {legend, redraw} = chart(
        section, 'Memory over time', say, 'Memory over time', data.steps, (svg, scale, from, to, width) => {
            const high = 104, mapTop = high + 52, mapEnd = mapTop + map.height * map.scale,
                  narrow = width < 560;
            svg.style.height = mapEnd + 40 + 'px';
            const step = Math.max(1, roundStep(to - from, narrow ? 5 : 12));
            xAxis(svg, scale, from, to, 12, mapEnd + 4, step, x => x.toLocaleString('en'),
                  narrow ? 'steps, in the order they happened'
                         : 'steps: each allocation, free, kernel, copy and fill, in the order they happened',
                  width);
            drawLevels(svg, scale, from, to, 12, high, narrow);
            drawStrip(svg, scale, from, to, high + 14, narrow);
            return drawMap(svg, scale, from, to, mapTop, map, narrow);
        });
    for (const kind of ['device', 'pool', 'segment', 'array', 'pinned', 'managed'])
        if (blocks.some(b => b.kind === kind))
            key(legend, kind, kindText[kind]);
    key(legend, 'bytes', 'bytes in blocks of the device', 'M0 9H6V3H12');
    key(legend, 'pages', 'pages in use', 'M0 9H6V3H12');
    if (leaks.size && !data.error)
        key(legend, 'leak-end', 'never freed');
    redraw();
}

function drawLevels(svg, scale, from, to, top, bottom, narrow) {
    const pageBytes = data.page, highest = Math.max(data.peak, data.peakPages * pageBytes, 1);
    const near = highest * 4 > data.memory, limit = near ? data.memory * 1.08 : highest * 1.25;
    const y = n => bottom - n / limit * (bottom - top), unit = roundStep(limit, 5, true);
    for (let n = 0; n < limit; n += unit) {
        add(svg, 'line', {class: 'grid', x1: scale(from), x2: scale(to), y1: y(n), y2: y(n)});
        add(svg, 'text', {x: scale(from) - 8, y: y(n) + 4, 'text-anchor': 'end'}, bytesText(n));
    }
    let line = '', pages = '', area = 'M' + scale(from) + ' ' + bottom;
    const put = (d, x, value) =>
        d + (d ? 'H' + x.toFixed(1) + 'V' : 'M' + x.toFixed(1) + ' ') + y(value).toFixed(1);
    let last = [0, 0, 0];
    for (const level of data.levels) {
        if (level[0] > to)
            break;
        const x = scale(Math.max(from, level[0]));
        line = put(line, x, level[1]);
        pages = put(pages, x, level[2] * pageBytes);
        last = level;
    }
    const end = 'H' + scale(to).toFixed(1);
    area += line.replace(/^M[\d.]+ /, 'V') + end + 'V' + bottom + 'Z';
    add(svg, 'path', {class: 'area', d: area});
    add(svg, 'path', {class: 'pages', d: pages + end});
    add(svg, 'path', {class: 'bytes', d: line + end});
    const line0 = near ? y(data.memory) : top;
    add(svg, 'line', {class: 'capacity', x1: scale(from), x2: scale(to), y1: line0, y2: line0});
    add(svg, 'text', {class: 'bad-text', x: scale(to), y: line0 - 3, 'text-anchor': 'end'},
        near ? 'capacity ' + bytesText(data.memory)
             : 'capacity ' + bytesText(data.memory) + ', above this scale');
    if (!narrow && scale(data.peakStep) >= scale(from) && scale(data.peakStep) <= scale(to)) {
        const right = scale(data.peakStep) > (scale(from) + scale(to)) / 2;
        add(svg, 'text', {
            class: 'strong',
            x: scale(data.peakStep) + (right ? -6 : 4),
            y: y(data.peak) - 4,
            'text-anchor': right ? 'end' : 'start'
        },
            bytesText(data.peak) + ' in blocks');
    }
}

/* When kernels, copies and fills ran: what connects this picture with the next. */
function drawStrip(svg, scale, from, to, y, narrow) {
    add(svg, 'text', {x: scale(from) - 8, y: y + 10, 'text-anchor': 'end'}, narrow ? 'ran' : 'what ran');
    for (const op of data.ops) {
        const cls = classOf(op);
        if (!['kernel', 'in', 'out', 'within', 'fill'].includes(cls) || op.step + 1 < from || op.step > to)
            continue;
        const x0 = scale(Math.max(from, op.step)), x1 = scale(Math.min(to, op.step + 1));
        add(svg, 'rect', {class: cls, x: x0, y, width: Math.max(1, x1 - x0 - 1), height: 12, rx: 1.5})
            .setAttribute('pointer-events', 'none');
    }
}

function drawMap(svg, scale, from, to, top, map, narrow) {
    const marks = [], y = v => top + v * map.scale;
    for (const group of map.rows) {
        add(svg, 'text', {class: 'strong', x: narrow ? 4 : 8, y: y(group.y0) + 11}, group.name);
        for (const run of group.runs) {
            add(svg, 'rect', {
                class: 'run',
                x: scale(from),
                y: y(run.y0),
                width: scale(to) - scale(from),
                height: Math.max(1, y(run.y1) - y(run.y0))
            });
            if (y(run.y1) - y(run.y0) >= 11)
                add(svg, 'text', {
                    x: scale(from) - 8,
                    y: y(run.y0) + (narrow && run === group.runs[0] ? 24 : 11),
                    'text-anchor': 'end'
                },
                    count(run.pages, 'page'));
        }
    }
    const order =
        [...blocks].sort((a, b) => (b.kind === 'segment') - (a.kind === 'segment') || a.born - b.born);
    for (const b of order) {
        const died = b.died === undefined ? data.steps : b.died;
        const group = map.rows.find(g => g.begin.has(placeOf(b)));
        if (died < from || b.born > to)
            continue;
        const x0 = scale(Math.max(from, b.born)), x1 = scale(Math.min(to, died)),
              lost = leaks.has(b) && !data.error;
        const place = placeOf(b), y0 = y(group.begin.get(place)),
              h = Math.max(1.2, y(group.end.get(place + b.bytes)) - y0),
              w = Math.max(1.2, x1 - x0);
        const cls = 'block ' + b.kind + (h < 4 || w < 4 ? ' thin' : '');
        const rx = Math.min(2, h / 3), rect = add(svg, 'rect', {class: cls, x: x0, y: y0, width: w, height: h, rx});
        rect.tell = () => tellBlock(b);
        rect.source = b.made;
        rect.born = b.born;
        marks.push(rect);
        if (lost)
            add(svg, 'rect', {class: 'leak-end', x: x1 - 4, y: y0, width: 4, height: h})
                .setAttribute('pointer-events', 'none');
        if (b.kind !== 'segment' && w > 52 && h >= 12)
            add(svg, 'text', {class: 'inside', x: x0 + 5, y: y0 + h / 2 + 3.5}, bytesText(b.bytes));
    }
    marks.sort((a, b) => a.born - b.born);
    return marks;
}

/* ---- stream lanes ---- */

function classOf(op) {
    if (op.what !== 'copy')
        return op.what;
    const host = place => place === 'pageable host' || place === 'pinned host';
    return host(op.from) && !host(op.to) ? 'in' : !host(op.from) && host(op.to) ? 'out' : 'within';
}

const opText = {
    kernel: 'kernel',
    in: 'copy to the device',
    out: 'copy from the device',
    within: 'copy within',
    fill: 'fill',
    host: 'the host waits',
    event: 'event recorded',
    call: 'host function',
    alloc: 'allocation in stream order',
    free: 'free in stream order',
    wait: 'wait for another stream, or the start of a graph',
};

function tellOp(op) {
    const rows = [];
    if (op.grid) {
        rows.push(['grid', size(op.grid) + (op.grid.every(n => n === 1) ? ' block' : ' blocks')],
                  ['block', size(op.block) + ' threads']);
        if (op.bytes)
            rows.push(['shared', bytesText(op.bytes) + ' dynamic']);
    } else if (op.bytes) {
        rows.push(['bytes', op.bytes.toLocaleString('en')]);
    }
    if (op.to)
        rows.push(op.from ? ['from, to', op.from + ' → ' + op.to] : ['where', op.to]);
    rows.push([op.grid ? 'launched' : 'call', (op.grid ? '' : op.api + ' ') + 'at ' + site(op.at)]);
    rows.push(['stream', data.lanes[op.lane].name]);
    if (op.end > op.start)
        rows.push(['model time', timeText(op.end - op.start) + ', from ' + timeText(op.start)]);
    else
        rows.push(['model time', 'at ' + timeText(op.start)]);
    if (op.failed)
        rows.push(['ended', 'with an error']);
    return [op.name || opText[classOf(op)], rows];
}

function drawLanes() {
    const end = data.ops.reduce((most, op) => Math.max(most, op.end), 0);
    if (!end)
        return;
    const section = add(page, 'section', {id: 'lanes'}),
          ops = [...data.ops].sort((a, b) => a.lane - b.lane || a.start - b.start);
    const bySeq = new Map(data.ops.map(op => [op.lane + ':' + op.seq, op])),
          left = data.opsSeen - data.ops.length;
    const say =
        'One lane a stream. Each operation begins when its stream, what it waits for and its engine are ' +
        'free; an arrow is such a wait across streams. ' +
        'Drag over a part to enlarge it.' +
        (left
             ? ' Of ' + count(data.opsSeen, 'operation') + ', ' + left.toLocaleString('en') + ' are left out.'
             : '');
    const {legend, redraw} =
        chart(section, 'Streams, in model time', say, 'Operations by stream', end,
              (svg, scale, from, to, width) => {
                  const high = 46, top = 8, marks = [], bottom = top + data.lanes.length * high,
                        narrow = width < 560;
                  const y = lane => top + lane * high + 9;
                  svg.style.height = bottom + 38 + 'px';
                  xAxis(svg, scale, from, to, top, bottom, roundStep(to - from, narrow ? 3 : 8), timeText,
                        'model time', width);
                  data.lanes.forEach((lane, i) => {
                      add(svg, 'line', {class: 'axis lane', x1: 0, x2: width, y1: y(i) - 9, y2: y(i) - 9});
                      add(svg, 'text', {class: i ? '' : 'strong', x: narrow ? 4 : 8, y: y(i) + 16},
                          narrow ? lane.name.replace(' stream', '') : lane.name);
                  });
                  for (const op of ops) {
                      if (op.end < from || op.start > to)
                          continue;
                      const cls = classOf(op), x0 = scale(Math.max(from, op.start)),
                            x1 = scale(Math.min(to, op.end));
                      const mark = op.end > op.start
                                       ? bar(svg, cls, op, x0, Math.max(1.5, x1 - x0), y(op.lane))
                                       : tick(svg, cls, x0, y(op.lane));
                      mark.tell = () => tellOp(op);
                      mark.source = op.at;
                      marks.push(mark);
                  }
                  drawArrows(svg, scale, from, to, y, bySeq);
                  return marks;
              });
    for (const cls of ['kernel', 'in', 'out', 'within', 'fill', 'host', 'event', 'call', 'alloc'])
        if (ops.some(op => classOf(op) === cls))
            key(legend, cls, cls === 'alloc' ? 'allocation or free in stream order' : opText[cls]);
    redraw();
}

function bar(svg, cls, op, x, w, y) {
    const mark = add(svg, 'rect', {
        class: 'op ' + cls + (op.failed ? ' failed' : ''),
        x,
        y,
        width: w,
        height: 24,
        rx: Math.min(3, w / 3)
    });
    const text = cls === 'kernel' ? op.name
                 : cls === 'host' ? op.api
                                  : bytesText(op.bytes || 0),
          room = Math.floor((w - 8) / 5.6);
    if (text.length <= room || (room > 4 && cls !== 'in' && cls !== 'out'))
        add(svg, 'text', {class: 'inside', x: x + 5, y: y + 15.5},
            text.length <= room ? text : text.slice(0, room - 1) + '…');
    return mark;
}

function tick(svg, cls, x, y) {
    const shape = {
        event: [x, y + 24, x - 4, y + 31, x + 4, y + 31],
        call: [x, y - 4, x + 4, y, x, y + 4, x - 4, y],
        alloc: [x - 4, y + 31, x, y + 25, x + 4, y + 31],
        free: [x - 4, y + 25, x, y + 31, x + 4, y + 25]
    }[cls] || [x - 1, y, x + 1, y, x + 1, y + 24, x - 1, y + 24];
    return add(svg, 'polygon', {class: 'op ' + cls, points: shape.map(n => n.toFixed(1)).join(' ')});
}

function drawArrows(svg, scale, from, to, y, bySeq) {
    let left = 400; /* more would only hide the rest */
    for (const [lane, forSeq, on, seq] of data.deps) {
        const a = bySeq.get(on + ':' + seq), b = bySeq.get(lane + ':' + forSeq);
        if (!a || !b || lane === on || a.end < from || b.start > to || left-- <= 0)
            continue;
        const x0 = Math.max(scale(from), scale(a.end)), x1 = Math.min(scale(to), scale(b.start)),
              down = lane > on;
        const y0 = y(on) + (down ? 24 : 0), y1 = y(lane) + (down ? -1 : 25), middle = (y0 + y1) / 2,
              d = down ? -6 : 6;
        const g = add(svg, 'g', {class: 'dep', 'pointer-events': 'none'});
        add(g, 'path',
            {class: 'arrow', d: `M${x0} ${y0}C${x0} ${middle + 6} ${x1} ${middle - 6} ${x1} ${y1 + d}`});
        add(g, 'polygon', {class: 'head', points: `${x1} ${y1} ${x1 - 3.5} ${y1 + d} ${x1 + 3.5} ${y1 + d}`});
    }
}
