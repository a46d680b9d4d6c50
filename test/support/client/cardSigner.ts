import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, FlattenedSign, type JWK } from 'jose';

export type Algorithm = 'ES256' | 'ES384' | 'ES512' | 'RS256' | 'PS256' | 'EdDSA';

/** A key pair of a signer of cards. */
export interface CardSigner {
  readonly algorithm: Algorithm;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The public key, with its id. */
  readonly jwk: JWK & { readonly kid: string };
  readonly thumbprint: string;
}

const pairs: Readonly<Record<Algorithm, () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

export async function cardSigner(algorithm: Algorithm = 'ES256', kid = 'key-1'): Promise<CardSigner> {
  const pair = pairs[algorithm]();
  const jwk = { ...(pair.publicKey.export({ format: 'jwk' }) as JWK), kid };
  return { algorithm, ...pair, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

export interface Signature {
  readonly protected: string;
  readonly signature: string;
}

/** RFC 8785, written anew: what the library gets wrong would not match. For values that JSON can say. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
}

/** A detached JWS over text that the caller makes. */
export async function signatureOver(text: string, { algorithm, privateKey, jwk }: CardSigner, header: object = {}): Promise<Signature> {
  const jws = await new FlattenedSign(Buffer.from(text))
    .setProtectedHeader({ alg: algorithm, kid: jwk.kid, typ: 'JOSE', ...header })
    .sign(privateKey);
  return { protected: jws.protected ?? '', signature: jws.signature };
}

/** The card with a signature over it as it is, with RFC 8785 and without `signatures`. */
export async function signed<Card extends object>(
  card: Card & { readonly signatures?: readonly Signature[] },
  signer: CardSigner,
  header: object = {},
): Promise<Card & { readonly signatures: readonly Signature[] }> {
  const { signatures = [], ...content } = card;
  return { ...card, signatures: [...signatures, await signatureOver(canonicalText(content), signer, header)] };
}

/** An agent card of 1.0 with every member that there is. */
export const fullCard = {
  name: 'Harbour master',
  description: 'Finds a berth for every ship – größer als “40 m”.',
  version: '2.4.0',
  supportedInterfaces: [
    { url: 'https://harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://harbour.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'north' },
  ],
  provider: { organization: 'Port of Helsinki', url: 'https://port.example' },
  documentationUrl: 'https://harbour.example/docs',
  iconUrl: 'https://harbour.example/icon.png',
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extendedAgentCard: false,
    extensions: [
      { uri: 'https://harbour.example/ext/tides/v1', description: 'Tides.', required: true, params: { height: 1.5, names: ['spring'] } },
    ],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Port-Key', description: 'A key.' } },
    token: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    login: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://login.example/authorize',
            tokenUrl: 'https://login.example/token',
            refreshUrl: 'https://login.example/refresh',
            scopes: { berths: 'Books berths.' },
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl: 'https://login.example/metadata',
      },
    },
    company: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://login.example/oidc' } },
    certificate: { mtlsSecurityScheme: { description: 'Of the port.' } },
  },
  securityRequirements: [{ schemes: { login: { list: ['berths'] } } }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'berth',
      name: 'Book a berth',
      description: 'Finds and books a berth.',
      tags: ['berths', 'booking'],
      examples: ['A berth for 40 m'],
      inputModes: ['text/plain'],
      outputModes: ['application/json'],
      securityRequirements: [{ schemes: { token: { list: ['admin'] } } }],
    },
  ],
} as const;
