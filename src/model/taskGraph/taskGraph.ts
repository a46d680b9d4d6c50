import { isTerminal } from '../../protocol/message/taskState.ts';
import type { LinkedTask } from '../../store/lists/taskLinks.ts';

/** A task, as the graph needs it. */
export type GraphTask = Pick<LinkedTask, 'taskId' | 'state' | 'references' | 'context'>;

/** A task, an unknown one (without `tasks`), or several finished ones that are shown as one. */
export interface GraphNode {
  /** Stays the same while tasks change their state and others come. */
  readonly key: string;
  /** Id of the task, or of the first of several. */
  readonly taskId: string;
  readonly tasks: readonly GraphTask[];
}

/** The second node's messages refer to the first. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
}

/** Tasks and their references; edges name nodes by their index. May have circles, since agents and people may write any reference. */
export interface TaskGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Number of references left out, because they lead to more unknown tasks than are shown. */
  readonly left: number;
}

/** Most unknown tasks that are shown. */
const maxUnknown = 40;

/** The graph of these tasks, in their order, followed by unknown tasks that they refer to. References of a task to itself are left out. */
export function graphOf(tasks: readonly GraphTask[]): TaskGraph {
  const nodes: GraphNode[] = tasks.map(task => ({ key: `task:${task.taskId}`, taskId: task.taskId, tasks: [task] }));
  const places = new Map(tasks.map(({ taskId }, place) => [taskId, place]));
  const edges: GraphEdge[] = [];
  let left = 0;
  for (const [to, { taskId, references }] of tasks.entries()) {
    for (const id of new Set(references)) {
      if (id === taskId) continue;
      if (!places.has(id) && nodes.length - tasks.length < maxUnknown) {
        places.set(id, nodes.length);
        nodes.push({ key: `unknown:${id}`, taskId: id, tasks: [] });
      }
      const from = places.get(id);
      if (from === undefined) left++;
      else edges.push({ from, to });
    }
  }
  return { nodes, edges, left };
}

/** True where all tasks of the node are in a terminal state. */
export const isOver = ({ tasks }: GraphNode): boolean => tasks.length > 0 && tasks.every(({ state }) => isTerminal(state));
