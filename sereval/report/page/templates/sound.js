// Sound: a link to a part of the recording plays it on this page.
const audio = new Audio();
audio.preload = "none";
let until = Infinity;
let playing = null;
let begins = 0;
let isLoop = false;
// the line at the time that is played, and the document whose recording it is
let cursor = null;
let heard = null;
const stop = () => {
  audio.pause();
  if (playing) playing.classList.remove("playing");
  if (cursor) cursor.remove();
  playing = cursor = null;
};
// plays a part of the recording of a document, in seconds; the part that plays already stops
const playPart = (doc, thing, file, start, end) => {
  const again = playing === thing;
  stop();
  if (again) return;
  if (audio.getAttribute("src") !== file) audio.setAttribute("src", file);
  [playing, heard, begins, until] = [thing, doc, start, end];
  thing.classList.add("playing");
  audio.currentTime = start;
  audio.play().catch(stop);
};
const docOf = (thing) => bySlug.get(thing.closest(".document").id);
const play = (link) => {
  const [file, fragment] = link.getAttribute("href").split("#t=");
  playPart(docOf(link), link, file, ...fragment.split(",").map(Number));
};
const follow = () => {
  const x = heard.scale ? heard.scale.at(audio.currentTime * 1000) : -1;
  const pieces = (heard.lines || []).flatMap((line) => line.pieces);
  const piece = pieces[Math.min(passed(pieces, (each) => each.right <= x), pieces.length - 1)];
  if (!piece || !piece.drawing) return;
  if (!cursor) cursor = shape("path", { class: "cursor" });
  if (cursor.parentNode !== piece.drawing) piece.drawing.append(cursor);
  cursor.setAttribute("d", `M${(x - piece.left).toFixed(1)} 0V${piece.drawing.viewBox.baseVal.height}`);
};
const watch = () => {
  if (!playing) return;
  if (audio.currentTime >= until) { if (!isLoop) { stop(); return; } audio.currentTime = begins; }
  follow();
  requestAnimationFrame(watch);
};
const say = (text) => { if (one("#found")) one("#found").textContent = text; };
const loop = () => { isLoop = !isLoop; say(isLoop ? "sound in a loop" : "sound played once"); };
// setting a source takes the rate back to the default, so both are set
const slow = () => {
  audio.defaultPlaybackRate = audio.playbackRate = audio.playbackRate < 1 ? 1 : .6;
  say(audio.playbackRate < 1 ? "sound slowly" : "sound at its speed");
};
audio.addEventListener("playing", watch);
audio.addEventListener("error", () => say(`no sound: ${decodeURIComponent(audio.getAttribute("src"))} is missing or cannot be played`));
audio.addEventListener("ended", stop);
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a.play");
  if (link) { event.preventDefault(); play(link); return; }
  if (event.target.time) {
    playPart(docOf(event.target), event.target, docOf(event.target).sound, ...event.target.time.map((ms) => ms / 1000));
    return;
  }
  const bar = event.target.closest("a.bar");
  const told = bar && document.getElementById(decodeURIComponent(bar.getAttribute("href").slice(1)));
  const sound = told && one("a.play", told);
  if (sound) play(sound);
});

