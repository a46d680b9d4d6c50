import { findingLine } from '../../../request/expect/findings.ts';
import { oneLine, printMasked, quoted } from '../../terminal/output.ts';
import type { RunFailure } from './runResult.ts';
import type { RunCounts, Verdict } from './verdict.ts';
import { excerpt } from '../../terminal/excerpt.ts';
import type { Reporter } from './reporter.ts';

const marks: Readonly<Record<Verdict, string>> = {
  sent: '→',
  passed: '✓',
  failed: '✗',
  error: '!',
  skipped: '-',
  'not-run': '-',
  interrupted: '-',
};
/** Printed in place of the duration. */
const unsent: Partial<Readonly<Record<Verdict, string>>> = { skipped: 'skipped', 'not-run': 'not run', interrupted: 'interrupted' };
const words: Readonly<Record<keyof RunCounts, string>> = {
  sent: 'sent',
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  notRun: 'not run',
};

/** Maximum length of an expected or actual value, in lines. */
const maxLines = 20;

/** Maximum number of deviations printed per request. */
const maxFindings = 5;

/** For people: one line per request, with unmet expectations below it. */
export const spec: Reporter = {
  result: ({ file, name, verdict, ms, state, failures, agentSaid, left, findings = [] }) => {
    printMasked(
      `${marks[verdict]} ${oneLine(file)} › ${oneLine(name)}${state === undefined ? '' : `: ${state}`}${unsent[verdict] === undefined ? ` (${ms} ms)` : ` (${unsent[verdict]})`}`,
    );
    for (const failure of failures) printMasked(shown(failure, file));
    if (agentSaid !== undefined) printMasked(inReport(firstLines(agentSaid, 'The agent says: ').join('\n')));
    if (left === true)
      printMasked(
        inReport('The agent was still working on the task, which was not followed further: nothing that is expected needs its end.'),
      );
    // A failed check of `findings` lists all of them already.
    if (failures.some(({ kind }) => kind === 'findings')) return;
    for (const finding of findings.slice(0, maxFindings)) printMasked(inReport(findingLine(finding)));
    if (findings.length > maxFindings)
      printMasked(`    … and ${findings.length - maxFindings} more deviations from the protocol; --json has them all`);
  },
  end: (_results, { counts, ms }) => {
    const parts = (Object.keys(words) as (keyof RunCounts)[])
      .filter(count => counts[count] > 0 || count === 'passed')
      .map(count => `${counts[count]} ${words[count]}`);
    printMasked(`\n${parts.join(', ')} in ${(ms / 1000).toFixed(1)} s`);
  },
};

function shown({ line, column, message, nextStep, expected, actual }: RunFailure, file: string): string {
  return [
    `${oneLine(file)}:${line}:${column}: ${message}`,
    ...(nextStep === undefined ? [] : [nextStep]),
    ...(expected === undefined ? [] : prefixed('- ', expected)),
    ...(actual === undefined ? [] : prefixed('+ ', excerpt(actual))),
  ]
    .map(inReport)
    .join('\n');
}

const inReport = (text: string): string => `    ${quoted(text, '\n      | ')}`;

const prefixed = (mark: string, text: string): string[] => firstLines(text).map(line => mark + line);

function firstLines(text: string, begin = ''): string[] {
  const lines = `${begin}${text}`.split('\n');
  return [...lines.slice(0, maxLines), ...(lines.length > maxLines ? ['…'] : [])];
}
