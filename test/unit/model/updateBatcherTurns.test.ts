import * as assert from 'node:assert/strict';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import type { HistoryWriter } from '../../../src/model/contexts/historyWriter.ts';
import { UpdateBatcher } from '../../../src/model/run/updateBatcher.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';

type Hearer = NonNullable<Parameters<HistoryWriter['record']>[2]>;
const done = (hears: Hearer): true => {
  hears.onWritten([]);
  return true;
};

suite('UpdateBatcher: what is written when', () => {
  const now = Date.now;
  teardown(() => {
    Date.now = now;
  });

  test('what comes right behind something new is written at once, what comes then waits a moment', () => {
    Date.now = () => 1_700_000_000_000;
    const written: string[] = [];
    const journal = {
      waiting: 0,
      record: (changes: readonly { kind: string }[], _: unknown, hears: Hearer) => {
        written.push(changes.map(({ kind }) => kind).join(' '));
        return done(hears);
      },
    };
    const batcher = new UpdateBatcher({
      journal: journal as unknown as HistoryWriter,
      load: id => new TaskReducer(id),
      taskId: undefined,
      answers: undefined,
      batch: 60_000,
      onWritten: () => undefined,
      onDisowned: () => undefined,
      onFailure: error => {
        throw error;
      },
    });
    const ids = { taskId: 't', contextId: 'c' };
    const take = (event: StreamResponse, first = false): void => batcher.take({ events: [event], exchangeId: 'x', findings: [] }, first);
    const artifact = (artifactId: string): StreamResponse => ({
      artifactUpdate: { ...ids, artifact: { artifactId, parts: [{ text: artifactId }] } },
    });
    take({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }, true);
    take(artifact('a'));
    assert.equal(written.length, 2);
    assert.match(written[1]!, /artifact/);
    take(artifact('b'));
    take(artifact('c'));
    assert.equal(written.length, 2);
    batcher.flush();
    assert.deepEqual(written.slice(2), ['artifact artifact']);
  });
});
