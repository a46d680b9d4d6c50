import { grpc } from '../grpc/grpc.ts';
import { httpJson } from '../httpJson/httpJson.ts';
import { jsonRpc } from '../jsonRpc/jsonRpc.ts';
import { taskRestTransport } from '../taskRest/taskRestTransport.ts';
import type { Transport } from '../transport/transport.ts';

/** All supported bindings. */
export const transports: readonly Transport[] = [jsonRpc, httpJson, grpc, taskRestTransport()];

const plain = (binding: string): string => binding.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The transport for a binding in any spelling. */
export function transportFor(protocolBinding: string): Transport | undefined {
  const wanted = plain(protocolBinding);
  return transports.find(transport => plain(transport.protocolBinding) === wanted || transport.aliases.includes(wanted));
}
