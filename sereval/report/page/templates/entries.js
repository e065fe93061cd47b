// The line of text of each case, and the stretches of a document: a drawing with its cases.
const soundOf = (doc, time) => (doc.sound && time ? `${doc.sound}#t=${Math.max(time[0], 0) / 1000},${Math.max(time[1], 0) / 1000}` : null);
const span = (name, ...inside) => make("span", { class: name }, ...inside);

// the words of a text, those marked that another text does not have at their place
const differing = (text, other) => {
  const [ours, theirs] = [text.split(" "), other.split(" ")];
  const longest = ours.map(() => theirs.map(() => 0)); // the most words that both have from here on
  const at = (i, k) => (longest[i] && longest[i][k]) || 0;
  for (let i = ours.length - 1; i >= 0; i--) for (let k = theirs.length - 1; k >= 0; k--) longest[i][k] = ours[i] === theirs[k] ? at(i + 1, k + 1) + 1 : Math.max(at(i + 1, k), at(i, k + 1));
  let k = 0;
  return ours.map((word, i) => {
    while (k < theirs.length && at(i, k) === at(i, k + 1) && ours[i] !== theirs[k]) k += 1;
    const isSame = word === theirs[k] && at(i, k) === at(i + 1, k + 1) + 1 && at(i, k) > at(i + 1, k);
    if (isSame) k += 1;
    return [i ? " " : "", isSame ? word : make("mark", {}, word)];
  });
};
const half = (its, row, side, letter) => {
  if (!row) return span("half none", letter === "U" ? "not counted" : side === "hypothesis" ? "not found" : "no reference element");
  const anchor = anchorOf(row);
  const [answer] = its.answers;
  const other = data.lists && its.answers.length === 1 && its.ref && (row === its.ref ? answer.hyp : its.ref);
  const link = soundOf(its.doc, row.time);
  const when = row.time && `${clock(row.time[0])}–${clock(row.time[1])}`;
  return make("span", { class: "half", id: anchor === its.id ? null : anchor },
    span("sr", `${side}: `), make("b", { class: "label" }, row.labels.join(" | ")), " ", make("q", {}, other && other.text && row.text ? differing(row.text, other.text) : row.text),
    link ? [" ", make("a", { class: "play", href: link, title: `play ${when}`, "aria-label": `play ${when}` }, "▶")] : "",
    when ? [" ", make("small", { class: "when" }, when)] : "",
    row.sure === undefined ? "" : [" ", make("small", { class: "when", title: "confidence" }, row.sure)]);
};

const badgeParts = ({ group, text, title, both, said, heard }) => [
  make("span", { class: `badge b-${group}`, title }, text),
  group === "kept" ? "" : span("both", " ", make("b", { class: `t-${both[0]}` }, both[0]), " on reference words, ", make("b", { class: `t-${both[1]}` }, both[1]), " here "),
  said ? span("heard", make("i", {}, "said"), " ", make("q", {}, said), " ", make("i", {}, "heard"), " ", heard ? make("q", {}, heard) : span("", "nothing")) : "",
];

const choices = (verb, list, names) => (list.length ? span("choices", `${verb} `, list.map(([k, isStrict, isChosen], n) => [
  n ? ", " : "", make(isChosen ? "b" : "span", {}, isStrict ? `[${names(k)}]` : names(k)),
])) : "");
const candidatesText = (doc, ref) => {
  const [starts, ends] = ref && ref.isFuzzy ? [0, 1].map((at) => candidates(ref, at)) : [[], []];
  if (!starts.length && !ends.length) return "";
  const heard = doc.sides[1].words;
  return make("small", {},
    choices("may start before", starts, (k) => (k < heard.length ? heard[k] : "the end")),
    starts.length && ends.length ? " · " : "",
    choices("may end after", ends, (k) => (k ? heard[k - 1] : "the beginning")));
};

const chip = (its, letter) => make("a", { class: `k k-${letter}`, href: `#${encodeURIComponent(its.id)}`, title: NAMES[letter] }, letter);
// the line of a case: of one system with all that explains it, of two side by side
const parts = (its) => {
  const [answer] = its.answers;
  const { letter, cost, why, badge } = answer;
  return [chip(its, letter), " ", half(its, its.ref, "reference", letter), " ", half(its, answer.hyp, "hypothesis", letter), " ",
    make("span", { class: "cost", title: `cost ${cost}` }, Number(Number(cost).toFixed(3))), " ",
    span("why", noteOf(its), badge ? badgeParts(badge) : "", span("reason", why), candidatesText(its.doc, its.ref))];
};
const CHANGES = { fixed: "A is wrong, B is right", broken: "A is right, B is wrong", wrong: "A and B are wrong", right: "A and B are right" };
const partsOfTwo = (its) => [
  make("a", { class: `change c-${its.change}`, href: `#${encodeURIComponent(its.id)}`, title: CHANGES[its.change] }, its.change === "wrong" ? "wrong in both" : its.change), " ",
  half(its, its.ref, "reference", its.letter), " ",
  ...its.answers.flatMap((answer, k) => [span("answer",
    span("side", SYSTEMS[k]), " ",
    answer ? [chip(its, answer.letter), " ", half(its, answer.hyp, "hypothesis", answer.letter), " ",
      span("why", answer.badge ? badgeParts(answer.badge) : "", span("reason", answer.why))] : span("half none", "no element")), " "]),
];
const entryOf = (its) => {
  const isTwo = its.answers.length > 1;
  its.entry = make("li", { class: isTwo ? "entry two" : "entry", id: its.id, "data-class": its.letters.join(" "), "data-change": isTwo && its.change,
    "data-blame": its.badges.length > 0 && its.badges.flatMap(({ filters }) => filters).join(" ") }, isTwo ? partsOfTwo(its) : parts(its));
  return its.entry;
};

// what keeps about the room of something that is not drawn yet, in rem
const filler = (height) => {
  const found = make("div", {});
  found.style.height = `${height}rem`;
  return found;
};

// a stretch: at first only its heading and about its height; its content is drawn near the window
const stretchOf = (doc, line, number) => {
  const id = `${doc.slug}-l${number}`;
  const [first, last] = line.words;
  const title = line.time ? `${clock(line.time[0])} – ${clock(line.time[1])}` : first <= last ? `words ${first}–${last}` : "no words";
  const link = soundOf(doc, line.time);
  line.doc = doc;
  line.section = make("section", { class: "stretch", id, "aria-label": `${doc.name}, ${title}` },
    make("h3", {}, make("a", { href: `#${encodeURIComponent(id)}` }, title), link ? [" ", make("a", { class: "play", href: link, "aria-label": `play ${title}` }, "▶")] : ""));
  line.section.line = line;
  const bars = doc.sides.map((_, k) => Math.max(0, ...line.pieces.map((piece) => piece.heights[k])));
  const shown = line.cases.filter((its) => its.isError).length;
  line.filler = filler(8 + bars.reduce((sum, bar) => sum + bar, 0) * 1.2 + shown * 1.7);
  line.section.append(line.filler);
  return line.section;
};
const fill = (line) => {
  const { doc, section } = line;
  line.isFilled = true;
  line.filler.remove();
  const flow = line.pieces.length ? make("div", { class: "flow" }, gutter(doc, line), line.pieces.map((piece) => pieceShape(doc, piece))) : "";
  const isTwo = doc.chosen.length > 1;
  if (data.lists) { // what was paired in two columns: places are not compared
    section.append(make("ol", { class: "entries" }, isTwo ? "" : make("li", { class: "pairs-head" }, span("", ""), ...["reference", "hypothesis", "cost"].map((name) => span(name, name))), line.cases.map(entryOf)),
      flow && make("details", {}, make("summary", {}, "where they stand"), flow));
    return;
  }
  section.append(flow);
  const [errors, correct] = [true, false].map((isError) => line.cases.filter((its) => its.isError === isError));
  if (errors.length) section.append(make("ol", { class: "entries" }, errors.map(entryOf)));
  if (correct.length) {
    section.append(make("details", { class: "rest" }, make("summary", {}, `${correct.length} correct`), make("ol", { class: "entries" }, correct.map(entryOf))));
  }
};
