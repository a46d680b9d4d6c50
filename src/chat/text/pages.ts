/** Maximum weight of a page of several things: a browser needs some 200 ms for so many elements. */
export const maxWeight = 6_000;

/** Number of items of a list on its first pages, each with at most `most` items of at most `maxWeight` together, but at least one. */
export function onPages(count: number, pages: number, most: number, weight: (index: number) => number): number {
  let end = 0;
  for (let left = pages; left > 0 && end < count; left--) {
    const start = end;
    let sum = 0;
    while (end < count && end - start < most) {
      sum += weight(end);
      if (sum > maxWeight && end > start) break;
      end++;
    }
  }
  return end;
}
