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

// a case: an element of the reference or an insertion, and the answer of each system that is shown
const answerOf = (given, hyps) => {
  if (given === null || given === undefined) return null;
  const [index, number = 0, cost = "0", why = "", isLost = 0, its = null] = [given].flat();
  return { hyp: index < 0 ? null : hyps[index], letter: LETTERS[number], cost, why, isLost: isLost === 1, badge: its && badge(its) };
};
// what the second of two systems changed
const changeOf = (answers) => {
  const [before, after] = answers.map((answer) => !answer || answer.letter === "C");
  return before ? (after ? "right" : "broken") : after ? "fixed" : "wrong";
};
const caseOf = (doc, [position, ...given]) => {
  const ref = position < 0 ? null : doc.refs[position];
  const answers = doc.chosen.map((system, k) => answerOf(given[system], doc.hyps[k]));
  const known = answers.filter(Boolean);
  if (!known.length) return null;
  const first = answers.findIndex(Boolean);
  const name = ref ? `r${ref.index}` : `h${known[0].hyp.index}${doc.chosen[first] ? `~${doc.chosen[first] + 1}` : ""}`;
  const found = { doc, name, ref, answers, id: `${doc.slug}-${name}` };
  found.elements = [ref, ...known.map(({ hyp }) => hyp)].filter(Boolean);
  for (const each of found.elements) each.of = found;
  for (const answer of known) if (answer.hyp) answer.hyp.answer = answer;
  const drawn = found.elements.find(isDrawn);
  found.begins = drawn ? drawnTime(drawn)[0] : 0;
  found.labels = new Set(found.elements.flatMap((each) => each.numbers));
  found.letters = known.map(({ letter }) => letter);
  found.letter = found.letters.find((letter) => letter !== "C") || "C"; // which colours it
  found.isError = found.letter !== "C";
  found.isLost = known.some(({ isLost }) => isLost);
  found.badges = known.flatMap((answer) => (answer.badge ? [answer.badge] : []));
  found.change = answers.length > 1 ? changeOf(answers) : "";
  return found;
};

// a document of the page; view() gives it the elements and cases of some systems at a tolerance
const documentOf = (article) => {
  const data = JSON.parse(one("script", article).textContent);
  const doc = { article, data, slug: article.id, timed: data.timed, sound: data.sound || null, projected: "ref" in data };
  doc.condition = Number(article.dataset.condition || 0);
  doc.name = (one("h2 a", article) || one("h1")).textContent;
  const side = (given) => {
    const at = times(given.times);
    return { words: words(given.words), given: at, times: spread(at), breaks: given.breaks, elements: [] };
  };
  doc.scored = side(data.hyp);
  doc.own = doc.projected ? side(data.ref) : doc.scored;
  return doc;
};
const view = (doc, setting, systems) => {
  const { tolerance, refs, cases } = doc.data.views[Math.min(setting, doc.data.views.length - 1)];
  doc.tolerance = tolerance;
  doc.chosen = systems.filter((system) => system < doc.data.hyps.length);
  doc.sides = [{ ...doc.own }, ...doc.chosen.map(() => ({ ...doc.scored }))];
  doc.refs = refs.map((row) => reference(doc, doc.sides[0], row));
  doc.hyps = doc.chosen.map((system, k) => doc.data.hyps[system].map((row, index) => hypothesis(doc, doc.sides[k + 1], row, index)));
  doc.sides[0].elements = doc.refs.filter(isDrawn);
  doc.hyps.forEach((hyps, k) => { doc.sides[k + 1].elements = hyps.filter(isDrawn); });
  doc.cases = cases.map((row) => caseOf(doc, row)).filter(Boolean);
  doc.lines = null;
};
