/** Lengths at which each shape is written. */
export const nestedLengths = [50, 100, 250, 500, 501, 1_000, 2_000, 4_000, 7_999, 12_000, 20_000] as const;

/** Prefix repeated on one line before the content. */
const containers = ['- ', '* ', '+ ', '1. ', '1) ', '> ', '>', '- [ ] ', '2. ', '- > ', '>- ', '>>'] as const;
/** Text before and after the content. */
const pairs: readonly (readonly [before: string, behind: string])[] = [
  ['*a ', ' a*'],
  ['**a ', ' a**'],
  ['_a ', ' a_'],
  ['__a ', ' a__'],
  ['~~a ', ' a~~'],
  ['~a ', ' a~'],
  ['[a ', ' a](u)'],
  ['![a ', ' a](u)'],
  ['[a ', ' a][r]'],
  ['*a **b ', ' b** a*'],
  ['*a ~~b ', ' b~~ a*'],
  ['[a *b ', ' b* a](u)'],
  ['<b>', '</b>'],
  ['(', ')'],
  ['*', '*'],
  ['`', '`'],
];

/** Fills the length with units and puts `x` at the end, or in the middle where something has to come behind. */
const repeated = (unit: string, length: number, end = 'x'): string =>
  unit.repeat(Math.max(1, Math.floor((length - end.length) / unit.length))) + end;
const enclosed = ([before, behind]: readonly [string, string], length: number): string => {
  const count = Math.max(1, Math.floor((length - 1) / (before.length + behind.length)));
  return `${before.repeat(count)}x${behind.repeat(count)}`;
};
/** A line for each level, so far to the right as its level asks. */
function stairs(markers: readonly string[], length: number): string {
  let text = '';
  for (let level = 0; text.length < length; level++) {
    text += `${' '.repeat(Math.min(level, 90) * 2)}${markers[level % markers.length]}x\n`;
  }
  return text;
}

type Shape = (length: number) => string;

const mixed: readonly string[] = containers.flatMap((one, index) =>
  containers.filter((_, other) => other !== index).map(other => one + other),
);
/** Three of them, by a rule that is the same on every machine. */
const triples: readonly string[] = Array.from({ length: 150 }, (_, index) =>
  [index, index * 5 + 1, index * 7 + 3].map(at => containers[at % containers.length]).join(''),
);

const lines = (prefix: (level: number) => string, length: number): string => {
  let text = '';
  for (let level = 1; text.length < length; level++) text += `${prefix(Math.min(level, 400))}x\n`;
  return text;
};

/** 500 and more ways to nest, each a function of the length. */
export const nestedShapes: Readonly<Record<string, Shape>> = Object.fromEntries<Shape>([
  ...[...new Set([...containers, ...mixed, ...triples])].map((unit): [string, Shape] => [`${unit}…x`, length => repeated(unit, length)]),
  ...[...containers, ...mixed.slice(0, 90)].map((unit): [string, Shape] => [
    `${unit}…x and a line that goes on`,
    length => `${repeated(unit, length - 2)}\nx`,
  ]),
  ...containers.map((unit): [string, Shape] => [`${unit}…, each line deeper`, length => lines(level => unit.repeat(level), length)]),
  ...containers.map((unit): [string, Shape] => [
    `${unit}…, each line shallower`,
    length => lines(level => unit.repeat(Math.max(1, 200 - level)), length),
  ]),
  ...containers.map((unit): [string, Shape] => [`${unit} in stairs`, length => stairs([unit], length)]),
  ...mixed.slice(0, 60).map((unit): [string, Shape] => [`${unit} in stairs of two`, length => stairs([unit, '- '], length)]),
  ...pairs.map((pair): [string, Shape] => [`${pair.join('x')}…`, length => enclosed(pair, length)]),
  // A fence takes what follows on its line for the name of a language.
  ...pairs
    .filter(([before]) => before !== '`')
    .map(([before]): [string, Shape] => [`${before}… unclosed`, length => repeated(before, length)]),
  ...containers.flatMap(unit =>
    pairs
      .slice(0, 8)
      .map((pair): [string, Shape] => [
        `${unit}… around ${pair.join('x')}…`,
        length => unit.repeat(Math.floor(length / 2 / unit.length)) + enclosed(pair, length / 2),
      ]),
  ),
  ...containers.map((unit): [string, Shape] => [
    `${unit}… around a table`,
    length => {
      const before = unit.repeat(Math.floor(length / 3 / unit.length));
      const blank = ' '.repeat(Math.min(before.length, 180));
      return `${before}|x|y|\n${blank}|-|-|\n${blank}|*x*|y|\n`;
    },
  ]),
  ...pairs
    .slice(0, 12)
    .map((pair): [string, Shape] => [
      `a table whose cell is ${pair.join('x')}…`,
      length => `|${enclosed(pair, length)}|y|\n|-|-|\n|${enclosed(pair, Math.min(length, 2_000))}|y|\n`,
    ]),
  ...containers.map((unit): [string, Shape] => [`${unit}… around code`, length => `${repeated(unit, length / 2, '```')}\nx\n`]),
  ...containers.map((unit): [string, Shape] => [`${unit}… around a heading`, length => repeated(unit, length, '# x')]),
]);
