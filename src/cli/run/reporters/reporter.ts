import type { RunResult } from './runResult.ts';
import type { RunCounts } from './verdict.ts';

interface RunSummary {
  readonly counts: RunCounts;
  readonly ms: number;
}

/** Writes the results of a run. To add one, add a row in `reporters.ts`. */
export interface Reporter {
  /** Called when a request has ended, in the order in which requests end. */
  result(result: RunResult): void;
  end(results: readonly RunResult[], summary: RunSummary): void;
}
