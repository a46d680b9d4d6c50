import type { Agent } from '../model/agents/agent.ts';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import { listOf, sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { bounds } from './bounds.ts';
import { refusal } from './refusal.ts';
import type { World } from './world.ts';

/** An agent of the workspace. Throws a `Problem` for any other. */
export function agentNamed(name: string, { agents }: World): Agent {
  const agent = agents.all.find(each => each.name === name);
  if (agent !== undefined) return agent;
  const known = agents.all.slice(0, bounds.agents).map(each => quoted(each.name));
  throw refusal(
    sentence('This workspace has no agent {0}.', quoted(name)),
    known.length === 0 ? sentence('Add one with "A2A: Add Agent…".') : sentence('Use the name of one of its agents: {0}.', listOf(known)),
  );
}

/** A context of an agent of the workspace, by its key. Throws a `Problem` for any other, without a word on whether it exists. */
export function contextOf(key: string, { agents, contexts }: World): AgentContext {
  const context = contexts.get(key);
  if (context !== undefined && agents.all.some(({ name }) => name === context.agentName)) return context;
  throw refusal(
    sentence('The agents of this workspace have no context {0}.', quoted(key)),
    sentence('Use the "context" from a result of a2a_history or a2a_send.'),
  );
}
