import type { Frame } from '../../protocol/exchange.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { readEventData } from './eventData.ts';
import { now } from '../wireLog/exchangeRecord.ts';
import { EventReader, maxEventLines, type ReadEvent } from './eventReader.ts';
import { PlainEvents } from './plainEvents.ts';
import type { SentCredentials } from '../wireLog/sentCredentials.ts';

/** Longest event that is read, in characters. */
const maxEventLength = 16 * 1024 * 1024;

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
  let decoder: TextDecoder | undefined;
  let seq = 0;
  let at = 0;
  const reader = new EventReader(limit);
  const framesOf = (events: readonly ReadEvent[]): readonly Frame[] => masked(events.map(event => ({ seq: seq++, at, ...event })));
  const events = new PlainEvents(limit);
  const isClean = (index: number): boolean => events.isClean(index);
  for await (const chunk of bytes) {
    at = now();
    const texts = decoder === undefined ? events.take(chunk) : undefined;
    if (texts !== undefined) {
      if (texts.length > 0) yield { frames: masked(texts.map(data => ({ seq: seq++, at, data }))), isClean };
      continue;
    }
    // What came is not plain: it has been taken, and nothing of it was told.
    const unread = decoder === undefined ? events.rest : chunk;
    // A byte order mark is none in the middle of a stream.
    decoder ??= new TextDecoder('utf-8', { ignoreBOM: seq > 0 });
    const frames = framesOf(reader.take(decoder.decode(unread, { stream: true })));
    if (frames.length > 0) yield { frames, isClean: never };
    if (reader.fault !== undefined) throw faulty(reader.fault, limit);
  }
  at = now();
  if (decoder === undefined && events.rest.byteLength > limit) throw tooLongEvent(limit);
  const left = decoder?.decode() ?? new TextDecoder('utf-8', { ignoreBOM: seq > 0 }).decode(events.rest);
  const last = framesOf([...reader.take(left), ...reader.end()]);
  if (reader.fault !== undefined) throw faulty(reader.fault, limit);
  if (seq === 0 && reader.stray !== undefined) throw nothingReadable(credentials?.mask(reader.stray) ?? reader.stray);
  if (last.length === 0) return;
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

const faulty = (fault: 'too-long' | 'too-many-lines', limit: number): Problem =>
  fault === 'too-long' ? tooLongEvent(limit) : tooManyLines();

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
