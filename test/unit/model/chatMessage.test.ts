import * as assert from 'node:assert/strict';
import { type ChatMessage, sendOptionsOf } from '../../../src/model/chatMessage.ts';
import type { SendOptions } from '../../../src/model/sendOptions.ts';
import { Problem } from '../../../src/protocol/problem.ts';

const states = new Map([['waits', 'TASK_STATE_INPUT_REQUIRED'], ['works', 'TASK_STATE_WORKING'], ['over', 'TASK_STATE_COMPLETED']] as const);
const context = {
  taskState: (id: string) => states.get(id as 'waits'),
  artifacts: (id: string) => (id === 'over' ? [{ seq: 1, artifact: { artifactId: 'a' }, complete: true, chunks: 1 }] : []),
};
const artifact = { taskId: 'over', artifactId: 'a' };
const referring = { text: 'x', metadata: { referenceArtifacts: [{ artifactId: 'a', taskId: 'over' }] } };

suite('what a message of the chat becomes', () => {
  const rows: readonly (readonly [what: string, message: Omit<ChatMessage, 'text'>, options: SendOptions])[] = [
    ['a new task', {}, { parts: [{ text: 'x' }], target: 'new-task' }],
    ['an answer', { taskId: 'waits' }, { parts: [{ text: 'x' }], target: { taskId: 'waits' } }],
    ['something for a task that works', { taskId: 'works' }, { parts: [{ text: 'x' }], target: { taskId: 'works' } }],
    ['a follow-up of a task that is over', { taskId: 'over' }, { parts: [{ text: 'x' }], target: 'new-task', referenceTaskIds: ['over'] }],
    ['what a task that is over refuses, on purpose only', { taskId: 'over', anyway: true }, { parts: [{ text: 'x' }], target: { taskId: 'over' } }],
    ['a task that nobody knows yet', { taskId: 'new' }, { parts: [{ text: 'x' }], target: { taskId: 'new' } }],
    ['a refinement', { references: [artifact] }, { parts: [referring], target: 'new-task', referenceTaskIds: ['over'] }],
    ['an answer that says which one', { taskId: 'waits', references: [artifact] }, { parts: [referring], target: { taskId: 'waits' }, referenceTaskIds: ['over'] }],
    ['a task referred to twice', { references: [artifact, { taskId: 'over' }, { taskId: 'works' }] }, { parts: [referring], target: 'new-task', referenceTaskIds: ['over', 'works'] }],
  ];
  for (const [what, message, options] of rows) test(what, () => assert.deepEqual(sendOptionsOf({ text: 'x', ...message }, context), options));

  for (const reference of [{ taskId: 'elsewhere' }, { taskId: 'works', artifactId: 'a' }, { taskId: 'over', artifactId: 'b' }]) {
    test(`not a reference to ${JSON.stringify(reference)}`, () =>
      assert.throws(() => sendOptionsOf({ text: 'x', references: [reference] }, context), (error: unknown) => error instanceof Problem && error.code === 'gone'));
  }
});
