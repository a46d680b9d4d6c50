import { jsonText as line, selectedIn } from '../../terminal/output.ts';
import type { NewReporter } from './reporter.ts';

/** One JSON object per line: each result as it arrives, the summary at the end. */
export const json: NewReporter = (write, { verbose }) => ({
  result: ({ exchanges, ...result }) => {
    for (const value of selectedIn(verbose ? { ...result, exchanges } : result)) write(line(value));
  },
  end: (_results, summary) => {
    for (const value of selectedIn({ summary })) write(line(value));
  },
});
