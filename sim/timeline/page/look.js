// How things look. Each kind has a colour and a shape: colour alone tells nothing.
const reduced = matchMedia('(prefers-reduced-motion: reduce)');
let ink = {};

const looks = {
  // kind: [colour, shape, rank, words]; of several at one place the highest rank is seen
  violation: ['red', 'triangle', 99, 'violation'],
  durable: ['durable', 'cell', 2, 'slot that is part of the chain'],
  poisoned: ['poisoned', 'cross', 6, 'slot that a fencer poisoned'],
  dead: ['dead', 'slash', 5, 'slot that too few stores can have any more'],
  beyond: ['beyond', 'bang', 8, 'flight at the cut or behind it'],
  open: ['open', 'hollow', 3, 'slot of which nothing is decided'],
  flight: ['durable', 'tick', 1, 'a store took a flight'],
  poison: ['poisoned', 'x', 6, 'a store took poison'],
  damaged: ['beyond', 'x', 7, 'a copy was damaged'],
  gone: ['dead', 'tick', 1, 'an object was deleted'],
  alive: ['alive', 'bar', 1, 'life of a process'],
  active: ['active', 'bar', 1, 'chain epoch, active'],
  fenced: ['fenced', 'striped', 4, 'chain epoch, fenced'],
  settled: ['settled', 'tick', 3, 'chain epoch, settled'],
  lead: ['lead', 'bar', 1, 'leadership'],
  'stale-lead': ['stale', 'striped', 5, 'leadership that goes on after another star took the stream'],
  append: ['append', 'bar', 2, 'append, acknowledged'],
  read: ['read', 'bar', 1, 'read'],
  'open-op': ['opens', 'bar', 3, 'producer opened'],
  tail: ['tail', 'bar', 1, 'tail asked for'],
  'failed-op': ['failed', 'hollow', 4, 'operation that failed'],
  'unknown-op': ['unknown', 'striped', 5, 'operation of unknown outcome'],
  call: ['mark', 'faint', 0, 'call of a process'],
  'failed-call': ['failed', 'bar', 2, 'call that failed'],
  step: ['mark', 'tick', 0, 'named step'],
  write: ['mark', 'tick', 1, 'write of a row or object'],
  note: ['accent', 'dot', 3, 'note of a star'],
  trouble: ['beyond', 'dot', 6, 'note that tells of trouble'],
  fault: ['fault', 'tick', 4, 'a fault struck'],
  turn: ['fault', 'dot', 6, 'a lasting fault began or ended'],
};
const bandWords = {dead: 'dead', paused: 'held', cut: 'cut off', slow: 'slow', down: 'unavailable'};
const lookOf = page.kinds.map((kind) => looks[kind] || ['mark', 'tick', 0, kind]);
const look = (i) => lookOf[items.kind[i]];

const heights = {life: 7, epochs: 17, slots: 15, leads: 15, operations: 13, marks: 12, calls: 8, faults: 12};
const lanePad = 9;
const gutter = 172;
const axis = 24;

let patterns = {};
// paint reads the colours of the theme, and makes the hatchings.
function paint() {
  const style = getComputedStyle(document.documentElement);
  const names = ['page', 'paper', 'stripe', 'line', 'strong', 'ink', 'soft', 'faint', 'accent', 'wash', 'red', 'durable', 'poisoned', 'dead', 'beyond', 'open',
    'append', 'read', 'opens', 'tail', 'failed', 'unknown', 'active', 'fenced', 'settled', 'lead', 'stale', 'alive', 'mark', 'fault', 'on', 'hatch', 'hatch2'];
  ink = Object.fromEntries(names.map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  patterns = {
    dead: hatch(ink.hatch2, 8, 'down'), paused: hatch(ink.hatch, 12, 'bars'), cut: hatch(ink.hatch, 8, 'up'),
    slow: hatch(ink.hatch, 8, 'dots'), down: hatch(ink.hatch, 8, 'cross'), stripe: hatch(ink.paper, 6, 'up', 1.6),
  };
}

function hatch(colour, size, way, width = 1) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = size;
  const c = tile.getContext('2d');
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = width;
  c.beginPath();
  const up = () => { for (const d of [-size, 0, size]) { c.moveTo(d, size); c.lineTo(d + size, 0); } };
  const down = () => { for (const d of [-size, 0, size]) { c.moveTo(d, 0); c.lineTo(d + size, size); } };
  if (way === 'up' || way === 'cross') up();
  if (way === 'down' || way === 'cross') down();
  if (way === 'bars') { c.moveTo(size / 2, 0); c.lineTo(size / 2, size); }
  if (way === 'dots') c.arc(size / 2, size / 2, 1.2, 0, 7);
  if (way === 'dots') c.fill(); else c.stroke();
  return c.createPattern(tile, 'repeat');
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  paint();
}
