import * as assert from 'node:assert/strict';
import { collect, ignoreFindings } from '../../../src/protocol/finding.ts';
import type { UnaryOperation } from '../../../src/protocol/message/operations.ts';
import { inCamelCase, protoNames } from '../../../src/protocol/protoNames.ts';
import { readAgentCard, readResult, readStreamResponse, readStreamResponses, versionOf } from '../../../src/protocol/versions/index.ts';
import { detectCard } from '../../../src/protocol/versions/detectCard.ts';

const v1_0 = versionOf('1.0')!;

/** JSON whose every name is as protocol buffers write it, but for what is in a member of the agent's own. */
const inSnakeCase = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inSnakeCase)
    : typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, held]) => [
            name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
            ['metadata', 'data', 'params', 'header', 'scopes'].includes(name) ? (held as unknown) : inSnakeCase(held),
          ]),
        );

/** What is not the protocol's: it has names of the protocol's in both spellings, which mean nothing here. */
const own = { context_id: 'own', artifactId: 'own', list: [{ task_id: 'own', parts: [{ media_type: 'own' }] }] };
const at = { taskId: 't', contextId: 'c' };
const part = { data: own, mediaType: 'application/json', metadata: own };
const message = {
  ...at,
  messageId: 'm',
  role: 'ROLE_AGENT',
  parts: [{ text: 'hi', mediaType: 'text/plain' }, part],
  referenceTaskIds: ['t-0'],
  metadata: own,
};
const status = { state: 'TASK_STATE_WORKING', message, timestamp: '2026-01-02T03:04:05Z' };
const artifact = { artifactId: 'a', parts: [part, { url: 'http://x.example/', filename: 'x', mediaType: 'text/html' }], metadata: own };
const task = {
  id: 't',
  contextId: 'c',
  status,
  artifacts: [artifact, { ...artifact, artifactId: 'b' }],
  history: [{ ...message, messageId: 'n' }],
};
const config = { taskId: 't', id: 'p', url: 'https://x.example/', authentication: { scheme: 'Bearer' } };

const events: readonly object[] = [
  { task },
  { message },
  { statusUpdate: { ...at, status, metadata: own } },
  { artifactUpdate: { ...at, artifact, append: true, lastChunk: false, metadata: own } },
];
const answers: readonly (readonly [UnaryOperation, unknown])[] = [
  ['SendMessage', { task }],
  ['SendMessage', { message }],
  ['GetTask', task],
  ['CancelTask', task],
  ['ListTasks', { tasks: [task, { ...task, id: 't-2' }], nextPageToken: 'n', pageSize: 2, totalSize: 9 }],
  ['GetTaskPushNotificationConfig', config],
  ['ListTaskPushNotificationConfigs', { configs: [config], nextPageToken: 'n' }],
];

suite('names of protocol buffers', () => {
  test('every answer and event is read as if its names were those of JSON, and each of them is noted', () => {
    for (const [right, read] of [
      ...events.map(event => [event, (value: unknown, note = ignoreFindings) => readStreamResponse(value, v1_0, note)] as const),
      ...answers.map(
        ([operation, answer]) =>
          [answer, (value: unknown, note = ignoreFindings): unknown => readResult(operation, value, v1_0, note)] as const,
      ),
    ]) {
      const written = inSnakeCase(right);
      const { note, findings } = collect();
      assert.deepEqual(read(written, note), read(right), JSON.stringify(written));
      assert.deepEqual([...new Set(findings.map(({ rule }) => rule))], ['CARD-15'], JSON.stringify(written));
    }
  });

  test('a finding is where the member is, and says how it should be written', () => {
    const { note, findings } = collect();
    readStreamResponse(
      { artifact_update: { ...at, artifact: { artifactId: 'a', parts: [{ text: '' }, { text: 'x', media_type: 'x/y' }] } } },
      v1_0,
      note,
    );
    assert.deepEqual(
      findings.map(({ rule, pointer, message }) => `${rule} ${pointer} ${message}`),
      [
        'CARD-15 /artifact_update "artifact_update" should be written in camelCase: "artifactUpdate".',
        'CARD-15 /artifact_update/artifact/parts/1/media_type "media_type" should be written in camelCase: "mediaType".',
      ],
    );
  });

  test('names that are right cost no copy, and those of the agent stay as they are', () => {
    for (const right of [...events, ...answers.map(([, answer]) => answer)]) assert.equal(inCamelCase(right, protoNames), right);
    const unknown = { task: { id: 't', status: { state: 'x' }, own_member: own, __proto__x: 1 } };
    assert.equal(inCamelCase(unknown, protoNames), unknown);
    const hostile = JSON.parse('{"task_id":"t","__proto__":{"context_id":"x"},"constructor":{"task_id":1}}') as object;
    const read = inCamelCase(hostile, protoNames);
    assert.deepEqual(Object.keys(read), ['taskId', '__proto__', 'constructor']);
    assert.equal(Object.getPrototypeOf(read), Object.prototype);
  });

  test('of a member that is there under both names the one of JSON counts', () => {
    const { note, findings } = collect();
    const read = readResult(
      'GetTask',
      { id: 't', context_id: 'old', contextId: 'new', status: { state: 'TASK_STATE_WORKING' } },
      v1_0,
      note,
    );
    assert.deepEqual([read.contextId, findings], ['new', []]);
  });

  test('an event with several members is as many events, in the order in which they stand, with a finding', () => {
    const update = { ...at, status: { state: 'TASK_STATE_COMPLETED' } };
    const piece = { ...at, artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, lastChunk: true };
    for (const [event, read, notes] of [
      [{ artifactUpdate: piece, statusUpdate: update }, [{ artifactUpdate: piece }, { statusUpdate: update }], ['CORE-01 ']],
      [{ statusUpdate: update, artifactUpdate: piece, task: null }, [{ statusUpdate: update }, { artifactUpdate: piece }], ['CORE-01 ']],
      [
        { artifact_update: piece, status_update: update },
        [{ artifactUpdate: piece }, { statusUpdate: update }],
        ['CARD-15 /artifact_update', 'CARD-15 /status_update', 'CORE-01 '],
      ],
      [{ statusUpdate: update, message: {} }, [{ statusUpdate: update }], ['CORE-01 ']],
      [{ statusUpdate: update }, [{ statusUpdate: update }], []],
    ] as const) {
      const { note, findings } = collect();
      assert.deepEqual(readStreamResponses(event, v1_0, note), read);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        notes,
      );
    }
    const { note, findings } = collect();
    const said = { task: { ...task, history: [...(task.history ?? []), message] } };
    assert.deepEqual(readResult('SendMessage', { task, message }, v1_0, note), said);
    assert.deepEqual(readResult('SendMessage', { message, task, artifactUpdate: { x: 1 } }, v1_0, note), said);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['CORE-01', 'CORE-01'],
    );
  });
});

suite('agent cards in snake_case', () => {
  const scopes = { read_all: 'Everything' };
  const card = {
    name: 'Snake',
    description: 'x',
    version: '1.0.0',
    documentationUrl: 'https://x.example/',
    supportedInterfaces: [
      { url: 'https://x.example/a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'https://x.example/b', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'x' },
    ],
    capabilities: {
      pushNotifications: true,
      extendedAgentCard: true,
      extensions: [{ uri: 'urn:x', params: { my_param: 1, input_modes: 2 } }],
    },
    securitySchemes: {
      my_key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      sign_in: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://x.example/token', scopes } } } },
    },
    securityRequirements: [{ schemes: { my_key: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      { id: 'one', name: 'One', description: 'x', tags: ['x'] },
      { id: 'two', name: 'Two', description: 'x', tags: ['x'], inputModes: ['text/plain'], outputModes: ['image/png'] },
    ],
  };
  /** The author's own names are the author's in both. */
  const written = { ...(inSnakeCase(card) as object), my_member: { default_input_modes: 1 } };

  test('are read as those in camelCase, in every place', () => {
    const { note, findings } = collect();
    assert.deepEqual(readAgentCard(written, note), { ...readAgentCard(card, ignoreFindings), my_member: { default_input_modes: 1 } });
    assert.deepEqual(
      findings.map(({ rule, pointer }) => `${rule} ${pointer}`).filter(each => /skills|interfaces|schemes/.test(each)),
      [
        'CARD-15 /supported_interfaces',
        'CARD-15 /supported_interfaces/0/protocol_binding',
        'CARD-15 /supported_interfaces/0/protocol_version',
        'CARD-15 /supported_interfaces/1/protocol_binding',
        'CARD-15 /supported_interfaces/1/protocol_version',
        'CARD-15 /security_schemes',
        'CARD-15 /security_schemes/my_key/api_key_security_scheme',
        'CARD-15 /security_schemes/sign_in/oauth2_security_scheme',
        'CARD-15 /security_schemes/sign_in/oauth2_security_scheme/flows/client_credentials',
        'CARD-15 /security_schemes/sign_in/oauth2_security_scheme/flows/client_credentials/token_url',
        'CARD-15 /skills/1/input_modes',
        'CARD-15 /skills/1/output_modes',
      ],
    );
    assert.deepEqual(
      findings.filter(({ rule }) => rule !== 'CARD-15'),
      [],
    );
  });

  test('are of the version that they are in camelCase', () => {
    assert.equal(detectCard(written)?.version, '1.0');
    const old = {
      name: 'x',
      url: 'https://x.example/',
      preferred_transport: 'JSONRPC',
      additional_interfaces: [{ url: 'https://x.example/', transport: 'GRPC' }],
    };
    assert.equal(detectCard(old)?.version, '0.3');
    assert.deepEqual(
      readAgentCard({ ...old, protocol_version: '0.3.0' }, ignoreFindings).supportedInterfaces.map(
        ({ protocolBinding }) => protocolBinding,
      ),
      ['JSONRPC', 'GRPC'],
    );
  });
});
