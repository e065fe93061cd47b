// What a reader takes away: the shown cases as CSV, a link to the view, notes on cases as JSON lines.
const save = (name, type, text) => make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name }).click();
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const rowOf = (its) => its.answers.flatMap((answer, k) => (answer ? [[
  its.doc.id, isAlone ? "" : data.systems[its.doc.chosen[k]], answer.letter, answer.cost,
  its.ref ? its.ref.labels.join(" ") : "", its.ref ? its.ref.text : "", answer.hyp ? answer.hyp.labels[0] : "", answer.hyp ? answer.hyp.text : "", answer.why,
]] : []));
const HEADS = ["document", "system", "class", "cost", "reference_label", "reference_words", "hypothesis_label", "hypothesis_words", "why"];
const asCsv = () => [HEADS, ...shown.flatMap(rowOf)].map((row) => `${row.map((cell) => quoted(String(cell))).join(",")}\n`).join("");

// notes stay in this browser, under what the page is of; without storage, in this window
const KINDS = ["reference wrong", "label guide unclear", "other"];
const storeName = `sereval notes ${data.title} ${data.signature}`;
let notes = {};
try { notes = JSON.parse(localStorage.getItem(storeName)) || {}; } catch {}
const tellNotes = () => {
  const { length } = Object.keys(notes);
  Object.assign(one("#take-notes"), { hidden: !length, textContent: counted(length, "note") });
};
// a note on words that the page has no more was made on other files
const forget = ({ id, elements: [{ text }] }) => { if (notes[id]?.words !== text) delete notes[id]; };
const keep = (its, kind, text) => {
  const [element] = its.elements;
  if (kind) notes[its.id] = { document: its.doc.id, side: its.ref ? "reference" : "hypothesis", index: element.index, label: element.labels[0], words: element.text, kind, text };
  else delete notes[its.id];
  try { localStorage.setItem(storeName, JSON.stringify(notes)); } catch {}
  tellNotes();
};
// a button, and after a click or with a note the kind of the note and its text
const noteOf = (its) => {
  if (!isAlone) return "";
  const given = notes[its.id];
  const room = make("span", { class: "note-on" });
  const write = () => {
    const { kind, text } = notes[its.id] || { kind: "", text: "" };
    const choice = make("select", { "aria-label": "Kind of the note" }, make("option", { value: "" }, "no note"), KINDS.map((name) => make("option", { value: name }, name)));
    const said = make("input", { "aria-label": "Text of the note", placeholder: "in your words", value: text });
    choice.value = kind;
    for (const field of [choice, said]) field.addEventListener("change", () => keep(its, choice.value, said.value));
    room.replaceChildren(choice, said);
    return choice;
  };
  if (given) { write(); return room; }
  const button = make("button", { title: "Note on this case" }, "note");
  button.addEventListener("click", () => write().focus());
  room.append(button);
  return room;
};
if (tools) {
  one("#take-csv").addEventListener("click", () => save("cases.csv", "text/csv", asCsv()));
  one("#take-link").addEventListener("click", () => {
    const copied = navigator.clipboard ? navigator.clipboard.writeText(location.href) : Promise.reject(new Error("none"));
    copied.then(() => say("link copied"), () => prompt("Link to this view", location.href));
  });
  one("#take-notes").addEventListener("click", () => save("notes.jsonl", "application/x-ndjson", Object.values(notes).map((note) => `${JSON.stringify(note)}\n`).join("")));
}
