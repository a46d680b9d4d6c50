import * as vscode from 'vscode';
import { ConformancePages, type ConformanceNeeds } from './conformancePages.ts';
import { ConformanceTests } from './conformanceTests.ts';
import { conformanceType } from './conformanceType.ts';

/** Registers the pages with the conformance of agents, and its rules in the Test Explorer. */
export function registerConformance(needs: ConformanceNeeds) {
  const pages = new ConformancePages(needs);
  const tests = new ConformanceTests({
    ...needs,
    onChecked: agent => {
      needs.onChecked(agent);
      pages.refresh(agent);
    },
  });
  const parts = vscode.Disposable.from(
    pages,
    tests,
    vscode.window.registerWebviewPanelSerializer(conformanceType, {
      deserializeWebviewPanel: (panel, state) => Promise.resolve(pages.restore(panel, state)),
    }),
  );
  return { dispose: () => void parts.dispose(), commands: pages.handlers };
}
