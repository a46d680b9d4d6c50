import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ReceiverLimits } from './receiverLimits.ts';
import { sameText } from './sameText.ts';

/** Why a request is refused before its body is read. */
export type RefusalReason = 'host' | 'origin' | 'path' | 'method' | 'content-type' | 'content-encoding' | 'too-large';

const statuses: Readonly<Record<RefusalReason, number>> = {
  host: 403,
  origin: 403,
  path: 404,
  method: 405,
  'content-type': 415,
  'content-encoding': 415,
  'too-large': 413,
};

interface Refusal {
  readonly reason: RefusalReason;
  readonly status: number;
}

/** The accepted hosts and paths of requests, and the limits. */
interface Guarded {
  /** Hosts with ports, in lower case, under which the receiver is reached besides those of loopback. */
  readonly hosts: ReadonlySet<string>;
  /** Paths of webhooks. */
  readonly paths: readonly string[];
  /** Paths that take a POST of any type. */
  readonly anyType: ReadonlySet<string>;
  readonly limits: Pick<ReceiverLimits, 'bodyBytes'>;
}

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/i.test(type.split(';')[0]?.trim() ?? '');

// The last two are 127.0.0.1 in IPv6 (RFC 4291 §2.5.5.2), as it is typed and as browsers and `URL` spell it.
const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'];

/**
 * Why a server on loopback answers no such request: a web page may have sent it. A browser is recognized by `Origin`, a name that was made to
 * point here (DNS rebinding) by `Host`. Undefined where nothing says so.
 * @param isOwn whether the server is also reached under this host and port, in lower case
 */
export function foreignReason(
  {
    headers: { host = '', origin },
    socket: { localPort },
  }: { readonly headers: IncomingHttpHeaders; readonly socket: { readonly localPort?: number } },
  isOwn: (host: string) => boolean = () => false,
): 'host' | 'origin' | undefined {
  if (origin !== undefined) return 'origin';
  const asked = host.toLowerCase();
  return isOwn(asked) || loopbackNames.some(name => asked === `${name}:${localPort}`) ? undefined : 'host';
}

/** Refuses what is not a notification of an agent. Every path is compared, so that the time says nothing. */
export function refusalOf(message: IncomingMessage, guarded: Guarded): Refusal | undefined {
  const { method, url = '', headers } = message;
  const refused = (reason: RefusalReason): Refusal => ({ reason, status: statuses[reason] });
  const foreign = foreignReason(message, host => guarded.hosts.has(host));
  if (foreign !== undefined) return refused(foreign);
  if (guarded.paths.filter(path => sameText(path, url)).length === 0) return refused('path');
  if (method !== 'POST') return refused('method');
  const anyType = guarded.anyType.has(url);
  if (!anyType && !isJson(headers)) return refused('content-type');
  if (!anyType && (headers['content-encoding'] ?? 'identity') !== 'identity') return refused('content-encoding');
  return Number(headers['content-length'] ?? 0) > guarded.limits.bodyBytes ? refused('too-large') : undefined;
}
