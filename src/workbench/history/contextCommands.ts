import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Node, nodeOf } from '../agentsView/agentNodes.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';

/** Own contexts among which the newest is looked for: pinned ones come first in the list. */
const maxLooked = 100;

type ContextCommands = Pick<CommandHandlers, 'a2a.openChat' | 'a2a.openContext' | 'a2a.copyId'>;

/** @throws Problem `gone` if the context is not in the history */
export function contextAt(contexts: AgentContexts, key: string): AgentContext {
  const context = contexts.get(key);
  if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
  return context;
}

/** Commands that open chats, and copy the id of a row. */
export function contextCommands({
  pickAgent,
  contexts,
  panels,
  selected,
  chosenByKey,
}: {
  /** The agent that the argument names, or that the person picks. */
  readonly pickAgent: (argument: unknown) => Promise<Agent | undefined>;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  /** The row that a command applies to if it has no argument, as from a keybinding. */
  readonly selected: () => Node | undefined;
  /** True if the command was run on a row by key: the focus stays in the tree then. */
  readonly chosenByKey: () => boolean;
}): ContextCommands {
  const contextOf = (argument: unknown): AgentContext => {
    const meant = argument ?? selected();
    const key = typeof meant === 'string' ? meant : (nodeOf('context', meant)?.context.key ?? nodeOf('task', meant)?.task.context);
    if (key === undefined) throw new Problem('nothing-selected', sentence('Select a context in the A2A view first.'));
    return contextAt(contexts, key);
  };
  const newestOf = (agent: string): AgentContext | undefined => {
    const { items } = contexts.page({ agent, madeBy: ['person'], limit: maxLooked });
    const [newest] = items.toSorted((one, other) => other.updatedAt - one.updatedAt);
    return newest && contexts.get(newest.key);
  };
  return {
    'a2a.openChat': async argument => {
      const agent = await pickAgent(argument);
      if (agent !== undefined) await panels.open(await contexts.patiently(() => contexts.create(agent.name)));
    },
    'a2a.openContext': async argument => {
      const focusBack = chosenByKey() ? 'a2a.agents.focus' : undefined;
      const agent = nodeOf('agent', argument)?.name;
      const context =
        agent === undefined ? contextOf(argument) : (newestOf(agent) ?? (await contexts.patiently(() => contexts.create(agent))));
      await panels.open(context, undefined, { focusBack });
    },
    'a2a.copyId': async argument => {
      const node = argument ?? selected();
      if (nodeOf('context', node) === undefined && nodeOf('task', node) === undefined && nodeOf('artifact', node) === undefined) {
        throw new Problem('nothing-selected', sentence('Select a context, a task or an artifact in the A2A view first.'));
      }
      const id =
        nodeOf('context', node)?.context.contextId ??
        nodeOf('task', node)?.task.taskId ??
        nodeOf('artifact', node)?.summary.artifact.artifactId;
      if (id === undefined) throw new Problem('no-id', sentence('The agent has not assigned an ID to this context yet.'));
      await vscode.env.clipboard.writeText(id);
    },
  };
}
