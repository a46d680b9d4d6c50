import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { AgentsView } from '../agentsView/agentsView.ts';
import type { Drafts } from './drafts/drafts.ts';
import type { ChatPanels } from './panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeLinks } from '../platform/untrustedText.ts';
import type { SampleAgents } from '../agents/sampleAgents.ts';
import { translatedList } from '../platform/report.ts';

/** The sample agent that a first chat is opened with: it streams a text, so there is something to see. */
const first = 'Writer';

interface FirstChatNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
  readonly drafts: Drafts;
  readonly samples: SampleAgents;
  readonly view: Pick<AgentsView, 'visible' | 'revealAgent'>;
}

/** Starts and stops the sample agents, the first time with a chat to begin with. */
export function sampleCommands(needs: FirstChatNeeds): Pick<CommandHandlers, 'a2a.startSampleAgents' | 'a2a.stopSampleAgents'> {
  return { 'a2a.startSampleAgents': () => startSampleAgents(needs), 'a2a.stopSampleAgents': () => needs.samples.stop() };
}

/** Starts them with a progress notification, then reveals their rows and opens a first chat. */
async function startSampleAgents(needs: FirstChatNeeds): Promise<void> {
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
    void vscode.window.showInformationMessage(
      escapeLinks(vscode.l10n.t('The sample agents are already running: {0}.', translatedList(names))),
    );
  const writer = samples.nameOf(first);
  const shown = started ? (writer ?? names[0]) : names[0];
  try {
    if (shown !== undefined) await view.revealAgent(shown);
  } finally {
    if (started && writer !== undefined) await beginWith(writer, needs);
  }
}

/** Opens a chat whose message is the first example of the agent's card: the person has but to send it. */
async function beginWith(name: string, { agents, contexts, panels, drafts }: FirstChatNeeds): Promise<void> {
  const agent = agents.get(name);
  await agent?.connect();
  const text = agent?.card?.skills.flatMap(({ examples = [] }) => examples)[0] ?? '';
  const context = await contexts.patiently(() => contexts.create(name));
  await drafts.keep(context.key, { version: 1, outputModes: [], text, textAt: 0, parts: [], references: [], metadata: '' });
  await panels.open(context);
}
