import type { RunResult } from './runResult.ts';
import type { RunCounts } from './verdict.ts';

interface RunSummary {
  readonly counts: RunCounts;
  readonly ms: number;
}

/** Writes what came of a run. Adding one is a row in `reporters.ts`. */
export interface Reporter {
  /** A request is over; in the order in which they are. */
  result(result: RunResult): void;
  end(results: readonly RunResult[], summary: RunSummary): void;
}
