// Playing the bits: the regions as they are with the first 1, 2, 3, ... machines only.

const PLAY_MS = 650;

class Player {
  constructor(view) {
    this.view = view; this.frames = null; this.step = 0; this.timer = 0; this.waiting = false;
    this.bar = view.at(".player"); this.slider = this.bar.querySelector("input"); this.told = this.bar.querySelector(".played");
    this.slider.addEventListener("input", (e) => { this.stop(); this.step = Number(e.target.value); view.paint(); });
  }

  get playing() { return Boolean(this.timer); }

  get shown() { return Boolean(this.frames && this.step); }

  // Whether fewer than all bits are shown.
  get partial() { return this.shown && this.step < this.frames.length; }

  // The labels on the screen while fewer than all bits are.
  get labels() { return this.frames[this.step - 1]; }

  adopt(frames) {
    this.frames = frames;
    if (!frames) { if (!this.waiting) this.halt(); return; }
    if (this.waiting) { this.waiting = false; this.start(); }
    this.step = Math.min(this.step, frames.length);
  }

  toggle() {
    const { view } = this, { header } = view.data;
    if (this.playing) { this.stop(); return; }
    view.differences = false;
    if (this.frames && header.prefix.decoder === view.decoder) { this.start(); return; }
    this.waiting = true;
    const { key } = header.decoders[view.decoder];
    whenQuiet(view.root, () => view.component.setTriggerValue("frames", key));
  }

  start() {
    if (!this.step || this.step >= this.frames.length) this.step = 1;
    this.stop();
    this.timer = setInterval(() => {
      if (this.step >= this.frames.length) { this.stop(); this.view.controls.draw(); return; }
      this.step += 1; this.view.paint();
    }, PLAY_MS);
  }

  stop() { clearInterval(this.timer); this.timer = 0; }

  halt() { this.stop(); this.step = 0; this.waiting = false; }

  report() {
    const { view } = this, { header } = view.data;
    const shown = this.shown && header.prefix.decoder === view.decoder;
    this.bar.hidden = !shown;
    if (!shown) return;
    const k = this.step - 1, length = header.prefix.lengths[k], wrong = header.prefix.errors[k], { of } = header.prefix;
    this.slider.max = this.frames.length; this.slider.value = this.step;
    const distance = doubledRowDistance(header.code, length) / 2, share = ((100 * wrong) / of).toFixed(1);
    this.told.textContent = `${length} of ${header.nBits} bits: row distance ${distance}, error ${share} % (${wrong} of ${of})`;
  }
}
