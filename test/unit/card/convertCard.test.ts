import * as assert from 'node:assert/strict';
import { cardProblems } from '../../../src/card/cardProblems.ts';
import { convertCard } from '../../../src/card/convertCard.ts';
import { AgentCard } from '../../../src/protocol/card/agentCard.ts';
import { AgentCard0_3 } from '../../../src/protocol/versions/shared/agentCard0_3.ts';

const scopes = { read: 'Reads.' };
const modern = AgentCard.parse({
  name: 'Harbour',
  description: 'Plans berths.',
  version: '2.1.0',
  supportedInterfaces: [
    { url: 'https://h.example/new', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'north' },
    { url: 'https://h.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url: 'https://h.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
  ],
  provider: { organization: 'Port', url: 'https://port.example' },
  capabilities: { streaming: true, extendedAgentCard: true },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key', description: 'Ask the port.' } },
    http: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: { authorizationCode: { authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example', scopes, pkceRequired: true } },
      },
    },
    tv: {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: 'https://d.example', tokenUrl: 'https://t.example', scopes } },
      },
    },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://o.example' } },
    tls: { mtlsSecurityScheme: {} },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['read'] }, key: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    { id: 'berth', name: 'Berth', description: 'Finds one.', tags: ['ships'], securityRequirements: [{ schemes: { key: { list: [] } } }] },
  ],
  signatures: [{ protected: 'e30', signature: 'AA' }],
});

suite('conversion of agent cards', () => {
  test('1.0 to 0.3: a good card of that form, with what was lost', () => {
    const { text, losses } = convertCard(modern, '0.3');
    const card = AgentCard0_3.parse(JSON.parse(text));
    assert.deepEqual(cardProblems(text), []);
    assert.equal(card.url, 'https://h.example/old');
    assert.deepEqual(card.additionalInterfaces, [{ url: 'https://h.example/rest', transport: 'HTTP+JSON' }]);
    assert.deepEqual(card.security, [{ oauth: ['read'], key: [] }]);
    assert.equal(card.supportsAuthenticatedExtendedCard, true);
    assert.deepEqual(
      losses.map(({ pointer, reason }) => `${reason} ${pointer}`),
      [
        'version-per-interface /supportedInterfaces/0',
        'tenant /supportedInterfaces/0/tenant',
        'pkce /securitySchemes/oauth/oauth2SecurityScheme/flows/authorizationCode/pkceRequired',
        'device-code /securitySchemes/tv/oauth2SecurityScheme/flows/deviceCode',
        'signatures /signatures',
      ],
    );
  });

  test('1.0 to 0.3 where no interface speaks 0.3: all are kept, and it is said', () => {
    const { text, losses } = convertCard({ ...modern, supportedInterfaces: modern.supportedInterfaces.slice(0, 1) }, '0.3');
    assert.equal((JSON.parse(text) as { url: string }).url, 'https://h.example/new');
    assert.ok(losses.some(({ reason }) => reason === 'no-0.3-interface'));
  });

  test('what 0.3 can say comes back the same', () => {
    const { tv: _, ...schemes } = modern.securitySchemes!;
    const sayable = {
      ...modern,
      signatures: undefined,
      supportedInterfaces: modern.supportedInterfaces.slice(1),
      securitySchemes: {
        ...schemes,
        oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://t.example', scopes } } } },
      },
    };
    const { text, losses } = convertCard(sayable, '0.3');
    assert.deepEqual(losses, []);
    assert.deepEqual(JSON.parse(convertCard(JSON.parse(text), '1.0').text), JSON.parse(JSON.stringify(sayable)));
  });

  test('0.1, with its own words, becomes 1.0', () => {
    const { text } = convertCard(
      { name: 'Old', url: 'https://o.example', version: '1', capabilities: {}, skills: [], authentication: { schemes: ['Bearer'] } },
      '1.0',
    );
    const { supportedInterfaces } = AgentCard.parse(JSON.parse(text));
    assert.deepEqual(supportedInterfaces, [{ url: 'https://o.example', protocolBinding: 'JSONRPC', protocolVersion: '0.1' }]);
  });

  test('what is no card is refused', () => assert.throws(() => convertCard({ ships: 3 }, '1.0'), { code: 'not-a-card' }));
});
