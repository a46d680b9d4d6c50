import * as vscode from 'vscode';
import { descriptionOf, tagsOf } from '../../../request/file/control.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { hasRows, writtenRows } from '../../../request/file/writtenRows.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { escapeIcons, oneLine, truncated } from '../../platform/untrustedText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';

/** Longest description beside a test, in characters. */
const maxDescription = 120;

/** Items of the Test Explorer: files, in them requests with expectations, and in those their rows. */
export class RequestItems {
  readonly #controller: vscode.TestController;

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Updates the items of a document's tests. Existing items are kept, so that an edit changes only what differs. */
  show(file: vscode.TestItem, document: vscode.TextDocument, tests: readonly RequestEntry[]): void {
    file.canResolveChildren = true;
    replaced(
      file,
      tests.map(entry => {
        const item = file.children.get(entry.key) ?? this.#controller.createTestItem(entry.key, '', document.uri);
        item.label = escapeIcons(requestTitle(entry));
        item.sortText = sorted(entry.index);
        item.range = rangeIn(document, entry.nameRange);
        item.description = escapeIcons(truncated(oneLine(descriptionOf(entry) ?? ''), maxDescription));
        item.tags = tagsOf(entry).map(tag => new vscode.TestTag(tag));
        this.#showRows(item, entry, document);
        return item;
      }),
    );
  }

  /** The item of a row; created if the row's data became known only when it ran. */
  row(test: vscode.TestItem, row: { readonly label: string; readonly index: number }): vscode.TestItem {
    const item = this.#rowOf(test, row);
    item.range ??= test.range;
    if (item.parent === undefined) test.children.add(item);
    return item;
  }

  #rowOf(test: vscode.TestItem, { label, index }: { readonly label: string; readonly index: number }): vscode.TestItem {
    const id = sorted(index);
    const item = test.children.get(id) ?? this.#controller.createTestItem(id, '', test.uri);
    item.label = escapeIcons(label) || `#${index + 1}`;
    item.sortText = id;
    return item;
  }

  #showRows(test: vscode.TestItem, entry: RequestEntry, document: vscode.TextDocument): void {
    if (!hasRows(entry)) {
      if (test.children.size > 0) test.children.replace([]);
      return;
    }
    const rows = writtenRows(entry);
    // The rows are in another file: the items from the last run stay.
    if (rows === undefined) return;
    replaced(
      test,
      rows.map(row => {
        const item = this.#rowOf(test, row);
        item.range = rangeIn(document, row.range);
        return item;
      }),
    );
  }
}

/** Used as id and as sort text. */
const sorted = (index: number): string => String(index).padStart(6, '0');

function replaced(parent: vscode.TestItem, children: readonly vscode.TestItem[]): void {
  if (parent.children.size !== children.length || children.some(child => child.parent === undefined)) parent.children.replace(children);
}
