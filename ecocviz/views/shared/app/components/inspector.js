// The decode inspector: what every machine says of one point, flips of its bits, every decoder's verdict.

class Inspector {
  constructor(root) {
    this.root = root.querySelector(".in");
    this.root.addEventListener("click", (e) => {
      const flip = e.target.closest("[data-flip]"), act = e.target.closest("[data-act]");
      if (flip) this.toggle(Number(flip.dataset.flip));
      else if (act?.dataset.act === "restore") this.send([]);
      else if (act?.dataset.act === "next") whenQuiet(this.root, () => this.component.setTriggerValue("next", true));
    });
    const table = this.root.querySelector(".bits");
    const light = (bit) => { if (bit !== this.bit) { this.bit = bit; window.dispatchEvent(new CustomEvent("ecocviz-column", { detail: { bit } })); } };
    table.addEventListener("pointerover", (e) => light(e.target.closest("[data-number]") ? Number(e.target.closest("[data-number]").dataset.number) : -1));
    table.addEventListener("pointerleave", () => light(-1));
    this.unlight = () => light(-1);
  }

  toggle(bit) {
    const flips = new Set(this.data.flips);
    if (!flips.delete(bit)) flips.add(bit);
    this.send([...flips].sort((a, b) => a - b));
  }

  send(flips) {
    this.data.flips = flips;
    this.serial = (this.serial || 0) + 1;
    const told = { bits: flips, of: this.data.of, n: this.serial };
    whenQuiet(this.root, () => this.component.setStateValue("flips", told));
  }

  receive(component) {
    this.component = component; this.data = component.data;
    const { data } = this, at = (s) => this.root.querySelector(s);
    const colours = themeOf(this.root, data.palette);
    setColours(this.root, colours);
    const chip = (c, size) => symbolSvg(data.classes[c], colours, size);
    at("h3").innerHTML = (data.truth >= 0 ? chip(data.truth, 16) : "") + `<span>${escapeText(data.title)}</span>`;
    const next = at("[data-act=next]"); next.textContent = data.nextText; next.style.display = data.nextText ? "" : "none";
    at(".said").textContent = data.said;
    at(".bits").innerHTML = this.bits();
    at(".flipbar .cap").textContent = data.flipText;
    at("[data-act=restore]").style.display = data.flips.length ? "" : "none";
    at(".verdicts").innerHTML = this.verdicts(chip);
    at(".costs").innerHTML = this.costs(chip);
  }

  bits() {
    const { data } = this, sure = data.bits.some((b) => b.p !== null), asks = data.bits.some((b) => b.asks !== null);
    const scale = Math.max(1e-12, ...data.bits.map((b) => Math.abs(b.score)));
    const mark = (v) => `<span class="cell ${v > 0 ? "p" : v < 0 ? "n" : ""}">${sign(v)}</span>`;
    const head = `<thead><tr><th>bit</th><th>score</th><th></th><th class="mid">says</th>${sure ? "<th>P(+)</th>" : ""}${asks ? '<th class="mid">should say</th>' : ""}<th></th></tr></thead>`;
    const rows = data.bits.map((b, k) => {
      const width = (Math.abs(b.score) / scale) * 46, wrong = asks && b.asks * b.hard < 0, flipped = data.flips.includes(k);
      const label = flipped ? "flipped" : wrong ? "wrong" : "flip";
      return `<tr data-number="${k}" class="${data.tipping.includes(k) ? "tip" : ""}"><td>${k + 1}</td><td>${escapeText(b.text)}</td><td><span class="bar"><i style="${b.score > 0 ? "left:46px" : "right:46px"};width:${width.toFixed(1)}px;background:var(--${b.score > 0 ? "positive" : "negative"})"></i></span></td><td class="mid">${mark(b.hard)}</td>${sure ? `<td>${b.p.toFixed(2)}</td>` : ""}${asks ? `<td class="mid">${mark(b.asks)}</td>` : ""}<td><button type="button" class="flip ${flipped ? "on" : wrong ? "wrong" : ""}" data-flip="${k}" aria-pressed="${flipped}" aria-label="Flip bit ${k + 1}">${label}</button></td></tr>`;
    }).join("");
    return head + "<tbody>" + rows + "</tbody>";
  }

  verdicts(chip) {
    const { data } = this, name = (c) => `${chip(c, 13)}<span class="${data.truth >= 0 && c !== data.truth ? "bad" : ""}">${escapeText(data.classes[c].name)}</span>`;
    return '<thead><tr><th>decoder</th><th>winner</th><th>runner-up</th><th class="num">margin</th><th class="num" title="Fewest bits whose flips change the winner">bits to tip</th></tr></thead><tbody>' + data.verdicts.map((v, k) =>
      `<tr class="${k === data.decoder ? "now" : ""}"><td>${escapeText(v.title)}</td><td>${name(v.winner)}</td><td>${chip(v.runnerUp, 13)}${escapeText(data.classes[v.runnerUp].name)}</td><td class="num">${escapeText(v.margin)}</td><td class="num">${escapeText(v.tips)}</td></tr>`).join("") + "</tbody>";
  }

  costs(chip) {
    const { data } = this;
    return "<thead><tr><th></th>" + data.verdicts.map((v) => `<th>${escapeText(v.title)}</th>`).join("") + "</tr></thead><tbody>" +
      data.classes.map((k, c) => `<tr><td>${chip(c, 13)}${escapeText(k.name)}</td>` + data.verdicts.map((v) => `<td class="${v.winner === c ? "win" : ""}">${escapeText(v.costs[c])}</td>`).join("") + "</tr>").join("") + "</tbody>";
  }
}

const INSPECTORS = new WeakMap();

export default function (component) {
  const key = component.parentElement;
  let view = INSPECTORS.get(key);
  if (!view || !key.contains(view.root)) { view = new Inspector(key); INSPECTORS.set(key, view); }
  if (component.data) view.receive(component);
  return () => { INSPECTORS.get(key)?.unlight(); INSPECTORS.delete(key); };
}
