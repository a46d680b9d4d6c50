import type { ChosenFault } from '../../mock/chosenFault.ts';
import type { Agent } from '../../model/agents/agent.ts';
import type { TaskConnection } from '../../model/run/taskConnection.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import type { ArtifactVersion } from '../../model/contexts/artifactVersions.ts';
import type { ArtifactSummary } from '../../store/rows/artifactRows.ts';
import type { ContextMaker, ContextSummary, TaskSummary } from '../../protocol/message/transcript.ts';
import type { Period } from './periods.ts';
import type { AgentMistakes } from '../platform/settings.ts';

/** A row of the tree: agent > maker > context (or period) > task > artifact, and "Load more…" at the end of a list that continues. */
export type AgentNode = {
  readonly kind: 'agent';
  /** The agent's name in the window and in the history. */
  readonly name: string;
  /** Undefined for an agent that is in the history but not configured (any more). */
  readonly agent: Agent | undefined;
  /** Mistakes and warnings about its entry in the settings. */
  readonly mistakes?: AgentMistakes;
  /** Name of another agent that has the same URL. */
  readonly sameUrlAs?: string;
  /** Number of MUST rules that its last conformance check found broken. */
  readonly broken?: number;
  /** Set where ordinary traffic with it deviates from the protocol. */
  readonly deviates?: true;
  /** True for a sample agent that does not run. */
  readonly sample?: true;
  /** True for an agent that a debug session ran, which has ended. */
  readonly debugged?: true;
  /** Faults of an agent that this window runs itself; undefined for any other. */
  readonly faults?: readonly ChosenFault[];
  /** Number of its tasks that wait for the person. */
  readonly waiting?: number;
};
/** Groups what last changed in the same period, if the tree is grouped by time. */
export type PeriodNode = { readonly kind: 'period'; readonly parent: AgentNode | MakerNode; readonly period: Period };
/** Groups the contexts that the person did not begin in a chat. */
export type MakerNode = {
  readonly kind: 'maker';
  readonly parent: AgentNode;
  readonly madeBy: Exclude<ContextMaker, 'person'>;
  /** Number of contexts that fit the filter, and text of one that is too large to count. */
  readonly count: string;
  /** Number of these contexts in which a task waits for the person. */
  readonly waiting: number;
  /** True while the tree is filtered: the group is unfolded then. */
  readonly filtered: boolean;
};
export type ContextNode = {
  readonly kind: 'context';
  readonly parent: AgentNode | PeriodNode | MakerNode;
  readonly context: ContextSummary;
  readonly connection?: TaskConnection;
  /** It is run again when its agent is back. */
  readonly onRestart?: boolean;
};
export type TaskNode = {
  readonly kind: 'task';
  readonly parent: ContextNode | AgentNode | PeriodNode | MakerNode;
  readonly task: TaskSummary;
  readonly connection?: TaskConnection;
};
/** Without its content, which is found by `seq`. `arrives` is true while more of it may arrive. */
export type ArtifactNode = {
  readonly kind: 'artifact';
  readonly parent: TaskNode;
  readonly summary: ArtifactSummary;
  readonly isArriving: boolean;
  readonly version?: ArtifactVersion;
  readonly versions: number;
};
/** `remote`: the agent itself lists further tasks. */
export type MoreNode = {
  readonly kind: 'more';
  readonly parent: AgentNode | ContextNode | PeriodNode | MakerNode;
  readonly remote?: true;
};
/** Under an agent without contexts: begins its first chat. */
export type NewChatNode = { readonly kind: 'newChat'; readonly parent: AgentNode };
export type Node = NewChatNode | AgentNode | PeriodNode | MakerNode | ContextNode | TaskNode | ArtifactNode | MoreNode;

/** An id that is stable across refreshes, so that expansion and selection are kept. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'agent':
      return `agent/${node.name}`;
    case 'period':
      return `${nodeId(node.parent)}/period/${node.period}`;
    case 'maker':
      return `${nodeId(node.parent)}/maker/${node.madeBy}${node.filtered ? '/filtered' : ''}`;
    case 'context':
      return `context/${node.context.key}`;
    case 'task':
      return `task/${node.task.context}/${node.task.taskId}`;
    case 'artifact':
      return `${nodeId(node.parent)}/artifact/${node.summary.artifact.artifactId}`;
    case 'newChat':
      return `${nodeId(node.parent)}/newChat`;
    case 'more':
      return `${nodeId(node.parent)}/more${node.remote === true ? '/remote' : ''}`;
  }
}

/** The agent above a row. */
export function agentOf(node: Node): AgentNode {
  return node.kind === 'agent' ? node : agentOf(node.parent);
}

/** A tree item passed as a command's argument; undefined if the argument is anything else. */
export function nodeOf<K extends Node['kind']>(kind: K, argument: unknown): Extract<Node, { kind: K }> | undefined {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === kind
    ? (argument as Extract<Node, { kind: K }>)
    : undefined;
}

/**
 * The contexts and tasks that a command applies to: all selected rows if it was run on one of them (VS Code passes them as second
 * argument), else its row, else, from a keybinding, the selection. Tasks of a context that is included are left out.
 */
export function selectedHistoryNodes(argument: unknown, rows: unknown, selection: readonly Node[]): readonly (ContextNode | TaskNode)[] {
  const meant: readonly unknown[] = Array.isArray(rows) && rows.length > 0 ? rows : argument === undefined ? selection : [argument];
  const nodes = meant.flatMap(node => nodeOf('context', node) ?? nodeOf('task', node) ?? []);
  const whole = new Set(nodes.flatMap(node => (node.kind === 'context' ? [node.context.key] : [])));
  return nodes.filter(node => node.kind === 'context' || !whole.has(node.task.context));
}

export const itemOf = (node: ContextNode | TaskNode): HistoryItem =>
  node.kind === 'context' ? { context: node.context.key } : { context: node.task.context, taskId: node.task.taskId };

export const titleOf = (node: ContextNode | TaskNode): string =>
  node.kind === 'context' ? node.context.title : node.task.title || node.task.taskId;
