import { isStreaming } from '../../protocol/message/operations.ts';
import type { Version } from '../../protocol/versions/shared/version.ts';
import type { Call } from './callCode.ts';
import { piecesOf } from './placeholder.ts';

/** An HTTP request as cURL sends it. Texts may hold placeholders. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers that cURL makes itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'user-agent',
  'accept-encoding',
]);

/** A command for a POSIX shell. Placeholders become variables of the shell. */
export function curl({ method, url, headers, body }: HttpRequest): string {
  const streams = headers.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('event-stream'));
  const lines = [
    `curl ${streams ? '--no-buffer ' : ''}${method === 'POST' && body !== '' ? '' : `-X ${quoted(method)} `}${quoted(url)}`,
    ...headers.filter(([name]) => !ownHeaders.has(name.toLowerCase())).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

/** A call as the JSON-RPC request that a generation of A2A makes of it. Undefined for what the generation cannot say. */
export function jsonRpcRequest(
  { operation, params, headers }: Call,
  { url, version }: { readonly url: string; readonly version: Version },
): HttpRequest | undefined {
  const method = version.methods[operation];
  if (method === undefined) return undefined;
  // The placeholders must outlive the way through JSON.
  const body = JSON.stringify(
    { jsonrpc: '2.0', id: 1, method, params: version.writeParams(operation, params as never) },
    null,
    2,
  ).replaceAll('\\u0000', '\u0000');
  return {
    method: 'POST',
    url,
    body,
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept', isStreaming(operation) ? 'text/event-stream' : 'application/json'],
      ...(version.header === undefined ? [] : [['A2A-Version', version.header] as const]),
      ...Object.entries(headers),
    ],
  };
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
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
