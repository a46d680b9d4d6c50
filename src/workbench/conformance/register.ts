import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { RuleId } from '../../protocol/ruleId.ts';
import { ConformancePages, type ConformanceNeeds } from './conformancePages.ts';
import { ConformanceTests } from './conformanceTests.ts';
import { conformanceType } from './conformanceType.ts';
import { readOnlyCheck } from './readOnlyCheck.ts';

/** Registers the pages with the conformance of agents, and its rules in the Test Explorer. */
export function registerConformance(needs: ConformanceNeeds) {
  const pages = new ConformancePages(needs);
  const onChecked = (agent: string): void => {
    needs.onChecked(agent);
    pages.refresh(agent);
  };
  // VS Code adds its Testing view to the activity bar with the first test controller, which must not move what is under the pointer: made
  // with the tests of requests, or where the person checks an agent or opens the view.
  let tests: ConformanceTests | undefined;
  const makeTests = (): void => {
    if (tests !== undefined) return;
    tests = new ConformanceTests({ ...needs, onChecked });
  };
  const parts = vscode.Disposable.from(
    pages,
    { dispose: () => tests?.dispose() },
    vscode.window.registerWebviewPanelSerializer(conformanceType, {
      deserializeWebviewPanel: (panel, state) => Promise.resolve(pages.restore(panel, state)),
    }),
  );
  const check = pages.handlers['a2a.checkConformance'];
  return {
    dispose: () => void parts.dispose(),
    makeTests,
    /** See `readOnlyCheck`. */
    readOnlyCheck: (agent: Agent, rules: readonly RuleId[] | undefined, signal: AbortSignal) =>
      readOnlyCheck(agent, rules, { ...needs, onChecked }, signal),
    commands: {
      'a2a.checkConformance': (argument: unknown) => {
        makeTests();
        return check(argument);
      },
      'a2a.openTests': async () => {
        makeTests();
        await vscode.commands.executeCommand('workbench.view.testing.focus');
      },
    },
  };
}
