// The start of the page, and its keys.
const flags = {
  timed: docs.some((doc) => doc.timed), untimed: docs.every((doc) => !doc.timed), projected: docs.some((doc) => doc.projected), windows: docs.some(({ given }) => given.views.some(({ tolerance }) => tolerance)),
  aligned: docs.some((doc) => doc.projected && !doc.timed), sound: docs.some((doc) => doc.sound),
};
for (const part of all("[data-if]")) part.hidden = !flags[part.dataset.if];
if (tools) {
  tools.addEventListener("change", ({ target: { name } }) => {
    if (CHOICES.includes(name)) reload(); else filter();
    write("pushState");
  });
  fields.tolerance.addEventListener("input", reload);
  let typed = 0; // a search waits for the end of a word
  fields.find.addEventListener("input", () => { clearTimeout(typed); typed = setTimeout(() => { filter(); write(); }, 150); });
  tools.addEventListener("submit", (event) => { // Enter: to the first case that is found
    event.preventDefault();
    clearTimeout(typed);
    filter();
    write();
    if (!wanted() || !shown.length) return;
    fields.find.blur();
    goTo(shown[0]);
  });
  tools.addEventListener("reset", (event) => { event.preventDefault(); clear("pushState"); });
  one("#next").addEventListener("click", () => step(1));
  one("#previous").addEventListener("click", () => step(-1));
  read();
  reload();
  new ResizeObserver(() => { root.style.scrollPaddingTop = `${covered()}px`; }).observe(tools);
  root.style.scrollPaddingTop = `${covered()}px`;
  // the bar stays where it is in view: the browser must not scroll to a part of it that is focused
  let stood = scrollY;
  addEventListener("scroll", () => { stood = scrollY; relocate(); }, { passive: true });
  tools.addEventListener("focusin", () => {
    const moved = scrollY;
    scrollTo(0, stood);
    if (box(tools).bottom > innerHeight) scrollTo(0, moved);
  });
  addEventListener("resize", relocate);
}
addEventListener("popstate", () => {
  if (!tools || asked === location.search) return;
  asked = location.search;
  read();
  reload();
});
addEventListener("hashchange", target);
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="?"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follows(link);
});
if (tools && location.hash === "#first") { from = one("main"); step(1); }
else if (tools && location.hash === "#last") { from = one("footer"); step(-1); }
else target();

reach(document);
addEventListener("resize", () => { reach(document); if (data.chart) chart(); });

// --- zoom of the drawings
let size = 1;
const zoom = (by) => {
  size = by ? Math.min(Math.max(size * by, .4), 4) : 1;
  root.style.setProperty("--zoom", size.toFixed(3));
  reach(document);
  say(size === 1 ? "drawings at their size" : `drawings at ${Math.round(100 * size)} %`);
  if (here) centre(here);
};
for (const [id, by] of [["#smaller", .8], ["#larger", 1.25]]) if (one(id)) one(id).addEventListener("click", () => zoom(by));

// --- keys
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const field = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (event.key === "Escape") { stop(); if (field) field.blur(); else if (tools) clear("pushState"); return; }
  if (field) return;
  const legend = one("#legend");
  const focus = search.parentNode.hidden ? tools && fields.find : search;
  const keys = {
    n: () => step(1),
    p: () => step(-1),
    s: () => { if (!flags.sound) return false; slow(); return true; },
    l: () => { if (!flags.sound) return false; loop(); return true; },
    "+": () => zoom(1.25),
    "-": () => zoom(.8),
    "0": () => zoom(0),
    "/": () => { if (focus) focus.focus(); },
    "?": () => { if (legend) { legend.open = !(legend.open && isInView(legend)); legend.scrollIntoView({ block: "nearest" }); } },
    " ": () => {
      if (playing) { stop(); return true; }
      const sound = (here && isInView(here.entry) && one("a.play", here.entry)) || all("h3 a.play").find(isInView);
      if (!sound) return false;
      play(sound);
      return true;
    },
  };
  if (!(event.key in keys)) return;
  if (event.key === " " && event.target.closest("a, button, summary, input")) return;
  if (keys[event.key]() !== false) event.preventDefault();
});
root.dataset.ready = "yes";
