import * as assert from 'node:assert/strict';
import { normalizedJson } from '../../../src/recording/compare/normalizedJson.ts';

const uuid = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

const task = (id: string, contextId: string, at: string, words: string): object => ({
  status: {
    state: 'TASK_STATE_COMPLETED',
    timestamp: at,
    message: { messageId: `${id}-m`, role: 'ROLE_AGENT', parts: [{ text: words }], taskId: id },
  },
  id,
  contextId,
  artifacts: [{ artifactId: `${id}-a`, parts: [{ data: { id: 7, key: 'k' } }] }],
});

/** Pairs that say the same. */
const same: Readonly<Record<string, readonly [unknown, unknown]>> = {
  'names of tasks, contexts, messages and artifacts': [
    task('t-1', 'c-1', '2026-01-01T00:00:00Z', 'hi'),
    task('t-2', 'c-2', '2026-01-02T10:00:00.123Z', 'hi'),
  ],
  'the order of members': [
    { a: 1, b: { c: 2, d: 3 } },
    { b: { d: 3, c: 2 }, a: 1 },
  ],
  'a member that is undefined': [{ a: 1, b: undefined }, { a: 1 }],
  'a name inside a text': [
    task('task-one-1', 'c', '2026-01-01T00:00:00Z', 'task-one-1 is done'),
    task('task-two-2', 'c', '2026-01-01T00:00:00Z', 'task-two-2 is done'),
  ],
  'other UUIDs': [{ metadata: { trace: uuid('a'), again: uuid('a') } }, { metadata: { trace: uuid('b'), again: uuid('b') } }],
  'a UUID in capitals': [{ metadata: { trace: uuid('a'), again: uuid('A') } }, { metadata: { trace: uuid('b'), again: uuid('b') } }],
  'a name with signs of regular expressions': [
    { taskId: 'task(1)+[', text: 'task(1)+[ is done' },
    { taskId: 'task(2)+[', text: 'task(2)+[ is done' },
  ],
  'a name that begins as another one does': [
    { taskId: 'job-of-ann', contextId: 'job-of-ann-today', text: 'in job-of-ann-today' },
    { taskId: 'job-of-ben', contextId: 'tomorrow', text: 'in tomorrow' },
  ],
  'times inside a text': [{ text: 'at 2026-01-01 10:00:00' }, { text: 'at 2027-02-03 11:22:33' }],
  'references to tasks': [
    { taskId: 'x', referenceTaskIds: ['x', 'y'] },
    { taskId: 'p', referenceTaskIds: ['p', 'q'] },
  ],
};

/** Pairs that do not. */
const different: Readonly<Record<string, readonly [unknown, unknown]>> = {
  'a text': [task('t', 'c', '2026-01-01T00:00:00Z', 'yes'), task('t', 'c', '2026-01-01T00:00:00Z', 'no')],
  'a member that is missing': [{ messageId: 'm', contextId: 'c' }, { messageId: 'm' }],
  "an id that is the agent's own data": [{ data: { id: 'red', status: {} } }, { data: { id: 'blue', status: {} } }],
  "a name in the agent's own data": [{ data: { taskId: 'red-car-1' } }, { data: { taskId: 'blue-car-2' } }],
  'which task is meant': [
    { taskId: 'x', referenceTaskIds: ['x'] },
    { taskId: 'x', referenceTaskIds: ['y'] },
  ],
  'which UUID is meant': [{ metadata: { trace: uuid('a'), again: uuid('a') } }, { metadata: { trace: uuid('a'), again: uuid('b') } }],
  'the order of a list': [{ parts: [1, 2] }, { parts: [2, 1] }],
  'a short name that is a word of the text': [
    { taskId: 'a', text: 'a' },
    { taskId: 'b', text: 'b' },
  ],
};

suite('normalized JSON', () => {
  for (const [name, [one, other]] of Object.entries(same)) {
    test(`does not show ${name}`, () => assert.equal(normalizedJson(one), normalizedJson(other)));
  }
  for (const [name, [one, other]] of Object.entries(different)) {
    test(`shows ${name}`, () => assert.notEqual(normalizedJson(one), normalizedJson(other)));
  }

  test('counts names in the order in which they appear', () => {
    assert.deepEqual(JSON.parse(normalizedJson(task('t-1', 'c-1', '2026-01-01T00:00:00Z', 'hi'))), {
      artifacts: [{ artifactId: '<artifact 1>', parts: [{ data: { id: 7, key: 'k' } }] }],
      contextId: '<context 1>',
      id: '<task 1>',
      status: {
        message: { messageId: '<message 1>', parts: [{ text: 'hi' }], role: 'ROLE_AGENT', taskId: '<task 1>' },
        state: 'TASK_STATE_COMPLETED',
        timestamp: '<time>',
      },
    });
  });

  test('of many names only the first thousand are looked for in texts', () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `task-number-${1_000 + index}`);
    const { text } = JSON.parse(normalizedJson({ referenceTaskIds: ids, text: `${ids[999]}, ${ids[1_000]}` })) as { readonly text: string };
    assert.equal(text, '<task 1000>, task-number-2000');
  });

  test('a member called __proto__ stays a member', () => {
    assert.equal(normalizedJson(JSON.parse('{"__proto__":{"taskId":"t"}}')), '{\n  "__proto__": {\n    "taskId": "<task 1>"\n  }\n}');
  });
});
