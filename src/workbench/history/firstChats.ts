import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { ContextSummary } from '../../protocol/message/transcript.ts';
import type { AgentsView } from '../agentsView/agentsView.ts';
import type { Drafts } from '../chat/drafts/drafts.ts';
import type { ChatPanels } from '../chat/panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import type { SampleAgents } from '../agents/sampleAgents.ts';

/** The sample agent that a first chat is opened with: it streams a text, so there is something to see. */
const first = 'Writer';
/** Contexts among which the newest is looked for: pinned ones come first in the list. */
const maxLooked = 100;

export interface FirstChatsNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly drafts: Drafts;
  readonly samples: SampleAgents;
  readonly view: Pick<AgentsView, 'visible' | 'revealAgent'>;
  /** The agent that an argument of a command means, or that the person picks. */
  readonly pickAgent: (argument: unknown) => Promise<Agent | undefined>;
  /** True where the row was opened with a key, which keeps the focus in the tree. */
  readonly chosenByKey: () => boolean;
}

/** The ways to a chat from an agent's name, and from no agent at all. */
export function firstChats(needs: FirstChatsNeeds): Pick<CommandHandlers, 'a2a.openNewestChat' | 'a2a.startSampleAgents'> {
  const { contexts, panels, chosenByKey, pickAgent } = needs;
  return {
    'a2a.openNewestChat': async argument => {
      const agent = await pickAgent(argument);
      if (agent === undefined) return;
      const focusBack = chosenByKey() ? 'a2a.agents.focus' : undefined;
      const newest = newestOf(contexts.page({ agent: agent.name, testRuns: false, limit: maxLooked }).items);
      const context = newest === undefined ? undefined : contexts.get(newest.key);
      await panels.open(context ?? (await contexts.patiently(() => contexts.create(agent.name))), undefined, { focusBack });
    },
    'a2a.startSampleAgents': () => startSampleAgents(needs),
  };
}

const newestOf = (contexts: readonly ContextSummary[]): ContextSummary | undefined =>
  contexts.reduce<ContextSummary | undefined>(
    (newest, each) => (newest !== undefined && newest.updatedAt >= each.updatedAt ? newest : each),
    undefined,
  );

/** Starts them with a progress notification, then reveals their rows and opens a first chat. */
async function startSampleAgents(needs: FirstChatsNeeds): Promise<void> {
  const { samples, view } = needs;
  const started =
    Object.keys(samples.agents).length === 0 &&
    (await vscode.window.withProgress(
      view.visible
        ? { location: { viewId: 'a2a.agents' } }
        : { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Starting the sample agents…') },
      () => samples.start(),
    ));
  const names = Object.keys(samples.agents);
  if (!started)
    void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t('The sample agents run already: {0}.', names.join(', '))));
  const writer = samples.nameOf(first);
  const shown = started ? (writer ?? names[0]) : names[0];
  try {
    if (shown !== undefined) await view.revealAgent(shown);
  } finally {
    if (started && writer !== undefined) await beginWith(writer, needs);
  }
}

/** Opens a chat whose message is the first example of the agent's card: the person has but to send it. */
async function beginWith(name: string, { agents, contexts, panels, drafts }: FirstChatsNeeds): Promise<void> {
  const agent = agents.get(name);
  await agent?.connect();
  const text = agent?.card?.skills.flatMap(({ examples = [] }) => examples)[0] ?? '';
  const context = await contexts.patiently(() => contexts.create(name));
  await drafts.keep(context.key, { version: 1, outputModes: [], text, textAt: 0, parts: [], references: [], metadata: '' });
  await panels.open(context);
}
