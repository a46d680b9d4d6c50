import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { historyOf } from '../../model/contexts/artifactVersions.ts';
import { shownDeviations } from './shownDeviations.ts';
import type { RemoteListings } from '../../model/contexts/remoteListings.ts';
import { bringsMore } from '../../model/run/taskConnection.ts';
import { isActive } from '../../protocol/message/taskState.ts';
import {
  agentOf,
  type AgentNode,
  type ArtifactNode,
  type ContextNode,
  type MoreNode,
  type MakerNode,
  type Node,
  nodeId,
  type PeriodNode,
  type TaskNode,
} from './agentNodes.ts';
import type { AgentRows, AgentsTree } from './agentsTree.ts';
import { treeItem } from './agentTreeItems.ts';
import type { Grouping } from './grouping.ts';
import { historyRows, type ListOptions, makerRows, pageSize, rowsOfPeriod, taskRows } from './historyRows.ts';
import type { MisbehavingAgents } from './misbehavingAgents.ts';
import type { AgentMistakes } from '../platform/settings.ts';
import type { TaskFilter } from './taskFilter.ts';
import { VisibleInterval } from '../platform/visibleInterval.ts';
import { tooltip } from './agentTooltips.ts';

/** Streams change tasks many times a second; the tree is refreshed at most once in this time. */
const refreshDelayMs = 120;
/**
 * Longest wait for VS Code to ask for the rows of a visible view, in milliseconds. Those of a hidden one are asked for when a row is
 * revealed.
 */
const maxRefreshMs = 1_000;

const secondMs = 1_000;
const minuteMs = 60_000;

/**
 * Delay before agents are contacted when the tree becomes visible: the first contact loads the HTTP code, and rows that VS Code asks for
 * meanwhile must not wait for that.
 */
const checkDelayMs = 10;

export interface AgentsViewNeeds {
  readonly tree: AgentsTree;
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly listings: RemoteListings;
  readonly filter: TaskFilter;
  readonly grouping: Grouping;
  /** Current mistakes and warnings about entries of the setting `a2a.agents`. */
  readonly mistakes: () => ReadonlyMap<string, AgentMistakes>;
  /** True for the name of a sample agent that does not run. */
  readonly isStoppedSample: (name: string) => boolean;
  /** True for the name of an agent whose debug session has ended. */
  readonly isEndedSession: (name: string) => boolean;
  /** Faults of an agent that this window runs itself; undefined for any other. */
  readonly faultsOf: MisbehavingAgents['faultsOf'];
  /** The conversation in the context of that key is run again when its agent is back. */
  readonly runsOnRestart: (key: string) => boolean;
  /** Resolves when the agents of the window are known; never rejects. */
  readonly known: Promise<void>;
}

/**
 * Provides the rows of the tree (agent > maker > context (or period) > task > artifact) and a badge with the number of tasks that wait for input.
 */
export class AgentsView implements AgentRows, vscode.Disposable {
  readonly #needs: AgentsViewNeeds;
  readonly #view: vscode.TreeView<Node>;
  readonly #disposables: vscode.Disposable[] = [];
  /** Refreshes the relative times, and the countdowns to the next attempt to reach an agent. */
  readonly #clock = new VisibleInterval(
    () => this.#refreshTimes(),
    () => (this.#lostAgents.size > 0 ? secondMs : minuteMs),
  );
  /** Agents with a visible task whose connection is lost. */
  readonly #lostAgents = new Set<string>();
  readonly #shown = new Map<string, number>();
  readonly #agentNodes = new Map<string, AgentNode>();
  /** Names of the rows that VS Code was given last. */
  #listedNames: ReadonlySet<string> = new Set();
  /** Resolves when VS Code asks for the rows again. */
  #nextRows = Promise.withResolvers<void>();
  #pending: NodeJS.Timeout | undefined;
  #check: NodeJS.Timeout | undefined;
  #pendingAgents: Set<string> | 'all' = new Set();

  constructor(needs: AgentsViewNeeds) {
    this.#needs = needs;
    const { tree, agents, contexts, listings, grouping, filter } = needs;
    this.#view = tree.view;
    this.#disposables.push(
      agents.onDidChange(agent => this.#refreshSoon(agent?.name)),
      contexts.onDidChange(change => this.#refreshSoon(change.agent)),
      listings.onDidChange(name => this.#refreshSoon(name)),
      grouping.onDidChange(() => this.#needs.tree.refresh(undefined)),
      filter.onDidChange(() => {
        this.#shown.clear();
        this.#view.message = filter.active ? vscode.l10n.t('Filtered: {0}', filter.words()) : undefined;
        this.#needs.tree.refresh(undefined);
      }),
      this.#view.onDidExpandElement(({ element }) => {
        if (element.kind === 'agent') listings.want(element.name, { again: true });
      }),
      this.#view.onDidChangeVisibility(({ visible }) => {
        this.#clock.visible = visible;
        if (visible) this.#checkSoon();
      }),
      this.#clock,
    );
    this.#showBadge();
    tree.setRows(this);
    // The tree may have become visible before this listened.
    if (this.#view.visible) this.#checkSoon();
    this.#clock.visible = this.#view.visible;
  }

  /** The row that a command without an argument applies to. */
  get selected(): Node | undefined {
    return this.#view.selection[0];
  }

  get visible(): boolean {
    return this.#view.visible;
  }

  /** Shows the view and selects the row of this agent. */
  async revealAgent(name: string): Promise<void> {
    // VS Code reveals no row that it has not been given, and rows are refreshed with a delay.
    if (!this.#listedNames.has(name)) {
      this.#needs.tree.refresh(undefined);
      await Promise.race([this.#nextRows.promise, wait(maxRefreshMs)]);
    }
    await this.#view.reveal(this.#agentNode(name, this.#needs.agents.get(name)), { select: true, focus: false });
  }

  get selection(): readonly Node[] {
    return this.#view.selection;
  }

  /** Shows one more page of a list, from the history or from the agent's own list of tasks. */
  async loadMore({ parent, remote }: MoreNode): Promise<void> {
    if (remote === true) return this.#needs.listings.more(agentOf(parent).name);
    const id = nodeId(parent);
    this.#shown.set(id, this.#limit(parent) + pageSize);
    this.#needs.tree.refresh(undefined);
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'agent') return treeItem({ ...node, waiting: this.#waitingFor(node.name) });
    return treeItem(node.kind === 'context' ? { ...node, onRestart: this.#needs.runsOnRestart(node.context.key) } : node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    item.tooltip = tooltip(node, this.#tooltipFacts(node));
    return item;
  }

  #tooltipFacts(node: Node): Parameters<typeof tooltip>[1] {
    if (node.kind === 'agent')
      return { listing: this.#needs.listings.of(node.name), deviations: shownDeviations(this.#needs.contexts, node.name) };
    if (node.kind === 'context') return { assistant: this.#needs.contexts.assistantIn(node.context.key) };
    return node.kind === 'task' ? { assistant: this.#needs.contexts.assistantIn(node.task.context, node.task.taskId) } : {};
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      // VS Code would keep a row collapsed that first belonged to one agent and then to another.
      await this.#needs.known;
      this.#needs.tree.markAgentsKnown();
      const rows = this.#allAgents();
      this.#listedNames = new Set(rows.map(({ name }) => name));
      this.#nextRows.resolve();
      this.#nextRows = Promise.withResolvers();
      return rows;
    }
    switch (node.kind) {
      case 'agent':
      case 'period':
      case 'maker':
      case 'context':
        return this.#rows(node);
      case 'task':
        return this.#artifactsOf(node);
      case 'artifact':
      case 'newChat':
      case 'more':
        return [];
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

  /** Configured agents, then those with an invalid entry, then those that are only in the history. */
  #allAgents(): AgentNode[] {
    const configured = this.#needs.agents.all;
    const mistaken = [...this.#needs.mistakes()].flatMap(([name, { mistake }]) =>
      mistake === undefined || this.#needs.agents.get(name) !== undefined ? [] : [name],
    );
    const names = new Set([...configured.map(agent => agent.name), ...mistaken]);
    return [
      ...configured.map(agent => this.#agentNode(agent.name, agent)),
      ...mistaken.map(name => this.#agentNode(name, undefined)),
      ...this.#needs.contexts
        .agentNames()
        .filter(name => !names.has(name))
        .map(name => this.#agentNode(name, undefined)),
    ];
  }

  /** Returns the same node while nothing about the agent changes: VS Code refreshes a single row by the node's identity. */
  #agentNode(name: string, agent: Agent | undefined): AgentNode {
    const known = this.#agentNodes.get(name);
    const mistakes = this.#needs.mistakes().get(name);
    const sample = agent === undefined && this.#needs.isStoppedSample(name);
    const debugged = agent === undefined && this.#needs.isEndedSession(name);
    const faults = agent && this.#needs.faultsOf(name);
    const twin = agent && this.#needs.agents.twinOf(agent)?.name;
    const { checks } = this.#needs.contexts.history;
    const runs = agent && checks.of(name);
    // A stopped run has no results for the rules that it did not reach.
    const broken = (runs?.find(({ whole }) => whole) ?? runs?.[0])?.failed;
    const deviates = agent !== undefined && this.#needs.contexts.history.deviates(name);
    if (
      known !== undefined &&
      known.agent === agent &&
      (known.sample === true) === sample &&
      (known.debugged === true) === debugged &&
      known.faults === faults &&
      known.sameUrlAs === twin &&
      known.broken === broken &&
      (known.deviates === true) === deviates &&
      isDeepStrictEqual(known.mistakes, mistakes)
    )
      return known;
    const node: AgentNode = {
      kind: 'agent',
      name,
      agent,
      ...(mistakes && { mistakes }),
      ...(sample && { sample }),
      ...(debugged && { debugged }),
      ...(faults !== undefined && { faults }),
      ...(broken !== undefined && { broken }),
      ...(deviates && { deviates }),
      ...(twin !== undefined && { sameUrlAs: twin }),
    };
    this.#agentNodes.set(name, node);
    return node;
  }

  /** Number of an agent's tasks that wait for the person. */
  #waitingFor(agent: string): number {
    const { person = 0, file = 0, agent: listed = 0 } = Object.fromEntries(this.#needs.contexts.waitingOf(agent));
    return person + file + listed;
  }

  #rows(parent: AgentNode | PeriodNode | MakerNode | ContextNode): Node[] {
    const now = Date.now();
    const view: ListOptions = {
      contexts: this.#needs.contexts,
      narrowing: this.#needs.filter.toListFilter(now),
      byTime: this.#needs.grouping.byTime,
      limit: this.#limit(parent),
      now,
    };
    switch (parent.kind) {
      case 'period':
        return rowsOfPeriod(parent, view).map(node => this.#withConnection(node));
      case 'context':
        return taskRows(parent, view).map(node => this.#withConnection(node));
      case 'maker': {
        const nodes = historyRows(parent, view).map(node => this.#withConnection(node));
        const more =
          parent.madeBy === 'agent' && this.#needs.listings.of(parent.parent.name)?.more === true && nodes.at(-1)?.kind !== 'more';
        return more ? [...nodes, { kind: 'more', parent, remote: true }] : nodes;
      }
      case 'agent': {
        this.#needs.listings.want(parent.name);
        const nodes = historyRows(parent, view).map(node => this.#withConnection(node));
        const isNew = nodes.length === 0 && parent.agent !== undefined && !this.#needs.filter.active;
        return [
          ...(isNew ? [{ kind: 'newChat', parent } as const] : nodes),
          ...makerRows(parent, view, this.#needs.listings.of(parent.name)?.more === true),
        ];
      }
    }
  }

  /** Adds the connection's state to an active task, or to a context whose newest task is active. */
  #withConnection(node: Node): Node {
    const state = node.kind === 'task' ? node.task.state : node.kind === 'context' ? node.context.newestState : undefined;
    if ((node.kind !== 'task' && node.kind !== 'context') || state === undefined || !isActive(state)) return node;
    const connection =
      node.kind === 'task'
        ? this.#needs.contexts.get(node.task.context)?.connectionOf(node.task.taskId)
        : this.#needs.contexts.get(node.context.key)?.connection;
    if (connection?.kind === 'lost') {
      this.#lostAgents.add(agentOf(node).name);
      this.#clock.restart();
    }
    return connection === undefined ? node : { ...node, connection };
  }

  #refreshTimes(): void {
    if (this.#lostAgents.size === 0) {
      this.#needs.tree.refresh(undefined);
      return;
    }
    const agents = [...this.#lostAgents];
    this.#lostAgents.clear();
    for (const name of agents) this.#needs.tree.refresh(this.#agentNodes.get(name));
  }

  /** Loads a task that only the agent has before listing its artifacts: the agent's list of tasks does not contain them. */
  async #artifactsOf(parent: TaskNode): Promise<Node[]> {
    const context = this.#needs.contexts.get(parent.task.context);
    if (parent.task.remoteOnly) await context?.loadTasks([parent.task.taskId]);
    const summaries = context?.artifacts(parent.task.taskId) ?? [];
    const histories = summaries.length === 0 ? [] : (context?.artifactHistories() ?? []);
    const brings = bringsMore(context?.connectionOf(parent.task.taskId));
    return summaries.map((summary): ArtifactNode => {
      const versions = historyOf(histories, summary.seq)?.versions ?? [];
      return {
        kind: 'artifact',
        parent,
        summary,
        isArriving: brings && !summary.complete,
        version: versions.find(({ seq }) => seq === summary.seq),
        versions: versions.length,
      };
    });
  }

  /** Fetches each agent's card once when the tree is first visible; after that only a refresh by the person does. */
  #checkUnknown(): void {
    for (const agent of this.#needs.agents.all) if (agent.reachability === 'unknown') void agent.check();
  }

  #checkSoon(): void {
    clearTimeout(this.#check);
    this.#check = setTimeout(() => this.#checkUnknown(), checkDelayMs);
  }

  #refreshSoon(agent: string | undefined): void {
    // The row of an agent that is only in the history appears and disappears with its contexts, so the whole tree is refreshed.
    if (agent === undefined || this.#agentNodes.get(agent)?.agent === undefined) this.#pendingAgents = 'all';
    else if (this.#pendingAgents !== 'all') this.#pendingAgents.add(agent);
    this.#pending ??= setTimeout(() => {
      const changed = this.#pendingAgents;
      this.#pending = undefined;
      this.#pendingAgents = new Set();
      if (changed === 'all') this.#needs.tree.refresh(undefined);
      else for (const name of changed) this.#needs.tree.refresh(this.#agentNodes.get(name));
      if (this.#view.visible) this.#checkUnknown();
      this.#showBadge();
    }, refreshDelayMs);
  }

  #showBadge(): void {
    const waiting = this.#needs.contexts.waiting;
    this.#view.badge =
      waiting === 0
        ? undefined
        : {
            value: waiting,
            tooltip: waiting === 1 ? vscode.l10n.t('1 task waits for input') : vscode.l10n.t('{0} tasks wait for input', waiting),
          };
  }
}
