import { isTerminal } from '../../protocol/message/taskState.ts';
import type { LinkedTask } from '../../store/lists/taskLinks.ts';

/** What the net needs to know of a task. */
export type GraphTask = Pick<LinkedTask, 'taskId' | 'state' | 'references' | 'context'>;

/** A task, one that nobody knows (without `tasks`), or several finished ones that are shown as one. */
export interface GraphNode {
  /** Stays the same while tasks change their state and others come. */
  readonly key: string;
  /** Of the task, or of the first of several. */
  readonly taskId: string;
  readonly tasks: readonly GraphTask[];
}

/** The second node's messages refer to the first. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
}

/** Tasks and what they rest on; edges name nodes by their place. May have circles: what agents and people write is not checked by anybody. */
export interface TaskGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** References that are left out, because they lead to ever more tasks that nobody knows. */
  readonly left: number;
}

/** Tasks that are referred to and not known: so many of them are shown. */
const maxUnknown = 40;

/** The net of these tasks, in their order; behind them those that are referred to and not among them. A task that refers to itself rests on nothing. */
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

/** Nothing more is to be expected of what the node stands for. */
export const isOver = ({ tasks }: GraphNode): boolean => tasks.length > 0 && tasks.every(({ state }) => isTerminal(state));
