// @ts-check
// Decision regions on a canvas. Everything but a pick and a decoder switch stays in the browser.
// Puts its parts together: each does one thing and is told what it needs; what is shown is in the state.

import { setColours, themeOf } from "./colours.js";
import { Drawing } from "./drawing.js";
import { mounted } from "./mount.js";
import { Inbox } from "./payload.js";
import { Messenger } from "./quiet.js";
import { drawAxes } from "./region_axes.js";
import { Camera } from "./region_camera.js";
import { Controls } from "./region_controls.js";
import { askedBy } from "./region_keys.js";
import { drawRing, Marks } from "./region_marks.js";
import { paintRegions } from "./region_paint.js";
import { Picker } from "./region_picker.js";
import { Player } from "./region_player.js";
import { Pointer } from "./region_pointer.js";
import { readRecords } from "./region_records.js";
import { RegionState } from "./region_state.js";
import { Surface } from "./region_surface.js";
import { Tip, tipOf } from "./region_tip.js";

/** @import { Colours, Palette } from "./colours.js" */
/** @import { Payload } from "./payload.js" */
/** @import { Component } from "./quiet.js" */
/** @import { Place } from "./region_camera.js" */
/** @import { Header, Records } from "./region_records.js" */

/** @typedef {Uint8Array<ArrayBuffer>} Message */
/** @typedef {{ records: Records, colours: Colours }} Shown what is there to be shown, and how */

const LIGHT_MS = 90;
const STEP = 1.5; // how much a button zooms

class RegionView {
  #root;
  #palette;
  #messenger;
  #state = new RegionState();
  #camera = new Camera();
  #surface;
  #controls;
  #picker;
  #player;
  #tip;
  #drawing;
  #resizer;

  /** @type {Colours | null} */
  #colours = null;

  /** @type {Marks | null} */
  #marks = null;

  #inbox;
  #pending = false;

  /** How many bits the others were told that are used. */
  #used = 0;

  /** How often a decoder was chosen here: of several that wait to be told only the last is. */
  #chosen = 0;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lighting;

  /**
   * @param {HTMLElement} root
   * @param {Palette} palette
   */
  constructor(root, palette) {
    this.#root = root;
    this.#palette = palette;
    this.#messenger = new Messenger(root, () => this.#ready && !this.#inbox.reading);
    this.#inbox = new Inbox(root);
    this.#surface = new Surface(root);
    this.#controls = new Controls(root, (name) => this.#act(name));
    this.#tip = new Tip(root);
    this.#picker = new Picker(this.#state, this.#camera, this.#messenger, () => this.#paintOver());
    this.#player = new Player(root, {
      step: () => this.#paint(),
      end: () => this.#drawControls(),
      ask: (key) => this.#messenger.trigger("frames", key),
    });
    this.#drawing = new Drawing(root, this.#camera, this.#surface, {
      shown: () => this.#drawingShown(),
      train: (points) => this.#messenger.trigger("drawn", { points }),
    });
    this.#listen();
    this.#resizer = new ResizeObserver(() => this.#resize(false));
    this.#resizer.observe(this.#surface.stage);
  }

  #listen() {
    const { over } = this.#surface;
    new Pointer(over, this.#camera, {
      ready: () => this.#ready,
      hover: (at) => this.#hover(at),
      move: () => this.#paint(),
      choose: (at) => this.#picker.choose(at),
    });
    over.addEventListener("keydown", (e) => this.#pressed(e));
    window.addEventListener("ecocviz-column", this.#onColumn);
  }

  /** @param {Event} e of the code grid or the inspector, where a column is pointed at */
  #onColumn = (e) => {
    const { bit } = /** @type {CustomEvent<{ bit: number }>} */ (e).detail;
    clearTimeout(this.#lighting);
    this.#lighting = setTimeout(() => this.#state.light(bit) && this.#paint(), LIGHT_MS);
  };

  close() {
    this.#player.stop();
    this.#tellUsed(0);
    clearTimeout(this.#lighting);
    this.#resizer.disconnect();
    window.removeEventListener("ecocviz-column", this.#onColumn);
  }

  // ---- what Python sends ----

  /** @param {Component<Message>} component */
  async receive(component) {
    this.#messenger.connect(component);
    if (!component.data || !(await this.#inbox.read(component.data, (payload) => this.#adopt(payload)))) return;
    this.#dress();
    this.#resize(true);
  }

  /** @param {Payload<Header>} payload */
  #adopt(payload) {
    const records = readRecords(payload);
    const { header } = records;
    this.#camera.settle([...header.xRange, ...header.yRange]);
    if (this.#state.adopt(records)) this.#camera.reset();
    this.#player.adopt(records.frames);
    this.#surface.over.setAttribute("aria-label", header.alt);
  }

  /** Take the colours of the theme that the page has now. */
  #dress() {
    const { records } = this.#state;
    if (!records) return;
    this.#colours = themeOf(this.#root, this.#palette);
    setColours(this.#root, this.#colours);
    this.#drawControls();
    this.#controls.explain(records, this.#colours);
    this.#drawing.adopt(records, this.#colours);
  }

  /** @returns {Shown | null} */
  get #shown() {
    const { records } = this.#state;
    return records && this.#colours ? { records, colours: this.#colours } : null;
  }

  /** Whether there is something to be picked or changed. */
  get #ready() {
    return this.#shown?.records.header.bare === false;
  }

  // ---- what the user does ----

  /** @param {string} name as the buttons are called */
  #act(name) {
    if (!this.#shown || !this.#ready) return;
    const [what, k] = name.split(":");
    if (what === "draw") {
      this.#drawing.show(!this.#drawing.on);
      return;
    }
    if (what === "decoder") this.#switchTo(Number(k));
    else if (what === "differences") this.#toggleDifferences();
    else if (what === "shading") this.#state.toggleShading();
    else if (what === "play") this.#togglePlay(this.#shown.records);
    else if (what === "done") this.#player.halt();
    else if (what === "in") this.#camera.zoom(1 / STEP);
    else if (what === "out") this.#camera.zoom(STEP);
    else if (what === "home") this.#camera.reset();
    this.#drawControls();
    this.#paint();
  }

  /** @param {number} k */
  #switchTo(k) {
    const key = this.#state.choose(k);
    if (key === null) return;
    this.#player.halt();
    const n = ++this.#chosen;
    this.#messenger.state("decoder", key, () => n === this.#chosen);
  }

  #toggleDifferences() {
    this.#state.showDifferences(!this.#state.differences);
    this.#player.halt();
  }

  /** @param {Records} records */
  #togglePlay(records) {
    if (this.#player.playing) {
      this.#player.stop();
      return;
    }
    this.#state.showDifferences(false);
    this.#player.play(records, this.#state.decoder);
  }

  #drawingShown() {
    this.#player.halt();
    this.#drawControls();
    this.#paint();
  }

  /** @param {KeyboardEvent} e */
  #pressed(e) {
    const asked = this.#shown?.records.header.bare === false && askedBy(e);
    if (!asked) return;
    if ("step" in asked) this.#picker.step(...asked.step);
    else if (this.#controls.offers(asked.act)) this.#act(asked.act);
    e.preventDefault();
  }

  /** @param {Place | null} at */
  #hover(at) {
    const started = performance.now();
    const shown = this.#shown;
    const camera = this.#camera;
    if (!shown || !at || !camera.holds(...at)) {
      this.#tip.hide();
      return;
    }
    const { records, colours } = shown;
    const cells = camera.cells(camera.place(...at), records.header.nx, records.header.ny);
    const point = this.#picker.near(at);
    if (!cells.length && point < 0) {
      this.#tip.hide();
      return;
    }
    const under = point < 0 ? { cells } : { point };
    this.#tip.show(at, tipOf(records, colours, this.#state.decoder, under), this.#surface);
    this.#root.dataset.hoverMs = (performance.now() - started).toFixed(2);
  }

  // ---- size and painting ----

  /** @param {boolean} force */
  #resize(force) {
    const shown = this.#shown;
    if (!shown || !this.#surface.fit(this.#camera, shown.records.header.axes, force)) return;
    this.#marks = new Marks(shown.colours, this.#surface.ratio);
    this.#drawControls();
    this.#paint();
  }

  #drawControls() {
    const shown = this.#shown;
    if (!shown) return;
    const { decoder, differences, shading } = this.#state;
    const { playing, shown: played } = this.#player;
    const now = { decoder, differences, shading, playing, played, drawing: this.#drawing.on };
    this.#controls.draw(shown.records.header, shown.colours, now);
  }

  #paint() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => {
      this.#pending = false;
      if (this.#shown && this.#marks) this.#paintAll(this.#shown, this.#marks);
    });
  }

  /**
   * @param {Shown} shown
   * @param {Marks} marks
   */
  #paintAll({ records, colours }, marks) {
    const started = performance.now();
    const camera = this.#camera;
    const surface = this.#surface;
    const state = this.#state;
    const { dataset, classList } = this.#root;
    classList.toggle("zoomed", camera.zoomed);
    surface.over.style.touchAction = camera.zoomed ? "none" : "pan-y";
    const context = surface.wiped(colours.surface);
    if (!records.header.bare) paintRegions(context, camera, surface.ratio, records, this.#choice(), colours);
    surface.scaled(context);
    const judged = !this.#player.labels && state.column < 0;
    marks.points(context, camera, records, judged ? records.wrong[state.decoder] : null);
    if (records.header.axes) {
      const type = { colour: colours.dim, font: getComputedStyle(this.#root).fontFamily };
      drawAxes(context, camera, records.header, surface, type);
    }
    this.#paintOver();
    this.#player.report(records, state.decoder);
    this.#tellUsed(this.#player.used(records, state.decoder));
    this.#controls.report(records, state, this.#player.waiting);
    this.#drawing.paint();
    this.#inbox.painted();
    dataset.paintMs = (performance.now() - started).toFixed(1);
    dataset.view = camera.view.map((v) => Number(v.toPrecision(6))).join(",");
  }

  /** @param {number} bits that are used, 0 for all: the code grid and the inspector show the same */
  #tellUsed(bits) {
    if (bits === this.#used) return;
    this.#used = bits;
    window.dispatchEvent(new CustomEvent("ecocviz-used", { detail: { bits } }));
  }

  #choice() {
    const { decoder, column, shading, differences } = this.#state;
    const striped = differences && column < 0 && !this.#player.step;
    return { decoder, column, shading, partial: this.#player.labels, differences: striped };
  }

  #paintOver() {
    const context = this.#surface.cleared();
    const { spot, pick } = this.#state;
    if (!spot || !pick || !this.#colours) return;
    const at = this.#picker.onScreen(spot);
    if (this.#camera.holds(...at)) drawRing(context, at, "place" in pick, this.#colours);
  }
}

export default mounted("region_view", (root, palette) => new RegionView(root, palette));
