import type { Values } from '../../terminal/options.ts';
import { printExactly } from '../../terminal/output.ts';
import type { Reporter } from './reporter.ts';
import { reporters } from './reporters.ts';
import { openOutputs, type WantedReporter } from './reportOutputs.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** What reporters of one run write, all at once. Their files are there after `end`; `close` leaves no half one. */
export interface OpenReporters extends Reporter {
  /** Writes results of a run in which nothing was sent, which people have read already. */
  refused: Reporter;
  close(): void;
}

/**
 * Opens files first, so that nothing is sent in vain.
 * @throws FileError for a file that cannot be written
 */
export function openReporters(wanted: readonly WantedReporter[], { json, verbose }: Values): OpenReporters {
  const { outputs, finish, close } = openOutputs(wanted);
  const all = outputs.flatMap(({ name, file, write }) => {
    const options = { verbose: verbose === true, json: file === undefined ? json === true : file.endsWith('.json') };
    // Its lines are commands to the service that reads the output.
    const made = reporters[name]?.(name === 'github' && file === undefined ? printExactly : write, options);
    return made === undefined ? [] : [{ name, reporter: withoutSecrets(made) }];
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
