import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { emptyCard } from '../../protocol/card/emptyCard.ts';
import type { Note } from '../../protocol/finding.ts';
import { versionOf } from '../../protocol/versions/index.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import type { ConfiguredHeaders } from '../http/configuredHeaders.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { probe } from '../interfaces/probe.ts';
import { grpc, grpcCard } from '../grpc/grpc.ts';
import type { GrpcFound } from '../grpc/discovery.ts';
import type { Http } from '../http/http.ts';
import { offeredInterfaces } from '../interfaces/offeredInterface.ts';
import type { CallOptions, Endpoint } from '../transport/transport.ts';
import { transportFor } from '../interfaces/transports.ts';

/** Address and connection of an agent that is searched for over gRPC. */
interface GrpcAddress extends Pick<CallOptions, 'signal' | 'log'> {
  readonly url: URL;
  /** The address as the person typed it. */
  readonly typed: string;
  readonly http: Http;
  readonly headers: ConfiguredHeaders;
  readonly wanted: InterfaceSelector | undefined;
  /** Reads an agent card. */
  readonly read: (card: unknown, note: Note) => AgentCard;
}

const isGrpc = (protocolBinding: string): boolean => transportFor(protocolBinding) === grpc;

export const wantsGrpc = (wanted: InterfaceSelector | undefined): boolean =>
  wanted?.protocolBinding !== undefined && isGrpc(wanted.protocolBinding);

/** True for a failure over HTTP/1.1 that is caused by a server with only HTTP/2. */
export async function isHttp2Only(error: unknown, url: URL, { http, signal }: Pick<GrpcAddress, 'http' | 'signal'>): Promise<boolean> {
  if (!(error instanceof ConnectionProblem)) return false;
  const { code, details = '' } = error;
  if (code !== 'not-http' && code !== 'connection-lost' && (code !== 'tls' || !/APPLICATION_PROTOCOL/i.test(details))) return false;
  return (await import('../grpc/discovery.ts')).supportsHttp2(url, signal, await http.route(url));
}

/** The card of an agent at the address of its gRPC service; rejects as `cardOverGrpc` does. */
export async function findOverGrpc({ url, typed, http, headers, signal, log, wanted, read }: GrpcAddress): Promise<GrpcFound> {
  const asked = wanted?.protocolVersion === undefined ? undefined : versionOf(wanted.protocolVersion);
  const endpoint = (protocolVersion: string): Endpoint => ({
    card: emptyCard,
    url: new URL(url.origin),
    version: versionOf(protocolVersion)!,
    http,
    headers,
    extensions: [],
    streams: false,
  });
  const options = (timeoutMs: number): CallOptions => ({ timeoutMs, ...(signal && { signal }), ...(log && { log }) });
  return (await import('../grpc/discovery.ts')).cardOverGrpc({
    url,
    typed,
    read,
    asked: wantsGrpc(wanted),
    // A selected version is that of an interface; the card may be in another version.
    versions: [...new Set([...(asked !== undefined && grpc.supports(asked) ? [asked.protocolVersion] : []), '1.0', '0.3'])],
    card: (protocolVersion, readCard, timeoutMs) => grpcCard(endpoint(protocolVersion), readCard, options(timeoutMs)),
    supports: async (protocolVersion, timeoutMs) =>
      ['supported', 'unauthorized'].includes((await probe(grpc, endpoint(protocolVersion), options(timeoutMs))).kind),
    listed: (card, protocolVersion) =>
      offeredInterfaces(card, url.href).find(
        ({ interface: entry }) =>
          isGrpc(entry.protocolBinding) &&
          versionOf(entry.protocolVersion) === versionOf(protocolVersion) &&
          URL.canParse(entry.url) &&
          new URL(entry.url).origin === url.origin,
      )?.wanted,
  });
}
