import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { isUnspecified } from '../http/origin.ts';

/** Schemes that gRPC's own tools write, and whether they stand for TLS. */
const schemes: Readonly<Record<string, 'http' | 'https' | undefined>> = { 'grpc:': 'http', 'grpcs:': 'https', 'dns:': undefined };

/**
 * A gRPC address as a URL (A2A 1.0 §10; cards write `host:port` as well as URLs). Without a scheme that says so, this machine is taken to
 * speak without TLS and every other to speak with it; the address of all interfaces stands for the host of `base`. Anything else,
 * a path or a web address, is given back as it is.
 */
export function grpcAddress(written: string, base: string): string {
  const [, scheme, authority] = /^([a-z][a-z\d+.-]*:)\/\/\/?(.*)$/i.exec(written) ?? [undefined, undefined, written];
  const known = scheme?.toLowerCase();
  if (known === undefined ? /^[/?#]|^$/.test(written) : !Object.hasOwn(schemes, known)) return written;
  const probe = `http://${authority}`;
  if (!URL.canParse(probe)) return written;
  const url = new URL(probe);
  const host = isUnspecified(url) ? new URL(base).hostname : url.hostname;
  const web = (known === undefined ? undefined : schemes[known]) ?? (isLoopback(host) ? 'http' : 'https');
  return new URL(`${web}://${authority}`).href;
}
