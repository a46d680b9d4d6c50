import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Context } from 'mocha';

// Keeps the test that this process is at in the file that is named by the process id, in the folder A2A_RUNNING: whoever ends a run that hangs reads it.

/** Bytes of a note: it is written over the one before. */
const size = 400;
const folder = process.env['A2A_RUNNING'];
if (folder !== undefined) mkdirSync(folder, { recursive: true });
const note = folder === undefined ? undefined : openSync(join(folder, String(process.pid)), 'w');

function write(text: string): void {
  if (note === undefined) return;
  const bytes = Buffer.alloc(size, ' ');
  bytes.write(text);
  writeSync(note, bytes, 0, size, 0);
}

export const mochaHooks = {
  beforeAll(this: Context): void {
    const file = this.test?.parent?.suites[0]?.file;
    if (file !== undefined) write(`${relative('.', file)} › setup`);
  },
  beforeEach(this: Context): void {
    const { file = '', title = '' } = this.currentTest ?? {};
    write(`${relative('.', file)} › ${title}`);
  },
  afterAll(): void {
    write('');
  },
};
