import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';

/** Windows write a moment at a time: nobody needs to know of less, in milliseconds. */
const noticeable = 1_000;

/** Says so for as long as another process keeps the history from being written. */
export function sayWhenBusy(contexts: AgentContexts): vscode.Disposable {
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
            title: vscode.l10n.t('The history is busy: what comes is written when it is free.'),
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
