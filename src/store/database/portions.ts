const removedAtOnce = 50;
/** Artifact parts in the frames of an exchange are written to rows of their own before it is deleted. */
const bytesAtOnce = 4 * 1024 * 1024;

/** Groups what is to be deleted into steps, each of which keeps the history busy only for a moment. */
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
