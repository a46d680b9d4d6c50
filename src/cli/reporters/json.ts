import { json as line, print } from '../output.ts';
import type { Reporter } from './reporter.ts';

/** One JSON object a line: each result as it comes, the summary at the end. */
export const json: Reporter = {
  result: result => print(line(result)),
  end: (_results, summary) => print(line({ summary })),
};
