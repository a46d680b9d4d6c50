import type { Agent } from '../model/agents/agent.ts';
import type { AgentContext } from '../model/contexts/agentContext.ts';
import { sentence } from '../protocol/problem.ts';
import { quoted } from '../protocol/quoted.ts';
import { refusal } from './refusal.ts';
import type { Place, World } from './world.ts';

/** An agent of the workspace. Throws a `Problem` for any other, which names none: consent may not have been asked for yet. */
export function agentNamed(name: string, { agents }: World): Agent {
  const agent = agents.all.find(each => each.name === name);
  if (agent !== undefined) return agent;
  throw refusal(sentence('This workspace has no agent {0}.', quoted(name)), sentence('Use the name of an agent from a2a_agents.'));
}

/** A context of an agent of the workspace, by its key. Throws a `Problem` for any other, without a word on whether it exists. */
export function contextOf(key: string, { agents, contexts, archive }: World): AgentContext {
  const context = contexts.get(key) ?? archive?.get(key);
  if (context !== undefined && agents.all.some(({ name }) => name === context.agentName)) return context;
  throw refusal(
    sentence('The agents of this workspace have no context {0}.', quoted(key)),
    sentence('Use the "context" from a result of a2a_history or a2a_send.'),
  );
}

/** Throws a `Problem` for a context of the archive, where nothing is sent. @param inArchive see `World` */
export function refuseArchived(inArchive: AgentContext | undefined): void {
  if (inArchive === undefined) return;
  throw refusal(
    sentence('This conversation is in a history that is only read: nothing is sent in it.'),
    sentence('Read it with a2a_history, or begin a new one with a2a_send.'),
  );
}

/** A line with the address that opens a row; none where there is no address. */
export function openLine(place: Place, { link }: World): readonly string[] {
  const address = link(place);
  return address === undefined ? [] : [`Open it: ${address}`];
}
