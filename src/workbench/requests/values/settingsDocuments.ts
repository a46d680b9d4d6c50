import * as vscode from 'vscode';
import { DocumentDiagnostics, type DocumentProblem } from '../../platform/documentDiagnostics.ts';

/** Finds credentials in plain text in settings files, and moves them to the keychain. */
export interface SettingsCredentials {
  problems(document: vscode.TextDocument): readonly DocumentProblem[];
  fixes(document: vscode.TextDocument, range: vscode.Range): readonly vscode.CodeAction[];
  /** Moves the credentials of an agent, or that of one header. Rejects with a `Problem`. */
  move(document: vscode.TextDocument, agent: string, header: string | undefined): Promise<void>;
}

/** The user's settings, those of a folder, and workspace files. */
const pattern = '**/{settings.json,*.code-workspace}';

export const isSettings = ({ uri }: vscode.TextDocument): boolean => /(?:\/settings\.json|\.code-workspace)$/.test(uri.path);

/** Points out credentials in settings files. */
export function settingsDiagnostics(credentials: SettingsCredentials): vscode.Disposable {
  return vscode.Disposable.from(
    new DocumentDiagnostics({
      includes: isSettings,
      problems: document => (document.getText().includes('a2a.agents') ? credentials.problems(document) : []),
    }),
    vscode.languages.registerCodeActionsProvider(
      { pattern },
      { provideCodeActions: (document, range) => [...credentials.fixes(document, range)] },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}
