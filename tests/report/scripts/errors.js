(all) => all.map((article) => {
  // the errors of each document: its name, and of each error the anchor, the class and the labels
  const labels = (entry) => new Set([...entry.querySelectorAll(".half .label")].map((one) => one.textContent));
  const errors = [...article.querySelectorAll(".entry:not([data-class=C])")];
  return [article.querySelector("h2 a").textContent, errors.map((entry) =>
    [entry.id, `${entry.dataset.class} ${[...labels(entry)].join(" → ")}`])];
})
