import * as assert from 'node:assert/strict';
import { FileSystemError } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { KeptRequests } = await import('../../../src/workbench/requests/sent/keptRequests.ts');

suite('requests that are kept over restarts', () => {
  const files = new Map<string, Uint8Array>();
  const state = new Map<string, unknown>();
  let restore: () => void;
  const memento = {
    get: (key: string) => state.get(key),
    update: (key: string, value: unknown) => {
      // As VS Code keeps it.
      state.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
    keys: () => [...state.keys()],
  };
  setup(() => {
    files.clear();
    state.clear();
    restore = inPlaceOf('workspace', {
      fs: {
        createDirectory: () => Promise.resolve(),
        writeFile: ({ path }: { path: string }, bytes: Uint8Array) => {
          files.set(path, bytes);
          return Promise.resolve();
        },
        readFile: ({ path }: { path: string }) =>
          files.has(path) ? Promise.resolve(files.get(path)!) : Promise.reject(new FileSystemError('gone')),
        delete: ({ path }: { path: string }) => (files.delete(path) ? Promise.resolve() : Promise.reject(new FileSystemError('gone'))),
      },
    });
  });
  teardown(() => restore());

  const open = () => new KeptRequests(memento as never, { path: '/sent' } as never);
  const request = (at: number, key = 'ask') => ({ file: 'file:///a.a2a', key, title: key, icon: 'pass', status: 'completed', at });

  test('are there for the next window, the last one first, with their responses', async () => {
    const kept = open();
    await kept.keep(request(1), 'one');
    await kept.keep(request(2), 'two');
    const again = open();
    assert.deepEqual(
      again.all.map(({ at }) => at),
      [2, 1],
    );
    assert.equal(await again.textOf(again.all[1]!), 'one');
    assert.equal(again.before(again.all[0]!)?.at, 1);
    assert.equal(again.before({ file: 'file:///a.a2a', key: 'other', at: 9 }), undefined);
  });

  test('go, the oldest first, where there are more than 200', async () => {
    const kept = open();
    await Promise.all(Array.from({ length: 203 }, (_, at) => kept.keep(request(at), `${at}`)));
    assert.equal(kept.all.length, 200);
    assert.equal(kept.all.at(-1)!.at, 3);
    assert.equal(files.size, 200);
  });

  test('go where their responses are too long together; one that is too long by itself has none', async () => {
    const kept = open();
    await kept.keep(request(1), 'x'.repeat(2_000_001));
    assert.equal(await kept.textOf(kept.all[0]!), undefined);
    const longest = 'x'.repeat(2_000_000);
    for (let at = 2; at < 20; at++) await kept.keep(request(at), longest);
    assert.equal(kept.all.length, 15);
    assert.equal(files.size, 15);
  });

  test('follow a file, or its folder, that is renamed, and are removed when the person wants it', async () => {
    const kept = open();
    await kept.keep(request(1), 'one');
    await kept.keep({ ...request(2), file: 'file:///b/c.a2a' }, 'two');
    await kept.renamed('file:///a.a2a', 'file:///d.a2a');
    await kept.renamed('file:///b', 'file:///e');
    assert.deepEqual(
      kept.all.map(({ file }) => file),
      ['file:///e/c.a2a', 'file:///d.a2a'],
    );
    await kept.remove(new Set(kept.all.map(({ id }) => id)));
    assert.deepEqual([kept.all, files.size], [[], 0]);
  });

  test('a state that nobody understands counts as none', () => {
    state.set('requests.sent', [{ id: '../../etc' }]);
    assert.deepEqual(open().all, []);
  });
});
