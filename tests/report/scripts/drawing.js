() => {
  // draws all documents; for each, its stretches: heading and pieces, with what stands in them
  dispatchEvent(new Event("beforeprint"));
  const all = (thing, selector) => [...thing.querySelectorAll(selector)];
  const of = (thing, name) => Number(thing.getAttribute(name));
  const word = (text) => ({ x: of(text, "x"), text: (text.querySelector("title") || text).textContent });
  const bar = (link) => {
    const its = link.querySelector("rect");
    return { anchor: link.getAttribute("href").slice(1), x: of(its, "x"), y: of(its, "y"), width: of(its, "width") };
  };
  const piece = (its) => ({
    width: its.querySelector("svg").viewBox.baseVal.width,
    height: its.querySelector("svg").viewBox.baseVal.height,
    words: all(its, "svg > g").map((row) => all(row, "text").map(word)),
    lengths: all(its, "svg > g path.said").map((path) => path.getAttribute("d")),
    bars: all(its, "a.bar").map(bar),
    ticks: all(its, "text.tick").map((tick) => ({ x: of(tick, "x"), text: tick.textContent })),
    folds: all(its, "path.fold title").map((title) => title.textContent),
    axis: (its.querySelector("path.axis") || its).getAttribute("d") || "",
    windows: all(its, "path.window").length,
    marks: all(its, "path.mark").length,
  });
  return Object.fromEntries(all(document, "article.document").map((article) => [article.id,
    all(article, ".stretch").map((stretch) => ({
      title: stretch.querySelector("h3 a").textContent,
      pieces: all(stretch, ".piece:not(.gutter)").map(piece),
    }))]));
}
