import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands.ts';
import { isRequestDocument } from '../../documents/requestDocuments.ts';
import { environmentTitle } from './environmentTitle.ts';
import type { FileEnvironments } from '../values/fileEnvironments.ts';

/** Status bar item with the environment of the active request file; red if that is marked as production. */
export class EnvironmentStatus implements vscode.Disposable {
  readonly #environments: FileEnvironments;
  readonly #item = vscode.window.createStatusBarItem('a2a.environment', vscode.StatusBarAlignment.Right, 90);
  readonly #registration: vscode.Disposable;

  constructor(environments: FileEnvironments) {
    this.#environments = environments;
    this.#item.name = vscode.l10n.t('A2A Environment');
    this.#item.command = 'a2a.selectEnvironment' satisfies CommandId;
    const update = (): void => this.#update();
    this.#registration = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(update),
      environments.onDidChange(update),
      // Fires also when a document's language changes to or from request file.
      vscode.workspace.onDidOpenTextDocument(update),
    );
    update();
  }

  dispose(): void {
    this.#registration.dispose();
    this.#item.dispose();
  }

  #update(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isRequestDocument(document)) {
      this.#item.hide();
      return;
    }
    const environment = this.#environments.of(document.uri);
    this.#item.text = `$(server-environment) ${environmentTitle(environment)}`;
    this.#item.tooltip = vscode.l10n.t('Environment of this request file. Select another one.');
    this.#item.backgroundColor = environment.production ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}
