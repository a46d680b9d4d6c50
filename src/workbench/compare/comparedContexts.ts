import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { ContextSummary } from '../../protocol/message/transcript.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { type Node, nodeOf, selectedHistoryNodes } from '../agentsView/agentNodes.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { ComparedContexts, maxRuns } from './comparisonPages.ts';

/** Most contexts of one agent to choose from: the pinned ones and the newest. */
const maxOffered = 100;

/**
 * Keys of the contexts to compare: those that a program names, those of several selected rows, or those that the person picks, of the agent
 * or of all. Undefined if none are picked.
 * @throws Problem `too-many` for more than eight, `too-few` for less than two.
 */
export async function comparedContexts(
  { argument, rows, selection }: { readonly argument: unknown; readonly rows: unknown; readonly selection: readonly Node[] },
  contexts: AgentContexts,
): Promise<readonly string[] | undefined> {
  const given = ComparedContexts.safeParse(argument);
  if (given.success) return given.data.contexts;
  const agent = nodeOf('agent', argument)?.name;
  const selected = selectedHistoryNodes(argument, rows, agent === undefined ? selection : []).map(node =>
    node.kind === 'context' ? node.context.key : node.task.context,
  );
  const several = oldestFirst([...new Set(selected)], contexts);
  const ofAgent = agent ?? contexts.get(several[0] ?? '')?.agentName;
  const keys = several.length > 1 ? several : await pickContexts(ofAgent, several, contexts);
  if (keys === undefined) return undefined;
  if (keys.length > maxRuns) throw new Problem('too-many', sentence('At most {0} runs can be compared.', maxRuns));
  if (keys.length < 2) {
    throw new Problem('too-few', sentence('There is nothing to compare.'), { nextStep: sentence('Choose two or more contexts.') });
  }
  return keys;
}

async function pickContexts(
  agent: string | undefined,
  chosen: readonly string[],
  contexts: AgentContexts,
): Promise<readonly string[] | undefined> {
  const agents = agent === undefined ? contexts.agentNames() : [agent];
  const offered = agents.flatMap(name => contexts.page({ agent: name, limit: maxOffered }).items);
  const item = ({ key, title, agent: name, updatedAt }: ContextSummary) => ({
    label: escapeIcons(title),
    description: escapeIcons(vscode.l10n.t('{0} · {1}', name, relativeTime(updatedAt))),
    picked: chosen.includes(key),
    key,
  });
  const picked = await vscode.window.showQuickPick(offered.toSorted((one, other) => other.updatedAt - one.updatedAt).map(item), {
    title: vscode.l10n.t('Compare Runs'),
    placeHolder: vscode.l10n.t('Choose two to eight contexts. The others are compared with the oldest, the base.'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return (
    picked &&
    oldestFirst(
      picked.map(({ key }) => key),
      contexts,
    )
  );
}

/** The base of a comparison is what was there before. */
function oldestFirst(keys: readonly string[], contexts: AgentContexts): readonly string[] {
  const begun = new Map(keys.map(key => [key, contexts.get(key)?.entriesAfter(0, 1).items[0]?.at ?? Number.MAX_VALUE]));
  return keys.toSorted((one, other) => begun.get(one)! - begun.get(other)!);
}
