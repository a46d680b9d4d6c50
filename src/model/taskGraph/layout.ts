import { arranged, type Slot } from './columns.ts';
import { layersOf } from './layers.ts';
import type { GraphEdge, TaskGraph } from './taskGraph.ts';

/** Size of a node, in pixels, as in the chat's styles. */
export const nodeWidth = 232;
export const nodeHeight = 52;
const columnGap = 36;
const rowGap = 12;
const blockGap = 24;
/** Height of the lane in which an edge passes a column. */
const lane = 8;
/** Lanes of one block; edges beyond them go straight, behind the nodes. */
const maxLanes = 400;
/** Most unlinked tasks side by side. */
const besides = 3;

interface Placed {
  readonly x: number;
  readonly y: number;
}

/** An edge as a line through the page. */
interface Line extends GraphEdge {
  /** The path of an SVG, with its arrow. */
  readonly d: string;
  /** True where it closes a circle and leads from right to left. */
  readonly backward: boolean;
}

export interface Picture {
  /** Upper left corners of the nodes, in their order. */
  readonly places: readonly Placed[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/** Positions of nodes and edges. Each connected component is one block of columns from left to right; blocks are below each other, in the order of their first nodes. */
export function pictureOf({ nodes, edges }: TaskGraph): Picture {
  const { layer, backward } = layersOf(nodes.length, edges);
  const places: Placed[] = [];
  const lines: Line[] = [];
  let [width, top] = [0, 0];
  for (const block of blocksOf(nodes.length, edges)) {
    const own = edges.flatMap((edge, index) => (block.has(edge.from) ? [{ ...edge, backward: backward.has(index) }] : []));
    const height = own.length === 0 ? grid([...block], top, places) : linked([...block], own, layer, top, { places, lines });
    width = Math.max(width, ...[...block].map(node => (places[node]?.x ?? 0) + nodeWidth));
    top += height + blockGap;
  }
  return { places, lines, width, height: Math.max(0, top - blockGap) };
}

/** Connected components; adjacent isolated nodes share one. */
function blocksOf(count: number, edges: readonly GraphEdge[]): readonly ReadonlySet<number>[] {
  const neighbours = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of edges) {
    neighbours[from]?.push(to);
    neighbours[to]?.push(from);
  }
  const blocks: Set<number>[] = [];
  const seen = new Set<number>();
  let loose: Set<number> | undefined;
  for (let start = 0; start < count; start++) {
    if (seen.has(start)) continue;
    if (neighbours[start]?.length === 0) {
      if (loose === undefined) blocks.push((loose = new Set()));
      loose.add(start);
      continue;
    }
    loose = undefined;
    const block = new Set([start]);
    // A set that grows is walked to its end.
    for (const node of block) for (const other of neighbours[node] ?? []) block.add(other);
    for (const node of block) seen.add(node);
    blocks.push(block);
  }
  return blocks.map(block => new Set([...block].sort((a, b) => a - b)));
}

function grid(block: readonly number[], top: number, places: Placed[]): number {
  for (const [index, node] of block.entries()) {
    places[node] = { x: (index % besides) * (nodeWidth + columnGap), y: top + Math.floor(index / besides) * (nodeHeight + rowGap) };
  }
  return Math.ceil(block.length / besides) * (nodeHeight + rowGap) - rowGap;
}

interface GrowingSlot extends Slot {
  readonly left: GrowingSlot[];
  readonly right: GrowingSlot[];
}

type Crossing = GraphEdge & { readonly backward: boolean };

function linked(
  block: readonly number[],
  edges: readonly Crossing[],
  layer: readonly number[],
  top: number,
  into: { places: Placed[]; lines: Line[] },
): number {
  const layerOf = (node: number): number => layer[node] ?? 0;
  const first = Math.min(...block.map(layerOf));
  const columns: GrowingSlot[][] = Array.from({ length: Math.max(...block.map(layerOf)) - first + 1 }, () => []);
  const slot = (column: number, node: number | undefined): GrowingSlot => {
    const added = { node, height: node === undefined ? lane : nodeHeight, left: [], right: [] };
    columns[column]?.push(added);
    return added;
  };
  const slots = new Map(block.map(node => [node, slot(layerOf(node) - first, node)]));
  let lanes = 0;
  const routes = edges.map(edge => {
    const [start, end] = edge.backward ? [edge.to, edge.from] : [edge.from, edge.to];
    const length = layerOf(end) - layerOf(start) - 1;
    const bends =
      lanes + length > maxLanes ? [] : Array.from({ length }, (_, index) => slot(layerOf(start) - first + 1 + index, undefined));
    lanes += bends.length;
    const route = [slots.get(start), ...bends, slots.get(end)].filter(each => each !== undefined);
    for (const [index, each] of route.entries()) {
      const next = route[index + 1];
      if (next === undefined) continue;
      each.right.push(next);
      next.left.push(each);
    }
    return { edge, route };
  });
  const { columns: ordered, middle } = arranged(columns, rowGap);
  const at = new Map(
    ordered.flatMap((column, index) =>
      column.map(each => [each, { x: index * (nodeWidth + columnGap), y: top + (middle.get(each) ?? 0) }] as const),
    ),
  );
  for (const [node, own] of slots) {
    const { x, y } = at.get(own) ?? { x: 0, y: 0 };
    into.places[node] = { x, y: Math.round(y - nodeHeight / 2) };
  }
  for (const { edge, route } of routes)
    into.lines.push({
      ...edge,
      d: path(
        route.map(each => at.get(each) ?? { x: 0, y: 0 }),
        edge.backward,
      ),
    });
  return Math.max(...[...middle].map(([each, y]) => y + each.height / 2));
}

const arrow = 5;

/** From the right side of the first to the left side of the last, straight through the columns between. */
function path(points: readonly Placed[], backward: boolean): string {
  const [start, ...rest] = points.map(({ x, y }) => ({ x, y: Math.round(y) })) as [Placed, ...Placed[]];
  let [x, y] = [start.x + nodeWidth, start.y];
  const parts = [`M${x} ${y}`];
  for (const [index, point] of rest.entries()) {
    const bend = Math.round((x + point.x) / 2);
    parts.push(`C${bend} ${y} ${bend} ${point.y} ${point.x} ${point.y}`);
    [x, y] = [point.x, point.y];
    if (index < rest.length - 1) parts.push(`H${(x += nodeWidth)}`);
  }
  const tip = backward ? { x: start.x + nodeWidth, y: start.y, back: arrow } : { x, y, back: -arrow };
  return `${parts.join('')}M${tip.x + tip.back} ${tip.y - arrow}L${tip.x} ${tip.y}l${tip.back} ${arrow}`;
}
