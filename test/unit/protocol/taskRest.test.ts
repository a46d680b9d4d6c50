import * as assert from 'node:assert/strict';
import { collect, ignoreFindings } from '../../../src/protocol/finding.ts';
import { exampleOf, inputSchemaOf } from '../../../src/schema/forms/inputSchema.ts';
import { schemaFaults } from '../../../src/schema/forms/schemaFaults.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { readAgentCard, readResult, readStreamResponse, releases, versionOf } from '../../../src/protocol/versions/index.ts';
import { cpuTime } from '../../support/cpuTime.ts';

const taskRest = versionOf('task-rest')!;
const asks = (...parts: Message['parts']): { message: Message } => ({ message: { messageId: 'm', role: 'ROLE_USER', parts } });
const data = { amount: 100, currency: 'USD' };

/** An object of the agent's, what is read from it, and where that was noted. */
type Readings = Readonly<Record<string, readonly [wire: unknown, read: unknown, noted?: readonly string[]]>>;

function check(readings: Readings, read: (wire: unknown, note: ReturnType<typeof collect>['note']) => unknown): void {
  for (const [name, [wire, expected, noted = []]] of Object.entries(readings)) {
    test(name, () => {
      const { note, findings } = collect();
      const actual = read(wire, note);
      assert.deepEqual(JSON.parse(JSON.stringify(actual).replaceAll(/no-id:[0-9a-f]+/g, 'no-id')), expected);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        noted,
      );
    });
  }
}

const words = (text: string, more: object = {}): object => ({ messageId: 'no-id', role: 'ROLE_AGENT', parts: [{ text }], ...more });
const state = (word: string, message?: object): object => ({ state: `TASK_STATE_${word}`, ...(message && { message }) });

suite('the task API', () => {
  test('is no release of A2A', () => assert.ok(!releases.includes(taskRest)));

  for (const [name, message, written] of [
    ['data', asks({ data }), { taskId: 'm', type: 'task', data }],
    ['data after text', asks({ text: 'please' }, { data: [1] }, { data }), { taskId: 'm', type: 'task', data }],
    ['text that is JSON', asks({ text: '{"amount":100,' }, { text: '"currency":"USD"}' }), { taskId: 'm', type: 'task', data }],
    [
      'its name and type',
      { message: { ...asks({ data }).message, taskId: 't', metadata: { type: 'expense', x: 1 } } },
      { taskId: 't', type: 'expense', data },
    ],
  ] as const) {
    test(`a message with ${name} is sent`, () => {
      for (const operation of ['SendMessage', 'SendStreamingMessage'] as const)
        assert.deepEqual(taskRest.writeParams(operation, message), written);
    });
  }

  for (const text of ['please', '[1]', '7', '', '{']) {
    test(`a message that says ${JSON.stringify(text)} is not`, () => {
      assert.throws(() => taskRest.writeParams('SendMessage', asks({ text })), { code: 'no-input' });
    });
  }

  for (const params of [{}, { taskId: 't' }, { taskId: 't', data: 'x' }, { taskId: '', data }]) {
    test(`a request that lacks something is refused: ${JSON.stringify(params)}`, () => {
      assert.throws(() => taskRest.readParams('SendMessage', params, ignoreFindings), { code: 'invalid-params' });
    });
  }

  test('there is no list', () => {
    assert.throws(() => taskRest.writeParams('ListTasks', {}), { code: 'operation-not-in-version' });
  });

  suite('tasks', () =>
    check(
      {
        'just made': [
          { taskId: 't', type: 'expense', data, status: 'created' },
          { id: 't', status: state('SUBMITTED'), metadata: { type: 'expense', data } },
        ],
        'with its result': [
          { taskId: 't', type: 'expense', status: 'completed', result: { status: 'approved' } },
          {
            id: 't',
            status: state('COMPLETED'),
            artifacts: [{ artifactId: 'result', parts: [{ data: { status: 'approved' } }] }],
            metadata: { type: 'expense' },
          },
        ],
        'with a text for a result': [
          { taskId: 't', status: 'completed', result: 'Done.' },
          { id: 't', status: state('COMPLETED'), artifacts: [{ artifactId: 'result', parts: [{ text: 'Done.' }] }] },
        ],
        'with an error': [
          { taskId: 't', status: 'failed', error: { code: 'INVALID_INPUT', message: 'No.', hint: 'x' } },
          { id: 't', status: state('FAILED', { hint: 'x', ...words('No. (INVALID_INPUT)', { metadata: { code: 'INVALID_INPUT' } }) }) },
        ],
        'with an error that is a text': [
          { taskId: 't', status: 'failed', error: 'Invalid task type' },
          { id: 't', status: state('FAILED', words('Invalid task type')) },
        ],
        'with an error of another make': [
          { taskId: 't', status: 'failed', error: { reason: 'x' } },
          { id: 't', status: state('FAILED', { reason: 'x', ...words('{"reason":"x"}') }) },
        ],
        'with a code alone': [
          { taskId: 't', status: 'failed', error: { code: 7 } },
          { id: 't', status: state('FAILED', words('7', { metadata: { code: 7 } })) },
        ],
        'without a name': [{ status: 'completed' }, { id: '', status: state('COMPLETED') }, ['DATA-01 /taskId']],
        'with a number for a name': [{ taskId: 7, status: 'completed' }, { id: '7', status: state('COMPLETED') }, ['DATA-01 /taskId']],
        'in a member': [{ task: { taskId: 't', status: 'completed' } }, { id: 't', status: state('COMPLETED') }, ['DATA-01 ']],
        'with nulls': [
          { taskId: 't', status: 'completed', result: null, error: null, data: null, progress: null, type: null },
          { id: 't', status: state('COMPLETED') },
        ],
        'with members nobody knows': [
          { taskId: 't', status: 'completed', mood: 'good' },
          { mood: 'good', id: 't', status: state('COMPLETED') },
        ],
        'with progress': [
          { taskId: 't', status: 'in_progress', progress: 50 },
          { id: 't', status: state('WORKING'), metadata: { progress: 50 } },
        ],
        'in progress, in two words': [{ taskId: 't', status: 'In Progress' }, { id: 't', status: state('WORKING') }, ['DATA-02 /status']],
        'inProgress, in camel case': [{ taskId: 't', status: 'inProgress' }, { id: 't', status: state('WORKING') }, ['DATA-02 /status']],
        'cancelled, with two l': [{ taskId: 't', status: 'cancelled' }, { id: 't', status: state('CANCELED') }, ['DATA-02 /status']],
        'with a state of A2A': [
          { taskId: 't', status: 'input-required' },
          { id: 't', status: state('INPUT_REQUIRED') },
          ['DATA-02 /status'],
        ],
        'with a status that is an object': [
          { taskId: 't', status: { state: 'completed' } },
          { id: 't', status: state('COMPLETED') },
          ['DATA-02 /status'],
        ],
        'in a state nobody knows': [{ taskId: 't', status: 'constructor' }, { id: 't', status: state('UNSPECIFIED') }, ['DATA-02 /status']],
      },
      (wire, note) => taskRest.readResult('GetTask', wire, note),
    ));

  suite('updates', () =>
    check(
      {
        'of progress': [
          { event: 'task_update', taskId: 't', status: 'in_progress', progress: 50 },
          { statusUpdate: { taskId: 't', status: state('WORKING'), metadata: { progress: 50 } } },
        ],
        'of the end': [
          { event: 'task_update', taskId: 't', status: 'completed' },
          { statusUpdate: { taskId: 't', status: state('COMPLETED') } },
        ],
        'of a failure': [
          { event: 'task_update', taskId: 't', status: 'failed', error: 'No.' },
          { statusUpdate: { taskId: 't', status: state('FAILED', words('No.')) } },
        ],
        'of the end with the result': [
          { event: 'task_update', taskId: 't', status: 'completed', result: { a: 1 } },
          { task: { id: 't', status: state('COMPLETED'), artifacts: [{ artifactId: 'result', parts: [{ data: { a: 1 } }] }] } },
        ],
        'of a result alone': [
          { event: 'task_update', taskId: 't', result: { a: 1 } },
          { artifactUpdate: { taskId: 't', artifact: { artifactId: 'result', parts: [{ data: { a: 1 } }] }, lastChunk: true } },
        ],
        'of progress alone': [
          { event: 'task_update', taskId: 't', progress: 5 },
          { statusUpdate: { taskId: 't', status: state('WORKING'), metadata: { progress: 5 } } },
        ],
        'of no kind': [
          { taskId: 't', status: 'completed' },
          { statusUpdate: { taskId: 't', status: state('COMPLETED') } },
          ['DATA-01 /event'],
        ],
      },
      (wire, note) => readStreamResponse(wire, taskRest, note),
    ));

  for (const wire of [null, [], 'x', {}, { event: 'form_request', taskId: 't' }, { id: 't' }]) {
    test(`${JSON.stringify(wire)} is neither a task nor an update`, () => {
      assert.throws(() => readStreamResponse(wire, taskRest, ignoreFindings), { code: 'unreadable-answer' });
      // A task's name alone is enough for the answer of one that asked for it.
      if (wire === null || !('taskId' in Object(wire)))
        assert.throws(() => readResult('GetTask', wire, taskRest, ignoreFindings), { code: 'unreadable-answer' });
    });
  }

  for (const [name, capabilities, streaming] of [
    ['that neither streams nor pushes is polled', { streaming: false }, false],
    ['that pushes is listened to', { streaming: false, pushNotifications: true }, true],
    ['that streams is listened to', { streaming: true }, true],
    ['that does not say is polled', {}, undefined],
  ] as const) {
    test(`an agent ${name}`, () => {
      const card = readAgentCard(
        { name: 'x', url: 'https://a/', capabilities: { ...capabilities, interactionModes: ['form'] } },
        ignoreFindings,
      );
      assert.deepEqual([card.capabilities, card.defaultInputModes], [streaming === undefined ? {} : { streaming }, ['application/json']]);
    });
  }
});

suite('the input that a card asks for', () => {
  const input = {
    type: 'object',
    properties: { amount: { type: 'number', exclusiveMinimum: 0 }, currency: { type: 'string', enum: ['USD', 'EUR'] } },
    required: ['amount', 'currency'],
  };

  test('is found in the card, where it has any', () => {
    const card = (schema: unknown): ReturnType<typeof readAgentCard> =>
      readAgentCard({ name: 'x', url: 'https://a/', capabilities: { interactionModes: ['form'] }, schema }, ignoreFindings);
    assert.deepEqual(inputSchemaOf(card({ input })), input);
    for (const schema of [undefined, null, 'x', {}, { input: 'x' }]) assert.equal(inputSchemaOf(card(schema)), undefined);
  });

  test('has an example to start from', () => {
    assert.deepEqual(exampleOf(input), { amount: 0, currency: 'USD' });
    assert.deepEqual(exampleOf({ properties: { a: { type: ['array', 'null'] }, b: { const: 7 }, constructor: {} } }), {
      a: [],
      b: 7,
      constructor: '',
    });
    assert.deepEqual(exampleOf({ required: ['x', 7] }), { x: '' });
  });

  const rows: readonly (readonly [name: string, schema: unknown, value: unknown, ...pointers: string[]])[] = [
    ['all is well', input, { amount: 1, currency: 'USD', more: true }],
    ['members that are missing', input, {}, '/amount', '/currency'],
    ['types that are others', input, { amount: '1', currency: 7 }, '/amount', '/currency', '/currency'],
    ['a limit', input, { amount: 0, currency: 'USD' }, '/amount'],
    ['a member too many', { properties: { a: {} }, additionalProperties: false }, { a: 1, 'b/~': 2 }, '/b~1~0'],
    ['members of one kind', { additionalProperties: { type: 'string' } }, { a: 'x', b: 1 }, '/b'],
    ['a part of a list', { properties: { tags: { items: { type: 'string' }, maxItems: 1 } } }, { tags: ['x', 7] }, '/tags', '/tags/1'],
    ['lengths in characters', { properties: { a: { maxLength: 2, minLength: 2 } } }, { a: '🚢🚢' }],
    ['a length too much', { properties: { a: { maxLength: 2 } } }, { a: 'abc' }, '/a'],
    ['several types', { type: ['object', 'null'] }, null],
    ['a whole number', { type: 'integer' }, 1.5, ''],
    ['a constant, its members in any order', { const: { a: 1, b: [2] } }, { b: [2], a: 1 }],
    ['another constant', { const: 1 }, 2, ''],
    ['one of several forms', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { b: 1 }],
    ['none of several forms', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { c: 1 }, ''],
    ['all of several forms', { allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, '/b'],
    ['a reference', { $ref: '#/$defs/x', $defs: { x: { required: ['a'] } } }, {}, '/a'],
    ['references in a circle', { $ref: '#/a', a: { $ref: '#' } }, {}],
    ['references outside', { $ref: 'https://evil/x' }, {}],
    ['a false schema', { properties: { a: false } }, { a: 1 }, '/a'],
    ['what is no schema', 'x', {}],
    ['keywords nobody knows', { type: 'shape', unevaluatedProperties: false, if: {}, pattern: '(a+)+$' }, 'a'.repeat(40)],
    ['names of every object', { properties: {}, required: ['toString'] }, {}, '/toString'],
  ];
  for (const [name, schema, value, ...pointers] of rows) {
    test(name, () =>
      assert.deepEqual(
        schemaFaults(schema, value).map(({ pointer }) => pointer),
        pointers,
      ),
    );
  }

  test('of a hostile card takes no time to speak of', () => {
    const circle: Record<string, unknown> = { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#' })), required: ['x'] };
    const wide = { items: { anyOf: Array.from({ length: 50 }, () => ({ type: 'string' })) } };
    const took = cpuTime(() => {
      assert.notDeepEqual(schemaFaults(circle, {}), []);
      assert.ok(
        schemaFaults(
          wide,
          Array.from({ length: 10_000 }, () => 7),
        ).length <= 100,
      );
    });
    assert.ok(took < 500, `${took} ms`);
  });
});
