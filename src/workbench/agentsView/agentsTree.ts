import * as vscode from 'vscode';
import type { Node } from './agentNodes.ts';
import { setContextKey } from '../platform/contextKeys.ts';

/** Provides the rows, their looks and their parents. */
export type AgentRows = Required<Pick<vscode.TreeDataProvider<Node>, 'getChildren' | 'getTreeItem' | 'getParent' | 'resolveTreeItem'>>;

/**
 * The tree view `a2a.agents`, registered during activation. The provider of its rows is set later; requests of VS Code wait until then,
 * with the view's progress indicator.
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

  /** Sets the provider of the rows. */
  setRows(rows: AgentRows): void {
    this.#rows.resolve(rows);
  }

  /** Call when the configured agents are known: from then on an empty tree means that there are none. */
  markAgentsKnown(): void {
    setContextKey('a2a.agentsKnown', true);
  }

  /** Leaves the tree empty with this message. */
  showMessage(why: string): void {
    this.view.message = why;
    setContextKey('a2a.notOpened', true);
    this.setRows({ getChildren: () => [], getParent: () => undefined, getTreeItem: () => ({}), resolveTreeItem: item => item });
  }

  /** Makes VS Code request the children of this node again, or the whole tree without one. */
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
