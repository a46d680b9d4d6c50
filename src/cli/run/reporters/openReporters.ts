import type { Values } from '../../terminal/options.ts';
import { printable, printMasked } from '../../terminal/output.ts';
import { UsageError } from '../../terminal/usage.ts';
import type { Reporter } from './reporter.ts';
import { openReportFile, writeReport, type ReportFile } from './reportFile.ts';
import { reporters } from './reporters.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** A reporter that was asked for: its name, and its file where it does not write to standard output. */
export interface WantedReporter {
  readonly name: string;
  readonly file?: string;
}

/** The reporters of the command line: `NAME`, or `NAME=FILE`. @throws UsageError */
export function wantedReporters({ reporter: written = [], json }: Values): readonly WantedReporter[] {
  if (written.length === 0) return [{ name: json === true ? 'json' : 'spec' }];
  const wanted = written.map((one): WantedReporter => {
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(one) ?? [];
    if (!Object.hasOwn(reporters, name))
      throw new UsageError(`There is no reporter ${name.slice(0, 60)}. There are: ${Object.keys(reporters).join(', ')}.`);
    if (file === '') throw new UsageError(`--reporter ${name}= wants the name of a file.`);
    return { name, ...(file !== undefined && { file }) };
  });
  const onOutput = wanted.filter(({ file }) => file === undefined);
  if (onOutput.length > 1)
    throw new UsageError(
      `Only one reporter can write to standard output, not ${onOutput.map(({ name }) => name).join(' and ')}: give the other a file, such as --reporter ${onOutput[1]?.name}=FILE.`,
    );
  const files = wanted.flatMap(({ file }) => file ?? []);
  if (new Set(files).size < files.length) throw new UsageError('Two reporters cannot write to one file.');
  return wanted;
}

/** What reporters of one run write, all at once. `close` closes their files. */
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
  const open: ReportFile[] = [];
  const close = (): void => {
    for (const one of open.splice(0)) one.close();
  };
  const all: { readonly name: string; readonly reporter: Reporter }[] = [];
  try {
    for (const { name, file } of wanted) {
      let write = printMasked;
      if (file !== undefined) {
        const opened = openReportFile(file);
        open.push(opened);
        write = text => writeReport(opened, `${printable(text)}\n`);
      }
      const made = reporters[name]?.(write, {
        verbose: verbose === true,
        json: file === undefined ? json === true : file.endsWith('.json'),
      });
      if (made !== undefined) all.push({ name, reporter: withoutSecrets(made) });
    }
  } catch (error) {
    close();
    throw error;
  }
  const together = (some: readonly Reporter[]): Reporter => ({
    result: one => some.forEach(reporter => reporter.result(one)),
    end: (results, summary) => some.forEach(reporter => reporter.end(results, summary)),
  });
  return {
    ...together(all.map(({ reporter }) => reporter)),
    refused: together(all.filter(({ name }) => name !== 'spec').map(({ reporter }) => reporter)),
    close,
  };
}
