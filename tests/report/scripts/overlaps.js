() => {
  const found = [];
  for (const row of document.querySelectorAll(".piece g")) {
    const words = [...row.querySelectorAll("text")].map(t => [t.textContent, t.getBBox()]);
    words.slice(1).forEach(([text, box], k) => {
      const [before, left] = words[k];
      if (left.width && left.x + left.width > box.x + 1) found.push(before + " " + text);
    });
  }
  for (const bar of document.querySelectorAll("a.bar")) {
    const [label, letter] = [...bar.querySelectorAll("text")].map(t => t.getBBox());
    if (label.x + label.width > letter.x + 1) found.push(bar.textContent);
  }
  return found;
}
