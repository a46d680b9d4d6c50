import * as vscode from 'vscode';
import { ConformancePages, type ConformanceNeeds } from './conformancePages.ts';
import { isConfigured } from '../platform/settings.ts';
import { ConformanceTests } from './conformanceTests.ts';
import { conformanceType } from './conformanceType.ts';

/** Registers the pages with the conformance of agents, and its rules in the Test Explorer. */
export function registerConformance(needs: ConformanceNeeds) {
  const pages = new ConformancePages(needs);
  // VS Code adds its Testing view to the activity bar with the first test controller: made once there is an agent to test.
  let tests: ConformanceTests | undefined;
  const makeTests = (): void => {
    if (tests !== undefined || !needs.agents.all.some(({ name }) => isConfigured(name))) return;
    tests = new ConformanceTests({
      ...needs,
      onChecked: agent => {
        needs.onChecked(agent);
        pages.refresh(agent);
      },
    });
  };
  makeTests();
  const parts = vscode.Disposable.from(
    pages,
    needs.agents.onDidChange(makeTests),
    { dispose: () => tests?.dispose() },
    vscode.window.registerWebviewPanelSerializer(conformanceType, {
      deserializeWebviewPanel: (panel, state) => Promise.resolve(pages.restore(panel, state)),
    }),
  );
  return { dispose: () => void parts.dispose(), commands: pages.handlers };
}
