import { createParser } from 'eventsource-parser';
import type { Frame } from '../../protocol/exchange.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { readEventData } from './eventData.ts';
import { now } from '../wireLog/exchangeRecord.ts';
import { ownData } from './ownData.ts';
import { PlainEvents } from './plainEvents.ts';
import type { SentCredentials } from '../wireLog/sentCredentials.ts';

const lineFeed = Uint8Array.of(10);
/** Longest event that is read, in characters. */
const maxEventLength = 16 * 1024 * 1024;
/** Most lines of data of one event: each takes memory beside its characters until the event is whole. */
const maxEventLines = 500_000;
/** How much is read before they are counted, in characters. */
const piece = 64 * 1024;

/** What one chunk of bytes completed. */
export interface ArrivedFrames {
  /** At least one. */
  readonly frames: readonly Frame[];
  /** Whether the data of the frame of that index is known to have no control characters. Holds until more is asked for. */
  readonly isClean: (index: number) => boolean;
}

/** As `readArrivals`, frames alone. */
export async function* readFrames(bytes: AsyncIterable<Uint8Array>, options?: StreamOptions): AsyncGenerator<readonly Frame[]> {
  for await (const { frames } of readArrivals(bytes, options)) yield frames;
}

export interface StreamOptions {
  /** Longest event that is read, in characters; 16 Mi where nothing is said. */
  readonly limit?: number;
  /** What was sent with the request and is masked where it comes back, also in pieces. */
  readonly credentials?: SentCredentials;
  /** Called before the last event where no blank line is behind it, so that other clients drop it. */
  readonly onUnended?: () => void;
  /** Ends the bytes from this side. */
  readonly abandon?: () => void;
}

/**
 * Server-sent events (WHATWG HTML §9.2) as batches of frames, one batch for each chunk that completes any. At the end of the bytes
 * an event without its last blank line counts when its data is complete JSON: servers forget the line.
 * @throws Problem `too-large` for an event of more than 16 Mi characters, or of too many lines; ConnectionProblem `connection-lost` when the
 * bytes end inside an event; Problem `unreadable-answer` when there is text and no event in it. All come after the events before them.
 */
export function readArrivals(bytes: AsyncIterable<Uint8Array>, options: StreamOptions = {}): AsyncGenerator<ArrivedFrames> {
  const arrivals = wholeArrivals(bytes, options);
  const { credentials, abandon } = options;
  return credentials === undefined || credentials.none ? arrivals : unsplitArrivals(arrivals, credentials, abandon);
}

/** Masks what is in pieces over several events, too. */
async function* unsplitArrivals(
  arrivals: AsyncGenerator<ArrivedFrames>,
  credentials: SentCredentials,
  abandon: StreamOptions['abandon'],
): AsyncGenerator<ArrivedFrames> {
  const { unsplit } = await import('./unsplit.ts');
  for await (const arrival of unsplit(arrivals, credentials, {
    items: ({ frames }) => frames,
    dataOf: ({ data }) => data,
    rewritten: (one, data) => ({ ...one, data }),
    abandon,
  })) {
    yield 'untouched' in arrival ? arrival.untouched : { frames: arrival.items, isClean: never };
  }
}

/** As `readArrivals`; credentials are masked in each event for itself. */
async function* wholeArrivals(
  bytes: AsyncIterable<Uint8Array>,
  { limit = maxEventLength, credentials, onUnended }: StreamOptions,
): AsyncGenerator<ArrivedFrames> {
  const masked = (frames: readonly Frame[]): readonly Frame[] => credentials?.maskFrames(frames) ?? frames;
  const cut = (text: string): string => credentials?.maskCut(text) ?? text;
  const decoder = new TextDecoder();
  let batch: Frame[] = [];
  let seq = 0;
  let at = 0;
  let tooLong = false;
  /** What the parser was given since the last event, and before that one: an event is a piece of these. In UTF-16 code units. */
  let [given, givenBefore] = [0, 0];
  const own = (text: string): string => ownData(text, givenBefore + given);
  /** Lines of data since the last event. */
  let lines = 0;
  /** The first line that is no part of an event. */
  let stray: string | undefined;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ data, event, id }) => {
      const frame = { seq, at, data: own(data) };
      batch.push(
        event === undefined && id === undefined
          ? frame
          : { ...frame, ...(event !== undefined && { event: own(event) }), ...(id !== undefined && { id: own(id) }) },
      );
      seq++;
    },
    // Unknown fields and odd retry values are ignored, as the standard says.
    onError: error => {
      if (error.type === 'max-buffer-size-exceeded') tooLong = true;
      else if (error.type === 'unknown-field') stray ??= error.line ?? error.field ?? '';
    },
  });
  const feed = (text: string): void => {
    given += text.length;
    for (let from = 0; from < text.length && lines <= maxEventLines; from += piece) {
      const [one, before] = [text.slice(from, from + piece), batch.length];
      parser.feed(one);
      lines = batch.length > before ? 0 : lines + (one.match(/^data/gm)?.length ?? 0);
    }
    if (batch.length > 0) [given, givenBefore] = [0, given];
  };
  const events = new PlainEvents(limit);
  const isClean = (index: number): boolean => events.isClean(index);
  let plain: PlainEvents | undefined = events;
  for await (const chunk of bytes) {
    at = now();
    const texts = plain?.take(chunk);
    if (texts !== undefined) {
      if (texts.length > 0) yield { frames: masked(texts.map(data => ({ seq: seq++, at, data }))), isClean };
      continue;
    }
    // A byte order mark is none in the middle of a stream.
    if (plain !== undefined && seq > 0) feed(decoder.decode(lineFeed, { stream: true }));
    // What came is not plain: it has been taken, and nothing of it was told.
    feed(decoder.decode(plain?.rest ?? chunk, { stream: true }));
    plain = undefined;
    if (batch.length > 0) {
      const complete = masked(batch);
      batch = [];
      yield { frames: complete, isClean: never };
    }
    if (tooLong) throw tooLongEvent(limit);
    if (lines > maxEventLines) throw tooManyLines();
  }
  at = now();
  if (plain !== undefined && plain.rest.byteLength > limit) throw tooLongEvent(limit);
  feed(`${decoder.decode(plain?.rest)}\n\n`);
  if (lines > maxEventLines) throw tooManyLines();
  if (seq === 0 && stray !== undefined) throw nothingReadable(credentials?.mask(stray) ?? stray);
  if (batch.length === 0) return;
  const last = masked(batch);
  if (!last.every(({ data }) => isReadable(data))) {
    throw new ConnectionProblem('connection-lost', sentence('The stream ended in the middle of an event.'), 'yes', {
      details: cut(last.map(({ data }) => data).join('\n')).slice(-2048),
    });
  }
  onUnended?.();
  yield { frames: last, isClean: never };
}

/** What is JSON and too much of it has come whole all the same. */
function isReadable(data: string): boolean {
  const { values, problem } = readEventData(data);
  return values.length > 0 || problem !== undefined;
}

const never = (): boolean => false;

const tooLongEvent = (limit: number): Problem =>
  tooLarge(sentence('An event of the stream is longer than {0} MiB, the most that is read.', limit / 1024 / 1024));

const tooManyLines = (): Problem =>
  tooLarge(sentence('An event of the stream has more than {0} lines, the most that are read.', maxEventLines));

const tooLarge = (what: LocalizedMessage): Problem =>
  new Problem('too-large', what, { nextStep: sentence('Ask the agent to send large artifacts in chunks or by reference.') });

/** Something came, and none of it can be read. @param beginning the first of it. */
export function nothingReadable(beginning: string): Problem {
  return new Problem(
    'unreadable-answer',
    sentence("Nothing in the agent's stream could be read. It begins with: {0}", beginning.slice(0, 80)),
    {
      nextStep: hint(
        sentence('Each event of a stream should be one line of "data:" with JSON, then a blank line. Open the exchange to see what came.'),
        'Each event of a stream should be one line of "data:" with JSON, then a blank line. a2a send with --stream --raw prints what came.',
      ),
      details: beginning.slice(0, 2048),
    },
  );
}
