// The page: what was dropped goes to the worker, which runs sereval; what it prints is shown.
const form = document.querySelector("#score-here");
const [state, result, errors] = [".state", ".result", ".errors"].map(name => form.querySelector(name));
const [score, bundled] = form.querySelectorAll("button");
const [page, save] = errors.querySelectorAll("a");
const BUNDLED = { reference: "data/ref", system: "data/hyp/gazetteer/asr" };
const TIMES = "--align data/align --words data/asr --tolerance 0.3";

const held = { reference: null, system: null, more: null }; // side -> {path, files: [[path, File]]}
let isReady = false;

function show() {
  for (const [side, its] of Object.entries(held)) {
    const box = form[side].closest(".side");
    box.classList.toggle("full", !!its);
    if (its) box.querySelector(".held").textContent = its.said;
  }
  score.disabled = !(isReady && held.reference && held.system);
  bundled.disabled = !isReady;
}

// A folder is named with the number of its files, a file by itself.
function named(files) {
  const counts = new Map();
  for (const [path] of files) {
    const top = path.split("/")[0];
    counts.set(top, (counts.get(top) ?? 0) + path.includes("/"));
  }
  return [...counts].map(([top, count]) => (count ? `${top}: ${count} files` : top)).join(", ");
}

// One file is scored by itself; several are the folder of their side. What options name keeps its name.
function hold(side, files) {
  if (!files.length) return;
  if (side === "more") {
    const all = [...new Map([...(held.more?.files ?? []), ...files])];
    held.more = { files: all, said: named(all) };
  } else {
    const top = /^[^/]*[/]/.exec(files[0][0])?.[0];
    const isFolder = top && files.every(([path]) => path.startsWith(top));
    const inside = files.map(([path, file]) => [`${side}/${isFolder ? path.slice(top.length) : path}`, file]);
    held[side] = { path: inside.length === 1 ? inside[0][0] : side, files: inside, said: named(files) };
  }
  show();
  run();
}

async function below(entry) {
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    return [[entry.fullPath.slice(1), file]];
  }
  const reader = entry.createReader();
  const entries = [];
  for (let some = [null]; some.length; entries.push(...some)) // a reader gives a hundred at a time
    some = await new Promise((done, failed) => reader.readEntries(done, failed));
  const shown = entries.filter(({ name }) => !name.startsWith("."));
  return (await Promise.all(shown.map(below))).flat();
}

for (const side of Object.keys(held)) {
  const box = form[side].closest(".side");
  form[side].addEventListener("change", () => {
    hold(side, [...form[side].files].map(file => [file.name, file]));
    form[side].value = ""; // the same file, changed, may be chosen again
  });
  for (const [event, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]])
    box.addEventListener(event, it => {
      it.preventDefault();
      box.classList.toggle("over", isOver);
    });
  box.addEventListener("drop", async ({ dataTransfer: { items, files } }) => {
    const plain = [...files].map(file => [file.name, file]);
    const entries = [...items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
    hold(side, entries.length ? (await Promise.all(entries.map(below))).flat() : plain);
  });
}
addEventListener("dragover", it => it.preventDefault()); // a file dropped beside a box does not replace the page
addEventListener("drop", it => it.preventDefault());

bundled.addEventListener("click", () => {
  for (const [side, path] of Object.entries(BUNDLED)) held[side] = { path, files: [], said: `${path}: 9 files` };
  form.options.value = TIMES;
  form.querySelector("details").open = true;
  show();
  run();
});
form.addEventListener("submit", it => {
  it.preventDefault();
  run();
});

function run() {
  if (score.disabled) return; // it runs once Python is loaded
  state.textContent = "Scoring …";
  worker.postMessage({
    files: Object.values(held).flatMap(its => its?.files ?? []),
    paths: [held.reference.path, held.system.path],
    options: form.options.value,
  });
}

const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
worker.addEventListener("error", () => {
  state.textContent = location.protocol === "file:"
    ? "A browser runs this only from a server: python -m http.server, in the folder of the site."
    : "Python could not be loaded.";
});
worker.addEventListener("message", ({ data }) => {
  if (data.ready) {
    isReady = true;
    state.textContent = `Ready, ${data.ready} s.`;
    show();
    if (!score.disabled) run();
    return;
  }
  if (data.page) page.href = save.href = URL.createObjectURL(new Blob([data.page], { type: "text/html" }));
  else URL.revokeObjectURL(page.href); // of another score
  errors.hidden = !data.page;
  if (data.page) return;
  result.hidden = false;
  form.querySelector(".command").textContent = `$ ${data.line}`;
  form.querySelector(".refused").textContent = data.messages;
  form.querySelector(".report").textContent = data.printed;
  state.textContent = data.status ? "Not scored." : `Scored in ${data.seconds} s.`;
});
