// Measuring: a page that is opened with #measure moves, zooms and searches by itself, and tells how long its frames took.
const measureFrames = 240;

// timed does something once a frame, and tells how long it and the drawing took, and how far frames were apart.
async function timed(name, act) {
  const work = [], apart = [];
  let before = await nextFrame();
  for (let n = 0; n < measureFrames; n++) {
    const began = performance.now();
    act(n / measureFrames, n);
    draw();
    work.push(performance.now() - began);
    const now = await nextFrame();
    apart.push(now - before);
    before = now;
  }
  return `${name}: work ${spread(work)}; frames apart ${spread(apart)}`;
}

// spread is the median of values, and what 95 of a hundred do not exceed.
function spread(values) {
  values.sort((a, b) => a - b);
  const at = (part) => values[Math.floor((values.length - 1) * part)].toFixed(1);
  return `${at(0.5)} ms, 95% ${at(0.95)} ms`;
}

// searched searches one thing after the other while the page pans.
async function searched(queries) {
  const took = [];
  let began = 0, n = 0, busy = false;
  const told = await timed('search, and pan', (part) => {
    show(part * 1e9, part * 1e9 + 60e9);
    if (busy) return;
    busy = true;
    began = performance.now();
    search(queries[n++ % queries.length]).then(() => { took.push(performance.now() - began); busy = false; });
  });
  return `${told}; answers after ${spread(took)}`;
}

async function measureAll() {
  const whole = end + 2 * margin;
  const told = [`${count.toLocaleString('en')} items, ${measureFrames} frames each, ${view.width} x ${view.height} points`];
  for (const focus of [true, false]) {
    if (focus && !hasFocus) continue;
    setFocus(focus);
    const lanes = focus ? 'focus' : 'all lanes';
    told.push(await timed(`${lanes}, pan over a tenth`, (part) => show(part * whole * 0.9, (part * 0.9 + 0.1) * whole)));
    told.push(await timed(`${lanes}, pan over all`, (part) => show(part * 1e6 - margin, part * 1e6 - margin + whole)));
    told.push(await timed(`${lanes}, zoom`, (part) => { const span = whole * 0.5 ** (part * 30); show(whole / 3 - span / 2, whole / 3 + span / 2); }));
  }
  const queries = ['slot=14', 'stream=all/standard/any/1', 'star=2', 'fence', 'epoch=1 seq=40', 'append -unknown', 'at=12'];
  told.push(await searched(queries));
  openTab('violations');
  byId('page-violations').append(make('pre', {class: 'note', id: 'measured'}, told.join('\n')));
}
