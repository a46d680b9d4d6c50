import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { foldedName } from '../../../model/fileNames.ts';
import { printable } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { UsageError } from '../../terminal/usage.ts';
import { openReportFile, type ReportFile } from './reportFile.ts';

/** A reporter that was asked for: its name, and its file where it does not write to standard output. */
export interface WantedReporter {
  readonly name: string;
  readonly file?: string;
}

/** The reporters of the command line: `NAME`, or `NAME=FILE`. @param known all that there are. @throws UsageError */
export function wantedReporters({ host, values }: Pick<Terminal, 'host' | 'values'>, known: readonly string[]): readonly WantedReporter[] {
  const { reporter: written = [], json } = values;
  if (written.length === 0) return [{ name: json === true ? 'json' : 'spec' }];
  const wanted = written.map((one): WantedReporter => {
    const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(one) ?? [];
    if (!known.includes(name)) throw new UsageError(`Unknown reporter ${name.slice(0, 60)}. There are: ${known.join(', ')}.`);
    if (file === '') throw new UsageError(`--reporter ${name}= needs the name of a file.`);
    return { name, ...(file !== undefined && { file }) };
  });
  const onOutput = wanted.filter(({ file }) => file === undefined);
  if (onOutput.length > 1)
    throw new UsageError(
      `Only one reporter can write to standard output, not ${onOutput.map(({ name }) => name).join(' and ')}: give the other a file, such as --reporter ${onOutput[1]?.name}=FILE.`,
    );
  const files = wanted.flatMap(({ file }) => (file === undefined ? [] : placeOf(file, host.cwd())));
  if (new Set(files).size < files.length) throw new UsageError('Two reporters cannot write to one file.');
  return wanted;
}

/** Refuses reports in the place of files that the command reads. @param read their paths @throws UsageError */
export function refuseReplacing({ host }: Pick<Terminal, 'host'>, wanted: readonly WantedReporter[], read: Iterable<string>): void {
  const cwd = host.cwd();
  const reports = new Map(
    wanted.flatMap(({ name, file }) => (file === undefined ? [] : [[placeOf(file, cwd), `${name}=${file}`] as const])),
  );
  if (reports.size === 0) return;
  for (const path of read) {
    const report = reports.get(foldedName(realOf(resolve(cwd, path))));
    if (report === undefined) continue;
    throw new UsageError(
      `--reporter ${report} would replace ${relative(cwd, resolve(cwd, path))}, which this command reads. Nothing was sent. Give the report another file.`,
    );
  }
}

/** The place of a report, as file systems compare it that ignore case and the form of accents. A report is never written through a link. */
function placeOf(file: string, cwd: string): string {
  const full = resolve(cwd, file);
  return foldedName(join(realOf(dirname(full)), basename(full)));
}

/** The path without links, as far as there is something at it. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), basename(path));
  }
}

/** The output of a reporter. */
interface ReportOutput extends WantedReporter {
  /** Writes whole lines; no line break ends the text. @throws WriteError */
  write(text: string): void;
}

interface ReportOutputs {
  readonly outputs: readonly ReportOutput[];
  /** Puts the reports in their places, as many as go there; to be called when all is written. @throws WriteError */
  finish(): void;
  /** Leaves no half report: what is not finished goes. */
  close(): void;
}

/**
 * Opens the files of reporters, so that nothing is sent in vain.
 * @throws FileError for a file that cannot be written; none is left open then
 */
export function openOutputs(wanted: readonly WantedReporter[], { host, output }: Pick<Terminal, 'host' | 'output'>): ReportOutputs {
  const open: ReportFile[] = [];
  const close = (): void => {
    process.off('exit', close);
    for (const one of open.splice(0)) one.discard();
  };
  // The command may also be ended by a second Ctrl+C.
  process.on('exit', close);
  const outputs: ReportOutput[] = [];
  try {
    for (const one of wanted) {
      if (one.file === undefined) {
        outputs.push({ ...one, write: text => output.printMasked(text) });
        continue;
      }
      const file = openReportFile(one.file, host.cwd());
      open.push(file);
      outputs.push({ ...one, write: text => file.write(`${printable(text)}\n`) });
    }
  } catch (error) {
    close();
    throw error;
  }
  const finish = (): void => {
    const errors: unknown[] = [];
    for (const one of open) {
      try {
        one.finish();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };
  return { outputs, finish, close };
}
