// A page small enough to read: elements that remember what was done to them, canvases that remember what was drawn.

/** An element. Whatever is looked for inside it is found: each selector gives one element of its own. */
export class FakeElement {
  constructor(name = "div") {
    Object.assign(this, { name, dataset: {}, children: [], parent: null, parts: new Map(), listeners: new Map() });
    Object.assign(this, { markup: "", textContent: "", className: "", value: "", hidden: false, disabled: false });
    Object.assign(this, { clientWidth: 0, offsetWidth: 0, offsetHeight: 0, offsetTop: 0, scrollWidth: 0 });
    Object.assign(this, { width: 0, height: 0, isConnected: true, attributes: new Map(), matching: new Set() });
    this.style = { setProperty: (key, value) => (this.style[key] = value) };
    const classes = new Set();
    this.classList = {
      add: (...all) => all.forEach((one) => classes.add(one)),
      remove: (...all) => all.forEach((one) => classes.delete(one)),
      contains: (one) => classes.has(one),
      toggle: (one, on) => (on ? classes.add(one) : classes.delete(one)),
    };
    this.focused = 0;
  }

  get innerHTML() {
    return this.markup;
  }

  /** Markup becomes elements, so that they can be counted and walked through. */
  set innerHTML(markup) {
    this.markup = markup;
    this.children = [];
    const open = [this];
    for (const [, closing, name, attributes, closed] of markup.matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>/g)) {
      if (closing) {
        open.pop();
        continue;
      }
      const element = new FakeElement(name);
      for (const [, key, value] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
        element.attributes.set(key, value);
        if (key.startsWith("data-")) element.dataset[key.slice(5)] = value;
      }
      open.at(-1).append(element);
      if (!closed && name !== "input") open.push(element);
    }
  }

  querySelector(selector) {
    if (!this.parts.has(selector)) {
      const found = new FakeElement(selector);
      found.parent = this;
      this.parts.set(selector, found);
    }
    return this.parts.get(selector);
  }

  querySelectorAll(selector) {
    return this.parts.has(selector) ? [this.parts.get(selector)] : [];
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get parentElement() {
    return this.parent;
  }

  append(...more) {
    for (const child of more) {
      child.parent = this;
      this.children.push(child);
    }
  }

  appendChild(child) {
    this.append(child);
    return child;
  }

  remove() {
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
  }

  contains(other) {
    for (let at = other; at; at = at.parent) if (at === this) return true;
    return false;
  }

  getRootNode() {
    return globalThis.document;
  }

  getBoundingClientRect() {
    return { left: 0, top: 0 };
  }

  setPointerCapture() {}

  setAttribute(key, value) {
    this.attributes.set(key, value);
  }

  getAttribute(key) {
    return this.attributes.get(key) ?? null;
  }

  hasAttribute(key) {
    return this.attributes.has(key);
  }

  matches(selector) {
    return this.matching.has(selector);
  }

  closest(selector) {
    return this.matching.has(selector) ? this : null;
  }

  focus() {
    this.focused += 1;
  }

  addEventListener(kind, act) {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), act]);
  }

  removeEventListener(kind, act) {
    const left = (this.listeners.get(kind) ?? []).filter((one) => one !== act);
    this.listeners.set(kind, left);
  }

  dispatchEvent(event) {
    for (const act of this.listeners.get(event.type) ?? []) act(event);
  }

  /** Let an event happen here; return it. */
  happen(kind, more = {}) {
    const event = { type: kind, target: this, prevented: false, clientX: 0, clientY: 0, pointerId: 1, button: 0 };
    event.preventDefault = () => (event.prevented = true);
    event.stopPropagation = () => {};
    this.dispatchEvent(Object.assign(event, more));
    return event;
  }

  getContext() {
    this.context ??= fakeContext();
    return this.context;
  }
}

/** A pen that writes down what it is told, with the colours and sizes it had then. */
export function fakeContext() {
  const calls = [];
  const known = {
    calls,
    named: (name) => calls.filter((call) => call.name === name),
    createImageData: (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
  };
  return new Proxy(known, {
    get(own, name) {
      if (name in own) return own[name];
      return (...args) => {
        const { fillStyle, strokeStyle, lineWidth, font } = own;
        calls.push({ name, args, fillStyle, strokeStyle, lineWidth, font });
      };
    },
  });
}

/** An element that an event can begin in: it lies in what these selectors find. */
export function within(matching, dataset = {}) {
  const element = new FakeElement();
  element.dataset = dataset;
  element.matching = new Set(matching);
  return element;
}

/** Put a window and a document in place, with a clock that tests move: time passes by `wait`. */
export function fakePage({ background = "#ffffff", script = "notRunning" } = {}) {
  const clock = fakeClock();
  const page = { script, stored: new Map(), observers: [], frames: [], ...clock };
  const window = new FakeElement("window");
  window.devicePixelRatio = 1;
  const app = { dataset: {} };
  Object.defineProperty(app.dataset, "testScriptState", { get: () => page.script });
  Object.defineProperty(app.dataset, "testConnectionState", { get: () => page.connection ?? "CONNECTED" });
  globalThis.MutationObserver = class {
    constructor(act) {
      page.noticed = act;
    }

    observe() {}
  };
  globalThis.window = window;
  globalThis.document = Object.assign(new FakeElement("document"), {
    documentElement: new FakeElement("html"),
    activeElement: null,
    visibilityState: "visible",
    createElement: (name) => new FakeElement(name),
    querySelector: () => app,
  });
  globalThis.getComputedStyle = () => ({
    fontSize: "15px",
    fontFamily: "sans-serif",
    getPropertyValue: () => ` ${page.background}`,
  });
  page.background = background;
  globalThis.ResizeObserver = class {
    constructor(act) {
      this.act = act;
      page.observers.push(this);
    }

    observe() {}

    disconnect() {
      page.observers.splice(page.observers.indexOf(this), 1);
    }
  };
  globalThis.requestAnimationFrame = (act) => page.frames.push(act);
  page.painted = () => page.frames.splice(0).forEach((act) => act());
  globalThis.sessionStorage = {
    getItem: (key) => page.stored.get(key) ?? null,
    setItem: (key, value) => page.stored.set(key, value),
  };
  page.window = window;
  return page;
}

/** Timers that run when a test says so. */
function fakeClock() {
  let now = 0;
  let serial = 0;
  const waiting = new Map();
  const later = (every) => (act, ms) => {
    waiting.set(++serial, { act, at: now + ms, every: every && ms });
    return serial;
  };
  globalThis.setTimeout = later(false);
  globalThis.setInterval = later(true);
  globalThis.clearTimeout = globalThis.clearInterval = (id) => waiting.delete(id);
  const next = (end) =>
    [...waiting].filter(([, timer]) => timer.at <= end).sort(([, a], [, b]) => a.at - b.at)[0] ?? null;
  const wait = (ms) => {
    const end = now + ms;
    for (let found = next(end); found; found = next(end)) {
      const [id, timer] = found;
      now = timer.at;
      if (timer.every) timer.at += timer.every;
      else waiting.delete(id);
      timer.act();
    }
    now = end;
  };
  return { wait };
}

/** What Streamlit hands over with a message; `told` keeps what is answered. */
export function fakeComponent(data, place = new FakeElement("place")) {
  const told = [];
  return {
    data,
    parentElement: place,
    told,
    setStateValue: (name, value) => told.push(["state", name, value]),
    setTriggerValue: (name, value) => told.push(["trigger", name, value]),
  };
}

/** Every name of the theme, each a colour of its own. */
export const PALETTE = Object.fromEntries(
  ["light", "dark"].map((theme, k) => {
    const names = "surface ink dim line accent positive negative zero wrong halo".split(" ");
    const colours = names.map((name, i) => [
      name,
      `#${(k * 100 + i * 7 + 16).toString(16).padStart(2, "0").repeat(3)}`,
    ]);
    return [theme, { ...Object.fromEntries(colours), region: 0.36 }];
  }),
);

export const COLOURS = { dark: false, ...PALETTE.light };

export function kindOf(name, symbol = "circle", colour = "#3f90da") {
  return { name, colour, symbol, edges: { light: "#111111", dark: "#eeeeee" } };
}

/** Write a message as Python does. */
export async function packed(header, blocks) {
  const table = [];
  let start = 0;
  for (const [name, block] of Object.entries(blocks)) {
    table.push([name, start, start + block.length]);
    start += block.length;
  }
  const head = new TextEncoder().encode(JSON.stringify({ ...header, blocks: table }));
  const whole = new Blob([head, ...Object.values(blocks)]).stream().pipeThrough(new CompressionStream("deflate"));
  const body = new Uint8Array(await new Response(whole).arrayBuffer());
  const message = new Uint8Array(4 + body.length);
  new DataView(message.buffer).setUint32(0, head.length, true);
  message.set(body, 4);
  return message;
}

/** Wait, turn by turn of the event loop, until something is so: messages take some to be unpacked. */
export async function until(check) {
  for (let k = 0; k < 100_000 && !check(); k++) await new Promise(setImmediate);
  if (!check()) throw new Error(`Waited in vain for ${check}.`);
}

/** Where the component's view put its markup: the element that stands for its root. */
export function rootOf(place) {
  return place.children[0].children[0];
}
