// Drawing near the window, filters, and steps from case to case.
// --- the documents: on one page as the table of documents has them
const tools = one("#tools");
const fields = tools ? tools.elements : {};
const valueOf = (name) => (fields[name] ? fields[name].value : "");
const docs = tools ? one("#lines").textContent.split("\n").filter(Boolean).map((line) => documentOf(JSON.parse(line))) : [];
const order = rated.map((rows) => new Map([...rows.keys()].map((id, k) => [id, k])));
if (order.length) docs.sort((a, b) => a.condition - b.condition || order[a.condition].get(a.id) - order[b.condition].get(b.id));
one("#articles").append(...docs.map((doc) => doc.article));
const bySlug = new Map(docs.map((doc) => [doc.slug, doc]));
let cases = [];
let here = null;
const byId = new Map();
// the height of the toolbar, which stays at the top
const covered = () => (tools ? tools.offsetHeight : 0);

// what scrolls sideways can be scrolled with the keyboard
const reach = (within) => { for (const thing of all(".wide, .flow", within)) if (thing.scrollWidth > thing.clientWidth) thing.tabIndex = 0; };

// --- drawing: a document is laid out, and a stretch filled, when it comes near the window
const nearStretch = new IntersectionObserver((seen) => {
  // a stretch that a reload has taken away may still be told of
  for (const { isIntersecting, target } of seen) if (isIntersecting && target.isConnected) draw(target.line);
}, { rootMargin: "1000px 0px" });
const nearDocument = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) open(bySlug.get(target.id));
}, { rootMargin: "1500px 0px" });
const open = (doc) => {
  if (doc.lines) return;
  nearDocument.unobserve(doc.article);
  layOut(doc);
  doc.strip.replaceChildren(stripOf(doc));
  doc.room.replaceChildren(...doc.lines.map((line, k) => stretchOf(doc, line, k + 1)));
  for (const line of doc.lines) {
    line.section.hidden = isFiltered() && !line.cases.some((its) => its.isShown);
    nearStretch.observe(line.section);
  }
};
const draw = (line) => {
  if (line.isFilled) return;
  nearStretch.unobserve(line.section);
  fill(line);
  mark(line);
  reach(line.section);
};
// shows the chosen systems at the chosen tolerance; what was drawn of others goes
const load = () => {
  const systems = [...new Set([Number(valueOf("first")), Number(valueOf("second"))])];
  here = null;
  byId.clear();
  for (const doc of docs) {
    doc.isChosen = doc.condition === Number(valueOf("words"));
    view(doc, Number(valueOf("tolerance")), systems);
    for (const its of doc.cases) {
      byId.set(its.id, its);
      forget(its);
      for (const each of its.elements) byId.set(anchorOf(each), its);
    }
    const [last] = doc.timed ? doc.scored.times.slice(-1) : [];
    const lines = Math.min(last ? last[1] / 9000 : Infinity, doc.scored.words.length / 12);
    doc.room.replaceChildren(filler(lines * 14 + doc.cases.filter((its) => its.isError).length * 2));
    doc.strip.replaceChildren();
    nearDocument.unobserve(doc.article);
    nearDocument.observe(doc.article);
  }
  cases = docs.filter((doc) => doc.isChosen).flatMap((doc) => doc.cases);
  if (tools) tellNotes();
  count();
};
// the numbers of the cases of each class and badge that can be chosen
const count = () => {
  const counts = new Map();
  for (const its of cases) {
    for (const name of new Set([...its.letters, ...(its.isLost ? ["unplaceable"] : []), ...its.badges.flatMap(({ filters }) => filters)])) counts.set(name, (counts.get(name) || 0) + 1);
  }
  for (const chip of all(".chip", tools)) {
    const { value, checked } = one("input", chip);
    const number = counts.get(value) || 0;
    one("span", chip).textContent = number;
    chip.hidden = !checked && (value === "unplaceable" ? number <= (counts.get("U") || 0) : !number);
  }
  for (const option of [...fields.blame.options].slice(1)) option.textContent = `${badges.get(option.value)} (${counts.get(option.value) || 0})`;
};

// --- the toolbar: what can be chosen
const CHOICES = ["first", "second", "words", "tolerance"];
const defaults = { label: "", blame: "", change: "", first: "0", second: String(Math.min(1, data.systems.length - 1)), words: String(docs.length ? docs[0].condition : 0), tolerance: "0" };
const CHANGED = { fixed: "fixed by B", broken: "broken by B", wrong: "wrong in both", right: "right in both" };
const badges = new Map(docs.flatMap(({ given }) => given.badges.flat().map(badge)).flatMap(({ filters, text, group }) => filters.map((value) => [value, value === group ? data.badges[group][0] : text])));
const choosable = (name, pairs, first) => {
  if (first) pairs = [["", first], ...pairs];
  fields[name].append(...pairs.map(([value, text]) => make("option", { value }, text)));
  (fields[name].closest(".field") || fields[name]).hidden = pairs.length < 2;
};
if (tools) {
  for (const name of ["first", "second"]) choosable(name, data.systems.map((text, k) => [k, text]));
  choosable("words", data.conditions.map((text, k) => [k, text]));
  choosable("change", isAlone ? [] : Object.entries(CHANGED), "all");
  const labels = docs.flatMap(({ given: { hyps, refs } }) => [...hyps.flat().map(([label]) => label), ...refs.flatMap((row) => row[1])]);
  const kinds = Object.keys(data.kinds).map((kind) => [`*${kind}`, `all ${kind}`]);
  choosable("label", [...kinds, ...[...new Set(labels)].sort().map((label) => [label, label])], "all labels");
  choosable("blame", [...badges].sort(), "all causes");
  fields.tolerance.max = Math.max(data.tolerances.length - 1, 0);
  fields.tolerance.closest(".field").hidden = !data.chart;
  one("#chips").append(...[...Object.entries(NAMES), ["unplaceable", "no place among the hypothesis’s words"]].map(([value, title]) =>
    make("label", { class: `chip t-${value}`, title }, make("input", { type: "checkbox", name: "class", value }), make("b", {}, value), " ", make("span", {}))));
}
addEventListener("beforeprint", () => { for (const doc of docs) if (!doc.article.hidden) { open(doc); doc.lines.forEach(draw); } });

// --- filters
let shown = [];
let steps = []; // through which keys step: errors, or with some filters all cases shown
let cell = null; // of the confusion matrix: a label on either side, empty for no element
const blamed = () => (fields.blame ? fields.blame.value : "");
const classes = () => all("[name=class]:checked", tools).map((each) => each.value);
const wanted = () => fields.find.value.trim().toLowerCase();
const isFiltered = () => tools !== null && !fields.clear.disabled;

// a search looks through the labels and words of a case; a whole name finds a case or a document
const textOf = (its) => its.searched || (its.searched = [
  ...its.elements.flatMap((each) => [...each.labels, each.text]), ...its.badges.map(({ heard }) => heard),
].filter(Boolean).join("\n").toLowerCase());
const isFound = (its, text) => textOf(its).includes(text) || [its.id, its.doc.name].some((id) => id.toLowerCase() === text);
// the labels that a choice stands for: one, or all of a kind
const chosenLabels = (value) => data.kinds[value.slice(1)] || [value];
const labelAt = (row) => (row ? row.labels[0] : "");
const isInCell = (its) => its.answers.some((answer) => answer && answer.letter !== "U" && labelAt(its.ref) === cell[0] && labelAt(answer.hyp) === cell[1]);

const filter = () => {
  const [chosen, label, blame, change, text] = [new Set(classes()), fields.label.value, blamed(), valueOf("change"), wanted()];
  const isOn = chosen.size > 0 || label !== "" || blame !== "" || change !== "" || text !== "" || cell !== null;
  for (const its of cases) {
    its.isShown = (!chosen.size || its.letters.some((letter) => chosen.has(letter)) || (its.isLost && chosen.has("unplaceable")))
      && (label === "" || chosenLabels(label).some((each) => its.labels.has(each)))
      && (blame === "" || its.badges.some(({ filters }) => filters.includes(blame)))
      && (change === "" || its.change === change)
      && (cell === null || isInCell(its))
      && (text === "" || isFound(its, text));
  }
  shown = cases.filter((its) => its.isShown);
  steps = shown.filter((its) => its.isError || blame !== "" || change !== "" || cell !== null);
  fields.clear.disabled = !isOn;
  for (const doc of docs) doc.steps = [];
  for (const its of steps) its.doc.steps.push(its);
  for (const doc of docs) {
    doc.article.hidden = !doc.isChosen || (isOn && !doc.cases.some((its) => its.isShown));
    for (const line of doc.lines || []) {
      line.section.hidden = isOn && !line.cases.some((its) => its.isShown);
      if (line.isFilled) mark(line);
    }
  }
  one("#cell").textContent = cell ? `${cell[0] || "I"} → ${cell[1] || "D"}` : "";
  const set = [[text, `“${text}”`], [label, label.replace("*", "all ")], [blame || change, "the cause"], [chosen.size, [...chosen].join(", ")], [cell, "the cell"]].filter(([is]) => is).map(([, name]) => name);
  one("#found").textContent = !isOn ? `${cases.length} elements` : shown.length ? `${shown.length} of ${cases.length}` : `none of ${cases.length}: clear ${set.join(" or ")}`;
  locate();
};
// what a filter leaves of a stretch that is drawn
const mark = (line) => {
  const isOn = isFiltered();
  const faint = new Set(line.cases.filter((its) => isOn && !its.isShown).map((its) => its.name));
  for (const its of line.cases) its.entry.hidden = isOn && !its.isShown;
  for (const thing of all("[data-case]", line.section)) thing.classList.toggle("faint", faint.has(thing.dataset.case));
  const rest = one("details.rest", line.section);
  if (rest) {
    rest.open = (isOn && line.cases.some((its) => !its.isError && its.isShown)) || (here !== null && rest.contains(here.entry));
    rest.hidden = isOn && !rest.open;
  }
};
const clear = (how) => {
  for (const each of all("[name=class]", tools)) each.checked = false;
  for (const name of ["label", "find", "blame", "change"]) if (fields[name]) fields[name].value = "";
  cell = null;
  filter();
  write(how);
};

// the address contains the filter, so that a link can pass it on, and the browser's back can undo it
const go = (how, to) => { try { history[how](null, "", location.pathname + to); } catch { /* an old browser keeps its address */ } };
let asked = location.search;
const write = (how = "replaceState") => {
  const query = new URLSearchParams();
  if (classes().length) query.set("class", classes().join(","));
  for (const name of ["label", "blame", "change", ...CHOICES]) if (fields[name].value !== defaults[name]) query.set(name, fields[name].value);
  if (fields.find.value.trim()) query.set("find", fields.find.value.trim());
  if (cell) { query.set("ref", cell[0]); query.set("hyp", cell[1]); }
  asked = String(query) && `?${query}`;
  if (asked === location.search) return;
  go(how, asked + location.hash);
};
const read = (query = new URLSearchParams(location.search)) => {
  const letters = (query.get("class") || "").split(",");
  for (const each of all("[name=class]", tools)) each.checked = letters.includes(each.value);
  for (const name of ["label", "blame", "change", ...CHOICES]) {
    const [field, value] = [fields[name], query.get(name) || defaults[name]];
    field.value = value;
    if (field.value !== value && data.page) field.append(make("option", { value }, value)); // on another page
    field.value = value;
    if (field.value === "") field.value = defaults[name];
  }
  fields.find.value = query.get("find") || "";
  cell = query.has("ref") && query.has("hyp") ? [query.get("ref"), query.get("hyp")] : null;
};

// --- the current case
let from = null; // what the address leads to, where that is no case
const drawn = (its) => all(`[data-case="${CSS.escape(its.name)}"]`, lineOf(its).section);
const lineOf = (its) => { open(its.doc); return its.doc.lines[its.line]; };
// fills what is near a place, above and below, so that nothing moves it later
const settle = (thing) => {
  for (;;) {
    const { top } = box(thing);
    const isNear = (other) => {
      const its = box(other);
      return its.height > 0 && its.bottom > top - 3 * innerHeight && its.top < top + 3 * innerHeight;
    };
    const late = docs.filter((doc) => !doc.lines && isNear(doc.article));
    late.forEach(open);
    const empty = docs.filter((doc) => doc.lines && isNear(doc.article)).flatMap((doc) => doc.lines).filter((line) => !line.isFilled && isNear(line.section));
    empty.forEach(draw);
    if (!late.length && !empty.length) return;
  }
};
const show = (its) => {
  for (const thing of all(".here")) thing.classList.remove("here");
  here = its;
  if (!its) return;
  draw(lineOf(its));
  const rest = its.entry.closest("details");
  if (rest) rest.open = true;
  its.entry.classList.add("here");
  for (const thing of drawn(its)) thing.classList.add("here");
};
// what an id leads to: a case, or a part of the page that may have to be laid out first
const leadsTo = (id) => {
  const its = byId.get(id);
  if (its) return [its, null];
  const stretch = /^(.*)-l\d+$/.exec(id);
  if (stretch && bySlug.has(stretch[1])) open(bySlug.get(stretch[1]));
  return [null, id ? document.getElementById(id) : null];
};
const target = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const [its, found] = leadsTo(id);
  if (its && !its.doc.isChosen) {
    fields.words.value = its.doc.condition;
    reload();
    target();
    return;
  }
  if ((its && !its.isShown) || (found && found.closest(".document [hidden], .document[hidden]"))) clear();
  from = found && found.closest(".document") ? found : null;
  show(its);
  if (its) settle(its.entry);
  else if (found) settle(found);
  if (its) centre(its);
  else if (found) found.scrollIntoView();
  locate();
};
// a link of the figures changes the filter, not the choices of the toolbar
const follows = (link) => {
  const query = new URLSearchParams(link.search);
  for (const name of CHOICES) if (!query.has(name)) query.set(name, fields[name].value);
  go("pushState", `?${query}${link.hash}`);
  asked = "";
  read(query);
  reload();
  write();
  show(null);
  target();
};
// the smallest box around some things
const hull = (things) => {
  const boxes = things.map(box);
  const of = (side, choose) => choose(...boxes.map((its) => its[side]));
  return { left: of("left", Math.min), right: of("right", Math.max), top: of("top", Math.min), bottom: of("bottom", Math.max) };
};
// scrolls so that both the drawing and the line of text are in view
const centre = (its) => {
  const { entry } = its;
  const stretch = lineOf(its).section;
  const bars = drawn(its).filter((thing) => thing.matches(".bar"));
  if (bars.length) aside(bars);
  if (box(stretch).height <= innerHeight - covered()) { stretch.scrollIntoView(); return; }
  // the stretch is higher than the window: the line of text goes to the bottom, the drawing above it
  const { top, bottom } = hull(bars.length ? bars : [entry]);
  const low = covered();
  const high = innerHeight - box(entry).height;
  if (top < low || bottom > high) scrollBy(0, Math.min((top + bottom - low - high) / 2, top - low - 8));
  if (box(entry).bottom > innerHeight + 1) entry.scrollIntoView({ block: "center" });
};
// scrolls a drawing that is wider than its box sideways
const aside = (bars) => {
  const flow = bars[0].closest(".flow");
  const room = box(flow);
  const { left, right } = hull(bars);
  if (left >= room.left && right <= room.right) return;
  const inner = Math.max(...bars.map((thing) => box(thing).left)); // of two that do not fit, what both have
  flow.scrollLeft += right - left < room.width ? (left + right - room.left - room.right) / 2 : inner - room.left - 16;
};
// shows the case at once: keys may come faster than the event of a changed address
const goTo = (its) => { location.hash = encodeURIComponent(its.id); target(); };
// whether a case is above the window; what is not drawn is as a whole above or below it
const isAbove = (its) => {
  const whole = its.doc.lines ? its.doc.lines[its.line].section : its.doc.article;
  const { top, bottom } = box(whole);
  return bottom <= 0 || (top < 0 && Boolean(its.entry) && box(its.entry).top < 0);
};
// the place of a part of the page among the cases to step through: the number of those before it
const before = (thing) => {
  const doc = docs.find((each) => each.article.contains(thing));
  if (!doc) return passed(steps, (its) => its.doc.article.compareDocumentPosition(thing) & Node.DOCUMENT_POSITION_FOLLOWING);
  const number = doc.lines ? doc.lines.findIndex((line) => line.section === thing) : -1;
  const at = docs.indexOf(doc);
  return passed(steps, (its) => docs.indexOf(its.doc) < at || (its.doc === doc && its.line < number));
};
const step = (by) => {
  const at = here ? steps.indexOf(here) : -1;
  const order = here && at < 0 ? passed(steps, (its) => cases.indexOf(its) < cases.indexOf(here)) : 0;
  const next = at >= 0 ? at + by
    : here ? order - (by < 0 ? 1 : 0)
      : (from ? before(from) : passed(steps, isAbove)) - (by < 0 ? 1 : 0);
  if (steps[next]) { goTo(steps[next]); return; }
  const way = (data.page || 0) + by; // on the index, to the first page
  if (data.last && way >= 1 && way <= data.last) location.href = `${file(way)}${location.search}#${by > 0 ? "first" : "last"}`;
  else if (one("#found")) one("#found").textContent = by > 0 ? "no error after this" : "no error before this";
};
// --- the toolbar names the document in view, and a case with its number: the current one, else the next
let named = null;
const labelsOf = ({ elements }) => [...new Set(elements.map((each) => each.labels.join(" | ")))].join(" → ");
const tell = (its) => {
  if (its === named) return;
  named = its;
  const parts = its ? [...its.letters.flatMap((letter) => [make("b", { class: `t-${letter}` }, letter), " "]), make("span", { class: "label" }, labelsOf(its)), " ", make("q", {}, its.elements[0].text)] : [];
  const which = one("#which");
  which.replaceChildren(...parts);
  if (its) { which.href = `#${encodeURIComponent(its.id)}`; which.title = which.textContent; } else which.removeAttribute("href");
};
const isInView = (thing) => { const { top, bottom, height } = box(thing); return height > 0 && bottom > covered() && top < innerHeight; };
const locate = () => {
  if (!tools || !docs.length) return;
  const atHand = here && isInView(here.entry) ? here : null;
  const line = covered() + (innerHeight - covered()) / 3;
  const there = docs.filter((doc) => !doc.article.hidden);
  const doc = atHand ? atHand.doc : there[Math.max(passed(there, (each) => box(each.article).top <= line) - 1, 0)];
  const its = doc ? doc.steps : [];
  const isAmong = its.includes(atHand);
  const number = isAmong ? its.indexOf(atHand) : Math.min(passed(its, isAbove), its.length - 1);
  const noun = blamed() || cell ? "case" : "error";
  const where = one("#where");
  where.textContent = doc ? doc.name : "";
  where.title = doc ? `${doc.name}: the document in view` : "";
  where.href = doc ? `#${doc.slug}` : "#tools";
  tell(atHand || its[number] || null);
  const hits = isFiltered() && doc ? doc.cases.filter((each) => each.isShown).length : 0;
  one("#count").textContent = !its.length ? (hits ? `${counted(hits, "hit")}, all correct` : `no ${noun}s`)
    : isAmong || !atHand ? `${noun} ${number + 1} of ${its.length}` : counted(its.length, noun);
};
let waiting = false;
const relocate = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; locate(); });
};

// --- what is shown: systems, words, tolerance; the case at hand keeps its place
const standsAt = (its) => box(drawn(its).find((thing) => thing.matches(".bar")) || lineOf(its).section).top;
const reload = () => {
  const kept = here && isInView(here.entry) ? [here.id, standsAt(here)] : [];
  const at = docs.find((doc) => !doc.article.hidden && box(doc.article).bottom > covered());
  const top = at && box(at.article).top;
  load();
  figures();
  filter();
  const again = byId.get(kept[0]);
  if (again && again.isShown) {
    show(again);
    settle(again.entry);
    scrollBy(0, standsAt(again) - kept[1]);
    locate();
  } else if (at && top < covered()) scrollBy(0, box(at.article).top - top);
};
// the figures of the chosen words and tolerance
let figured = "0 0 0";
const figures = () => {
  const chosen = ["words", "tolerance", "first"].map(valueOf);
  one("#tolerance-value").textContent = data.tolerances[Number(valueOf("tolerance"))] || "";
  if (data.chart) chart();
  if (!data.figures || figured === chosen.join(" ")) return;
  figured = chosen.join(" ");
  drawFigures(...chosen.map(Number));
};
