/** The sort key of a list's row: pinned ones first, then the last changed, then the last created. */
export interface Place {
  readonly id: number;
  readonly pinned: number;
  readonly updated: number;
}

/** The place after which a page begins. */
export type Behind = Place | undefined;

/** Reads rows of one section (pinned or not), in order, after a place in it. */
type ReadSection<Row extends Place> = (
  pinned: 0 | 1,
  behind: { readonly updated: number; readonly id: number } | undefined,
  limit: number,
) => Row[];

/** How many rows are read at once while each is checked against the filter. */
const batch = 200;

/** A page of rows that fit, in order, read from an index section by section. */
export function walk<Row extends Place>(
  read: ReadSection<Row>,
  fits: ((row: Row) => boolean) | undefined,
  { behind, limit }: { readonly behind: Behind; readonly limit: number },
): Row[] {
  const page: Row[] = [];
  for (const pinned of [1, 0] as const) {
    if (behind !== undefined && behind.pinned < pinned) continue;
    let from: { updated: number; id: number } | undefined = behind?.pinned === pinned ? behind : undefined;
    while (page.length < limit) {
      const size = fits === undefined ? limit - page.length : batch;
      const rows = read(pinned, from, size);
      page.push(...(fits === undefined ? rows : rows.filter(fits)));
      from = rows.at(-1);
      if (rows.length < size) break;
    }
  }
  return page.slice(0, limit);
}

/** A page of the rows that fit, in order, from a few rows that are all in memory. */
export function sortedPage<Row extends Place>(
  rows: readonly Row[],
  fits: ((row: Row) => boolean) | undefined,
  { behind, limit }: { readonly behind: Behind; readonly limit: number },
): Row[] {
  const page: Row[] = [];
  for (const row of rows.filter(one => behind === undefined || byPlace(behind, one) < 0).sort(byPlace)) {
    if (page.length === limit) break;
    if (fits?.(row) !== false) page.push(row);
  }
  return page;
}

export const byPlace = (one: Place, other: Place): number => other.pinned - one.pinned || other.updated - one.updated || other.id - one.id;
