import * as assert from 'node:assert/strict';
import { collect, findingSentence, type Finding, maxFindings, ignoreFindings } from '../../../src/protocol/finding.ts';
import { readResult, readStreamResponse, versionOf } from '../../../src/protocol/versions/index.ts';
import { syntheticIdPrefix } from '../../../src/protocol/versions/shared/readTask.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Task } from '../../../src/protocol/message/task.ts';

const v1_0 = versionOf('1.0')!;
const v0_3 = versionOf('0.3')!;

interface Row {
  /** Generation that was spoken. */
  readonly spoken: typeof v1_0;
  readonly event: unknown;
  readonly read: unknown;
  /** `rule pointer` of every finding, in order. */
  readonly notes?: readonly string[];
}

const messageOf = (finding: Finding): string => english(findingSentence(finding));

const at = { taskId: 't', contextId: 'c' };
const working = { state: 'TASK_STATE_WORKING' };
const agentSays = { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
const agentSays0_3 = { kind: 'message', messageId: 'a', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] };

const events: Readonly<Record<string, Row>> = {
  '1.0: as it should be': {
    spoken: v1_0,
    event: { statusUpdate: { ...at, status: working } },
    read: { statusUpdate: { ...at, status: working } },
  },
  '0.3: as it should be': {
    spoken: v0_3,
    event: { kind: 'status-update', ...at, status: { state: 'working' }, final: false },
    read: { statusUpdate: { ...at, status: working } },
  },
  '1.0: unknown members are kept': {
    spoken: v1_0,
    event: { task: { id: 't', status: { ...working, x: 1 }, createdAt: 'now' } },
    read: { task: { id: 't', status: { ...working, x: 1 }, createdAt: 'now' } },
  },
  '0.3: unknown members are kept': {
    spoken: v0_3,
    event: { ...agentSays0_3, mood: 'good' },
    read: { message: { ...agentSays, mood: 'good' } },
  },
  '1.0: nulls count as absent': {
    spoken: v1_0,
    event: {
      task: {
        id: 't',
        contextId: null,
        status: { ...working, message: null, timestamp: null },
        artifacts: null,
        history: null,
        metadata: null,
      },
    },
    read: { task: { id: 't', status: working } },
  },
  '1.0: but not inside data': {
    spoken: v1_0,
    event: { message: { ...agentSays, parts: [{ data: null }] } },
    read: { message: { ...agentSays, parts: [{ data: null }] } },
  },
  '1.0: empty text is content': {
    spoken: v1_0,
    event: { message: { ...agentSays, parts: [{ text: '' }] } },
    read: { message: { ...agentSays, parts: [{ text: '' }] } },
  },
  '1.0: a numeric id': {
    spoken: v1_0,
    event: { task: { id: 1, status: working } },
    read: { task: { id: '1', status: working } },
    notes: ['DATA-01 /task/id'],
  },
  '0.3: a numeric id': {
    spoken: v0_3,
    event: { kind: 'task', id: 1, contextId: 'c', status: { state: 'working' } },
    read: { task: { id: '1', contextId: 'c', status: working } },
    notes: ['DATA-01 /id'],
  },
  '0.3: no kind on a task': {
    spoken: v0_3,
    event: { id: 't', contextId: 'c', status: { state: 'working' } },
    read: { task: { id: 't', contextId: 'c', status: working } },
    notes: ['DATA-01 /kind'],
  },
  '0.3: no kind on a message': {
    spoken: v0_3,
    event: { ...agentSays0_3, kind: undefined },
    read: { message: agentSays },
    notes: ['DATA-01 /kind'],
  },
  '0.3: a foreign kind': {
    spoken: v0_3,
    event: { kind: 'taskStatusUpdate', ...at, status: { state: 'working' } },
    read: { statusUpdate: { ...at, status: working } },
    notes: ['DATA-01 /kind'],
  },
  '0.3: no kind on an artifact update': {
    spoken: v0_3,
    event: { ...at, artifact: { artifactId: 'x', parts: [] } },
    read: { artifactUpdate: { ...at, artifact: { artifactId: 'x', parts: [] } } },
    notes: ['DATA-01 /kind'],
  },
  '1.0: a bare task': {
    spoken: v1_0,
    event: { id: 't', status: working },
    read: { task: { id: 't', status: working } },
    notes: ['CORE-01 '],
  },
  '1.0: a bare message': { spoken: v1_0, event: agentSays, read: { message: agentSays }, notes: ['CORE-01 '] },
  '1.0: a bare status update': {
    spoken: v1_0,
    event: { ...at, status: working },
    read: { statusUpdate: { ...at, status: working } },
    notes: ['CORE-01 '],
  },
  'spoken 1.0, answered 0.3': { spoken: v1_0, event: agentSays0_3, read: { message: agentSays }, notes: ['VER-04 '] },
  'spoken 0.3, answered 1.0': { spoken: v0_3, event: { message: agentSays }, read: { message: agentSays }, notes: ['VER-04 '] },
  '1.0: a state in lower case': {
    spoken: v1_0,
    event: { statusUpdate: { ...at, status: { state: 'working' } } },
    read: { statusUpdate: { ...at, status: working } },
    notes: ['DATA-02 /statusUpdate/status/state'],
  },
  '1.0: a state by its number': {
    spoken: v1_0,
    event: { statusUpdate: { ...at, status: { state: 2 } } },
    read: { statusUpdate: { ...at, status: working } },
    notes: ['DATA-02 /statusUpdate/status/state'],
  },
  '1.0: cancelled with two l': {
    spoken: v1_0,
    event: { statusUpdate: { ...at, status: { state: 'TASK_STATE_CANCELLED' } } },
    read: { statusUpdate: { ...at, status: { state: 'TASK_STATE_CANCELED' } } },
    notes: ['VER-04 '],
  },
  '0.3: a state in capitals': {
    spoken: v0_3,
    event: { kind: 'status-update', ...at, status: { state: 'COMPLETED' } },
    read: { statusUpdate: { ...at, status: { state: 'TASK_STATE_COMPLETED' } } },
    notes: ['DATA-02 /status/state'],
  },
  '1.0: no such state': {
    spoken: v1_0,
    event: { statusUpdate: { ...at, status: { state: 'finished' } } },
    read: { statusUpdate: { ...at, status: { state: 'TASK_STATE_UNSPECIFIED' } } },
    notes: ['DATA-02 /statusUpdate/status/state'],
  },
  '1.0: no status': {
    spoken: v1_0,
    event: { task: { id: 't' } },
    read: { task: { id: 't', status: { state: 'TASK_STATE_UNSPECIFIED' } } },
    notes: ['DATA-01 /task/status'],
  },
  '1.0: a status that its history has otherwise': {
    spoken: v1_0,
    event: { task: { id: 't', status: { ...working, message: agentSays }, history: [{ ...agentSays, parts: [{ text: 'ho' }] }] } },
    read: { task: { id: 't', status: { ...working, message: agentSays }, history: [{ ...agentSays, parts: [{ text: 'ho' }] }] } },
    notes: ['DATA-07 /task/history/0'],
  },
  '1.0: a status that its history has not': {
    spoken: v1_0,
    event: { task: { id: 't', status: { ...working, message: agentSays }, history: [{ ...agentSays, messageId: 'b' }] } },
    read: { task: { id: 't', status: { ...working, message: agentSays }, history: [{ ...agentSays, messageId: 'b' }] } },
  },
  '1.0: no ids on an event': {
    spoken: v1_0,
    event: { statusUpdate: { status: working } },
    read: { statusUpdate: { taskId: '', status: working } },
    notes: ['DATA-06 /statusUpdate/taskId', 'DATA-06 /statusUpdate/contextId'],
  },
  '1.0: no role': {
    spoken: v1_0,
    event: { message: { ...agentSays, role: undefined } },
    read: { message: agentSays },
    notes: ['DATA-02 /message/role'],
  },
  '1.0: a role of 0.3': {
    spoken: v1_0,
    event: { message: { ...agentSays, role: 'agent' } },
    read: { message: agentSays },
    notes: ['DATA-02 /message/role'],
  },
  '1.0: content in the place of parts': {
    spoken: v1_0,
    event: { message: { messageId: 'a', role: 'ROLE_AGENT', content: [{ text: 'hi' }] } },
    read: { message: agentSays },
    notes: ['VER-04 '],
  },
  '1.0: a part of 0.3': {
    spoken: v1_0,
    event: { message: { ...agentSays, parts: [{ kind: 'text', text: 'hi' }] } },
    read: { message: agentSays },
    notes: ['DATA-03 /message/parts/0'],
  },
  '0.3: a part of 0.1': {
    spoken: v0_3,
    event: { ...agentSays0_3, parts: [{ type: 'text', text: 'hi' }] },
    read: { message: agentSays },
    notes: ['DATA-03 /parts/0/kind'],
  },
  '0.3: a part without kind': {
    spoken: v0_3,
    event: { ...agentSays0_3, parts: [{ text: 'hi' }] },
    read: { message: agentSays },
    notes: ['DATA-03 /parts/0/kind'],
  },
  '0.3: a part that is a string': {
    spoken: v0_3,
    event: { ...agentSays0_3, parts: ['hi'] },
    read: { message: agentSays },
    notes: ['DATA-03 /parts/0'],
  },
  '1.0: a part that is nothing': {
    spoken: v1_0,
    event: { message: { ...agentSays, parts: [{ video: 1 }, 7] } },
    read: { message: { ...agentSays, parts: [{ data: { video: 1 } }, { data: 7 }] } },
    notes: ['DATA-03 /message/parts/0', 'DATA-03 /message/parts/1'],
  },
  '1.0: a part with two contents is two parts': {
    spoken: v1_0,
    event: {
      message: {
        ...agentSays,
        parts: [{ url: 'http://x.example/', text: 'hi', mediaType: 'text/html', metadata: { x: 1 } }, { text: 'so' }],
      },
    },
    read: {
      message: {
        ...agentSays,
        parts: [
          { text: 'hi', mediaType: 'text/html', metadata: { x: 1 } },
          { url: 'http://x.example/', mediaType: 'text/html', metadata: { x: 1 } },
          { text: 'so' },
        ],
      },
    },
    notes: ['DATA-03 /message/parts/0'],
  },
  '1.0: a part with every content, in an artifact': {
    spoken: v1_0,
    event: {
      artifactUpdate: { ...at, artifact: { artifactId: 'x', parts: [{ raw: 'AA==', data: 0, url: 'http://x.example/', text: 'hi' }] } },
    },
    read: {
      artifactUpdate: {
        ...at,
        artifact: { artifactId: 'x', parts: [{ text: 'hi' }, { data: 0 }, { raw: 'AA==' }, { url: 'http://x.example/' }] },
      },
    },
    notes: ['DATA-03 /artifactUpdate/artifact/parts/0'],
  },
  '1.0: null is no second content': {
    spoken: v1_0,
    event: { message: { ...agentSays, parts: [{ text: 'hi', raw: null, data: null }] } },
    read: { message: agentSays },
  },
  '1.0: an empty content beside another': {
    spoken: v1_0,
    event: {
      message: {
        ...agentSays,
        parts: [
          { text: '', raw: '', url: 'http://x.example/' },
          { text: '', raw: '' },
        ],
      },
    },
    read: { message: { ...agentSays, parts: [{ url: 'http://x.example/' }, { text: '' }] } },
    notes: ['DATA-03 /message/parts/0', 'DATA-03 /message/parts/1'],
  },
  '0.3: a part with two contents is two parts': {
    spoken: v0_3,
    event: { ...agentSays0_3, parts: [{ kind: 'text', text: 'hi', file: { uri: 'https://a/b' } }] },
    read: { message: { ...agentSays, parts: [{ text: 'hi' }, { url: 'https://a/b' }] } },
    notes: ['DATA-03 /parts/0'],
  },
  '0.3: file parts of every kind': {
    spoken: v0_3,
    event: {
      ...agentSays0_3,
      parts: [
        { kind: 'file', file: { bytes: 'AA==', mimeType: 'image/png', name: 'a.png' } },
        { kind: 'file', file: { uri: 'https://a/b' }, metadata: { x: 1 } },
        { kind: 'file', file: { fileWithBytes: 'AA==', mediaType: 'image/png' } },
        { kind: 'file', file: { fileWithUri: 'https://a/b' } },
        { kind: 'file', file: { data: 'AA==' } },
      ],
    },
    read: {
      message: {
        ...agentSays,
        parts: [
          { raw: 'AA==', mediaType: 'image/png', filename: 'a.png' },
          { url: 'https://a/b', metadata: { x: 1 } },
          { raw: 'AA==', mediaType: 'image/png' },
          { url: 'https://a/b' },
          { raw: 'AA==' },
        ],
      },
    },
  },
  '0.3: a wrapped data value': {
    spoken: v0_3,
    event: {
      ...agentSays0_3,
      parts: [
        { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true, x: 1 } },
        { kind: 'data', data: { value: 1 } },
      ],
    },
    read: { message: { ...agentSays, parts: [{ data: [1], metadata: { x: 1 } }, { data: { value: 1 } }] } },
  },
  '1.0: a member named __proto__ goes nowhere': {
    spoken: v1_0,
    event: JSON.parse('{"message":{"messageId":"a","role":"ROLE_AGENT","parts":[{"text":"hi"}],"__proto__":{"polluted":true}}}'),
    read: { message: agentSays },
  },
};

suite('reading events', () => {
  for (const [name, { spoken, event, read, notes = [] }] of Object.entries(events)) {
    test(name, () => {
      const { note, findings } = collect();
      const received = structuredClone(event);
      assert.deepEqual(readStreamResponse(event, spoken, note), read);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        notes,
      );
      assert.deepEqual(event, received, 'what was received must stay as it was');
    });
  }

  for (const event of [null, 1, 'x', [], {}, { result: 1 }, { task: 1 }, { kind: 'task' }, { kind: 'toString' }]) {
    for (const spoken of [v1_0, v0_3]) {
      test(`${spoken.protocolVersion}: ${JSON.stringify(event)} is no event`, () => {
        assert.throws(() => readStreamResponse(event, spoken, ignoreFindings), { code: 'unreadable-answer' });
      });
    }
  }

  test('a message without an id gets one of its own that its repetition gets too', () => {
    const read = (text: string): string => {
      const event = readStreamResponse({ message: { role: 'ROLE_AGENT', parts: [{ text }] } }, v1_0, ignoreFindings) as {
        message: Message;
      };
      return event.message.messageId;
    };
    assert.ok(read('a').startsWith(syntheticIdPrefix));
    assert.equal(read('a'), read('a'));
    assert.notEqual(read('a'), read('b'));
  });

  test('two messages of a history that say the same are two', () => {
    const history = [
      { role: 'ROLE_USER', parts: [{ text: 'yes' }] },
      { role: 'ROLE_USER', parts: [{ text: 'yes' }] },
    ];
    const { task } = readStreamResponse({ task: { id: 't', status: working, history } }, v1_0, ignoreFindings) as { task: Task };
    assert.equal(new Set(task.history?.map(({ messageId }) => messageId)).size, 2);
  });

  test('an artifact without an id is known by its name', () => {
    const event = readStreamResponse({ artifactUpdate: { ...at, artifact: { name: 'report', parts: [] } } }, v1_0, ignoreFindings);
    assert.deepEqual(event, {
      artifactUpdate: { ...at, artifact: { artifactId: `${syntheticIdPrefix}report`, name: 'report', parts: [] } },
    });
  });

  test('findings are bounded', () => {
    const { note, findings } = collect();
    readStreamResponse({ message: { ...agentSays, parts: Array.from({ length: 2 * maxFindings }, () => 'x') } }, v1_0, note);
    assert.equal(findings.length, maxFindings);
  });
});

suite('the history and the status of 0.1', () => {
  const said = (text: string, role = 'agent') => ({ role, parts: [{ type: 'text', text }] });
  const rows: readonly (readonly [what: string, message: unknown, history: readonly unknown[] | undefined, notes: readonly string[]])[] = [
    ['agree', said('Which?'), [said('Convert', 'user'), said('Which?')], []],
    ['end otherwise', said('Which?'), [said('Convert', 'user')], ['DATA-07 /history/0']],
    ['say it in another order', said('Which?'), [said('Which?'), said('Convert', 'user')], ['DATA-07 /history/1']],
    ['are not both there', said('Which?'), undefined, []],
    ['are not both there either', undefined, [said('Convert', 'user')], []],
  ];
  for (const [what, message, history, notes] of rows) {
    test(what, () => {
      const { note, findings } = collect();
      readResult(
        'GetTask',
        { id: 't', sessionId: 's', status: { state: 'working', ...(message !== undefined && { message }) }, ...(history && { history }) },
        versionOf('0.1')!,
        note,
      );
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        notes,
      );
    });
  }
});

suite('reading results', () => {
  const task = { id: 't', contextId: 'c', status: working };
  const task0_3 = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };

  test('GetTask and CancelTask of 1.0 are bare tasks; a wrapped one is read and noted', () => {
    for (const operation of ['GetTask', 'CancelTask'] as const) {
      const { note, findings } = collect();
      assert.deepEqual(readResult(operation, task, v1_0, note), task);
      assert.deepEqual(findings, []);
      assert.deepEqual(readResult(operation, { task }, v1_0, note), task);
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        ['DATA-01'],
      );
    }
  });

  test('a task of 0.3', () => {
    for (const operation of ['GetTask', 'CancelTask'] as const) {
      assert.deepEqual(readResult(operation, task0_3, v0_3, ignoreFindings), task);
    }
  });

  test('a list without its counts', () => {
    const { note, findings } = collect();
    assert.deepEqual(readResult('ListTasks', { tasks: [task] }, v1_0, note), { tasks: [task] });
    // ProtoJSON leaves out what is empty.
    assert.deepEqual(readResult('ListTasks', {}, v1_0, note), { tasks: [] });
    assert.deepEqual(readResult('ListTasks', { tasks: null, totalSize: 0 }, v1_0, note), { tasks: [], totalSize: 0 });
    assert.deepEqual(readResult('ListTasks', { tasks: [], pageSize: '5' }, v1_0, note), { tasks: [] });
    assert.deepEqual(
      findings.map(({ pointer }) => pointer),
      ['/tasks', '/tasks', '/pageSize'],
    );
  });

  for (const [what, value] of Object.entries({ null: null, true: true, 'another object': { ok: true }, 'another member': { tasks: 7 } }))
    for (const version of [v1_0, v0_3])
      test(`${version.protocolVersion}: ${what} is no empty list`, () => {
        assert.throws(() => readResult('ListTasks', value, version, ignoreFindings), { code: 'unreadable-answer' });
        assert.throws(() => readResult('GetTaskPushNotificationConfig', value, version, ignoreFindings), { code: 'unreadable-answer' });
        // A list of Go without items is null, and was the whole answer in 0.3.
        if (value !== null)
          assert.throws(() => readResult('ListTaskPushNotificationConfigs', value, version, ignoreFindings), { code: 'unreadable-answer' });
      });

  test('a state that is spelled otherwise is told with the spelling of the version', () => {
    for (const [version, state, words] of [
      [v1_0, 'working', 'state should be "TASK_STATE_WORKING", not "working".'],
      [v1_0, 2, 'state should be "TASK_STATE_WORKING", not 2.'],
      [v0_3, 'INPUT_REQUIRED', 'state should be "input-required", not "INPUT_REQUIRED".'],
    ] as const) {
      const { note, findings } = collect();
      const status = { ...at, status: { state } };
      readStreamResponse(version === v1_0 ? { statusUpdate: status } : { kind: 'status-update', ...status }, version, note);
      assert.equal(findings.filter(({ rule }) => rule === 'DATA-02').map(messageOf)[0], words);
    }
  });

  test('a send is never answered with an update', () => {
    const update = { statusUpdate: { ...at, status: working } };
    assert.throws(() => readResult('SendMessage', update, v1_0, ignoreFindings), { code: 'unreadable-answer' });
    assert.throws(() => readResult('SendMessage', { kind: 'status-update', ...at, status: { state: 'working' } }, v0_3, ignoreFindings), {
      code: 'unreadable-answer',
    });
  });

  for (const wrong of [null, 1, 'x', [], {}]) {
    test(`${JSON.stringify(wrong)} is no task`, () => {
      assert.throws(() => readResult('GetTask', wrong, v1_0, ignoreFindings), { code: 'unreadable-answer' });
      assert.throws(() => readResult('GetTask', wrong, v0_3, ignoreFindings), { code: 'unreadable-answer' });
    });
  }
});
