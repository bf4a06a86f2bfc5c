// Keys on the regions: arrows go from point to point, the others do what a button does.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS = { "+": "in", "=": "in", "-": "out", "0": "home", " ": "play", d: "differences", c: "shading" };

function pressedKey(view, e) {
  if (!view.data || e.ctrlKey || e.metaKey || e.altKey) return;
  if (ARROWS[e.key]) pickBeside(view, ...ARROWS[e.key]);
  else if (KEYS[e.key]) view.controls.act(KEYS[e.key]);
  else if (/^[1-9]$/.test(e.key)) view.controls.act("decoder:" + (Number(e.key) - 1));
  else return;
  e.preventDefault();
}

// Pick the point nearest to the picked one in a direction.
function pickBeside(view, dx, dy) {
  const { camera } = view, { box } = camera, spot = view.pickPlace();
  const from = spot ? [camera.px(spot[0]), camera.py(spot[1])] : [box.x + box.w / 2, box.h / 2];
  const i = nextPoint(...view.pixels(), from, dx, dy);
  if (i >= 0) view.send({ point: view.ids[i] });
}
