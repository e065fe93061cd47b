// Before the search takes what a reader typed: --by asks for an option, where a hyphen alone would exclude
// the word; words that nearly every page has are left out, unless they are quoted.
const COMMON = /(^|\s)(a|an|and|are|at|be|by|for|has|have|in|is|it|must|no|of|on|one|or|the|their|to|was|were|with)(?=\s|$)/gi;
const post = Worker.prototype.postMessage;

function asked(text) {
  const options = text.replace(/(^|\s)--(?=\w)/g, "$1option ").replace(/(^|\s)-(?=\w(\s|$))/g, "$1short option ");
  if (options !== text || text.includes('"')) return options;
  return text.replace(COMMON, "").trim() || text;
}

Worker.prototype.postMessage = function (message, ...rest) {
  const isQuery = typeof message?.data === "string";
  return post.call(this, isQuery ? { ...message, data: asked(message.data) } : message, ...rest);
};

document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
