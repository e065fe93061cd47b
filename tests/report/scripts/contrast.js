() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (c) => c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + .05) / (y + .05); };
  const of = (element, what) => getComputedStyle(element)[what];
  const found = {};
  for (const bar of document.querySelectorAll("a.bar")) {
    const ground = rgb(of(bar.querySelector("rect"), "fill"));
    for (const text of bar.querySelectorAll("text")) {
      found[bar.getAttribute("class") + " " + text.getAttribute("class")] =
        ratio(rgb(of(text, "fill")), ground);
    }
  }
  const card = rgb(of(document.querySelector(".stretch"), "backgroundColor"));
  const letters = ["C", "D", "I", "S_S", "S_T", "S_ST"].map(letter => `.k-${letter}.k`);
  for (const name of [...letters, ".why", ".entry a", "h3 a"]) {
    const one = document.querySelector(".stretch " + name);
    if (one) found[name] = ratio(rgb(of(one, "color")), card);
  }
  return found;
}
