import type { Exchange, Headers } from '../../protocol/exchange.ts';
import { familyOf } from '../checkReport.ts';

interface Matters {
  readonly sent?: readonly string[];
  readonly came?: readonly string[];
}

const ofForm: Matters = { sent: ['accept', 'content-type'], came: ['content-type'] };
const extensions = ['a2a-extensions', 'x-a2a-extensions'];

/**
 * Headers that rules are about, in lower case, by the family of the rule. Of others none is shown.
 *
 * To add a header that the evidence of a rule shows: its name in the row of the rule's family.
 */
const families: Readonly<Record<string, Matters>> = {
  CARD: { sent: ['if-none-match'], came: ['content-type', 'location', 'cache-control', 'etag'] },
  EXT: { sent: extensions, came: extensions },
  EXTCARD: { sent: ['authorization'], came: ['www-authenticate'] },
  AUTH: { sent: ['authorization'], came: ['www-authenticate', 'strict-transport-security'] },
  'TASK-AUTH': { sent: ['authorization'] },
  VER: { sent: ['a2a-version'] },
  RPC: ofForm,
  HTTP: ofForm,
  STRM: ofForm,
  GRPC: { came: ['grpc-status', 'grpc-message'] },
  PUSH: { sent: ['content-type', 'authorization', 'x-a2a-notification-token'] },
};

/** The headers of an exchange that a rule is about; those of a gRPC answer also from its end. */
export function ruleHeaders(rule: string, { request, response }: Exchange): { readonly sent: Headers; readonly came: Headers } {
  const { sent = [], came = [] } = families[familyOf(rule)] ?? {};
  const those = (headers: Headers, names: readonly string[]): Headers => headers.filter(([name]) => names.includes(name.toLowerCase()));
  return {
    sent: those(request.headers, sent),
    came: those([...(response?.headers ?? []), ...(response?.trailers ?? [])], came),
  };
}
