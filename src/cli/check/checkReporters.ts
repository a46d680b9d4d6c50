import type { CheckReport } from '../../conformance/checkReport.ts';
import { checkBadge } from '../../conformance/reports/checkBadge.ts';
import { htmlReport } from '../../conformance/reports/html.ts';
import { checkLines } from '../../conformance/reports/jsonLines.ts';
import { junitReport } from '../../conformance/reports/junit.ts';
import { markdownReport } from '../../conformance/reports/markdown.ts';
import { inTerminal } from '../../protocol/problem.ts';
import { openReportFile, writeReport } from '../run/reporters/reportFile.ts';
import type { Values } from '../terminal/options.ts';
import { json, jsonText, printable, printMasked, secretValues, selectedIn } from '../terminal/output.ts';
import { UsageError } from '../terminal/usage.ts';
import { specReport } from './specReport.ts';

type WriteReport = (report: CheckReport, options: { readonly verbose: boolean }) => string;

/** All reporters of `a2a check` by their name in `--reporter`. To add one, add a row. */
const reporters: Readonly<Record<string, WriteReport>> = {
  spec: specReport,
  json: report =>
    checkLines(report)
      .flatMap(line => selectedIn(line))
      .map(jsonText)
      .join('\n'),
  junit: junitReport,
  html: report => htmlReport(report, inTerminal),
  markdown: report => markdownReport(report, inTerminal),
  badge: checkBadge,
};

interface WantedReporter {
  readonly name: string;
  readonly file?: string;
}

/** The reporters of the command line: `NAME`, or `NAME=FILE`. @throws UsageError */
export function wantedCheckReporters({ reporter: written = [], json: isJson }: Values): readonly WantedReporter[] {
  if (written.length === 0) return [{ name: isJson === true ? 'json' : 'spec' }];
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

export interface CheckReporters {
  write(report: CheckReport): void;
  close(): void;
}

/** Opens files first, so that nothing is asked in vain. @throws FileError for a file that cannot be written */
export function openCheckReporters(wanted: readonly WantedReporter[], { verbose }: Values): CheckReporters {
  const open: { readonly name: string; readonly file?: ReturnType<typeof openReportFile> }[] = [];
  const close = (): void => {
    for (const { file } of open.splice(0)) file?.close();
  };
  try {
    for (const { name, file } of wanted) open.push({ name, ...(file !== undefined && { file: openReportFile(file) }) });
  } catch (error) {
    close();
    throw error;
  }
  return {
    write: report => {
      // Header values are masked in exchanges already; agents repeat other secrets of the command line.
      const masked = JSON.parse(json(report)) as CheckReport;
      for (const { name, file } of open) {
        const text = secretValues.mask(reporters[name]!(masked, { verbose: verbose === true })).replace(/\n$/, '');
        if (file === undefined) printMasked(text);
        else writeReport(file, `${printable(text)}\n`);
      }
    },
    close,
  };
}
