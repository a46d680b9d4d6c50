import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import { problemsOf } from './agentDecorations.ts';
import type { CommandId } from './commands.ts';
import { oneLine, unlinked } from './oneLine.ts';
import { translate } from './report.ts';

/** Looks at an agent that was just added, and tells what does not fit between it and its card, with what helps. */
export async function tellProblems(agent: Agent): Promise<void> {
  if (agent.reachability === 'unknown') await agent.check();
  await agent.diagnosed;
  const problems = problemsOf(agent.diagnosis);
  const problem = problems.find(({ remedy }) => remedy !== undefined) ?? problems[0];
  if (problem === undefined) return;
  const fix = problem.remedy === undefined ? [] : [oneLine(translate(problem.remedy.title)).slice(0, 80)];
  const choice = await vscode.window.showWarningMessage(unlinked(`${agent.name}: ${translate(problem.sentence)}`), ...fix);
  if (choice !== undefined) await vscode.commands.executeCommand('a2a.fixAgent' satisfies CommandId, agent.name);
}
