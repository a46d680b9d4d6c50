import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { isAcceptable, withSnapshot } from '../../../src/model/requests/snapshotResult.ts';
import { SnapshotFile } from '../../../src/model/snapshotFile.ts';
import { sentence } from '../../../src/protocol/problem.ts';
import { SecretValues } from '../../../src/protocol/secrets/secretValues.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { maxFileBytes } from '../../../src/request/values/wholeFile.ts';

suite('the file of snapshots', () => {
  let root: string;
  setup(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'a2a-snapshots-')));
  });
  teardown(() => rmSync(root, { recursive: true }));
  const open = (path = 'x.a2a', writes: 'new' | 'none' = 'new', within = root): SnapshotFile =>
    new SnapshotFile(join(within, path), { root: within, writes, secrets: new SecretValues() });

  test('one that is larger than a request file is neither read nor written', () => {
    mkdirSync(join(root, '__snapshots__'));
    const path = join(root, '__snapshots__', 'x.a2a.snap.json');
    writeFileSync(path, '');
    truncateSync(path, maxFileBytes + 1);
    assert.throws(() => open().get('a'), { code: 'file-too-large' });
    rmSync(path);
    assert.throws(() => open().set('a', 'x'.repeat(maxFileBytes)), { code: 'file-too-large' });
    assert.equal(existsSync(path), false);
  });

  test('a folder behind a link that leads out of the root has none', () => {
    const [inside, outside] = ['inside', 'outside'].map(name => join(root, name)) as [string, string];
    for (const folder of [inside, outside]) mkdirSync(folder);
    symlinkSync(outside, join(inside, 'linked'));
    assert.throws(() => open('linked/x.a2a', 'new', inside).get('a'), { code: 'file-outside' });
    assert.throws(() => open('linked/x.a2a', 'new', inside).set('a', 1), { code: 'file-outside' });
    assert.equal(existsSync(join(outside, '__snapshots__', 'x.a2a.snap.json')), false);
  });

  test('snapshots of rows are obsolete only where their request was sent', () => {
    for (const name of ['rows [a]', 'rows [b]', 'log']) open().set(name, 1);
    const file = open();
    file.get('log');
    assert.deepEqual(file.obsolete(['log', 'rows']), []);
    file.get('rows [a]');
    assert.deepEqual(file.obsolete(['log', 'rows']), ['rows [b]']);
  });

  suite('an answer', () => {
    const [entry] = readRequestFile(
      '{"agent":"A","requests":[{"name":"log","message":"x","expect":{"text":"y","snapshot":true}}]}',
    ).requests;
    const judged = (file: SnapshotFile, isGood: boolean, more: Partial<RequestOutcome> = {}): RequestOutcome => {
      const other = { kind: 'text', ok: isGood, range: entry!.nameRange, message: sentence('Not {0}.', 'y') } as const;
      const outcome = {
        task: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } },
        startedAt: 0,
        endedAt: 1,
        exchangeIds: [],
        expectations: [other],
        ...more,
      } as unknown as RequestOutcome;
      const awaited = { entry: entry!, expect: { text: 'y', snapshot: true } } as unknown as Parameters<typeof withSnapshot>[1];
      return withSnapshot(outcome, awaited, { snapshots: file, name: 'log' });
    };
    const kinds = ({ expectations = [] }: RequestOutcome): unknown => expectations.map(({ kind, ok }) => `${kind} ${ok}`);

    test('that is as it should be otherwise may take the place of a snapshot; one that is not may not', () => {
      open().set('log', { other: true });
      const [good, bad] = [true, false].map(isGood => judged(open('x.a2a', 'none'), isGood)) as [RequestOutcome, RequestOutcome];
      assert.deepEqual([kinds(good), isAcceptable(good)], [['text true', 'snapshot false'], true]);
      assert.deepEqual([kinds(bad), isAcceptable(bad)], [['text false', 'snapshot false'], false]);
    });

    test('that failed has no snapshot to fail as well where there is none, and where there is no answer', () => {
      assert.deepEqual(kinds(judged(open('x.a2a', 'none'), false)), ['text false']);
      open().set('log', { other: true });
      const problem = new Error('x') as never;
      assert.deepEqual(kinds(judged(open('x.a2a', 'none'), false, { problem, task: undefined })), ['text false']);
    });
  });
});
