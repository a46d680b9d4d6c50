import { isStreaming } from '../../protocol/message/operations.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import type { Call } from './callCode.ts';
import { joined, jsonText, Pieced, piecesOf, type Text } from '../text/pieced.ts';

/** An HTTP request to be written as a cURL command. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: Text])[];
  /** A text, or the value that is sent as JSON; its texts may be `Pieced`. */
  readonly body: Text | Readonly<Record<string, unknown>>;
}

/** Headers that cURL sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'user-agent',
  'accept-encoding',
]);

/** A command for a POSIX shell. Holes become shell variables. */
export function curl({ method, url, headers, body: given }: HttpRequest): string {
  const body = typeof given === 'string' || given instanceof Pieced ? given : jsonText(given, '  ');
  const streams = headers.some(
    ([name, value]) => name.toLowerCase() === 'accept' && typeof value === 'string' && value.includes('event-stream'),
  );
  const lines = [
    // cURL itself makes several addresses of `{a,b}` and `[1-9]`.
    `curl ${streams ? '--no-buffer ' : ''}${/[[\]{}]/.test(url) ? '--globoff ' : ''}${method === 'POST' && body !== '' ? '' : `-X ${quoted(method)} `}${quoted(url)}`,
    ...headers.filter(([name]) => !ownHeaders.has(name.toLowerCase())).map(([name, value]) => `-H ${quoted(joined([name, ': ', value]))}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** The JSON-RPC request for a call in a protocol version. Undefined where the version does not have the operation. */
export function jsonRpcRequest(
  { operation, params, headers }: Call,
  { url, version }: { readonly url: string; readonly version: Version },
): HttpRequest | undefined {
  const method = version.methods[operation];
  if (method === undefined) return undefined;
  return {
    method: 'POST',
    url,
    body: { jsonrpc: '2.0', id: 1, method, params: version.writeParams(operation, params as never) },
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', isStreaming(operation) ? 'text/event-stream' : 'application/json'],
      ...(version.header === undefined ? [] : [['A2A-Version', version.header] as const]),
      ...Object.entries(headers),
    ],
  };
}

/** Quotes a text as one word of a POSIX shell. */
function quoted(text: Text): string {
  return piecesOf(text)
    .map(piece =>
      'variable' in piece
        ? `"$${piece.variable}"`
        : /^[\w@%+=:,./-]+$/.test(piece.text)
          ? piece.text
          : `'${piece.text.replaceAll("'", `'\\''`)}'`,
    )
    .join('');
}
