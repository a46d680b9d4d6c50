import { findingsIn } from '../../protocol/finding.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { mediaTypeOf, type Part, textOf } from '../../protocol/message/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { SaidMessage } from '../saidMessage.ts';
import type { ComparedRun, ComparedTurn, TurnOutcome } from './comparedRun.ts';
import { type Normalization, usual } from './normalization.ts';
import { asText, normalizedJson, normalizer, withNumbersOf, withoutMembers } from './normalizedJson.ts';

/**
 * The members of the texts that show a turn, compared one by one. `message` is the agent's: that of the task's state, or the answer itself;
 * `findings` are the rules that were broken; `rest` is metadata and all else that the task has but its history, of which the messages
 * belong to other turns.
 */
export const aspects = ['state', 'message', 'artifacts', 'problem', 'findings', 'rest'] as const;
export type Aspect = (typeof aspects)[number];

/** The outcome of a message in one run, beside that of the first run. */
export interface ComparedCell {
  /** Undefined where the answer is a message, and where there is none. */
  readonly state?: TaskState;
  /** Milliseconds from sending to the first event. */
  readonly firstEventMs?: number;
  readonly totalMs: number;
  /** Text of the agent's message. */
  readonly text: string;
  readonly artifacts: readonly Artifact[];
  /** Number of findings. */
  readonly findings: number;
  readonly problem?: Problem;
  /** All that is not as in the first run. Empty in the first run itself. */
  readonly differs: readonly Aspect[];
}

/** A message of the person and its outcome in each run. */
export interface ComparedRow {
  readonly said: SaidMessage;
  /** Index of the message in each run; undefined where the run has not got that far. */
  readonly turns: readonly (number | undefined)[];
  /** Undefined where the message was not sent. */
  readonly cells: readonly (ComparedCell | undefined)[];
  /** Number of runs after the first that are equal to it here. */
  readonly equal: number;
}

/**
 * The turns of runs beside each other: each message of the person has a row, those of the first run in its order, those that only another
 * run has behind the one that they follow there. Of equal messages the first of one run is beside the first of another, and so on.
 */
export function compareRuns(runs: readonly ComparedRun[], normalization = usual): readonly ComparedRow[] {
  return aligned(runs).map(({ said, turns }) => {
    const outcomes = turns.map((turn, run) => (turn === undefined ? undefined : runs[run]?.turns[turn]?.outcome));
    const base = compared(outcomes[0], normalization);
    const cells = outcomes.map((outcome, run) => outcome && cellOf(outcome, run === 0 ? [] : differences(base, outcome, normalization)));
    return { said, turns, cells, equal: cells.slice(1).filter((_, index) => isEqual({ cells }, index + 1)).length };
  });
}

/** True where a run came out as the first did, or where neither has the message. @param run its index, from 1 */
export function isEqual({ cells }: Pick<ComparedRow, 'cells'>, run: number): boolean {
  const [first, cell] = [cells[0], cells[run]];
  return first === undefined || cell === undefined ? first === cell : cell.differs.length === 0;
}

/** Outcomes of a message in the first run and in another, as texts that differ where the comparison says so. */
export function comparedTexts(
  base: TurnOutcome | undefined,
  other: TurnOutcome | undefined,
  normalization = usual,
): readonly [string, string] {
  const first = compared(base, normalization);
  return [shown(first), shown(settled(first, compared(other, normalization), normalization))];
}

type Compared = Partial<Record<Aspect, unknown>>;

function cellOf(outcome: TurnOutcome, differs: readonly Aspect[]): ComparedCell {
  const { task, message = task?.status.message, startedAt, firstEventAt, endedAt, findings = [], problem } = outcome;
  return {
    totalMs: endedAt - startedAt,
    text: textOf(message?.parts ?? []),
    artifacts: task?.artifacts ?? [],
    findings: findingsIn(findings),
    differs,
    ...(task !== undefined && { state: task.status.state }),
    ...(firstEventAt !== undefined && { firstEventMs: firstEventAt - startedAt }),
    ...(problem !== undefined && { problem }),
  };
}

function differences(base: Compared, outcome: TurnOutcome, normalization: Normalization): readonly Aspect[] {
  const other = settled(base, compared(outcome, normalization), normalization);
  return aspects.filter(aspect => JSON.stringify(base[aspect]) !== JSON.stringify(other[aspect]));
}

const settled = (base: Compared, other: Compared, { tolerance = 0 }: Normalization): Compared =>
  tolerance > 0 ? (withNumbersOf(base, other, tolerance) as Compared) : other;

/** Each aspect is normalized by itself, so that a difference in one is none in another. */
function compared(outcome: TurnOutcome | undefined, normalization: Normalization): Compared {
  if (outcome === undefined) return {};
  const whole = aspectsOf(outcome);
  const counted = withoutMembers(whole, normalization.without) as Compared;
  const normalized = normalizer(whole, normalization);
  return Object.fromEntries(aspects.flatMap(aspect => (counted[aspect] === undefined ? [] : [[aspect, normalized(counted[aspect])]])));
}

function aspectsOf({ task, message, problem, findings = [] }: TurnOutcome): Compared {
  const { status, artifacts, history: _, ...rest } = task ?? {};
  const { state, message: statusMessage, ...restOfStatus } = status ?? {};
  return {
    state,
    message: withPlainParts(message ?? statusMessage),
    artifacts: artifacts?.length === 0 ? undefined : artifacts?.map(withPlainParts),
    problem: problem && { code: problem.code, message: problem.message },
    findings: findings.length === 0 ? undefined : [...new Set(findings.map(({ rule }) => rule))].sort(),
    rest: task && { ...rest, status: restOfStatus },
  };
}

/** A media type that a part has anyway is left out: before A2A 1.0, texts and data have no place for one. */
function withPlainParts<Whole extends { readonly parts: readonly Part[] } | undefined>(whole: Whole): Whole {
  const isPlain = ({ mediaType: _, ...part }: Part, mediaType: string): boolean => mediaTypeOf(part as Part) === mediaType;
  return (
    whole && {
      ...whole,
      parts: whole.parts.map(part =>
        part.mediaType !== undefined && isPlain(part, part.mediaType) ? { ...part, mediaType: undefined } : part,
      ),
    }
  );
}

const shown = (turn: Compared): string => (Object.keys(turn).length === 0 ? '' : `${asText(turn)}\n`);

interface Row {
  readonly said: SaidMessage;
  readonly turns: (number | undefined)[];
}

function aligned(runs: readonly ComparedRun[]): readonly Row[] {
  const rows = new Map<string, Row>();
  /** Keys of the rows that follow a row in some run, by its key; those of the first run come last, as they have its further rows behind them. */
  const after = new Map<string, string[]>();
  for (const [run, { turns }] of runs.entries()) {
    let before = '';
    for (const [turn, key] of keysOf(turns).entries()) {
      const { said } = turns[turn]!;
      let row = rows.get(key);
      if (row === undefined) {
        row = { said, turns: runs.map(() => undefined) };
        rows.set(key, row);
        after.set(before, [key, ...(after.get(before) ?? [])]);
      }
      row.turns[run] = turn;
      before = key;
    }
  }
  // Not recursive: a conversation is a chain of thousands.
  const sorted: Row[] = [];
  const next = [...(after.get('') ?? [])].reverse();
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    sorted.push(rows.get(key)!);
    next.push(...[...(after.get(key) ?? [])].reverse());
  }
  return sorted;
}

/** Names of the messages that are the same in each run: what they say, and how often the run had said it. */
function keysOf(turns: readonly ComparedTurn[]): readonly string[] {
  const times = new Map<string, number>();
  return turns.map(({ said: { parts, metadata } }) => {
    const text = normalizedJson({ parts, metadata });
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return `${before} ${text}`;
  });
}
