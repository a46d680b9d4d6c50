import * as vscode from 'vscode';
import type { RequestProblem, Severity } from '../request/requestProblem.ts';
import { translate } from './report.ts';
import { isRequestDocument, requestFileOf } from './requestDocuments.ts';

/** Quiet time after a keystroke before a file is looked at. */
const delayMs = 150;

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Underlines what is wrong in request files beyond what the JSON schema says. */
export class RequestDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('a2a');
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.Disposable.from(
      this.#collection,
      vscode.workspace.onDidOpenTextDocument(document => this.#check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)),
      // Also fires where a document gets another language.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
    );
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (!isRequestDocument(document)) return;
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(key, setTimeout(() => this.#check(document), delayMs));
  }

  #check(document: vscode.TextDocument): void {
    this.#waiting.delete(document.uri.toString());
    if (!isRequestDocument(document) || document.isClosed) return;
    const problems = requestFileOf(document).problems.filter(({ inSchema }) => inSchema !== true);
    this.#collection.set(document.uri, problems.map(problem => diagnosticOf(document, problem)));
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    this.#collection.delete(uri);
  }
}

function diagnosticOf(document: vscode.TextDocument, { code, range, sentence, severity }: RequestProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(document.positionAt(range.offset), document.positionAt(range.offset + range.length)), translate(sentence), severities[severity]);
  diagnostic.code = code;
  diagnostic.source = 'a2a';
  return diagnostic;
}
