// Where in a document its errors gather: a bar for each stretch of time, the errors of its elements by
// class from the line outwards, then what is correct. Of two systems the second one's hang down.
const STRIP = { high: 34, least: 12, most: 90, step: 10 }; // px; bars; px for a bar
const stripOf = (doc) => {
  const last = Math.max(0, ...doc.scored.given.slice(-1).flat(), ...doc.own.given.slice(-1).flat());
  const wide = Math.min(root.clientWidth - 40, STRIP.most * STRIP.step);
  const count = Math.min(Math.floor(wide / STRIP.step), Math.floor(doc.scored.words.length / 8));
  if (count < STRIP.least) return "";
  const lasts = last / count;
  const bins = range(count).map(() => doc.chosen.map(() => new Map()));
  for (const its of doc.cases) {
    const bin = bins[Math.min(Math.floor(its.order[0] / lasts), count - 1)];
    its.answers.forEach((answer, k) => answer && bin[k].set(answer.letter, (bin[k].get(answer.letter) || 0) + 1));
  }
  const errors = (found) => [...found].reduce((sum, [letter, size]) => sum + (letter === "C" ? 0 : size), 0);
  const every = (found) => [...found.values()].reduce((sum, size) => sum + size, 0);
  const unit = STRIP.high / Math.max(1, ...bins.flat().map(every));
  const when = (k) => (doc.timed ? [k, k + 1].map((at) => clock(at * lasts, 0)).join("–") : `words ${[k, k + 1].map((at) => Math.round((at * doc.scored.words.length) / count)).join("–")}`);
  const said = (k) => `${when(k)}: ${bins[k].map((found) => `${errors(found)} of ${every(found)} wrong`).join("; ")}`;
  const worst = range(count).reduce((best, k) => (errors(bins[k][0]) > errors(bins[best][0]) ? k : best), 0);
  const high = STRIP.high * doc.chosen.length;
  const drawing = shape("svg", { class: "strip", viewBox: `0 0 ${count * STRIP.step} ${high}`, width: count * STRIP.step, height: high, role: "img", "aria-label": `Errors by ${doc.timed ? "time" : "place"}; most in ${said(worst)}` },
    bins.map((own, k) => shape("g", {}, shape("title", {}, said(k)),
      shape("rect", { class: "bin", x: k * STRIP.step, y: 0, width: STRIP.step, height: high }),
      own.map((found, system) => {
        let at = 0;
        return Object.keys(NAMES).filter((letter) => letter !== "C" && found.has(letter)).concat(found.has("C") ? "C" : []).map((letter) => {
          const size = found.get(letter) * unit;
          at += size;
          return shape("rect", { class: `k-${letter}`, x: k * STRIP.step + 1, y: system ? STRIP.high + at - size : STRIP.high - at, width: STRIP.step - 2, height: size });
        });
      }))));
  drawing.addEventListener("click", ({ clientX }) => {
    const { left, width } = box(drawing);
    open(doc);
    const time = ((clientX - left) / width) * last;
    const line = passed(doc.lines, ({ ends }) => doc.scale.time(ends - 1) <= time);
    location.hash = `#${encodeURIComponent(doc.lines[Math.min(line, doc.lines.length - 1)].section.id)}`;
  });
  return drawing;
};
