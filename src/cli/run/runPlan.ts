import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { writtenCount } from '../../request/file/writtenRows.ts';
import { parseMilliseconds } from '../terminal/milliseconds.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';
import { wantedReporters, type WantedReporter } from './reporters/reportOutputs.ts';
import { reporters } from './reporters/reporters.ts';
import { WatchedFiles } from './watch.ts';

const maxParallel = 100;
/** Maximum number of requests of a run: every result is kept until its end. */
const maxTimes = 1_000_000;

/** The checked options of `a2a run`. */
export interface RunPlan {
  readonly reporters: readonly WantedReporter[];
  /** Number of requests at a time. */
  readonly parallel: number;
  /** Number of times that each request is sent. */
  readonly repeat: number;
  /** Files of `--watch`; undefined without it. */
  readonly files: WatchedFiles | undefined;
}

/** @throws UsageError */
export function runPlan(terminal: Pick<Terminal, 'host' | 'values'>): RunPlan {
  const { values } = terminal;
  if (values.raw === true) throw new UsageError('--raw is not for run.');
  if (values.timeout !== undefined) parseMilliseconds(values.timeout);
  if (values.output === '') throw new UsageError('--output must be a folder.');
  return {
    reporters: wantedReporters(terminal, Object.keys(reporters)),
    parallel: count('--parallel', values.parallel, maxParallel),
    repeat: count('--repeat', values.repeat, maxTimes),
    files: values.watch === true ? new WatchedFiles() : undefined,
  };
}

/** Refuses a run that would send too many requests, as far as the files determine that. @throws UsageError */
export function refuseTooMany({ repeat }: Pick<RunPlan, 'repeat'>, chosen: readonly { readonly entry: RequestEntry }[]): void {
  const times = repeat * chosen.reduce((sum, { entry }) => sum + writtenCount(entry), 0);
  if (times > maxTimes) throw new UsageError(`--repeat ${repeat} would send requests ${times} times in all, more than ${maxTimes}.`);
}

function count(option: string, written = '1', most: number): number {
  const number = Number(written);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`${option} must be a whole number from 1 to ${most}.`);
}
