// The table of all events: the same as the timeline, to be read.
const pageSize = 100;
const table = {page: 0, kind: '', body: null, status: null};

function fillTable(panel) {
  const choice = make('select', {id: 'kind', onchange: () => { table.kind = choice.value; table.page = 0; fillRows(); }}, make('option', {value: ''}, 'all kinds'),
    ...page.kinds.map((k, n) => make('option', {value: String(n)}, lookOf[n][3])));
  table.status = make('span', {role: 'status'});
  const turn = (step) => () => { table.page += step; fillRows(); };
  table.back = make('button', {type: 'button', onclick: turn(-1)}, 'Earlier');
  table.on = make('button', {type: 'button', onclick: turn(1)}, 'Later');
  table.body = make('tbody', {});
  panel.append(make('div', {class: 'pages'}, make('label', {for: 'kind'}, 'Show'), choice, table.back, table.on, table.status),
    make('table', {}, make('caption', {class: 'hidden'}, 'Events in the order of time'),
      make('thead', {}, make('tr', {}, ...['Time', 'Lasted', 'Where', 'Kind', 'What', 'More'].map((h) => make('th', {scope: 'col'}, h)))), table.body));
  fillRows();
}

function fillRows() {
  if (!table.body || !isOpen('table')) return; // filled when it is opened
  let all = view.matched || inTime;
  if (table.kind !== '') all = all.filter((i) => items.kind[i] === Number(table.kind));
  const last = Math.max(0, Math.ceil(all.length / pageSize) - 1);
  table.page = Math.max(0, Math.min(table.page, last));
  const first = table.page * pageSize;
  const some = Array.from(all.slice(first, first + pageSize));
  table.back.disabled = table.page === 0;
  table.on.disabled = table.page === last;
  table.status.textContent = all.length ? `${(first + 1).toLocaleString('en')} to ${(first + some.length).toLocaleString('en')} of ${all.length.toLocaleString('en')} events` : 'no event';
  table.body.replaceChildren(...some.map((i) => make('tr', {class: items.mark[i] & 1 ? 'subject' : ''},
    make('td', {class: 't'}, make('button', {type: 'button', class: 'link-button', 'aria-label': `${time(items.at[i])}: show ${labelOf(i)} in the timeline`, onclick: () => select(i, {quiet: true, zoom: view.to - view.from > 5e9 ? 1e9 : 0})}, time(items.at[i]))),
    make('td', {class: 't'}, items.for[i] ? lasting(items.for[i]) : ''), make('td', {class: 'w'}, laneOf(i).name),
    make('td', {class: 'w'}, look(i)[3]), make('td', {}, labelOf(i)), make('td', {class: 'x'}, textOf(i).split('\n').slice(1).join(', ')))));
}
