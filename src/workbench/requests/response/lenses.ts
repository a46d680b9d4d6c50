import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands.ts';
import type { RequestSessions } from '../session/requestSessions.ts';
import { responseScheme } from './document.ts';
import { isConfigured } from '../../platform/settings.ts';

/** A code lens in a response that chooses another interface for the agent. */
export class ResponseLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #sessions: RequestSessions;
  readonly #registration: vscode.Disposable;

  constructor(sessions: RequestSessions) {
    this.#sessions = sessions;
    this.#registration = vscode.languages.registerCodeLensProvider({ scheme: responseScheme }, this);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const session = this.#sessions.peek(vscode.Uri.parse(document.uri.query, true));
    const agent = session?.shown === undefined ? undefined : session.runs.get(session.shown)?.agent?.name;
    // The document is indented by two, so this matches only a member of its root, never text of an agent.
    const offset = document.getText().search(/^  "interface": /m);
    if (agent === undefined || offset < 0 || !isConfigured(agent)) return [];
    const line = document.positionAt(offset).line;
    return [
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
        title: `$(plug)\u00a0${vscode.l10n.t('Choose Interface…')}`,
        command: 'a2a.chooseInterface' satisfies CommandId,
        arguments: [agent],
      }),
    ];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
