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

/**
 * One event in a row's `body`: the length of its data, or the data itself if it cannot be packed. `around` stands where it is not that of the
 * event before in the row, null where there is none any more: nearly all events of a stream are written alike.
 */
type Facts = readonly [
  at: number,
  data: number | string,
  more?: Pick<Frame, 'bytes' | 'event' | 'id'> & { readonly around?: Frame['around'] | null },
];

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
      facts.push(factsOf(frame, isPacked, index === from ? undefined : frames[index - 1]!.around));
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

function factsOf({ at, data, bytes, event, id, around }: Frame, isPacked: boolean, before: Frame['around']): Facts {
  const shown = isPacked ? data.length : data;
  const isSame =
    around === before || (around?.length === before?.length && around?.every((text, index) => text === before?.[index]) === true);
  if (bytes === undefined && event === undefined && id === undefined && isSame) return [at, shown];
  return [
    at,
    shown,
    {
      ...(bytes !== undefined && { bytes }),
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(!isSame && { around: around ?? null }),
    },
  ];
}

/** The events of a row. */
export function framesIn({ seq, body, data }: FrameRow): Frame[] {
  const next = unpacking(data);
  let around: Frame['around'] | null;
  return decode<Facts[]>(body).map(([at, shown, { around: other, ...more } = {}], index) => {
    if (other !== undefined) around = other;
    return { seq: seq + index, at, data: typeof shown === 'number' ? next(shown) : shown, ...more, ...(around && { around }) };
  });
}
