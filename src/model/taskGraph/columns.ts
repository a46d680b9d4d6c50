/** Something in a column: a node, or the place where an edge passes between nodes. */
export interface Slot {
  /** Undefined for an edge that passes. */
  readonly node: number | undefined;
  readonly height: number;
  readonly left: readonly Slot[];
  readonly right: readonly Slot[];
}

const sweeps = 6;

/**
 * Orders the slots of each column so that few edges cross, and computes the middle of each slot, in pixels from 0 downwards: as near to the
 * middle of its neighbours as `gap` between the slots of a column allows.
 */
export function arranged(
  columns: readonly (readonly Slot[])[],
  gap: number,
): { readonly columns: readonly (readonly Slot[])[]; readonly middle: ReadonlyMap<Slot, number> } {
  let ordered = columns;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const place = new Map(ordered.flatMap(column => column.map((slot, index) => [slot, index] as const)));
    const side = sweep % 2 === 0 ? 'left' : 'right';
    const walk = side === 'left' ? ordered.map((_, index) => index) : ordered.map((_, index) => ordered.length - 1 - index);
    const next = [...ordered];
    for (const index of walk) {
      const column = next[index] ?? [];
      const wish = new Map(column.map((slot, own) => [slot, mean(slot[side].map(other => place.get(other) ?? 0)) ?? own]));
      next[index] = column.toSorted((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
      next[index].forEach((slot, own) => place.set(slot, own));
    }
    ordered = next;
  }
  return { columns: ordered, middle: middles(ordered, gap) };
}

function middles(columns: readonly (readonly Slot[])[], gap: number): ReadonlyMap<Slot, number> {
  const middle = new Map<Slot, number>();
  for (const column of columns)
    spaced(
      column,
      column.map(() => 0),
      gap,
    ).forEach((at, index) => middle.set(column[index]!, at));
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const side = sweep % 2 === 0 ? 'left' : 'right';
    for (const column of side === 'left' ? columns : columns.toReversed()) {
      const wishes = column.map(slot => mean(slot[side].map(other => middle.get(other) ?? 0)) ?? middle.get(slot) ?? 0);
      spaced(column, wishes, gap).forEach((at, index) => middle.set(column[index]!, at));
    }
  }
  const top = Math.min(...[...middle].map(([slot, at]) => at - slot.height / 2));
  return new Map([...middle].map(([slot, at]) => [slot, at - top]));
}

const mean = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The places nearest to the wishes at which the slots, in this order, do not touch: neighbours that would are moved together. */
function spaced(column: readonly Slot[], wishes: readonly number[], gap: number): readonly number[] {
  let offset = 0;
  const offsets = column.map((slot, index) => {
    if (index > 0) offset += (slot.height + (column[index - 1]?.height ?? 0)) / 2 + gap;
    return offset;
  });
  const blocks: { sum: number; count: number }[] = [];
  for (const [index, wish] of wishes.entries()) {
    let block = { sum: wish - (offsets[index] ?? 0), count: 1 };
    for (let before = blocks.at(-1); before !== undefined && before.sum / before.count > block.sum / block.count; before = blocks.at(-1)) {
      block = { sum: before.sum + block.sum, count: before.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  const starts = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
  return starts.map((start, index) => start + (offsets[index] ?? 0));
}
