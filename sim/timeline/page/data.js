// The data of the page, and what is looked up in it often.
const page = JSON.parse(document.getElementById('data').textContent);
const items = page.items;
const count = items.row.length;
const byId = (id) => document.getElementById(id);

// rows are the rows of all lanes, with the places of their items from first to last.
const rows = [];
page.lanes.forEach((lane, place) => {
  lane.first = rows.length;
  (lane.rows || []).forEach((row) => rows.push({lane: place, name: row.name, kind: row.kind, first: 0, last: 0, until: null}));
  lane.last = rows.length;
});
for (let i = 0; i < count; i++) {
  const row = rows[items.row[i]];
  if (row.last === 0) row.first = i;
  row.last = i + 1;
}
// until[k] is how far any item of a row up to its k-th reaches: what is in sight is then found by halving.
for (const row of rows) {
  row.until = new Float64Array(row.last - row.first);
  let until = -1;
  for (let i = row.first; i < row.last; i++) {
    until = Math.max(until, items.at[i] + items.for[i]);
    row.until[i - row.first] = until;
  }
}

const kindOf = (i) => page.kinds[items.kind[i]];
const labelOf = (i) => page.strings[items.label[i]];
const textOf = (i) => page.strings[items.text[i]];
const laneOf = (i) => page.lanes[rows[items.row[i]].lane];
const endOf = (i) => items.at[i] + items.for[i];
let end = 1;
for (let i = 0; i < count; i++) end = Math.max(end, endOf(i));

// inTime are all items in the order of time.
const inTime = Uint32Array.from({length: count}, (_, i) => i).sort((a, b) => items.at[a] - items.at[b] || a - b);

// firstAbove is the first k in [low, high) for which above(k), else high.
function firstAbove(low, high, above) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (above(middle)) high = middle; else low = middle + 1;
  }
  return low;
}

// time tells an instant to people, as exactly as the scale needs.
function time(ns, step) {
  const s = ns / 1e9;
  const digits = step === undefined ? 6 : step >= 1e9 ? 0 : Math.min(9, Math.ceil(-Math.log10(step / 1e9)));
  const minutes = Math.floor(s / 60 + 1e-12);
  const rest = (s - minutes * 60).toFixed(digits);
  return minutes > 0 ? minutes + ':' + rest.padStart(digits ? digits + 3 : 2, '0') : rest + ' s';
}

function lasting(ns) {
  if (ns >= 60e9) return time(ns, 1e8) + ' min';
  if (ns >= 1e9) return (ns / 1e9).toFixed(3) + ' s';
  if (ns >= 1e6) return (ns / 1e6).toFixed(3) + ' ms';
  return (ns / 1e3).toFixed(1) + ' µs';
}

// make makes an element; what it holds is text or elements, never markup.
function make(tag, attributes, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.filter((part) => part !== null && part !== undefined));
  return element;
}
