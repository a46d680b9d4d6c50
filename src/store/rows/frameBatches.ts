import type { Frame } from '../../protocol/exchange.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { isPackable, packed, rowLength, unpacking } from '../texts/packedText.ts';

/** A row of `frames`: consecutive events of one exchange. */
export interface FrameRow {
  /** Number of the first event. */
  readonly seq: number;
  /** What is known of each event except its data. */
  readonly body: string;
  /** The data of all the events. */
  readonly data: Uint8Array;
}

/** One event in a row's `body`: the length of its data, or the data itself if it cannot be packed. */
type Facts = readonly [at: number, data: number | string, more?: Pick<Frame, 'bytes' | 'event' | 'id'>];

/** The rows for consecutive events. `data` is valid until the next row is asked for. */
export function* frameRows(frames: readonly Frame[]): Generator<FrameRow & { readonly count: number; readonly data: Uint8Array }> {
  for (let from = 0; from < frames.length; ) {
    const to = endOfRow(frames, from);
    const facts: Facts[] = [];
    const texts: string[] = [];
    for (let index = from; index < to; index++) {
      const frame = frames[index]!;
      const isPacked = isPackable(frame.data);
      if (isPacked) texts.push(frame.data);
      facts.push(factsOf(frame, isPacked));
    }
    yield { seq: frames[from]!.seq, count: to - from, body: encode(facts), data: packed(texts) };
    from = to;
  }
}

function endOfRow(frames: readonly Frame[], from: number): number {
  const first = frames[from]!;
  let length = first.data.length;
  let to = from + 1;
  for (; to < frames.length; to++) {
    const { seq, data } = frames[to]!;
    length += data.length;
    if (length > rowLength || seq !== first.seq + to - from) break;
  }
  return to;
}

function factsOf({ at, data, bytes, event, id }: Frame, isPacked: boolean): Facts {
  const shown = isPacked ? data.length : data;
  if (bytes === undefined && event === undefined && id === undefined) return [at, shown];
  return [at, shown, { ...(bytes !== undefined && { bytes }), ...(event !== undefined && { event }), ...(id !== undefined && { id }) }];
}

/** The events of a row. */
export function framesIn({ seq, body, data }: FrameRow): Frame[] {
  const next = unpacking(data);
  return decode<Facts[]>(body).map(([at, shown, more], index) => ({
    seq: seq + index,
    at,
    data: typeof shown === 'number' ? next(shown) : shown,
    ...more,
  }));
}
