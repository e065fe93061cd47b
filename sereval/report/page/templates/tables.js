// Light and dark, tables that are drawn from lists and sort, and the search for a document.
const data = JSON.parse(one("#data").textContent);
const NAMES = data.names;
const isAlone = data.systems.length === 1;
const file = (page) => (page ? `${page}.html` : "");
const query = (given) => `?${new URLSearchParams(given)}`;
// the anchor of a document: ids are any text, anchors have no spaces
const slugOf = (id, condition) => id.replace(/[\s%]/g, encodeURIComponent) + (condition ? `.${condition + 1}` : "");
const anchor = (id) => `#${encodeURIComponent(id)}`;
const plural = (count, noun) => [make("b", {}, count), ` ${noun}${Number(count) === 1 ? "" : "s"}`];

// --- light and dark: the choice is stored if the browser allows it
const stored = (value) => {
  try {
    if (value) localStorage.setItem("sereval-theme", value);
    return localStorage.getItem("sereval-theme");
  } catch { return value; }
};
const isDark = () => root.dataset.theme
  ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const switchTheme = () => { root.dataset.theme = isDark() ? "light" : "dark"; stored(root.dataset.theme); };
if (stored()) root.dataset.theme = stored() === "dark" ? "dark" : "light";
addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === "t" && isPlain && !event.target.closest("input:not([type=checkbox]), select")) switchTheme();
});
one("#theme").addEventListener("click", switchTheme);

// --- tables: a head sorts by its column, numbers from the largest, once more the other way round
const sorted = {}; // by the name of a table: the column and the way by which it is sorted
const number = (cell) => parseFloat(cell.textContent.replace("−", "-"));
const sort = (table) => {
  if (!sorted[table.id]) return;
  const { at, down, isNumber } = sorted[table.id];
  all("thead th", table).forEach((head, k) => { if (k === at) head.setAttribute("aria-sort", down ? "descending" : "ascending"); else head.removeAttribute("aria-sort"); });
  const value = (row) => (isNumber ? number(row.cells[at]) : row.cells[at].textContent);
  const compare = (one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === b || (a !== a && b !== b)) return 0;
    if (a !== a || b !== b) return a !== a ? 1 : -1; // without a number: last
    return (a < b ? -1 : 1) * (down ? -1 : 1);
  };
  for (const body of table.tBodies) body.append(...[...body.rows].sort(compare));
};
const sortBy = ({ currentTarget }) => {
  const [head, table] = ["th", "table"].map((tag) => currentTarget.closest(tag));
  const at = head.cellIndex;
  const isNumber = at > 0 && [...table.tBodies].some((body) => [...body.rows].some((row) => !isNaN(number(row.cells[at]))));
  const before = head.getAttribute("aria-sort");
  sorted[table.id] = { at, isNumber, down: before ? before === "ascending" : isNumber };
  sort(table);
};
const headOf = (text, sorts) => {
  const button = text && sorts ? make("button", { type: "button" }, text) : text || make("span", { class: "sr" }, sorts ? "shares of classes" : "part");
  if (text && sorts) button.addEventListener("click", sortBy);
  return make("th", { scope: "col", class: text in NAMES ? `t-${text}` : text || !sorts ? null : "shares-head", title: NAMES[text] || null }, button);
};
// the rows of each body are lists of texts or nodes, the first of which is the head of its row
const tableOf = (id, heads, bodies, sorts = true) => {
  const table = make("table", { class: sorts ? "figures sorts" : "figures", id },
    make("thead", {}, make("tr", {}, heads.map((head) => headOf(head, sorts)))),
    bodies.map((rows) => make("tbody", {}, rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), cells.map((cell) => make("td", {}, cell)))))));
  sort(table);
  return make("div", { class: "wide" }, table);
};

// --- long tables are cut, until all of them is wished or searched
const MOST = 100;
const cut = (room, table) => {
  const rest = all("tbody tr", table).length - MOST;
  const isWhole = rest <= 0 || room.dataset.whole === "yes";
  const whole = () => { room.dataset.whole = "yes"; table.classList.remove("cut"); if (more) more.remove(); };
  const more = isWhole ? null : make("button", { type: "button", class: "more" }, `${rest} more`);
  if (more) { table.classList.add("cut"); more.addEventListener("click", whole); }
  room.replaceChildren(table, ...(more ? [more] : []));
};
const search = one("#search");
const searched = () => {
  const wanted = search.value.toLowerCase();
  if (wanted) for (const more of all("#of-documents .more")) more.click();
  for (const row of all("#by-document tbody tr")) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
};
search.addEventListener("input", searched);
