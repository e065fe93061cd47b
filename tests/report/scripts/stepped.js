async (to) => {
  // presses a key, or follows a link, and says what of the case at hand cannot be seen
  const tools = document.querySelector("#tools");
  const heard = new Promise((done) => addEventListener("hashchange", done, { once: true }));
  if (to.startsWith("#")) location.hash = to;
  else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: to, bubbles: true }));
  await heard;
  await (SETTLED)();
  const box = (thing) => thing.getBoundingClientRect();
  const entry = document.querySelector(".entry.here");
  const [bar, row] = [box(tools), box(entry)];
  const hidden = [];
  if (bar.top < 0 || bar.left < 0) hidden.push("bar");
  if (row.top < bar.bottom || row.bottom > innerHeight + 1) hidden.push("row");
  const drawn = [...document.querySelectorAll("a.bar.here")];
  if (!drawn.length) hidden.push("drawing");
  for (const one of drawn) {
    const its = box(one.querySelector("rect"));
    const flow = box(one.closest(".flow"));
    const isAcross = its.left < flow.right - 20 && its.right > flow.left + 20;
    const isInside = its.left >= Math.max(flow.left, 0)
      && its.right <= Math.min(flow.right, innerWidth);
    const name = `${one.textContent} of ${entry.id}`;
    if (its.top < bar.bottom || its.bottom > row.top) hidden.push(`${name}: above or below`);
    if (!isAcross || (its.width < 300 && !isInside)) hidden.push(`${name}: aside`);
  }
  return [entry.id, hidden, (LOCATED)()];
}
