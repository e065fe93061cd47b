// Python with sereval, beside the page: it loads once, and runs a command for each message.
import { loadPyodide } from "./pyodide.mjs";

const HERE = "/here";
const ERRORS = "errors.html";
const ALONE = `
import os, shutil
for name in set(os.listdir()) - {"data"}:
    shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
`;
// No numpy was built for the browser: the page of errors has no interval beside its rate.
const NO_INTERVAL = `
from sereval.report.page import tables
tables.with_interval = lambda score, _: score
`;

let printed, messages;
const python = await load();
const main = python.pyimport("sereval.cli").main;
let last = Promise.resolve(); // one command at a time: each has the folder to itself
addEventListener("message", ({ data }) => {
  last = last.then(() => answer(data));
});
postMessage({ ready: (performance.now() / 1000).toFixed(1) });

async function load() {
  const program = fetch(new URL("program.zip", import.meta.url)).then(its => its.arrayBuffer());
  const python = await loadPyodide();
  python.setStdout({ batched: line => printed.push(line) });
  python.setStderr({ batched: line => messages.push(line) });
  python.FS.mkdirTree(HERE);
  python.FS.chdir(HERE);
  python.unpackArchive(await program, "zip", { extractDir: "/program" });
  python.runPython('import sys; sys.path.insert(0, "/program")');
  python.FS.rename("/program/data", `${HERE}/data`);
  return python;
}

async function answer({ files, paths, options }) {
  python.runPython(ALONE);
  for (const [path, file] of files) {
    python.FS.mkdirTree(`${HERE}/${path}`.replace(/\/[^/]*$/, ""));
    python.FS.writeFile(`${HERE}/${path}`, new Uint8Array(await file.arrayBuffer()));
  }
  const begun = performance.now();
  const line = `sereval score ${paths.join(" ")} ${options}`.trim();
  let given = [];
  const status = run(() => {
    given = [...paths, ...python.pyimport("shlex").split(options).toJs()];
    return main(python.toPy(["score", ...given]));
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  postMessage({ line, status, seconds, printed: printed.join("\n"), messages: messages.join("\n") });
  if (status) return;
  const isMade = !run(() => {
    python.runPython(NO_INTERVAL);
    return main(python.toPy(["audit", ...given, "--format", "html", "-o", ERRORS]));
  });
  if (isMade) postMessage({ page: python.FS.readFile(ERRORS) });
}

function run(command) {
  [printed, messages] = [[], []];
  try {
    return command();
  } catch (error) {
    const missing = /No module named '(\w+)'/.exec(error.message);
    const said = error.message.trim().split("\n").at(-1); // of a traceback
    messages.push(missing ? `This needs ${missing[1]}, which does not run in this page: install sereval.` : said);
    return 1;
  }
}
