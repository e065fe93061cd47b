() => {
  // the first error of the document in view that is not above the window, or its last one
  const line = document.querySelector("#tools").getBoundingClientRect().bottom + 200;
  const id = [...document.querySelectorAll("article.document")]
    .filter((one) => one.getBoundingClientRect().top <= line).pop().id;
  const errors = [...document.querySelectorAll(`#${id} .entry:not([data-class=C])`)];
  return (errors.find((one) => one.getBoundingClientRect().top >= 0) || errors.pop()).id;
}
