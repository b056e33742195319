// The head, the overview, and the start.
function fillHead() {
  const signs = {failed: '✕ ', passed: '✓ ', undecided: '? '};
  byId('verdict').textContent = (signs[page.verdict] || '') + page.verdict;
  byId('verdict').classList.add(page.verdict);
  for (const fact of page.facts || []) byId('facts').append(make('li', {}, make('b', {}, fact.name), /command|hash/.test(fact.name) ? make('code', {}, fact.text) : fact.text));
  const found = page.violations || [];
  if (found.length) tellLead(0); else if (page.verdict === 'undecided') byId('lead').textContent = (page.notices || [])[0] || '';
  byId('first').disabled = !found.some((v) => v.item >= 0);
  byId('arrows').hidden = !(page.slice || []).length;
  byId('focus').hidden = !hasFocus;
  canvas.setAttribute('aria-label', `Timeline of ${count.toLocaleString('en')} events in ${page.lanes.length} lanes`);
}

// tellLead tells the violation that is shown.
function tellLead(n) {
  const {check, sentence} = page.violations[n], all = page.violations.length;
  byId('lead').classList.add('failed');
  byId('lead').textContent = `${check}: ${sentence}` + (all > 1 ? ` (${n + 1} of ${all})` : '');
}

// The overview shows how much happened when, and which part is in sight.
let weights = null;
function drawOverview() {
  const ratio = devicePixelRatio || 1;
  const c = overview.getContext('2d');
  const width = overview.width / ratio, height = 40;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = ink.page;
  c.fillRect(0, 0, width, height);
  const x = (t) => gutter + (t + margin) / (end + 2 * margin) * (width - gutter);
  const bars = Math.max(1, Math.floor((width - gutter) / 3));
  if (!weights || weights.length !== bars) {
    weights = new Float64Array(bars);
    for (let i = 0; i < count; i++) weights[Math.min(bars - 1, Math.floor((items.at[i] + margin) / (end + 2 * margin) * bars))]++;
  }
  const most = Math.log1p(Math.max(...weights));
  c.fillStyle = ink.strong;
  for (let k = 0; k < bars; k++) {
    const h = Math.log1p(weights[k]) / most * (height - 14);
    c.fillRect(gutter + k * 3, height - 2 - h, 2, h);
  }
  c.fillStyle = ink.red;
  let before = -9;
  for (const v of page.violations || []) {
    if (v.at < 0 || x(v.at) - before < 4) continue;
    before = x(v.at);
    c.beginPath(); c.moveTo(before, 10); c.lineTo(before + 4.5, 2); c.lineTo(before - 4.5, 2); c.fill();
    c.fillRect(before - 0.5, 8, 1, height);
  }
  const from = x(view.from), to = Math.max(x(view.to), from + 3);
  c.globalAlpha = 0.18;
  c.fillStyle = ink.accent;
  c.fillRect(from, 0, to - from, height);
  c.globalAlpha = 1;
  c.strokeStyle = ink.accent;
  c.lineWidth = 1.5;
  c.strokeRect(from + 0.5, 1, Math.max(to - from - 1, 2), height - 2);
  c.fillStyle = ink.soft;
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillText('whole run', 10, height / 2);
}
let dragging = false;
function moveOverview(event) {
  const box = overview.getBoundingClientRect();
  const t = (event.clientX - box.left - gutter) / (box.width - gutter) * (end + 2 * margin) - margin;
  const span = view.to - view.from;
  show(t - span / 2, t + span / 2);
}
overview.addEventListener('pointerdown', (event) => { dragging = true; overview.setPointerCapture(event.pointerId); moveOverview(event); });
overview.addEventListener('pointermove', (event) => { if (dragging) moveOverview(event); });
overview.addEventListener('pointerup', () => { dragging = false; });

function toggleArrows() {
  view.arrows = !view.arrows;
  byId('arrows').setAttribute('aria-pressed', view.arrows);
  view.dirty = true;
}

function toggleFocus() {
  if (!hasFocus) return;
  setFocus(!view.focus);
  say(view.focus ? 'Only the lanes of what is concerned are shown.' : 'All lanes are shown.');
}

function openHelp() {
  drawHelp();
  byId('help').showModal();
}

function fillHelp() {
  for (const [key, what] of keyList) byId('keylist').append(make('dt', {}, key), make('dd', {}, what));
  for (const [text, what] of searchHelp) byId('searchlist').append(make('dt', {}, text), make('dd', {}, what));
  const used = new Set(page.kinds);
  for (const [kind, [, , , words]] of Object.entries(looks)) {
    if (!used.has(kind)) continue;
    const sample = make('canvas', {width: '68', height: '32', 'data-kind': kind, 'aria-hidden': 'true'});
    byId('legend').append(make('li', {}, sample, words));
  }
  for (const [kind, words] of Object.entries(bandWords)) {
    byId('legend').append(make('li', {}, make('canvas', {width: '68', height: '32', 'data-band': kind, 'aria-hidden': 'true'}), 'a lane while it was ' + words));
  }
  byId('legend').append(make('li', {}, make('span', {class: 'red', 'aria-hidden': 'true'}, '▼'), 'over an event: a violation is about it'));
}

// drawHelp draws each sign by drawing one item of its kind.
function drawHelp() {
  const matches = view.matches;
  view.matches = null; // signs are not dimmed
  for (const sample of document.querySelectorAll('#legend canvas')) {
    const c = sample.getContext('2d');
    c.setTransform(2, 0, 0, 2, 0, 0);
    c.clearRect(0, 0, 34, 16);
    if (sample.dataset.band) {
      c.fillStyle = patterns[sample.dataset.band];
      c.fillRect(0, 0, 34, 16);
      continue;
    }
    const i = items.kind.indexOf(page.kinds.indexOf(sample.dataset.kind));
    const row = rows[items.row[i]];
    c.save();
    c.translate(-gutter - 2, 2);
    drawSample(c, row, i);
    c.restore();
  }
  view.matches = matches;
}

function drawSample(c, row, i) {
  const mark = items.mark[i], y = row.y, height = row.height;
  items.mark[i] = 0; row.y = 0; row.height = 12;
  const point = ['triangle', 'dot', 'x', 'tick'].includes(look(i)[1]);
  const label = page.strings[items.label[i]];
  page.strings[items.label[i]] = '';
  drawWide(c, row, i, gutter + (point ? 17 : 3), row.kind === 'slots' ? 12 : point ? 0 : 28, Infinity);
  page.strings[items.label[i]] = label;
  items.mark[i] = mark; row.y = y; row.height = height;
}

function listen() {
  listenToSearch();
  byId('first').onclick = () => { lastViolation = -1; nextViolation(1); };
  byId('focus').onclick = toggleFocus;
  byId('in').onclick = () => zoom(0.5, undefined, true);
  byId('out').onclick = () => zoom(2, undefined, true);
  byId('fit').onclick = () => fit(true);
  byId('arrows').onclick = toggleArrows;
  byId('theme').onclick = () => { setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'); view.dirty = true; };
  byId('keys').onclick = openHelp;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => { setTheme(event.matches ? 'dark' : 'light'); view.dirty = true; });
  const grip = byId('grip'), panel = byId('panel');
  const resize = (height) => {
    const part = Math.max(90, Math.min(height, innerHeight * 0.75));
    panel.style.height = part + 'px';
    scroller.parentElement.style.minHeight = '120px'; // no share that was not chosen
    grip.setAttribute('aria-valuenow', Math.round(part / innerHeight * 100));
    measure();
  };
  let start = null;
  grip.addEventListener('pointerdown', (event) => { grip.setPointerCapture(event.pointerId); start = [event.clientY, panel.offsetHeight]; });
  grip.addEventListener('pointermove', (event) => { if (start) resize(start[1] + start[0] - event.clientY); });
  grip.addEventListener('pointerup', () => { start = null; });
  grip.addEventListener('keydown', (event) => {
    const step = {ArrowUp: 24, ArrowDown: -24}[event.key];
    if (step) { event.preventDefault(); resize(panel.offsetHeight + step); }
  });
  new ResizeObserver(measure).observe(scroller);
}

setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
addTab('violations', `Violations (${(page.violations || []).length})`, fillViolations);
if (page.slice) addTab('slice', 'What led to it', fillSlice);
addTab('selected', 'Selected', () => tellSelected(view.selected));
if (page.epochs) addTab('slots', 'Slots', fillSlots);
addTab('table', 'All events', fillTable);
fillHead();
fillHelp();
setFocus(true);
measure();
search('');
listen();
openTab((page.slice || []).length ? 'slice' : 'violations');
fit();
if ((page.violations || []).some((v) => v.item >= 0)) nextViolation(1);
if ((page.slice || []).length) toMoment();
(function loop() {
  if (view.dirty) draw();
  requestAnimationFrame(loop);
})();
if (location.hash === '#measure') measureAll();
