import type { Frame } from '../../protocol/exchange.ts';
import { hint, Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import { readEventData } from './eventData.ts';
import { now } from '../wireLog/exchangeRecord.ts';
import { EventReader, maxEventLines } from './eventReader.ts';
import type { SentCredentials } from '../wireLog/sentCredentials.ts';

/** Longest event that is read, in characters. */
const maxEventLength = 16 * 1024 * 1024;

interface StreamOptions {
  /** Longest event that is read, in characters; 16 Mi by default. */
  readonly limit?: number;
  /** Credentials of the request, which are masked in events. */
  readonly credentials?: SentCredentials;
  /** Called before the last event where no blank line is behind it, so that other clients drop it. */
  readonly onUnended?: () => void;
  /** Called with the first line where none is part of an event, before that is a problem. */
  readonly onStray?: (line: string) => void;
}

/**
 * Server-sent events (WHATWG HTML §9.2) as batches of frames, one batch for each chunk that completes any. At the end of the bytes
 * an event without its last blank line counts when its data is complete JSON: servers forget the line.
 * @throws Problem `too-large` for an event of more than 16 Mi characters, or of too many lines; ConnectionProblem `connection-lost` when the
 * bytes end inside an event; Problem `unreadable-answer` when there is text and no event in it. All come after the events before them.
 */
export async function* readFrames(
  bytes: AsyncIterable<Uint8Array>,
  { limit = maxEventLength, credentials, onUnended, onStray }: StreamOptions = {},
): AsyncGenerator<readonly Frame[]> {
  // The decoder of Node.js 24 takes a second byte order mark off where the first came in two pieces.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let atStart = true;
  const textOf = (chunk?: Uint8Array): string => {
    const text = decoder.decode(chunk, { stream: chunk !== undefined });
    const from = atStart && text.startsWith('\uFEFF') ? 1 : 0;
    atStart &&= text === '';
    return text.slice(from);
  };
  const reader = new EventReader(limit);
  const masked = (frames: readonly Frame[]): readonly Frame[] => credentials?.maskFrames(frames) ?? frames;
  let begun = false;
  for await (const chunk of bytes) {
    const frames = masked(reader.take(textOf(chunk), now()));
    begun ||= frames.length > 0;
    if (frames.length > 0) yield frames;
    if (reader.fault !== undefined) throw faulty(reader.fault, limit);
  }
  const last = masked([...reader.take(textOf(), now()), ...reader.end()]);
  if (reader.fault !== undefined) throw faulty(reader.fault, limit);
  if (!begun && last.length === 0 && reader.stray !== undefined) {
    const stray = credentials?.mask(reader.stray) ?? reader.stray;
    onStray?.(stray);
    throw nothingReadable(stray);
  }
  if (last.length === 0) return;
  if (!last.every(({ data }) => isReadable(data))) {
    const unread = last.map(({ data }) => data).join('\n');
    throw new ConnectionProblem('connection-lost', sentence('The stream ended in the middle of an event.'), 'yes', {
      details: (credentials?.maskCut(unread) ?? unread).slice(-2048),
    });
  }
  onUnended?.();
  yield last;
}

/** True for JSON, also where it has more values than are read. */
function isReadable(data: string): boolean {
  const { values, problem } = readEventData(data);
  return values.length > 0 || problem !== undefined;
}

const faulty = (fault: 'too-long' | 'too-many-lines', limit: number): Problem =>
  fault === 'too-long' ? tooLongEvent(limit) : tooManyLines();

const tooLongEvent = (limit: number): Problem =>
  tooLarge(sentence('An event of the stream exceeds the limit of {0} MiB.', limit / 1024 / 1024));

const tooManyLines = (): Problem => tooLarge(sentence('An event of the stream exceeds the limit of {0} lines.', maxEventLines));

const tooLarge = (what: LocalizedMessage): Problem =>
  new Problem('too-large', what, { nextStep: sentence('Ask the agent to send large artifacts in chunks or by reference.') });

/** Something came, and none of it can be read. @param beginning the first of it. */
export function nothingReadable(beginning: string): Problem {
  return new Problem('unreadable-answer', sentence("The agent's stream could not be read. It begins with: {0}", beginning.slice(0, 80)), {
    nextStep: hint(
      sentence(
        'Each event of a stream should be one line of "data:" with JSON, then a blank line. Open the exchange to see what was received.',
      ),
      'Each event of a stream should be one line of "data:" with JSON, then a blank line. a2a send with --stream --raw prints what came.',
    ),
    details: beginning.slice(0, 2048),
  });
}
