import type { Decoy } from '../decoy.ts';

const both = ['1.0', '0.3'];
const newest = ['1.0'];
const skill = { id: 'a', name: 'A', description: 'Does it.', tags: ['a'] };
const encoded = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
const signed = (header: object): object => ({ protected: encoded(header), signature: 'c2ln' });
const interfaceOf = (card: Record<string, unknown>): Record<string, unknown> =>
  (card['supportedInterfaces'] as readonly Record<string, unknown>[])[0]!;

const card = (
  rule: Decoy['rule'],
  breaks: string,
  versions: readonly string[],
  make: NonNullable<Decoy['card']>,
  times?: number,
): Decoy => ({ rule, breaks, versions, asked: 'card', card: make, ...(times !== undefined && { times }) });

/** Agents whose card breaks one rule. */
export const cardDecoys: readonly Decoy[] = [
  card('CARD-04', 'a skill without tags', newest, right => ({ ...right, skills: [{ ...skill, tags: [] }] })),
  card('CARD-04', 'no skills', newest, right => ({ ...right, skills: [] })),
  card('CARD-06', 'http to another machine', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'http://agent.example/' }],
  })),
  card('CARD-06', 'http to another machine', ['0.3'], right => ({
    ...right,
    additionalInterfaces: [{ url: 'http://agent.example/', transport: 'JSONRPC' }],
  })),
  card('CARD-06', 'the address that a server listens at', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'http://0.0.0.0:9999/' }],
  })),
  card('CARD-06', 'the same of IPv6', ['0.3'], right => ({
    ...right,
    additionalInterfaces: [{ url: 'http://[::]:9999/', transport: 'JSONRPC' }],
  })),
  card('CARD-09', 'a patch number', newest, right => ({
    ...right,
    supportedInterfaces: [{ ...interfaceOf(right), protocolVersion: '1.0.1' }],
  })),
  card('CARD-10', 'a binding with a name of its own', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), protocolBinding: 'CARRIER-PIGEON' }],
  })),
  card('CARD-11', 'a scheme of two kinds', newest, right => ({
    ...right,
    securitySchemes: { both: { httpAuthSecurityScheme: { scheme: 'Bearer' }, mtlsSecurityScheme: {} } },
  })),
  card('CARD-11', 'a key without a name', ['0.3'], right => ({ ...right, securitySchemes: { key: { type: 'apiKey', in: 'header' } } })),
  card('CARD-12', 'a scheme that nobody declared', newest, right => ({
    ...right,
    securityRequirements: [{ schemes: { ghost: { list: [] } } }],
  })),
  card('CARD-12', 'a scheme that nobody declared', ['0.3'], right => ({ ...right, security: [{ ghost: [] }] })),
  card('CARD-15', 'a snake_case member', both, right => ({ ...right, documentation_url: 'https://agent.example/' })),
  card('CARD-16', 'a key in a description', both, right => ({ ...right, description: `Use AKIA${'A'.repeat(16)}.` })),
  card('CARD-17', 'two skills of one id', both, right => ({ ...right, skills: [skill, { ...skill, name: 'B' }] })),
  card('CARD-17', 'a mode that is no media type', both, right => ({ ...right, defaultInputModes: ['plain text please'] })),
  card('CARD-18', 'no preferredTransport', ['0.3'], right => ({ ...right, preferredTransport: undefined })),
  card('CARD-18', 'one address with two transports', ['0.3'], right => ({
    ...right,
    additionalInterfaces: [{ url: right['url'], transport: 'HTTP+JSON' }],
  })),
  card('CARD-06', 'a scheme that is mistyped', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'htp://agent.example/' }],
  })),
  card('CARD-09', 'a version without a minor number', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'https://agent.example/', protocolVersion: 'v1' }],
  })),
  card('CARD-11', 'two OAuth flows in one scheme', newest, right => ({
    ...right,
    securitySchemes: {
      sso: {
        oauth2SecurityScheme: {
          flows: {
            clientCredentials: { tokenUrl: 'https://t.example', scopes: {} },
            deviceCode: { deviceAuthorizationUrl: 'https://d.example', tokenUrl: 'https://t.example', scopes: {} },
          },
        },
      },
    },
  })),
  card('CARD-16', 'a password by its name', both, right => ({
    ...right,
    capabilities: { extensions: [{ uri: 'urn:ships', params: { clientSecret: 'ship-and-salt' } }] },
  })),
  card('CARD-19', 'the address of an operation', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'https://agent.example/v1/message:stream' }],
  })),
  card('CARD-19', 'the address of a card', newest, right => ({
    ...right,
    supportedInterfaces: [interfaceOf(right), { ...interfaceOf(right), url: 'https://agent.example/.well-known/agent-card.json' }],
  })),
  card('CARD-19', 'the address of an operation', ['0.3'], right => ({
    ...right,
    additionalInterfaces: [{ url: 'https://agent.example/v1/message:send', transport: 'JSONRPC' }],
  })),
  card('CARD-20', 'a member that is misspelt', both, right => ({ ...right, iconURl: 'https://agent.example/icon.png' })),
  card('CARD-20', 'an interface twice', newest, right => ({ ...right, supportedInterfaces: [interfaceOf(right), interfaceOf(right)] })),
  card('CARD-20', 'a version that no interface has', newest, right => ({ ...right, protocolVersion: '0.3.0' })),
  card('CARD-20', 'a transport that is misspelt', ['0.3'], right => ({
    ...right,
    additionalInterfaces: [{ url: 'https://agent.example/', transport: 'rest' }],
  })),
  card('CARD-20', 'an extension without a URI', both, right => ({ ...right, capabilities: { extensions: [{ uri: 'tides' }] } })),
  card('CARD-20', 'an empty name', both, right => ({ ...right, name: ' ' })),
  card('SIGN-01', 'no kid', newest, right => ({ ...right, signatures: [signed({ alg: 'ES256' })] })),
  card('SIGN-04', 'another type', newest, right => ({ ...right, signatures: [signed({ alg: 'ES256', kid: 'k', typ: 'JWT' })] })),
  card('SIGN-04', 'keys without encryption', newest, right => ({
    ...right,
    signatures: [signed({ alg: 'ES256', kid: 'k', jku: 'http://agent.example/keys' })],
  })),
];
