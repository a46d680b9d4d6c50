import type { ComparedRun, TurnOutcome } from './comparedRun.ts';
import { normalizedJson } from './normalizedJson.ts';

/** Index of the first turn that came out another way, or that only one of the runs has; undefined where there is none. */
export function firstDifference(one: ComparedRun, other: ComparedRun): number | undefined {
  const outcomes = (run: ComparedRun): readonly string[] => run.turns.map(({ outcome }) => normalizedJson(answerIn(outcome)));
  const [ones, others] = [outcomes(one), outcomes(other)];
  const length = Math.max(ones.length, others.length);
  const index = Array.from({ length }, (_, turn) => ones[turn] === others[turn]).indexOf(false);
  return index === -1 ? undefined : index;
}

/** The state, the words and the artifacts of a turn, or what went wrong. */
const answerIn = (outcome: TurnOutcome | undefined): unknown => ({
  status: { state: outcome?.task?.status.state },
  parts: (outcome?.task?.status.message ?? outcome?.message)?.parts,
  artifacts: outcome?.task?.artifacts?.map(({ name, parts }) => ({ name, parts })),
  problem: outcome?.problem?.message,
});
