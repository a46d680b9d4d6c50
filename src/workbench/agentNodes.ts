import type { Agent } from '../model/agent.ts';
import type { ArtifactVersion } from '../model/artifactVersions.ts';
import type { ArtifactSummary } from '../store/artifactRows.ts';
import type { ContextSummary, TaskSummary } from '../protocol/transcript.ts';

/** What the tree shows: agent > context > task > artifact, with "Load more…" where a list goes on. */
export type AgentNode = {
  readonly kind: 'agent';
  /** As the history has it, too. */
  readonly name: string;
  /** Undefined for an agent that is no longer configured, or never was, and has contexts in the history. */
  readonly agent: Agent | undefined;
};
export type ContextNode = { readonly kind: 'context'; readonly parent: AgentNode; readonly context: ContextSummary };
export type TaskNode = { readonly kind: 'task'; readonly parent: ContextNode; readonly task: TaskSummary };
/** Without its content, which `seq` leads to. */
export type ArtifactNode = { readonly kind: 'artifact'; readonly parent: TaskNode; readonly summary: ArtifactSummary; readonly version?: ArtifactVersion; readonly versions: number };
export type MoreNode = { readonly kind: 'more'; readonly parent: AgentNode | ContextNode };
export type Node = AgentNode | ContextNode | TaskNode | ArtifactNode | MoreNode;

/** Stable across refreshes, so that expansion and selection stay. */
export function nodeId(node: Node): string {
  switch (node.kind) {
    case 'agent': return `agent/${node.name}`;
    case 'context': return `context/${node.context.key}`;
    case 'task': return `task/${node.task.context}/${node.task.taskId}`;
    case 'artifact': return `${nodeId(node.parent)}/artifact/${node.summary.artifact.artifactId}`;
    case 'more': return `${nodeId(node.parent)}/more`;
  }
}

/** A tree item as a command's argument; anything else is undefined. */
export function nodeOf<K extends Node['kind']>(kind: K, argument: unknown): Extract<Node, { kind: K }> | undefined {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === kind
    ? argument as Extract<Node, { kind: K }>
    : undefined;
}
