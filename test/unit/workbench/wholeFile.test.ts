import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../../../src/model/writtenFile.ts';

suite('a file that is written whole or not at all', () => {
  let folder: string;
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-whole-'));
  });
  teardown(() => rmSync(folder, { recursive: true }));

  const path = (): string => join(folder, 'history.jsonl');
  const read = (): readonly (readonly [string, string])[] =>
    readdirSync(folder)
      .sort()
      .map(name => [name, readFileSync(join(folder, name), 'utf8')]);
  async function* pieces(...some: readonly (string | Error)[]): AsyncGenerator<string> {
    for (const piece of some) {
      if (piece instanceof Error) throw piece;
      yield piece;
    }
  }

  test('has all its pieces, in the place of what was there', async () => {
    writeFileSync(path(), 'old');
    assert.equal(await writeAtomically(path(), pieces('a\n', '京\n'), () => true), true);
    assert.deepEqual(read(), [['history.jsonl', 'a\n京\n']]);
  });

  test('leaves the unfinished files of others alone', async () => {
    writeFileSync(`${path()}.unfinished`, 'mine');
    await writeAtomically(path(), pieces('a'), () => true);
    await writeAtomically(path(), pieces('b'), () => false);
    await assert.rejects(
      writeAtomically(path(), pieces('b', new Error('no')), () => true),
      { message: 'no' },
    );
    assert.deepEqual(read(), [
      ['history.jsonl', 'a'],
      ['history.jsonl.unfinished', 'mine'],
    ]);
  });

  test('is not there where its folder is not', async () => {
    await assert.rejects(
      writeAtomically(join(folder, 'none', 'x'), pieces('a'), () => true),
      { code: 'ENOENT' },
    );
    assert.deepEqual(read(), []);
  });
});
