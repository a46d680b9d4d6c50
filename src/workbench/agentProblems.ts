import * as vscode from 'vscode';
import type { Agents } from '../model/agents.ts';
import { problemsOf } from './agentDecorations.ts';
import type { CommandId } from './commands.ts';
import { oneLine, unlinked } from './oneLine.ts';
import { report, translate } from './report.ts';

/** How long after an agent was added its card is still looked at, in milliseconds. */
const patience = 15_000;

/** Tells what does not fit between an agent that was just added and its card, as soon as that is known, with what helps. Once. */
export function tellProblems(agents: Agents, name: string): void {
  const told = vscode.Disposable.from(
    agents.onDidChange(() => look()),
    { dispose: () => clearTimeout(timer) },
  );
  const timer = setTimeout(() => told.dispose(), patience);
  const look = (): void => {
    const [problem] = problemsOf(agents.get(name)?.diagnosis ?? []).toSorted((one, other) => Number(other.remedy !== undefined) - Number(one.remedy !== undefined));
    if (problem === undefined) return;
    told.dispose();
    const fix = problem.remedy === undefined ? [] : [oneLine(translate(problem.remedy.title)).slice(0, 80)];
    void vscode.window.showWarningMessage(unlinked(`${name}: ${translate(problem.sentence)}`), ...fix).then(choice =>
      choice === undefined ? undefined : vscode.commands.executeCommand('a2a.fixAgent' satisfies CommandId, name)).then(undefined, report);
  };
  look();
}
