() => {
  // what the bar says: the document, the number of the case, its classes and labels
  const text = (name) => document.querySelector(name).textContent;
  const which = [...document.querySelectorAll("#which b, #which .label")];
  return [text("#where"), text("#count"), which.map((part) => part.textContent).join(" ")];
}
