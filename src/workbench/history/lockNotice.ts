import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';

/** Windows lock the history for a moment at a time; shorter waits than this, in milliseconds, are not shown. */
const noticeable = 1_000;

/** Shows a message for as long as another process locks the history against writing. */
export function showLockNotice(contexts: AgentContexts): vscode.Disposable {
  let soon: NodeJS.Timeout | undefined;
  let over: (() => void) | undefined;
  const end = (): void => {
    clearTimeout(soon);
    over?.();
    over = undefined;
  };
  const unsubscribe = contexts.onDidWait(waits => {
    end();
    if (waits)
      soon = setTimeout(() => {
        const { promise, resolve } = Promise.withResolvers<void>();
        over = resolve;
        void vscode.window.withProgress(
          {
            location: vscode.ProgressLocation.Notification,
            title: vscode.l10n.t('The history is busy; what arrives is written when it is free.'),
          },
          () => promise,
        );
      }, noticeable);
  });
  return {
    dispose: () => {
      unsubscribe();
      end();
    },
  };
}
