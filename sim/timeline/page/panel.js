// The panel: violations, what led to the first, the selected item, slots; the table has a file of its own.
const tabs = [];
function addTab(id, name, fill) {
  const tab = make('button', {role: 'tab', id: 'tab-' + id, 'aria-controls': 'page-' + id, 'aria-selected': 'false', tabindex: '-1', type: 'button', onclick: () => openTab(id)}, name);
  const panel = make('div', {role: 'tabpanel', id: 'page-' + id, 'aria-labelledby': 'tab-' + id, tabindex: '0', hidden: true});
  tab.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((t) => t.id === id);
    const place = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}[event.key];
    if (place === undefined) return;
    event.preventDefault();
    const to = tabs[(place + tabs.length) % tabs.length];
    openTab(to.id);
    to.tab.focus();
  });
  byId('tabs').append(tab);
  byId('pages').append(panel);
  tabs.push({id, tab, panel, fill, filled: false});
}

function openTab(id, focus) {
  for (const t of tabs) {
    const is = t.id === id;
    t.tab.setAttribute('aria-selected', is);
    t.tab.tabIndex = is ? 0 : -1;
    t.panel.hidden = !is;
    if (is && !t.filled) { t.filled = true; t.fill(t.panel); } else if (is && id === 'table') fillRows();
    if (is && focus) t.panel.focus();
  }
}
const isOpen = (id) => !byId('page-' + id).hidden;

function fillViolations(panel) {
  const found = page.violations || [];
  if (!found.length) panel.append(make('p', {class: 'note'}, page.verdict === 'failed' ? 'The run failed without a sentence.' : 'No check found a violation.'));
  panel.append(make('ol', {class: 'list'}, ...found.map((v, n) => make('li', {},
    make('span', {class: 'check'}, '▲ ' + v.check),
    make('span', {}, v.sentence),
    v.item >= 0 ? make('button', {type: 'button', onclick: () => goTo(n), 'aria-label': 'Show violation ' + (n + 1) + ' in the timeline'}, 'Show') : make('span'),
    v.detail ? make('pre', {}, v.detail) : null))));
  for (const notice of page.notices || []) panel.append(make('p', {class: 'note'}, notice));
  if (page.porcupine) {
    panel.append(make('p', {}, make('button', {type: 'button', onclick: openPorcupine}, `Porcupine’s own view of stream ${page.porcupine_of}`)));
  }
}

// goTo shows a violation with what it is about in sight.
function goTo(n) {
  const v = page.violations[n];
  if (v.item < 0) return;
  lastViolation = n;
  concern(n);
  layOut();
  tellLead(n);
  let from = v.at;
  for (const i of v.about || []) {
    // an operation with its whole, all else from its last change on
    const t = rows[items.row[i]].kind === 'operations' ? items.at[i] : endOf(i);
    if (kindOf(i) !== 'write' && v.at - t < 60e9) from = Math.min(from, t);
  }
  const span = Math.max((v.at - from) * 1.3, 20e6);
  select(v.item, {quiet: true});
  show(v.at - span * 0.85, v.at + span * 0.15, true);
  const about = (v.about || []).map((i) => rows[items.row[i]]).filter((row) => row.height && row.kind !== 'marks');
  scroller.scrollTop = Math.max(...about.map((row) => row.y + row.height), 0) < view.height ? 0 : Math.min(...about.map((row) => row.y)) - axis - 24;
  say(`Violation ${n + 1} of ${page.violations.length}: ${v.check}: ${v.sentence}`);
}
let lastViolation = -1;
function nextViolation(step) {
  const found = page.violations || [];
  for (let k = 1; k <= found.length; k++) {
    const n = (Math.max(lastViolation, step > 0 ? -1 : 0) + step * k + found.length * 2) % found.length;
    if (found[n].item >= 0) { goTo(n); return; }
  }
  say('There is no violation to show.');
}

function openPorcupine() {
  byId('other-title').textContent = `Porcupine’s own view of stream ${page.porcupine_of}`;
  const frame = byId('porcupine');
  if (!frame.srcdoc) frame.srcdoc = page.porcupine;
  byId('other').showModal();
}

function fillSlice(panel) {
  const slice = page.slice || [];
  if (!slice.length) {
    panel.append(make('p', {class: 'note'}, 'There is no violation with causes in the trace.'));
    return;
  }
  panel.append(make('p', {class: 'note'}, `${slice.length} of the events led to the first violation: messages, wake-ups, what was read, and what had happened to the processes. Rows with ◆ are what it is about.`));
  const line = (cited, n) => make('tr', {class: (cited.subject ? 'subject ' : '') + 'link', id: 'cited-' + n, onclick: () => showCited(n)},
    make('td', {class: 'n'}, String(n + 1)), make('td', {class: 't'}, cited.item >= 0 ? make('button', {type: 'button', class: 'link-button', 'aria-label': `${time(cited.at)}: show event ${n + 1} in the timeline`}, time(cited.at)) : time(cited.at)),
    make('td', {class: 'w'}, cited.where || '–'), make('td', {class: 'x'}, (cited.subject ? '◆ ' : '') + cited.text),
    make('td', {class: 'n'}, (cited.causes || []).map((c) => c + 1).join(' ')));
  panel.append(make('table', {}, make('thead', {}, make('tr', {}, ...['#', 'Time', 'Where', 'What', 'After'].map((h) => make('th', {scope: 'col'}, h)))), make('tbody', {}, ...slice.flatMap((cited, n) => n === laterAt ? [make('tr', {class: 'later'}, make('th', {colspan: '5', scope: 'rowgroup'}, 'What became of it later')), line(cited, n)] : [line(cited, n)]))));
}

// laterAt is the first row of the slice that is later than the first violation; toMoment scrolls to the last before it that the violation is about.
const violated = ((page.violations || [])[0] || {at: -1}).at;
const laterAt = violated < 0 ? -1 : (page.slice || []).findIndex((cited) => cited.at > violated);
function toMoment() {
  const slice = page.slice || [];
  const about = slice.findLastIndex((cited, n) => cited.subject && (laterAt < 0 || n < laterAt));
  byId('cited-' + (about < 0 ? slice.length - 1 : about)).scrollIntoView({block: 'center'});
}

function showCited(n) {
  document.querySelectorAll('tr.now').forEach((row) => row.classList.remove('now'));
  byId('cited-' + n).classList.add('now');
  const i = page.slice[n].item;
  if (i >= 0) select(i, {quiet: true, zoom: view.to - view.from > 2e9 ? 1e9 : 0});
}

function tellSelected(i) {
  const t = tabs.find((one) => one.id === 'selected');
  t.filled = true;
  t.panel.replaceChildren();
  if (i < 0) {
    t.panel.append(make('p', {class: 'note'}, 'Select an event in the timeline, the list of causes or the table.'));
    return;
  }
  const [first, ...fields] = textOf(i).split('\n');
  const list = make('dl', {class: 'fields'});
  const row = (name, text) => list.append(make('dt', {}, name), make('dd', {}, text));
  row('what', look(i)[3] + (first && first !== labelOf(i) ? ` (${first})` : ''));
  row('where', laneOf(i).name + (laneOf(i).id ? ` (${laneOf(i).id})` : ''));
  row('time', time(items.at[i], 1) + (items.for[i] ? ` to ${time(endOf(i), 1)}, ${lasting(items.for[i])}` : ''));
  for (const field of fields) {
    const at = field.indexOf(': ');
    row(at < 0 ? '' : field.slice(0, at), at < 0 ? field : field.slice(at + 2));
  }
  const cited = (page.slice || []).findIndex((c) => c.item === i);
  t.panel.append(make('h2', {}, labelOf(i)), list,
    make('p', {}, make('button', {type: 'button', onclick: () => select(i, {zoom: 50e6})}, 'Zoom to it'),
      cited >= 0 ? make('span', {}, ' ', make('button', {type: 'button', onclick: () => { openTab('slice'); showCited(cited); byId('cited-' + cited).scrollIntoView({block: 'center'}); }}, 'Its place among the causes')) : null,
      epochOf(i) ? make('span', {}, ' ', make('button', {type: 'button', onclick: () => { openTab('slots'); chooseEpoch(epochOf(i)); }}, 'The slots of its epoch')) : null));
  if (!isOpen('selected')) openTab('selected');
}

const epochOf = (i) => (page.epochs || []).find((e) => e.item === i || (textOf(i) + '\n').includes(`\nepoch: ${e.name}\n`));

let chooseEpoch = () => {};
function fillSlots(panel) {
  const epochs = page.epochs || [];
  if (!epochs.length) {
    panel.append(make('p', {class: 'note'}, 'The trace tells of no chain epochs.'));
    return;
  }
  const body = make('div', {});
  const choice = make('select', {id: 'epoch', onchange: () => tell(epochs[choice.selectedIndex])}, ...epochs.map((e) => make('option', {}, `${e.name}, ${e.class}, ${e.state}` + (e.cut ? `, cut ${e.cut}` : '') + `, ${(e.slots || []).length} slots`)));
  panel.append(make('div', {class: 'pages'}, make('label', {for: 'epoch'}, 'Chain epoch'), choice), body);
  const tell = (e) => body.replaceChildren(slotTable(e));
  chooseEpoch = (e) => { choice.selectedIndex = epochs.indexOf(e); tell(e); };
  const about = new Set((page.violations || []).slice(0, 1).flatMap((v) => v.about || []));
  chooseEpoch(epochs.find((e) => about.has(e.item)) || epochs.find((e) => (e.slots || []).some((s) => s.fate === 'beyond' || s.fate === 'poisoned')) || epochs[0]);
}

const fateSigns = {durable: '■', poisoned: '✕', dead: '╱', beyond: '!', open: '·'};
const holdWords = {f: 'F', p: 'P', d: 'D', g: '–', '-': ''};
const holdNames = {f: 'flight', p: 'poison', d: 'damaged', g: 'deleted', '-': 'nothing'};
function slotTable(e) {
  const all = e.slots || [];
  const most = 60;
  let from = 0;
  if (all.length > most) {
    const odd = all.findIndex((s) => s.fate !== 'durable');
    from = Math.max(0, Math.min(odd < 0 ? all.length : odd - most / 2, all.length - most));
  }
  const box = make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': `Slots of chain epoch ${e.name}`});
  const fill = () => {
    const some = all.slice(from, from + most);
    // a hole stands for the numbers between two slots that nothing is told of
    const each = (cell) => some.flatMap((s, k) => {
      const next = k ? some[k - 1].number + 1 : s.number;
      return s.number === next ? [cell(s)] : [make('td', {class: 'hole', title: `of slots ${next} to ${s.number - 1} nothing is told`}, '…'), cell(s)];
    });
    box.replaceChildren(make('table', {class: 'cells'}, make('caption', {class: 'hidden'}, `Slots of chain epoch ${e.name}`),
      make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'slot'), ...each((s) => make('th', {scope: 'col'}, String(s.number))))),
      make('tbody', {}, make('tr', {}, make('th', {scope: 'row'}, 'fate'), ...each((s) => make('td', {class: 'fate ' + s.fate, title: `slot ${s.number}: ${s.fate}. ${s.text}`}, fateSigns[s.fate], make('span', {class: 'hidden'}, s.fate)))),
        ...e.stores.map((store, k) => make('tr', {}, make('th', {scope: 'row'}, store), ...each((s) => make('td', {title: `${store}, slot ${s.number}: ${holdNames[s.holds[k]]}`}, holdWords[s.holds[k]], make('span', {class: 'hidden'}, holdNames[s.holds[k]]))))))));
  };
  fill();
  requestAnimationFrame(() => {
    const odd = box.querySelector('.fate:not(.durable)');
    if (odd) box.scrollLeft = odd.offsetLeft - box.clientWidth / 2;
  });
  const pages = all.length > most ? make('div', {class: 'pages'},
    make('button', {type: 'button', onclick: () => { from = Math.max(0, from - most); fill(); }}, 'Earlier slots'),
    make('button', {type: 'button', onclick: () => { from = Math.min(all.length - most, from + most); fill(); }}, 'Later slots')) : null;
  return make('div', {}, pages, box, make('p', {class: 'note'}, '■ durable   ✕ poisoned   ╱ dead: too few stores can have it   ! beyond the cut   · open.  Stores: F a flight, P poison, D damaged, – deleted.'));
}
