import type { Buffer } from 'node:buffer';
import { between, Canvas, curve, ellipse, polygon, type Color, type Point } from './canvas.ts';
import { encodePng } from './png.ts';
import { palette, type SailboatStyle, type TimeOfDay } from './sailboatStyle.ts';

const width = 480;
const height = 320;
const horizon = 196;

interface Light {
  readonly zenith: Color;
  readonly haze: Color;
  readonly farSea: Color;
  readonly nearSea: Color;
  readonly disc: Color;
  readonly discHeight: number;
  readonly cloud: Color;
  /** How much of the sky's colour lies over the boat. */
  readonly shade: number;
}

const lights: Readonly<Record<TimeOfDay, Light>> = {
  day: {
    zenith: [74, 154, 226], haze: [206, 232, 248], farSea: [52, 132, 176], nearSea: [14, 74, 120],
    disc: [255, 240, 168], discHeight: 58, cloud: [255, 255, 255], shade: 0,
  },
  sunset: {
    zenith: [74, 58, 122], haze: [250, 164, 92], farSea: [206, 122, 92], nearSea: [46, 40, 88],
    disc: [255, 206, 108], discHeight: 170, cloud: [246, 176, 150], shade: 0.12,
  },
  night: {
    zenith: [10, 14, 40], haze: [42, 56, 98], farSea: [26, 42, 80], nearSea: [6, 12, 32],
    disc: [240, 240, 222], discHeight: 62, cloud: [58, 70, 110], shade: 0.3,
  },
};

const hull: readonly Point[] = [...curve([128, 214], [150, 262], [206, 262]), ...curve([300, 262], [340, 250], [366, 208]), ...curve([366, 208], [246, 226], [128, 214])];
const mainsail: readonly Point[] = [[240, 44], ...curve([240, 44], [196, 130], [150, 198]), [240, 198]];
const jib: readonly Point[] = [...curve([250, 58], [300, 130], [346, 198]), [250, 198]];
const mast: readonly Point[] = [[242, 34], [247, 34], [248, 222], [241, 222]];
const boom: readonly Point[] = [[148, 200], [244, 200], [244, 204], [148, 204]];
const pennant: readonly Point[] = [[247, 34], [276, 42], [247, 50]];

/** Draws the sailboat, 480 × 320 pixels. The same style always gives the same bytes. */
export function drawSailboat(style: SailboatStyle): Buffer {
  const canvas = new Canvas(width, height);
  const light = lights[style.time];
  drawSky(canvas, light, style.time);
  drawSea(canvas, light);
  drawBoat(canvas, style, light);
  return encodePng(width, height, canvas.rgb);
}

function drawSky(canvas: Canvas, light: Light, time: TimeOfDay): void {
  canvas.blend(0, horizon, light.zenith, light.haze);
  if (time === 'night') {
    // A spread that looks like chance and is the same every night.
    for (let star = 0; star < 60; star++) canvas.paint(ellipse((star * 197) % width, (star * 83) % 150, 1, 1), [255, 255, 255], 0.4 + (star % 4) * 0.15);
  }
  if (time !== 'night') canvas.paint(ellipse(392, light.discHeight, 40, 40), light.disc, 0.25);
  canvas.paint(ellipse(392, light.discHeight, 28, 28), light.disc);
  if (time === 'night') canvas.paint(ellipse(404, light.discHeight - 8, 23, 23), between(light.zenith, light.haze, light.discHeight / horizon));
  for (const [x, y, size] of [[84, 66, 1], [318, 100, 0.7], [36, 128, 0.6]] as const) {
    canvas.paint(ellipse(x, y, 44 * size, 14 * size), light.cloud, 0.8);
    canvas.paint(ellipse(x - 16 * size, y - 10 * size, 22 * size, 15 * size), light.cloud, 0.8);
    canvas.paint(ellipse(x + 14 * size, y - 7 * size, 26 * size, 14 * size), light.cloud, 0.8);
  }
}

function drawSea(canvas: Canvas, light: Light): void {
  canvas.blend(horizon, height, light.farSea, light.nearSea);
  for (let row = 0; row < 7; row++) {
    const y = horizon + 10 + row * row * 2.4;
    const length = 26 + row * 9;
    for (let x = (row * 61) % 90 - 60; x < width; x += length * 2.1) {
      const crest = curve([x, y], [x + length / 2, y - 4 - row], [x + length, y]);
      canvas.paint(polygon([...crest, ...crest.map(([px, py]): Point => [px, py + 1.5 + row * 0.3]).reverse()]), light.haze, 0.3);
    }
  }
}

function drawBoat(canvas: Canvas, style: SailboatStyle, light: Light): void {
  const lit = (color: Color): Color => between(color, light.zenith, light.shade);
  const hullColor = lit(palette[style.hull]);
  const sailColor = lit(palette[style.sail]);
  // The reflection: the hull turned over at the water line and pressed flat.
  canvas.paint(polygon(hull.map(([x, y]): Point => [x, 258 + (258 - y) * 0.6])), hullColor, 0.3);
  canvas.paint(polygon(mainsail), sailColor);
  canvas.paint(polygon(jib), between(sailColor, lit([255, 255, 255]), 0.35));
  for (const seam of [96, 136, 172]) {
    canvas.paint(polygon([[243 - (seam - 44) * 0.56, seam], [240, seam], [240, seam + 1.2], [243 - (seam - 44) * 0.56, seam + 1.2]]), between(sailColor, [0, 0, 0], 0.3));
  }
  canvas.paint(polygon(mast), lit([104, 66, 38]));
  canvas.paint(polygon(boom), lit([104, 66, 38]));
  canvas.paint(polygon(pennant), lit(palette.red));
  canvas.paint(polygon(hull), hullColor);
  canvas.paint(polygon([...curve([132, 222], [246, 236], [362, 216]), ...curve([360, 222], [246, 242], [134, 228])]), lit([250, 246, 232]));
  // The bow wave, over the hull's foot.
  canvas.paint(polygon([...curve([120, 258], [240, 252], [372, 258]), ...curve([372, 264], [240, 268], [120, 264])]), light.haze, 0.55);
}
