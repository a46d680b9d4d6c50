import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Rescued } from '../../store/transfer/historyRescue.ts';
import { inARow, report } from '../platform/report.ts';

type OpenHistory = Parameters<AgentContexts['rescue']>[0];

/** Pause between two attempts, in milliseconds. */
const pause = 5_000;

/** Recovers a history whose files were deleted, truncated or replaced while it was in use, and reports the result. */
export class HistoryRecovery {
  readonly #contexts: AgentContexts;
  readonly #open: OpenHistory;
  #running = false;
  /** The last failure that was shown, so that each is shown once. */
  #shownFailure = '';

  constructor(contexts: AgentContexts, open: OpenHistory) {
    this.#contexts = contexts;
    this.#open = open;
  }

  /** Starts the recovery unless it is running; may be called any number of times. */
  recover(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#recover();
  }

  async #recover(): Promise<void> {
    try {
      const rescued = await this.#contexts.rescue(this.#open);
      this.#shownFailure = '';
      void showRescued(rescued);
    } catch (error) {
      if (this.#shownFailure !== String(error)) {
        this.#shownFailure = String(error);
        void vscode.window.showErrorMessage(
          vscode.l10n.t('The history was deleted or truncated while in use. What arrives is kept in memory until a new file can be made.'),
        );
        void report(error);
      }
      await setTimeout(pause);
    } finally {
      this.#running = false;
    }
  }
}

async function showRescued({ whole, brought: { tasks, unreadable }, setAside }: Rescued): Promise<void> {
  const aside = setAside === undefined ? '' : vscode.l10n.t('The old file is kept as {0}.', setAside);
  if (whole) {
    void vscode.window.showWarningMessage(
      inARow(
        vscode.l10n.t(
          'The history was deleted or truncated while in use. Everything was still available and has been written to a new file.',
        ),
        aside,
      ),
    );
    return;
  }
  const reload = vscode.l10n.t('Reload Window');
  const text = vscode.l10n.t(
    'The history was replaced while in use. Tasks recovered: {0}; lost or incomplete: {1}. Reload the window to see all.',
    tasks,
    unreadable,
  );
  if ((await vscode.window.showWarningMessage(inARow(text, aside), reload)) === reload)
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
}
