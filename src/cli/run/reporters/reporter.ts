import type { Terminal } from '../../terminal/terminal.ts';
import type { RunResult } from './runResult.ts';
import type { RunCounts } from './verdict.ts';

interface RunSummary {
  readonly counts: RunCounts;
  readonly ms: number;
}

/** Writes the results of a run. */
export interface Reporter {
  /** Called when a request has ended, in the order in which requests end. */
  result(result: RunResult): void;
  end(results: readonly RunResult[], summary: RunSummary): void;
}

interface ReporterOptions extends Pick<Terminal, 'host' | 'output'> {
  /** The answer and the exchanges of what went well are reported, too. */
  readonly verbose: boolean;
  /** JSON is wanted, of a reporter that has text as well. */
  readonly json: boolean;
}

/** Makes a reporter. To add one, add a row in `reporters.ts`. @param write writes whole lines; no line break ends the text */
export type NewReporter = (write: (text: string) => void, options: ReporterOptions) => Reporter;
