/**
 * The verdict on a request. `sent`: it was answered, and has no expectations; `passed`: its expectations hold; `failed`: an expectation,
 * the task or the time limit failed; `error`: it was not answered; `skipped`: a request that it needs failed; `not-run`: the run ended
 * before it was sent; `left-out`: by the file (`skip`, `only`), or it had nothing to clean up; `interrupted`: the run was ended while it was running.
 */
export type Verdict = 'sent' | 'passed' | 'failed' | 'error' | 'skipped' | 'left-out' | 'not-run' | 'interrupted';

export interface RunCounts {
  readonly sent: number;
  readonly passed: number;
  /** Includes those with an error and those skipped. */
  readonly failed: number;
  readonly skipped: number;
  /** Left out by the file (`skip`, `only`). */
  readonly leftOut: number;
  /** Includes those interrupted. */
  readonly notRun: number;
}

const countOf: Readonly<Record<Verdict, keyof RunCounts>> = {
  sent: 'sent',
  passed: 'passed',
  failed: 'failed',
  error: 'failed',
  skipped: 'skipped',
  'left-out': 'leftOut',
  'not-run': 'notRun',
  interrupted: 'notRun',
};

export function countsOf(verdicts: Iterable<Verdict>): RunCounts {
  const counts = { sent: 0, passed: 0, failed: 0, skipped: 0, notRun: 0, leftOut: 0 };
  for (const verdict of verdicts) counts[countOf[verdict]] += 1;
  return counts;
}

/** Verdicts after which `--bail` sends nothing more. */
export const isBad = (verdict: Verdict): boolean => verdict === 'failed' || verdict === 'error' || verdict === 'skipped';
