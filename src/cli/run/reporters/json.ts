import { jsonText as line, printMasked } from '../../terminal/output.ts';
import type { Reporter } from './reporter.ts';

/** One JSON object per line: each result as it arrives, the summary at the end. */
export const json: Reporter = {
  result: result => printMasked(line(result)),
  end: (_results, summary) => printMasked(line({ summary })),
};
