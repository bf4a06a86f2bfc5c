// The code matrix as a grid of clickable entries. Edits are local and reach Python as one text.

const SHOWN = 400, DENSE = 14, SEND_MS = 250;

class CodeGrid {
  constructor(root) {
    this.root = root.querySelector(".cg");
    this.table = this.root.querySelector("table"); this.tools = this.root.querySelector(".tools");
    this.undone = []; this.at = null; this.lit = -1; this.text = null;
    this.table.addEventListener("click", (e) => this.clicked(e));
    this.table.addEventListener("keydown", (e) => this.key(e));
    this.table.addEventListener("pointerover", (e) => { const t = e.target.closest("[data-b]"); this.light(t ? Number(t.dataset.b) : -1, Boolean(t?.classList.contains("col"))); });
    this.table.addEventListener("pointerleave", () => this.light(-1, false));
    this.tools.addEventListener("click", (e) => { const b = e.target.closest("[data-act]"); if (b) this.act(b.dataset.act); });
  }

  receive(component) {
    this.component = component;
    const data = component.data, text = writeCode(data.code);
    this.colours = themeOf(this.root, data.palette);
    setColours(this.root, this.colours);
    if (this.text === null || (text !== this.text && !this.timer)) { // else the local edit is newer
      if (this.text !== null && this.text !== text && !data.draft) this.undone = [];
      this.code = data.code; this.text = text; this.at = null;
    }
    this.data = data;
    this.told = text;
    this.draw();
    if (unsent && data.editable) {
      const { code, of } = unsent;
      unsent = null;
      if (of === text) this.change(code);
    }
  }

  draw() {
    const { data, code } = this, nBits = code[0].length, shown = Math.min(nBits, SHOWN), dense = nBits > DENSE;
    this.root.querySelector("h3").textContent = data.title;
    this.root.querySelector(".hint").textContent = nBits > SHOWN ? `first ${SHOWN} of ${nBits} columns` : data.editable ? "click an entry to change it" : "";
    const known = this.text === writeCode(data.code); // after a local edit marks wait for the answer
    const faults = known ? data.faults || {} : {}, rowFaults = known ? data.rowFaults || {} : {};
    const bits = data.bits && data.bits.length === nBits ? data.bits : null, costs = bits && data.costs;
    const head = Array.from({ length: shown }, (_, b) => `<th class="col${faults[b] ? " bad" : ""}" scope="col" data-b="${b}"${faults[b] ? ` title="${escapeText(faults[b])}"` : ""}>${b + 1}</th>`).join("");
    const rows = code.map((row, c) => {
      const k = data.classes[c], cells = row.slice(0, shown).map((v, b) => {
        const mark = bits && v ? (v === bits[b] ? "hit" : "miss") : "";
        return `<td><span class="cell ${v > 0 ? "p" : v < 0 ? "n" : ""} ${mark}" data-c="${c}" data-b="${b}" role="gridcell" tabindex="${!c && !b ? 0 : -1}">${sign(v)}</span></td>`;
      }).join("");
      return `<tr class="${c === data.winner && bits ? "win" : ""}"><th scope="row"${rowFaults[c] ? ' class="bad"' : ""} title="${escapeText(k.name + (rowFaults[c] ? ": " + rowFaults[c] : ""))}"><div>${symbolSvg(k, this.colours, 14)}<i>${escapeText(k.name)}</i></div></th>${cells}${costs ? `<td class="cost">${escapeText(costs[c])}</td>` : ""}</tr>`;
    }).join("");
    this.table.innerHTML = `<thead><tr><th></th>${head}${costs ? `<th class="cost" scope="col">${escapeText(data.costTitle)}</th>` : ""}</tr></thead><tbody>${rows}</tbody>`;
    this.table.className = (dense ? "dense " : "") + (data.editable ? "" : "still");
    this.tools.hidden = !data.editable;
    this.mark();
  }

  mark() {
    this.table.querySelector(".at")?.classList.remove("at");
    const cell = this.at && this.table.querySelector(`.cell[data-c="${this.at[0]}"][data-b="${this.at[1]}"]`);
    cell?.classList.add("at");
    const none = !this.at;
    for (const act of ["duplicate", "complement", "remove"]) { const b = this.tools.querySelector(`[data-act=${act}]`); b.style.display = none ? "none" : ""; b.disabled = act === "remove" && this.code[0].length < 2; }
    this.tools.querySelector("[data-act=undo]").disabled = !this.undone.length;
    this.tools.querySelector(".which").textContent = none ? "" : `column ${this.at[1] + 1}`;
    return cell;
  }

  light(bit, whole) {
    if (bit !== this.lit) {
      this.lit = bit;
      for (const cell of this.table.querySelectorAll(".lit, .over")) cell.classList.remove("lit", "over");
      if (bit >= 0) for (const cell of this.table.querySelectorAll(`[data-b="${bit}"]`)) cell.classList.add(cell.classList.contains("col") ? "over" : "lit");
    }
    const boundary = whole ? bit : -1;
    if (boundary !== this.boundary) { this.boundary = boundary; window.dispatchEvent(new CustomEvent("ecocviz-column", { detail: { bit: boundary } })); }
  }

  clicked(e) {
    const t = e.target.closest("[data-b]");
    if (!t || !this.data.editable) return;
    if (t.classList.contains("col")) { this.at = [0, Number(t.dataset.b)]; this.mark(); return; }
    this.at = [Number(t.dataset.c), Number(t.dataset.b)];
    this.change(cycle(this.code, ...this.at, e.shiftKey ? -1 : 1));
  }

  key(e) {
    if (!this.data.editable || e.ctrlKey && e.key !== "z" || e.metaKey || e.altKey) return;
    if (e.ctrlKey) { this.act("undo"); e.preventDefault(); return; }
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }, values = { "+": 1, "-": -1, 0: 0, "=": 1 };
    const t = e.target.closest(".cell"), at = t ? [Number(t.dataset.c), Number(t.dataset.b)] : this.at || [0, 0];
    if (moves[e.key]) {
      this.at = [Math.min(this.code.length - 1, Math.max(0, at[0] + moves[e.key][0])), Math.min(this.code[0].length - 1, Math.max(0, at[1] + moves[e.key][1]))];
      this.mark()?.focus();
    } else if (e.key in values || e.key === " " || e.key === "Enter") {
      this.at = at;
      this.change(e.key in values ? setEntry(this.code, ...at, values[e.key]) : cycle(this.code, ...at, 1));
      this.mark()?.focus();
    } else return;
    e.preventDefault();
  }

  act(name) {
    const column = this.at ? this.at[1] : this.code[0].length - 1;
    if (name === "undo") { const last = this.undone.pop(); if (last) this.change(last, false); }
    else if (name === "add") this.change(addColumn(this.code, this.code[0].length));
    else if (name === "duplicate") this.change(duplicateColumn(this.code, column));
    else if (name === "complement") this.change(complementColumn(this.code, column));
    else if (name === "remove" && this.code[0].length > 1) this.change(removeColumn(this.code, column));
  }

  change(code, keep = true) {
    if (keep) this.undone.push(this.code);
    if (this.undone.length > 200) this.undone.shift();
    this.code = code; this.text = writeCode(code);
    if (this.at && this.at[1] >= code[0].length) this.at = null;
    this.draw();
    clearTimeout(this.timer); // quick clicks are one message
    this.timer = setTimeout(() => this.send(), SEND_MS);
  }

  send() {
    clearTimeout(this.timer);
    const { text } = this;
    whenQuiet(this.root, () => {
      if (text !== this.text || !this.timer) return; // a later change is on its way
      this.timer = 0;
      this.component.setStateValue("matrix", text);
    });
  }

  leave() { // a message sent while the page changes would ask for a page that is gone: the next grid sends it
    if (this.timer) unsent = { code: this.code, of: this.told };
    clearTimeout(this.timer);
    this.light(-1, false);
  }
}

const GRIDS = new WeakMap();
let unsent = null; // an edit that was not sent when its page was left

export default function (component) {
  const key = component.parentElement;
  let grid = GRIDS.get(key);
  if (!grid || !key.contains(grid.root)) { grid = new CodeGrid(key); GRIDS.set(key, grid); }
  if (component.data) grid.receive(component);
  return () => { GRIDS.get(key)?.leave(); GRIDS.delete(key); };
}
