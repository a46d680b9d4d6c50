import type { RunResult, Verdict } from '../runResult.ts';

export interface RunSummary {
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly ms: number;
}

/** Writes what came of a run. Adding one is a row in `reporters.ts`. */
export interface Reporter {
  /** A request is over; in the order in which they are. */
  result(result: RunResult): void;
  end(results: readonly RunResult[], summary: RunSummary): void;
}
