import { eventText } from '../../protocol/eventText.ts';
import type { Exchange, Frame, Headers } from '../../protocol/exchange.ts';
import { jsonEscape, replaceControls, replaceInvisible } from '../../protocol/hiddenCharacters.ts';

/** An exchange with the events of its stream. */
export interface HarSource {
  readonly exchange: Exchange;
  readonly frames: readonly Frame[];
}

/** Who writes the file, as HAR names it. */
interface HarCreator {
  readonly name: string;
  readonly version: string;
}

interface NameValue {
  readonly name: string;
  readonly value: string;
}

/**
 * An HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), piece by piece: each exchange is read when its piece is asked for.
 * Invisible characters are written as escapes. `mask` replaces secret values in everything of an entry.
 */
export function* harText(
  sources: Iterable<HarSource>,
  creator: HarCreator,
  mask: <Value>(value: Value) => Value = value => value,
): Generator<string> {
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[`;
  let separator = '';
  for (const source of sources) {
    const entry = JSON.stringify(mask(harEntry(source)));
    yield separator + replaceInvisible(replaceControls(entry, jsonEscape), jsonEscape);
    separator = ',';
  }
  yield ']}}\n';
}

/**
 * An exchange as an entry of an HTTP Archive. Times are milliseconds; -1 is HAR's word for "not known". Events of a stream are its content
 * as they came, with their times in `_events`; those of a WebSocket stand in `_webSocketMessages`, as browsers write
 * them; those of gRPC are their bytes in base64. Headers are as they are kept: credentials are masked.
 */
function harEntry({ exchange, frames }: HarSource): object {
  const { request, response, startedAt, headersAt, endedAt, protocolBinding } = exchange;
  const end = Math.max(startedAt, endedAt ?? frames.at(-1)?.at ?? headersAt ?? startedAt);
  const wait = Math.max(0, (headersAt ?? end) - startedAt);
  const isSocket = /^wss?:/i.test(request.url);
  const httpVersion = protocolBinding === 'GRPC' ? 'HTTP/2' : 'HTTP/1.1';
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: end - startedAt,
    request: {
      method: request.method,
      url: request.url,
      httpVersion,
      cookies: [],
      headers: namesAndValues(request.headers),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body),
      ...(request.body !== '' && {
        postData: { mimeType: headerOf(request.headers, 'content-type') ?? 'application/json', params: [], text: request.body },
      }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: response === undefined ? '' : httpVersion,
      cookies: [],
      headers: namesAndValues(response?.headers ?? []),
      content: contentOf(exchange, isSocket ? [] : frames),
      redirectURL: headerOf(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response?.coded?.came ?? -1,
      ...(exchange.failure !== undefined && { _error: exchange.failure }),
      ...(response?.trailers !== undefined && { _trailers: namesAndValues(response.trailers) }),
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait, receive: Math.max(0, end - startedAt - wait), ssl: -1 },
    comment: `${exchange.operation}, A2A ${exchange.protocolVersion} over ${protocolBinding}`,
    ...(isSocket
      ? {
          _resourceType: 'websocket',
          _webSocketMessages: [
            ...(request.body === '' ? [] : [{ type: 'send', time: startedAt / 1000, opcode: 1, data: request.body }]),
            ...frames.map(({ at, data }) => ({ type: 'receive', time: at / 1000, opcode: 1, data })),
          ],
        }
      : frames.length > 0 && { _events: frames.map(({ seq, at, event, id }) => ({ seq, ms: at - startedAt, event, id })) }),
  };
}

function contentOf({ response, protocolBinding }: Exchange, frames: readonly Frame[]): object {
  const mimeType = headerOf(response?.headers ?? [], 'content-type') ?? (frames.length > 0 ? 'text/event-stream' : 'x-unknown');
  const whole = protocolBinding === 'GRPC' ? bytesOf(response, frames) : undefined;
  if (whole !== undefined) return { size: whole.length, mimeType, text: whole.toString('base64'), encoding: 'base64' };
  const text = frames.length > 0 ? frames.map(frame => `${eventText(frame)}\n`).join('') : (response?.body ?? '');
  const { coded } = response ?? {};
  return {
    size: coded?.became ?? Buffer.byteLength(text),
    ...(coded !== undefined && { compression: coded.became - coded.came }),
    mimeType,
    text,
    ...(response?.truncated === true && { comment: 'The body was longer than the limit and is cut off here.' }),
  };
}

/** The bytes of all messages; undefined where they are not known of each. */
function bytesOf(response: Exchange['response'], frames: readonly Frame[]): Buffer | undefined {
  const all = frames.length > 0 ? frames.map(({ bytes }) => bytes) : [response?.bytes];
  return all.every(bytes => bytes !== undefined) ? Buffer.concat(all.map(bytes => Buffer.from(bytes, 'base64'))) : undefined;
}

const namesAndValues = (headers: Headers): NameValue[] => headers.map(([name, value]) => ({ name, value }));

const headerOf = (headers: Headers, wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

function queryOf(url: string): NameValue[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
