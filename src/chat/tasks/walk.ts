import type { ShownLine, ShownNode } from '../host/taskGraphMessages.ts';

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The node to which a key moves the focus: left to a node that it depends on, right to one that depends on it, up and down to the next in
 * the picture; Home and End to the first and last. Undefined for other keys, and where there is no such node.
 */
export function walk(
  nodes: readonly Pick<ShownNode, 'x' | 'y'>[],
  lines: readonly Pick<ShownLine, 'from' | 'to'>[],
  at: number,
  key: string,
): number | undefined {
  if (key === 'Home') return nodes.length === 0 ? undefined : 0;
  if (key === 'End') return nodes.length === 0 ? undefined : nodes.length - 1;
  const direction = directions[key];
  const here = nodes[at];
  if (direction === undefined || here === undefined) return undefined;
  const [x, y] = direction;
  const linked = new Set(lines.flatMap(({ from, to }) => (from === at ? [to] : to === at ? [from] : [])));
  let best: { readonly node: number; readonly far: number } | undefined;
  for (const [node, place] of nodes.entries()) {
    const ahead = (place.x - here.x) * x + (place.y - here.y) * y;
    if (ahead <= 0) continue;
    const aside = Math.abs((place.x - here.x) * y) + Math.abs((place.y - here.y) * x);
    // Prefers nodes connected by a line; up and down prefer the same column.
    const far = ahead + aside * 4 - (x !== 0 && linked.has(node) ? 1e6 : 0);
    if (best === undefined || far < best.far) best = { node, far };
  }
  return best?.node;
}
