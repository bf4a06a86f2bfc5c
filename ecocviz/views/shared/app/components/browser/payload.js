// @ts-check
// Reads the messages that Python packs: a header and blocks of bytes, deflated together.

/**
 * @template Header
 * @typedef {{ header: Header, blocks: Record<string, Uint8Array<ArrayBuffer>> }} Payload
 */

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * A message is: the header's length (4 bytes, little endian), then deflated the header (JSON) and the
 * body. The header names the body's blocks with their offsets.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Payload<any>>}
 */
export async function readPayload(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const whole = await inflate(bytes.subarray(4));
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(0, size)));
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const blocks = {};
  for (const [name, start, end] of header.blocks) blocks[name] = whole.slice(size + start, size + end);
  return { header, blocks };
}

/**
 * Planes are sent as differences (exclusive or) to the plane before, because they are nearly equal.
 * @param {Uint8Array} bytes
 * @param {number} nPlanes
 * @returns {Uint8Array[]}
 */
export function undoDifferences(bytes, nPlanes) {
  const size = nPlanes ? bytes.length / nPlanes : 0;
  const planes = [];
  for (let k = 0; k < nPlanes; k++) {
    const plane = bytes.slice(k * size, (k + 1) * size);
    if (k) for (let i = 0; i < size; i++) plane[i] ^= planes[k - 1][i];
    planes.push(plane);
  }
  return planes;
}

/**
 * The coordinates of `n` points, all first ones before all second ones.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {number} n
 * @returns {{ xs: Float32Array, ys: Float32Array }}
 */
export function readCoordinates(bytes, n) {
  const both = new Float32Array(bytes.buffer);
  return { xs: both.subarray(0, n), ys: both.subarray(n) };
}

/**
 * Reads the messages that one component gets: each once, and of several that arrive together the newest only. Until
 * the newest is on the screen, what is shown is that of before, and the component says that it is busy.
 */
export class Inbox {
  #root;
  #reading = false;

  /** @type {Uint8Array<ArrayBuffer> | null} the message that was read last */
  #message = null;
  #turn = 0;

  /** @param {Element} root of the component */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @param {Uint8Array<ArrayBuffer>} message
   * @param {(payload: Payload<any>) => void} adopt is told what is in it, unless it was told before
   * @returns {Promise<boolean>} whether no newer message has overtaken this one
   */
  async read(message, adopt) {
    const turn = ++this.#turn;
    this.#reading = message !== this.#message;
    if (!this.#reading) return true;
    this.#root.setAttribute("aria-busy", "true");
    const payload = await readPayload(message);
    if (turn !== this.#turn) return false;
    this.#message = message;
    this.#reading = false;
    adopt(payload);
    return true;
  }

  /** Whether a message has come that is not yet read. */
  get reading() {
    return this.#reading;
  }

  /** What was read last is on the screen. */
  painted() {
    if (!this.#reading) this.#root.setAttribute("aria-busy", "false");
  }
}
