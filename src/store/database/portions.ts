const removedAtOnce = 50;
/** What an artifact has in the frames of an exchange is written anew when that goes. */
const bytesAtOnce = 4 * 1024 * 1024;

/** What is removed, in steps that each keep the history busy for a moment only. */
export function* portions<T extends { readonly bytes: number }>(items: readonly T[]): Generator<readonly T[]> {
  let some: T[] = [];
  let bytes = 0;
  for (const item of items) {
    some.push(item);
    bytes += item.bytes;
    if (some.length < removedAtOnce && bytes < bytesAtOnce) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}
