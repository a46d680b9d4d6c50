import type { Frame } from '../../protocol/exchange.ts';
import { Problem } from '../../protocol/problem.ts';
import type { StreamResponse } from '../../protocol/message/streamResponse.ts';
import { isPlainChunk, type PlainChunk } from '../../protocol/versions/shared/plainChunk.ts';
import { ConnectionProblem } from '../http/connectionProblem.ts';
import type { ExchangeRecord } from '../wireLog/exchangeRecord.ts';
import { nothingReadable } from '../sse/sse.ts';
import type { RawBatch } from './transport.ts';
import { StreamEnd } from './untilTaskEnds.ts';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** Events of at least this many characters may take long to process. */
const long = 1024 * 1024;
/** Longest error text that a finding quotes, in characters. */
const maxQuoted = 300;

/** Frames that arrived together. */
export interface ReceivedFrames {
  readonly record: ExchangeRecord;
  /** At least one. */
  readonly frames: readonly Frame[];
  /**
   * The results in the frame with that index: several where a server wrote several into one event, none where it is unreadable (which is
   * noted).
   * @throws Problem when the event is an error
   */
  open(index: number): FrameContent;
  /** The chunk in the frame with that index, if it is like previous chunks and need not be parsed. Absent where that is not supported. */
  repeated?(index: number): PlainChunk | undefined;
  /** Called where the result in the frame with that index is a plain chunk. */
  isPlain?(index: number): void;
}

/** The content of a frame. */
export interface FrameContent {
  readonly results: readonly unknown[];
  /** True where the frame's data is the JSON of its single result. */
  readonly isPlain: boolean;
  /** Why there is no result. It becomes a finding of the exchange, and the stream continues. */
  readonly problem?: Problem;
}

/**
 * Reads a stream batch by batch, for any binding. An unreadable event is noted and skipped. An event with an error ends the stream after
 * the events before it; after the end of the task it is only noted.
 * @param read throws a Problem where nothing can be read.
 * @param silent creates the problem for a stream without any event.
 * @throws Problem of an event that is an error, or the reason why all events were unreadable
 */
export async function* eventBatches(
  arrivals: AsyncIterable<ReceivedFrames>,
  read: (result: unknown) => readonly StreamResponse[],
  silent: () => Problem,
): AsyncGenerator<RawBatch> {
  let reported = 0;
  let readable = false;
  let unreadable: Problem | undefined;
  /** The data of the first frame without a result. */
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
      let frameOf: number[] | undefined;
      let failure: Problem | undefined;
      for (let index = 0; index < frames.length; index++) {
        const repeated = arrival.repeated?.(index);
        if (repeated !== undefined) {
          results.push(repeated);
          events.push(repeated);
          frameOf?.push(frames[index]!.seq);
          readable = true;
          continue;
        }
        record.reading(frames[index]!.seq);
        let opened: FrameContent;
        try {
          opened = arrival.open(index);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          failure = error;
          break;
        }
        // Opening, reading and storing it can each take long, so they run in separate turns of the event loop.
        const isLong = frames[index]!.data.length >= long;
        if (isLong) await yieldToEventLoop();
        if (opened.problem !== undefined) {
          record.note('DATA-01', '', opened.problem.message);
          unreadable ??= opened.problem;
        }
        const before = events.length;
        if (opened.results.length === 0) unread ??= frames[index]!.data;
        for (const result of opened.results) {
          results.push(result);
          let isRight = false;
          try {
            for (const event of read(result)) {
              const isPlain = arrival.isPlain !== undefined && opened.isPlain && event === result && isPlainChunk(event);
              if (isPlain) arrival.isPlain?.(index);
              isRight = isPlain;
              events.push(event);
            }
            readable = true;
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            record.note('DATA-01', '', error.message);
            unreadable ??= error;
          }
          if (!isRight) record.observe(frames[index]!, result);
        }
        if (events.length !== before + 1) frameOf ??= frames.slice(0, index).map(({ seq }) => seq);
        if (frameOf !== undefined) while (frameOf.length < events.length) frameOf.push(frames[index]!.seq);
        if (isLong) await yieldToEventLoop();
      }
      record.reading(undefined);
      end.take(events);
      const findings = record.findings.slice(reported);
      reported += findings.length;
      yield { exchangeId: record.id, events, results, frames, ...(frameOf !== undefined && { frameOf }), findings };
      if (failure !== undefined) throw failure;
    }
  } catch (error) {
    // After the end of the task an error means nothing, and a broken connection does not matter.
    if (last === undefined || !end.isReported || !(error instanceof Problem) || error instanceof ConnectionProblem) throw error;
    last.note('STRM-11', '', `After the end of its task the agent sent an error: ${error.message.slice(0, maxQuoted)}`);
    yield { exchangeId: last.id, events: [], results: [], frames: [], findings: last.findings.slice(reported) };
    return;
  }
  if (!readable) throw unreadable ?? (unread === undefined ? silent() : nothingReadable(unread));
}

/** The same batches; `end` is called with the reason why they ended early, or with undefined. */
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
