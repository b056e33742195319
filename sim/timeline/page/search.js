// Search: words, and fields of events as key=value. A page has many items and fewer texts: each text is looked at once.
const isDigit = (c) => c >= '0' && c <= '9';
const isNumber = (text) => /^\d+$/.test(text);

// within says whether a text has a value in it that does not end inside a number: any/1 is not in any/12.
function within(text, value) {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const cutBefore = at > 0 && isDigit(text[at - 1]) && isDigit(value[0]);
    const cutBehind = at + value.length < text.length && isDigit(text[at + value.length]) && isDigit(value[value.length - 1]);
    if (!cutBefore && !cutBehind) return true;
  }
  return false;
}

// anyField says whether one of the values of a field in a text passes.
function anyField(text, key, passes) {
  const mark = '\n' + key + ': ';
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const from = at + mark.length, to = text.indexOf('\n', from);
    if (passes(to < 0 ? text.slice(from) : text.slice(from, to))) return true;
  }
  return false;
}
const fieldOf = (text, key) => { let found = ''; anyField(text, key, (value) => { found = value; return true; }); return found; };
const equals = (value) => (text) => text === value;
const fits = (value) => (isNumber(value) ? equals(value) : (text) => within(text, value));

// chainKey reads the chain epoch and the slot that the key of a row or object names.
const chainKey = /^chains\/([\w-]+)\/0*(\d+)(?:\/0*(\d+))?$/;

function ofEpoch(text, value) {
  const named = (name) => name === value || name.endsWith('/' + value);
  return anyField(text, 'epoch', named) || anyField(text, 'chain', equals(value)) ||
    anyField(text, 'key', (key) => { const m = chainKey.exec(key); return m !== null && (m[2] === value || `${m[1]}/${m[2]}` === value); });
}

function ofSeq(text, value) {
  const n = Number(value);
  const inRun = (run) => { const [first, last] = run.split('..').map(Number); return first <= n && n <= last; };
  if (anyField(text, 'seqs', inRun) || anyField(text, 'seq', equals(value))) return true;
  const first = fieldOf(text, 'first'), next = fieldOf(text, 'next') || fieldOf(text, 'end');
  return first !== '' && next !== '' && Number(first) <= n && n < Number(next);
}

// named are lanes by a name: star=2 is star-2, star=6adc the star with that in its id.
const named = (kind, value) => page.lanes.filter((lane) => lane.kind === kind &&
  (isNumber(value) ? lane.name === `${kind}-${value}` : within(lane.name, value) || lane.id.includes(value)));

function ofStar(value) {
  const lanes = new Set(named('star', value));
  const names = new Set([...lanes].flatMap((lane) => [lane.name, ...lane.id.split(' ')]).filter(Boolean));
  const known = (text) => names.has(text) || names.has(text.slice(0, text.indexOf('/')));
  const texts = byText((text) => ['by', 'at', 'star', 'epoch'].some((key) => anyField(text, key, known)));
  return (i) => lanes.has(laneOf(i)) || texts(i);
}

function ofClient(value) {
  const lanes = new Set(isNumber(value) ? [] : named('client', value));
  const texts = byText((text) => anyField(text, 'op', (op) => op.startsWith(value + '/')));
  return (i) => lanes.has(laneOf(i)) || texts(i);
}

// atTime passes what was under way at a time: 196.15, 3:16.15 or 3m16.15s, as exactly as it is written.
function atTime(value) {
  const m = /^(?:(\d+)h)?(?:(\d+)[m:])?(\d+)?(?:\.(\d+))?s?$/.exec(value);
  if (!m) return () => false;
  const from = (Number(m[1] || 0) * 3600 + Number(m[2] || 0) * 60 + Number(`${m[3] || 0}.${m[4] || 0}`)) * 1e9;
  const until = from + 10 ** (9 - (m[4] || '').length);
  return (i) => items.at[i] < until && endOf(i) >= from - 0.5 && (items.for[i] < 1e9 || items.at[i] >= from - 1);
}

// byText looks at each text of an item once.
function byText(test) {
  const known = new Int8Array(page.strings.length);
  return (i) => {
    const n = items.text[i];
    if (known[n] === 0) known[n] = test(lowered(n)) ? 1 : -1;
    return known[n] > 0;
  };
}
const lower = new Array(page.strings.length);
const lowered = (n) => (lower[n] === undefined ? lower[n] = page.strings[n].toLowerCase() : lower[n]);

const ofKind = (value) => { const fit = page.kinds.map((kind, n) => kind.includes(value) || lookOf[n][3].includes(value)); return (i) => fit[items.kind[i]]; };
const searchKeys = {
  slot: (value) => byText((text) => anyField(text, 'slot', equals(value)) || anyField(text, 'key', (key) => { const m = chainKey.exec(key); return m !== null && m[3] === value; })),
  epoch: (value) => byText((text) => ofEpoch(text, value) || anyField(text, 'under', equals(value))),
  chain: (value) => byText((text) => ofEpoch(text, value)),
  seq: (value) => byText((text) => ofSeq(text, value)),
  star: ofStar,
  client: ofClient,
  store: (value) => { const lanes = new Set(named('store', value)); const texts = byText((text) => anyField(text, 'at', fits(value))); return (i) => lanes.has(laneOf(i)) || texts(i); },
  step: (value) => { const steps = ofKind('step'), texts = byText((text) => anyField(text, 'name', fits(value))); return (i) => steps(i) && texts(i); },
  kind: (value) => { const kinds = ofKind(value), texts = byText((text) => anyField(text, 'kind', equals(value))); return (i) => kinds(i) || texts(i); },
  at: atTime,
  is: (value) => { const mark = {about: 1, cause: 2}[value] || 0; return (i) => (items.mark[i] & mark) !== 0; },
};

// ofWord passes what has a word in its name, its fields or the name of its lane.
function ofWord(word) {
  const lanes = new Set(page.lanes.filter((lane) => `${lane.name} ${lane.id}`.toLowerCase().includes(word)));
  const known = new Int8Array(page.strings.length);
  const has = (n) => { if (known[n] === 0) known[n] = lowered(n).includes(word) ? 1 : -1; return known[n] > 0; };
  return (i) => has(items.label[i]) || has(items.text[i]) || lanes.has(laneOf(i));
}

// termsOf reads what was typed: words and key=value, with a minus in front what must not be, in quotes what has blanks.
function termsOf(text) {
  return Array.from(text.toLowerCase().matchAll(/(-?)(?:([a-z][\w-]*)=)?(?:"([^"]*)"|(\S+))/g), ([whole, minus, key, quoted, bare]) => {
    const value = quoted === undefined ? bare : quoted;
    if (value === undefined || whole === '-') return null;
    const passes = key === undefined ? ofWord(value) : (searchKeys[key] || ((v) => byText((t) => anyField(t, key, fits(v)))))(value);
    return minus ? (i) => !passes(i) : passes;
  }).filter(Boolean);
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const mostOfFrame = 5; // ms that a search takes of a frame
let searches = 0;

// search looks at all items, a part in each frame, so that the page goes on meanwhile. It says whether it came to its end: a later
// search ends an earlier one.
async function search(text) {
  const mine = ++searches;
  const terms = termsOf(text);
  const matches = terms.length ? new Uint8Array(count) : null;
  for (let i = 0; matches && i < count;) {
    const until = performance.now() + mostOfFrame;
    while (i < count && performance.now() < until) {
      for (const stop = Math.min(i + 200, count); i < stop; i++) matches[i] = terms.every((passes) => passes(i)) ? 1 : 0;
    }
    if (i < count) await nextFrame();
    if (mine !== searches) return false;
  }
  view.matches = matches;
  view.matched = matches && inTime.filter((i) => matches[i]);
  const found = view.matched ? view.matched.length : 0;
  byId('before').disabled = byId('after').disabled = !found;
  byId('found').textContent = !view.matched ? '' : found === 0 ? 'no match' : found === 1 ? '1 match' : found.toLocaleString('en') + ' matches';
  view.dirty = true;
  table.page = 0;
  fillRows();
  return true;
}

function nextMatch(step) {
  const all = view.matched;
  if (!all || !all.length) {
    if (!all) byId('found').textContent = 'no search: / begins one';
    say(all ? 'There is no match.' : 'There is no search: / begins one.');
    return;
  }
  // from what is selected on, or from where the view is
  let to = all.indexOf(view.selected);
  if (to >= 0) to = (to + step + all.length) % all.length;
  else {
    const from = firstAbove(0, all.length, (k) => items.at[all[k]] >= view.from);
    to = step > 0 ? from % all.length : (from - 1 + all.length) % all.length;
  }
  select(all[to], {quiet: !isOpen('selected')});
  byId('found').textContent = `${(to + 1).toLocaleString('en')} of ${all.length.toLocaleString('en')}`;
}

// toSearch goes to the field, and remembers from where: Escape goes back there.
let cameFrom = null;
function toSearch() {
  const field = byId('search');
  if (document.activeElement !== field) cameFrom = document.activeElement;
  field.focus();
  field.select();
}

// endSearch ends the search, and says whether there was one.
function endSearch() {
  byId('found').textContent = '';
  if (!view.matches && !byId('search').value) return false;
  byId('search').value = '';
  search('');
  say('The search is over.');
  return true;
}

function leaveSearch() {
  const back = cameFrom;
  cameFrom = null;
  if (back && back !== document.body && back.isConnected && back.offsetParent !== null) back.focus(); else canvas.focus();
}

function listenToSearch() {
  let waiting = 0;
  const field = byId('search');
  const now = () => { clearTimeout(waiting); return search(field.value); };
  field.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(now, 120); });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { // the search is over
      event.preventDefault();
      clearTimeout(waiting);
      endSearch();
      leaveSearch();
    } else if (event.key === 'Enter') { // to the match, and on from there with N
      event.preventDefault();
      now().then((whole) => {
        if (!whole) return;
        nextMatch(event.shiftKey ? -1 : 1);
        if (view.matched && view.matched.length) { cameFrom = null; canvas.focus(); }
      });
    }
  });
  byId('search-form').addEventListener('submit', (event) => event.preventDefault());
  byId('before').onclick = () => nextMatch(-1);
  byId('after').onclick = () => nextMatch(1);
}

const searchHelp = [
  ['slot=14 epoch=3', 'slot 14 of a chain epoch 3; epoch=3 finds epochs of streams as well, chain=3 only those of chains'],
  ['stream=b/s seq=47', 'what holds, acknowledges or covers seq 47 of stream b/s'],
  ['star=2, star=6adc', 'what star-2, or the star with this id, did or was asked; store=zone-a alike'],
  ['client=5, op=5/12', 'what client 5 of the history did; its operation 12. client=client-3 is a process'],
  ['step=fence.cut kind=append', 'a named step; a kind of event or operation'],
  ['at=3m16.15', 'what was under way at that time, also as 196.15 or 3:16.15'],
  ['is=about, is=cause', 'what a violation is about; what led to the first'],
  ['by=star-1 -step', 'any other field of an event; a minus in front leaves out'],
  ['fence "cut differs"', 'words, in names, fields and lanes'],
];
