// Drawing. Only what is in sight is looked at; what falls on one column of points is drawn once, as the most telling of it.
function draw() {
  view.dirty = false;
  const began = performance.now();
  const ratio = devicePixelRatio || 1;
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = ink.paper;
  c.fillRect(0, 0, view.width, view.height);
  const top = scroller.scrollTop;
  c.save();
  c.translate(0, -top);
  drawLanes(c, top);
  c.save();
  c.beginPath();
  c.rect(gutter, top, plot(), view.height);
  c.clip();
  drawBands(c, top);
  let drawn = 0;
  for (const row of view.order) if (row.y < top + view.height && row.y + row.height > top) drawn += drawRow(c, row);
  if (view.arrows) drawArrows(c);
  drawLabels(c);
  drawBandWords(c, top);
  drawPointers(c);
  drawSelected(c);
  c.restore();
  c.restore();
  drawAxis(c);
  drawOverview();
  view.took = performance.now() - began;
  view.drawn = drawn;
}

function drawLanes(c, top) {
  page.lanes.forEach((lane) => {
    if (!lane.height || lane.y > top + view.height || lane.y + lane.height < top) return;
    c.fillStyle = lane.striped ? ink.stripe : ink.paper;
    c.fillRect(0, lane.y, view.width, lane.height);
    c.fillStyle = ink.line;
    c.fillRect(0, lane.y, view.width, 1);
  });
  c.font = '10px system-ui, "DejaVu Sans", sans-serif';
  c.fillStyle = ink.faint;
  c.textBaseline = 'middle';
  c.textAlign = 'right';
  let before = '';
  for (const row of view.order) {
    const name = row.kind === 'slots' ? 'slots' : row.name;
    const key = row.lane + name;
    if (key !== before && row.height >= 8 && name !== 'violations') c.fillText(name, gutter - 6, row.y + row.height / 2 + 0.5);
    before = key;
  }
  c.fillStyle = ink.strong;
  c.fillRect(gutter - 1, top, 1, view.height);
}

function drawBands(c, top) {
  for (const band of page.bands || []) {
    const lane = page.lanes[band.lane];
    if (!lane.height || lane.y > top + view.height || lane.y + lane.height < top || band.at > view.to || band.at + band.for < view.from) continue;
    const x = Math.max(xOf(band.at), gutter - 2);
    const w = Math.max(1.5, Math.min(xOf(band.at + band.for), view.width + 2) - x);
    c.fillStyle = patterns[band.kind];
    c.fillRect(x, lane.y + 1, w, lane.height - 1);
    c.fillStyle = band.kind === 'dead' ? ink.dead : ink.fault;
    c.fillRect(x, lane.y + 1, w, 1.5);
    band.x = w > 50 ? x : -1;
  }
}

// drawBandWords says what was wrong, over what happened meanwhile.
function drawBandWords(c, top) {
  c.font = '10px system-ui, "DejaVu Sans", sans-serif';
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  for (const band of page.bands || []) {
    const lane = page.lanes[band.lane];
    if (!(band.x >= 0) || !lane.height || lane.y > top + view.height || lane.y + lane.height < top || band.at > view.to || band.at + band.for < view.from) continue;
    const text = bandWords[band.kind];
    c.fillStyle = ink.paper;
    c.fillRect(band.x + 3, lane.y + 2, c.measureText(text).width + 8, 13);
    c.fillStyle = band.kind === 'dead' ? ink.soft : ink.fault;
    c.fillText(text, band.x + 7, lane.y + 9);
  }
}

// drawRow draws the items of a row and says how many shapes that took.
function drawRow(c, row) {
  const [first, last] = inSight(row);
  const scale = plot() / (view.to - view.from);
  let column = -1, rank = -1, chosen = -1, shapes = 0;
  const flush = () => {
    if (chosen >= 0) { drawTiny(c, row, chosen, column); shapes++; }
    chosen = -1; rank = -1;
  };
  for (let i = first; i < last; i++) {
    const x = gutter + (items.at[i] - view.from) * scale;
    const w = items.for[i] * scale;
    if (w < 0 || x + w < gutter) continue;
    const wide = w >= 4 || roomy(row, i, last, x, scale);
    if (wide) {
      flush();
      drawWide(c, row, i, x, w, i + 1 < last ? gutter + (items.at[i + 1] - view.from) * scale : Infinity);
      shapes++;
      continue;
    }
    const here = Math.floor(x / 2) * 2;
    if (here !== column) { flush(); column = here; }
    const r = look(i)[2] + (items.mark[i] & 1 ? 50 : 0) + (view.matches ? (view.matches[i] ? 20 : -20) : 0);
    if (r > rank || chosen < 0) { rank = r; chosen = i; }
  }
  flush();
  return shapes;
}

// roomy says whether a small item has so much room that it can be drawn with its shape.
function roomy(row, i, last, x, scale) {
  const before = i > row.first ? gutter + (items.at[i - 1] - view.from) * scale : -Infinity;
  const after = i + 1 < last ? gutter + (items.at[i + 1] - view.from) * scale : Infinity;
  return x - before > 7 && after - x > 7;
}

const faded = (i) => view.matches && !view.matches[i];

function drawTiny(c, row, i, x) {
  const [colour, shape] = look(i);
  c.globalAlpha = faded(i) ? 0.16 : shape === 'faint' ? 0.5 : 1;
  c.fillStyle = ink[colour];
  const marked = items.mark[i] & 1;
  c.fillRect(x, row.y, marked ? 3 : 2, row.height);
  if (shape === 'bang' || shape === 'cross' || shape === 'x') c.fillRect(x - 1, row.y, 4, 3); // a head: not told by colour alone
  if (marked) markAbout(c, x + 1, row.y);
  c.globalAlpha = 1;
}

function markAbout(c, x, y) {
  c.fillStyle = ink.red;
  c.beginPath();
  c.moveTo(x - 3.5, y - 5);
  c.lineTo(x + 3.5, y - 5);
  c.lineTo(x, y + 1);
  c.fill();
}

function drawWide(c, row, i, x, w, next) {
  const [colour, shape] = look(i);
  const y = row.y, h = row.height;
  c.globalAlpha = faded(i) ? 0.16 : 1;
  c.fillStyle = c.strokeStyle = ink[colour];
  c.lineWidth = 1.4;
  const left = Math.max(x, gutter - 3), width = Math.max(Math.min(x + w, view.width + 3) - left, 0);
  switch (shape) {
    case 'triangle':
      c.beginPath(); c.moveTo(x, y + 1); c.lineTo(x + 7, y + h - 2); c.lineTo(x - 7, y + h - 2); c.closePath(); c.fill();
      label(c, i, x + 10, y, h, next - x - 12, ink.red, true);
      break;
    case 'cell': case 'cross': case 'slash': case 'bang': case 'hollow':
      if (row.kind === 'slots') drawCell(c, row, i, x, Math.max(width, 0), shape, next);
      else { c.strokeRect(left + 0.7, y + 0.7, Math.max(width, 3) - 1.4, h - 1.4); label(c, i, left + 4, y, h, width - 6, ink[colour]); }
      break;
    case 'dot':
      c.beginPath(); c.arc(x, y + h / 2, 3.4, 0, 7); c.fill();
      label(c, i, x + 6, y, h, next - x - 10, ink.soft);
      break;
    case 'x':
      c.beginPath(); c.moveTo(x - 3, y + 2); c.lineTo(x + 3, y + h - 2); c.moveTo(x + 3, y + 2); c.lineTo(x - 3, y + h - 2); c.stroke();
      label(c, i, x + 6, y, h, next - x - 10, ink.soft);
      break;
    case 'tick':
      c.fillRect(x - 1, y, 2, h);
      if (next - x > 70) label(c, i, x + 4, y, h, next - x - 8, ink.soft);
      break;
    default:
      if (shape === 'faint') c.globalAlpha *= 0.55;
      c.fillRect(left, y, Math.max(width, 2), h);
      if (shape === 'striped') { c.fillStyle = patterns.stripe; c.fillRect(left, y, Math.max(width, 2), h); }
      if (h >= 12) label(c, i, left + 4, y, h, width - 7, shape === 'striped' ? ink.ink : ink.on, shape === 'striped');
  }
  if (items.mark[i] & 1 && row.kind !== 'violations' && shape !== 'triangle') {
    c.strokeStyle = ink.red;
    c.lineWidth = 2;
    if (width > 4) c.strokeRect(left, y - 0.5, width, h + 1);
    markAbout(c, Math.max(x, gutter + 4), y - 1);
  }
  c.globalAlpha = 1;
}

// drawCell draws a slot: a square with the sign of its fate, and its number where there is room.
function drawCell(c, row, i, x, w, shape, next) {
  const h = row.height, y = row.y;
  const width = Math.max(Math.min(Math.max(w, 7), next - x - 1), 3);
  if (shape === 'hollow') {
    c.setLineDash([2, 2]);
    c.strokeRect(x + 0.7, y + 0.7, width - 1.4, h - 1.4);
    c.setLineDash([]);
  } else {
    c.fillRect(x, y, width, h);
  }
  c.strokeStyle = ink.on;
  c.lineWidth = 1.5;
  const s = Math.min(width, 11), m = x + s / 2, q = s / 2 - 1.5;
  c.beginPath();
  if (shape === 'cross') { c.moveTo(m - q, y + 4); c.lineTo(m + q, y + h - 4); c.moveTo(m + q, y + 4); c.lineTo(m - q, y + h - 4); }
  if (shape === 'slash') { c.moveTo(m - q, y + h - 4); c.lineTo(m + q, y + 4); }
  if (shape === 'bang') { c.moveTo(m, y + 3); c.lineTo(m, y + h - 6); c.moveTo(m, y + h - 4.5); c.lineTo(m, y + h - 3); }
  c.stroke();
  const room = next - x - 16;
  if (room > 24) label(c, i, x + Math.max(width, 8) + 4, y, h, room - Math.max(width - 8, 0), ink.soft);
}

// label keeps as much of a label as there is room for. Labels are written when all else of the rows, and the arrows, are drawn.
let labels = [];
function label(c, i, x, y, h, room, colour, bold) {
  if (room < 22) return;
  const shift = x < gutter + 4 ? gutter + 4 - x : 0;
  room -= shift;
  if (room < 22) return;
  let text = labelOf(i);
  const fits = Math.floor(room / 5.6);
  if (text.length > fits) text = fits > 3 ? text.slice(0, fits - 1) + '…' : '';
  labels.push({text, x: x + shift, y: y + h / 2 + 0.5, colour, bold, alpha: c.globalAlpha, around: colour === ink.on ? ink[look(i)[0]] : ink.paper});
}

// drawLabels writes labels, each with a rim that no arrow strikes through.
function drawLabels(c) {
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.lineJoin = 'round';
  c.lineWidth = 3;
  for (const {text, x, y, colour, bold, alpha, around} of labels) {
    c.font = (bold ? '600 ' : '') + '10.5px system-ui, "DejaVu Sans", sans-serif';
    c.globalAlpha = alpha;
    c.strokeStyle = around;
    if (view.arrows && alpha === 1) c.strokeText(text, x, y); // what is dimmed has no rim to be seen
    c.fillStyle = colour;
    c.fillText(text, x, y);
  }
  c.globalAlpha = 1;
  labels = [];
}

// drawPointers draws a line down from each violation.
function drawPointers(c) {
  c.fillStyle = ink.red;
  let column = -9;
  for (const v of page.violations || []) {
    if (v.at < 0 || v.at < view.from || v.at > view.to) continue;
    const x = xOf(v.at);
    if (x - column < 3) continue;
    column = x;
    c.globalAlpha = 0.35;
    c.fillRect(x - 0.5, page.lanes[0].y + 20, 1, view.total);
    c.globalAlpha = 1;
  }
}

const middleOf = (i) => [Math.min(Math.max(xOf(items.at[i]), gutter - 60), view.width + 60), rows[items.row[i]].y + rows[items.row[i]].height / 2];

// drawArrows draws the causes of the first violation.
function drawArrows(c) {
  c.strokeStyle = c.fillStyle = ink.accent;
  for (const cited of page.slice || []) {
    if (cited.item < 0) continue;
    for (const cause of cited.causes || []) {
      const from = page.slice[cause].item;
      if (from < 0 || items.row[from] === items.row[cited.item] || !rows[items.row[from]].height || !rows[items.row[cited.item]].height) continue;
      const [x1, y1] = middleOf(from), [x2, y2] = middleOf(cited.item);
      if (x2 < gutter - 40 || x1 > view.width + 40 || x2 - x1 < 1) continue;
      const near = view.selected === cited.item || view.selected === from;
      c.globalAlpha = near ? 0.95 : 0.32;
      c.lineWidth = near ? 2 : 1;
      const bend = Math.max(8, Math.min(60, (x2 - x1) / 2));
      c.beginPath();
      c.moveTo(x1, y1);
      c.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      c.stroke();
      const up = y2 < y1 ? 1 : -1;
      c.beginPath(); c.moveTo(x2, y2); c.lineTo(x2 - 5, y2 + 3 + up); c.lineTo(x2 - 5, y2 - 3 + up); c.fill();
    }
  }
  c.globalAlpha = 1;
}

function drawSelected(c) {
  for (const [i, colour] of [[view.hover, ink.faint], [view.selected, ink.accent]]) {
    if (i < 0) continue;
    const row = rows[items.row[i]];
    if (!row.height) continue;
    const x = Math.max(xOf(items.at[i]), gutter - 4);
    const w = Math.max(Math.min(xOf(endOf(i)), view.width + 4) - x, row.kind === 'slots' ? 7 : 3);
    c.strokeStyle = colour;
    c.lineWidth = 2;
    c.strokeRect(x - 3, row.y - 3, w + 6, row.height + 6);
  }
}

function drawAxis(c) {
  c.fillStyle = ink.page;
  c.fillRect(0, 0, view.width, axis);
  c.fillStyle = ink.line;
  c.fillRect(0, axis - 1, view.width, 1);
  const step = niceStep((view.to - view.from) / Math.max(plot() / 110, 1));
  c.font = '11px system-ui, "DejaVu Sans", sans-serif';
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  c.fillStyle = ink.soft;
  for (let t = Math.ceil(Math.max(view.from, 0) / step) * step; t <= view.to; t += step) {
    const x = xOf(t);
    if (x < gutter) continue;
    c.fillStyle = ink.strong;
    c.fillRect(x, axis - 7, 1, 7);
    c.fillStyle = ink.soft;
    c.fillText(time(t, step), x + 4, axis / 2);
  }
}

function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const n of [1, 2, 5, 10]) if (n * power >= least) {
    const step = n * power;
    for (const even of [30e9, 60e9, 120e9, 300e9, 600e9]) if (step > 10e9 && even >= step) return even;
    return step;
  }
  return 10 * power;
}
