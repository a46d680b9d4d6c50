import type { Shape } from './rows.ts';

/** The entries of one task since the person's last message to it, in one place although entries of other tasks came in between. */
export interface TaskTurn {
  readonly taskId: string;
  /** Index of its last entry among all. */
  last: number;
  readonly first: number;
  readonly shapes: Shape[];
}

interface Arranged {
  readonly shapes: readonly Shape[];
  /** The turn of each entry that was gathered with others of its task. */
  readonly turns: ReadonlyMap<Shape, TaskTurn>;
}

const none: ReadonlyMap<Shape, TaskTurn> = new Map();

/**
 * Gathers what belongs to one turn of a task where something else came in between, such as another task at the same time: at the place of
 * its first entry, in the order of arrival. All else stays where it is. The time is linear in the number of shapes.
 */
export function gatherTurns(shapes: readonly Shape[]): Arranged {
  const turns = turnsOf(shapes);
  if (turns.every(({ taskId }) => taskId === turns[0]?.taskId)) return { shapes, turns: none };
  const parallel = overlapping(turns);
  if (parallel.size === 0) return { shapes, turns: none };
  const turnOf = new Map<Shape, TaskTurn>();
  for (const turn of parallel) for (const shape of turn.shapes) turnOf.set(shape, turn);
  return {
    turns: turnOf,
    shapes: shapes.flatMap(shape => {
      const turn = turnOf.get(shape);
      if (turn === undefined) return [shape];
      return turn.shapes[0] === shape ? turn.shapes : [];
    }),
  };
}

/** In order of their first entries. */
function turnsOf(shapes: readonly Shape[]): readonly TaskTurn[] {
  const turns: TaskTurn[] = [];
  const open = new Map<string, TaskTurn>();
  for (const [index, shape] of shapes.entries()) {
    const { taskId } = shape;
    if (taskId === undefined) continue;
    if (shape.mine) {
      open.delete(taskId);
      continue;
    }
    const turn = open.get(taskId);
    if (turn === undefined) {
      const begun = { taskId, first: index, last: index, shapes: [shape] };
      open.set(taskId, begun);
      turns.push(begun);
    } else {
      turn.shapes.push(shape);
      turn.last = index;
    }
  }
  return turns;
}

/** The turns with something else in between, and those that began meanwhile. */
function overlapping(turns: readonly TaskTurn[]): ReadonlySet<TaskTurn> {
  const found = new Set<TaskTurn>();
  let latest: TaskTurn | undefined;
  for (const turn of turns) {
    if (turn.last - turn.first >= turn.shapes.length) found.add(turn);
    if (latest !== undefined && latest.last > turn.first) {
      found.add(latest);
      found.add(turn);
    }
    if (latest === undefined || turn.last > latest.last) latest = turn;
  }
  return found;
}
