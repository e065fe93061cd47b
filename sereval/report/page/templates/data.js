// The documents as the page has them: scene.py describes their lists.
const shared = JSON.parse(one("#shared").textContent);
const LETTERS = shared.classes.map(([letter]) => letter);
const NAMES = Object.fromEntries(shared.classes);

const words = (text) => (typeof text === "string" ? (text ? text.split(" ") : []) : text);
const times = (text) => {
  let at = 0;
  const found = [];
  for (const part of text ? text.split(" ") : []) {
    if (part[0] === "+" || part[0] === "-") at += parseInt(part, 36);
    else found.push([at, (at += parseInt(part, 36))]);
  }
  return found;
};
// times so that no two words overlap and none is empty: a word ends where the next one begins
const spread = (given) => {
  const starts = [];
  for (const [start] of given) starts.push(starts.length ? Math.max(start, starts[starts.length - 1] + 1) : start);
  return given.map(([, end], k) => [starts[k], Math.max(starts[k] + 1, k + 1 < given.length ? Math.min(end, starts[k + 1]) : end)]);
};

// an element: over which words it is drawn, and its time; one that is loose has no words of its own
const element = (side, index, label, start, end, parent) => {
  const isLoose = end < 0;
  return {
    side, index, start, parent, isLoose,
    end: isLoose ? -1 - end : end,
    labels: [label].flat().map((number) => shared.labels[number]),
    numbers: [label].flat(),
  };
};
const isDrawn = (its) => its.start >= 0;
const drawnTime = (its) => [its.side.times[its.start][0], its.side.times[its.end - 1][1]];

const reference = (doc, side, [index, label, start, end, parent, starts, ends, strict, placement]) => {
  const its = element(side, index, label, start, end, parent);
  const candidates = (list) => (list === undefined ? [] : [list].flat());
  its.text = its.isLoose || start < 0 ? "" : side.words.slice(start, end).join(" ");
  its.time = doc.timed && !its.isLoose && start >= 0 ? [side.given[start][0], side.given[end - 1][1]] : null;
  [its.starts, its.ends] = [candidates(starts), candidates(ends)];
  if (strict === undefined && its.starts.length) [its.strict, its.placement] = [[starts, ends], [starts, ends]];
  else [its.strict, its.placement] = [strict || null, (placement === undefined ? strict : placement) || null];
  return its;
};
const hypothesis = (doc, side, [label, start, end, parent, text], index) => {
  const its = element(side, index, label, start, end, parent);
  if (text !== undefined) [its.start, its.isLoose] = [-1, true];
  its.text = its.start < 0 ? text || "" : side.words.slice(start, end).join(" ");
  its.time = doc.timed && its.start >= 0 ? [side.given[start][0], side.given[end - 1][1]] : null;
  return its;
};

const badge = ([group, cause, manual, recognised, said, heard]) => {
  const [name, text, title] = shared.groups[group];
  const why = cause >= 0 ? shared.causes[cause] : "";
  return {
    group: name, title, said, heard,
    text: why ? `${text}: ${why}` : text,
    filters: why ? [name, `${name}-${why}`] : [name],
    both: [LETTERS[manual], LETTERS[recognised]],
  };
};

// a case: its elements, and what became of them
const caseOf = (doc, [position, answer]) => {
  const [index, number = 0, cost = "0", why = "", isLost = 0, its = null] = [answer].flat(1);
  const ref = position < 0 ? null : doc.refs[position];
  const hyp = index < 0 ? null : doc.hyps[index];
  const name = ref ? `r${ref.index}` : `h${hyp.index}`;
  const found = { doc, name, ref, hyp, cost, why, letter: LETTERS[number], isLost: isLost === 1, badge: its && badge(its), id: `${doc.slug}-${name}` };
  found.elements = [ref, hyp].filter(Boolean);
  for (const each of found.elements) each.of = found;
  const drawn = found.elements.find(isDrawn);
  found.begins = drawn ? drawnTime(drawn)[0] : 0;
  found.labels = new Set(found.elements.flatMap((each) => each.numbers));
  found.isError = found.letter !== "C";
  return found;
};

// a document of the page, with the place in the page where it is drawn
const documentOf = (article) => {
  const data = JSON.parse(one("script", article).textContent);
  const doc = { article, slug: article.id, timed: data.timed, tolerance: data.tolerance, sound: data.sound || null, projected: "ref" in data };
  doc.name = (one("h2 a", article) || one("h1")).textContent;
  const side = (given, name) => {
    const at = times(given.times);
    return { name, words: words(given.words), given: at, times: spread(at), breaks: given.breaks, elements: [] };
  };
  const scored = side(data.hyp, "hyp");
  const own = doc.projected ? side(data.ref, "ref") : { ...scored, name: "ref", elements: [] };
  doc.sides = [own, scored];
  doc.refs = data.refs.map((row) => reference(doc, own, row));
  doc.hyps = data.hyps.map((row, index) => hypothesis(doc, scored, row, index));
  own.elements = doc.refs.filter(isDrawn);
  scored.elements = doc.hyps.filter(isDrawn);
  doc.cases = data.cases.map((row) => caseOf(doc, row));
  return doc;
};
