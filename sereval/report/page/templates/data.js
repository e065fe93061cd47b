// The documents as the page has them: scene.py describes their lists.
// the times of words, from the pause before each and its duration
const times = (steps) => {
  let at = 0;
  const found = [];
  for (let k = 0; k < steps.length; k += 2) { at += steps[k]; found.push([at, (at += steps[k + 1])]); }
  return found;
};
// times so that no two words overlap and none is empty: a word ends where the next one begins
const spread = (given) => {
  const starts = [];
  for (const [start] of given) starts.push(starts.length ? Math.max(start, starts[starts.length - 1] + 1) : start);
  return given.map(([, end], k) => [starts[k], Math.max(starts[k] + 1, k + 1 < given.length ? Math.min(end, starts[k + 1]) : end)]);
};

// an element: over which words it is drawn, and its time; one that is loose has no words of its own
const element = (doc, side, index, labels, start, end, isLoose, parent) => {
  const hasWords = !isLoose && start >= 0;
  const text = hasWords ? side.words.slice(start, end).join(" ") : "";
  const time = doc.timed && hasWords ? [side.given[start][0], side.given[end - 1][1]] : null;
  return { side, index, labels, start, end, isLoose, parent, text, time };
};
const isDrawn = (its) => its.start >= 0;
const drawnTime = (its) => [its.side.times[its.start][0], its.side.times[its.end - 1][1]];
const reference = (doc, side, [index, labels, start, end, isLoose, parent], candidates) => {
  const [starts, ends, strict] = candidates || [[start], [end], [start, end]];
  return { ...element(doc, side, index, labels, start, end, isLoose === 1, parent), starts, ends, strict, isFuzzy: candidates !== null, placement: null };
};
const hypothesis = (doc, side, [label, start, end, parent, text, sure], index) => {
  const its = element(doc, side, index, [label], start, end, start < 0, parent);
  return { ...its, text: its.text || text, sure };
};

const badge = ([, group, cause, manual, recognised, said, heard]) => {
  const [text, title] = data.badges[group];
  return {
    group, title, said, heard,
    text: cause ? `${text}: ${cause}` : text,
    filters: cause ? [group, `${group}-${cause}`] : [group],
    both: [manual, recognised],
  };
};
// the frontiers at which the elements of a pair differ
const shifts = (doc, ref, hyp, placement) => {
  if (!placement || hyp.start < 0) return [];
  const { words } = doc.scored;
  const names = [(k) => (k < words.length ? words[k] : "the end"), (k) => (k ? words[k - 1] : "the beginning")];
  return ["starts before", "ends after"].flatMap((verb, at) => {
    const [name, possible, found, placed] = [(k) => `“${names[at](k)}”`, [ref.starts, ref.ends][at], [hyp.start, hyp.end][at], placement[at]];
    if (found === placed) return [];
    return `${verb} ${name(found)}, ${possible.includes(found) ? `${name(placed)} fits the elements around it better` : `expected ${possible.map(name).join(" or ")}`}`;
  });
};
// what a system did with an element of the reference, or its insertion
const answerOf = (doc, k, { hyps, classes, costs, whys, lost, placed }, at) => {
  const [ref, hyp, letter] = [doc.refs[at] || null, hyps[at] < 0 ? null : doc.hyps[k][hyps[at]], classes[at]];
  const isLost = lost.includes(at);
  const placement = at in placed ? placed[at] : ref && ref.strict;
  const reasons = [whys[at]];
  if (ref && hyp && !isLost) {
    if (letter === "S_T" || letter === "S_ST") reasons.push(`label ${hyp.labels[0]}, expected ${ref.labels.join(" or ")}`);
    if (letter === "S_S" || letter === "S_ST") reasons.push(...shifts(doc, ref, hyp, placement));
  }
  if (ref && !ref.placement) ref.placement = placement;
  const own = ref && doc.badges[k].get(ref.index);
  return { ref, hyp, letter, cost: costs[at] || "0", why: reasons.filter(Boolean).join("; "), isLost, badge: own ? badge(own) : null };
};
// what the second of two systems changed
const changeOf = (answers) => {
  const [before, after] = answers.map((answer) => !answer || answer.letter === "C");
  return before ? (after ? "right" : "broken") : after ? "fixed" : "wrong";
};
// a case: an element of the reference or an insertion, and the answer of each system that is shown
const caseOf = (doc, answers) => {
  const known = answers.filter(Boolean);
  const { ref } = known[0];
  const first = answers.findIndex(Boolean);
  const name = ref ? `r${ref.index}` : `h${known[0].hyp.index}${doc.chosen[first] ? `~${doc.chosen[first] + 1}` : ""}`;
  const found = { doc, name, ref, answers, id: `${doc.slug}-${name}` };
  found.elements = [ref, ...known.map(({ hyp }) => hyp)].filter(Boolean);
  for (const each of found.elements) each.of = found;
  for (const answer of known) if (answer.hyp) answer.hyp.answer = answer;
  const drawn = found.elements.find(isDrawn);
  found.begins = drawn ? drawnTime(drawn)[0] : 0;
  found.order = [drawn ? drawn.side.given[drawn.start][0] : 0, ref ? 0 : 1, found.elements[0].index];
  found.labels = new Set(found.elements.flatMap((each) => each.labels));
  found.letters = known.map(({ letter }) => letter);
  found.letter = found.letters.find((letter) => letter !== "C") || "C"; // which colours it
  found.isError = found.letter !== "C";
  found.isLost = known.some(({ isLost }) => isLost);
  found.badges = known.flatMap((answer) => (answer.badge ? [answer.badge] : []));
  found.change = answers.length > 1 ? changeOf(answers) : "";
  return found;
};
// the cases of all systems: one for each element of the reference, and one for equal insertions
const casesOf = (doc, rows) => {
  const found = new Map();
  rows.forEach((own, k) => {
    const seen = new Map();
    for (const at of own.classes.keys()) {
      const answer = answerOf(doc, k, own, at);
      const { ref, hyp } = answer;
      const key = ref ? String(ref.index) : JSON.stringify([hyp.labels, hyp.start, hyp.end, hyp.text]);
      seen.set(key, (seen.get(key) || 0) + 1);
      const place = `${key} ${seen.get(key)}`;
      if (!found.has(place)) found.set(place, rows.map(() => null));
      found.get(place)[k] = answer;
    }
  });
  const order = ({ order: one }, { order: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
  return [...found.values()].map((answers) => caseOf(doc, answers)).sort(order);
};

const rated = (data.figures || []).map(([first]) => new Map(first.documents)); // by condition and document
// a document of the page; view() gives it the elements and cases of some systems at a tolerance
// a recording in the page is played from memory, so that no link repeats it
const playable = (sound) => {
  const [, type, text] = /^data:([^;]*);base64,(.*)$/.exec(sound) || [];
  return text ? URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], { type })) : sound;
};
const documentOf = (given) => {
  const { id, condition, timed, ref, hyp, only } = given;
  const slug = slugOf(id, condition);
  const row = isAlone && rated.length && rated[condition].get(id);
  const said = row ? `${data.headline[0]} ${row[data.columns.indexOf(data.headline[0])]}` : data.conditions.length > 1 ? data.conditions[condition] : "";
  const doc = { given, id, name: id, slug, condition, timed, projected: ref !== null, sound: given.sound ? playable(given.sound) : null, peaks: given.peaks || "" };
  doc.room = make("div", {});
  doc.strip = make("div", { class: "wide" });
  doc.article = make("article", { class: "document", id: slug, "data-condition": condition },
    make("h2", {}, make("a", { href: anchor(slug) }, id), said ? [" ", make("small", {}, said)] : ""), doc.strip, doc.room,
    only.length ? make("details", { class: "rest only" }, make("summary", {}, `${counted(only.length, "insertion")} on reference words`), make("ul", {}, only.map(([label, words, time]) =>
      make("li", {}, make("b", { class: "label" }, label), " ", make("q", {}, words), time ? [" ", make("small", { class: "when" }, time.map((ms) => clock(ms)).join("–"))] : "")))) : "",
    given.views[0].cases.some(({ classes }) => classes.length) ? "" : make("p", { class: "none" }, "No element on either side."));
  const side = ({ words, times: steps, breaks }) => {
    const at = times(steps);
    return { words, given: at, times: spread(at), breaks, elements: [] };
  };
  doc.scored = side(hyp);
  doc.own = doc.projected ? side(ref) : doc.scored;
  return doc;
};
const view = (doc, setting, systems) => {
  const { given } = doc;
  const { tolerance, candidates, cases } = given.views[Math.min(setting, given.views.length - 1)];
  doc.tolerance = tolerance;
  doc.chosen = systems.filter((system) => system < given.hyps.length);
  doc.sides = [{ ...doc.own }, ...doc.chosen.map(() => ({ ...doc.scored }))];
  doc.refs = given.refs.map((row, k) => reference(doc, doc.sides[0], row, candidates[k]));
  doc.hyps = doc.chosen.map((system, k) => given.hyps[system].map((row, index) => hypothesis(doc, doc.sides[k + 1], row, index)));
  doc.badges = doc.chosen.map((system) => new Map(given.badges[system].map((row) => [row[0], row])));
  doc.cases = casesOf(doc, doc.chosen.map((system) => cases[system]));
  doc.sides[0].elements = doc.refs.filter(isDrawn);
  doc.hyps.forEach((hyps, k) => { doc.sides[k + 1].elements = hyps.filter(isDrawn); });
  doc.lines = null;
};
