import { printMasked } from '../output.ts';
import type { RunFailure } from '../runResult.ts';
import type { RunCounts, Verdict } from '../verdict.ts';
import type { Reporter } from './reporter.ts';

const marks: Readonly<Record<Verdict, string>> = { 'sent': '→', 'passed': '✓', 'failed': '✗', 'error': '!', 'skipped': '-', 'not-run': '-' };
/** What is said instead of how long it took. */
const unsent: Partial<Readonly<Record<Verdict, string>>> = { 'skipped': 'skipped', 'not-run': 'not run' };
const words: Readonly<Record<keyof RunCounts, string>> = { sent: 'sent', passed: 'passed', failed: 'failed', skipped: 'skipped', notRun: 'not run' };

/** Longest text of an expected or actual value, in lines. */
const mostLines = 20;

/** For people: a line for each request, with what is not as expected below it. */
export const spec: Reporter = {
  result: ({ file, name, verdict, ms, state, failures }) => {
    printMasked(`${marks[verdict]} ${file} › ${name}${state === undefined ? '' : `: ${state}`}${unsent[verdict] === undefined ? ` (${ms} ms)` : ` (${unsent[verdict]})`}`);
    for (const failure of failures) printMasked(shown(failure, file));
  },
  end: (_results, { counts, ms }) => {
    const parts = (Object.keys(words) as (keyof RunCounts)[]).filter(count => counts[count] > 0 || count === 'passed').map(count => `${counts[count]} ${words[count]}`);
    printMasked(`\n${parts.join(', ')} in ${(ms / 1000).toFixed(1)} s`);
  },
};

function shown({ line, column, message, nextStep, expected, actual }: RunFailure, file: string): string {
  const text = [
    `${file}:${line}:${column}: ${message}`, ...(nextStep === undefined ? [] : [nextStep]),
    ...(expected === undefined ? [] : prefixed('- ', expected)), ...(actual === undefined ? [] : prefixed('+ ', actual)),
  ];
  return text.map(line => `    ${line}`).join('\n');
}

function prefixed(mark: string, text: string): string[] {
  const lines = text.split('\n');
  return [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['…'] : [])].map(line => mark + line);
}
