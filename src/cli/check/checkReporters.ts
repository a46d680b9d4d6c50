import { exactJson } from '../../protocol/json/exactJson.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { checkBadge } from '../../conformance/reports/checkBadge.ts';
import { htmlReport } from '../../conformance/reports/html.ts';
import { checkLines } from '../../conformance/reports/jsonLines.ts';
import { junitReport } from '../../conformance/reports/junit.ts';
import { markdownReport } from '../../conformance/reports/markdown.ts';
import { inTerminal } from '../../protocol/problem.ts';
import { openOutputs, type WantedReporter } from '../run/reporters/reportOutputs.ts';
import { jsonText, type Output } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { specReport } from './specReport.ts';

type WriteReport = (report: CheckReport, options: { readonly verbose: boolean; readonly output: Output }) => string;

/**
 * All reporters of `a2a check` by their name in `--reporter`.
 *
 * To add one: a function from the report to text in `conformance/reports/` (what agents wrote goes through `escapedMarkup.ts`) and a row
 * here.
 */
const reporters: Readonly<Record<string, WriteReport>> = {
  spec: specReport,
  json: (report, { output }) =>
    checkLines(report)
      .flatMap(line => output.selectedIn(line))
      .map(jsonText)
      .join('\n'),
  junit: junitReport,
  html: report => htmlReport(report, inTerminal),
  markdown: report => markdownReport(report, inTerminal),
  badge: checkBadge,
};

export const checkReporters = Object.keys(reporters);

export interface CheckReporters {
  write(report: CheckReport): void;
  close(): void;
}

/** Opens files first, so that nothing is asked in vain. @throws FileError for a file that cannot be written */
export function openCheckReporters(wanted: readonly WantedReporter[], terminal: Terminal): CheckReporters {
  const { output, values } = terminal;
  const { outputs, finish, close } = openOutputs(wanted, terminal);
  return {
    write: report => {
      // Header values are masked in exchanges already; agents repeat other secrets of the command line.
      const masked = exactJson(output.json(report)) as CheckReport;
      for (const { name, write } of outputs)
        write(output.mask(reporters[name]!(masked, { verbose: values.verbose === true, output })).replace(/\n$/, ''));
      finish();
    },
    close,
  };
}
