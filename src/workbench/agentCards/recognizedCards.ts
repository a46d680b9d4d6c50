import * as vscode from 'vscode';
import { looksLikeCard } from '../../card/looksLikeCard.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { log } from '../platform/log.ts';
import { isWritable } from '../platform/writableDocuments.ts';
import { cardLanguage } from './documents.ts';

/** Workspace state: URIs of files that the person marked as cards. */
const stateKey = 'cards.recognized';
/** Maximum number of URIs kept, the latest ones. */
const most = 200;

const json: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];
const isJson = ({ languageId }: vscode.TextDocument): boolean => languageId === 'json' || languageId === 'jsonc';

/**
 * Files of any name that are agent cards by their content. A lens offers to check them; a file for which the person accepts gets the
 * language of cards, also the next time it is opened in this workspace, until another language is chosen for it.
 */
export class RecognizedCards implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #registration: vscode.Disposable;
  readonly #looked = new WeakMap<vscode.TextDocument, { readonly version: number; readonly found: boolean }>();
  /** The card that was closed in this turn: VS Code closes and opens a document whose language changes. */
  #closed: string | undefined;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#registration = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider(json, this),
      vscode.workspace.onDidOpenTextDocument(document => this.#opened(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri, languageId }) => {
        if (languageId !== cardLanguage) return;
        this.#closed = uri.toString();
        queueMicrotask(() => (this.#closed = undefined));
      }),
    );
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.#looksLikeCard(document)) return [];
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title: vscode.l10n.t('This looks like an agent card: Check It'),
        command: 'a2a.checkAgentCard',
        arguments: [document.uri],
      }),
    ];
  }

  /** Checks a JSON document as a card from now on. Rejects with a `Problem` where there is none. */
  async check(argument: unknown): Promise<void> {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const document = vscode.workspace.textDocuments.find(each => each.uri.toString() === uri?.toString());
    if (document === undefined || !isJson(document) || !isWritable(document)) {
      throw new Problem('no-card-document', sentence('This is not a JSON file.'), {
        nextStep: sentence('Open the file with the agent card first.'),
      });
    }
    await vscode.languages.setTextDocumentLanguage(document, cardLanguage);
    const key = document.uri.toString();
    await this.#state.update(stateKey, [...this.#kept.filter(each => each !== key), key].slice(-most));
  }

  dispose(): void {
    this.#registration.dispose();
  }

  get #kept(): readonly string[] {
    const kept = this.#state.get(stateKey);
    return Array.isArray(kept) ? kept.filter(each => typeof each === 'string') : [];
  }

  #looksLikeCard(document: vscode.TextDocument): boolean {
    if (!isWritable(document)) return false;
    const known = this.#looked.get(document);
    if (known?.version === document.version) return known.found;
    const found = looksLikeCard(document.getText());
    this.#looked.set(document, { version: document.version, found });
    return found;
  }

  #opened(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    if (document.languageId === cardLanguage || !this.#kept.includes(key)) return;
    if (this.#closed === key) {
      // The person chose another language for it.
      void this.#state.update(
        stateKey,
        this.#kept.filter(each => each !== key),
      );
    } else if (isJson(document) && isWritable(document)) {
      vscode.languages.setTextDocumentLanguage(document, cardLanguage).then(undefined, (error: unknown) => log.error(String(error)));
    }
  }
}
