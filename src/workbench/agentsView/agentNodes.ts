import type { Agent } from '../../model/agents/agent.ts';
import type { TaskConnection } from '../../model/run/taskConnection.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import type { ArtifactVersion } from '../../model/contexts/artifactVersions.ts';
import type { ArtifactSummary } from '../../store/rows/artifactRows.ts';
import type { ContextSummary, TaskSummary } from '../../protocol/message/transcript.ts';
import type { Period } from './periods.ts';
import type { AgentMistakes } from '../platform/settings.ts';

/** What the tree shows: agent > context (or period) > task > artifact, with "Load more…" where a list goes on. */
export type AgentNode = {
  readonly kind: 'agent';
  /** As the history has it, too. */
  readonly name: string;
  /** Undefined for an agent that is no longer configured, or never was, and has contexts in the history. */
  readonly agent: Agent | undefined;
  /** What is wrong with its entry in the settings, or odd about it. */
  readonly mistakes?: AgentMistakes;
  /** The name of another agent that has the same address. */
  readonly twin?: string;
  /** A sample agent that does not run. */
  readonly sample?: true;
};
/** Groups what last changed at about the same time, where the tree is grouped so. */
export type PeriodNode = { readonly kind: 'period'; readonly parent: AgentNode; readonly period: Period };
/** Groups the contexts that tests made. `updatedAt` is that of the last one, in milliseconds since the epoch. */
export type TestRunsNode = { readonly kind: 'testRuns'; readonly parent: AgentNode; readonly updatedAt: number };
export type ContextNode = {
  readonly kind: 'context';
  readonly parent: AgentNode | PeriodNode | TestRunsNode;
  readonly context: ContextSummary;
  readonly connection?: TaskConnection;
};
export type TaskNode = {
  readonly kind: 'task';
  readonly parent: ContextNode | PeriodNode;
  readonly task: TaskSummary;
  readonly connection?: TaskConnection;
};
/** Without its content, which `seq` leads to. `arrives`: more of it may come. */
export type ArtifactNode = {
  readonly kind: 'artifact';
  readonly parent: TaskNode;
  readonly summary: ArtifactSummary;
  readonly arrives: boolean;
  readonly version?: ArtifactVersion;
  readonly versions: number;
};
/** `remote`: the agent lists further tasks. */
export type MoreNode = {
  readonly kind: 'more';
  readonly parent: AgentNode | ContextNode | PeriodNode | TestRunsNode;
  readonly remote?: true;
};
export type Node = AgentNode | PeriodNode | TestRunsNode | ContextNode | TaskNode | ArtifactNode | MoreNode;

/** Stable across refreshes, so that expansion and selection stay. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'agent':
      return `agent/${node.name}`;
    case 'period':
      return `${nodeId(node.parent)}/period/${node.period}`;
    case 'testRuns':
      return `${nodeId(node.parent)}/testRuns`;
    case 'context':
      return `context/${node.context.key}`;
    case 'task':
      return `task/${node.task.context}/${node.task.taskId}`;
    case 'artifact':
      return `${nodeId(node.parent)}/artifact/${node.summary.artifact.artifactId}`;
    case 'more':
      return `${nodeId(node.parent)}/more${node.remote === true ? '/remote' : ''}`;
  }
}

/** The agent that a row stands below. */
export function agentOf(node: Node): AgentNode {
  return node.kind === 'agent' ? node : agentOf(node.parent);
}

/** A tree item as a command's argument; anything else is undefined. */
export function nodeOf<K extends Node['kind']>(kind: K, argument: unknown): Extract<Node, { kind: K }> | undefined {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === kind
    ? (argument as Extract<Node, { kind: K }>)
    : undefined;
}

/**
 * The contexts and tasks that a command means: all selected rows where it was called for one of them, which VS Code gives as the second
 * argument; else its row; else, from a keybinding, the selection. A task whose context is among them goes with it.
 */
export function historyNodes(argument: unknown, rows: unknown, selection: readonly Node[]): readonly (ContextNode | TaskNode)[] {
  const meant: readonly unknown[] = Array.isArray(rows) && rows.length > 0 ? rows : argument === undefined ? selection : [argument];
  const nodes = meant.flatMap(node => nodeOf('context', node) ?? nodeOf('task', node) ?? []);
  const whole = new Set(nodes.flatMap(node => (node.kind === 'context' ? [node.context.key] : [])));
  return nodes.filter(node => node.kind === 'context' || !whole.has(node.task.context));
}

export const itemOf = (node: ContextNode | TaskNode): HistoryItem =>
  node.kind === 'context' ? { context: node.context.key } : { context: node.task.context, taskId: node.task.taskId };

export const titleOf = (node: ContextNode | TaskNode): string =>
  node.kind === 'context' ? node.context.title : node.task.title || node.task.taskId;
