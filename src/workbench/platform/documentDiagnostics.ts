import * as vscode from 'vscode';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { TextRange } from '../../request/text/textRange.ts';
import { report, translate } from './report.ts';

/** Delay between the last keystroke and the check of the document. */
const delayMs = 150;

/** A problem in a document and its range. */
export interface DocumentProblem {
  readonly code: string;
  readonly range: TextRange;
  readonly sentence: LocalizedMessage;
  readonly severity: 'error' | 'warning' | 'information';
}

/** A kind of document to check. */
interface CheckedDocuments {
  readonly includes: (document: vscode.TextDocument) => boolean;
  readonly problems: (document: vscode.TextDocument) => readonly DocumentProblem[] | Promise<readonly DocumentProblem[]>;
  /** Fires when problems can have changed without a change of the document. */
  readonly onDidChange?: vscode.Event<void>;
}

const severities: Readonly<Record<DocumentProblem['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Publishes diagnostics for problems that the document's JSON schema cannot find. */
export class DocumentDiagnostics implements vscode.Disposable {
  readonly #documents: CheckedDocuments;
  readonly #collection = vscode.languages.createDiagnosticCollection('a2a');
  readonly #waiting = new Map<string, NodeJS.Timeout>();
  readonly #registration: vscode.Disposable;
  #disposed = false;

  constructor(documents: CheckedDocuments) {
    this.#documents = documents;
    this.#registration = vscode.Disposable.from(
      this.#collection,
      vscode.workspace.onDidOpenTextDocument(document => this.#check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#checkSoon(document)),
      // Also fires when the document's language changes.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      documents.onDidChange?.(() => this.#checkAll()) ?? { dispose: () => {} },
    );
    this.#checkAll();
  }

  dispose(): void {
    this.#disposed = true;
    this.#registration.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  #checkSoon(document: vscode.TextDocument): void {
    if (!this.#documents.includes(document)) {
      // It may have been one until now.
      this.#forget(document.uri);
      return;
    }
    const key = document.uri.toString();
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => this.#check(document), delayMs),
    );
  }

  #check(document: vscode.TextDocument): void {
    this.#waiting.delete(document.uri.toString());
    if (!this.#documents.includes(document) || document.isClosed) return;
    const found = this.#documents.problems(document);
    if (!(found instanceof Promise)) {
      this.#show(document, found);
      return;
    }
    const { version } = document;
    found
      .then(problems => {
        if (!this.#disposed && !document.isClosed && document.version === version && this.#documents.includes(document))
          this.#show(document, problems);
      })
      .catch(report);
  }

  #show(document: vscode.TextDocument, problems: readonly DocumentProblem[]): void {
    this.#collection.set(
      document.uri,
      problems.map(problem => diagnosticOf(document, problem)),
    );
  }

  #forget(uri: vscode.Uri): void {
    clearTimeout(this.#waiting.get(uri.toString()));
    this.#waiting.delete(uri.toString());
    this.#collection.delete(uri);
  }
}

function diagnosticOf(document: vscode.TextDocument, { code, range, sentence, severity }: DocumentProblem): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeIn(document, range), translate(sentence), severities[severity]);
  diagnostic.code = code;
  diagnostic.source = 'a2a';
  return diagnostic;
}

export const rangeIn = (document: vscode.TextDocument, { offset, length }: TextRange): vscode.Range =>
  new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));

/**
 * True if VS Code asks for the fixes of a problem. For one diagnostic it asks with that one's range, and gets its fixes alone; for a caret
 * or a selection, those of all problems that it touches.
 */
export function isAskedFor(
  document: vscode.TextDocument,
  own: TextRange,
  asked: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): boolean {
  const at = rangeIn(document, own);
  if (at.isEqual(asked) || diagnostics.some(({ range }) => range.isEqual(asked))) return at.isEqual(asked);
  const shared = at.intersection(asked);
  // Ranges that touch share an empty one.
  return shared !== undefined && (!shared.isEmpty || asked.isEmpty);
}
