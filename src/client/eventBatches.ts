import type { Frame } from '../protocol/exchange.ts';
import { Problem } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import { isPlainChunk, type PlainChunk } from '../protocol/versions/plainChunk.ts';
import type { ExchangeRecord } from './exchangeRecord.ts';
import type { RawBatch } from './transport.ts';

/** What came at once. */
export interface Arrival {
  readonly record: ExchangeRecord;
  /** At least one. */
  readonly frames: readonly Frame[];
  /** The result in the frame of that index; undefined for one that holds none, which is noted. @throws Problem when the event is an error. */
  open(index: number): { readonly result: unknown } | undefined;
  /** The frame of that index where it is a chunk like others before: it need be neither opened nor read. Absent where nothing looks for such. */
  repeated?(index: number): PlainChunk | undefined;
  /** Hears that the result in the frame of that index was a plain chunk. */
  isPlain?(index: number): void;
}

/**
 * A stream batch by batch, whatever it came over. An event that cannot be read is noted and passed over; one that is an error ends the
 * stream after the events before it.
 * @param read throws a Problem where there is nothing to read.
 * @param silent what to say of a stream without any event.
 * @throws Problem of an event that is an error, or what made all of them unreadable.
 */
export async function* eventBatches(
  arrivals: AsyncIterable<Arrival>, read: (result: unknown) => readonly StreamResponse[], silent: () => Problem,
): AsyncGenerator<RawBatch> {
  let told = 0;
  let readable = false;
  let unreadable: Problem | undefined;
  for await (const arrival of arrivals) {
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
      let opened: ReturnType<Arrival['open']>;
      try {
        opened = arrival.open(index);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        failure = error;
        break;
      }
      if (opened === undefined) continue;
      results.push(opened.result);
      try {
        for (const event of read(opened.result)) {
          const isPlain = arrival.isPlain !== undefined && event === opened.result && isPlainChunk(event);
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
    const findings = record.findings.slice(told);
    told += findings.length;
    yield { exchangeId: record.id, events, heldBy, results, frames, findings };
    if (failure !== undefined) throw failure;
  }
  if (!readable) throw unreadable ?? silent();
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
