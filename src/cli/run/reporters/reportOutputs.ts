import type { Values } from '../../terminal/options.ts';
import { printable, printMasked } from '../../terminal/output.ts';
import { UsageError } from '../../terminal/usage.ts';
import { openReportFile, writeReport, type ReportFile } from './reportFile.ts';

/** A reporter that was asked for: its name, and its file where it does not write to standard output. */
export interface WantedReporter {
  readonly name: string;
  readonly file?: string;
}

/** The reporters of the command line: `NAME`, or `NAME=FILE`. @param known all that there are. @throws UsageError */
export function wantedReporters({ reporter: written = [], json }: Values, known: readonly string[]): readonly WantedReporter[] {
  if (written.length === 0) return [{ name: json === true ? 'json' : 'spec' }];
  const wanted = written.map((one): WantedReporter => {
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(one) ?? [];
    if (!known.includes(name)) throw new UsageError(`There is no reporter ${name.slice(0, 60)}. There are: ${known.join(', ')}.`);
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

/** Where a reporter writes. */
export interface ReportOutput extends WantedReporter {
  /** Writes whole lines; no line break ends the text. @throws WriteError */
  write(text: string): void;
}

/**
 * Opens the files of reporters, so that nothing is sent in vain. `close` closes them.
 * @throws FileError for a file that cannot be written; none is left open then
 */
export function openOutputs(wanted: readonly WantedReporter[]): { readonly outputs: readonly ReportOutput[]; close(): void } {
  const open: ReportFile[] = [];
  const close = (): void => {
    for (const one of open.splice(0)) one.close();
  };
  const outputs: ReportOutput[] = [];
  try {
    for (const one of wanted) {
      if (one.file === undefined) {
        outputs.push({ ...one, write: printMasked });
        continue;
      }
      const file = openReportFile(one.file);
      open.push(file);
      outputs.push({ ...one, write: text => writeReport(file, `${printable(text)}\n`) });
    }
  } catch (error) {
    close();
    throw error;
  }
  return { outputs, close };
}
