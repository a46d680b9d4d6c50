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

export interface Refusal {
  readonly reason: RefusalReason;
  readonly status: number;
}

/** What a request is held against. */
export interface Guarded {
  /** Hosts with ports, in lower case, under which the receiver is reached. */
  readonly hosts: ReadonlySet<string>;
  /** Paths of webhooks. */
  readonly paths: readonly string[];
  /** Those among them that take a POST of any type. */
  readonly anyType: ReadonlySet<string>;
  readonly limits: Pick<ReceiverLimits, 'bodyBytes'>;
}

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/i.test(type.split(';')[0]?.trim() ?? '');

/**
 * Refuses what is not a notification of an agent. A browser is recognized by `Origin`, a name that was made to point here (DNS rebinding)
 * by `Host`. Every path is compared, so that the time says nothing.
 */
export function refusalOf(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  guarded: Guarded,
): Refusal | undefined {
  const refused = (reason: RefusalReason): Refusal => ({ reason, status: statuses[reason] });
  if (!guarded.hosts.has((headers.host ?? '').toLowerCase())) return refused('host');
  if (headers.origin !== undefined) return refused('origin');
  if (guarded.paths.filter(path => sameText(path, url)).length === 0) return refused('path');
  if (method !== 'POST') return refused('method');
  const anyType = guarded.anyType.has(url);
  if (!anyType && !isJson(headers)) return refused('content-type');
  if (!anyType && (headers['content-encoding'] ?? 'identity') !== 'identity') return refused('content-encoding');
  return Number(headers['content-length'] ?? 0) > guarded.limits.bodyBytes ? refused('too-large') : undefined;
}
