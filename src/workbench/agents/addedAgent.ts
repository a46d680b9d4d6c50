import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { problemsOf } from '../agentsView/agentDecorations.ts';
import { escapeLinks, oneLine } from '../platform/untrustedText.ts';
import { inARow, translate } from '../platform/report.ts';
import { findingSentence } from '../../protocol/finding.ts';

/** Timeout for the checks of an agent that was just added, in milliseconds; later results show in the tree. */
const checkTimeoutMs = 2_000;
/** Longest label of a button, in characters. */
const maxButtonLength = 80;

/**
 * Opens a chat with an agent that was just added, and announces the first mismatch between it and its card. Without one there is no
 * notification: it would lie over the button that sends, and the agent's row is selected.
 */
export async function openAddedAgent(name: string, agent: Agent | undefined, openChat: (agent: string) => Promise<unknown>): Promise<void> {
  await openChat(name);
  const problem = await firstProblemOf(agent);
  if (problem === undefined) return;
  const card = vscode.l10n.t('Open Card');
  const words = inARow(vscode.l10n.t('Added the agent "{0}".', name), problem.words);
  // Not awaited: the command is done before the notification is closed.
  void vscode.window.showWarningMessage(escapeLinks(words), ...problem.remedy, card).then(choice => {
    if (choice === card) void vscode.commands.executeCommand('a2a.openAgentCard', name);
    else if (choice !== undefined) void vscode.commands.executeCommand('a2a.fixAgent', name);
  });
}

/** The first mismatch between an agent and its card as a sentence, with a button for its remedy. A mismatch with a remedy comes first. */
async function firstProblemOf(
  agent: Agent | undefined,
): Promise<{ readonly words: string; readonly remedy: readonly string[] } | undefined> {
  if (agent === undefined) return undefined;
  await Promise.race([checked(agent), new Promise(resolve => setTimeout(resolve, checkTimeoutMs))]);
  const problems = problemsOf(agent.diagnosis);
  const problem = problems.find(({ suggestedFix }) => suggestedFix !== undefined) ?? problems[0];
  if (problem === undefined) return undefined;
  return {
    words: translate(findingSentence(problem.finding)),
    remedy: problem.suggestedFix === undefined ? [] : [oneLine(translate(problem.suggestedFix.title)).slice(0, maxButtonLength)],
  };
}

async function checked(agent: Agent): Promise<void> {
  await agent.check({ anew: true });
  await agent.diagnosed;
}
