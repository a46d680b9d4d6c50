import * as assert from 'node:assert/strict';
import { FoldedTask } from '../../../src/model/foldedTask.ts';
import type { Journal } from '../../../src/model/journal.ts';
import { Reception } from '../../../src/model/reception.ts';
import type { StreamResponse } from '../../../src/protocol/streamResponse.ts';

suite('Reception: what is written when', () => {
  const now = Date.now;
  teardown(() => { Date.now = now; });

  test('what comes right behind something new is written at once, what comes then waits a moment', () => {
    Date.now = () => 1_700_000_000_000;
    const written: string[] = [];
    const journal = { waiting: 0, record: (changes: readonly { kind: string }[]) => { written.push(changes.map(({ kind }) => kind).join(' ')); return []; } };
    const reception = new Reception({
      journal: journal as unknown as Journal, load: id => new FoldedTask(id), taskId: undefined, answers: undefined, batch: 60_000,
      onWritten: () => undefined, onDisowned: () => undefined, onFailure: error => { throw error; },
    });
    const ids = { taskId: 't', contextId: 'c' };
    const take = (event: StreamResponse, first = false): void => reception.take({ events: [event], exchangeId: 'x', findings: [] }, first);
    const artifact = (artifactId: string): StreamResponse => ({ artifactUpdate: { ...ids, artifact: { artifactId, parts: [{ text: artifactId }] } } });
    take({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } }, true);
    take(artifact('a'));
    assert.equal(written.length, 2);
    assert.match(written[1]!, /artifact/);
    take(artifact('b'));
    take(artifact('c'));
    assert.equal(written.length, 2);
    reception.flush();
    assert.deepEqual(written.slice(2), ['artifact artifact']);
  });
});
