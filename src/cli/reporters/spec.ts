import { print } from '../output.ts';
import type { RunFailure, Verdict } from '../runResult.ts';
import type { Reporter } from './reporter.ts';

const marks: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', error: '!', skipped: '-' };

/** Longest text of an expected or actual value, in lines. */
const mostLines = 20;

/** For people: a line for each request, with what is not as expected below it. */
export const spec: Reporter = {
  result: ({ file, name, verdict, ms, state, failures }) => {
    print(`${marks[verdict]} ${file} › ${name}${state === undefined ? '' : `: ${state}`}${verdict === 'skipped' ? '' : ` (${ms} ms)`}`);
    for (const failure of failures) print(shown(failure, file));
  },
  end: (_results, { counts, ms }) => {
    const parts = (Object.keys(counts) as Verdict[]).filter(verdict => counts[verdict] > 0 || verdict === 'passed').map(verdict => `${counts[verdict]} ${verdict}`);
    print(`\n${parts.join(', ')} in ${(ms / 1000).toFixed(1)} s`);
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
