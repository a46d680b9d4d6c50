import { setTimeout as delay } from 'node:timers/promises';
import { SplitSecrets, type SecretFinder } from '../../protocol/secrets/splitSecrets.ts';

const late = Symbol('late');

/** A batch as it came, or what is left of it and of those before. */
export type Unsplit<Batch, Item> = { readonly untouched: Batch } | { readonly items: readonly Item[] };

/** How a stream is taken to pieces and put together. */
export interface SplitStream<Batch, Item> {
  readonly items: (batch: Batch) => readonly Item[];
  /** The JSON of an item. */
  readonly dataOf: (item: Item) => string;
  /** The item with other JSON; `removed` is what was taken out of its text. */
  readonly rewritten: (item: Item, data: string, removed: string) => Item;
  /** Ends the stream from this side while more of it is waited for. */
  readonly abandon?: () => void;
}

/**
 * A stream without the credentials of its request that come in pieces (`SplitSecrets`). What may be the beginning of one is held back, for
 * two seconds at most; a batch without any is told as it is, at once.
 */
export async function* unsplit<Batch, Item>(
  batches: AsyncGenerator<Batch>,
  credentials: SecretFinder,
  { items, dataOf, rewritten, abandon }: SplitStream<Batch, Item>,
): AsyncGenerator<Unsplit<Batch, Item>> {
  const split = new SplitSecrets(credentials, rewritten);
  let coming: Promise<IteratorResult<Batch, unknown>> | undefined;
  try {
    for (;;) {
      coming ??= batches.next();
      const { wait } = split;
      const next = wait === undefined ? await coming : await withinMs(coming, wait);
      if (next === late) {
        const ready = split.takeOverdue();
        if (ready.length > 0) yield { items: ready };
        continue;
      }
      coming = undefined;
      if (next.done === true) break;
      const all = items(next.value);
      const ready = all.flatMap(item => split.add(item, dataOf(item)));
      if (ready.length === all.length && ready.every((item, index) => item === all[index])) yield { untouched: next.value };
      else if (ready.length > 0) yield { items: ready };
    }
  } catch (error) {
    coming = undefined;
    const left = split.finish();
    if (left.length > 0) yield { items: left };
    throw error;
  } finally {
    if (coming === undefined) await batches.return(undefined);
    else {
      // It stands in the middle of a read that may take for ever.
      coming.catch(() => {});
      abandon?.();
    }
  }
  const left = split.finish();
  if (left.length > 0) yield { items: left };
}

async function withinMs<Value>(value: Promise<Value>, ms: number): Promise<Value | typeof late> {
  const timer = new AbortController();
  try {
    return await Promise.race([value, delay(ms, late, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

/** For what comes message by message. */
export const splitSecrets = <Item>(...given: ConstructorParameters<typeof SplitSecrets<Item>>): SplitSecrets<Item> =>
  new SplitSecrets(...given);
