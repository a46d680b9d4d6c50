import { withTenant } from '../../client/agentClient.ts';
import { addresses, addressOf } from '../../client/httpJson/address.ts';
import { httpJson } from '../../client/httpJson/httpJson.ts';
import { httpJsonRequest } from '../../client/httpJson/request.ts';
import { headersFor } from '../../client/httpJson/sending.ts';
import { chooseInterface, type ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import { transportFor } from '../../client/interfaces/transports.ts';
import { jsonRpc } from '../../client/jsonRpc/jsonRpc.ts';
import { withNames } from '../../client/transport/clientNames.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { isStreaming, type SendMessageParams } from '../../protocol/message/operations.ts';
import type { TaskState } from '../../protocol/message/taskState.ts';
import { Problem } from '../../protocol/problem.ts';
import { releases, versionOf } from '../../protocol/versions/index.ts';
import type { Call } from '../../request/export/callCode.ts';
import { jsonRpcRequest, type HttpRequest } from '../../request/export/curl.ts';
import type { Agent } from '../agents/agent.ts';
import { withReturnImmediately } from '../run/singleAnswer.ts';

/** The interface that sending uses. */
export type SentInterface = Pick<ChosenInterface, 'interface' | 'version'>;

/**
 * The interface of a request that asks for one or for none. Where the agent cannot be asked, its last card decides; without one, what request
 * and settings name. Rejects with a `Problem` where sending would: `no-interface`, `foreign-origin`.
 * @param onError called where the agent was not reached; without it, the agent is not asked
 */
export async function sentInterface(
  wanted: InterfaceSelector | undefined,
  agent: Agent,
  onError: ((error: unknown) => void) | undefined,
): Promise<SentInterface> {
  if (onError !== undefined) {
    try {
      return (await agent.connect({ wanted })).chosen;
    } catch (error) {
      if (error instanceof Problem && ['no-interface', 'foreign-origin'].includes(error.code)) throw error;
      onError(error);
    }
  }
  const named = wanted ?? agent.settings.interface ?? {};
  if (agent.card !== undefined) return chooseInterface(agent.card, agent.cardUrl ?? agent.url, named);
  const { url = agent.url, protocolBinding = jsonRpc.protocolBinding, protocolVersion = '' } = named;
  const version = versionOf(protocolVersion) ?? releases[0]!;
  return { interface: { url, protocolBinding, protocolVersion: version.protocolVersion }, version };
}

export const isJsonRpc = ({ interface: { protocolBinding } }: SentInterface): boolean => transportFor(protocolBinding) === jsonRpc;

/** False for bindings whose calls are no single HTTP request of text. */
export const isWritable = (sent: SentInterface): boolean => isJsonRpc(sent) || transportFor(sent.interface.protocolBinding) === httpJson;

/** The HTTP request of a call as sending begins it. Undefined where the protocol version does not have the operation. */
export function sentCall(
  { params: given, ...call }: Call,
  sent: SentInterface,
  waitFor: readonly TaskState[] | undefined,
): HttpRequest | undefined {
  const { url } = sent.interface;
  const { version } = sent;
  // See `RequestAttempt`: a request that waits for the response alone is sent plainly.
  const isPlain = call.operation !== 'SendMessage' || waitFor?.length === 0;
  const configured = isPlain ? given : withReturnImmediately(given as unknown as SendMessageParams);
  const params = withNames(call.operation, withTenant(configured as never, sent), version);
  if (isJsonRpc(sent)) return jsonRpcRequest({ ...call, params: params as Call['params'] }, { url, version });
  const form = version.protoForm ?? version;
  if (form.routes?.[call.operation] === undefined) return undefined;
  const { method, path, query, body } = httpJsonRequest(call.operation, params, form);
  // An address has no holes: a value that is not known here is refused.
  if (body === undefined) JSON.stringify(params);
  return {
    method,
    // The first address that sending tries.
    url: addressOf(new URL(url), addresses(new URL(url), path)[0]!, query).href,
    headers: [...headersFor(form, isStreaming(call.operation), body !== undefined), ...Object.entries(call.headers)],
    body: body ?? '',
  };
}
