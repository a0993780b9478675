/* SPDX-License-Identifier: MIT */
/* What the pictures are made of: elements, words, the box that tells about a mark, a chart, its axis. */
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page'), tip = document.getElementById('tip');

/* ---- making elements ---- */

function add(parent, tag, attributes, text) {
    const ns = parent.namespaceURI === 'http://www.w3.org/2000/svg' || tag === 'svg';
    const e = ns ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (value !== undefined)
            e.setAttribute(name, typeof value === 'number' && ns ? Math.round(value * 100) / 100 : value);
    if (text !== undefined)
        e.textContent = text;
    parent.appendChild(e);
    return e;
}

/* ---- words and numbers ---- */

function digits(x) {
    return x >= 100 ? Math.round(x).toLocaleString('en') : String(Number(x.toFixed(x >= 10 ? 1 : 2)));
}
function bytesText(n) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let i = 0;
    for (; n >= 1024 && i < 4; i++)
        n /= 1024;
    return digits(n) + ' ' + units[i];
}
function timeText(ns) {
    return ns >= 1e9   ? digits(ns / 1e9) + ' s'
           : ns >= 1e6 ? digits(ns / 1e6) + ' ms'
           : ns >= 1e3 ? digits(ns / 1e3) + ' µs'
                       : digits(ns) + ' ns';
}
const count = (n, word) => n.toLocaleString('en') + ' ' + word + (n === 1 ? '' : 's');
const site = i => i === undefined ? 'unknown' : data.sites[i].text;
const size = d => d.filter((n, i) => i === 0 || n > 1 || (i === 1 && d[2] > 1)).join(' × ');
/* A round step that cuts `span` into about `pieces`; of bytes, in powers of two. */
function roundStep(span, pieces, binary) {
    const raw = span / pieces, base = binary ? 2 : 10;
    const power = base ** Math.floor(Math.log(raw) / Math.log(base));
    return binary ? power * (raw > power ? 2 : 1) : power * [1, 2, 5, 10].find(m => power * m >= raw);
}

/* ---- what is under the pointer, or chosen by key ---- */

function showTip(mark, x, y) {
    const [title, rows] = mark.tell();
    tip.replaceChildren();
    add(tip, 'b', {}, title);
    const list = add(tip, 'dl');
    for (const [name, value] of rows) {
        add(list, 'dt', {}, name);
        add(list, 'dd', {}, value);
    }
    tip.hidden = false;
    const w = tip.offsetWidth, h = tip.offsetHeight;
    tip.style.left = Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - w - 8)) + 'px';
    tip.style.top = Math.max(8, y + 18 + h > innerHeight ? y - h - 12 : y + 18) + 'px';
}
function hideTip() {
    tip.hidden = true;
    for (const e of document.querySelectorAll('.on'))
        e.classList.remove('on');
}

/*
 * A chart that is as wide as the page, shows a part of its x axis, and tells about its marks.
 * draw(svg, scale, from, to, width) draws all and returns its marks, in the order in which keys visit them.
 */
function chart(section, title, say, label, extent, draw) {
    const top = add(section, 'div', {class: 'top'});
    add(top, 'h2', {}, title);
    const zoom = add(top, 'div', {class: 'zoom', role: 'group', 'aria-label': 'part of the x axis'});
    add(section, 'p', {class: 'say'}, say);
    const card = add(section, 'div', {class: 'card'});
    const legend = add(card, 'ul', {class: 'legend'});
    const svg = add(card, 'svg',
                    {tabindex: 0, role: 'group', 'aria-label': label + '. Arrow keys go from mark to mark.'});
    let from = 0, to = extent, marks = [], chosen = -1, dragged = null, drawn = 0;

    const left = () => card.clientWidth < 560 ? 66 : 104;
    const scale = x => left() + (x - from) / (to - from) * (card.clientWidth - left() - 18);
    const unscale = px => from + (px - left()) / (card.clientWidth - left() - 18) * (to - from);
    function redraw() {
        hideTip();
        svg.replaceChildren();
        chosen = -1;
        drawn = card.clientWidth;
        marks = draw(svg, scale, from, to, drawn);
        buttons.forEach(b => b.disabled = b.off());
    }
    function look(a, b) {
        const span = Math.min(extent, Math.max(b - a, extent / 20000));
        from = Math.max(0, Math.min(a, extent - span));
        to = from + span;
        redraw();
    }
    const whole = () => from <= 0 && to >= extent;
    const buttons = [
        ['←', 'earlier', () => look(from - (to - from) / 2, to - (to - from) / 2), () => from <= 0],
        ['−', 'zoom out', () => look(from - (to - from) / 2, to + (to - from) / 2), whole],
        ['all', 'the whole run', () => look(0, extent), whole],
        [
            '+', 'zoom in', () => look(from + (to - from) / 4, to - (to - from) / 4),
            () => to - from <= extent / 20000
        ],
        ['→', 'later', () => look(from + (to - from) / 2, to + (to - from) / 2), () => to >= extent],
    ].map(([text, name, act, off]) => {
        const b = add(zoom, 'button', {type: 'button', title: name, 'aria-label': name}, text);
        b.addEventListener('click', act);
        b.off = off;
        return b;
    });
    function choose(i) {
        hideTip();
        chosen = Math.max(0, Math.min(i, marks.length - 1));
        if (!marks.length)
            return;
        marks[chosen].classList.add('on');
        const at = marks[chosen].getBoundingClientRect();
        showTip(marks[chosen], at.left + Math.min(at.width, 40), at.bottom - 10);
    }
    svg.addEventListener('keydown', e => {
        const to = {
            ArrowRight: chosen + 1,
            ArrowDown: chosen + 1,
            ArrowLeft: chosen - 1,
            ArrowUp: chosen - 1,
            Home: 0,
            End: marks.length
        }[e.key];
        if (to !== undefined)
            choose(to);
        else if (e.key === 'Enter' && marks[chosen])
            goTo(marks[chosen].source);
        else if (e.key === 'Escape')
            hideTip();
        else
            return;
        e.preventDefault();
    });
    svg.addEventListener('blur', hideTip);
    svg.addEventListener('pointerleave', hideTip);
    svg.addEventListener('pointermove', e => {
        if (dragged) {
            const a = Math.min(dragged.x, e.offsetX), b = Math.max(dragged.x, e.offsetX);
            dragged.brush =
                dragged.brush || add(svg, 'rect', {class: 'brush', y: 0, height: svg.clientHeight});
            dragged.brush.setAttribute('x', a);
            dragged.brush.setAttribute('width', b - a);
        } else if (e.target.tell) {
            showTip(e.target, e.clientX, e.clientY);
        } else {
            hideTip();
        }
    });
    svg.addEventListener('pointerdown', e => {
        if (e.pointerType === 'mouse' && e.button === 0)
            dragged = {x: e.offsetX};
    });
    svg.addEventListener('click', e => e.target.tell && goTo(e.target.source));
    addEventListener('pointerup', e => {
        const d = dragged, end = d && e.clientX - svg.getBoundingClientRect().left;
        dragged = null;
        if (d && Math.abs(end - d.x) > 5)
            look(unscale(Math.min(d.x, end)), unscale(Math.max(d.x, end)));
    });
    svg.addEventListener('dblclick', () => look(0, extent));
    new ResizeObserver(() => card.clientWidth !== drawn && redraw()).observe(card);
    return {legend, redraw};
}

function key(legend, cls, text, line) {
    const box = add(add(legend, 'li'), 'svg',
                    {width: 12, height: 12, style: 'width:12px;flex:none', 'aria-hidden': 'true'});
    add(box, line ? 'path' : 'rect', {class: cls, d: line, width: 12, height: 12, rx: 2});
    add(box.parentNode, 'span', {}, text);
}

/* Grid lines and numbers below; `text` turns a value into one. */
function xAxis(svg, scale, from, to, y0, y1, step, text, title, width) {
    for (let x = Math.ceil(from / step) * step; x <= to + step / 1e6; x += step) {
        add(svg, 'line', {class: 'grid', x1: scale(x), x2: scale(x), y1: y0, y2: y1});
        const anchor = scale(x) > width - 40 ? 'end' : 'middle';
        add(svg, 'text', {x: Math.min(scale(x), width - 6), y: y1 + 15, 'text-anchor': anchor}, text(x));
    }
    add(svg, 'line', {class: 'axis', x1: scale(from), x2: scale(to), y1: y1, y2: y1});
    add(svg, 'text', {x: scale(from), y: y1 + 32}, title);
}
