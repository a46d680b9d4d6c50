import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { isUnspecified } from '../http/origin.ts';

/** Schemes that gRPC tools use, and the web scheme for each that determines whether TLS is used. */
const schemes: Readonly<Record<string, 'http' | 'https' | undefined>> = { 'grpc:': 'http', 'grpcs:': 'https', 'dns:': undefined };

/**
 * Converts a gRPC address to a URL (A2A 1.0 §10; cards have `host:port` as well as URLs). Without a scheme that decides, TLS is used except
 * for this machine. The unspecified address (0.0.0.0) is replaced by the host of `base`. Anything else, such as a path or a web address, is
 * returned unchanged.
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
