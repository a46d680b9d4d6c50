import { isObject } from '../../protocol/json.ts';
import type { SentPassword } from './wireLog.ts';

/** How deep configurations lie in a body: in JSON-RPC, in a list, in a wrapper. */
const deepest = 8;

/**
 * Tokens and credentials of webhooks in the JSON of a request or an answer, in any protocol version: some agents repeat them when they are
 * asked for a configuration (A2A 1.0 §13.2 calls them secrets).
 */
export function notificationSecrets(value: unknown, depth = 0): readonly SentPassword[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap(item => notificationSecrets(item, depth + 1));
  if (!isObject(value)) return [];
  const { url, token, authentication } = value;
  const isConfig = typeof url === 'string' && (typeof token === 'string' || isObject(authentication));
  if (!isConfig) return Object.entries(value).flatMap(([name, member]) => (isContent(name) ? [] : notificationSecrets(member, depth + 1)));
  const credentials = isObject(authentication) ? authentication['credentials'] : undefined;
  return [
    ...(isSecret(token) ? [{ name: 'token', value: token }] : []),
    ...(isSecret(credentials) ? [{ name: 'credentials', value: credentials }] : []),
  ];
}

/** Members with the person's own text, which is not a configuration. */
const isContent = (name: string): boolean => name === 'message' || name === 'metadata';

const isSecret = (value: unknown): value is string => typeof value === 'string' && value !== '';
