import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { fileBytes } from '../../model/fileBytes.ts';
import type { ImportOutcome } from '../../store/transfer/historyImport.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { log } from '../platform/log.ts';
import { escapeControls, escapeLinks } from '../platform/untrustedText.ts';
import { explain, inARow } from '../platform/report.ts';

/**
 * `A2A: Import Tasks…`: reads files that `A2A: Export…` wrote, skips what the history has already, and lists the lines that could not be
 * read.
 */
export async function importTasks({ history }: AgentContexts): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: vscode.l10n.t('Import'),
    filters: { [vscode.l10n.t('Exported tasks')]: ['jsonl'], [vscode.l10n.t('All files')]: ['*'] },
  });
  for (const file of files ?? []) {
    const outcome = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Importing {0}…', nameOf(file)), cancellable: true },
      (progress, token) => {
        let done = 0;
        const tell = (percent: number): void => {
          done = Math.min(100, done + percent);
          progress.report({ increment: percent, message: vscode.l10n.t('{0} %', Math.floor(done)) });
        };
        return history.importLines(read(file, token, tell), vscode.l10n.t('imported'));
      },
    );
    showOutcome(file, outcome);
  }
}

const nameOf = (file: vscode.Uri): string => file.path.split('/').at(-1) ?? file.path;

/** Largest file that is not on this machine, in bytes: such a file is read as a whole. */
const maxRemoteBytes = 256 * 2 ** 20;

/**
 * The file's bytes. What was imported before the person cancels stays.
 * @throws Problem `not-read` or `canceled`
 */
async function* read(file: vscode.Uri, token: vscode.CancellationToken, tell: (percent: number) => void): AsyncGenerator<Uint8Array> {
  if (file.scheme === 'file') yield* fileBytes(file.fsPath, { isCanceled: () => token.isCancellationRequested, tell });
  else {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > maxRemoteBytes)
      throw new Problem('not-read', sentence('The file {0} is larger than {1} MB.', nameOf(file), maxRemoteBytes / 2 ** 20), {
        nextStep: sentence('Copy it to this machine and import it from there.'),
      });
    yield await vscode.workspace.fs.readFile(file);
  }
}

function showOutcome(file: vscode.Uri, { added, known, entries, failed, problems }: ImportOutcome): void {
  const done =
    added === 0 && entries > 0
      ? vscode.l10n.t('Imported from {0}: {1} new messages. Tasks already in the history: {2}.', nameOf(file), entries, known)
      : vscode.l10n.t('Imported from {0}: {1} new tasks. Tasks already in the history: {2}.', nameOf(file), added, known);
  const [first] = problems;
  if (failed === 0 || first === undefined) {
    void vscode.window.showInformationMessage(escapeLinks(done));
    return;
  }
  for (const { line, problem } of problems) log.warn(escapeControls(`${file.toString()}:${line}: ${explain(problem).message}`));
  const showLog = vscode.l10n.t('Show Log');
  const failure = vscode.l10n.t('Unreadable lines: {0}. First: line {1}: {2}', failed, first.line, explain(first.problem).message);
  void vscode.window.showWarningMessage(escapeLinks(inARow(done, failure)), showLog).then(choice => {
    if (choice === showLog) log.show();
  });
}
