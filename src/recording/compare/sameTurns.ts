import { isDeepStrictEqual } from 'node:util';
import type { ComparedRun, ComparedTurn, TurnOutcome } from './comparedRun.ts';
import { normalizedJson } from './normalizedJson.ts';

/** For each turn of a run, in how many of the others it came out the same. */
export function sameTurns(run: ComparedRun, others: readonly ComparedRun[]): readonly number[] {
  const same = others.map(other => isSame(run, other));
  return run.turns.map((_, index) => same.filter(turns => turns[index] === true).length);
}

/** Index of the first turn of a run that came out another way in the other, or that only one of them has; undefined where there is none. */
export function firstDifference(run: ComparedRun, other: ComparedRun): number | undefined {
  const index = isSame(run, other).indexOf(false);
  if (index !== -1) return index;
  return other.turns.length > run.turns.length ? run.turns.length : undefined;
}

/** A turn of the other run is the one with the same message, in order: a run may have more messages between those of another. */
function isSame(run: ComparedRun, other: ComparedRun): readonly boolean[] {
  let next = 0;
  const sameMessage = ({ said }: ComparedTurn): ComparedTurn | undefined => {
    const at = other.turns.findIndex((turn, index) => index >= next && isDeepStrictEqual(turn.said.parts, said.parts));
    if (at !== -1) next = at + 1;
    return other.turns[at];
  };
  return run.turns.map(turn => {
    const match = sameMessage(turn);
    return match !== undefined && normalizedJson(answerIn(turn.outcome)) === normalizedJson(answerIn(match.outcome));
  });
}

/** The state, the words and the artifacts of a turn, or what went wrong. */
const answerIn = (outcome: TurnOutcome | undefined): unknown => ({
  status: { state: outcome?.task?.status.state },
  parts: (outcome?.task?.status.message ?? outcome?.message)?.parts,
  artifacts: outcome?.task?.artifacts?.map(({ name, parts }) => ({ name, parts })),
  problem: outcome?.problem?.message,
});
