import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** How our tests are run, as arguments of Node; `grep` picks by title. */
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

/** What tests in front of VS Code need besides. */
export const uiArguments: readonly string[] = ['--require', join(root, 'test', 'support', 'vscode', 'failurePicture.ts')];

/** For what never comes: with all processors taken, a window alone needs 20 s. */
export const uiTimeoutMs = 180_000;
