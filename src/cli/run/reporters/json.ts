import { jsonText as line, printMasked } from '../../terminal/output.ts';
import type { Reporter } from './reporter.ts';

/** One JSON object a line: each result as it comes, the summary at the end. */
export const json: Reporter = {
  result: result => printMasked(line(result)),
  end: (_results, summary) => printMasked(line({ summary })),
};
