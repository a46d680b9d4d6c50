import type * as vscode from 'vscode';

/** The position of the row that an item of `RequestItems` is for. */
export const rowIndex = ({ id }: vscode.TestItem): number => Number(id);

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
