(selector) => {
  // how far below the bar, or the top of the window, something stands
  const tools = document.querySelector("#tools");
  const bar = tools && !tools.hidden ? Math.max(tools.getBoundingClientRect().bottom, 0) : 0;
  return Math.round(document.querySelector(selector).getBoundingClientRect().top - bar);
}
