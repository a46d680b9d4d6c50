import { join } from 'node:path';
import { usualTimeoutMs } from '../test/support/testTimeout.ts';

const root = join(import.meta.dirname, '..');

export interface MochaOptions {
  /** For tests that set none, in milliseconds; {@link usualTimeoutMs} where undefined. */
  readonly timeoutMs?: number;
  /** Selects tests by title. */
  readonly grep?: string;
  /** In front of VS Code: a failed test leaves a picture. */
  readonly ui?: boolean;
  /** How many files run at a time, each in one of as many processes; all in one process, one after the other, where nothing is said. */
  readonly jobs?: number;
}

/** Node's arguments to run our tests. */
export function mochaArguments(files: readonly string[], { timeoutMs = usualTimeoutMs, grep, ui = false, jobs }: MochaOptions): string[] {
  const support = join(root, 'test', 'support');
  return [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--ui', 'tdd', '--forbid-only', '--timeout', String(timeoutMs)],
    ...['--reporter', join(support, 'countsReporter.ts'), '--require', join(support, 'runningTest.ts')],
    ...(ui ? ['--require', join(support, 'vscode', 'failurePicture.ts')] : []),
    ...(jobs === undefined ? [] : ['--parallel', '--jobs', String(jobs)]),
    ...(grep === undefined ? [] : ['--grep', grep]),
    ...files,
  ];
}

/** Timeout of a test in front of VS Code: with all processors busy, a window alone needs 20 s, and the longest test two minutes. */
export const uiTimeoutMs = 300_000;

/** Path of the picture of a failed test, from the root of the project. */
export const failurePicture = (title: string): string =>
  `test-output/screenshots/failed-${title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100)}.png`;
