import { relative, resolve } from 'node:path';
import { findingLine } from '../../../request/expect/findings.ts';
import { harmless, type Host } from '../../terminal/output.ts';
import { failureText, type RunFailure, type RunResult } from './runResult.ts';
import type { NewReporter } from './reporter.ts';

/** Longest message of an annotation, in UTF-16 code units: GitHub cuts them, too. */
const maxLength = 4_000;

/**
 * Annotations of GitHub Actions: an error at the line of each failure, a warning for what departs from the protocol. Every line that is
 * written begins here, and everything that agents or files say is escaped data of a command, so that no text of theirs is one.
 */
export const github: NewReporter = (write, { host }) => ({
  result: one => {
    const place = pathInRepository(one.file, host);
    if (one.verdict === 'failed' || one.verdict === 'error' || one.verdict === 'skipped')
      for (const failure of failuresOf(one)) write(annotation('error', place, failure, one.name, failureText(failure, one.agentSaid)));
    else for (const finding of one.findings ?? []) write(annotation('warning', place, one, one.name, findingLine(finding)));
  },
  end: (_results, { counts: { passed, sent, failed, notRun }, ms }) =>
    write(`a2a: ${passed} passed, ${sent} sent, ${failed} failed, ${notRun} not run in ${(ms / 1000).toFixed(1)} s`),
});

/** A failure without a reason of its own is shown all the same. */
const failuresOf = ({ failures, line, column, verdict }: RunResult): readonly RunFailure[] =>
  failures.length > 0 ? failures : [{ kind: verdict, message: 'A request that it needs did not come through.', line, column }];

function annotation(
  kind: 'error' | 'warning',
  file: string,
  { line, column }: { readonly line: number; readonly column: number },
  title: string,
  message: string,
): string {
  const words = message.length > maxLength ? `${message.slice(0, maxLength).toWellFormed()}…` : message;
  return `::${kind} file=${property(file)},line=${line},col=${column},title=${property(title)}::${data(words)}`;
}

/** GitHub takes paths from the root of the repository. */
function pathInRepository(file: string, { env, cwd }: Host): string {
  const root = env['GITHUB_WORKSPACE'];
  return root === undefined || root === '' ? file : relative(root, resolve(cwd(), file)).replaceAll('\\', '/');
}

/** As the runner's own toolkit escapes data and properties of commands. `##[` is read anywhere in a line, also in one of ours. */
const data = (text: string): string => harmless(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
