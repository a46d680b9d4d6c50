import * as vscode from 'vscode';
import { faultText, faultSynopsis, readFault, wrongFaultValue, type ChosenFault } from '../../mock/chosenFault.ts';
import { faultNames, faults, type Fault, type FaultName } from '../../mock/faults.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { nodeOf } from '../agentsView/agentNodes.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import type { MisbehavingAgents } from '../agentsView/misbehavingAgents.ts';
import { translate } from '../platform/report.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { pickAgent } from './agentCommands.ts';

interface FaultCommandNeeds {
  readonly agents: Agents;
  readonly misbehaving: MisbehavingAgents;
  /** The row of an agent with another fault has another text. */
  readonly onChanged: () => void;
}

/** The command that makes an agent of this window misbehave. */
export function faultCommands({ agents, misbehaving, onChanged }: FaultCommandNeeds): Pick<CommandHandlers, 'a2a.chooseFault'> {
  const isOwn = ({ name }: { readonly name: string }): boolean => misbehaving.faultsOf(name) !== undefined;
  return {
    'a2a.chooseFault': async argument => {
      if (nodeOf('agent', argument) === undefined && !agents.all.some(isOwn))
        throw new Problem('no-own-agents', sentence('No sample or mock agent is running.'), {
          nextStep: sentence('Run "A2A: Start Sample Agents", or "A2A: Start or Stop Mock Agent" for a card or a recording.'),
        });
      const agent = await pickAgent(agents, argument, isOwn);
      const now = agent && misbehaving.faultsOf(agent.name);
      if (agent === undefined || now === undefined) return;
      const chosen = await pickFault(agent.name, now);
      if (chosen === undefined) return;
      await misbehaving.chooseFaults(agent.name, chosen);
      onChanged();
      // The card may have a fault, or have lost one.
      await agents.get(agent.name)?.check({ anew: true });
    },
  };
}

/** The faults that the person picks: one, or none. Undefined where the person leaves. */
async function pickFault(agent: string, now: readonly ChosenFault[]): Promise<readonly ChosenFault[] | undefined> {
  const none = { label: vscode.l10n.t('No Fault'), detail: vscode.l10n.t('The agent answers as it should.') };
  const rows = faultNames.map(name => ({
    label: name,
    description: now
      .filter(each => each.name === name)
      .map(faultText)
      .join(', '),
    detail: translate(faults[name].about),
    name,
  }));
  const items: readonly (vscode.QuickPickItem & { readonly name?: FaultName })[] = [...(now.length === 0 ? [] : [none]), ...rows];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Fault of "{0}"', escapeIcons(agent)),
    placeHolder: vscode.l10n.t('How should the agent misbehave?'),
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  if (picked.name === undefined) return [];
  const { value, about }: Fault = faults[picked.name];
  if (value === undefined) return [readFault(picked.name)];
  const text = await vscode.window.showInputBox({
    title: faultSynopsis(picked.name),
    prompt: translate(about),
    value: String(value.usual[0]),
    placeHolder: value.usual.join(', '),
    ignoreFocusOut: true,
    validateInput: typed => {
      const wrong = wrongFaultValue(typed.trim(), value);
      return wrong && translate(wrong);
    },
  });
  return text === undefined ? undefined : [readFault(`${picked.name}=${text.trim()}`)];
}
