// The scale from time to place, and where the drawing is cut.
//
// Both sides share one scale, so words below each other were spoken at the same time. It is piecewise
// linear: each stretch of time is wide enough for the words and labels in it, and long silence is
// narrower, as is a word of a minute or more. The scale is cut into pieces at places where no word, no
// element and no pair is cut through. Pieces are joined to lines of some ten seconds; the browser may
// break a line between two pieces, so a line fits any screen.
const [BASE, SILENCE, LONG, UNIT] = [.06, 40, 60000, 1000]; // px per ms; px; ms; ms of a word without a time
const [GAP, PIECE] = [6, 150]; // px: after a word; the least width of a piece
const [LINE_MS, PAUSE_LINE_MS, PAUSE_MS, LINE_WIDTH, UTTERANCE_WIDTH] = [11000, 6000, 500, 2200, 500];
const LETTERS_SHOWN = 34; // of a word or label; its title has the full text

const ruler = (style) => {
  const pen = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text) => {
    if (!known.size) pen.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
    if (!known.has(text)) known.set(text, pen.measureText(text).width);
    return known.get(text);
  };
};
const wordWidth = ruler("13.5px");
const labelWidth = ruler("11px");
const letterWidth = ruler("bold 9.5px");
const short = (text) => (text.length <= LETTERS_SHOWN ? text : `${text.slice(0, LETTERS_SHOWN - 1)}…`);
const labelOf = (its) => short(its.labels.join("|"));
// the classes at the end of a bar: one for each system at the reference
const lettersOf = (its) => (its.answer ? [its.answer.letter] : its.of.answers.map((answer) => (answer ? answer.letter : "")));
const barWidth = (its) => labelWidth(labelOf(its)) + letterWidth(lettersOf(its).join(" ")) + 18;

// words and elements have needs: a time, and the least width in px that it takes
const scaleOf = (wordNeeds, elementNeeds) => {
  const knots = [...new Set(wordNeeds.flatMap(([start, end]) => [start, end]))].sort((a, b) => a - b);
  const index = new Map(knots.map((time, k) => [time, k]));
  const lasts = knots.slice(1).map((time, k) => time - knots[k]);
  const wide = lasts.map((ms) => Math.min(BASE * ms, SILENCE));
  for (const [start, end, width] of wordNeeds) {
    const rate = Math.max(width / (end - start), end - start < LONG ? BASE : 0);
    for (let k = index.get(start); k < index.get(end); k++) wide[k] = Math.max(wide[k], rate * lasts[k]);
  }
  for (const [start, end, width] of elementNeeds.sort((a, b) => a[1] - a[0] - b[1] + b[0])) {
    const [first, last] = [index.get(start), index.get(end)];
    let now = 0;
    for (let k = first; k < last; k++) now += wide[k];
    if (now < width) for (let k = first; k < last; k++) wide[k] *= width / now;
  }
  const places = [0];
  for (const width of wide) places.push(places[places.length - 1] + width);
  const at = (time) => {
    const k = passed(knots, (knot) => knot <= time) - 1;
    if (k < 0) return 0;
    if (k >= knots.length - 1) return places[knots.length - 1];
    return places[k] + (wide[k] * (time - knots[k])) / lasts[k];
  };
  const time = (place) => {
    if (knots.length < 2) return knots[0] || 0;
    const k = Math.min(Math.max(passed(places, (one) => one <= place) - 1, 0), knots.length - 2);
    return Math.round(knots[k] + (wide[k] ? (place - places[k]) / wide[k] : 0) * lasts[k]);
  };
  // stretches of a minute or more that are narrower than speech
  const folds = range(lasts.length).filter((k) => lasts[k] >= LONG && wide[k] < BASE * lasts[k]).map((k) => [knots[k], knots[k + 1]]);
  return { knots, places, at, time, folds };
};

// the height of each element: 1 next to the words, else 1 above the highest below it
const stack = (side) => {
  const tree = side.elements.filter((its) => !its.isLoose);
  const of = new Map(tree.map((its) => [its.index, its]));
  for (const its of tree) its.height = 1;
  for (const its of [...tree].sort((a, b) => b.index - a.index)) {
    const parent = of.get(its.parent);
    if (parent) parent.height = Math.max(parent.height, its.height + 1);
  }
  const loose = side.elements.filter((its) => its.isLoose);
  for (const its of loose) its.height = 0;
  for (const its of loose) { // above all that it overlaps
    const [start, end] = drawnTime(its);
    const under = side.elements.filter((other) => other !== its && drawnTime(other)[0] < end && start < drawnTime(other)[1]);
    its.height = 1 + Math.max(0, ...under.map((other) => other.height));
  }
};

// the places where the drawing is cut, with both ends
const cutsOf = (doc, scale) => {
  const { places, knots } = scale;
  const blocked = new Array(places.length + 1).fill(0);
  const block = (start, end) => { // the knots strictly between two places
    const first = passed(places, (place) => place <= start + .01);
    const last = passed(places, (place) => place < end - .01);
    if (first < last) { blocked[first] += 1; blocked[last] -= 1; }
  };
  for (const side of doc.rows) {
    side.words.forEach((word, k) => {
      const place = scale.at(side.times[k][0]);
      block(place, place + wordWidth(short(word)));
    });
  }
  for (const { elements } of doc.cases) {
    const ends = elements.filter(isDrawn).flatMap(drawnTime);
    if (ends.length) block(scale.at(Math.min(...ends)), scale.at(Math.max(...ends)));
  }
  const begins = new Set(doc.sides.flatMap((side) => side.times.map(([start]) => start)));
  const cuts = [0];
  let depth = 0;
  knots.forEach((knot, k) => {
    depth += blocked[k];
    if (!depth && places[k] - cuts[cuts.length - 1] >= PIECE && begins.has(knot)) cuts.push(places[k]);
  });
  const end = places[places.length - 1];
  if (cuts.length > 1 && end - cuts[cuts.length - 1] < PIECE / 2) cuts.pop();
  return [...cuts, end + 1];
};

// the cuts that end a line: it is long enough, or less long before a pause or a new utterance
const lineEnds = (doc, scale, cuts) => {
  const spoken = doc.sides.slice(0, 2).flatMap((side) => side.times).sort((a, b) => a[0] - b[0]);
  const utterances = new Set(doc.sides.flatMap((side) => side.breaks.filter((k) => k < side.times.length).map((k) => side.times[k][0])));
  const byPause = doc.projected && doc.timed;
  const ends = [];
  let begun = 0;
  for (let k = 1; k < cuts.length - 1; k++) {
    const at = scale.time(cuts[k]);
    const before = passed(spoken, ([start]) => start < at);
    const last = Math.max(...spoken.slice(Math.max(0, before - 8), before).map(([, end]) => end));
    const rests = byPause ? before > 0 && at - last >= PAUSE_MS : utterances.has(at);
    const wide = cuts[k] - cuts[begun];
    const long = scale.time(cuts[k]) - scale.time(cuts[begun]);
    if (doc.timed ? wide >= LINE_WIDTH || long >= (rests ? PAUSE_LINE_MS : LINE_MS) : wide >= (rests ? UTTERANCE_WIDTH : LINE_WIDTH)) {
      ends.push(k);
      begun = k;
    }
  }
  return [...ends, cuts.length - 1];
};

// the lines of a document: pieces from left to right, the cases that begin in it, its time or words
const linesOf = (doc) => {
  doc.sides.forEach(stack);
  doc.rows = doc.projected ? doc.sides.slice(0, 2) : [doc.sides[1]]; // the sides whose words are written
  const needs = doc.rows.flatMap((side) => side.words.map((word, k) => [...side.times[k], wordWidth(short(word)) + GAP]));
  const bars = doc.sides.flatMap((side) => side.elements.map((its) => [...drawnTime(its), barWidth(its)]));
  const scale = (doc.scale = scaleOf(needs, bars));
  if (!scale.knots.length) return doc.cases.length ? [{ pieces: [], cases: doc.cases, time: null, words: [1, 0] }] : [];
  const cuts = cutsOf(doc, scale);
  const starts = doc.sides[1].times.map(([start]) => start);
  let low = 0;
  const lines = lineEnds(doc, scale, cuts).map((high) => {
    const [left, right] = [scale.time(cuts[low]), scale.time(cuts[high] - 1)];
    const count = (time) => passed(starts, (start) => start < time);
    const pieces = range(high - low).map((k) => ({ left: Math.round(cuts[low + k]), right: Math.round(cuts[low + k + 1]) }));
    low = high;
    return { pieces, cases: [], time: doc.timed ? [left, right] : null, words: [count(left) + 1, count(right)], ends: pieces[pieces.length - 1].right };
  });
  for (const its of doc.cases) {
    const place = Math.round(scale.at(its.begins));
    its.line = Math.min(passed(lines, (line) => line.ends <= place), lines.length - 1);
    lines[its.line].cases.push(its);
  }
  return lines;
};
