// Adds filters, steps from error to error, themes and sound. The page can be read without them.
(() => {
"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const root = document.documentElement;

// --- light and dark: the choice is stored if the browser allows it
const stored = (value) => {
  try {
    if (value) localStorage.setItem("sereval-theme", value);
    return localStorage.getItem("sereval-theme");
  } catch { return value; }
};
const isDark = () => root.dataset.theme
  ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const theme = one("#theme");
const switchTheme = () => { root.dataset.theme = isDark() ? "light" : "dark"; stored(root.dataset.theme); };
if (stored()) root.dataset.theme = stored() === "dark" ? "dark" : "light";
if (theme) { theme.hidden = false; theme.addEventListener("click", switchTheme); }

// --- the search for a document by name, on the index
const search = one("#search");
if (search) search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  for (const row of all("tr.row")) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  for (const rest of all("main > section > details.rest")) rest.open = wanted !== "";
});

// --- tables: a head sorts by its column, numbers from the largest, once more the other way round
const number = (cell) => parseFloat(cell.textContent.replace("−", "-"));
const sort = (head) => {
  const table = head.closest("table");
  const at = head.cellIndex;
  const isNumber = [...table.tBodies].some((body) => [...body.rows].some((row) => !isNaN(number(row.cells[at]))));
  const before = head.getAttribute("aria-sort");
  const down = before ? before === "ascending" : isNumber && at > 0;
  for (const other of all("[aria-sort]", table)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => (isNumber && at > 0 ? number(row.cells[at]) : row.cells[at].textContent);
  const compare = (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b || (a !== a && b !== b)) return 0;
    if (a !== a || b !== b) return a !== a ? 1 : -1; // without a number: last
    return (a < b ? -1 : 1) * (down ? -1 : 1);
  };
  for (const body of table.tBodies) body.append(...[...body.rows].sort(compare));
};
for (const head of all("table.sorts thead th")) {
  if (!head.textContent.trim() || head.querySelector(".sr")) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  button.addEventListener("click", () => sort(head));
  head.append(button);
}

// --- the cases
const entries = all(".entry");
const tools = one("#tools");
const known = tools ? new Set(all("[name=class]", tools).map((box) => box.value)) : new Set();
let shown = entries;
let errors = new Map(); // those that are shown, by document; with a filter by blame, all that it shows
const blamed = () => (tools.elements.blame ? tools.elements.blame.value : "");

// the drawing of a case in its line: the bars of both sides and the ribbon between them
const drawn = (entry) => {
  const stretch = entry.closest(".stretch");
  const name = entry.id.slice(stretch.id.lastIndexOf("-l") + 1);
  return all(`[data-case="${CSS.escape(name)}"]`, stretch);
};

// a search looks through the labels and words of a case; a whole name finds a case or a document
const texts = new Map();
const text = (entry) => {
  if (!texts.has(entry)) texts.set(entry, all(".label, q", entry).map((part) => part.textContent).join("\n").toLowerCase());
  return texts.get(entry);
};
const isFound = (entry, wanted) => {
  const name = entry.closest(".document").querySelector("h2 a") || one("h1");
  return text(entry).includes(wanted) || [entry.id, name.textContent].some((id) => id.toLowerCase() === wanted);
};

const filter = () => {
  const classes = new Set(all("[name=class]:checked", tools).map((box) => box.value));
  const label = tools.elements.label.value;
  const blame = blamed();
  const wanted = tools.elements.find.value.trim().toLowerCase();
  const isOn = classes.size > 0 || label !== "" || blame !== "" || wanted !== "";
  shown = [];
  errors = new Map();
  const stretches = new Map();
  for (const entry of entries) {
    const fits = (!classes.size || classes.has(entry.dataset.class) || ("lost" in entry.dataset && classes.has("unplaceable")))
      && (label === "" || entry.dataset.labels.split(" ").includes(label))
      && (blame === "" || (entry.dataset.blame || "").split(" ").includes(blame))
      && (wanted === "" || isFound(entry, wanted));
    entry.hidden = !fits;
    if (fits) shown.push(entry);
    if (fits && (entry.dataset.class !== "C" || blame !== "")) {
      const article = entry.closest(".document");
      (errors.get(article) || errors.set(article, []).get(article)).push(entry);
    }
    const stretch = entry.closest(".stretch");
    const names = stretches.get(stretch) || stretches.set(stretch, new Set()).get(stretch);
    if (fits) names.add(entry.id.slice(stretch.id.lastIndexOf("-l") + 1));
  }
  for (const stretch of all(".stretch")) {
    const names = stretches.get(stretch) || new Set();
    stretch.hidden = isOn && !names.size;
    if (stretch.hidden) continue;
    for (const thing of all("[data-case]", stretch)) {
      thing.classList.toggle("faint", isOn && !names.has(thing.dataset.case));
    }
    const rest = stretch.querySelector("details.rest");
    if (rest) {
      rest.open = isOn && all(".entry", rest).some((entry) => !entry.hidden);
      rest.hidden = isOn && !rest.open;
    }
  }
  for (const article of all("article.document")) article.hidden = isOn && !article.querySelector(".stretch:not([hidden])");
  tools.elements.clear.disabled = !isOn;
  one("#found").textContent = isOn ? `${shown.length} of ${entries.length}` : `${entries.length} elements`;
  locate();
};

// the address contains the filter, so that a link can pass it on
const write = () => {
  const query = new URLSearchParams();
  const classes = all("[name=class]:checked", tools).map((box) => box.value);
  const select = tools.elements.label;
  if (classes.length) query.set("class", classes.join(","));
  if (select.value !== "") query.set("label", select.selectedOptions[0].textContent);
  if (blamed()) query.set("blame", blamed());
  if (tools.elements.find.value.trim()) query.set("find", tools.elements.find.value.trim());
  const asked = String(query) && `?${query}`;
  try { history.replaceState(null, "", location.pathname + asked + location.hash); } catch { /* an old browser keeps its address */ }
};
const read = () => {
  const query = new URLSearchParams(location.search);
  const classes = (query.get("class") || "").split(",").filter((letter) => known.has(letter));
  for (const box of all("[name=class]", tools)) box.checked = classes.includes(box.value);
  const select = tools.elements.label;
  const option = [...select.options].find((o) => o.value !== "" && o.textContent === query.get("label"));
  select.value = option ? option.value : "";
  tools.elements.find.value = query.get("find") || "";
  const blame = tools.elements.blame;
  if (blame) blame.value = [...blame.options].some((o) => o.value === query.get("blame")) ? query.get("blame") : "";
};

// --- the browser lays out some parts only when they come near the window. Those near a target are
// laid out first; otherwise they would move the target
const deferred = all(".stretch, .group");
const box = (thing) => thing.getBoundingClientRect();
const lay = (thing) => {
  for (;;) {
    const { top } = box(thing);
    const isNear = ({ height, top: from, bottom: to }) =>
      height && to > top - 3 * innerHeight && from < top + 3 * innerHeight;
    const late = deferred.filter((one) => !one.classList.contains("laid") && isNear(box(one)));
    if (!late.length) return;
    for (const one of late) one.classList.add("laid");
  }
};
// the height of the toolbar, which stays at the top
const covered = () => (tools ? tools.offsetHeight : 0);

// --- the current case
let here = null;
let from = null; // what the address leads to, where that is no case
const show = (entry) => {
  for (const thing of all(".here")) thing.classList.remove("here");
  here = entry;
  if (!entry) return;
  const rest = entry.closest("details");
  if (rest) rest.open = true;
  entry.classList.add("here");
  for (const thing of drawn(entry)) thing.classList.add("here");
};
const target = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const found = id && document.getElementById(id);
  const entry = found && found.closest(".entry");
  if (found && found.closest(".document [hidden], .document[hidden]")) clear();
  from = found && found.closest(".document") ? found : null;
  show(entry || null);
  if (found) lay(found);
  if (entry) centre(entry);
  else if (found) found.scrollIntoView();
  locate();
};
// the smallest box around some things
const hull = (things) => {
  const boxes = things.map(box);
  const of = (side, choose) => choose(...boxes.map((its) => its[side]));
  return { left: of("left", Math.min), right: of("right", Math.max), top: of("top", Math.min), bottom: of("bottom", Math.max) };
};
// scrolls so that both the drawing and the line of text are in view
const centre = (entry) => {
  const stretch = entry.closest(".stretch");
  const bars = drawn(entry).filter((thing) => thing.matches(".bar"));
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
const goTo = (entry) => { location.hash = encodeURIComponent(entry.id); target(); };
// measures few entries, because the browser must lay out the stretch of each
const isAbove = (entry) => {
  const { top, bottom } = entry.closest(".stretch").getBoundingClientRect();
  return bottom <= 0 || (top < 0 && entry.getBoundingClientRect().top < 0);
};
const step = (by) => {
  const at = here || from;
  const side = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const after = at ? (entry) => at.compareDocumentPosition(entry) & side : (entry) => isAbove(entry) === (by < 0);
  const rest = [...errors.values()].flat().filter(after);
  const next = by > 0 ? rest[0] : rest[rest.length - 1];
  if (next) { goTo(next); return; }
  const way = one(by > 0 ? "link[rel=next]" : "link[rel=prev]");
  if (way) location.href = `${way.getAttribute("href")}${location.search}#${by > 0 ? "first" : "last"}`;
  else if (one("#found")) one("#found").textContent = by > 0 ? "no error after this" : "no error before this";
};
// --- the toolbar names the document in view and the number of an error: the current one, else the next
const articles = all("article.document");
// the number of things at the start of a list that are passed
const passed = (list, isPassed) => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPassed(list[middle])) low = middle + 1; else high = middle;
  }
  return low;
};
const isInView = (thing) => { const { top, bottom, height } = box(thing); return height > 0 && bottom > covered() && top < innerHeight; };
const locate = () => {
  if (!tools) return;
  const atHand = here && isInView(here) ? here : null;
  const line = covered() + (innerHeight - covered()) / 3;
  const there = articles.filter((article) => !article.hidden);
  const article = atHand ? atHand.closest(".document") : there[Math.max(passed(there, (one) => box(one).top <= line) - 1, 0)];
  const its = (article && errors.get(article)) || [];
  const number = its.includes(atHand) ? its.indexOf(atHand) : Math.min(passed(its, isAbove), its.length - 1);
  const where = one("#where");
  where.textContent = article ? (article.querySelector("h2 a") || one("h1")).textContent : "";
  where.href = article ? `#${article.id}` : "#tools";
  one("#count").textContent = its.length ? `${blamed() ? "case" : "error"} ${number + 1} of ${its.length}` : "no errors";
};
let waiting = false;
const relocate = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; locate(); });
};
const clear = () => { for (const box of all("[name=class]", tools)) box.checked = false; tools.elements.label.value = ""; tools.elements.find.value = ""; if (tools.elements.blame) tools.elements.blame.value = ""; filter(); write(); };

if (tools) {
  tools.hidden = false;
  tools.addEventListener("change", () => { filter(); write(); });
  let typed = 0; // a search waits for the end of a word
  tools.elements.find.addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(() => { filter(); write(); }, 150); });
  tools.addEventListener("submit", (event) => event.preventDefault());
  tools.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
  one("#next").addEventListener("click", () => step(1));
  one("#previous").addEventListener("click", () => step(-1));
  read();
  filter();
  new ResizeObserver(() => { root.style.scrollPaddingTop = `${covered()}px`; }).observe(tools);
  root.style.scrollPaddingTop = `${covered()}px`;
  addEventListener("scroll", relocate, { passive: true });
  addEventListener("resize", relocate);
}
addEventListener("hashchange", target);
if (tools && location.hash === "#first") { from = one("main"); step(1); }
else if (tools && location.hash === "#last") { from = one("footer"); step(-1); }
else target();

// --- sound: a link to a part of the recording plays it on this page
const audio = new Audio();
audio.preload = "none";
let until = Infinity;
let playing = null;
let begins = 0;
let isLoop = false;
const stop = () => { audio.pause(); if (playing) playing.classList.remove("playing"); playing = null; };
const play = (link) => {
  const [file, fragment] = link.getAttribute("href").split("#t=");
  const [start, end] = fragment.split(",").map(Number);
  const again = playing === link;
  stop();
  if (again) return;
  if (audio.getAttribute("src") !== file) audio.setAttribute("src", file);
  playing = link;
  link.classList.add("playing");
  [begins, until] = [start, end];
  audio.currentTime = start;
  audio.play().catch(stop);
};
const watch = () => {
  if (!playing) return;
  if (audio.currentTime >= until) { if (!isLoop) { stop(); return; } audio.currentTime = begins; }
  requestAnimationFrame(watch);
};
const say = (text) => { if (one("#found")) one("#found").textContent = text; };
const loop = () => { isLoop = !isLoop; say(isLoop ? "sound in a loop" : "sound played once"); };
// setting a source takes the rate back to the default, so both are set
const slow = () => {
  audio.defaultPlaybackRate = audio.playbackRate = audio.playbackRate < 1 ? 1 : .6;
  say(audio.playbackRate < 1 ? "sound slowly" : "sound at its speed");
};
audio.addEventListener("playing", watch);
audio.addEventListener("ended", stop);
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a.play");
  if (link) { event.preventDefault(); play(link); return; }
  const bar = event.target.closest("a.bar");
  const told = bar && document.getElementById(decodeURIComponent(bar.getAttribute("href").slice(1)));
  const sound = told && told.querySelector("a.play");
  if (sound) play(sound);
});

// --- keys
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") { stop(); if (field) field.blur(); else if (tools) clear(); return; }
  if (field) return;
  const legend = one("#legend");
  const focus = search || (tools && tools.elements.find);
  const keys = {
    n: () => step(1),
    p: () => step(-1),
    t: switchTheme,
    s: () => { if (!one("a.play")) return false; slow(); return true; },
    l: () => { if (!one("a.play")) return false; loop(); return true; },
    "/": () => focus && focus.focus({ preventScroll: focus !== search }),
    "?": () => { if (legend) { legend.open = !(legend.open && isInView(legend)); legend.scrollIntoView({ block: "nearest" }); } },
    " ": () => { const sound = playing || (here && here.querySelector("a.play")); if (!sound) return false; play(sound); return true; },
  };
  if (!(event.key in keys)) return;
  if (event.key === " " && event.target.closest("a, button, summary, input")) return;
  if (keys[event.key]() !== false) event.preventDefault();
});
})();
