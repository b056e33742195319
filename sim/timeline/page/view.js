// What is in sight: a part of the time, and all lanes, which scroll.
const canvas = byId('canvas');
const overview = byId('overview');
const scroller = byId('scroller');
const view = {from: 0, to: end, width: 800, height: 300, total: 0, selected: -1, hover: -1, matches: null, matched: null, arrows: true, focus: false, order: [], dirty: true};
const margin = end * 0.01 + 1;

// led says of a row whether something in it led to the first violation.
for (const row of rows) {
  row.led = false;
  for (let i = row.first; i < row.last && !row.led; i++) row.led = (items.mark[i] & 2) !== 0;
}
// concern says of each row and lane what a violation has to do with it: 2, it is about something in it; 1, something in it led there; 0,
// nothing. What led to others than the first is not known.
function concern(n) {
  const violation = (page.violations || [])[n] || {};
  const about = new Set((violation.about || []).map((i) => rows[items.row[i]]));
  for (const row of rows) row.concerns = about.has(row) || page.lanes[row.lane].kind === 'violations' && row.first < row.last ? 2 : row.led && (n === 0 || !about.size) ? 1 : 0;
  for (const lane of page.lanes) lane.concerns = Math.max(0, ...rows.slice(lane.first, lane.last).map((row) => row.concerns));
}
concern(0);
// nearest says of each lane which of the events that led to the first violation, in their order, is the last that lies in it.
for (const lane of page.lanes) lane.nearest = -1;
(page.slice || []).forEach((cited, n) => { if (cited.item >= 0) laneOf(cited.item).nearest = n; });
const isShown = (row) => row.first < row.last && (!view.focus || row.concerns > 0 || row.kind === 'life' && page.lanes[row.lane].concerns > 0);

// layOut gives each lane and row its place: all of them, or in the focus those alone that concern a violation; then operations that
// it is about come first, then all else that it is about, then what led there last.
function layOut() {
  let y = axis;
  const names = byId('lanes');
  names.replaceChildren();
  view.order = [];
  const first = (lane) => (lane.kind === 'violations' ? 4 : !view.focus ? 0 : lane.kind === 'client' && lane.concerns === 2 ? 3 : lane.concerns);
  const lanes = page.lanes.toSorted((a, b) => first(b) - first(a) || (first(a) === 1 ? b.nearest - a.nearest : 0));
  let shown = 0;
  for (const lane of lanes) {
    lane.y = y;
    lane.height = 0;
    for (let r = lane.first; r < lane.last; r++) { rows[r].y = y; rows[r].height = 0; }
    if (view.focus ? lane.concerns === 0 : lane.first === lane.last && lane.kind !== 'fleet') continue;
    y += lanePad;
    for (let r = lane.first; r < lane.last; r++) {
      if (!isShown(rows[r])) continue;
      rows[r].y = y;
      rows[r].height = lane.kind === 'violations' ? 18 : heights[rows[r].kind] || 12;
      y += rows[r].height + 3;
      view.order.push(rows[r]);
    }
    const least = lane.y + (lane.id ? 40 : 26);
    y = Math.max(y + lanePad - 3, least);
    lane.height = y - lane.y;
    lane.striped = shown++ % 2 > 0;
    names.append(make('div', {class: 'lane', style: `top:${lane.y}px;height:${lane.height}px`},
      make('b', {}, laneWords[lane.name] || lane.name), lane.id ? make('small', {}, lane.id) : ''));
  }
  view.total = y + 12;
  byId('space').style.height = view.total + 'px';
  view.dirty = true;
}

// setFocus shows what is concerned alone, or everything; what is selected stays in sight.
function setFocus(on) {
  view.focus = on && hasFocus;
  byId('focus').setAttribute('aria-pressed', view.focus);
  layOut();
  scroller.scrollTop = 0;
  if (view.selected >= 0 && rows[items.row[view.selected]].height) reveal(rows[items.row[view.selected]]);
}
const hasFocus = rows.some((row) => row.concerns > 0 && page.lanes[row.lane].kind !== 'violations') && rows.some((row) => row.first < row.last && row.concerns === 0);

// reveal scrolls a row into sight.
function reveal(row) {
  if (row.y < scroller.scrollTop + axis + 10 || row.y + row.height > scroller.scrollTop + view.height - 10) {
    scroller.scrollTop = Math.max(0, row.y - view.height / 2);
  }
}
const laneWords = {violations: 'Violations', fleet: 'Fleet', meta: 'metastore'};

function measure() {
  view.width = scroller.clientWidth;
  view.height = scroller.clientHeight;
  fitCanvas(canvas, view.width, view.height);
  fitCanvas(overview, overview.clientWidth, 40);
  view.dirty = true;
}

function fitCanvas(c, width, height) {
  const ratio = devicePixelRatio || 1;
  c.width = Math.max(1, Math.round(width * ratio));
  c.height = Math.max(1, Math.round(height * ratio));
  c.style.height = height + 'px';
}

const plot = () => view.width - gutter;
const xOf = (t) => gutter + (t - view.from) / (view.to - view.from) * plot();
const tOf = (x) => view.from + (x - gutter) / plot() * (view.to - view.from);

let moving = 0;
let goal = null; // of the glide that is under way: keys that repeat go on from there
const aim = () => goal || [view.from, view.to];
const least = 2000; // ns in sight
// show moves to a part of the time: at once, or in a short glide.
function show(from, to, glide) {
  let span = Math.min(Math.max(to - from, least), end + 2 * margin);
  const middle = (from + to) / 2;
  from = Math.max(-margin, Math.min(middle - span / 2, end + margin - span));
  const target = [from, from + span];
  cancelAnimationFrame(moving);
  goal = null;
  if (!glide || reduced.matches) {
    [view.from, view.to] = target;
    view.dirty = true;
    return;
  }
  goal = target;
  const start = [view.from, view.to];
  const began = performance.now();
  const step = (now) => {
    const k = Math.min(1, (now - began) / 180);
    const e = 1 - (1 - k) ** 3;
    // spans change by factors, not by differences: zooming then looks even
    const width = (start[1] - start[0]) ** (1 - e) * (target[1] - target[0]) ** e;
    const full = target[1] - target[0] - (start[1] - start[0]);
    const part = Math.abs(full) < 1 ? e : (width - (start[1] - start[0])) / full;
    view.from = start[0] + (target[0] - start[0]) * part;
    view.to = view.from + width;
    view.dirty = true;
    if (k < 1) moving = requestAnimationFrame(step); else goal = null;
  };
  moving = requestAnimationFrame(step);
}

// zoom keeps in place what is at x; without one what is selected, or else the middle.
function zoom(factor, x, glide) {
  const [from, to] = x === undefined ? aim() : [view.from, view.to];
  const i = view.selected;
  const chosen = i < 0 ? [] : [items.at[i], endOf(i)].filter((t) => t >= from && t <= to);
  const t = x !== undefined ? tOf(x) : chosen.length ? chosen[0] : (from + to) / 2;
  factor = Math.max(factor, least / (to - from));
  show(t - (t - from) * factor, t + (to - t) * factor, glide);
}
const pan = (part, glide) => { const [from, to] = aim(), d = (to - from) * part; show(from + d, to + d, glide); };
const fit = (glide) => show(-margin, end + margin, glide);

// select marks an item, brings it into sight, and says what it is.
function select(i, options = {}) {
  view.selected = i;
  view.dirty = true;
  if (i < 0) return;
  const row = rows[items.row[i]];
  if (!row.height) setFocus(false); // it lies in a row that is left out
  if (options.zoom) {
    const span = Math.max(items.for[i] * 4, options.zoom);
    const middle = items.at[i] + Math.min(items.for[i], span) / 2;
    show(middle - span / 2, middle + span / 2, true);
  } else if (items.at[i] > view.to || endOf(i) < view.from) {
    const span = view.to - view.from;
    show(items.at[i] - span / 2, items.at[i] + span / 2, true);
  }
  reveal(row);
  say(`${labelOf(i)}, ${look(i)[3]}, ${laneOf(i).name}, at ${time(items.at[i])}` + (items.for[i] ? `, for ${lasting(items.for[i])}` : ''));
  if (!options.quiet || isOpen('selected')) tellSelected(i);
  else tabs.find((t) => t.id === 'selected').filled = false;
}

function say(text) { byId('says').textContent = text; }

// inSight are the first and the place behind the last item of a row that may be in sight.
function inSight(row) {
  const first = row.first + firstAbove(0, row.last - row.first, (k) => row.until[k] >= view.from);
  const last = firstAbove(first, row.last, (i) => items.at[i] > view.to);
  return [first, last];
}
