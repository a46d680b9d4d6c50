import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { collect, ignoreFindings, type Note } from '../../../src/protocol/finding.ts';
import { maxNesting } from '../../../src/protocol/json/depth.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { readAgentCard, readResult, readStreamResponse, versionOf, versions } from '../../../src/protocol/versions/index.ts';
import { syntheticIdPrefix } from '../../../src/protocol/versions/shared/readTask.ts';
import { isA2A } from '../../support/protocol/operationsOf.ts';
import type { Version } from '../../../src/protocol/versions/shared/version.ts';
import { forms } from '../../support/protocol/forms.ts';

const v1_0 = versionOf('1.0')!;
type Wire = Record<string, unknown>;

const task: Task = {
  id: 't',
  contextId: 'c',
  status: {
    state: 'TASK_STATE_COMPLETED',
    message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] },
    timestamp: '2026-01-02T03:04:05.678Z',
  },
  artifacts: [{ artifactId: 'index-0', name: 'n', parts: [{ raw: '+/A=', mediaType: 'image/png' }] }],
};

const withUri: Task = { ...task, artifacts: [{ artifactId: 'index-0', name: 'n', parts: [{ url: 'data:,hi' }] }] };

/** A task as the generation writes it, spoilt, and read again. */
function spoilt(
  version: Version,
  spoil: (wire: Wire, status: Wire, message: Wire, artifact: Wire) => void,
): { read: Task; notes: string[] } {
  const wire = JSON.parse(JSON.stringify(version.writeResult('GetTask', task))) as Wire;
  const status = wire['status'] as Wire;
  spoil(wire, status, status['message'] as Wire, (wire['artifacts'] as Wire[])[0]!);
  const { note, findings } = collect();
  return { read: readResult('GetTask', wire, version, note), notes: findings.map(({ rule }) => rule) };
}

const textOf = (parts: readonly Part[] | undefined): string => (parts ?? []).map(part => ('text' in part ? part.text : '')).join('');

/** What the form calls the parts of a message. */
const partsOf = (message: Wire): string => ('content' in message ? 'content' : 'parts');

/** One departure, in every generation: what must be read all the same. */
const departures: Readonly<
  Record<string, { readonly spoil: Parameters<typeof spoilt>[1]; readonly reads: (read: Task) => boolean; readonly silent?: boolean }>
> = {
  'unknown members, kept': {
    spoil: (wire, status, message, artifact) =>
      Object.assign(wire, { x1: 1 }) &&
      Object.assign(status, { x2: 2 }) &&
      Object.assign(message, { x3: 3 }) &&
      Object.assign(artifact, { x4: 4 }),
    reads: read => ['x1', 'x2', 'x3', 'x4'].every(name => JSON.stringify(read).includes(`"${name}"`)),
    silent: true,
  },
  'nulls for absence': {
    spoil: (wire, status, message, artifact) => {
      Object.assign(wire, { metadata: null, history: null });
      Object.assign(status, { timestamp: null });
      Object.assign(message, { metadata: null, extensions: null, referenceTaskIds: null });
      Object.assign(artifact, { description: null, metadata: null });
    },
    reads: read => !JSON.stringify(read).includes('null'),
    silent: true,
  },
  'an id that is a number': { spoil: wire => Object.assign(wire, { id: 7 }), reads: read => read.id === '7' },
  'no id of a message': {
    spoil: (_wire, _status, message) => delete message['messageId'],
    reads: read => read.status.message!.messageId.startsWith(syntheticIdPrefix),
    silent: true,
  },
  'no id of an artifact': {
    spoil: (_wire, _status, _message, artifact) => delete artifact['artifactId'] && delete artifact['index'],
    reads: read => read.artifacts![0]!.artifactId !== '',
    silent: true,
  },
  'no context': {
    spoil: wire => delete wire['contextId'] && delete wire['sessionId'],
    reads: read => read.contextId === undefined,
    silent: true,
  },
  'no status': {
    spoil: wire => delete wire['status'],
    reads: read => read.status.state === 'TASK_STATE_UNSPECIFIED' && read.artifacts!.length === 1,
  },
  'a string for the status': {
    spoil: wire => Object.assign(wire, { status: 'Input Required' }),
    reads: read => read.status.state === 'TASK_STATE_INPUT_REQUIRED',
  },
  'a state in capitals': {
    spoil: (_wire, status) => Object.assign(status, { state: 'COMPLETED' }),
    reads: read => read.status.state === 'TASK_STATE_COMPLETED',
  },
  'a state by its number': {
    spoil: (_wire, status) => Object.assign(status, { state: 3 }),
    reads: read => read.status.state === 'TASK_STATE_COMPLETED',
  },
  'a state with a space and two l': {
    spoil: (_wire, status) => Object.assign(status, { state: 'Cancelled' }),
    reads: read => read.status.state === 'TASK_STATE_CANCELED',
  },
  'no role': { spoil: (_wire, _status, message) => delete message['role'], reads: read => read.status.message!.role === 'ROLE_AGENT' },
  'a role in capitals': {
    spoil: (_wire, _status, message) => Object.assign(message, { role: 'USER' }),
    reads: read => read.status.message!.role === 'ROLE_USER',
  },
  'content for parts, or parts for content': {
    spoil: (_wire, _status, message) => Object.assign(message, { content: message['parts'], parts: message['content'] }),
    reads: read => textOf(read.status.message!.parts) === 'hi',
  },
  'data for parts': {
    spoil: (_wire, _status, message) =>
      Object.assign(message, { data: message['parts'] ?? message['content'], parts: undefined, content: undefined }),
    reads: read => textOf(read.status.message!.parts) === 'hi' && !('data' in read.status.message!),
  },
  'a string for parts': {
    spoil: (_wire, _status, message) => Object.assign(message, { [partsOf(message)]: 'hi' }),
    reads: read => textOf(read.status.message!.parts) === 'hi',
  },
  'one part for parts': {
    spoil: (_wire, _status, message, artifact) =>
      Object.assign(message, { [partsOf(message)]: { text: 'hi' } }) && Object.assign(artifact, { parts: { text: 'ho' } }),
    reads: read => textOf(read.status.message!.parts) === 'hi' && textOf(read.artifacts![0]!.parts) === 'ho',
  },
  'a string for the message of the status': {
    spoil: (_wire, status) => Object.assign(status, { message: 'hi' }),
    reads: ({ status: { message } }) => textOf(message?.parts) === 'hi' && message!.role === 'ROLE_AGENT',
  },
  'two artifacts of one id': {
    spoil: (wire, _status, _message, artifact) => Object.assign(wire, { artifacts: [artifact, artifact, artifact] }),
    reads: ({ artifacts = [] }) => artifacts.length === 3 && new Set(artifacts.map(({ artifactId }) => artifactId)).size === 3,
  },
  'no parts': {
    spoil: (_wire, _status, message) => delete message['parts'] && delete message['content'],
    reads: read => read.status.message!.parts.length === 0,
  },
  'a part that is a string': {
    spoil: (_wire, _status, message) => Object.assign(message, { [partsOf(message)]: ['hi'] }),
    reads: read => textOf(read.status.message!.parts) === 'hi',
  },
  'a part of another generation': {
    spoil: (_wire, _status, message) =>
      Object.assign(message, { [partsOf(message)]: [{ type: 'file', file: { fileWithUri: 'https://a' } }] }),
    reads: read => 'url' in read.status.message!.parts[0]!,
    silent: true,
  },
  'a timestamp in seconds': {
    spoil: (_wire, status) => Object.assign(status, { timestamp: 1767322800 }),
    reads: read => read.status.timestamp === '2026-01-02T03:00:00.000Z',
  },
  'a timestamp as mail has it': {
    spoil: (_wire, status) => Object.assign(status, { timestamp: 'Fri, 02 Jan 2026 03:00:00 GMT' }),
    reads: read => read.status.timestamp === '2026-01-02T03:00:00.000Z',
  },
  'no timestamp at all': {
    spoil: (_wire, status) => Object.assign(status, { timestamp: 'soon' }),
    reads: read => read.status.timestamp === 'soon',
  },
};

suite('tolerance', () => {
  test("an answer in the role of the user is the agent's, with a finding", () => {
    for (const [role, rules] of [
      ['ROLE_USER', ['DATA-02']],
      ['ROLE_AGENT', []],
    ] as const) {
      const { note, findings } = collect();
      const read = readStreamResponse({ message: { messageId: 'm', role, parts: [{ text: 'hi' }] } }, v1_0, note);
      assert.ok('message' in read && read.message.role === 'ROLE_AGENT');
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        rules,
      );
    }
  });

  test('a status whose message has the role of the user is read as it came, with a finding; their history is theirs', () => {
    for (const [role, rules] of [
      ['ROLE_USER', ['DATA-02 /statusUpdate/status/message/role', 'DATA-02 /task/status/message/role']],
      ['ROLE_AGENT', []],
    ] as const) {
      const { note, findings } = collect();
      const message = { messageId: 'm', role, parts: [{ text: 'Yes, go on' }] };
      const status = { state: 'TASK_STATE_WORKING', message };
      const update = readStreamResponse({ statusUpdate: { taskId: 't', contextId: 'c', status } }, v1_0, note);
      assert.ok('statusUpdate' in update && update.statusUpdate.status.message?.role === role);
      const own = { messageId: 'own', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
      readStreamResponse({ task: { id: 't', contextId: 'c', status, history: [own] } }, v1_0, note);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        rules,
      );
    }
  });

  for (const { name: form, version } of forms.filter(({ version }) => isA2A(version))) {
    suite(form, () => {
      for (const [name, { spoil, reads, silent = false }] of Object.entries(departures)) {
        test(name, () => {
          const { read, notes } = spoilt(version, spoil);
          assert.ok(reads(read), JSON.stringify(read));
          if (!silent) assert.notDeepEqual(notes, []);
        });
      }

      test('a data: URI as the address of a file is its bytes', () => {
        const { read, notes } = spoilt(version, (_wire, _status, _message, artifact) =>
          Object.assign(artifact, ((version.writeResult('GetTask', withUri) as Wire)['artifacts'] as Wire[])[0]),
        );
        assert.deepEqual(read.artifacts?.[0]?.parts, [{ raw: 'aGk=', mediaType: 'text/plain;charset=US-ASCII' }]);
        assert.deepEqual(notes, []);
      });

      test('a timestamp without a zone is in UTC', () => {
        const { read, notes } = spoilt(version, (_wire, status) => Object.assign(status, { timestamp: '2026-01-02T03:04:05.123456' }));
        assert.equal(read.status.timestamp, '2026-01-02T03:04:05.123456Z');
        assert.deepEqual(notes, ['1.0', '1.0-rc', '0.3-proto', '0.2-proto'].includes(form) ? ['DATA-04'] : []);
      });

      for (const wrapper of ['task', 'message', 'msg']) {
        test(`an answer in a member called ${wrapper}`, () => {
          const wire = version.writeResult(
            'SendMessage',
            wrapper === 'task' ? { task } : { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
          ) as Wire;
          const answer = readResult('SendMessage', wire['task'] ?? wire['message'] ?? wire, version, ignoreFindings);
          const inner = 'kind' in wire || 'id' in wire || 'messageId' in wire ? wire : (wire['task'] ?? wire['message']);
          // What 0.1 says in the place of a message is a task.
          const member = version.protocolVersion === '0.1' ? 'task' : wrapper;
          assert.deepEqual(readResult('SendMessage', { [member]: inner }, version, ignoreFindings), answer);
        });
      }

      test('what is nested too deeply for any stack is refused by name', () => {
        const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
        const { read } = spoilt(version, wire => Object.assign(wire, { metadata: { deep: nested(maxNesting - 2) } }));
        assert.ok(read.metadata !== undefined);
        for (const depth of [maxNesting - 1, 100_000]) {
          assert.throws(() => spoilt(version, wire => Object.assign(wire, { metadata: { deep: nested(depth) } })), {
            code: 'nested-too-deeply',
          });
          assert.throws(() => readStreamResponse({ x: nested(depth) }, version, ignoreFindings), {
            code: /nested-too-deeply|unreadable-answer/,
          });
          assert.throws(() => version.readParams('GetTask', { id: 't', metadata: { deep: nested(depth) } }, ignoreFindings), {
            code: 'nested-too-deeply',
          });
          assert.throws(() => readAgentCard({ url: 'https://a/', deep: nested(depth + 1) }, ignoreFindings), { code: 'nested-too-deeply' });
        }
      });
    });
  }

  /** How a task of 1.0 is read, and what is found. */
  const found = (members: object): [Task, string[]] => {
    const { note, findings } = collect();
    const read = readResult('GetTask', { id: 't', status: { state: 'TASK_STATE_COMPLETED' }, ...members }, v1_0, note);
    return [read, findings.map(({ rule, pointer, message }) => `${rule} ${pointer}: ${message}`)];
  };

  test('what is of another type is told as that, and not as missing', () => {
    const [, findings] = found({ status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT', parts: 'hi' } } });
    assert.deepEqual(findings, ['DATA-01 /status/message/parts: parts should be a list, not "hi".']);
    assert.deepEqual(found({ status: 'completed' })[1], ['DATA-01 /status: status should be an object, not "completed".']);
    assert.deepEqual(found({ status: null })[1], ['DATA-01 /status: status is missing.']);
    assert.deepEqual(found({ status: 'dancing' })[0].status, { state: 'TASK_STATE_UNSPECIFIED' });
  });

  test('artifacts of one task that share an id are as many artifacts', () => {
    const idsOf = (...ids: (string | undefined)[]): [string[], string[]] => {
      const [{ artifacts = [] }, findings] = found({ artifacts: ids.map(artifactId => ({ artifactId, parts: [{ text: 'x' }] })) });
      return [artifacts.map(({ artifactId }) => artifactId), findings];
    };
    const shared = (index: number): string =>
      `DATA-01 /artifacts/${index}/artifactId: Another artifact of the task also has this artifactId.`;
    assert.deepEqual(idsOf('a', 'b', 'a'), [['a', 'b', 'a#2'], [shared(2)]]);
    assert.deepEqual(idsOf('a#2', 'a', 'a', 'a#2'), [
      ['a#2', 'a', 'a#3', 'a#2#2'],
      [shared(2), shared(3)],
    ]);
    const missing = (index: number): string => `DATA-01 /artifacts/${index}/artifactId: artifactId is missing.`;
    assert.deepEqual(idsOf(undefined, undefined), [
      [`${syntheticIdPrefix}artifact`, `${syntheticIdPrefix}artifact#2`],
      [missing(0), missing(1)],
    ]);
    const [many] = idsOf(...Array.from({ length: 10_000 }, () => 'a'));
    assert.equal(new Set(many).size, 10_000);
  });

  const base64: Readonly<Record<string, readonly [written: string, read: Part, noted: readonly string[]]>> = {
    standard: ['+/A=', { raw: '+/A=' }, []],
    'the URL-safe alphabet': ['-_A=', { raw: '+/A=' }, []],
    'no padding': ['+/A', { raw: '+/A=' }, []],
    'line breaks': ['AAAA\r\nAAAA', { raw: 'AAAAAAAA' }, []],
    'a data: URL': ['data:image/png;base64,AAAA', { raw: 'AAAA', mediaType: 'image/png' }, ['DATA-03']],
    'a data: URL with parameters': [
      'data:text/plain;charset=utf-8;base64,AAAA',
      { raw: 'AAAA', mediaType: 'text/plain;charset=utf-8' },
      ['DATA-03'],
    ],
    'no base64 at all, which is the file itself': ['nø base64!', { raw: Buffer.from('nø base64!').toString('base64') }, ['DATA-01']],
    'a data: URL in percent-encoding': ['data:,h%69', { raw: 'aGk=', mediaType: 'text/plain;charset=US-ASCII' }, ['DATA-03']],
    'too much padding': ['AA====', { raw: 'AA==' }, []],
    'a length that cannot be': ['AAAAA', { raw: 'QUFBQUE=' }, ['DATA-01']],
    nothing: ['', { raw: '' }, []],
  };
  /** The parts of a message of 1.0 with one part. */
  const partsRead = (part: object, note: Note): readonly Part[] | undefined => {
    const event = readStreamResponse({ message: { messageId: 'a', role: 'ROLE_AGENT', parts: [part] } }, v1_0, note);
    return 'message' in event ? event.message.parts : undefined;
  };
  for (const [name, [written, read, noted]] of Object.entries(base64)) {
    test(`bytes: ${name}`, () => {
      const { note, findings } = collect();
      const parts = (part: object): unknown => partsRead(part, note);
      assert.deepEqual(parts({ raw: written }), [read]);
      assert.deepEqual(
        findings.map(({ rule }) => rule),
        noted,
      );
      assert.deepEqual(parts({ raw: written, mediaType: 'own/type' }), [{ ...read, mediaType: 'own/type' }]);
    });
  }

  const usual = 'text/plain;charset=US-ASCII';
  const uris: Readonly<Record<string, readonly [written: string, read: Part, noted?: string]>> = {
    base64: ['data:image/png;base64,+/A=', { raw: '+/A=', mediaType: 'image/png' }],
    'text without a media type': ['data:,hi', { raw: 'aGk=', mediaType: usual }],
    nothing: ['data:,', { raw: '', mediaType: usual }],
    'no bytes in base64': ['data:application/pdf;base64,', { raw: '', mediaType: 'application/pdf' }],
    'percent-encoding': ['data:text/csv,a%2Cb%0a%C3%A9', { raw: 'YSxiCsOp', mediaType: 'text/csv' }],
    'percent signs that encode nothing': [
      'data:,5%20%25 100% %zz%',
      { raw: Buffer.from('5 % 100% %zz%').toString('base64'), mediaType: usual },
    ],
    'text that is not encoded at all': [
      'data:text/markdown,# Wetter, schön',
      { raw: Buffer.from('# Wetter, schön').toString('base64'), mediaType: 'text/markdown' },
    ],
    'the URL-safe alphabet': ['data:;base64,-_A=', { raw: '+/A=', mediaType: usual }],
    'no padding': ['data:image/png;base64,-_A', { raw: '+/A=', mediaType: 'image/png' }],
    'white space in base64': ['data:image/png;base64,AAAA\r\n AAAA\n', { raw: 'AAAAAAAA', mediaType: 'image/png' }],
    'base64 in percent-encoding': ['data:image/png;base64,%2B%2fA%3D%0A', { raw: '+/A=', mediaType: 'image/png' }],
    'base64 before a fragment': ['data:application/pdf;base64,AAAA#page=2', { raw: 'AAAA', mediaType: 'application/pdf' }],
    'upper case': ['DATA:IMAGE/PNG;BASE64,AAAA', { raw: 'AAAA', mediaType: 'IMAGE/PNG' }],
    'blanks around it': [' data:image/png; base64 ,AAAA', { raw: 'AAAA', mediaType: 'image/png' }],
    parameters: ['data:text/plain;charset=utf-8;base64,AAAA', { raw: 'AAAA', mediaType: 'text/plain;charset=utf-8' }],
    'a parameter alone': ['data:;charset=utf-8,hi', { raw: 'aGk=', mediaType: 'text/plain;charset=utf-8' }],
    'no base64': ['data:image/png;base64,not base64!', { url: 'data:image/png;base64,not base64!' }, 'DATA-01'],
    'a length that cannot be': ['data:;base64,AAAAA', { url: 'data:;base64,AAAAA' }, 'DATA-01'],
    'no comma': ['data:image/png', { url: 'data:image/png' }, 'DATA-01'],
    'another address': ['https://a.example/data:,hi', { url: 'https://a.example/data:,hi' }],
  };
  for (const [name, [url, read, noted]] of Object.entries(uris)) {
    test(`the address of a file: ${name}`, () => {
      const { note, findings } = collect();
      assert.deepEqual(partsRead({ url, filename: 'a' }, note), [{ ...read, filename: 'a' }]);
      assert.deepEqual(
        findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
        noted === undefined ? [] : [`${noted} /message/parts/0/url`],
      );
      assert.deepEqual(partsRead({ url, mediaType: 'own/type' }, ignoreFindings), [{ ...read, mediaType: 'own/type' }]);
    });
  }

  test('updates under the names of other documents', () => {
    const status = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const artifact = { taskId: 't', contextId: 'c', artifact: { artifactId: 'x', parts: [] } };
    for (const [member, value, read, rule] of [
      ['taskStatusUpdate', status, { statusUpdate: status }, 'CORE-01'],
      ['status_update', status, { statusUpdate: status }, 'CARD-15'],
      ['taskArtifactUpdate', artifact, { artifactUpdate: artifact }, 'CORE-01'],
      ['artifact_update', artifact, { artifactUpdate: artifact }, 'CARD-15'],
    ] as const) {
      const { note, findings } = collect();
      assert.deepEqual(readStreamResponse({ [member]: value }, v1_0, note), read);
      assert.deepEqual(
        findings.map(finding => `${finding.rule} ${finding.pointer}`),
        [`${rule} /${member}`],
      );
    }
  });

  test('unknown members of a file, of a page and of an older card are kept', () => {
    const event = readStreamResponse(
      {
        kind: 'message',
        messageId: 'a',
        role: 'agent',
        parts: [{ kind: 'file', file: { bytes: 'AAAA', size: 3, text: 'no content here' } }],
      },
      versionOf('0.3')!,
      ignoreFindings,
    );
    assert.deepEqual('message' in event && event.message.parts, [{ raw: 'AAAA', size: 3 }]);
    const card = readAgentCard({ name: 'x', url: 'https://a/', protocolVersion: '0.3.0', mood: 'good' }, ignoreFindings);
    assert.equal((card as unknown as { mood: string }).mood, 'good');
  });

  test('a page that is an array, or has strangers in it', () => {
    const { note, findings } = collect();
    const one = { id: 't', status: { state: 'TASK_STATE_WORKING' } };
    assert.deepEqual(readResult('ListTasks', [one], v1_0, note).tasks, [one]);
    assert.deepEqual(readResult('ListTasks', { tasks: [one, null, 7, {}] }, v1_0, note).tasks, [one]);
    assert.deepEqual(
      findings.map(({ pointer }) => pointer),
      ['', '/tasks/1', '/tasks/2', '/tasks/3'],
    );
  });

  for (const scheme of ['{"type":"http","scheme":"bearer"}', '{"httpAuthSecurityScheme":{"scheme":"bearer"}}']) {
    for (const version of versions) {
      test(`${version.protocolVersion}: a scheme named __proto__ is none: ${scheme}`, () => {
        const own = JSON.parse(
          `{"securitySchemes":{"__proto__":${scheme}},"security":[{"__proto__":["x"]}],"securityRequirements":[{"schemes":{"__proto__":{"list":["x"]}}}]}`,
        ) as object;
        const { securitySchemes, securityRequirements } = readAgentCard(
          { ...minimalCard('https://a/', version.protocolVersion), ...own },
          ignoreFindings,
        );
        assert.deepEqual(Object.getPrototypeOf(securitySchemes), Object.prototype);
        assert.deepEqual(securitySchemes, {});
        assert.deepEqual(Object.getPrototypeOf(securityRequirements?.[0]?.schemes), Object.prototype);
        assert.deepEqual(securityRequirements, [{ schemes: {} }]);
      });
    }
  }

  for (const version of versions) {
    test(`${version.protocolVersion}: a card cannot bring a prototype of its own`, () => {
      const own = JSON.parse('{"__proto__":{"iconUrl":"https://evil/"},"name":null}') as object;
      const card = readAgentCard({ ...minimalCard('https://a/', version.protocolVersion), ...own }, ignoreFindings);
      assert.equal(Object.getPrototypeOf(card), Object.prototype);
      assert.equal(card.iconUrl, undefined);
    });
  }

  test('a 1.0 card may say security as 0.3 did', () => {
    const card = readAgentCard(
      {
        name: 'x',
        description: 'y',
        version: '1',
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [],
        supportedInterfaces: [{ url: 'https://a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
        security: [{ bearer: ['read'] }],
      },
      ignoreFindings,
    );
    assert.deepEqual(card.securitySchemes, { bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } });
    assert.deepEqual(card.securityRequirements, [{ schemes: { bearer: { list: ['read'] } } }]);
  });
});
