import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Node's arguments to run our tests; `grep` selects by title. */
export function mochaArguments(files: readonly string[], timeoutMs: number, grep?: string): string[] {
  return [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    '--ui',
    'tdd',
    '--forbid-only',
    '--timeout',
    String(timeoutMs),
    '--reporter',
    join(root, 'test', 'support', 'countsReporter.ts'),
    ...(grep === undefined ? [] : ['--grep', grep]),
    ...files,
  ];
}

/** Further arguments for tests in VS Code. */
export const uiArguments: readonly string[] = ['--require', join(root, 'test', 'support', 'vscode', 'failurePicture.ts')];

/** Timeout per test: with all processors busy, a window alone needs 20 s. */
export const uiTimeoutMs = 180_000;
