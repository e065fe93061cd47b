// Adds to a page that can be read without: filters, steps from error to error, themes, sound.
(() => {
"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const root = document.documentElement;

// --- light and dark: the reader's choice, kept where the browser lets us
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

// --- find a document by name, on the index
const search = one("#search");
if (search) search.addEventListener("input", () => {
  const wanted = search.value.toLowerCase();
  for (const row of all("tr.row")) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  for (const rest of all("main > section > details.rest")) rest.open = wanted !== "";
});

// --- the cases
const entries = all(".entry");
const tools = one("#tools");
const known = tools ? new Set(all("[name=class]", tools).map((box) => box.value)) : new Set();
let shown = entries;

// what is drawn of a case, by its line: bars of both sides and the ribbon between them
const drawn = (entry) => {
  const stretch = entry.closest(".stretch");
  const name = entry.id.slice(stretch.id.lastIndexOf("-l") + 1);
  return all(`[data-case="${CSS.escape(name)}"]`, stretch);
};

const filter = () => {
  const classes = new Set(all("[name=class]:checked", tools).map((box) => box.value));
  const label = tools.elements.label.value;
  const isOn = classes.size > 0 || label !== "";
  shown = [];
  const stretches = new Map();
  for (const entry of entries) {
    const fits = (!classes.size || classes.has(entry.dataset.class) || ("lost" in entry.dataset && classes.has("unplaceable")))
      && (label === "" || entry.dataset.labels.split(" ").includes(label));
    entry.hidden = !fits;
    if (fits) shown.push(entry);
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
};

// the filter is in the address, so that it can be passed on with a link
const write = () => {
  const query = new URLSearchParams();
  const classes = all("[name=class]:checked", tools).map((box) => box.value);
  const select = tools.elements.label;
  if (classes.length) query.set("class", classes.join(","));
  if (select.value !== "") query.set("label", select.selectedOptions[0].textContent);
  const text = String(query) && `?${query}`;
  try { history.replaceState(null, "", location.pathname + text + location.hash); } catch { /* an old browser keeps its address */ }
};
const read = () => {
  const query = new URLSearchParams(location.search);
  const classes = (query.get("class") || "").split(",").filter((letter) => known.has(letter));
  for (const box of all("[name=class]", tools)) box.checked = classes.includes(box.value);
  const select = tools.elements.label;
  const option = [...select.options].find((o) => o.value !== "" && o.textContent === query.get("label"));
  select.value = option ? option.value : "";
};

// --- one case at hand
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
  if (entry && entry.hidden) clear();
  from = found && found.closest(".document") ? found : null;
  show(entry || null);
  if (entry) centre(entry);
};
// both the drawing and the line of text in view, if the window is high enough
const centre = (entry) => {
  const stretch = entry.closest(".stretch");
  const fits = stretch.getBoundingClientRect().height < innerHeight - 80;
  (fits ? stretch : entry).scrollIntoView({ block: fits ? "start" : "center" });
};
// shown at once, not when the address has changed: keys come faster
const goTo = (entry) => { show(entry); location.replace(`#${encodeURIComponent(entry.id)}`); };
// asks for the place of few entries: that makes the browser lay out their stretch
const isAbove = (entry) => {
  const { top, bottom } = entry.closest(".stretch").getBoundingClientRect();
  return bottom <= 0 || (top < 0 && entry.getBoundingClientRect().top < 0);
};
const step = (by) => {
  const errors = shown.filter((entry) => entry.dataset.class !== "C");
  const at = here || from;
  const side = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const after = at ? (entry) => at.compareDocumentPosition(entry) & side : (entry) => isAbove(entry) === (by < 0);
  const rest = errors.filter(after);
  const next = by > 0 ? rest[0] : rest[rest.length - 1];
  if (next) { goTo(next); return; }
  const way = one(by > 0 ? "link[rel=next]" : "link[rel=prev]");
  if (way) location.href = `${way.getAttribute("href")}${location.search}#${by > 0 ? "first" : "last"}`;
  else if (one("#found")) one("#found").textContent = by > 0 ? "no error after this" : "no error before this";
};
const clear = () => { for (const box of all("[name=class]", tools)) box.checked = false; tools.elements.label.value = ""; filter(); write(); };

if (tools) {
  tools.hidden = false;
  tools.addEventListener("change", () => { filter(); write(); });
  tools.addEventListener("submit", (event) => event.preventDefault());
  tools.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
  one("#next").addEventListener("click", () => step(1));
  one("#previous").addEventListener("click", () => step(-1));
  read();
  filter();
  addEventListener("hashchange", target);
  if (location.hash === "#first") { from = one("main"); step(1); }
  else if (location.hash === "#last") { from = one("footer"); step(-1); }
  else target();
}

// --- sound: a link to a stretch of the recording plays it here instead of leaving the page
const audio = new Audio();
audio.preload = "none";
let until = Infinity;
let playing = null;
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
  until = end;
  audio.currentTime = start;
  audio.play().catch(stop);
};
const watch = () => { if (playing) { if (audio.currentTime >= until) stop(); else requestAnimationFrame(watch); } };
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
  const focus = search || (tools && tools.elements.label);
  const keys = {
    n: () => step(1),
    p: () => step(-1),
    t: switchTheme,
    "/": () => focus && focus.focus(),
    "?": () => { if (legend) { legend.open = !legend.open; legend.scrollIntoView({ block: "nearest" }); } },
    " ": () => { const sound = here && here.querySelector("a.play"); if (!sound) return false; play(sound); return true; },
  };
  if (!(event.key in keys)) return;
  if (event.key === " " && event.target.closest("a, button, summary, input")) return;
  if (keys[event.key]() !== false) event.preventDefault();
});
})();
