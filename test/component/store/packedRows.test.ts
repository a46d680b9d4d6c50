import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../../../src/protocol/message/part.ts';
import { Database } from '../../../src/store/database/database.ts';
import { migrate } from '../../../src/store/schema/migrations.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { append, artifact, at, History, is, owner } from './support/history.ts';

/** The last schema whose rows held one event, and parts as JSON alone. */
const before = 4;

suite('rows of many events', () => {
  test('a history of the schema before is shown as it was, and goes on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-history-'));
    const path = join(folder, 'history.db');
    const old = new Database(path);
    migrate(old, before);
    old.exec(`
      INSERT INTO contexts (key, agent, title, created, updated) VALUES ('k', '"Ann"', '"Old"', ${at}, ${at});
      INSERT INTO tasks (context, task_id, state, status, created, updated, agent)
        VALUES (1, '"t"', 'TASK_STATE_WORKING', '{"state":"TASK_STATE_WORKING"}', ${at}, ${at}, '"Ann"');
      INSERT INTO entries (context, task, kind, at, exchange, rev, body) VALUES (1, 1, 'artifact', ${at}, 'x', 1, '{}');
      INSERT INTO artifacts (task, artifact_id, entry, head, complete, chunks) VALUES (1, '"a"', 1, '{"artifactId":"a"}', 0, 2);
      INSERT INTO artifact_chunks (artifact, parts) VALUES (1, '[{"text":"tall "}]'), (1, '[{"text":"ship"},{"data":7}]');
      INSERT INTO exchanges (uid, context, body) VALUES ('x', 1, '{"id":"x","operation":"SendMessage","startedAt":${at},"findings":[],"request":{}}');
      INSERT INTO frames (exchange, seq, body) VALUES (1, 0, '{"seq":0,"at":${at},"data":"one"}'), (1, 1, '{"seq":1,"at":${at + 1},"data":"two","id":"7"}');
    `);
    old.close();

    const store = openStore(path);
    const frames = [
      { seq: 0, at, data: 'one' },
      { seq: 1, at: at + 1, data: 'two', id: '7' },
    ];
    const parts: Part[] = [{ text: 'tall ' }, { text: 'ship' }, { data: 7 }];
    assert.deepEqual(store.exchange('x')?.frames, frames);
    assert.deepEqual(
      store.exchanges('k', { limit: 1 }).map(({ frames: count, firstFrameAt }) => [count, firstFrameAt]),
      [[2, at]],
    );
    assert.deepEqual(store.taskDocument('k', 't')?.task.artifacts, [{ artifactId: 'a', parts }]);

    const third = { seq: 2, at: at + 2, data: 'three' };
    store.record('k', [append('t', 'a', '!'), is('t', 'COMPLETED')], {
      at,
      owner,
      wire: { exchanges: [], frames: new Map([['x', [third]]]) },
    });
    assert.deepEqual(store.exchange('x')?.frames, [...frames, third]);
    assert.deepEqual(store.frames('k', 'x', { after: 0, limit: 9 }), [frames[1], third]);
    assert.deepEqual(store.taskDocument('k', 't')?.task.artifacts, [{ artifactId: 'a', parts: [...parts, { text: '!' }] }]);
    assert.equal(store.search.find({ text: 'tall ship' }).hits.length, 1);
    store.close();
    rmSync(folder, { recursive: true });
  });

  const texts: readonly (readonly [what: string, parts: readonly Part[]])[] = [
    ['no parts', []],
    ['texts of any script, NUL and nothing', ['京 🙂 é', 'a\0b', '', '\uFEFFx'].map(text => ({ text }))],
    ['halves of characters', [{ text: 'a\uD83D' }, { text: '\uDE42b' }, { text: 'c' }]],
    ['texts that say more', [{ text: 'a' }, { text: 'b', mediaType: 'text/markdown' }, { text: 'c', metadata: { own: 1 } }]],
    ['other parts among them', [{ data: 7 }, { text: 'a' }, { url: 'http://agent.example/' }, { data: [1, 2] }, { text: 'b' }]],
    ['more than a row holds', Array.from({ length: 300 }, (_, index) => ({ text: `${index} é `.repeat(200) }))],
    ['one text that a row does not hold', [{ text: 'é'.repeat(300_000) }, { text: 'x' }]],
  ];
  for (const [what, parts] of texts) {
    test(`${what} come back part by part`, () => {
      const history = new History();
      const key = history.context();
      history.record(key, [
        is('t', 'WORKING'),
        { ...artifact('t', 'a', ''), artifact: { artifactId: 'a', parts } } as ReturnType<typeof artifact>,
      ]);
      history.record(key, [{ kind: 'append', taskId: 't', artifactId: 'a', parts: [...parts, { text: 'end' }], complete: true }]);
      assert.deepEqual(history.store.taskDocument(key, 't')?.task.artifacts, [
        { artifactId: 'a', parts: [...parts, ...parts, { text: 'end' }] },
      ]);
      history.close();
    });
  }
});
