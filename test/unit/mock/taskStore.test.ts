import * as assert from 'node:assert/strict';
import { TaskStore } from '../../../src/mock/taskStore.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';

const chunk = (text: string, append: boolean): StreamResponse => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] }, append },
});

suite('TaskStore', () => {
  test('a task that was given stays as it was, and what is put is not changed', () => {
    const store = new TaskStore();
    const put = { id: 't', status: { state: 'TASK_STATE_WORKING' as const }, artifacts: [{ artifactId: 'a', parts: [{ text: 'one' }] }] };
    store.put(put);
    const before = store.get('t')!;
    store.apply(chunk('two', true));
    store.note('t', { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'a word' }] });
    assert.deepEqual(before, put);
    const { artifacts, history } = store.get('t')!;
    assert.deepEqual([artifacts![0]!.parts, history?.length], [[{ text: 'one' }, { text: 'two' }], 1]);
    assert.equal(put.artifacts[0]!.parts.length, 1);
    store.apply(chunk('three', false));
    assert.deepEqual(store.get('t')!.artifacts, [{ artifactId: 'a', parts: [{ text: 'three' }] }]);
  });
});
