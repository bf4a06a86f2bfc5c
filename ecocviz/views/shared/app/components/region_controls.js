// The buttons around the regions, what they do, the legend and the note under the picture.

class Controls {
  constructor(view) {
    this.view = view; this.note = view.at(".note"); this.legend = view.at(".legend"); this.chooser = view.at(".decoders");
    view.root.addEventListener("click", (e) => {
      const button = e.target.closest("[data-act]");
      if (button) this.act(button.dataset.act);
    });
  }

  button(name) { return this.view.at(`[data-act=${name}]`); }

  act(name) {
    const { view } = this, [what, k] = name.split(":");
    if (!view.data) return;
    if (what === "decoder") view.switchTo(Number(k));
    else if (what === "differences") { view.differences = !view.differences; view.player.halt(); }
    else if (what === "shading") view.shading = !view.shading;
    else if (what === "play") view.player.toggle();
    else if (what === "draw") { view.drawing.show(!view.drawing.on); return; }
    else if (what === "done") view.player.halt();
    else if (what === "in") view.camera.zoom(1 / 1.5);
    else if (what === "out") view.camera.zoom(1.5);
    else if (what === "home") view.camera.reset();
    this.draw(); view.paint();
  }

  draw() {
    const { view } = this, { header } = view.data;
    this.buttons(header);
    this.decoders(header.decoders);
    const listed = header.nLegend ? header.classes : [];
    this.legend.innerHTML = listed.map((kind) =>
      `<span title="${escapeText(kind.name)}">${symbolSvg(kind, view.colours, 14)}<i>${escapeText(kind.name)}</i></span>`).join("");
    view.over.setAttribute("aria-label", header.alt);
  }

  // While points are drawn by hand only the way back is left.
  buttons(header) {
    const { player, drawing, differences, shading } = this.view;
    const states = {
      differences: [differences, header.decoders.length > 1], shading: [shading, true],
      play: [player.playing || player.shown, header.canPlay], draw: [drawing.on, header.brushes.length > 0],
    };
    for (const [name, [on, offered]] of Object.entries(states)) {
      const button = this.button(name);
      button.setAttribute("aria-pressed", Boolean(on));
      button.style.display = offered && (name === "draw" || !drawing.on) ? "" : "none";
    }
    const draw = this.button("draw");
    draw.firstElementChild.style.display = drawing.on ? "none" : ""; draw.lastElementChild.hidden = !drawing.on;
    draw.setAttribute("aria-label", drawing.on ? "Back to the regions" : "Draw");
    for (const part of [this.chooser, this.legend, this.view.at(".zoom")]) part.style.visibility = drawing.on ? "hidden" : "";
    this.legend.style.display = drawing.on ? "none" : "";
    this.button("play").textContent = player.playing ? "Pause" : "Play bits";
  }

  // Side by side where they fit on one line, else a list.
  decoders(decoders) {
    const { chooser } = this, chosen = this.view.decoder, bar = chooser.parentElement;
    if (decoders.length < 2) { chooser.innerHTML = `<span class="only">${escapeText(decoders[0].title)}</span>`; return; }
    chooser.innerHTML = '<div class="seg" role="radiogroup" aria-label="Decoder">' + decoders.map((d, k) =>
      `<button type="button" role="radio" data-act="decoder:${k}" aria-checked="${k === chosen}" title="${escapeText(d.summary)}">${escapeText(d.title)}</button>`).join("") + "</div>";
    const broken = bar.lastElementChild.offsetTop > chooser.offsetTop + 8;
    if (!broken && chooser.firstChild.scrollWidth <= bar.clientWidth) return;
    chooser.innerHTML = '<select aria-label="Decoder">' + decoders.map((d, k) =>
      `<option value="${k}" ${k === chosen ? "selected" : ""}>${escapeText(d.title)}</option>`).join("") + "</select>";
    chooser.firstChild.addEventListener("change", (e) => this.act("decoder:" + e.target.value));
  }

  // What is shown in place of the plain regions.
  report() {
    const { view } = this, { mask } = view;
    let note = "";
    if (view.column >= 0) note = `Bit ${view.column + 1} alone: one colour where its machine says +, the other where it says \u2212.`;
    else if (view.differences) {
      const share = ((100 * mask.reduce((sum, v) => sum + v, 0)) / mask.length).toFixed(1);
      note = `The ${view.labels.length} decoders shown differ on ${share} % of this plane (striped).`;
    } else if (view.player.waiting) note = "Decoding with 1, 2, 3 \u2026 bits";
    this.note.textContent = note; this.note.hidden = !note;
  }
}
