import { type Comeback, comebacks } from './comebacks.ts';
import { writtenOtherwise } from './otherWriting.ts';

/** The client's end of an answer that is a stream. */
export interface StreamEnd {
  write(bytes: Uint8Array): void;
  /** Ends the answer as if all had been said. */
  end(): void;
  /** Closes the connection inside the answer. */
  close(): void;
  /** Closes it the rude way (RST). */
  reset(): void;
  /** Says nothing any more and leaves the connection open: the other side went away without a word. */
  stall(): void;
  /** Writes past HTTP: what is no chunk of the answer. Closes the connection. */
  garble(): void;
}

type Cut = 'end' | 'close' | 'reset' | 'stall' | 'garble';

/**
 * What happens to one stream on its way.
 *
 * Each is tried at every event over every binding. Ways back are in `comebacks.ts`, ways to write an event in `otherWriting.ts`.
 */
export interface Fault {
  /** How the client stops hearing: the stream breaks (it or its end says so), or is silent; undefined where it hears to the end. */
  readonly cut?: 'broken' | 'silent';
  /** The subscription that follows is reset too, after its first event. */
  readonly twice?: true;
  /** Not even the head of the answer arrives. */
  readonly headless?: true;
  /** The answer ends as one that is over. */
  readonly orderly?: true;
  /** The event at the fault's place is begun and not ended. */
  readonly inside?: true;
  /** What the first subscription after it is answered with. */
  readonly comeback?: Comeback;
  /** Places it can be at, in a stream of `count` events: so many events came before. */
  readonly places: (count: number) => readonly number[];
  /** Passes event `index` on, or does not. `earlier`: the events before it; `last`: it ends the task. */
  readonly pass: (
    event: Buffer,
    at: number,
    to: StreamEnd,
    place: { readonly index: number; readonly earlier: readonly Buffer[]; readonly last: boolean },
  ) => void;
}

const range = (from: number, end: number): number[] => Array.from({ length: end - from }, (_, index) => from + index);

/** Cuts between two events. At place 0 the head of the answer alone arrives, which is another story: there is no task yet. */
const cutAfter = (how: Cut, more: Partial<Fault> = {}): Fault => ({
  cut: how === 'stall' ? 'silent' : 'broken',
  places: count => range(1, count + 1),
  pass: (event, at, to, { index }) => {
    if (index < at) to.write(event);
    if (index === at - 1) to[how]();
  },
  ...more,
});

/** Cuts inside an event. */
const cutInside = (how: Cut, lengthOf: (event: Buffer) => number): Fault => ({
  cut: how === 'stall' ? 'silent' : 'broken',
  inside: true,
  places: count => range(1, count),
  pass: (event, at, to, { index }) => {
    if (index < at) to.write(event);
    if (index !== at) return;
    to.write(event.subarray(0, lengthOf(event)));
    to[how]();
  },
});

const half = (event: Buffer): number => event.length >> 1;

/** Up to the middle of its last character of several bytes. */
function insideCharacter(event: Buffer): number {
  const first = event.findLastIndex(byte => byte >= 0xc0);
  if (first < 0) throw new Error('an event without a character of several bytes');
  return first + 1;
}

/** Another task's event, in the form of this one. */
function ofAnotherTask(event: Buffer, index: number): Buffer {
  const text = event.toString();
  // The task's own id is `id` in a task and `taskId` elsewhere.
  const other = text.replaceAll(/("(?:taskId|task_id)":")[^"]+/g, '$1another');
  return Buffer.from(index === 0 ? other.replace(/("task":\{"id":"|"kind":"task","id":")[^"]+/, '$1another') : other);
}

/** Cuts before the first event is whole: there is no task yet that could be asked for. */
const cutBefore = (how: 'end' | 'close' | 'reset', more: Partial<Fault> & { readonly begun?: true } = {}): Fault => ({
  cut: 'broken',
  places: () => [0],
  pass: (event, _at, to) => {
    if (more.begun) to.write(event.subarray(0, half(event)));
    to[how]();
  },
  ...more,
});

/** The first answer to a message is lost. */
export const lostAnswers = {
  'closed before the answer': cutBefore('close', { headless: true }),
  'reset before the answer': cutBefore('reset', { headless: true }),
  'closed after the head': cutBefore('close'),
  'reset after the head': cutBefore('reset'),
  'ended inside the first event': cutBefore('end', { begun: true }),
  'closed inside the first event': cutBefore('close', { begun: true }),
  'reset inside the first event': cutBefore('reset', { begun: true }),
} as const satisfies Record<string, Fault>;

export const faults = {
  'ended between events': cutAfter('end', { orderly: true }),
  'closed between events': cutAfter('close'),
  'reset between events': cutAfter('reset'),
  'silent between events': cutAfter('stall'),
  'reset, the subscription after it too': cutAfter('reset', { twice: true }),
  'ended inside an event': cutInside('end', half),
  'closed inside an event': cutInside('close', half),
  'reset inside an event': cutInside('reset', half),
  'silent inside an event': cutInside('stall', half),
  'ended inside a character': cutInside('end', insideCharacter),
  'closed inside a character': cutInside('close', insideCharacter),
  'reset inside a character': cutInside('reset', insideCharacter),
  'no chunk of HTTP between events': cutAfter('garble'),
  'no chunk of HTTP inside an event': cutInside('garble', half),
  'an event twice': {
    places: count => range(0, count),
    pass: (event, at, to, { index }) => {
      to.write(event);
      if (index === at) to.write(event);
    },
  },
  'two events in the wrong order': {
    // Two chunks amid an artifact that change places are as good as any others: the wire has no numbers for them.
    places: count => range(0, count - 1).filter(at => at <= 2 || at >= count - 3),
    pass: (event, at, to, { index, earlier }) => {
      if (index === at) return;
      to.write(event);
      if (index === at + 1) to.write(earlier[at]!);
    },
  },
  'an event again after the last': {
    places: count => range(0, count),
    pass: (event, at, to, { earlier, last }) => {
      to.write(event);
      if (last) to.write([...earlier, event][at]!);
    },
  },
  'an event of another task': {
    places: count => range(1, count),
    pass: (event, at, to, { index }) => {
      if (index === at) to.write(ofAnotherTask(event, index));
      to.write(event);
    },
  },
  'byte by byte': {
    places: () => [0],
    pass: (event, _at, to) => {
      for (let from = 0; from < event.length; from++) to.write(event.subarray(from, from + 1));
    },
  },
} as const satisfies Record<string, Fault>;

const rewritten = (write: (event: Buffer) => Buffer): Fault => ({
  places: count => range(0, count),
  pass: (event, at, to, { index }) => to.write(index === at ? write(event) : event),
});

/** The same said otherwise, or with something beside it that says nothing: all of it is heard. */
export const harmless: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(writtenOtherwise).map(([title, write]) => [title, rewritten(write)]),
);

/** The way back is spoilt, too: a stream is reset, and the subscription after it is answered like this. */
export const spoiltComebacks: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(comebacks).map(([title, comeback]) => [`reset, and then ${title}`, cutAfter('reset', { comeback })]),
);
