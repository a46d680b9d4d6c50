import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store/openStore.ts';
import { storyOf } from './crashStory.ts';

/**
 * Writes until it is killed, all that a window writes: a message before it is sent, chunks one transaction each, their events of any size, what ends a task,
 * deletions and their end, the index of words. Tells each number once its chunk is committed; `m` where a message is, `e` for an end.
 * Arguments: history, life (names what it writes), and `early` for one that tells first and commits afterwards.
 */
const [path = '', life = '', early] = process.argv.slice(2);
// Longer than anything takes: while the test checks the file, nobody is killed, and the others write on.
const store = openStore(path, { busyTimeoutMs: 100_000 });
const say = (word: string): void => {
  writeSync(1, `${word}\n`);
};
const at = Date.now();
store.leases.enter(life, { at });
store.putContext({ key: life, agent: 'Ann', at });
store.own.putMessage(life, { messageId: 'm', role: 'ROLE_USER', parts: [{ text: `the message of life ${life}` }] }, { at, owner: life });
say('m');
for (let next = 0; ; next++) {
  if (early !== undefined) {
    say(String(next));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  const { parts, frame } = storyOf(next);
  store.record(
    life,
    [
      { kind: 'append', taskId: 't', artifactId: 'a', parts, complete: false },
      ...(next % 7 === 6 ? ([{ kind: 'status', taskId: `done-${next}`, status: { state: 'TASK_STATE_COMPLETED' } }] as const) : []),
    ],
    {
      at,
      owner: life,
      follow: true,
      exchangeId: life,
      wire: { exchanges: next === 0 ? [exchange()] : [], frames: new Map([[life, [{ seq: next, at, data: frame }]]]) },
    },
  );
  if (early === undefined) say(String(next));
  if (next % 3 === 2) store.indexing.step();
  if (next % 7 === 6) store.edits.delete([{ context: life, taskId: `done-${next}` }], at);
  if (next % 14 === 13) store.edits.purge(at);
}

function exchange() {
  return {
    id: life,
    operation: 'SendStreamingMessage',
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
    startedAt: at,
    findings: [],
  };
}
