// The thirteen class symbols on a canvas or as SVG, named as plotly names them.

const POLYGONS = {
  square: [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  "triangle-up": [[0, -1.15], [1.05, 0.8], [-1.05, 0.8]],
  "triangle-down": [[0, 1.15], [-1.05, -0.8], [1.05, -0.8]],
  "triangle-left": [[-1.15, 0], [0.8, -1.05], [0.8, 1.05]],
  "triangle-right": [[1.15, 0], [-0.8, 1.05], [-0.8, -1.05]],
  diamond: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]],
  hourglass: [[-1, -1.05], [1, -1.05], [-1, 1.05], [1, 1.05]],
  cross: [[-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]],
};
POLYGONS.x = POLYGONS.cross.map(([a, b]) => [(a - b) * 0.7071, (a + b) * 0.7071]);
POLYGONS.pentagon = regular(5, 1.1);
POLYGONS.hexagon = regular(6, 1.1);
POLYGONS.star = regular(10, 1.25).map(([a, b], k) => (k % 2 ? [a * 0.48, b * 0.48] : [a, b]));

function regular(n, r) {
  return Array.from({ length: n }, (_, k) => [r * Math.sin((2 * Math.PI * k) / n), -r * Math.cos((2 * Math.PI * k) / n)]);
}

function tracePath(context, name, x, y, r) {
  context.beginPath();
  const corners = POLYGONS[name];
  if (!corners) { context.arc(x, y, r, 0, 2 * Math.PI); return; }
  corners.forEach(([a, b], k) => (k ? context.lineTo(x + a * r, y + b * r) : context.moveTo(x + a * r, y + b * r)));
  context.closePath();
}

// The outline that lets a class's marks be seen on the page and on the class's own region.
function edgeOf(kind, colours) {
  return kind.edges[colours.dark ? "dark" : "light"];
}

function symbolSvg(kind, colours, size) {
  const corners = POLYGONS[kind.symbol];
  const body = corners
    ? `<polygon points="${corners.map(([a, b]) => (a * 6).toFixed(2) + "," + (b * 6).toFixed(2)).join(" ")}"/>`
    : '<circle r="6"/>';
  return `<svg class="sym" width="${size / 14}em" height="${size / 14}em" viewBox="-8 -8 16 16" fill="${kind.colour}" stroke="${edgeOf(kind, colours)}" aria-hidden="true">${body}</svg>`;
}

// Dark or light, from the page's own background, so that a theme switch needs no message.
function themeOf(element, palette) {
  const text = getComputedStyle(element).getPropertyValue("--st-background-color").trim();
  const hex = /^#[0-9a-f]{6}/i.test(text) ? rgb(text) : [255, 255, 255];
  const dark = 0.3 * hex[0] + 0.59 * hex[1] + 0.11 * hex[2] < 110;
  const colours = palette[dark ? "dark" : "light"];
  return { dark, ...colours };
}

function setColours(element, colours) {
  for (const [name, value] of Object.entries(colours)) if (name !== "dark") element.style.setProperty("--" + name, value);
}
