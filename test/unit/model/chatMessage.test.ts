import * as assert from 'node:assert/strict';
import { type ChatMessage, sendOptionsOf } from '../../../src/model/contexts/chatMessage.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import { Problem } from '../../../src/protocol/problem.ts';

const states = new Map([
  ['waits', 'TASK_STATE_INPUT_REQUIRED'],
  ['works', 'TASK_STATE_WORKING'],
  ['over', 'TASK_STATE_COMPLETED'],
] as const);
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
    [
      'what a task that is over refuses, on purpose only',
      { taskId: 'over', anyway: true },
      { parts: [{ text: 'x' }], target: { taskId: 'over' } },
    ],
    ['a task that nobody knows yet', { taskId: 'new' }, { parts: [{ text: 'x' }], target: { taskId: 'new' } }],
    ['a refinement', { references: [artifact] }, { parts: [referring], target: 'new-task', referenceTaskIds: ['over'] }],
    [
      'an answer that says which one',
      { taskId: 'waits', references: [artifact] },
      { parts: [referring], target: { taskId: 'waits' }, referenceTaskIds: ['over'] },
    ],
    [
      'a task referred to twice',
      { references: [artifact, { taskId: 'over' }, { taskId: 'works' }] },
      { parts: [referring], target: 'new-task', referenceTaskIds: ['over', 'works'] },
    ],
  ];
  for (const [what, message, options] of rows)
    test(what, () => assert.deepEqual(sendOptionsOf({ text: 'x', ...message }, context), options));

  const file = { raw: 'AAAA', filename: 'a.bin' };
  const composed: readonly (readonly [what: string, message: Partial<ChatMessage>, options: Partial<SendOptions>])[] = [
    [
      'text and files, the text where it belongs',
      { others: [file, { data: 1 }], textAt: 1 },
      { parts: [file, { text: 'x' }, { data: 1 }] },
    ],
    ['files without text', { text: ' ', others: [file] }, { parts: [file] }],
    [
      'what it refers to, in the first text',
      { others: [file], textAt: 1, references: [artifact] },
      { parts: [file, referring], referenceTaskIds: ['over'] },
    ],
    [
      'what it refers to, in the first part where there is no text',
      { text: '', others: [{ ...file, metadata: { a: 1 } }], references: [artifact] },
      { parts: [{ ...file, metadata: { a: 1, ...referring.metadata } }], referenceTaskIds: ['over'] },
    ],
    ['metadata of the message', { metadata: { user: 7 } }, { parts: [{ text: 'x' }], message: { metadata: { user: 7 } } }],
    [
      'output that is wanted',
      { outputModes: ['image/png'] },
      { parts: [{ text: 'x' }], configuration: { acceptedOutputModes: ['image/png'] } },
    ],
  ];
  const sendings: readonly (readonly [sending: ChatMessage['sending'], options: Partial<SendOptions>])[] = [
    [{}, {}],
    [{ streaming: false }, { streaming: false }],
    [{ returnImmediately: true }, { streaming: false, configuration: { returnImmediately: true } }],
    [{ historyLength: 0 }, { configuration: { historyLength: 0 } }],
  ];
  for (const [sending, options] of sendings)
    test(`sent with ${JSON.stringify(sending)}`, () =>
      assert.deepEqual(sendOptionsOf({ text: 'x', sending }, context), { parts: [{ text: 'x' }], target: 'new-task', ...options }));

  for (const [what, message, options] of composed)
    test(what, () => assert.deepEqual(sendOptionsOf({ text: 'x', ...message }, context), { target: 'new-task', ...options }));

  test('nothing for a task that has ended meanwhile: nobody asked for a new one that refers to it', () =>
    assert.throws(
      () => sendOptionsOf({ text: 'x', taskId: 'over' }, context),
      (error: unknown) => error instanceof Problem && error.code === 'task-over',
    ));

  for (const reference of [{ taskId: 'elsewhere' }, { taskId: 'works', artifactId: 'a' }, { taskId: 'over', artifactId: 'b' }]) {
    test(`not a reference to ${JSON.stringify(reference)}`, () =>
      assert.throws(
        () => sendOptionsOf({ text: 'x', references: [reference] }, context),
        (error: unknown) => error instanceof Problem && error.code === 'gone',
      ));
  }
});
