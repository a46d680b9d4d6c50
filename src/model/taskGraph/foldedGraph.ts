import { isOver, type GraphNode, type GraphTask, type TaskGraph } from './taskGraph.ts';

interface Group {
  readonly place: number;
  readonly nodes: readonly GraphNode[];
  readonly finished: boolean;
  readonly before: Set<Group>;
  readonly after: Set<Group>;
}

/** A picture that is wider than this is walked through, not seen: so many of a longer row of finished tasks are left. */
const maxRow = 6;

/**
 * Folds finished tasks into shared nodes, the oldest first: all but the last few of a row in which each task refers to the one before
 * alone; then, while more than `limit` nodes are left, the longest row or largest set of tasks with the same neighbours. A folded node has
 * all its tasks in `tasks`.
 * @param stays tasks that are never folded
 */
export function foldedGraph(net: TaskGraph, limit: number, stays: (task: GraphTask) => boolean): TaskGraph {
  let groups: Group[] = net.nodes.map((node, place) => ({
    place,
    nodes: [node],
    before: new Set(),
    after: new Set(),
    finished: isOver(node) && !node.tasks.some(stays),
  }));
  for (const { from, to } of net.edges) {
    const [one, other] = [groups[from], groups[to]];
    if (one === undefined || other === undefined) continue;
    one.after.add(other);
    other.before.add(one);
  }
  for (const row of rows(groups)) if (row.length > maxRow) groups = without(groups, row.slice(0, row.length - maxRow + 1));
  while (groups.length > limit) {
    const together = largest([...rows(groups), ...twins(groups)]).slice(0, groups.length - limit + 1);
    if (together.length < 2) break;
    groups = without(groups, together);
  }
  return groups.length === net.nodes.length ? net : { ...netOfGroups(groups), left: net.left };
}

const only = (groups: ReadonlySet<Group>): Group | undefined => (groups.size === 1 ? [...groups][0] : undefined);
const largest = (lists: readonly (readonly Group[])[]): readonly Group[] =>
  lists.reduce((most, list) => (list.length > most.length ? list : most), []);

/** The group behind this one, where each has the other alone and both are finished. */
function behind(group: Group): Group | undefined {
  const next = only(group.after);
  return next !== undefined && next !== group && group.finished && next.finished && only(next.before) === group ? next : undefined;
}

function rows(groups: readonly Group[]): readonly (readonly Group[])[] {
  const followers = new Set(groups.map(behind));
  // One in a circle follows upon another of it, so that a circle has no beginning and stays.
  return groups
    .filter(group => group.finished && !followers.has(group))
    .map(first => {
      const row = [first];
      for (let next = behind(first); next !== undefined; next = behind(next)) row.push(next);
      return row;
    });
}

function twins(groups: readonly Group[]): readonly (readonly Group[])[] {
  const places = (set: ReadonlySet<Group>): string =>
    [...set]
      .map(({ place }) => place)
      .sort((a, b) => a - b)
      .join();
  const alike = Map.groupBy(
    groups.filter(({ finished }) => finished),
    ({ before, after }) => `${places(before)}|${places(after)}`,
  );
  return [...alike.values()];
}

/** All of them, one in the place of those that are taken together. */
function without(groups: readonly Group[], together: readonly Group[]): Group[] {
  const gone = new Set(together);
  return [...groups.filter(group => !gone.has(group)), joined(together)].sort((a, b) => a.place - b.place);
}

function joined(groups: readonly Group[]): Group {
  const parts = new Set(groups);
  const first = groups.reduce((a, b) => (a.place < b.place ? a : b));
  const others = (side: 'before' | 'after'): Set<Group> =>
    new Set(groups.flatMap(group => [...group[side]]).filter(group => !parts.has(group)));
  const one: Group = {
    place: first.place,
    finished: true,
    nodes: groups.flatMap(({ nodes }) => nodes),
    before: others('before'),
    after: others('after'),
  };
  for (const { after } of one.before) for (const part of parts) after.delete(part);
  for (const { before } of one.after) for (const part of parts) before.delete(part);
  for (const { after } of one.before) after.add(one);
  for (const { before } of one.after) before.add(one);
  return one;
}

function netOfGroups(groups: readonly Group[]): Pick<TaskGraph, 'nodes' | 'edges'> {
  const places = new Map(groups.map((group, place) => [group, place]));
  return {
    nodes: groups.map(({ nodes }) => {
      const [first] = nodes as readonly [GraphNode];
      return nodes.length === 1
        ? first
        : { key: `folded:${first.taskId}`, taskId: first.taskId, tasks: nodes.flatMap(({ tasks }) => tasks) };
    }),
    edges: groups.flatMap((group, from) => [...group.after].map(next => ({ from, to: places.get(next) ?? from }))),
  };
}
