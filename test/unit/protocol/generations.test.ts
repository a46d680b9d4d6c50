import * as assert from 'node:assert/strict';
import { collect, ignoreFindings } from '../../../src/protocol/finding.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { readAgentCard, readResult, readStreamResponse, versionOf, versionWithMethod } from '../../../src/protocol/versions/index.ts';

const v1_0 = versionOf('1.0')!;
const rc = versionOf('1.0-rc')!;
const draft = versionOf('1.0-draft')!;
const v0_3 = versionOf('0.3')!;
const v0_2 = versionOf('0.2')!;
const v0_1 = versionOf('0.1')!;
const asks: Message = {
  messageId: 'm',
  role: 'ROLE_USER',
  parts: [{ text: 'go' }, { raw: 'AA==', mediaType: 'image/png', filename: 'a.png' }, { url: 'https://a/b' }, { data: [1] }],
};
const says: Message = { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] };
const configuration = { historyLength: 2, returnImmediately: true };

const notes = (read: (note: ReturnType<typeof collect>['note']) => unknown): string[] => {
  const { note, findings } = collect();
  read(note);
  return findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
};

suite('generation 0.1', () => {
  const parts = [
    { type: 'text', text: 'go' },
    { type: 'file', file: { bytes: 'AA==', mimeType: 'image/png', name: 'a.png' } },
    { type: 'file', file: { uri: 'https://a/b' } },
    { type: 'data', data: [1] },
  ];

  test("a message goes into a task and a session that are the request's", () => {
    assert.deepEqual(
      v0_1.writeParams('SendMessage', {
        tenant: 'acme',
        message: { ...asks, taskId: 't', contextId: 'c', referenceTaskIds: ['r'] },
        configuration,
        metadata: { p: 1 },
      }),
      { id: 't', sessionId: 'c', message: { role: 'user', parts }, historyLength: 2, metadata: { p: 1 } },
    );
  });

  test('a new task is named after the message that starts it', () => {
    assert.deepEqual(v0_1.writeParams('SendStreamingMessage', { message: asks }), { id: 'm', message: { role: 'user', parts } });
  });

  test('an artifact is known by its index, a task by its session', () => {
    const task: Task = {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      history: [asks],
      artifacts: [
        { artifactId: 'index-1', name: 'n', parts: [{ text: 'x' }] },
        { artifactId: 'own', parts: [] },
      ],
    };
    const written = v0_1.writeResult('GetTask', task) as { artifacts: { index: number }[] };
    assert.deepEqual(
      { ...written, artifacts: undefined },
      { id: 't', sessionId: 'c', status: { state: 'completed' }, history: [{ role: 'user', parts }], artifacts: undefined },
    );
    assert.deepEqual(written.artifacts[0], { name: 'n', parts: [{ type: 'text', text: 'x' }], index: 1 });
    const chunk = v0_1.writeStreamResponse({
      artifactUpdate: { taskId: 't', artifact: { artifactId: 'own', parts: [] }, append: true, lastChunk: false },
    });
    assert.deepEqual(chunk, { id: 't', artifact: { parts: [], index: written.artifacts[1]!.index, append: true, lastChunk: false } });
  });

  test('a status says whether the turn is over', () => {
    const event = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_AUTH_REQUIRED'): unknown =>
      v0_1.writeStreamResponse({ statusUpdate: { taskId: 't', contextId: 'c', status: { state, message: says } } });
    assert.deepEqual(event('TASK_STATE_WORKING'), {
      id: 't',
      status: { state: 'working', message: { role: 'agent', parts: [{ type: 'text', text: 'hi' }] } },
      final: false,
    });
    assert.deepEqual((event('TASK_STATE_AUTH_REQUIRED') as { final: boolean; status: { state: string } }).status.state, 'input-required');
    assert.equal((event('TASK_STATE_AUTH_REQUIRED') as { final: boolean }).final, true);
  });

  test('a message alone is the last word of a task', () => {
    const written = { id: 'a', status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'hi' }] } } };
    assert.deepEqual(v0_1.writeResult('SendMessage', { message: says }), written);
    assert.deepEqual(v0_1.writeStreamResponse({ message: says }), { ...written, final: true });
  });

  test('a request is read with its task and session in the message', () => {
    const { note, findings } = collect();
    const read = v0_1.readParams(
      'SendMessage',
      {
        id: 't',
        sessionId: 's',
        message: { role: 'user', parts: [{ type: 'text', text: 'go' }] },
        acceptedOutputModes: ['text'],
        historyLength: 1,
      },
      note,
    );
    assert.deepEqual(
      { ...read, message: { ...read.message, messageId: '' } },
      {
        message: { messageId: '', role: 'ROLE_USER', parts: [{ text: 'go' }], taskId: 't', contextId: 's' },
        configuration: { acceptedOutputModes: ['text'], historyLength: 1 },
      },
    );
    assert.deepEqual(findings, []);
    for (const params of [
      { id: 't' },
      { message: { role: 'user', parts: [{ type: 'text', text: 'x' }] } },
      { id: 't', message: { role: 'user', parts: [] } },
    ]) {
      assert.throws(() => v0_1.readParams('SendMessage', params, ignoreFindings), { code: 'invalid-params' });
    }
  });

  test('messages need no ids, and that is no finding', () => {
    const asks = { role: 'agent', parts: [{ type: 'text', text: 'which?' }] };
    const task = {
      id: 't',
      sessionId: 's',
      status: { state: 'input-required', message: asks },
      history: [{ role: 'user', parts: [{ type: 'text', text: 'a phone' }] }, asks],
    };
    assert.deepEqual(
      notes(note => readResult('GetTask', task, v0_1, note)),
      [],
    );
  });

  test('a plain status is a task as an answer and an event in a stream', () => {
    const bare = { id: 't', status: { state: 'working' } };
    assert.deepEqual(readResult('SendMessage', bare, v0_1, ignoreFindings), { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } });
    assert.deepEqual(readStreamResponse(bare, v0_1, ignoreFindings), {
      statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_WORKING' } },
    });
    assert.deepEqual(readStreamResponse({ ...bare, sessionId: 's' }, v0_1, ignoreFindings), {
      task: { id: 't', contextId: 's', status: { state: 'TASK_STATE_WORKING' } },
    });
  });

  test('artifacts without an index, or with the same, stay apart', () => {
    const task = (artifacts: unknown): Task =>
      readResult('GetTask', { id: 't', status: { state: 'completed' }, artifacts }, v0_1, ignoreFindings);
    const ids = (artifacts: unknown): unknown => task(artifacts).artifacts?.map(({ artifactId }) => artifactId);
    assert.deepEqual(
      ids([
        { name: 'joke', parts: [] },
        { name: 'other', parts: [] },
      ]),
      ['index-0', 'index-1'],
    );
    assert.deepEqual(
      ids([
        { index: 0, parts: [] },
        { index: 0, parts: [] },
      ]),
      ['index-0', 'index-0#2'],
    );
    assert.deepEqual(
      ids([
        { index: -1, parts: [] },
        { index: 'x', parts: [] },
      ]),
      ['index-0', 'index-1'],
    );
    assert.deepEqual(readStreamResponse({ id: 't', artifact: { parts: [{ type: 'text', text: 'x' }] } }, v0_1, ignoreFindings), {
      artifactUpdate: { taskId: 't', artifact: { artifactId: 'index-0', parts: [{ text: 'x' }] } },
    });
  });

  test('what samples of the time did otherwise', () => {
    assert.deepEqual(
      readResult(
        'SendMessage',
        { id: 1, status: { state: 'input-required', message: { parts: [{ type: 'text', text: 'which?' }] } }, metadata: {} },
        v0_1,
        ignoreFindings,
      ),
      {
        task: {
          id: '1',
          status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { messageId: notedId, role: 'ROLE_AGENT', parts: [{ text: 'which?' }] } },
          metadata: {},
        },
      },
    );
    assert.deepEqual(
      v0_1.readParams(
        'SendMessage',
        { id: 't', message: { role: 'user', data: [{ type: 'file', file: { mimeType: 'image/png', data: 'AAAA' } }] } },
        ignoreFindings,
      ).message.parts,
      [{ raw: 'AAAA', mediaType: 'image/png' }],
    );
    const { statusUpdate } = readStreamResponse(
      { id: 1, status: { state: 'working', timestamp: '2025-04-02T16:59:25.331844' }, final: false },
      v0_1,
      ignoreFindings,
    ) as { statusUpdate: { status: { timestamp: string } } };
    assert.equal(statusUpdate.status.timestamp, '2025-04-02T16:59:25.331844Z');
    assert.equal(Date.parse(statusUpdate.status.timestamp), Date.UTC(2025, 3, 2, 16, 59, 25, 331));
  });

  test('a file may be a name alone', () => {
    const task = { id: 't', status: { state: 'completed' }, artifacts: [{ index: 0, parts: [{ type: 'file', file: { name: 'a.pdf' } }] }] };
    assert.deepEqual(
      notes(note => readResult('GetTask', task, v0_1, note)),
      [],
    );
  });

  test('its card: schemes by name, even one without a list', () => {
    const card = {
      name: 'Maps',
      url: 'https://maps.example',
      version: '1',
      capabilities: { streaming: true },
      skills: [{ id: 'r', name: 'R', description: null, tags: null }],
      provider: null,
    };
    const read = (authentication: unknown): { card: ReturnType<typeof readAgentCard>; notes: string[] } => {
      const { note, findings } = collect();
      return { card: readAgentCard({ ...card, authentication }, note), notes: findings.map(({ pointer }) => pointer) };
    };
    const all = read({ schemes: ['Bearer', 'OAuth2', 'ApiKey', 'Basic'], credentials: '{"in":"query","name":"key"}' });
    assert.deepEqual(all.notes, []);
    assert.deepEqual(all.card.securitySchemes, {
      Bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
      OAuth2: { oauth2SecurityScheme: { flows: {} } },
      ApiKey: { apiKeySecurityScheme: { location: 'query', name: 'key' } },
      Basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
    });
    assert.equal(all.card.securityRequirements?.length, 4);
    assert.deepEqual(all.card.supportedInterfaces, [{ url: 'https://maps.example', protocolBinding: 'JSONRPC', protocolVersion: '0.1' }]);
    const one = read({ schemes: 'OAuth2', credentials: 'ask me' });
    assert.deepEqual([one.notes, Object.keys(one.card.securitySchemes ?? {})], [['/authentication/schemes'], ['OAuth2']]);
    assert.equal(read({ schemes: [] }).card.securitySchemes, undefined);
    for (const [written, notes] of [
      ['Bearer', ['/authentication']],
      [['Bearer'], ['/authentication']],
    ] as const) {
      const named = read(written);
      assert.deepEqual([named.notes, named.card.securitySchemes], [notes, { Bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } }]);
      assert.equal(named.card.supportedInterfaces[0]?.protocolVersion, '0.1');
    }
    const none = read(null);
    assert.deepEqual([none.notes, none.card.securitySchemes, none.card.supportedInterfaces[0]?.protocolVersion], [[], undefined, '0.1']);
  });
});

suite('protobuf form of 0.3', () => {
  const form = v0_3.protoForm!;
  const message = {
    messageId: 'm',
    role: 'ROLE_USER',
    content: [
      { text: 'go' },
      { file: { fileWithBytes: 'AA==', mimeType: 'image/png', name: 'a.png' } },
      { file: { fileWithUri: 'https://a/b' } },
      { data: { data: { value: [1] } }, metadata: { data_part_compat: true } },
    ],
  };

  test('a message has content, a task a name', () => {
    assert.deepEqual(
      form.writeParams('SendMessage', { tenant: 'acme', message: { ...asks, referenceTaskIds: ['r'] }, configuration, metadata: { p: 1 } }),
      { message, configuration: { historyLength: 2, blocking: false }, metadata: { p: 1 } },
    );
    assert.deepEqual(form.writeParams('GetTask', { id: 'a/b', historyLength: 0 }), { name: 'tasks/a/b', historyLength: 0 });
    assert.deepEqual(form.writeParams('CancelTask', { id: 't', metadata: {} }), { name: 'tasks/t' });
    assert.deepEqual(
      form.readResult('ListTasks', [{ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }], ignoreFindings).tasks,
      [{ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }],
    );
  });

  test('an agent waits unless it is told not to, which is what a configuration without blocking says', () => {
    const written = (given?: object): unknown =>
      (form.writeParams('SendMessage', { message: says, configuration: given }) as { configuration: unknown }).configuration;
    assert.deepEqual([written({}), written({ returnImmediately: true }), written()], [{ blocking: true }, { blocking: false }, undefined]);
    const read = (given?: object): unknown =>
      form.readParams('SendMessage', { message, configuration: given }, ignoreFindings).configuration;
    assert.deepEqual([read({}), read({ blocking: true }), read()], [{ returnImmediately: true }, { returnImmediately: false }, undefined]);
  });

  test('a request may be called by the name of its field, a task by its id alone', () => {
    const { note, findings } = collect();
    assert.deepEqual(form.readParams('SendMessage', { request: message }, note), { message: asks });
    assert.deepEqual(form.readParams('GetTask', { name: 'tasks/t' }, note), { id: 't' });
    assert.deepEqual(form.readParams('GetTask', { id: 't' }, note), { id: 't' });
    assert.deepEqual(findings, []);
    for (const params of [{}, { message: { messageId: 'm', role: 'ROLE_USER' } }])
      assert.throws(() => form.readParams('SendMessage', params, ignoreFindings), { code: 'invalid-params' });
  });

  test('what has its default is left out, and put back', () => {
    const task: Task = {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_UNSPECIFIED' },
      artifacts: [],
      history: [{ ...says, parts: [{ text: '' }] }],
    };
    const written = { id: 't', contextId: 'c', status: {}, history: [{ messageId: 'a', role: 'ROLE_AGENT', content: [{ text: '' }] }] };
    assert.deepEqual(form.writeResult('GetTask', task), written);
    const { note, findings } = collect();
    assert.deepEqual(readResult('GetTask', written, form, note), { id: 't', contextId: 'c', status: task.status, history: task.history });
    assert.deepEqual(findings, []);
  });

  test('events are wrapped, canceled has two l, and final is said where it is true', () => {
    const event = (state: 'TASK_STATE_WORKING' | 'TASK_STATE_CANCELED'): unknown =>
      form.writeStreamResponse({ statusUpdate: { taskId: 't', status: { state } } });
    assert.deepEqual(event('TASK_STATE_WORKING'), {
      statusUpdate: { taskId: 't', contextId: 't', status: { state: 'TASK_STATE_WORKING' } },
    });
    assert.deepEqual(event('TASK_STATE_CANCELED'), {
      statusUpdate: { taskId: 't', contextId: 't', status: { state: 'TASK_STATE_CANCELLED' }, final: true },
    });
    assert.deepEqual(
      form.writeStreamResponse({
        artifactUpdate: {
          taskId: 't',
          contextId: 'c',
          artifact: { artifactId: 'x', parts: [{ data: { a: 1 } }] },
          append: true,
          lastChunk: false,
        },
      }),
      {
        artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'x', parts: [{ data: { data: { a: 1 } } }] }, append: true },
      },
    );
  });

  test('is told from 1.0, whichever was spoken', () => {
    const said = { message: { messageId: 'a', role: 'ROLE_AGENT', content: [{ data: { data: { a: 1 } } }] } };
    const read = { message: { ...says, parts: [{ data: { a: 1 } }] } };
    for (const spoken of [v1_0, v0_3]) {
      assert.deepEqual(readResult('SendMessage', said, spoken, ignoreFindings), read);
      assert.deepEqual(
        notes(note => readResult('SendMessage', said, spoken, note)),
        ['VER-04 '],
      );
    }
    const nested = { message: { ...says, parts: [{ data: { data: 1 } }] } };
    assert.deepEqual(readResult('SendMessage', nested, form, ignoreFindings), nested);
    assert.deepEqual(
      notes(note => readResult('SendMessage', nested, form, note)),
      ['VER-04 '],
    );
    assert.deepEqual(
      notes(note => readResult('GetTask', { id: 't', status: { state: 'TASK_STATE_WORKING' } }, form, note)),
      [],
    );
  });
});

suite('generation 0.2', () => {
  test('a configuration has acceptedOutputModes, whatever else', () => {
    const message = { message: says };
    const written = (given?: object): unknown =>
      (v0_2.writeParams('SendMessage', { ...message, configuration: given }) as { configuration: unknown }).configuration;
    assert.deepEqual(written(configuration), { acceptedOutputModes: [], historyLength: 2, blocking: false });
    assert.deepEqual(written({ acceptedOutputModes: ['text/plain'] }), { acceptedOutputModes: ['text/plain'] });
    assert.equal(written(), undefined);
  });

  test('is the wire of 0.3 otherwise', () => {
    const event = { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' as const, message: says } } };
    assert.deepEqual(v0_2.writeStreamResponse(event), v0_3.writeStreamResponse(event));
    assert.deepEqual(v0_2.methods, v0_3.methods);
    assert.deepEqual(v0_2.writeParams('ListTasks', { status: 'TASK_STATE_WORKING' }), { status: 'working' });
  });

  test('a card need not say its version', () => {
    const card = {
      name: 'x',
      description: 'y',
      url: 'https://a/',
      version: '1',
      capabilities: {},
      iconUrl: 'https://a/i',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
    assert.deepEqual(
      notes(note => assert.equal(readAgentCard(card, note).supportedInterfaces[0]?.protocolVersion, '0.2')),
      [],
    );
  });
});

suite('drafts of 1.0', () => {
  test('a message as the documents print it', () => {
    assert.equal(draft.methods.SendMessage, 'message.send');
    assert.deepEqual(draft.writeParams('SendMessage', { message: asks, configuration }), {
      message: {
        messageId: 'm',
        role: 'user',
        parts: [
          { text: 'go' },
          { file: { fileWithBytes: 'AA==', mediaType: 'image/png', name: 'a.png' } },
          { file: { fileWithUri: 'https://a/b' } },
          { data: { data: { value: [1] } }, metadata: { data_part_compat: true } },
        ],
      },
      configuration: { historyLength: 2, blocking: false },
    });
  });

  test('an answer is bare, an event wrapped', () => {
    const task: Task = {
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'x', name: 'boat.png', parts: [{ raw: 'AA==', mediaType: 'image/png', filename: 'boat.png' }] }],
    };
    const written = {
      id: 't',
      contextId: 'c',
      status: { state: 'completed' },
      artifacts: [
        { artifactId: 'x', name: 'boat.png', parts: [{ file: { fileWithBytes: 'AA==', mediaType: 'image/png', name: 'boat.png' } }] },
      ],
    };
    assert.deepEqual(draft.writeResult('SendMessage', { task }), written);
    assert.deepEqual(draft.writeStreamResponse({ task }), { task: written });
    // Whatever was spoken: the document's answer can be of nothing else.
    for (const spoken of [v1_0, v0_3, v0_1]) assert.deepEqual(readResult('SendMessage', written, spoken, ignoreFindings), { task });
  });

  test('data is one level deeper, in drafts alone', () => {
    const task = (data: unknown): object => ({
      id: 't',
      contextId: 'c',
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'x', parts: [{ data }] }],
    });
    const dataOf = (data: unknown, version = draft): unknown =>
      readResult('GetTask', task(data), version, ignoreFindings).artifacts?.[0]?.parts;
    assert.deepEqual(dataOf({ data: { a: 1 } }), [{ data: { a: 1 } }]);
    assert.deepEqual(dataOf({ a: 1 }), [{ data: { a: 1 } }]);
    assert.deepEqual(dataOf({ data: { a: 1 } }, v0_3), [{ data: { data: { a: 1 } } }]);
  });
});

suite('release candidate of 1.0', () => {
  test('waits by blocking, and knows the context of every task', () => {
    assert.deepEqual(rc.writeParams('SendMessage', { message: says, configuration }), {
      message: says,
      configuration: { historyLength: 2, blocking: false },
    });
    assert.deepEqual(rc.writeParams('SendMessage', { message: says }), { message: says });
    assert.deepEqual(rc.readParams('SendMessage', { message: says, configuration: { blocking: false } }, ignoreFindings), {
      message: says,
      configuration: { returnImmediately: true },
    });
    assert.deepEqual(rc.writeResult('GetTask', { id: 't', status: { state: 'TASK_STATE_WORKING' } }), {
      id: 't',
      contextId: 't',
      status: { state: 'TASK_STATE_WORKING' },
    });
  });
});

suite('methods', () => {
  const rows: readonly (readonly [method: string, preferred: string, version: string | undefined])[] = [
    ['SendMessage', '0.3', '1.0'],
    ['message/send', '1.0', '0.3'],
    ['message/send', '0.2', '0.2'],
    ['tasks/get', '1.0', '0.3'],
    ['tasks/get', '0.1', '0.1'],
    ['tasks/send', '1.0', '0.1'],
    ['tasks/sendSubscribe', '0.3', '0.1'],
    ['tasks/pushNotification/set', '1.0', '0.1'],
    ['tasks/pushNotificationConfig/set', '1.0', '0.3'],
    ['message.send', '1.0', '1.0-draft'],
    ['tasks/list', '1.0', '1.0-draft'],
    ['ListTaskPushNotificationConfig', '1.0', '1.0-rc'],
    ['toString', '1.0', undefined],
  ];
  for (const [method, preferred, version] of rows) {
    test(`${method} to an agent of ${preferred} is of ${version ?? 'none'}`, () => {
      assert.equal(versionWithMethod(method, versionOf(preferred)!)?.protocolVersion, version);
    });
  }
});

const notedId = readResult(
  'GetTask',
  { id: '1', status: { state: 'working', message: { parts: [{ type: 'text', text: 'which?' }] } } },
  v0_1,
  ignoreFindings,
).status.message!.messageId;
