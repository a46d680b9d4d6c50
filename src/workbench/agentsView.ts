import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { Agents } from '../model/agents.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import { historyOf } from '../model/artifactVersions.ts';
import type { RemoteListings } from '../model/remoteListings.ts';
import { type AgentNode, type ArtifactNode, type ContextNode, type MoreNode, type Node, nodeId, type PeriodNode, type TaskNode } from './agentNodes.ts';
import { tooltip } from './agentTooltips.ts';
import type { AgentRows, AgentsTree } from './agentsTree.ts';
import { treeItem } from './agentTreeItems.ts';
import type { Grouping } from './grouping.ts';
import { contextRows, type ListView, pageSize, periodRows, rowsOfPeriod, taskRows } from './historyRows.ts';
import type { TaskFilter } from './taskFilter.ts';

/** Streams change tasks many times a second; the tree follows at this pace. */
const refreshDelayMs = 120;

/** Rows that are asked for in the moment in which the tree comes into sight go first: asking an agent begins with loading what speaks HTTP. */
const checkDelayMs = 10;

export interface AgentsViewNeeds {
  readonly tree: AgentsTree;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly filter: TaskFilter;
  readonly grouping: Grouping;
}

/** What is in the tree: agent > context (or period) > task > artifact, with a badge for tasks that wait for the person. */
export class AgentsView implements AgentRows, vscode.Disposable {
  readonly #agents: Agents;
  readonly #contexts: AgentContexts;
  readonly #listings: RemoteListings;
  readonly #filter: TaskFilter;
  readonly #grouping: Grouping;
  readonly #tree: AgentsTree;
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #shown = new Map<string, number>();
  readonly #agentNodes = new Map<string, AgentNode>();
  #pending: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #pendingAgents: Set<string> | 'all' = new Set();

  constructor({ tree, agents, contexts, listings, filter, grouping }: AgentsViewNeeds) {
    this.#tree = tree;
    this.#view = tree.view;
    this.#agents = agents;
    this.#contexts = contexts;
    this.#listings = listings;
    this.#filter = filter;
    this.#grouping = grouping;
    this.#disposables.push(
      agents.onDidChange(agent => this.#refreshSoon(agent?.name)),
      contexts.onDidChange(change => this.#refreshSoon(change.agent)),
      listings.onDidChange(name => this.#refreshSoon(name)),
      grouping.onDidChange(() => this.#tree.refresh(undefined)),
      filter.onDidChange(() => {
        this.#shown.clear();
        this.#view.message = filter.active ? vscode.l10n.t('Filtered: {0}', filter.words()) : undefined;
        this.#tree.refresh(undefined);
      }),
      this.#view.onDidExpandElement(({ element }) => { if (element.kind === 'agent') listings.want(element.name, { again: true }); }),
      this.#view.onDidChangeVisibility(({ visible }) => { if (visible) this.#checkSoon(); }),
    );
    this.#showBadge();
    tree.fill(this);
    // The tree may have come into sight before there was anybody to notice.
    if (this.#view.visible) this.#checkSoon();
  }

  /** The row that a command without an argument means. */
  get selected(): Node | undefined {
    return this.#view.selection[0];
  }

  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  /** One more page of a list: of the history, or of what the agent lists. */
  async loadMore({ parent, remote }: MoreNode): Promise<void> {
    if (remote === true && parent.kind === 'agent') return this.#listings.more(parent.name);
    const id = nodeId(parent);
    this.#shown.set(id, this.#limit(parent) + pageSize);
    this.#tree.refresh(undefined);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return treeItem(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node): vscode.TreeItem {
    item.tooltip = tooltip(node, node.kind === 'agent' ? this.#listings.of(node.name) : undefined);
    return item;
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) return this.#allAgents();
    switch (node.kind) {
      case 'agent':
      case 'period':
      case 'context': return this.#rows(node);
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
    clearTimeout(this.#check);
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

  #rows(parent: AgentNode | PeriodNode | ContextNode): Node[] {
    const now = Date.now();
    const view: ListView = { contexts: this.#contexts, narrowing: this.#filter.narrowing(now), limit: this.#limit(parent), now };
    switch (parent.kind) {
      case 'period': return rowsOfPeriod(parent, view);
      case 'context': return taskRows(parent, view);
      case 'agent': {
        this.#listings.want(parent.name);
        const nodes = this.#grouping.byTime ? periodRows(parent, view) : contextRows(parent, view);
        const more = this.#listings.of(parent.name)?.more === true && nodes.at(-1)?.kind !== 'more';
        return more ? [...nodes, { kind: 'more', parent, remote: true }] : nodes;
      }
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

  #checkSoon(): void {
    clearTimeout(this.#check);
    this.#check = setTimeout(() => this.#checkUnknown(), checkDelayMs);
  }

  #refreshSoon(agent: string | undefined): void {
    // The row of an agent that only the history knows comes and goes with its contexts.
    if (agent === undefined || this.#agentNodes.get(agent)?.agent === undefined) this.#pendingAgents = 'all';
    else if (this.#pendingAgents !== 'all') this.#pendingAgents.add(agent);
    this.#pending ??= setTimeout(() => {
      const changed = this.#pendingAgents;
      this.#pending = undefined;
      this.#pendingAgents = new Set();
      if (changed === 'all') this.#tree.refresh(undefined);
      else for (const name of changed) this.#tree.refresh(this.#agentNodes.get(name));
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
