// The chart of a sweep: the rate of each system against the tolerance, from zero, intervals as bands.
const CHART = { least: 320, most: 760, high: 270, left: 36, top: 12, bottom: 34 };
const TICK = 34; // px of the number of a tolerance
const chart = () => {
  const room = one("#chart");
  const { ms } = data;
  const [rates, lows, highs] = [0, 1, 2].map((at) => data.chart.map((own) => own.map((point) => point[at])));
  const { high, left, top, bottom } = CHART;
  const wide = Math.min(Math.max(room.clientWidth, CHART.least), CHART.most);
  const right = Math.min(16 + Math.max(...data.systems.map(labelWidth)), wide / 3);
  const most = Math.max(10, Math.ceil(Math.max(...highs.flat()) / 10) * 10);
  const x = (at) => left + ((ms[at] - ms[0]) / (ms[ms.length - 1] - ms[0] || 1)) * (wide - left - right);
  const y = (rate) => top + (1 - rate / most) * (high - top - bottom);
  const path = (row, order = range(row.length)) => order.map((at) => `${x(at).toFixed(1)} ${y(row[at]).toFixed(1)}`).join("L");
  const grid = range(Math.floor(most / 10) + 1).filter((k) => most <= 60 || k % 2 === 0).map((k) => k * 10);
  const every = Math.ceil((ms.length * TICK) / (wide - left - right));
  const now = Number(valueOf("tolerance"));
  const chosen = [Number(valueOf("first")), Number(valueOf("second"))];
  const ends = rates.map((row, k) => [y(row[row.length - 1]), k]).sort((a, b) => a[0] - b[0]);
  ends.forEach((end, k) => { if (k) end[0] = Math.max(end[0], ends[k - 1][0] + 14); }); // names do not overlap
  const kind = (k) => (k === chosen[0] ? "first" : k === chosen[1] ? "second" : "other");
  const drawing = shape("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": "Rate of each system against the tolerance; the report has the numbers" },
    grid.map((rate) => [shape("path", { class: "grid", d: `M${left} ${y(rate)}H${wide - right}` }), shape("text", { class: "y", x: left - 8, y: y(rate) + 4 }, rate)]),
    ms.map((each, at) => (at % every === 0 || at === now ? shape("text", { class: at === now ? "x now" : "x", x: x(at), y: high - bottom + 16 }, each / 1000) : "")),
    shape("text", { class: "x", x: (left + wide - right) / 2, y: high - 2 }, "tolerance in seconds"),
    shape("path", { class: "now", d: `M${x(now)} ${top}V${high - bottom}` }),
    rates.map((row, k) => [
      shape("path", { class: `band ${kind(k)}`, d: `M${path(lows[k])}L${path(highs[k], range(row.length).reverse())}z` }),
      shape("path", { class: `curve ${kind(k)}`, d: `M${path(row)}` }),
      row.map((rate, at) => shape("circle", { class: `dot ${kind(k)}`, cx: x(at), cy: y(rate), r: at === now ? 4.5 : 2.5 },
        shape("title", {}, `${data.systems[k]} at ${data.tolerances[at]}: ${rate.toFixed(1)} [${lows[k][at].toFixed(1)}, ${highs[k][at].toFixed(1)}]`))),
    ]),
    ends.map(([at, k]) => shape("text", { class: `name ${kind(k)}`, x: wide - right + 8, y: at + 4 }, data.systems[k])));
  drawing.addEventListener("click", (event) => {
    const scale = wide / box(drawing).width;
    const at = (event.clientX - box(drawing).left) * scale;
    const nearest = range(ms.length).reduce((best, each) => (Math.abs(x(each) - at) < Math.abs(x(best) - at) ? each : best), 0);
    fields.tolerance.value = nearest;
    reload();
    write("pushState");
  });
  room.replaceChildren(drawing);
};
