import type { Color } from './canvas.ts';

/** The colours an agent knows by word. */
export const palette = {
  red: [206, 38, 44],
  blue: [34, 92, 190],
  green: [32, 138, 72],
  yellow: [244, 204, 54],
  orange: [236, 126, 36],
  purple: [122, 62, 168],
  pink: [238, 130, 176],
  turquoise: [38, 178, 172],
  brown: [134, 78, 42],
  gold: [206, 164, 60],
  black: [38, 40, 46],
  white: [246, 244, 236],
} as const satisfies Record<string, Color>;

export type ColorName = keyof typeof palette;
export type TimeOfDay = 'day' | 'sunset' | 'night';

/** What a sailboat looks like. */
export interface SailboatStyle {
  readonly hull: ColorName;
  readonly sail: ColorName;
  readonly time: TimeOfDay;
}

export const plainStyle: SailboatStyle = { hull: 'brown', sail: 'white', time: 'day' };

const colorNames = Object.keys(palette).join('|');
const timeWords: readonly (readonly [RegExp, TimeOfDay])[] = [
  [/\b(night|moon|moonlight|midnight|dark)\b/i, 'night'],
  [/\b(sunset|dusk|evening|dawn|sunrise)\b/i, 'sunset'],
  [/\b(day|daylight|daytime|noon|sunny|sun|morning)\b/i, 'day'],
];

/** The colour words of a text, in their order. The sky's and the sea's are left out: those follow the time of day. */
export function colorsIn(text: string): ColorName[] {
  const found = text.matchAll(new RegExp(`\\b(${colorNames})\\b(?!\\s+(?:sky|sea|ocean|water|waves)\\b)`, 'gi'));
  return [...found].map(([, word]) => (word ?? '').toLowerCase() as ColorName);
}

/** What the text asks to be different; empty when it names no colour and no time of day. */
export function changesIn(text: string): Partial<SailboatStyle> {
  const hullWords = partWords(text, 'hull');
  const sailWords = partWords(text, 'sails?');
  // A colour that belongs to no part is the whole boat's.
  const whole = colorsIn(text.replace(hullWords, '').replace(sailWords, '')).at(-1);
  const changes = {
    hull: colorsIn(hullWords)[0] ?? whole,
    sail: colorsIn(sailWords)[0] ?? whole,
    time: timeWords.find(([words]) => words.test(text))?.[1],
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** The words that give one part its colour, such as "blue sails" or "hull to be red"; empty when there are none. */
function partWords(text: string, part: string): string {
  const before = text.match(new RegExp(`\\b(?:${colorNames})\\s+${part}\\b`, 'i'))?.[0];
  return before ?? text.match(new RegExp(`\\b${part}\\s+(?:(?!hull|sails?|and|with)\\w+\\s+){0,3}?(?:${colorNames})\\b`, 'i'))?.[0] ?? '';
}

/** A style in words, such as "a red sailboat at night". */
export function describeStyle({ hull, sail, time }: SailboatStyle): string {
  const boat = hull === sail ? `a ${hull} sailboat` : `a sailboat with a ${hull} hull and ${sail} sails`;
  return `${boat.replace(/^a orange/, 'an orange').replace('a orange hull', 'an orange hull')} ${{ day: 'by day', sunset: 'at sunset', night: 'at night' }[time]}`;
}
