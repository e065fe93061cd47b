// Sound: a link to a part of the recording plays it on this page.
const audio = new Audio();
audio.preload = "none";
let until = Infinity;
let playing = null;
let begins = 0;
let isLoop = false;
const stop = () => { audio.pause(); if (playing) playing.classList.remove("playing"); playing = null; };
const play = (link) => {
  const [file, fragment] = link.getAttribute("href").split("#t=");
  const [start, end] = fragment.split(",").map(Number);
  const again = playing === link;
  stop();
  if (again) return;
  if (audio.getAttribute("src") !== file) audio.setAttribute("src", file);
  playing = link;
  link.classList.add("playing");
  [begins, until] = [start, end];
  audio.currentTime = start;
  audio.play().catch(stop);
};
const watch = () => {
  if (!playing) return;
  if (audio.currentTime >= until) { if (!isLoop) { stop(); return; } audio.currentTime = begins; }
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
audio.addEventListener("ended", stop);
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a.play");
  if (link) { event.preventDefault(); play(link); return; }
  const bar = event.target.closest("a.bar");
  const told = bar && document.getElementById(decodeURIComponent(bar.getAttribute("href").slice(1)));
  const sound = told && one("a.play", told);
  if (sound) play(sound);
});

