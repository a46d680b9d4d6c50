import { unnoted } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import { operations } from '../protocol/operations.ts';
import type { Binding, Words } from './binding.ts';
import { orInvalid } from './invalid.ts';

/** @param id of the request; null where it had none. */
const wordsFor = (id: string | number | null): Words => ({
  mediaType: 'application/json',
  result: written => ({ jsonrpc: '2.0', id, result: written }),
  error: error => ({ status: 200, body: { jsonrpc: '2.0', id, error } }),
});

/** JSON-RPC 2.0 by POST (A2A 1.0 §9). */
export const jsonRpc: Binding = {
  formOf: version => version,
  understand({ method, body }, form) {
    const words = wordsFor(null);
    if (method !== 'POST') return { words, ...(method !== 'GET' && { turn: [{ status: 405, headers: { allow: 'GET, POST' } }] }) };
    let call: unknown;
    try {
      call = JSON.parse(body);
    } catch {
      return { words, turn: [{ error: { code: -32700, message: 'Invalid JSON payload' } }] };
    }
    if (!isObject(call) || typeof call['method'] !== 'string') {
      return { words, turn: [{ error: { code: -32600, message: 'Request payload validation error' } }] };
    }
    const { id, params } = call;
    const answered = wordsFor(typeof id === 'string' || typeof id === 'number' ? id : null);
    const operation = operations.find(candidate => form.methods[candidate] === call['method']);
    if (operation === undefined) return { words: answered, turn: [{ error: { code: -32601, message: 'Method not found' } }] };
    return { operation, words: answered, ...orInvalid(() => form.readParams(operation, params, unnoted)) };
  },
};
