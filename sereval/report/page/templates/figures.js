// The figures: what stands above the documents, drawn from the lists of tables.py.
const room = (id, ...inside) => { (one(id).closest("section") || {}).hidden = false; one(id).replaceChildren(...inside.flat(9).filter(Boolean)); };
for (const section of all("main section")) section.hidden = true;

// the shares of the classes, by the cells of a row
const bar = (cells) => {
  const counts = data.columns.flatMap((name, k) => (name in NAMES && Number(cells[k]) ? [[name, Number(cells[k])]] : []));
  const every = counts.reduce((sum, [, count]) => sum + count, 0);
  return make("span", { class: "shares", "aria-hidden": "true" }, counts.map(([name, count]) => {
    const part = make("i", { class: `k-${name}` });
    part.style.width = `${((100 * count) / every).toFixed(2)}%`;
    return part;
  }));
};
const classesOf = (names) => make("dl", { class: "classes" }, names.map((name) => make("div", { class: `k-${name}` }, make("dt", {}, name), make("dd", {}, NAMES[name]))));
const headline = (its) => {
  const [total, rows] = [its.totals[0], its.documents.length];
  const cell = (name) => total[data.columns.indexOf(name)];
  const [rate, errors, size, found] = data.headline;
  if (!isAlone) {
    return [...(data.summary || []).map((said) => make("p", { class: "quote" }, said)),
      make("p", { class: "sum" }, plural(data.systems.length, "system"), ", ", plural(data.conditions.length, "condition"),
        data.tolerances.length ? [", ", plural(data.tolerances.length, "tolerance")] : "", ", ", plural(rows, "document"), "."),
      classesOf(Object.keys(NAMES).filter((name) => name !== "U"))];
  }
  return [
    make("div", { class: "total" },
      make("p", { class: "ser" }, make("b", { id: "ser" }, cell(rate)), make("span", {}, `${cell(rate) === "n/a" ? "" : "%"} ${data.rate}`)),
      data.interval ? make("p", { class: "sum", id: "interval" }, data.interval) : "",
      make("p", { class: "sum" }, `${errors} `, make("b", {}, cell(errors)), " for ", make("b", {}, cell(size)), ` ${data.sizes[0]}; `,
        make("b", {}, cell(found)), ` ${data.sizes[1]}; `, plural(rows, "document"), ".")),
    make("div", { class: "big" }, bar(total)),
    classesOf(data.columns.filter((name, k) => name in NAMES && Number(total[k]))),
  ];
};

// a link to the cases of a label, on the first page that has an error with it, or else has it
const labelLink = (cells, label, words) => {
  const its = cells.filter(([ref, hyp]) => ref === label || hyp === label);
  const wrong = its.filter(([, , letters]) => Object.keys(letters).some((letter) => letter !== "C"));
  const page = Math.min(...(wrong.length ? wrong : its).map(([, , , first]) => first));
  return its.length ? make("a", { href: `${file(page)}${query({ ...words, label })}#errors` }, label) : label;
};
const kindLink = (name, words) => (data.last ? name : make("a", { href: `${query({ ...words, label: `*${name}` })}#errors` }, name));
const MANY = 200; // labels
const matrix = (cells, words) => {
  if (!cells.length) return make("p", { class: "none" }, "No element on either side.");
  const axis = (at) => { const found = new Set(cells.map((cell) => cell[at])); return [...[...found].filter((label) => label !== null).sort(), ...(found.has(null) ? [null] : [])]; };
  const [rows, columns] = [axis(0), axis(1)];
  const [sums, of] = [[new Map(), new Map()], new Map(rows.map((row) => [row, new Map()]))];
  for (const [ref, hyp, letters, page] of cells) {
    const size = Object.values(letters).reduce((sum, count) => sum + count, 0);
    [ref, hyp].forEach((label, side) => sums[side].set(label, (sums[side].get(label) || 0) + size));
    of.get(ref).set(hyp, [size, Object.keys(letters).sort(), page]);
  }
  const cell = (row, column) => {
    const its = of.get(row).get(column);
    if (!its) return make("td", {});
    const [size, letters, page] = its;
    const kind = letters.every((letter) => letter === "C" || letter === "S_S") ? "hit" : letters.find((letter) => letter !== "C")[0];
    const href = `${file(page)}${query({ ...words, ref: row || "", hyp: column || "" })}#errors`;
    return make("td", { class: `m-${kind}` }, make("a", { href }, size));
  };
  const joined = (line) => { // in a wide matrix, a stretch of empty cells is one cell
    let last = null;
    return columns.length <= MANY ? line : line.filter((one) => {
      if (last && !one.firstChild) { last.colSpan += 1; return false; }
      last = one.firstChild ? null : one;
      return true;
    });
  };
  const withD = columns.includes(null) ? "with-D" : null;
  const table = make("table", { class: "matrix", id: "matrix" },
    make("thead", { class: withD }, make("tr", {}, make("th", { scope: "col", class: "corner" }, "ref ↓ hyp →"),
      columns.map((label) => make("th", { scope: "col", class: label === null && "t-D" }, make("span", {}, label === null ? "D" : label))),
      make("th", { scope: "col", class: "sum" }, make("span", {}, "Ref")))),
    make("tbody", { class: withD }, rows.map((row) => make("tr", {}, make("th", { scope: "row", class: row === null && "t-I" }, row === null ? "I" : row), joined(columns.map((column) => cell(row, column))),
      make("td", { class: row === null ? "sum t-I" : "sum" }, sums[0].get(row)))),
      make("tr", { class: "sum" }, make("th", { scope: "row" }, "Hyp"), columns.map((label) => make("td", { class: label === null && "t-D" }, sums[1].get(label))), make("td", {}))));
  const found = make("div", { class: "wide matrix-box", tabindex: 0, role: "region", "aria-label": "Confusion matrix" }, table);
  found.style.setProperty("--rows", rows.length);
  found.style.setProperty("--columns", columns.length);
  return found;
};

// whose errors: the sentence to quote, costs and shares, groups, causes and misheard words
const badgeOf = (group) => make("span", { class: `badge b-${group}`, title: data.badges[group][1] }, data.badges[group][0]);
const whose = ({ sentence, costs: [heads, ...rows], causes, groups, insertions, mishearings, notes }) => {
  const link = (value, count) => (count ? make("a", { href: `${file(data.last && 1)}${query({ blame: value })}#${data.last ? "first" : "errors"}` }, count) : count);
  const said = insertions.map((count, k) => `${counted(count, "insertion")} on ${["reference words", "the recogniser’s words"][k]}`);
  return [
    make("p", { class: "quote" }, sentence),
    make("div", { class: "beside" },
      tableOf("blame-costs", heads, [rows], false),
      make("div", {}, tableOf("blame-causes", ["reference elements", "all", ...causes], [groups.map(([group, count, own]) => [badgeOf(group), link(group, count),
        ...causes.map((cause, k) => (own.length ? link(`${group}-${cause}`, own[k]) : ""))])], false),
      make("p", { class: "note" }, `${said.join(", ")}.`)),
      mishearings.length ? tableOf("misheard", ["said", "heard", "lost"], [mishearings.map(([words, heard, count]) => [make("q", {}, words), heard ? make("q", {}, heard) : "nothing", count])], false) : ""),
    make("p", { class: "note" }, notes.join(" ")),
  ];
};

// all figures of a condition at a tolerance; the confusion is that of the first of the chosen systems
const drawFigures = (condition = 0, setting = 0, system = 0) => {
  const its = data.figures[condition][setting];
  const [cells, rate] = [its.confusion[system], data.headline[0]];
  const words = condition ? { words: condition } : {};
  const place = (name) => file(data.places && data.places[condition][name]);
  // of several systems the rate comes first, with its interval
  const ends = { ...data.intervals[data.conditions[condition]] };
  const at = data.columns.indexOf(rate);
  const led = ([...row]) => [...row.splice(at, isAlone ? 0 : 1), ...row];
  const total = its.totals.map((row, k) => [isAlone ? "all" : data.systems[k], ...led(row.with(at, [make("b", {}, row[at]), " ", make("small", {}, ends[data.systems[k]] || "")]))]);
  // the cells of a document or label: of the only system all figures, of several the rate of each
  const figured = (row, link) => (isAlone ? [bar(row), ...row.map((cell, k) => (k === at ? make("b", {}, cell) : link && cell !== "0" && data.columns[k] in NAMES ? make("a", { href: link(data.columns[k]) }, cell) : cell))] : row);
  const heads = isAlone ? ["", ...data.columns] : data.systems;
  one("#headline").replaceChildren(...[headline(its)].flat());
  one("#condition").textContent = data.conditions[condition];
  room("#all", tableOf("totals", [isAlone ? "" : "system", ...led(data.columns)], [total], !isAlone), make("p", { class: "note" }, its.notes), make("p", { class: "signature" }, data.blame ? data.blame.signature : its.signature));
  if (isAlone) { one("#jump").before(one("#all")); one("#systems").parentNode.hidden = true; }
  if (!isAlone) one("#worst").textContent = one("#rates").textContent = rate;
  const order = new Map(data.figures[condition][0].documents.map(([name], k) => [name, k])); // that of the first tolerance
  const documents = [...its.documents].sort(([a], [b]) => order.get(a) - order.get(b));
  room("#of-documents");
  search.parentNode.hidden = documents.length <= 12;
  cut(one("#of-documents"), tableOf("by-document", ["document", ...heads], [documents.map(([name, row]) => {
    const at = anchor(slugOf(name, condition));
    return [make("a", { href: `${place(name)}${at}` }, name), ...figured(row, (letter) => `${place(name) || ""}${query({ class: letter })}${at}`)];
  })]));
  searched();
  const labels = its.labels.map(([name, row], k) => [k < data.summed ? kindLink(name, words) : labelLink(cells, name, words), ...figured(row)]);
  room("#of-labels", tableOf("by-label", ["label", ...heads], [labels.slice(0, data.summed), labels.slice(data.summed)].filter((rows) => rows.length)));
  one("#whole").textContent = isAlone ? "" : data.systems[system];
  for (const [name, rows] of data.strata || []) {
    one("#strata").textContent = `By ${name}`;
    room("#of-strata", tableOf(`by-${name}`, [name, ...heads], [rows.map(([stratum, row]) => [stratum, ...figured(row)])]));
  }
  if (isAlone && !data.tolerances.length) {
    one("#by-document tr").cells[1 + heads.indexOf(rate)].setAttribute("aria-sort", data.isRising ? "ascending" : "descending");
    one("#by-label tr").cells[1 + heads.indexOf(data.headline[1])].setAttribute("aria-sort", "descending");
  }
  room("#of-pairs", matrix(cells, words));
};

// --- the page
const crumbs = () => {
  const links = [["index.html", "All documents"], [data.page > 1 && file(data.page - 1), "← previous"], [data.page < data.last && file(data.page + 1), "next →"]];
  one("#crumbs").hidden = false;
  one("#crumbs").append(...links.filter(([href]) => href).flatMap(([href, text], k) => [k ? " · " : "", make("a", { href }, text)]), ` · page ${data.page} of ${data.last}`);
};
one("#title").textContent = data.title || "sereval";
if (data.page) { crumbs(); one("#headline").append(classesOf(Object.keys(NAMES))); }
if (data.figures) drawFigures();
if (data.blame) room("#shares", whose(data.blame));
if (data.report) room("#quoted", data.report);
if (data.chart) { one("#curve").parentNode.hidden = false; one("#rate").textContent = data.headline[0]; }
const hasDocuments = Boolean(one("#lines").textContent.trim());
if (hasDocuments) one("#errors").parentNode.hidden = false; else one("#tools").remove();
if (isAlone && hasDocuments && !data.tolerances.length && data.conditions.length === 1) one("#legend").after(one("#tools"));
const heads = all("main section").filter((section) => !section.hidden).map((section) => one("h2", section));
if (heads.length > 1) one("#jump").append(...heads.flatMap((head) => [make("a", { href: `#${head.id}` }, head.firstChild.textContent.trim()), " "]));
one("#footer").append(data.title || "", make("br", {}), ...(data.command ? [make("code", {}, data.command), make("br", {})] : []), data.blame ? data.blame.signature : data.signature || "");
