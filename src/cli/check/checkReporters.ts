import { exactJson } from '../../protocol/json/exactJson.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { checkBadge } from '../../conformance/reports/checkBadge.ts';
import { htmlReport } from '../../conformance/reports/html.ts';
import { checkLines } from '../../conformance/reports/jsonLines.ts';
import { junitReport } from '../../conformance/reports/junit.ts';
import { markdownReport } from '../../conformance/reports/markdown.ts';
import { inTerminal } from '../../protocol/problem.ts';
import { openOutputs, type WantedReporter } from '../run/reporters/reportOutputs.ts';
import type { Values } from '../terminal/options.ts';
import { json, jsonText, secretValues, selectedIn } from '../terminal/output.ts';
import { specReport } from './specReport.ts';

type WriteReport = (report: CheckReport, options: { readonly verbose: boolean }) => string;

/**
 * All reporters of `a2a check` by their name in `--reporter`.
 *
 * To add one: a function from the report to text in `conformance/reports/` (what agents wrote goes through `escapedMarkup.ts`) and a row
 * here.
 */
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

export const checkReporters = Object.keys(reporters);

export interface CheckReporters {
  write(report: CheckReport): void;
  close(): void;
}

/** Opens files first, so that nothing is asked in vain. @throws FileError for a file that cannot be written */
export function openCheckReporters(wanted: readonly WantedReporter[], { verbose }: Values): CheckReporters {
  const { outputs, finish, close } = openOutputs(wanted);
  return {
    write: report => {
      // Header values are masked in exchanges already; agents repeat other secrets of the command line.
      const masked = exactJson(json(report)) as CheckReport;
      for (const { name, write } of outputs)
        write(secretValues.mask(reporters[name]!(masked, { verbose: verbose === true })).replace(/\n$/, ''));
      finish();
    },
    close,
  };
}
