import type { Kind } from './canarySecrets.ts';

export interface Flow {
  readonly name: string;
  /** What the card says, given the address of the case's authorization server. */
  readonly scheme: (server: string) => object;
  readonly sent: readonly Kind[];
  readonly oauth?: boolean;
  readonly confidential?: boolean;
  /** It asks for the metadata of the authorization server. */
  readonly metadata?: boolean;
  readonly openId?: boolean;
}
export const flows: readonly Flow[] = [
  { name: 'API key in a header', scheme: () => ({ apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } }), sent: ['key'] },
  { name: 'API key in the query', scheme: () => ({ apiKeySecurityScheme: { location: 'query', name: 'k' } }), sent: ['key'] },
  { name: 'API key in a cookie', scheme: () => ({ apiKeySecurityScheme: { location: 'cookie', name: 'c' } }), sent: ['key'] },
  { name: 'basic', scheme: () => ({ httpAuthSecurityScheme: { scheme: 'Basic' } }), sent: ['password'] },
  { name: 'bearer', scheme: () => ({ httpAuthSecurityScheme: { scheme: 'Bearer' } }), sent: ['token'] },
  { name: 'another scheme', scheme: () => ({ httpAuthSecurityScheme: { scheme: 'Token' } }), sent: ['token'] },
  {
    name: 'client credentials',
    scheme: server => ({ oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${server}/token`, scopes: {} } } } }),
    sent: ['client-secret', 'access'],
    oauth: true,
    confidential: true,
  },
  {
    name: 'device code',
    scheme: server => ({
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: `${server}/device`, tokenUrl: `${server}/token`, scopes: {} } },
      },
    }),
    sent: ['device', 'access', 'refresh'],
    oauth: true,
  },
  {
    name: 'authorization code of a public client',
    scheme: server => ({
      oauth2SecurityScheme: {
        flows: { authorizationCode: { authorizationUrl: `${server}/authorize`, tokenUrl: `${server}/token`, scopes: {} } },
      },
    }),
    sent: ['access', 'refresh'],
    oauth: true,
  },
  {
    name: 'authorization code of a client with a secret',
    scheme: server => ({
      oauth2SecurityScheme: {
        flows: { authorizationCode: { authorizationUrl: `${server}/authorize`, tokenUrl: `${server}/token`, scopes: {} } },
        oauth2MetadataUrl: `${server.replace(/\/case/, '/.well-known/oauth-authorization-server/case')}`,
      },
    }),
    sent: ['client-secret', 'access', 'refresh'],
    oauth: true,
    confidential: true,
    metadata: true,
  },
  {
    name: 'OpenID Connect',
    scheme: server => ({ openIdConnectSecurityScheme: { openIdConnectUrl: `${server}/.well-known/openid-configuration` } }),
    sent: ['client-secret', 'access', 'refresh', 'id'],
    oauth: true,
    confidential: true,
    metadata: true,
    openId: true,
  },
];

/** Attacks on what a flow does not do are none. */
export const isOf = (attack: string, { name, oauth = false, metadata = false, openId = false }: Flow): boolean =>
  (oauth || !/\b(?:metadata|token|refresh|device|renewal|renews|page for the code|browser)\b/.test(attack)) &&
  (!/\b(?:device|page for the code)\b/.test(attack) || name === 'device code') &&
  (!/\b(?:refresh|renewal|renews)\b/.test(attack) || name !== 'client credentials') &&
  (!/\bbrowser\b/.test(attack) || name.startsWith('authorization code') || openId) &&
  (!/\bmetadata\b/.test(attack) || metadata);
