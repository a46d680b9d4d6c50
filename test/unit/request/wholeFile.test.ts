import * as assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { maxFileBytes, readWholeFile } from '../../../src/request/values/wholeFile.ts';

/** A file that somebody saves while it is read: after each `read` it has the next content; after the last, that stays. */
function fileOf(...contents: readonly string[]): { readonly handle: Pick<FileHandle, 'stat' | 'read'>; readonly reads: () => number } {
  let at = 0;
  const bytes = contents.map(content => Buffer.from(content));
  const content = (): Buffer => bytes[Math.min(at, contents.length - 1)]!;
  const handle = {
    stat: async () => ({ size: content().length, mtimeMs: Math.min(at, contents.length - 1) }),
    read: async (buffer: Buffer, offset: number, length: number, position: number) => {
      const bytesRead = content()
        .subarray(position, position + length)
        .copy(buffer, offset);
      at++;
      return { bytesRead, buffer };
    },
  } as unknown as Pick<FileHandle, 'stat' | 'read'>;
  return { handle, reads: () => at };
}
const textOf = async (...contents: readonly string[]): Promise<string> =>
  Buffer.from(await readWholeFile(fileOf(...contents).handle, 'a.json')).toString();

suite('a whole file', () => {
  test('one that nobody writes to, of some bytes or none', async () => {
    assert.equal(await textOf('{"a": 1}'), '{"a": 1}');
    assert.equal(await textOf(''), '');
  });

  for (const [what, first] of [
    ['grows', '{"a'],
    ['shrinks', '{"a": 1, "b": 2}'],
    ['is emptied first', ''],
    ['keeps its length', '{"a": 2}'],
  ] as const) {
    test(`one that ${what} while it is read is read again`, async () => {
      assert.equal(await textOf(first, '{"a": 1}'), '{"a": 1}');
    });
  }

  test('one that is written to all the time is refused after a few readings', async () => {
    const { handle, reads } = fileOf(...Array.from({ length: 100 }, (_, index) => 'x'.repeat(index)));
    await assert.rejects(readWholeFile(handle, 'a.json'), { code: 'file-changing', message: /a\.json changed while it was being read/ });
    assert.ok(reads() < 20, `${reads()} reads`);
  });

  test('one that outgrows the limit while it is read is refused', async () => {
    await assert.rejects(readWholeFile(fileOf('x', 'x'.repeat(maxFileBytes + 1)).handle, 'a.json'), { code: 'file-too-large' });
  });
});
