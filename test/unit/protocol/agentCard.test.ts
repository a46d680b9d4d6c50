import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { collect, ignoreFindings } from '../../../src/protocol/finding.ts';
import { readAgentCard, versionOf } from '../../../src/protocol/versions/index.ts';

const card1_0 = minimalCard('https://agent.example/rpc', '1.0') as Record<string, unknown>;
const card0_3 = minimalCard('https://agent.example/rpc', '0.3') as Record<string, unknown>;

function read(card: unknown): { card: AgentCard; notes: string[] } {
  const { note, findings } = collect();
  const received = structuredClone(card);
  const result = readAgentCard(card, note);
  assert.deepEqual(card, received, 'what was received must stay as it was');
  return { card: result, notes: findings.map(({ rule, pointer }) => `${rule} ${pointer}`) };
}

suite('agent card 1.0', () => {
  test('is read as it is', () => {
    assert.deepEqual(read(card1_0), { card: card1_0, notes: [] });
  });

  test('keeps members the schema does not know', () => {
    assert.equal((read({ ...card1_0, mood: 'good' }).card as AgentCard & { mood: string }).mood, 'good');
  });

  for (const name of ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills']) {
    test(`without ${name} is read, and noted`, () => {
      const { [name]: _, ...rest } = card1_0;
      const { card, notes } = read(rest);
      assert.deepEqual(notes, [`CARD-03 /${name}`]);
      assert.ok(AgentCard.safeParse(card).success, 'a card that was read is a card');
    });
  }

  test('schemes as the JavaScript SDK serves them are read', () => {
    const oneof = (name: string, value: object) => ({ scheme: { $case: name, value } });
    const { card } = read({
      ...card1_0,
      securitySchemes: {
        key: oneof('apiKeySecurityScheme', { description: '', location: 'header', name: 'X-Key' }),
        login: oneof('oauth2SecurityScheme', {
          description: '',
          oauth2MetadataUrl: '',
          flows: { flow: { $case: 'clientCredentials', value: { tokenUrl: 'https://login.example/token', refreshUrl: '', scopes: {} } } },
        }),
      },
    });
    assert.deepEqual(card.securitySchemes, {
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      login: {
        oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } } },
      },
    });
  });

  test('an interface without its members is noted at its place', () => {
    const { card, notes } = read({ ...card1_0, supportedInterfaces: [{ url: 'https://a/', transport: 'JSONRPC' }] });
    assert.deepEqual(card.supportedInterfaces, [{ url: 'https://a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]);
    assert.deepEqual(notes, ['CARD-05 /supportedInterfaces/0/protocolBinding', 'CARD-05 /supportedInterfaces/0/protocolVersion']);
  });

  test('interfaces without an address are left out where another has one', () => {
    const valid = { url: 'https://a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const { card, notes } = read({ ...card1_0, supportedInterfaces: [null, { url: null }, valid] });
    assert.deepEqual(card.supportedInterfaces, [valid]);
    assert.deepEqual(
      ['/supportedInterfaces/0', '/supportedInterfaces/1'].filter(place => !notes.includes(`CARD-05 ${place}`)),
      [],
    );
  });

  test('nulls, as some serializers write them, do not spoil it', () => {
    const { card } = read({ ...card1_0, provider: null, iconUrl: null, documentationUrl: null, securitySchemes: null, signatures: null });
    assert.deepEqual(card.name, card1_0['name']);
    assert.deepEqual([card.provider, card.iconUrl, card.securitySchemes], [undefined, undefined, undefined]);
  });

  test('inside a JSON-RPC answer is unwrapped', () => {
    assert.deepEqual(read({ jsonrpc: '2.0', id: 1, result: card1_0 }).card, card1_0);
  });
});

suite('agent card 0.3', () => {
  test('becomes a 1.0 card', () => {
    const { url: _url, preferredTransport: _transport, protocolVersion: _version, ...rest } = card0_3;
    const { card, notes } = read(card0_3);
    assert.deepEqual(card, {
      ...rest,
      supportedInterfaces: [{ url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    });
    assert.deepEqual(notes, []);
    assert.ok(AgentCard.safeParse(card).success);
  });

  const interfaces: Readonly<Record<string, readonly [card: object, expected: readonly string[]]>> = {
    'no preferred transport is JSON-RPC': [{ ...card0_3, preferredTransport: undefined }, ['https://agent.example/rpc JSONRPC 0.3']],
    'additional interfaces follow, repetitions are one': [
      {
        ...card0_3,
        additionalInterfaces: [
          { url: 'https://agent.example/rpc', transport: 'JSONRPC' },
          { url: 'https://agent.example/v1', transport: 'HTTP+JSON' },
        ],
      },
      ['https://agent.example/rpc JSONRPC 0.3', 'https://agent.example/v1 HTTP+JSON 0.3'],
    ],
    'the preferred transport is said': [{ ...card0_3, preferredTransport: 'GRPC' }, ['https://agent.example/rpc GRPC 0.3']],
    'no version is 0.3': [{ ...card0_3, protocolVersion: undefined }, ['https://agent.example/rpc JSONRPC 0.3']],
    'an older version stays what it says': [{ ...card0_3, protocolVersion: '0.2.5' }, ['https://agent.example/rpc JSONRPC 0.2']],
  };
  for (const [name, [card, expected]] of Object.entries(interfaces)) {
    test(name, () => {
      assert.deepEqual(
        readAgentCard(card, ignoreFindings).supportedInterfaces.map(
          entry => `${entry.url} ${entry.protocolBinding} ${entry.protocolVersion}`,
        ),
        expected,
      );
    });
  }

  test('security becomes the 1.0 form', () => {
    const oauth = { authorizationCode: { authorizationUrl: 'https://a/auth', tokenUrl: 'https://a/token', scopes: { read: 'Read' } } };
    const { card, notes } = read({
      ...card0_3,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        oauth: { type: 'oauth2', flows: oauth },
        oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a/.well-known/openid-configuration' },
        tls: { type: 'mutualTLS' },
      },
      security: [{ key: [] }, { oauth: ['read'], bearer: [] }],
      supportsAuthenticatedExtendedCard: true,
    });
    assert.deepEqual(notes, []);
    assert.deepEqual(card.securitySchemes, {
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Api-Key' } },
      bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } },
      oauth: { oauth2SecurityScheme: { flows: oauth } },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a/.well-known/openid-configuration' } },
      tls: { mtlsSecurityScheme: {} },
    });
    assert.deepEqual(card.securityRequirements, [
      { schemes: { key: { list: [] } } },
      { schemes: { oauth: { list: ['read'] }, bearer: { list: [] } } },
    ]);
    assert.equal(card.capabilities.extendedAgentCard, true);
  });

  test('departures are noted at their place', () => {
    const { name: _, ...rest } = card0_3;
    const { card, notes } = read({ ...rest, skills: [{ id: 'a', name: 'A' }] });
    assert.equal(card.name, 'Unnamed agent');
    assert.deepEqual(notes, ['CARD-03 /name', 'CARD-03 /skills/0/description', 'CARD-03 /skills/0/tags']);
  });
});

suite('agent card', () => {
  for (const value of [null, 1, 'x', [], {}, { hello: 1 }, { url: null }]) {
    test(`${JSON.stringify(value)} is none`, () => assert.throws(() => readAgentCard(value, ignoreFindings), { code: 'not-a-card' }));
  }
  for (const value of [{ url: 1 }, { supportedInterfaces: {} }]) {
    test(`${JSON.stringify(value)} says where it is in another type`, () =>
      assert.throws(() => readAgentCard(value, ignoreFindings), { code: 'wrong-card-address' }));
  }

  for (const [claimed, spoken] of [
    ['1.0', '1.0'],
    ['1.0.1', '1.0'],
    ['1', '1.0'],
    ['0.3', '0.3'],
    ['0.3.0', '0.3'],
    ['0.2.5', '0.2'],
    ['0.1', '0.1'],
    ['1.0-rc', '1.0-rc'],
    ['1.0-draft', '1.0-draft'],
    ['0.4', undefined],
    ['2.0', undefined],
    ['', undefined],
  ] as const) {
    test(`version ${JSON.stringify(claimed)} is ${spoken ?? 'not spoken'}`, () =>
      assert.equal(versionOf(claimed)?.protocolVersion, spoken));
  }
});
