import * as vscode from 'vscode';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { hasRows, writtenRows } from '../../../request/file/writtenRows.ts';
import { rangeIn } from '../../platform/documentDiagnostics.ts';
import { escapeIcons } from '../../platform/untrustedText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';

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
        this.#showRows(item, entry, document);
        return item;
      }),
    );
  }

  /** The item of a row; created if the row's data became known only when it ran. */
  row(test: vscode.TestItem, { label, index }: { readonly label: string; readonly index: number }): vscode.TestItem {
    const id = sorted(index);
    const known = test.children.get(id);
    const item = known ?? this.#controller.createTestItem(id, '', test.uri);
    item.label = escapeIcons(label) || `#${index + 1}`;
    item.sortText = id;
    item.range ??= test.range;
    if (known === undefined) test.children.add(item);
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
      rows.map(({ label, index, range }) => {
        const item = test.children.get(sorted(index)) ?? this.#controller.createTestItem(sorted(index), '', document.uri);
        item.label = escapeIcons(label) || `#${index + 1}`;
        item.sortText = sorted(index);
        item.range = rangeIn(document, range);
        return item;
      }),
    );
  }
}

/** Used as id and as sort text. */
const sorted = (index: number): string => String(index).padStart(6, '0');

export const rowIndex = ({ id }: vscode.TestItem): number => Number(id);

function replaced(parent: vscode.TestItem, children: readonly vscode.TestItem[]): void {
  if (parent.children.size !== children.length || children.some(child => child.parent === undefined)) parent.children.replace(children);
}

const depthOf = (item: vscode.TestItem): number => (item.parent === undefined ? 0 : depthOf(item.parent) + 1);
const childrenOf = (item: vscode.TestItem): vscode.TestItem[] => [...item.children].map(([, child]) => child);
const inOrder = (one: vscode.TestItem, other: vscode.TestItem): number => (one.sortText ?? '').localeCompare(other.sortText ?? '');

/** The tests of a file to run, in order, each with its rows to run; `undefined` for all rows. */
export type ChosenTests = ReadonlyMap<vscode.TestItem, readonly vscode.TestItem[] | undefined>;

/** The tests that a request of the Test Explorer selects, by file. */
export function chosenTests(
  { include, exclude = [] }: Pick<vscode.TestRunRequest, 'include' | 'exclude'>,
  files: readonly vscode.TestItem[],
): ReadonlyMap<vscode.TestItem, ChosenTests> {
  const isLeft = (item: vscode.TestItem): boolean => exclude.includes(item) || (item.parent !== undefined && isLeft(item.parent));
  const chosen = new Map<vscode.TestItem, Map<vscode.TestItem, Set<vscode.TestItem> | undefined>>();
  const choose = (test: vscode.TestItem, row?: vscode.TestItem): void => {
    const file = test.parent;
    if (file === undefined || isLeft(row ?? test)) return;
    const tests = chosen.get(file) ?? new Map<vscode.TestItem, Set<vscode.TestItem> | undefined>();
    chosen.set(file, tests);
    if (row !== undefined) {
      if (!tests.has(test)) tests.set(test, new Set());
      tests.get(test)?.add(row);
    } else if (childrenOf(test).some(isLeft)) {
      for (const one of childrenOf(test)) choose(test, one);
    } else tests.set(test, undefined);
  };
  for (const item of include ?? files) {
    const depth = depthOf(item);
    if (depth === 0) for (const test of childrenOf(item)) choose(test);
    else if (depth === 1) choose(item);
    else choose(item.parent!, item);
  }
  return new Map(
    [...chosen].map(([file, tests]) => [
      file,
      new Map([...tests].sort(([one], [other]) => inOrder(one, other)).map(([test, rows]) => [test, rows && [...rows].sort(inOrder)])),
    ]),
  );
}
