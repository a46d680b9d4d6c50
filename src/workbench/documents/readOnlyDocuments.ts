import * as vscode from 'vscode';

/** Returns the text of a document; undefined when there is nothing (any more) to show. */
type Render = (key: string) => string | undefined | Promise<string | undefined>;

interface Kind {
  readonly render: Render;
  /** The document's file extension, which decides its language. */
  readonly extension: string;
}

/** Scheme of turns of compared runs; see `ComparisonPages`. */
export const comparisonScheme = 'a2a-comparison';

/**
 * Read-only text documents made from the model: agent cards, tasks, exchanges. They open in VS Code's text editor and can be searched,
 * compared and copied. Each kind has its own URI scheme.
 */
export class ReadOnlyDocuments implements vscode.Disposable {
  readonly #kinds = new Map<string, Kind>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];

  /** Adds a kind of document under its scheme. */
  add(scheme: string, kind: Kind): this {
    this.#kinds.set(scheme, kind);
    this.#disposables.push(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: async uri => (await kind.render(uri.query)) ?? vscode.l10n.t('This is no longer in the history.'),
      }),
    );
    return this;
  }

  /** `name` is the title of the tab; `key` is passed to `render`. */
  uri(scheme: string, name: string, key: string): vscode.Uri {
    const extension = this.#kinds.get(scheme)?.extension ?? 'txt';
    return vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', '∕')}.${extension}`, query: key });
  }

  /** Renders the document again if it is open. */
  refresh(uri: vscode.Uri): void {
    this.#changed.fire(uri);
  }

  /** Opens the document with its current text. */
  async open(scheme: string, name: string, key: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uri(scheme, name, key);
    this.#changed.fire(uri);
    return vscode.window.showTextDocument(await plainTextIfSchema(await vscode.workspace.openTextDocument(uri)), {
      preview: true,
      ...options,
    });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }
}

/**
 * VS Code's JSON support would fetch the address in a `$schema` at the root of what an agent sent, so such a document becomes plain text.
 */
export async function plainTextIfSchema(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  return document.getText().includes('"$schema"') ? vscode.languages.setTextDocumentLanguage(document, 'plaintext') : document;
}
