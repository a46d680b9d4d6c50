import type { Frame } from '../../protocol/exchange.ts';
import { Problem } from '../../protocol/problem.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isPlainChunk, type PlainChunk } from '../../protocol/versions/shared/plainChunk.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import type { ExchangeRecord } from '../wireLog/exchangeRecord.ts';
import { nothingReadable } from '../sse/sse.ts';
import type { RawBatch } from './transport.ts';
import { StreamEnd } from './untilOver.ts';
import { wholeTurn } from './wholeTurn.ts';

/** From so many characters on an event takes a while. */
const long = 1024 * 1024;
/** Most characters of an error that a finding quotes. */
const maxQuoted = 300;

/** What came at once. */
export interface Arrival {
  readonly record: ExchangeRecord;
  /** At least one. */
  readonly frames: readonly Frame[];
  /**
   * The results in the frame of that index, which are more than one where a server wrote several into one event; none is noted.
   * @throws Problem when the event is an error.
   */
  open(index: number): Opened;
  /** The frame of that index where it is a chunk like others before: it need be neither opened nor read. Absent where nothing looks for such. */
  repeated?(index: number): PlainChunk | undefined;
  /** Hears that the result in the frame of that index was a plain chunk. */
  isPlain?(index: number): void;
}

/** What a frame holds. */
export interface Opened {
  readonly results: readonly unknown[];
  /** The frame's data is the JSON of its one result, and nothing beside it. */
  readonly isPlain: boolean;
  /** Why there is no result: said of the exchange, while the stream goes on. */
  readonly problem?: Problem;
}

/**
 * A stream batch by batch, whatever it came over. An event that cannot be read is noted and passed over; one that is an error ends the
 * stream after the events before it, and is noted where these told the end of the task.
 * @param read throws a Problem where there is nothing to read.
 * @param silent what to say of a stream without any event.
 * @throws Problem of an event that is an error, or what made all of them unreadable.
 */
export async function* eventBatches(
  arrivals: AsyncIterable<Arrival>,
  read: (result: unknown) => readonly StreamResponse[],
  silent: () => Problem,
): AsyncGenerator<RawBatch> {
  let told = 0;
  let readable = false;
  let unreadable: Problem | undefined;
  /** The data of the first frame that held no result. */
  let unread: string | undefined;
  const end = new StreamEnd();
  let last: ExchangeRecord | undefined;
  try {
    for await (const arrival of arrivals) {
      last = arrival.record;
      const { record, frames } = arrival;
      record.frames(frames);
      const events: StreamResponse[] = [];
      const results: unknown[] = [];
      const heldBy: (number | undefined)[] = [];
      let failure: Problem | undefined;
      for (let index = 0; index < frames.length; index++) {
        const repeated = arrival.repeated?.(index);
        if (repeated !== undefined) {
          results.push(repeated);
          events.push(repeated);
          heldBy.push(frames[index]!.seq);
          readable = true;
          continue;
        }
        let opened: Opened;
        try {
          opened = arrival.open(index);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          failure = error;
          break;
        }
        // Opening, reading and keeping it can be much work each, which is not done in one turn of the event loop.
        const isLong = frames[index]!.data.length >= long;
        if (isLong) await wholeTurn();
        if (opened.problem !== undefined) {
          record.note('DATA-01', '', opened.problem.message);
          unreadable ??= opened.problem;
        }
        if (opened.results.length === 0) unread ??= frames[index]!.data;
        for (const result of opened.results) {
          results.push(result);
          try {
            for (const event of read(result)) {
              const isPlain = arrival.isPlain !== undefined && opened.isPlain && event === result && isPlainChunk(event);
              if (isPlain) arrival.isPlain?.(index);
              events.push(event);
              heldBy.push(isPlain ? frames[index]!.seq : undefined);
            }
            readable = true;
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            record.note('DATA-01', '', error.message);
            unreadable ??= error;
          }
        }
        if (isLong) await wholeTurn();
      }
      end.take(events);
      const findings = record.findings.slice(told);
      told += findings.length;
      yield { exchangeId: record.id, events, heldBy, results, frames, findings };
      if (failure !== undefined) throw failure;
    }
  } catch (error) {
    // Of a task that is over an error says nothing any more; that the connection breaks then is no matter.
    if (last === undefined || !end.isTold || !(error instanceof Problem) || error instanceof ConnectionProblem) throw error;
    last.note('STRM-11', '', `After the end of its task the agent sent an error: ${error.message.slice(0, maxQuoted)}`);
    yield { exchangeId: last.id, events: [], results: [], frames: [], findings: last.findings.slice(told) };
    return;
  }
  if (!readable) throw unreadable ?? (unread === undefined ? silent() : nothingReadable(unread));
}

/** The same batches; `end` hears how they ended: why before their time, or undefined. */
export async function* withEnd<Batch>(batches: AsyncIterable<Batch>, end: (failure: unknown) => void): AsyncGenerator<Batch> {
  let failure: unknown = 'The reader left before the answer ended.';
  try {
    yield* batches;
    failure = undefined;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    end(failure);
  }
}
