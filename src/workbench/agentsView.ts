import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { Agents } from '../model/agents.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import { historyOf } from '../model/artifactVersions.ts';
import { type AgentNode, type ArtifactNode, type ContextNode, type Node, nodeId, type TaskNode } from './agentNodes.ts';
import { tooltip } from './agentTooltips.ts';
import { treeItem } from './agentTreeItems.ts';

/** Contexts or tasks a list shows before "Load more…", and how many each click adds. */
const pageSize = 50;
/** Streams change tasks many times a second; the tree follows at this pace. */
const refreshDelayMs = 120;

/** The tree `a2a.agents`: agent > context > task > artifact, with a badge for tasks that wait for the person. */
export class AgentsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #agents: Agents;
  readonly #contexts: AgentContexts;
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #shown = new Map<string, number>();
  readonly #agentNodes = new Map<string, AgentNode>();
  #pending: NodeJS.Timeout | undefined;
  #pendingAgents: Set<string> | 'all' = new Set();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(agents: Agents, contexts: AgentContexts) {
    this.#agents = agents;
    this.#contexts = contexts;
    this.#view = vscode.window.createTreeView('a2a.agents', { treeDataProvider: this, showCollapseAll: true });
    this.#disposables.push(
      this.#view,
      this.#changed,
      agents.onDidChange(agent => this.#refreshSoon(agent?.name)),
      contexts.onDidChange(change => this.#refreshSoon(change.agent)),
      this.#view.onDidChangeVisibility(({ visible }) => { if (visible) this.#checkUnknown(); }),
    );
    this.#showBadge();
  }

  /** The row that a command without an argument means. */
  get selected(): Node | undefined {
    return this.#view.selection[0];
  }

  /** One more page of a list. */
  loadMore(parent: Node): void {
    const id = nodeId(parent);
    this.#shown.set(id, this.#limit(parent) + pageSize);
    this.#changed.fire(undefined);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    item.tooltip = tooltip(node);
    return item;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.#allAgents();
    switch (node.kind) {
      case 'agent': return this.#contextsOf(node);
      case 'context': return this.#tasksOf(node);
      case 'task': return this.#artifactsOf(node);
      case 'artifact':
      case 'more': return [];
    }
  }

  getParent(node: Node): Node | undefined {
    return node.kind === 'agent' ? undefined : node.parent;
  }

  dispose(): void {
    clearTimeout(this.#pending);
    vscode.Disposable.from(...this.#disposables).dispose();
  }

  #limit(node: Node): number {
    return this.#shown.get(nodeId(node)) ?? pageSize;
  }

  /** The configured agents, then those that only the history knows. */
  #allAgents(): AgentNode[] {
    const configured = this.#agents.all;
    const names = new Set(configured.map(agent => agent.name));
    return [
      ...configured.map(agent => this.#agentNode(agent.name, agent)),
      ...this.#contexts.agentNames().filter(name => !names.has(name)).map(name => this.#agentNode(name, undefined)),
    ];
  }

  /** The same node for the same agent, so that a change can be told for it alone. */
  #agentNode(name: string, agent: Agent | undefined): AgentNode {
    const known = this.#agentNodes.get(name);
    if (known !== undefined && known.agent === agent) return known;
    const node: AgentNode = { kind: 'agent', name, agent };
    this.#agentNodes.set(name, node);
    return node;
  }

  /** The model pages by position; a list that was asked to show more is read page by page. */
  #contextsOf(parent: AgentNode): Node[] {
    const nodes: Node[] = [];
    let page = this.#contexts.page({ agent: parent.name, limit: pageSize });
    for (;;) {
      nodes.push(...page.items.map((context): ContextNode => ({ kind: 'context', parent, context })));
      const last = page.items.at(-1);
      if (!page.more || last === undefined) return nodes;
      if (nodes.length >= this.#limit(parent)) return [...nodes, { kind: 'more', parent }];
      page = this.#contexts.page({ agent: parent.name, before: last, limit: pageSize });
    }
  }

  #tasksOf(parent: ContextNode): Node[] {
    const context = this.#contexts.get(parent.context.key);
    const nodes: TaskNode[] = [];
    for (;;) {
      const page = context?.tasks({ before: nodes.at(-1)?.task.taskId, limit: pageSize + 1 }) ?? [];
      nodes.push(...page.slice(0, pageSize).map((task): TaskNode => ({ kind: 'task', parent, task })));
      if (page.length <= pageSize) return nodes;
      if (nodes.length >= this.#limit(parent)) return [...nodes, { kind: 'more', parent }];
    }
  }

  #artifactsOf(parent: TaskNode): Node[] {
    const context = this.#contexts.get(parent.task.context);
    const summaries = context?.artifacts(parent.task.taskId) ?? [];
    const histories = summaries.length === 0 ? [] : context?.artifactHistories() ?? [];
    return summaries.map((summary): ArtifactNode => {
      const versions = historyOf(histories, summary.seq)?.versions ?? [];
      return { kind: 'artifact', parent, summary, version: versions.find(({ seq }) => seq === summary.seq), versions: versions.length };
    });
  }

  /** An agent is asked for its card when the tree is first looked at, and again only when the person refreshes. */
  #checkUnknown(): void {
    for (const agent of this.#agents.all) if (agent.reachability === 'unknown') void agent.check();
  }

  #refreshSoon(agent: string | undefined): void {
    // The row of an agent that only the history knows comes and goes with its contexts.
    if (agent === undefined || this.#agentNodes.get(agent)?.agent === undefined) this.#pendingAgents = 'all';
    else if (this.#pendingAgents !== 'all') this.#pendingAgents.add(agent);
    this.#pending ??= setTimeout(() => {
      const changed = this.#pendingAgents;
      this.#pending = undefined;
      this.#pendingAgents = new Set();
      if (changed === 'all') this.#changed.fire(undefined);
      else for (const name of changed) this.#changed.fire(this.#agentNodes.get(name));
      if (this.#view.visible) this.#checkUnknown();
      this.#showBadge();
    }, refreshDelayMs);
  }

  #showBadge(): void {
    const waiting = this.#contexts.waiting;
    this.#view.badge = waiting === 0 ? undefined : {
      value: waiting,
      tooltip: waiting === 1 ? vscode.l10n.t('1 task waits for input') : vscode.l10n.t('{0} tasks wait for input', waiting),
    };
  }
}
