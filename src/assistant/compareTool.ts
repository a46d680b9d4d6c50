import * as z from 'zod';
import { storedRun } from '../model/again/storedRun.ts';
import { textOf } from '../protocol/message/part.ts';
import { beginningOf } from '../protocol/ownText.ts';
import { english } from '../protocol/problem.ts';
import { withoutUndefined } from '../protocol/versions/shared/fields.ts';
import type { ComparedRun } from '../recording/compare/comparedRun.ts';
import { comparedTexts, compareRuns, type ComparedCell, type ComparedRow } from '../recording/compare/comparison.ts';
import { lineDiff } from '../recording/compare/lineDiff.ts';
import { bounds } from './bounds.ts';
import { untrusted, type Section } from './result.ts';
import { contextOf } from './targets.ts';
import { defineTool } from './tool.ts';

const Input = z.strictObject({
  contexts: z
    .array(z.string())
    .min(2)
    .max(8)
    .describe('Keys of two to eight contexts, from other results. The others are compared with the first.'),
});

/** Compares conversations of the history turn by turn. */
export const compareTool = defineTool({
  name: 'a2a_compare',
  description:
    'Compares two to eight conversations (contexts) of the history turn by turn: state, times, and what differs from the first, with the lines that differ. Ids, times and the order of members do not count. Use it to see whether an agent answers as before a change, or as another agent does; send the same messages again with a2a_send or a2a_run first. For one conversation use a2a_history.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Input,
  work: async ({ contexts: keys }, world) => {
    await world.consent.mayRead();
    const contexts = keys.map(key => contextOf(key, world));
    const runs = contexts.map(storedRun);
    const rows = compareRuns(runs);
    const agents = [...new Set(contexts.map(({ agentName }) => agentName))];
    const shown = rows.slice(0, bounds.entries);
    const equal = rows.filter(row => row.equal === runs.length - 1).length;
    return [
      `Turns: ${rows.length}, ${equal} of them equal in all contexts.`,
      untrusted(agents, {
        contexts: contexts.map(({ key, agentName, title }) => ({ context: key, agent: agentName, title })),
        turns: shown.map((row, turn) => ({
          turn: turn + 1,
          message: cut(textOf(row.said.parts)),
          answers: row.cells.map((cell, run) => factsOf(cell, row, run, keys[run]!)),
        })),
      }),
      ...(rows.length > shown.length ? [`${rows.length - shown.length} later turns were left out: read them with a2a_history.`] : []),
      ...differences(shown, runs, { keys, agents }),
    ];
  },
});

const cut = (text: string): string => beginningOf(text, bounds.answer, '…');

function factsOf(cell: ComparedCell | undefined, { cells: [first] }: ComparedRow, run: number, context: string) {
  if (cell === undefined) return { context, sent: false };
  const { state, firstEventMs, totalMs, findings, problem, differs } = cell;
  return withoutUndefined({
    context,
    state,
    firstEventMs: firstEventMs === undefined ? undefined : Math.round(firstEventMs),
    totalMs: Math.round(totalMs),
    findings: findings === 0 ? undefined : findings,
    problem: problem && cut(english(problem.sentence)),
    differs: run === 0 || differs.length === 0 ? undefined : first === undefined ? ['turn'] : differs,
  });
}

/** The lines that differ, as many as fit. */
function differences(
  rows: readonly ComparedRow[],
  runs: readonly ComparedRun[],
  { keys, agents }: { readonly keys: readonly string[]; readonly agents: readonly string[] },
): readonly Section[] {
  const texts = rows.flatMap(({ cells, turns }, turn) => {
    const outcomeOf = (run: number) => (turns[run] === undefined ? undefined : runs[run]?.turns[turns[run]]?.outcome);
    return cells.flatMap((cell, run) => {
      if (run === 0 || cell === undefined || cells[0] === undefined || cell.differs.length === 0) return [];
      const lines = lineDiff(...comparedTexts(outcomeOf(0), outcomeOf(run))).join('\n');
      return [`Turn ${turn + 1}: - ${keys[0]}, + ${keys[run]}\n${beginningOf(lines, bounds.piece, '\n…')}`];
    });
  });
  let length = 0;
  const fitting = texts.filter(text => (length += text.length) <= bounds.transcript);
  const left = texts.length - fitting.length;
  return [
    ...(fitting.length === 0 ? [] : [untrusted(agents, fitting.join('\n\n'))]),
    ...(left > 0 ? [`The lines of ${left} more differences were left out: compare two contexts at a time.`] : []),
  ];
}
