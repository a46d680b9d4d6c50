import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { collect, ignoreFindings } from '../../../src/protocol/finding.ts';
import { english } from '../../../src/protocol/problem.ts';
import { detectAnswer } from '../../../src/protocol/versions/detectAnswer.ts';
import { detectCard } from '../../../src/protocol/versions/detectCard.ts';
import { formOf, readAgentCard, readStreamResponse, versions } from '../../../src/protocol/versions/index.ts';
import { forms } from '../../support/protocol/forms.ts';
import { isA2A } from '../../support/protocol/operationsOf.ts';

const url = 'https://agent.example/a2a';
const described = {
  name: 'Harbour',
  description: 'Berths.',
  version: '2',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
const legacy = { ...described, url };
const complete = { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };

interface CardRow {
  readonly card: Readonly<Record<string, unknown>>;
  readonly place?: string;
  /** `generation certainty pointer`, and what to try next. */
  readonly is: string;
  readonly next?: string;
}

/** A card for each row of the table, and those that could be taken for another. */
const cards: Readonly<Record<string, CardRow>> = {
  'interaction modes': {
    card: { ...legacy, capabilities: { interactionModes: ['text', 'form'] } },
    is: 'task-rest high /capabilities/interactionModes',
  },
  'a schema and no skills': { card: { name: 'x', url, schema: { input: {} } }, is: 'task-rest high /schema' },
  'a schema beside skills says nothing': { card: { ...legacy, schema: { input: {} } }, is: '0.3 low /url', next: '0.2' },
  'complete interfaces': { card: { ...described, supportedInterfaces: [complete] }, is: '1.0 high /supportedInterfaces' },
  'complete interfaces of an older version are still a 1.0 card': {
    card: { ...described, supportedInterfaces: [{ ...complete, protocolVersion: '0.3' }] },
    is: '1.0 high /supportedInterfaces',
  },
  'members for older clients beside': {
    card: { ...legacy, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0', supportedInterfaces: [complete] },
    is: '1.0 high /supportedInterfaces',
  },
  protocolVersions: {
    card: { ...described, protocolVersions: ['1.0'], supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }] },
    is: '1.0-draft high /protocolVersions',
    next: '1.0',
  },
  supportsExtendedAgentCard: {
    card: { ...described, supportsExtendedAgentCard: true, supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }] },
    is: '1.0-draft high /supportsExtendedAgentCard',
    next: '1.0',
  },
  'a version of the card and none of its interfaces': {
    card: { ...described, protocolVersion: '0.4.0', supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }] },
    is: '1.0-draft high /protocolVersion',
    next: '1.0',
  },
  'the same with 1.0 is a slip': {
    card: { ...described, protocolVersion: '1.0', supportedInterfaces: [{ url, protocolBinding: 'JSONRPC' }] },
    is: '1.0 medium /supportedInterfaces',
    next: '1.0-draft',
  },
  // Servers of 1.0 in development wrote members of the drafts beside it, and nulls (a2aproject/a2a-java#571).
  'the version 1.0 of the card, and a member that only drafts had': {
    card: {
      ...described,
      protocolVersion: '1.0',
      supportsExtendedAgentCard: false,
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '' }],
    },
    is: '1.0 medium /supportedInterfaces',
    next: '1.0-draft',
  },
  'the same in three numbers, with nulls for what is not set': {
    card: {
      ...described,
      url: null,
      protocolVersion: '1.0.0',
      protocolVersions: ['1.0'],
      signatures: null,
      supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: null }],
    },
    is: '1.0 medium /supportedInterfaces',
    next: '1.0-draft',
  },
  'the version 1 over an older card is not of a draft': {
    card: { ...legacy, protocolVersion: '1', supportsExtendedAgentCard: true, supportedInterfaces: null },
    is: '1.0 low /protocolVersion',
    next: '0.3',
  },
  'transport in the place of protocolBinding': {
    card: { ...described, supportedInterfaces: [{ url, transport: 'JSONRPC' }] },
    is: '1.0 medium /supportedInterfaces',
    next: '1.0-draft',
  },
  'no interface and no url': { card: { ...described, supportedInterfaces: [] }, is: '1.0 low /supportedInterfaces' },
  'no interface but a url': { card: { ...legacy, protocolVersion: '0.3.0', supportedInterfaces: [] }, is: '0.3 high /protocolVersion' },
  authentication: { card: { ...legacy, authentication: { schemes: ['Bearer'] } }, is: '0.1 high /authentication' },
  'authentication as null, as a serializer writes what is not set': {
    card: { ...legacy, authentication: null },
    is: '0.1 medium /authentication',
    next: '0.2',
  },
  'authentication as a string': { card: { ...legacy, authentication: 'Bearer' }, is: '0.1 high /authentication' },
  'authentication as a list': { card: { ...legacy, authentication: ['Bearer'] }, is: '0.1 high /authentication' },
  'authentication as null beside a member of a later version': {
    card: { ...legacy, authentication: null, iconUrl: null },
    is: '0.3 low /url',
    next: '0.2',
  },
  'authentication as a string beside securitySchemes': {
    card: { ...legacy, authentication: 'Bearer', securitySchemes: {} },
    is: '0.2 medium /securitySchemes',
    next: '0.3',
  },
  'authentication beside securitySchemes': {
    card: { ...legacy, authentication: {}, securitySchemes: {} },
    is: '0.2 medium /securitySchemes',
    next: '0.3',
  },
  'version 0.3': { card: { ...legacy, protocolVersion: '0.3.0' }, is: '0.3 high /protocolVersion' },
  'version 0.2': { card: { ...legacy, protocolVersion: '0.2.9' }, is: '0.2 high /protocolVersion' },
  'version 0.30 is not 0.3': { card: { ...legacy, protocolVersion: '0.30' }, is: '0.3 low /url', next: '0.2' },
  'version 1 in an older shape': {
    card: { ...legacy, protocolVersion: '1.0', preferredTransport: 'JSONRPC' },
    is: '1.0 low /protocolVersion',
    next: '0.3',
  },
  signatures: { card: { ...legacy, signatures: [{ protected: 'e30', signature: 'AA' }] }, is: '0.3 high /signatures' },
  'mutual TLS': { card: { ...legacy, securitySchemes: { tls: { type: 'mutualTLS' } } }, is: '0.3 high /securitySchemes' },
  'OAuth metadata': {
    card: { ...legacy, securitySchemes: { o: { type: 'oauth2', flows: {}, oauth2MetadataUrl: url } } },
    is: '0.3 high /securitySchemes',
  },
  'security of a skill': { card: { ...legacy, skills: [{ id: 'a', security: [{ x: [] }] }] }, is: '0.3 high /skills' },
  'a preferred transport': { card: { ...legacy, preferredTransport: 'JSONRPC' }, is: '0.3 medium /preferredTransport', next: '0.2' },
  'additional interfaces': { card: { ...legacy, additionalInterfaces: [] }, is: '0.3 medium /additionalInterfaces', next: '0.2' },
  'security schemes': {
    card: { ...legacy, securitySchemes: { k: { type: 'http', scheme: 'bearer' } } },
    is: '0.2 medium /securitySchemes',
    next: '0.3',
  },
  'an icon': { card: { ...legacy, iconUrl: url }, is: '0.2 medium /iconUrl', next: '0.3' },
  extensions: { card: { ...legacy, capabilities: { extensions: [] } }, is: '0.2 medium /capabilities/extensions', next: '0.3' },
  'an extended card': {
    card: { ...legacy, supportsAuthenticatedExtendedCard: false },
    is: '0.2 medium /supportsAuthenticatedExtendedCard',
    next: '0.3',
  },
  'the least, at agent.json': { card: legacy, place: '/x/.well-known/agent.json', is: '0.2 low /url', next: '0.1' },
  'the least, at agent-card.json': { card: legacy, place: '/.well-known/agent-card.json', is: '0.3 low /url', next: '0.2' },
  'the least, anywhere': { card: legacy, is: '0.3 low /url', next: '0.2' },
  'nulls say nothing': {
    card: {
      ...legacy,
      protocolVersion: null,
      iconUrl: null,
      securitySchemes: null,
      signatures: null,
      preferredTransport: null,
      authentication: null,
    },
    is: '0.3 low /url',
    next: '0.2',
  },
};

suite('detecting the generation of a card', () => {
  for (const [name, { card, place, is, next }] of Object.entries(cards)) {
    test(name, () => {
      const detected = detectCard(card, place);
      assert.ok(detected !== undefined);
      assert.equal(`${detected.version} ${detected.certainty} ${detected.evidence.pointer}`, is);
      assert.equal(detected.next, next);
      assert.ok(english(detected.evidence.message) !== '');
    });
  }

  for (const version of versions) {
    test(`a plain card of ${version.protocolVersion} leads to it`, () => {
      const { note, findings } = collect();
      const card = readAgentCard(minimalCard(url, version.protocolVersion), note, version.cardPath);
      assert.deepEqual(card.supportedInterfaces, [
        { url, protocolBinding: isA2A(version) ? 'JSONRPC' : 'TASK-REST', protocolVersion: version.protocolVersion },
      ]);
      assert.deepEqual(findings, []);
    });
  }

  test('a task API is no A2A, and says so with a binding of its own', () => {
    const card = readAgentCard(
      { name: 'x', description: 'y', url, capabilities: { interactionModes: ['text'] }, schema: { input: {} } },
      ignoreFindings,
    );
    assert.deepEqual(card.supportedInterfaces, [{ url, protocolBinding: 'TASK-REST', protocolVersion: 'task-rest' }]);
    assert.deepEqual((card as unknown as { schema: unknown }).schema, { input: {} });
  });
});

const at = { taskId: 't', contextId: 'c' };

interface AnswerRow {
  readonly answer: Readonly<Record<string, unknown>>;
  /** Likeliest generation and the pointer to what shows it; undefined where nothing does. */
  readonly is: string | undefined;
}

const answers: Readonly<Record<string, AnswerRow>> = {
  'a task of a task API': { answer: { taskId: 't', type: 'expense', status: 'in_progress' }, is: 'task-rest /status' },
  'an update of a task API': {
    answer: { event: 'task_update', taskId: 't', status: 'in_progress', progress: 50 },
    is: 'task-rest /status',
  },
  'a task of 1.0': { answer: { task: { id: 't', status: { state: 'TASK_STATE_WORKING' } } }, is: '1.0 /task' },
  'a message of 1.0': { answer: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] } }, is: '1.0 /message' },
  'an update under another name': {
    answer: { taskStatusUpdate: { ...at, status: { state: 'TASK_STATE_WORKING' } } },
    is: '1.0 /taskStatusUpdate',
  },
  'a bare task of 1.0': { answer: { id: 't', status: { state: 'TASK_STATE_WORKING' } }, is: '1.0 /status/state' },
  'a page of 1.0': { answer: { tasks: [{ id: 't', status: { state: 'TASK_STATE_WORKING' } }] }, is: '1.0 /tasks' },
  'a page of the drafts': { answer: { tasks: [{ id: 't', status: { state: 'working' } }] }, is: '1.0-draft /tasks' },
  'content of the protocol buffers of 0.3': {
    answer: { message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'x' }] } },
    is: '0.3-proto /message',
  },
  'content in the last word of a task': {
    answer: { task: { id: 't', status: { state: 'TASK_STATE_WORKING', message: { messageId: 'm', content: [{ text: 'x' }] } } } },
    is: '0.3-proto /task',
  },
  'content in the history of a bare task': {
    answer: {
      id: 't',
      status: { state: 'TASK_STATE_COMPLETED' },
      history: [{ messageId: 'm', role: 'ROLE_USER', content: [{ text: 'x' }] }],
    },
    is: '0.3-proto ',
  },
  'canceled with two l, bare': { answer: { id: 't', status: { state: 'TASK_STATE_CANCELLED' } }, is: '0.3-proto /status/state' },
  'canceled with one l': { answer: { id: 't', status: { state: 'TASK_STATE_CANCELED' } }, is: '1.0 /status/state' },
  'final without a kind': {
    answer: { statusUpdate: { ...at, status: { state: 'TASK_STATE_COMPLETED' }, final: true } },
    is: '0.3-proto /statusUpdate/final',
  },
  'final that a 1.0 agent still sends': {
    answer: { statusUpdate: { ...at, status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', parts: [] } }, final: true } },
    is: '1.0 /statusUpdate',
  },
  'a file of 1.0': { answer: { artifactUpdate: { ...at, artifact: { artifactId: 'a', parts: [{ url }] } } }, is: '1.0 /artifactUpdate' },
  'a file of the protocol buffers of 0.3': {
    answer: {
      task: {
        id: 't',
        status: { state: 'TASK_STATE_CANCELLED' },
        artifacts: [{ parts: [{ file: { fileWithUri: url, mimeType: 'a/b' } }] }],
      },
    },
    is: '0.3-proto /task/status/state',
  },
  'a file of the drafts, wrapped': {
    answer: { artifactUpdate: { ...at, artifact: { artifactId: 'a', parts: [{ file: { fileWithBytes: 'AA==', mediaType: 'a/b' } }] } } },
    is: '1.0-draft /artifactUpdate',
  },
  'a word for a state, wrapped': {
    answer: { statusUpdate: { ...at, status: { state: 'input-required' } } },
    is: '1.0-draft /statusUpdate/status/state',
  },
  "the drafts' bare task": {
    answer: { id: 't', contextId: 'c', status: { state: 'completed' }, artifacts: [] },
    is: '1.0-draft /status/state',
  },
  "the drafts' bare task with a file": {
    answer: {
      id: 't',
      contextId: 'c',
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'a', parts: [{ file: { fileWithBytes: 'AA==', mediaType: 'a/b' } }] }],
    },
    is: '1.0-draft ',
  },
  'a task of 0.3': { answer: { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } }, is: '0.3 /kind' },
  'a message of 0.3, wrapped': {
    answer: { message: { kind: 'message', messageId: 'm', role: 'agent', parts: [] } },
    is: '0.3 /message/kind',
  },
  'a task of 0.1 by its session': { answer: { id: 't', sessionId: 's', status: { state: 'completed' } }, is: '0.1 /sessionId' },
  'a task of 0.1 by its parts': {
    answer: { id: 't', status: { state: 'completed' }, artifacts: [{ parts: [{ type: 'text', text: 'x' }] }] },
    is: '0.1 ',
  },
  'a task of 0.1, wrapped': { answer: { task: { id: 't', sessionId: 's', status: { state: 'completed' } } }, is: '0.1 /task/sessionId' },
  'a status event of 0.1': { answer: { id: 't', status: { state: 'working' }, final: false }, is: '0.1 /final' },
  'an artifact event of 0.1': { answer: { id: 't', artifact: { parts: [], index: 0 } }, is: '0.1 /artifact' },
  'an artifact event of 0.1 without an index': { answer: { id: 't', artifact: { parts: [] } }, is: '0.1 /id' },
  'an artifact event of 0.3 that lost its kind shows nothing': {
    answer: { ...at, artifact: { artifactId: 'a', parts: [] } },
    is: undefined,
  },
  'a foreign kind shows nothing': { answer: { kind: 'TASK', id: 't', status: { state: 'working' } }, is: undefined },
  nothing: { answer: {}, is: undefined },
};

suite('detecting the generation of an answer', () => {
  for (const [name, { answer, is }] of Object.entries(answers)) {
    test(name, () => {
      const detected = detectAnswer(answer);
      assert.equal(detected === undefined ? undefined : `${detected.versions[0]} ${detected.evidence.pointer}`, is);
      for (const generation of detected?.versions ?? []) assert.ok(formOf(generation) !== undefined, generation);
    });
  }

  /** What one agent of each generation says, to a client that spoke another. */
  for (const { name: spokenName, version: spoken } of forms) {
    for (const { name: answeredName, version: answered } of forms) {
      test(`${spokenName} spoken, ${answeredName} answered`, () => {
        const update = {
          statusUpdate: {
            ...at,
            status: {
              state: 'TASK_STATE_INPUT_REQUIRED' as const,
              message: { messageId: 'a', role: 'ROLE_AGENT' as const, parts: [{ text: 'hi' }] },
            },
          },
        };
        const { note, findings } = collect();
        const read = readStreamResponse(answered.writeStreamResponse(update), spoken, note);
        assert.ok('statusUpdate' in read);
        // A task API has neither states that wait nor words in its updates.
        assert.deepEqual(
          [read.statusUpdate.taskId, read.statusUpdate.status.state],
          ['t', isA2A(answered) ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_WORKING'],
        );
        assert.deepEqual(read.statusUpdate.status.message?.parts, isA2A(answered) ? [{ text: 'hi' }] : undefined);
        const told = findings.filter(({ rule }) => rule === 'VER-04');
        const alike = [
          ['0.2', '0.3'],
          ['0.2-proto', '0.3-proto'],
          ['1.0', '1.0-rc', '1.0-draft'],
        ].some(group => [spokenName, answeredName].every(name => group.includes(name)));
        if (spoken === answered) assert.deepEqual(findings, []);
        else assert.equal(told.length, alike ? 0 : 1);
      });
    }
  }
});
