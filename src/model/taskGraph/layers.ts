import type { GraphEdge } from './taskGraph.ts';

interface Layers {
  /** Column of each node, from the left. */
  readonly layer: readonly number[];
  /** Indexes of the edges that close a circle: they lead from right to left. */
  readonly backward: ReadonlySet<number>;
}

/**
 * Puts each node right of everything it rests on. A circle is opened where it comes back to the node from which it was entered first;
 * nodes earlier in the list are entered first. What rests on nothing stands just left of the first that rests on it.
 */
export function layersOf(count: number, edges: readonly GraphEdge[]): Layers {
  const backward = closing(count, edges);
  const forward = edges.map(({ from, to }, index) => (backward.has(index) ? { from: to, to: from } : { from, to }));
  const next = listed(
    count,
    forward,
    ({ from }) => from,
    ({ to }) => to,
  );
  const waiting = new Array<number>(count).fill(0);
  for (const { to } of forward) waiting[to] = (waiting[to] ?? 0) + 1;
  const layer = new Array<number>(count).fill(0);
  const sources = waiting.flatMap((edgesIn, node) => (edgesIn === 0 ? [node] : []));
  const ready = [...sources];
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const to of next[node] ?? []) {
      layer[to] = Math.max(layer[to] ?? 0, (layer[node] ?? 0) + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) ready.push(to);
    }
  }
  for (const node of sources) {
    const nearest = Math.min(...(next[node] ?? []).map(to => layer[to] ?? 0));
    if (Number.isFinite(nearest)) layer[node] = nearest - 1;
  }
  return { layer, backward };
}

/** Edges back to a node on the path that leads to them. Without recursion, since rows of tasks may be long. */
function closing(count: number, edges: readonly GraphEdge[]): ReadonlySet<number> {
  const out = listed(
    count,
    edges.map((edge, index) => ({ ...edge, index })),
    ({ from }) => from,
    ({ index }) => index,
  );
  const state = new Array<'open' | 'done' | undefined>(count).fill(undefined);
  const found = new Set<number>();
  for (let start = 0; start < count; start++) {
    if (state[start] !== undefined) continue;
    const path = [{ node: start, at: 0 }];
    state[start] = 'open';
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const index = out[top.node]?.[top.at++];
      const to = index === undefined ? undefined : edges[index]?.to;
      if (index === undefined || to === undefined) {
        state[top.node] = 'done';
        path.pop();
      } else if (state[to] === 'open') found.add(index);
      else if (state[to] === undefined) {
        state[to] = 'open';
        path.push({ node: to, at: 0 });
      }
    }
  }
  return found;
}

function listed<Item>(
  count: number,
  items: readonly Item[],
  of: (item: Item) => number,
  what: (item: Item) => number,
): readonly (readonly number[])[] {
  const lists = Array.from({ length: count }, (): number[] => []);
  for (const item of items) lists[of(item)]?.push(what(item));
  return lists;
}
