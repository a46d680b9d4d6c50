/**
 * How a request came out. `sent`: it came through, and nothing was expected of it; `passed`: its expectations hold; `failed`: an expectation,
 * the task or the time it may take; `error`: it did not come through; `skipped`: what it needs did not come through; `not-run`: the run was
 * over before its turn; `interrupted`: the run was ended while it was under way.
 */
export type Verdict = 'sent' | 'passed' | 'failed' | 'error' | 'skipped' | 'not-run' | 'interrupted';

export interface RunCounts {
  readonly sent: number;
  readonly passed: number;
  /** Also those that did not come through. */
  readonly failed: number;
  readonly skipped: number;
  /** Also those that were interrupted. */
  readonly notRun: number;
}

const countOf: Readonly<Record<Verdict, keyof RunCounts>> = {
  sent: 'sent',
  passed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  'not-run': 'notRun',
  interrupted: 'notRun',
};

export function countsOf(verdicts: Iterable<Verdict>): RunCounts {
  const counts = { sent: 0, passed: 0, failed: 0, skipped: 0, notRun: 0 };
  for (const verdict of verdicts) counts[countOf[verdict]] += 1;
  return counts;
}

/** What went wrong: nothing more is sent after it with `--bail`. */
export const isBad = (verdict: Verdict): boolean => verdict === 'failed' || verdict === 'error' || verdict === 'skipped';
