interface Harbour {
  readonly name: string;
  readonly depth: string;
  readonly berths: number;
  readonly exposed: string;
  readonly light: string;
}

/** Invented harbours of an invented coast. */
const harbours: readonly Harbour[] = [
  { name: 'Gull Haven', depth: '3.2 m', berths: 48, exposed: 'south-west', light: 'white, every 5 s' },
  { name: 'Tarhouse Pier', depth: '2.1 m', berths: 22, exposed: 'north', light: 'red, every 3 s' },
  { name: 'Old Bell Sound', depth: '6.0 m', berths: 120, exposed: 'east', light: 'white, twice every 10 s' },
  { name: 'Herring Steps', depth: '1.8 m', berths: 14, exposed: 'south', light: 'green, every 4 s' },
  { name: 'Lantern Rock', depth: '4.5 m', berths: 36, exposed: 'west', light: 'white, every 15 s' },
  { name: 'Quiet Basin', depth: '2.7 m', berths: 60, exposed: 'no side at all', light: 'red, every 6 s' },
];

const paragraphs: readonly ((harbour: Harbour) => string)[] = [
  ({ name, exposed }) => `Come to **${name}** with the sails already down. The entrance is narrower than it looks from the sea, and a wind from the side that lies open (${exposed}) pushes a light boat towards the stones. Keep one person at the bow with a line in hand, and let everybody know the plan *before* the first beacon is abeam.`,
  ({ depth, berths }) => `There are ${berths} berths and ${depth} of water at the outer pier when the level is normal. Two days of high pressure can take half a metre of that away, so read the gauge on the fuel dock and not the number painted on the wall.`,
  ({ light, name }) => `After dark the light of ${name} shows ${light}. Count it twice with a watch. Tired eyes see the pattern that they hope for, and a café with a blinking sign has been steered for more than once.`,
  ({ name }) => `The harbour office of ${name} opens at eight. Water and power are on every pontoon, bread comes at nine, and the sauna is heated on Fridays. Pay on the evening you arrive: the warden likes to drink the morning coffee undisturbed.`,
];

const opening = `# The Harbour Handbook

*Notes for small boats on a friendly coast.*

A harbour is where most things go wrong, because it is where things stand close together. At sea a mistake costs time; between two piers it costs paint. This book is about arriving slowly, tying up well and leaving early.

## Before you cast off

1. Read the forecast, then look out of the window.
2. Check the oil, the bilge and the gas tap, in this order.
3. Tell somebody ashore where you are going and when you will call.
4. Stow whatever can fall. All of it can fall.

> A boat that is ready is a boat that may also stay.

## Lines and knots

Four lines hold a boat: a bow line, a stern line and two springs. The springs do most of the work and get the least attention. Give each of them a length that lets the boat rise and sink with the water, and put a fender wherever you would not put your hand.

| line | holds against | cleat |
| --- | --- | --- |
| bow line | wind from astern | forward |
| stern line | wind from ahead | aft |
| fore spring | moving ahead | forward to aft |
| aft spring | moving astern | aft to forward |

## How long until we arrive?

Speed is distance over time, and patience is the rest:

\`\`\`ts
/** Hours to go; knots through the water and the current with or against you. */
function hoursToGo(seaMiles: number, knots: number, current: number): number {
  const overGround = knots + current;
  if (overGround <= 0) throw new RangeError('Drop the anchor and have supper.');
  return seaMiles / overGround;
}
\`\`\`

`;

const closing = '\n## When you leave\n\nLeave the berth as you would like to find it: the lines of the neighbours untouched, the water tap closed, the rubbish ashore. Then go out slowly, look back once, and set the sails.\n';

/** A handbook in Markdown of at least so many words: the opening, then harbour after harbour, then the closing. */
export function harbourHandbook(words: number): string {
  let text = opening;
  for (let at = 0; countWords(text) < words; at++) text += chapter(at);
  return text + closing;
}

function chapter(at: number): string {
  const harbour = harbours[at % harbours.length];
  if (harbour === undefined) throw new RangeError(`No harbour ${at}`);
  const visit = Math.floor(at / harbours.length);
  const title = visit === 0 ? harbour.name : `${harbour.name}, visit ${visit + 1}`;
  const body = paragraphs.map((_, turn) => paragraphs[(turn + at) % paragraphs.length]?.(harbour)).join('\n\n');
  return `\n## ${title}\n\n- depth: ${harbour.depth}\n- berths: ${harbour.berths}\n- light: ${harbour.light}\n\n${body}\n`;
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}

/** Cuts a text between words into exactly `count` pieces that join to the same text; throws when it has too few words. */
export function pieces(text: string, count: number): string[] {
  const tokens = text.match(/\S+\s*|^\s+/g) ?? [];
  if (tokens.length < count) throw new RangeError(`${tokens.length} words do not make ${count} pieces.`);
  const cut = (piece: number): number => Math.floor((piece * tokens.length) / count);
  return Array.from({ length: count }, (_, piece) => tokens.slice(cut(piece), cut(piece + 1)).join(''));
}
