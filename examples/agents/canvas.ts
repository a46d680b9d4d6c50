/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export type Point = readonly [x: number, y: number];

/** Where a shape begins and ends on one height. */
type Span = readonly [from: number, to: number];

/** An area of the canvas, as what it covers at every height from `top` to `bottom`, in pixels. */
export interface Shape {
  readonly top: number;
  readonly bottom: number;
  spans(y: number): readonly Span[];
}

/** Heights looked at in each row of pixels: what smooths the edges, together with the spans' fractions. */
const samples = 4;

/** A picture of RGB pixels that shapes are painted on, one over the other. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.rgb = new Uint8Array(width * height * 3);
  }

  /** Paints a shape; `opacity` is from 0, nothing, to 1. */
  paint(shape: Shape, color: Color, opacity = 1): void {
    const bottom = Math.min(this.height, Math.ceil(shape.bottom));
    const cover = new Float64Array(this.width);
    for (let y = Math.max(0, Math.floor(shape.top)); y < bottom; y++) {
      cover.fill(0);
      for (let sample = 0; sample < samples; sample++) {
        for (const span of shape.spans(y + (sample + 0.5) / samples)) coverRow(cover, span);
      }
      cover.forEach((covered, x) => this.#mix(x, y, color, opacity * covered));
    }
  }

  /** Paints the rows from `top` up to `bottom` in a blend from one colour to another. */
  blend(top: number, bottom: number, from: Color, to: Color): void {
    for (let y = top; y < bottom; y++) {
      const row = between(from, to, (y - top) / Math.max(1, bottom - top - 1));
      for (let x = 0; x < this.width; x++) this.#mix(x, y, row, 1);
    }
  }

  #mix(x: number, y: number, color: Color, amount: number): void {
    if (amount === 0) return;
    const at = (y * this.width + x) * 3;
    color.forEach((value, channel) => {
      const below = this.rgb[at + channel] ?? 0;
      this.rgb[at + channel] = Math.round(below + (value - below) * amount);
    });
  }
}

/** The colour `share` of the way from one to the other, 0 to 1. */
export function between(from: Color, to: Color, share: number): Color {
  const channel = (at: 0 | 1 | 2): number => Math.round(from[at] + (to[at] - from[at]) * share);
  return [channel(0), channel(1), channel(2)];
}

export function ellipse(centerX: number, centerY: number, radiusX: number, radiusY: number): Shape {
  return {
    top: centerY - radiusY,
    bottom: centerY + radiusY,
    spans: y => {
      const rest = 1 - ((y - centerY) / radiusY) ** 2;
      return rest <= 0 ? [] : [[centerX - radiusX * Math.sqrt(rest), centerX + radiusX * Math.sqrt(rest)]];
    },
  };
}

export function polygon(points: readonly Point[]): Shape {
  const heights = points.map(([, y]) => y);
  const edges = points.map((point, at): readonly [Point, Point] => [point, points[(at + 1) % points.length] ?? point]);
  return {
    top: Math.min(...heights),
    bottom: Math.max(...heights),
    // A line across enters at every odd crossing of the outline and leaves at every even one.
    spans: y => {
      const crossings = edges
        .filter(([[, y1], [, y2]]) => (y1 > y) !== (y2 > y))
        .map(([[x1, y1], [x2, y2]]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
        .sort((a, b) => a - b);
      return crossings.flatMap((from, at): Span[] => (at % 2 === 0 ? [[from, crossings[at + 1] ?? from]] : []));
    },
  };
}

/** Points along a quadratic Bézier curve, both ends included. */
export function curve([x1, y1]: Point, [bendX, bendY]: Point, [x2, y2]: Point, steps = 12): Point[] {
  return Array.from({ length: steps + 1 }, (_, step): Point => {
    const t = step / steps;
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
    return [a * x1 + b * bendX + c * x2, a * y1 + b * bendY + c * y2];
  });
}

/** Adds to each pixel of the row the share that the span covers of it, one sample's worth. */
function coverRow(cover: Float64Array, [from, to]: Span): void {
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(cover.length, to); x++) {
    cover[x] = (cover[x] ?? 0) + (Math.min(to, x + 1) - Math.max(from, x)) / samples;
  }
}
