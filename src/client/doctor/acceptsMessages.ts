import { randomUUID } from 'node:crypto';
import { A2AError, errorNames } from '../../protocol/errors.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import { isObject } from '../../protocol/json.ts';
import { Problem } from '../../protocol/problem.ts';
import { UnauthorizedProblem } from '../transport/agentError.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { parseJson } from '../http/parseJson.ts';
import type { Endpoint, Transport } from '../transport/transport.ts';
import type { ProbeOptions } from '../interfaces/probe.ts';

const hasEnvelope = (body: string): boolean => {
  const answer = parseJson(body);
  return isObject(answer) && 'jsonrpc' in answer;
};

/**
 * Whether an address accepts messages in the version of the endpoint. Sends a request without its message, which cannot have an effect.
 * Undefined where nothing can be concluded, and where the binding does not allow this test.
 */
export async function acceptsMessages(transport: Transport, peer: Endpoint, options: ProbeOptions): Promise<boolean | undefined> {
  const { version } = peer;
  const method = version.methods.SendMessage;
  if (transport.sendRaw === undefined || method === undefined) return undefined;
  const isRpc = transport.protocolBinding === 'JSONRPC';
  const body = isRpc ? JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params: {} }) : '{}';
  let response: Exchange['response'];
  const log = {
    exchange: (exchange: Exchange) => {
      response = exchange.response ?? response;
      options.log?.exchange(exchange);
    },
    frames: options.log?.frames.bind(options.log) ?? (() => {}),
  };
  try {
    for await (const _ of transport.sendRaw({ ...peer, streams: false }, body, { ...options, log })) break;
    return true;
  } catch (error) {
    if (error instanceof ConnectionProblem || error instanceof UnauthorizedProblem) return undefined;
    const { status = 0, body: answer = '' } = response ?? {};
    // JSON-RPC servers answer like this for any path.
    if (!isRpc && hasEnvelope(answer)) return false;
    // Versions before 1.0 have no name for a refusal of theirs.
    if (error instanceof A2AError)
      return error.meaning !== 'MethodNotFoundError' && errorNames[error.rpcCode] !== 'VersionNotSupportedError';
    if (!(error instanceof Problem)) throw error;
    if ([404, 405, 501].includes(status)) return false;
    // A framework that validates input refuses it before the agent sees it.
    return !isRpc && (status === 400 || status === 422) ? true : undefined;
  }
}
