import { behaviours, type BehaviourId } from './behaviours.ts';
import type { Row } from './rows.ts';
import { servers } from './servers.ts';

const begin = '<!-- matrix:start (written by the matrix test) -->';
const finish = '<!-- matrix:end -->';

const ids = Object.keys(behaviours) as BehaviourId[];
const superscript = (number: number): string => [...String(number)].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');

/** The matrix as Markdown; `missing` are the generations that lack a binding. */
export function matrixText(
  rows: readonly Row[],
  missing: readonly { readonly binding: string; readonly generations: readonly string[] }[],
): string {
  const notes = [...new Set(rows.flatMap(({ except = {} }) => ids.flatMap(id => except[id]?.why ?? [])))];
  const cell = ({ except = {} }: Row, id: BehaviourId): string => {
    const exception = except[id];
    return exception === undefined ? '✓' : `${exception.mark}${superscript(notes.indexOf(exception.why) + 1)}`;
  };
  return [
    `| A2A | binding | server | ${ids.map(id => behaviours[id].title).join(' | ')} |`,
    `|---|---|---|${ids.map(() => ':-:|').join('')}`,
    ...rows.map(
      row => `| ${row.generation} | ${row.binding} | ${servers[row.server].title} | ${ids.map(id => cell(row, id)).join(' | ')} |`,
    ),
    '',
    ...notes.map((note, index) => `${superscript(index + 1)} ${note}  `),
    ...missing
      .filter(({ generations }) => generations.length > 0)
      .map(({ binding, generations }) => `Not supported over ${binding}: ${generations.join(', ')}.  `),
  ]
    .join('\n')
    .trimEnd();
}

/** A text with the block between the marks replaced. */
export function withMatrix(text: string, matrix: string): string {
  const [start, end] = [text.indexOf(begin), text.indexOf(finish)];
  if (start < 0 || end < start) throw new Error(`There is no block between ${begin} and ${finish}.`);
  return `${text.slice(0, start + begin.length)}\n\n${matrix}\n\n${text.slice(end)}`;
}
