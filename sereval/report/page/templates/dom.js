// Finding and making parts of the page. All text goes in as text, so none of it can be markup.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const root = document.documentElement;
const box = (thing) => thing.getBoundingClientRect();

const filled = (made, attributes, inside) => {
  for (const name in attributes) {
    if (attributes[name] !== null && attributes[name] !== false) made.setAttribute(name, attributes[name]);
  }
  made.append(...inside.flat(9).filter((part) => part !== null && part !== ""));
  return made;
};
const make = (tag, attributes, ...inside) => filled(document.createElement(tag), attributes, inside);
const shape = (tag, attributes, ...inside) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, inside);

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const range = (count) => Array.from({ length: count }, (_, k) => k);
// the number of things at the start of a list that are passed
const passed = (list, isPassed) => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPassed(list[middle])) low = middle + 1; else high = middle;
  }
  return low;
};
// a time in ms as minutes and seconds
const clock = (ms, digits = 1) => {
  const unit = 10 ** (3 - digits);
  const units = Math.floor((ms + unit / 2) / unit);
  const [minutes, rest] = [Math.floor((units * unit) / 60000), units % (60000 / unit)];
  const [whole, part] = [Math.floor(rest / 10 ** digits), rest % 10 ** digits];
  return `${minutes}:${String(whole).padStart(2, "0")}${digits ? `.${String(part).padStart(digits, "0")}` : ""}`;
};
// runs something when the browser has painted the page once
const afterPaint = (run) => requestAnimationFrame(() => setTimeout(run));
