import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { WantedConnection } from '../../model/agents/wantedConnection.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';

/** Most runs of one command. */
const maxTimes = 20;

/** Where a conversation is run again, and how often. */
export interface AgainTarget {
  readonly agent: Agent;
  /** Undefined for the interface of the agent's settings or card. */
  readonly interface: WantedConnection | undefined;
  readonly times: number;
}

/**
 * Asks for the agent and its interface, and for the number of runs; undefined if the person cancels. Throws a `Problem` `no-agents`.
 * @param same name of the conversation's agent, which comes first where it is configured
 */
export async function pickTarget(
  agents: Agents,
  { same, messages, hasAssistants }: { readonly same: string; readonly messages: number; readonly hasAssistants: boolean },
): Promise<AgainTarget | undefined> {
  const first = agents.get(same);
  const others = agents.all.filter(agent => agent !== first);
  if (first === undefined && others.length === 0)
    throw new Problem('no-agents', sentence('No agents yet.'), {
      nextStep: sentence('Run "A2A: Add Agent…" or "A2A: Start Sample Agents".'),
    });
  const item = (agent: Agent, label: string, description: string, wanted?: WantedConnection) => ({
    label: escapeIcons(oneLine(label)),
    description: escapeIcons(oneLine(description)),
    target: { agent, wanted },
  });
  const { offered = [] } = first?.interfaces ?? {};
  const picked = await vscode.window.showQuickPick(
    [
      ...(first === undefined ? [] : [item(first, first.name, vscode.l10n.t('the same agent'))]),
      ...(first === undefined
        ? []
        : offered
            .filter(({ isSupported, chosen }) => isSupported && !chosen)
            .map(each => item(first, `${first.name} · ${interfaceName(each.interface)}`, each.interface.url, each.wanted))),
      ...(first === undefined || others.length === 0
        ? []
        : [{ label: vscode.l10n.t('Other Agents'), kind: vscode.QuickPickItemKind.Separator, target: undefined }]),
      ...others.map(agent => item(agent, agent.name, agent.url)),
    ],
    { title: vscode.l10n.t('Run Again'), placeHolder: vscode.l10n.t('Which agent gets the messages?'), matchOnDescription: true },
  );
  if (picked?.target === undefined) return undefined;
  const { agent, wanted } = picked.target;
  const times = await vscode.window.showInputBox({
    title: vscode.l10n.t('Run Again'),
    prompt: [
      messages === 1
        ? vscode.l10n.t('How many times? Each run sends the message in a new chat.')
        : vscode.l10n.t('How many times? Each run sends the {0} messages in a new chat.', messages),
      ...(hasAssistants ? [vscode.l10n.t('Those that a language model sent are sent as yours.')] : []),
    ].join(' '),
    value: '1',
    ignoreFocusOut: true,
    validateInput: text => (isTimes(text) ? undefined : vscode.l10n.t('A number from 1 to {0} is needed.', maxTimes)),
  });
  return times === undefined ? undefined : { agent, interface: wanted, times: Number(times) };
}

const isTimes = (text: string): boolean => /^\s*\d+\s*$/.test(text) && Number(text) >= 1 && Number(text) <= maxTimes;
