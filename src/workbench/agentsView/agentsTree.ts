import * as vscode from 'vscode';
import type { Node } from './agentNodes.ts';
import { setContextKey } from '../platform/contextKeys.ts';

/** What the tree asks for: its rows, what each looks like, and what lies above it. */
export type AgentRows = Required<Pick<vscode.TreeDataProvider<Node>, 'getChildren' | 'getTreeItem' | 'getParent' | 'resolveTreeItem'>>;

/**
 * The tree `a2a.agents` as VS Code knows it from the start. Whoever has the rows comes later, and what is asked meanwhile waits for them,
 * with the view's own sign of it.
 */
export class AgentsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #rows = Promise.withResolvers<AgentRows>();
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<Node> = vscode.window.createTreeView('a2a.agents', {
    treeDataProvider: this,
    showCollapseAll: true,
    canSelectMany: true,
  });

  /** Has the rows from now on. */
  fill(rows: AgentRows): void {
    this.#rows.resolve(rows);
  }

  /** It is known which agents there are: an empty tree means that there are none. */
  know(): void {
    setContextKey('a2a.agentsKnown', true);
  }

  /** Stays empty, and says why. */
  explain(why: string): void {
    this.view.message = why;
    setContextKey('a2a.notOpened', true);
    this.fill({ getChildren: () => [], getParent: () => undefined, getTreeItem: () => ({}), resolveTreeItem: item => item });
  }

  /** These rows are asked for anew; all of them where none is named. */
  refresh(node?: Node): void {
    this.#changed.fire(node);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return (await (await this.#rows.promise).getChildren(node)) ?? [];
  }

  async getTreeItem(node: Node): Promise<vscode.TreeItem> {
    return (await this.#rows.promise).getTreeItem(node);
  }

  async getParent(node: Node): Promise<Node | undefined> {
    return (await (await this.#rows.promise).getParent(node)) ?? undefined;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    return (await (await this.#rows.promise).resolveTreeItem(item, node, token)) ?? item;
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }
}
