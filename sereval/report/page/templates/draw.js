// The drawing of a piece of a document. From top to bottom: the reference's tree and words, the time,
// the tolerance windows with the candidates, the words and the tree of the hypothesis. If both sides
// have the same words, there is one row of words and no windows; words without times have no windows.
const [BAR, LEVEL, WORDS_HIGH, AXIS_HIGH, LANE_HIGH] = [16, 19, 22, 13, 18]; // px

const place = (doc, time) => Math.round(doc.scale.at(time));
const ends = (doc, its) => drawnTime(its).map((time) => place(doc, time));

// the frontiers [k, whether it is strict, whether it is chosen] of a start (0) or an end (1)
const candidates = (its, at) => [its.starts, its.ends][at].map((k) => [k, Boolean(its.strict) && its.strict[at] === k, Boolean(its.placement) && its.placement[at] === k]);

// whether each word begins within an element
const insideOf = (elements, side) => {
  const steps = new Array(side.times.length + 1).fill(0);
  for (const its of elements) {
    drawnTime(its).forEach((time, k) => { steps[passed(side.times, ([start]) => start < time)] += k ? -1 : 1; });
  }
  let depth = 0;
  return side.times.map((_, k) => (depth += steps[k]) > 0);
};

// what is drawn, each with its left end x; windows may belong to several pieces
const wordsOf = (doc, side) => {
  const inside = insideOf(doc.projected ? side.elements : doc.sides.flatMap((each) => each.elements), side);
  return side.words.map((word, k) => {
    const [x, right] = side.times[k].map((time) => place(doc, time));
    return { x, width: right - x, word, k, isInside: inside[k] };
  });
};
const marksOf = (doc) => {
  const found = new Map();
  if (!doc.projected) return [];
  for (const its of doc.sides[0].elements) {
    for (const at of [0, 1]) {
      for (const [k, isStrict, isChosen] of candidates(its, at)) {
        const key = `${at} ${k}`;
        const mark = found.get(key) || { at, k, isStrict: false, isChosen: false };
        found.set(key, { ...mark, isStrict: mark.isStrict || isStrict, isChosen: mark.isChosen || isChosen });
      }
    }
  }
  const heard = doc.sides[1].times;
  return [...found.values()].sort((a, b) => a.k - b.k).map((mark) => ({ ...mark, x: mark.at ? place(doc, heard[mark.k - 1][1]) - 1 : place(doc, heard[mark.k][0]) }));
};
const windowsOf = (doc) => {
  if (!doc.tolerance) return [];
  const tags = new Map();
  for (const its of doc.sides[0].elements) drawnTime(its).forEach((time, at) => tags.set(`${time} ${at}`, [time, at]));
  return [...tags.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([time, at]) => {
    const by = doc.tolerance[at];
    return { at, x: place(doc, time), left: place(doc, time - by), right: place(doc, time + by) };
  });
};
// a tick for each half second with room; full seconds with more room show their time
const ticksOf = (doc) => {
  const found = [];
  if (!doc.timed) return found;
  const { knots, folds } = doc.scale;
  const folded = new Set(folds.map(([before]) => before));
  let [last, named] = [-100, -100];
  knots.forEach((knot, k) => {
    const until = folded.has(knot) ? knot + 1 : k + 1 < knots.length ? knots[k + 1] : knot + 1;
    for (let half = Math.ceil(knot / 500); half < Math.ceil(until / 500); half++) {
      const x = place(doc, half * 500);
      if (x - last < 10) continue;
      last = x;
      const isNamed = half % 2 === 0 && x - named >= 44;
      if (isNamed) named = x;
      found.push({ x, text: isNamed ? clock(half * 500, 0) : "" });
    }
  });
  return found;
};
const foldsOf = (doc) => (doc.timed ? doc.scale.folds : []).map(([before, after]) => ({
  x: Math.round((doc.scale.at(before) + doc.scale.at(after)) / 2), lasts: clock(after - before, 0),
}));

// lays a document out: gives each piece what is drawn in it
const layOut = (doc) => {
  doc.lines = linesOf(doc);
  const pieces = doc.lines.flatMap((line) => line.pieces);
  const lists = ["words", "marks", "ticks", "folds", "windows", "bars", "ribbons"];
  for (const piece of pieces) for (const name of lists) piece[name] = [];
  const at = (x) => Math.min(passed(pieces, (piece) => piece.right <= x), pieces.length - 1);
  const put = (name, things) => { for (const thing of things) pieces[at(thing.x)][name].push(thing); };
  doc.rows.forEach((side) => put("words", wordsOf(doc, side).map((word) => ({ ...word, side }))));
  put("marks", marksOf(doc));
  put("ticks", ticksOf(doc));
  put("folds", foldsOf(doc));
  for (const side of doc.sides) {
    put("bars", side.elements.map((its) => {
      const [x, right] = ends(doc, its);
      return { x, width: right - x, its };
    }));
  }
  const pairs = doc.cases.flatMap((its) => its.answers.filter((answer) => answer && answer.hyp).map(({ hyp, letter }) => ({ its, ref: its.ref, hyp, letter })))
    .filter(({ ref, hyp }) => ref && isDrawn(ref) && isDrawn(hyp));
  const ribbons = pairs.map((pair) => ({ pair, x: ends(doc, pair.ref)[0], ref: ends(doc, pair.ref), hyp: ends(doc, pair.hyp) }));
  put("ribbons", ribbons.sort((a, b) => b.ref[1] - b.ref[0] - a.ref[1] + a.ref[0])); // short ones on top
  for (const tolerance of windowsOf(doc)) {
    for (let k = at(tolerance.left); k < pieces.length && pieces[k].left < Math.max(tolerance.right, tolerance.left + 1); k++) {
      const [left, right] = [Math.max(tolerance.left, pieces[k].left), Math.min(tolerance.right, pieces[k].right)];
      pieces[k].windows.push({ ...tolerance, left, right });
    }
  }
  for (const piece of pieces) {
    piece.heights = doc.sides.map((side) => Math.max(0, ...piece.bars.filter((bar) => bar.its.side === side).map((bar) => bar.its.height)));
  }
  for (const line of doc.lines) {
    line.lows = doc.chosen.map((_, k) => Math.max(1, ...line.pieces.map((piece) => piece.heights[k + 1])));
    for (const piece of line.pieces) piece.line = line;
  }
};

const wordShapes = (list, y, left, doc) => shape("g", { transform: `translate(0 ${y})` },
  list.map(({ x, word, isInside, side, k }) => {
    const found = shape("text", { class: isInside ? "w in" : "w", x: x - left, y: 14 }, short(word), short(word) === word ? "" : shape("title", {}, word));
    if (doc.sound && doc.timed) found.time = side.given[k]; // a click plays it
    return found;
  }),
  shape("path", { class: "said", d: list.map(({ x, width }) => `M${x - left} 18.5h${Math.max(width - 2, 1)}`).join("") }));

const barShape = ({ x, width, its }, y, left) => {
  const { of } = its;
  const letters = lettersOf(its);
  const lost = of.answers.find((answer) => answer && answer.isLost);
  const title = `${its.labels.join(" | ")} “${its.text}”: ${letters.filter(Boolean).map((letter) => `${letter} ${NAMES[letter]}`).join(", ")}${lost && lost.why ? `, ${lost.why}` : ""}`;
  return shape("a", { href: `#${encodeURIComponent(anchorOf(its))}`, tabindex: -1, class: `bar k-${its.answer ? its.answer.letter : of.letter}${!its.answer && lost ? " lost" : ""}`, "data-case": of.name },
    shape("title", {}, title),
    shape("rect", { x: x - left + .5, y: y + .5, width: Math.max(width - 3, 2) }),
    shape("text", { class: "l", x: x - left + 4.5, y: y + 12 }, labelOf(its)),
    shape("text", { class: "c", x: x - left + width - 6, y: y + 11.5 },
      letters.length > 1 ? letters.map((letter, k) => shape("tspan", { class: `k-${letter}` }, k ? ` ${letter || "·"}` : letter || "·")) : letters[0]));
};
// the anchor of an element; further systems have a number
const anchorOf = (its) => {
  const { doc } = its.of;
  const at = doc.sides.indexOf(its.side);
  const system = at ? doc.chosen[at - 1] : 0;
  return `${doc.slug}-${at ? "h" : "r"}${its.index}${system ? `~${system + 1}` : ""}`;
};

const triangle = ({ x, at }, top, left) => `M${x - left + (at ? -2 : 1)} ${top + 4}l${at ? -6 : 6} 4l${at ? 6 : -6} 4z`;
const markShapes = (marks, top, left) => [
  ...[false, true].map((isChosen) => [isChosen, marks.filter((mark) => mark.isChosen === isChosen)]).filter(([, own]) => own.length)
    .map(([isChosen, own]) => shape("path", { class: isChosen ? "mark chosen" : "mark", d: own.map((mark) => triangle(mark, top, left)).join("") })),
  shape("path", { class: "foot", d: marks.filter((mark) => mark.isStrict).map(({ x, at }) => `M${x - left + (at ? -8 : 1)} ${top + 14.5}h6`).join("") }),
];

const axisShapes = (piece, top, wide) => [
  shape("path", { class: "axis", d: `M0 ${top + 1.5}h${wide}${piece.ticks.map(({ x, text }) => `M${x - piece.left + .5} ${top + 1}v${text ? 6 : 3}`).join("")}` }),
  ...piece.ticks.filter(({ x, text }) => text && x - piece.left + 24 < wide).map(({ x, text }) => shape("text", { class: "tick", x: x - piece.left + 3, y: top + 10.5 }, text)),
  ...piece.folds.map(({ x, lasts }) => shape("path", { class: "fold", d: `M${x - piece.left - 5} ${top + 7}l4 -11h6l-4 11z` }, shape("title", {}, `${lasts} not drawn in full`))),
];
const windowShapes = (piece, axisTop, laneTop) => [
  shape("path", { class: "window", d: piece.windows.map(({ left, right }) => `M${left - piece.left} ${laneTop + 1}h${Math.max(right - left, 1)}v${LANE_HIGH - 3}H${left - piece.left}z`).join("") }),
  shape("path", { class: "at", d: piece.windows.filter(({ x }) => piece.left <= x && x <= piece.right).map(({ x, at }) => `M${x - piece.left + (at ? -1.5 : .5)} ${axisTop}v${AXIS_HIGH + LANE_HIGH - 2}`).join("") }),
];

// the wave form of the recording, a peak for each 20 ms, along the axis
const [WAVE_HIGH, PEAK] = [24, 20]; // px, ms
const waveHigh = (doc) => (doc.peaks && doc.timed ? WAVE_HIGH : 0);
const waveShape = (doc, piece, middle) => {
  const parts = [];
  for (let x = piece.left; x < piece.right; x += 2) {
    const [first, last] = [x, x + 2].map((at) => Math.floor(doc.scale.time(at) / PEAK));
    let most = 0;
    for (let k = first; k <= last; k++) most = Math.max(most, Number(doc.peaks[k] || 0));
    if (most) parts.push(`M${x - piece.left + .5} ${middle - (most / 9) * 11}v${(most / 9) * 22}`);
  }
  return shape("path", { class: "wave", d: parts.join("") });
};

// the top of the tree of each system, and the bottom of the last; in a line they are level
const treeTops = (first, lows) => {
  const tops = [first];
  for (const low of lows) tops.push(tops[tops.length - 1] + low * LEVEL + 10);
  tops.push(tops.pop() - 10);
  return tops;
};

// the baseline of a piece is the line between the words and the reference's tree, so that pieces side by
// side are aligned, whatever the heights of their trees
const pieceShape = (doc, piece) => {
  const [own, scored] = doc.sides;
  const [high, ...lows] = piece.heights;
  const wordsTop = high * LEVEL;
  const waveTop = wordsTop + (doc.projected ? WORDS_HIGH : 0);
  const axisTop = waveTop + waveHigh(doc);
  const laneTop = axisTop + (doc.timed ? AXIS_HIGH : 0);
  const otherTop = laneTop + (doc.projected ? LANE_HIGH : 0);
  const trees = treeTops(otherTop + WORDS_HIGH + 2, doc.chosen.length > 1 ? piece.line.lows : lows);
  const [wide, height, left] = [piece.right - piece.left, trees.pop(), piece.left];
  const topOf = (its) => (its.side === own ? (high - its.height) * LEVEL : trees[doc.sides.indexOf(its.side) - 1] + (its.height - 1) * LEVEL);
  const ribbon = ({ pair, ref, hyp }) => {
    const top = topOf(pair.ref) + BAR;
    const bottom = topOf(pair.hyp) + 1;
    const d = `M${ref[0] - left} ${top}V${laneTop}L${hyp[0] - left} ${otherTop}V${bottom}H${hyp[1] - left - 2}V${otherTop}L${ref[1] - left - 2} ${laneTop}V${top}z`;
    const isFar = doc.sides.indexOf(pair.hyp.side) > 1; // behind the tree of another system
    return shape("path", { class: `ribbon k-${pair.letter}${isFar ? " far" : ""}`, "data-case": pair.its.name, d });
  };
  const of = (side) => piece.words.filter((word) => word.side === side);
  const drawing = shape("svg", { role: "group", viewBox: `0 0 ${wide} ${height}` },
    piece.ribbons.map(ribbon),
    waveHigh(doc) ? waveShape(doc, piece, waveTop + WAVE_HIGH / 2) : [],
    doc.timed ? axisShapes(piece, axisTop, wide) : [],
    doc.projected && piece.windows.length ? windowShapes(piece, axisTop, laneTop) : [],
    piece.marks.length ? markShapes(piece.marks, laneTop, left) : [],
    doc.projected ? wordShapes(of(own), wordsTop, left, doc) : [],
    wordShapes(of(scored), otherTop, left, doc),
    trees.slice(1).map((top) => shape("path", { class: "between", d: `M0 ${top - 5.5}h${wide}` })),
    piece.bars.map((bar) => barShape(bar, topOf(bar.its), left)));
  const found = make("div", { class: "piece" }, "\u200b", drawing);
  piece.drawing = drawing;
  Object.assign(found.style, { width: `${wide / 16}rem`, height: `${height / 16}rem`, paddingTop: `${wordsTop / 16}rem` });
  return found;
};

const SYSTEMS = "AB"; // the names of two systems in the drawing
const gutter = (doc, line) => {
  const axis = doc.timed ? AXIS_HIGH : 0;
  const below = (doc.projected ? WORDS_HIGH : 0) + waveHigh(doc) + axis + (doc.projected ? LANE_HIGH : 0);
  const names = [["ref", doc.projected ? 3 : -18], ["hyp", below + 3]];
  if (doc.chosen.length > 1) {
    names.pop();
    treeTops(below + WORDS_HIGH + 2, line.lows).slice(0, -1).forEach((top, k) => names.push([SYSTEMS[k], top]));
  }
  return make("div", { class: "piece gutter", "aria-hidden": "true" }, "\u200b", names.map(([name, top]) => {
    const found = make("span", {}, name);
    found.style.top = `${top / 16}rem`;
    return found;
  }));
};
