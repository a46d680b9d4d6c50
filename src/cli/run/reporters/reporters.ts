import { jsonText } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { github } from './github.ts';
import { junit } from './junit.ts';
import { latency } from './latency.ts';
import type { NewReporter, Reporter } from './reporter.ts';
import { openOutputs, type WantedReporter } from './reportOutputs.ts';
import { spec } from './spec.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** One JSON object per line: each result as it arrives, the summary at the end. */
const json: NewReporter = (write, { verbose, output }) => ({
  result: ({ exchanges, ...result }) => {
    for (const value of output.selectedIn(verbose ? { ...result, exchanges } : result)) write(jsonText(value));
  },
  end: (_results, summary) => {
    for (const value of output.selectedIn({ summary })) write(jsonText(value));
  },
});

/**
 * All reporters by their name in `--reporter`.
 *
 * To add one: a file here, a row, its name in `help.ts` and in `docs/ci.md`, and rows of `pipelineCommands.test.ts` (commands to a build server)
 * and `runEnds.test.ts`. It writes whole lines, in which secrets are masked already; text of agents goes through `oneLine` or `jsonText`. Where a
 * format knows only success, failure and skipped, what failed or had an error is a failure, and the rest is skipped.
 */
export const reporters: Readonly<Record<string, NewReporter>> = { spec, junit, json, github, latency };

/** All reporters of one run. Their files are there after `end`; `close` leaves no half one. */
interface OpenReporters extends Reporter {
  /** Writes results of a run in which nothing was sent, which people have read already. */
  refused: Reporter;
  close(): void;
}

/**
 * Opens files first, so that nothing is sent in vain.
 * @throws FileError for a file that cannot be written
 */
export function openReporters(wanted: readonly WantedReporter[], terminal: Terminal): OpenReporters {
  const { host, output } = terminal;
  const { json, verbose } = terminal.values;
  const { outputs, finish, close } = openOutputs(wanted, terminal);
  const all = outputs.flatMap(({ name, file, write }) => {
    const options = { host, output, verbose: verbose === true, json: file === undefined ? json === true : file.endsWith('.json') };
    // Its lines are commands to the service that reads the output.
    const made = reporters[name]?.(name === 'github' && file === undefined ? (text: string) => output.printExactly(text) : write, options);
    return made === undefined ? [] : [{ name, reporter: withoutSecrets(made, output) }];
  });
  const together = (some: readonly Reporter[]): Reporter => ({
    result: one => some.forEach(reporter => reporter.result(one)),
    end: (results, summary) => {
      some.forEach(reporter => reporter.end(results, summary));
      finish();
    },
  });
  return {
    ...together(all.map(({ reporter }) => reporter)),
    refused: together(all.filter(({ name }) => name !== 'spec').map(({ reporter }) => reporter)),
    close,
  };
}
