/** An edge of a directed graph, with its reason. */
interface Edge<N, E> {
  readonly to: N;
  readonly why: E;
}

export interface Cycle<N, E> {
  /** The nodes of the cycle in order; the edge leads from the last to the first. */
  readonly nodes: readonly N[];
  readonly why: E;
}

/**
 * The nodes of a graph that can be reached, each after those it leads to, and its cycles: one for each edge that closes a cycle when the
 * nodes are visited in order. Without recursion, so that chains of thousands of nodes are possible.
 */
export function visited<N, E>(
  nodes: Iterable<N>,
  edges: (node: N) => readonly Edge<N, E>[],
): { readonly order: readonly N[]; readonly cycles: readonly Cycle<N, E>[] } {
  const cycles: Cycle<N, E>[] = [];
  const done = new Set<N>();
  for (const start of nodes) {
    const path: { readonly node: N; readonly rest: Iterator<Edge<N, E>> }[] = [];
    const onPath = new Map<N, number>();
    const enter = (node: N): void => {
      onPath.set(node, path.length);
      path.push({ node, rest: edges(node).values() });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) {
        path.pop();
        onPath.delete(top.node);
        done.add(top.node);
        continue;
      }
      const { to, why } = next.value;
      const from = onPath.get(to);
      if (from !== undefined) cycles.push({ nodes: path.slice(from).map(({ node }) => node), why });
      else if (!done.has(to)) enter(to);
    }
  }
  return { order: [...done], cycles };
}
