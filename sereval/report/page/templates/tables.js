// Light and dark, the search for a document, and tables that sort. The page can be read without it.
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
addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === "t" && isPlain && !event.target.closest("input:not([type=checkbox]), select")) switchTheme();
});
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

