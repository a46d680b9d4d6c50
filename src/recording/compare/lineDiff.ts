/** Maximum number of lines compared, but for equal ones at either end: the time grows with the product of both texts. */
const maxCompared = 400;
/** Equal lines that are shown before and after one that differs. */
const context = 2;

/**
 * Two texts against each other, line by line: `- ` before a line that was expected alone, `+ ` before one that came alone, `= `
 * before one that is in both (with spaces alone, a line of an agent could be a command for the program that reads the output, such as `::error`); long runs of equal lines are left out as `…`. Texts that have no line in common are given one after the other.
 */
export function lineDiff(expected: string, actual: string): readonly string[] {
  const [wanted, came] = [expected.split('\n'), actual.split('\n')];
  const shorter = Math.min(wanted.length, came.length);
  let start = 0;
  while (start < shorter && wanted[start] === came[start]) start++;
  let end = 0;
  while (end < shorter - start && wanted.at(-1 - end) === came.at(-1 - end)) end++;
  const [ours, theirs] = [wanted, came].map(all => all.slice(start, all.length - end)) as [string[], string[]];
  if (ours.length > maxCompared || theirs.length > maxCompared) return oneAfterTheOther(wanted, came);
  const same = (texts: readonly string[]): readonly Line[] => texts.map(text => ({ mark: '=', text }));
  const lines = [...same(wanted.slice(0, start)), ...compared(ours, theirs), ...same(wanted.slice(wanted.length - end))];
  return lines.some(({ mark }) => mark === '=') ? withContext(lines) : oneAfterTheOther(wanted, came);
}

interface Line {
  readonly mark: '-' | '+' | '=';
  readonly text: string;
}

const shown = ({ mark, text }: Line): string => `${mark} ${text}`;

const oneAfterTheOther = (wanted: readonly string[], came: readonly string[]): readonly string[] => [
  ...wanted.map(text => shown({ mark: '-', text })),
  ...came.map(text => shown({ mark: '+', text })),
];

/** A diff by the longest common subsequence. */
function compared(wanted: readonly string[], came: readonly string[]): readonly Line[] {
  const longest = Array.from({ length: wanted.length + 1 }, () => new Uint16Array(came.length + 1));
  for (let one = wanted.length - 1; one >= 0; one--)
    for (let other = came.length - 1; other >= 0; other--)
      longest[one]![other] =
        wanted[one] === came[other] ? longest[one + 1]![other + 1]! + 1 : Math.max(longest[one + 1]![other]!, longest[one]![other + 1]!);
  const lines: Line[] = [];
  let [one, other] = [0, 0];
  while (one < wanted.length || other < came.length) {
    if (one < wanted.length && other < came.length && wanted[one] === came[other]) {
      lines.push({ mark: '=', text: wanted[one]! });
      one++;
      other++;
    } else if (other >= came.length || (one < wanted.length && longest[one + 1]![other]! >= longest[one]![other + 1]!))
      lines.push({ mark: '-', text: wanted[one++]! });
    else lines.push({ mark: '+', text: came[other++]! });
  }
  return lines;
}

function withContext(lines: readonly Line[]): readonly string[] {
  const isNear = (at: number): boolean => lines.slice(Math.max(0, at - context), at + context + 1).some(({ mark }) => mark !== '=');
  return lines.flatMap((line, at) => (isNear(at) ? [shown(line)] : at === 0 || isNear(at - 1) ? ['  …'] : []));
}
