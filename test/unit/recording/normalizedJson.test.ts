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
    { taskId: 'job-of-1', contextId: 'job-of-1-today', text: 'in job-of-1-today' },
    { taskId: 'job-of-2', contextId: 'tomorrow-2', text: 'in tomorrow-2' },
  ],
  'times inside a text': [{ text: 'at 2026-01-01 10:00:00' }, { text: 'at 2027-02-03 11:22:33' }],
  'references to tasks': [
    { taskId: 'x', referenceTaskIds: ['x', 'y'] },
    { taskId: 'p', referenceTaskIds: ['p', 'q'] },
  ],
};

/** Ids of artifacts, as agents make them: two runs of each. */
const generatedIds: Readonly<Record<string, readonly [string, string]>> = {
  'a counter': ['art-1', 'art-2'],
  'a counter from zero': ['artifact_0', 'artifact_12'],
  'a short counter': ['t-1', 't-2'],
  hex: ['9f86d081884c7d65', '2c26b46b68ffc68f'],
  'a ULID': ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
  'a nanoid': ['V1StGXR8_Z5jdHi6B-myT', 'Uakgb_J5m9g-0JDMbcJqL'],
  'a nanoid without a digit': ['VaStGXRaBZdjdHiqB-myT', 'Uakgb_JxmKgaoJDMbcJqL'],
  'a UUID': [uuid('a'), uuid('b')],
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

  const artifact = (artifactId: string, text = `see ${artifactId}.`): object => ({
    artifacts: [{ artifactId, name: `${artifactId}.md`, parts: [{ text }] }],
  });
  for (const [name, [one, other]] of Object.entries(generatedIds)) {
    test(`does not show ${name} as the id of an artifact`, () => {
      const ids = [one, other].map(artifactId => normalizedJson({ artifacts: [{ artifactId, parts: [] }] }));
      assert.equal(ids[0], ids[1]);
      if (one.length >= 8) assert.equal(normalizedJson(artifact(one)), normalizedJson(artifact(other)));
    });
  }

  for (const [one, other] of [
    ['itinerary', 'timetable'],
    ['invoice-list', 'invoice_table'],
    ['tripPlan', 'tripBudget'],
    ['行程安排文件说明', '天气预报文件说明'],
  ] as const) {
    test(`shows ${one}, the word that an agent calls an artifact`, () => {
      const [left, right] = [normalizedJson(artifact(one)), normalizedJson(artifact(other))];
      assert.deepEqual(JSON.parse(left), artifact(one));
      assert.notEqual(left, right);
    });
  }

  test('a plain word that names a task is replaced where it names it, and nowhere else', () => {
    const text = normalizedJson({ taskId: 'itinerary', text: 'your itinerary' });
    assert.deepEqual(JSON.parse(text), { taskId: '<task 1>', text: 'your itinerary' });
  });

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
