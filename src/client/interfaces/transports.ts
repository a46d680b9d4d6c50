import { grpc } from '../grpc/grpc.ts';
import { httpJson } from '../httpJson/httpJson.ts';
import { jsonRpc } from '../jsonRpc/jsonRpc.ts';
import { taskRestTransport } from '../taskRest/taskRestTransport.ts';
import type { Transport } from '../transport/transport.ts';

/**
 * All supported bindings.
 *
 * To add one: a folder `client/<binding>/` with the envelope that it puts around results, a row here, and one in `mock/binding.ts`.
 */
export const transports: readonly Transport[] = [jsonRpc, httpJson, grpc, taskRestTransport()];

const plain = (binding: string): string => binding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The transport for a binding in any spelling. */
export function transportFor(protocolBinding: string): Transport | undefined {
  const wanted = plain(protocolBinding);
  return transports.find(transport => plain(transport.protocolBinding) === wanted || transport.aliases.includes(wanted));
}
