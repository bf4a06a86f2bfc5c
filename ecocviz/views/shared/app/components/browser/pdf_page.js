// @ts-check
// A page of PDF that holds one picture: what is drawn by the browser can be printed and put into papers.

/** Points of print a pixel of the page: 72 and 96 to the inch. */
const POINTS = 0.75;

/**
 * Write a PDF of one page that a JPEG fills.
 * @param {Uint8Array} jpeg
 * @param {{ width: number, height: number }} page in pixels of the screen
 * @param {{ width: number, height: number }} picture in its own pixels
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function pdfPage(jpeg, page, picture) {
  const [width, height] = [page.width * POINTS, page.height * POINTS];
  const drawing = `q ${width} 0 0 ${height} 0 0 cm /Im Do Q`;
  const image =
    `<< /Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} ` +
    `/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`;
  /** @type {(string | Uint8Array)[][]} */
  const objects = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ` +
        "/Resources << /XObject << /Im 5 0 R >> >> /Contents 4 0 R >>",
    ],
    [`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`],
    [image, jpeg, "\nendstream"],
  ];
  const file = new Written();
  file.write("%PDF-1.4\n");
  const places = objects.map((parts, k) => {
    const place = file.length;
    file.write(`${k + 1} 0 obj\n`);
    for (const part of parts) file.write(part);
    file.write("\nendobj\n");
    return place;
  });
  const table = file.length;
  const lines = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  file.write(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${lines}`);
  file.write(`trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return file.bytes();
}

/** Bytes that are put one behind the other. */
class Written {
  /** @type {Uint8Array[]} */
  #parts = [];
  length = 0;

  /** @param {string | Uint8Array} part */
  write(part) {
    const bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  bytes() {
    const whole = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
