import * as vscode from 'vscode';

/** Makes the text of one kind of document; undefined when there is nothing (any more) to show. */
type Render = (key: string) => string | undefined | Promise<string | undefined>;

interface Kind {
  readonly render: Render;
  /** File extension of the document, which gives it its language. */
  readonly extension: string;
}

/**
 * Read-only text documents made from the model: agent cards, tasks, exchanges. Real editors: searchable, comparable, copyable.
 * One kind is one URI scheme.
 */
export class ReadOnlyDocuments implements vscode.Disposable {
  readonly #kinds = new Map<string, Kind>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];

  /** Adds a kind of document: its scheme, its text, and its extension. */
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

  /** `name` is what the tab says; `key` is what `render` gets. */
  uri(scheme: string, name: string, key: string): vscode.Uri {
    const extension = this.#kinds.get(scheme)?.extension ?? 'txt';
    return vscode.Uri.from({ scheme, path: `/${name.replaceAll('/', '∕')}.${extension}`, query: key });
  }

  /** The text of a document is made anew where it is open. */
  refresh(uri: vscode.Uri): void {
    this.#changed.fire(uri);
  }

  /** Opens the document as it is now. */
  async open(scheme: string, name: string, key: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uri(scheme, name, key);
    this.#changed.fire(uri);
    return vscode.window.showTextDocument(await withoutSchema(await vscode.workspace.openTextDocument(uri)), { preview: true, ...options });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables).dispose();
  }
}

/** A `$schema` at the root of what an agent sent would make VS Code's JSON support fetch that address; such a text is shown as plain text. */
export async function withoutSchema(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  return document.getText().includes('"$schema"') ? vscode.languages.setTextDocumentLanguage(document, 'plaintext') : document;
}
