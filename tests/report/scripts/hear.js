() => {
  const play = Audio.prototype.play;
  window.heard = [];
  Audio.prototype.play = function () {
    const hear = (what) => heard.push([what, this.currentTime]);
    for (const what of ["playing", "pause", "ended"]) {
      this.addEventListener(what, () => hear(what), { once: true });
    }
    window.played = this;
    hear("play");
    return play.call(this);
  };
}
