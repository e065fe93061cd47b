() => new Promise((done) => {
  // the browser lays out what comes near the window in later frames: until a few change nothing
  const place = () => [scrollX, scrollY, document.documentElement.scrollHeight].join();
  let [before, same] = ["", 0];
  const look = () => {
    same = place() === before ? same + 1 : 0;
    before = place();
    if (same > 3) done(); else requestAnimationFrame(look);
  };
  look();
})
