import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { answers, requestsOfSkills } from '../../request/import/skills.ts';
import { requestText } from '../../request/import/requestJson.ts';
import { openUntitled } from '../platform/untitledDocument.ts';
import { log } from '../platform/log.ts';

/** A minimal request, for an agent without a known card. */
const hello = { name: 'hello', message: 'Hello!', expect: answers([]) };

/** The agent that an argument of a command names, or that the person picks. */
type PickAgent = (argument: unknown) => Promise<Agent | undefined>;

/**
 * Opens an unsaved `.a2a` file that can be sent as it is, with a request for each skill of the agent's card if that is known.
 * @param argument the agent's row in the tree, or its name; if missing, the only agent, or the one that the person picks
 */
export async function newRequestFile(agents: Agents, argument: unknown, pickAgent: PickAgent): Promise<void> {
  const some = agents.all.length > 0;
  const agent = some ? await pickAgent(argument ?? (agents.all.length === 1 ? agents.all[0]?.name : undefined)) : undefined;
  if (some && agent === undefined) return;
  const requests = agent === undefined ? [] : requestsOfSkills(await cardOf(agent));
  await openUntitled(
    'request',
    '.a2a',
    `${requestText({ agent: agent?.name ?? 'http://localhost:9999', requests: requests.length > 0 ? requests : [hello] })}\n`,
  );
}

/** The card, or an empty one if the agent cannot be reached. */
async function cardOf(agent: Agent) {
  if (agent.card === undefined && vscode.workspace.isTrusted) {
    await agent.connect().catch((error: unknown) => log.info(`a request file without the card: ${String(error)}`));
  }
  return agent.card ?? { skills: [], defaultInputModes: [], defaultOutputModes: [] };
}
