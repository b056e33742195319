// Picking with the pointer, and moving with pointer, wheel and keys.
const tip = byId('tip');

// itemAt finds the item under a point, or near it.
function itemAt(x, y) {
  const at = y + scroller.scrollTop;
  const row = view.order.find((r) => at >= r.y - 2 && at <= r.y + r.height + 2);
  if (!row || x < gutter || y < axis) return -1;
  const t = tOf(x);
  const slack = (view.to - view.from) / plot() * 5;
  const last = firstAbove(row.first, row.last, (i) => items.at[i] > t + slack);
  let best = -1, nearest = Infinity;
  for (let i = last - 1; i >= row.first && i > last - 400; i--) {
    const away = t < items.at[i] ? items.at[i] - t : Math.max(0, t - endOf(i));
    if (away > slack && row.until[i - row.first] < t - slack) break;
    const rank = away - look(i)[2] * 1e-3;
    if (away <= slack && rank < nearest) { nearest = rank; best = i; }
  }
  return best;
}

function bandAt(x, y) {
  const at = y + scroller.scrollTop, t = tOf(x);
  return (page.bands || []).filter((b) => {
    const lane = page.lanes[b.lane];
    return lane.height && at >= lane.y && at <= lane.y + lane.height && t >= b.at && t <= b.at + b.for;
  });
}

function hover(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const i = itemAt(x, y);
  if (i !== view.hover) { view.hover = i; view.dirty = true; }
  const bands = i < 0 && x > gutter && y > axis ? bandAt(x, y) : [];
  if (i < 0 && !bands.length) { tip.hidden = true; return; }
  tip.replaceChildren();
  if (i >= 0) {
    const more = textOf(i).split('\n').slice(1, 9).join('\n');
    tip.append(make('b', {}, labelOf(i)), make('i', {}, `\n${look(i)[3]}\n${time(items.at[i])}` + (items.for[i] ? `, for ${lasting(items.for[i])}` : '') + (more ? '\n' + more : '')));
  } else {
    tip.append(make('b', {}, page.lanes[bands[0].lane].name), '\n' + bands.map((b) => `${b.text}\n${time(b.at)}, for ${lasting(b.for)}`).join('\n'));
  }
  tip.hidden = false;
  const around = tip.parentElement.getBoundingClientRect();
  let left = event.clientX - around.left + 14, top = event.clientY - around.top + 14;
  if (left + tip.offsetWidth > around.width - 8) left = Math.max(4, left - tip.offsetWidth - 28);
  if (top + tip.offsetHeight > around.height - 8) top = Math.max(4, top - tip.offsetHeight - 28);
  tip.style.left = left + 'px';
  tip.style.top = top + 'px';
}

let held = null;
canvas.addEventListener('pointerdown', (event) => {
  canvas.setPointerCapture(event.pointerId);
  held = {x: event.clientX, y: event.clientY, from: view.from, to: view.to, top: scroller.scrollTop, moved: false};
});
canvas.addEventListener('pointermove', (event) => {
  if (!held) { hover(event); return; }
  const dx = event.clientX - held.x, dy = event.clientY - held.y;
  if (!held.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
  held.moved = true;
  tip.hidden = true;
  const d = dx / plot() * (held.to - held.from);
  show(held.from - d, held.to - d);
  scroller.scrollTop = held.top - dy;
});
canvas.addEventListener('pointerup', (event) => {
  const box = canvas.getBoundingClientRect();
  if (held && !held.moved) select(itemAt(event.clientX - box.left, event.clientY - box.top));
  held = null;
});
canvas.addEventListener('pointercancel', () => { held = null; });
canvas.addEventListener('pointerleave', () => { tip.hidden = true; if (view.hover >= 0) { view.hover = -1; view.dirty = true; } });
canvas.addEventListener('dblclick', (event) => zoom(0.25, event.clientX - canvas.getBoundingClientRect().left, true));
canvas.addEventListener('wheel', (event) => {
  const scale = event.deltaMode ? 30 : 1;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * scale * 0.004), event.clientX - canvas.getBoundingClientRect().left);
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    pan((event.deltaX || event.deltaY) * scale / plot());
  }
}, {passive: false});
scroller.addEventListener('scroll', () => { view.dirty = true; });

// beside selects the item before or after the selected one in its row.
function beside(step) {
  if (view.selected < 0) { select(firstInSight()); return; }
  const row = rows[items.row[view.selected]];
  const i = view.selected + step;
  if (i >= row.first && i < row.last) select(i);
}

// across selects the item of the next row up or down that is nearest in time.
function across(step) {
  if (view.selected < 0) { select(firstInSight()); return; }
  const t = items.at[view.selected];
  for (let r = view.order.indexOf(rows[items.row[view.selected]]) + step; r >= 0 && r < view.order.length; r += step) {
    const row = view.order[r];
    const i = firstAbove(row.first, row.last, (k) => items.at[k] >= t);
    const before = i - 1 >= row.first ? i - 1 : i;
    select(i >= row.last || t - items.at[before] < items.at[i] - t ? before : i);
    return;
  }
}

function firstInSight() {
  for (const row of view.order) {
    const [first, last] = inSight(row);
    if (first < last) return first;
  }
  return -1;
}

const keyList = [
  ['← →', 'move in time'], ['Shift ← →', 'select before, after'], ['↑ ↓', 'select in the row above, below'], ['+ −', 'zoom'], ['0', 'show everything'],
  ['V, Shift V', 'next, previous violation'], ['/', 'search; Enter goes to a match, Esc ends the search'], ['N, Shift N', 'next, previous match'],
  ['F', 'only what is concerned, or all lanes'], ['Enter', 'tell of what is selected; Esc comes back'], ['A', 'arrows on and off'], ['Esc', 'end the search; then select nothing'], ['?', 'this help'],
];
const timelineKeys = {
  ArrowLeft: (event) => (event.shiftKey ? beside(-1) : pan(-0.12, true)), ArrowRight: (event) => (event.shiftKey ? beside(1) : pan(0.12, true)),
  ArrowUp: () => across(-1), ArrowDown: () => across(1), '+': () => zoom(0.5, undefined, true), '=': () => zoom(0.5, undefined, true),
  '-': () => zoom(2, undefined, true), 0: () => fit(true), Home: () => { const [from, to] = aim(); show(-margin, to - from - margin, true); },
  End: () => { const [from, to] = aim(); show(end + margin - (to - from), end + margin, true); }, PageDown: () => { scroller.scrollTop += view.height * 0.8; },
  PageUp: () => { scroller.scrollTop -= view.height * 0.8; }, Enter: () => { if (view.selected >= 0) { tellSelected(view.selected); openTab('selected', true); } },
  Escape: () => {
    if (endSearch()) return;
    select(-1);
    tellSelected(-1);
    say('Nothing is selected.');
  },
};
const pageKeys = {
  v: () => nextViolation(1), V: () => nextViolation(-1), n: () => nextMatch(1), N: () => nextMatch(-1), '/': toSearch, a: toggleArrows, f: toggleFocus, '?': openHelp,
};
// needs says whether a control needs a key of the timeline for itself.
const needs = (on, key) => key === 'Enter' && on.matches('button, a') || /^(Enter|Arrow|Home|End|Page)/.test(key) && on.closest('.panel, .grip') !== null;

// Keys of the timeline are heard wherever the focus is, but for fields, and controls that need them.
document.addEventListener('keydown', (event) => {
  const on = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(on.tagName) || document.querySelector('dialog[open]')) return;
  let act = pageKeys[event.key];
  if (!act && event.key === 'Escape' && byId('panel').contains(on)) act = () => canvas.focus();
  if (!act && !needs(on, event.key)) act = timelineKeys[event.key];
  if (act) { event.preventDefault(); act(event); }
});
