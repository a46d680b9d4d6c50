import { setTimeout as delay } from 'node:timers/promises';
import { SplitSecrets, type SecretFinder } from '../../protocol/secrets/splitSecrets.ts';

const late = Symbol('late');

/** How a stream is taken to pieces and put together. */
export interface SplitStream<Item> {
  /** The JSON of an item. */
  readonly dataOf: (item: Item) => string;
  /** The item with other JSON; `removed` is what was taken out of its text. */
  readonly rewritten: (item: Item, data: string, removed: string) => Item;
  /** Ends the stream from this side while more of it is waited for. */
  readonly abandon: () => void;
}

/**
 * A stream without the credentials of its request that come in pieces (`SplitSecrets`). What may be the beginning of one is held back, for
 * two seconds at most.
 */
export async function* unsplit<Item>(
  batches: AsyncGenerator<readonly Item[]>,
  credentials: SecretFinder,
  { dataOf, rewritten, abandon }: SplitStream<Item>,
): AsyncGenerator<readonly Item[]> {
  const split = new SplitSecrets(credentials, rewritten);
  let coming: Promise<IteratorResult<readonly Item[], unknown>> | undefined;
  try {
    for (;;) {
      coming ??= batches.next();
      const { wait } = split;
      const next = wait === undefined ? await coming : await withinMs(coming, wait);
      if (next !== late) coming = undefined;
      if (next !== late && next.done === true) break;
      const ready = next === late ? split.takeOverdue() : next.value.flatMap(item => split.add(item, dataOf(item)));
      if (ready.length > 0) yield ready;
    }
  } catch (error) {
    coming = undefined;
    const left = split.finish();
    if (left.length > 0) yield left;
    throw error;
  } finally {
    if (coming === undefined) await batches.return(undefined);
    else {
      // It stands in the middle of a read that may take for ever.
      coming.catch(() => {});
      abandon();
    }
  }
  const left = split.finish();
  if (left.length > 0) yield left;
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
