import * as assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { dataFilesOf } from '../../../src/cli/run/filesRead.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { allImported, homeOf, type ImportedFile } from '../../../src/request/file/imports.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';

const layers = 6;
const width = 5;
const root = resolve('/w');

/** Files in layers, each of which imports all of the next; `looks` counts how often their imports are looked at. */
function layered(): { readonly file: RequestFile; readonly last: RequestFile; looks: number } {
  const made = { looks: 0 };
  const counted = (file: RequestFile, below: readonly ImportedFile[]): RequestFile =>
    Object.defineProperty({ ...file }, 'imports', {
      get: () => {
        made.looks++;
        return below.map(read => ({ value: read.path, range: { offset: 0, length: 0 }, read }));
      },
    });
  let below: readonly ImportedFile[] = [];
  for (let layer = layers; layer > 0; layer--) {
    const under = below;
    below = Array.from({ length: width }, (_, index) => {
      const name = `f${layer}_${index}`;
      const file = counted(readRequestFile(JSON.stringify({ name, agent: 'A', message: `{{$file ${name}.txt}}` })), under);
      return { shown: name, path: resolve(root, `${name}.a2a`), file, hostIn: host => host };
    });
    if (layer === layers) Object.assign(made, { last: below.at(-1)!.file });
  }
  return Object.assign(made, { file: counted(readRequestFile('{}'), below) }) as ReturnType<typeof layered>;
}

suite('files in layers, each of which imports all of the next', () => {
  /** Each file twice: once for itself and once for what it is found by. */
  const most = 2 * (layers * width + 1);

  test('the home of a request of the last one', () => {
    const made = layered();
    assert.equal(homeOf(made.last.requests[0]!, made.file)?.shown, `f${layers}_${width - 1}`);
    assert.ok(made.looks <= most, `${made.looks} looks`);
  });

  test('the home of a request of none', () => {
    const made = layered();
    assert.equal(homeOf(readRequestFile('{"agent":"A","message":"x"}').requests[0]!, made.file), undefined);
    assert.ok(made.looks <= most, `${made.looks} looks`);
  });

  test('the files that they name', () => {
    const made = layered();
    assert.equal(dataFilesOf({ file: made.file, folder: root, values: new Map() }).length, layers * width);
    assert.ok(made.looks <= most, `${made.looks} looks`);
  });

  test('a circle ends', () => {
    const file = { imports: [] as unknown[] } as unknown as RequestFile;
    const home = { shown: 'a', path: 'a', file, hostIn: (host: never) => host } as unknown as ImportedFile;
    (file.imports as unknown[]).push({ value: 'a', range: { offset: 0, length: 0 }, read: home });
    assert.deepEqual(allImported(file), [home]);
  });
});
