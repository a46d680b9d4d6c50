import * as vscode from 'vscode';
import type { Agent } from '../model/agent.ts';
import type { ArtifactVersion } from '../model/artifactVersions.ts';
import type { AgentInterface } from '../protocol/agentCard.ts';
import { taskStates } from '../protocol/taskState.ts';
import { type AgentNode, type ArtifactNode, type ContextNode, type MoreNode, type Node, type PeriodNode, type TaskNode, nodeId } from './agentNodes.ts';
import { decorationUri, problemWords } from './agentDecorations.ts';
import { contextValue } from './contextValues.ts';
import { foreignOriginOf } from './foreignOrigin.ts';
import { plain, shortTitle } from './oneLine.ts';
import type { Period } from './periods.ts';
import { relativeTime } from './relativeTime.ts';
import { isConfigured } from './settings.ts';
import { stateIcon, stateLooks } from './stateIcons.ts';

const reachabilityLooks: Readonly<Record<Agent['reachability'], { icon: string; color?: string; label: () => string }>> = {
  unknown: { icon: 'circle-large-outline', label: () => '' },
  checking: { icon: 'loading~spin', label: () => vscode.l10n.t('checking…') },
  reachable: { icon: 'circle-filled', color: 'testing.iconPassed', label: () => vscode.l10n.t('reachable') },
  unreachable: { icon: 'debug-disconnect', color: 'testing.iconFailed', label: () => vscode.l10n.t('unreachable') },
};

/** The binding is said where it is not the usual one: a row is short, and its tooltip has the whole sentence. */
const spoken = ({ protocolBinding, protocolVersion }: AgentInterface): string =>
  (protocolBinding === 'JSONRPC' ? `A2A ${protocolVersion}` : `A2A ${protocolVersion} ${protocolBinding}`);

/** What a request file may name instead of a configured agent; such an agent's name is its address. */
const isAddress = (name: string): boolean => /^https?:\/\/|^[\w.-]+:\d+(\/|$)/i.test(name);

function agentItem({ name, agent }: AgentNode): vscode.TreeItem {
  if (agent === undefined) return unconfiguredItem(name);
  const look = reachabilityLooks[agent.reachability];
  const item = new vscode.TreeItem(plain(name), vscode.TreeItemCollapsibleState.Expanded);
  item.description = [look.label(), agent.chosen === undefined ? '' : plain(spoken(agent.chosen.interface))].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(look.icon, look.color === undefined ? undefined : new vscode.ThemeColor(look.color));
  item.contextValue = contextValue('agent', isConfigured(name) && 'configured', foreignOriginOf(agent.problem) !== undefined && 'foreign',
    agent.card !== undefined && 'card', agent.extensions.length > 0 && 'extensions', agent.diagnosis.some(({ remedy }) => remedy !== undefined) && 'fixable');
  item.resourceUri = decorationUri(name, agent.diagnosis);
  item.accessibilityInformation = { label: [vscode.l10n.t('Agent {0}', plain(name)), look.label(), problemWords(agent.diagnosis)].filter(Boolean).join(', ') };
  return item;
}

/** An agent that only the history knows: removed, a sample agent that was stopped, or an address in a request file. */
function unconfiguredItem(name: string): vscode.TreeItem {
  const item = new vscode.TreeItem(plain(name), vscode.TreeItemCollapsibleState.Collapsed);
  item.description = vscode.l10n.t('not configured');
  item.iconPath = new vscode.ThemeIcon('archive');
  item.contextValue = contextValue('unconfigured', isAddress(name) && 'address');
  item.accessibilityInformation = { label: `${vscode.l10n.t('Agent {0}', plain(name))}, ${vscode.l10n.t('not configured')}` };
  return item;
}

function contextItem({ context }: ContextNode): vscode.TreeItem {
  const waiting = context.waiting > 0 ? vscode.l10n.t('{0} waiting for you', context.waiting) : '';
  const item = new vscode.TreeItem(shortTitle(context.title, waiting) || vscode.l10n.t('New context'),
    context.tasks > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None);
  item.description = [waiting, relativeTime(context.updatedAt)].filter(Boolean).join(' · ');
  item.iconPath = context.pinned ? new vscode.ThemeIcon('pinned') : context.waiting > 0 ? stateIcon('TASK_STATE_INPUT_REQUIRED')
    : new vscode.ThemeIcon(context.remoteOnly ? 'cloud' : 'comment-discussion');
  item.contextValue = contextValue('context', context.pinned && 'pinned');
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Context {0}', plain(context.title)), waiting, context.pinned && vscode.l10n.t('pinned'), context.remoteOnly && vscode.l10n.t('at the agent only')]
      .filter(Boolean).join(', '),
  };
  item.command = { command: 'a2a.openContext', title: vscode.l10n.t('Open Chat'), arguments: [context.key] };
  return item;
}

function taskItem({ task }: TaskNode): vscode.TreeItem {
  const look = stateLooks[task.state];
  const item = new vscode.TreeItem(shortTitle(task.title, look.label()) || shortTitle(task.taskId, look.label()), vscode.TreeItemCollapsibleState.Collapsed);
  item.description = `${look.label()} · ${relativeTime(task.updatedAt)}`;
  const icon = stateIcon(task.state);
  item.iconPath = task.pinned ? new vscode.ThemeIcon('pinned', icon.color) : task.remoteOnly ? new vscode.ThemeIcon('cloud', icon.color) : icon;
  const stateClass = taskStates[task.state].class;
  item.contextValue = contextValue('task', stateClass !== 'terminal' && stateClass, task.pinned && 'pinned');
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Task {0}, {1}', plain(task.title) || plain(task.taskId), look.label()), task.pinned && vscode.l10n.t('pinned'),
      task.remoteOnly && vscode.l10n.t('at the agent only')].filter(Boolean).join(', '),
  };
  return item;
}

const artifactIcons: readonly (readonly [name: RegExp, icon: string])[] = [
  [/\.(png|jpe?g|gif|webp|svg|mp[34]|wav|webm)$/i, 'file-media'],
  [/\.json$/i, 'json'],
  [/\.(md|txt|html?|csv)$/i, 'file-text'],
  [/\.(zip|gz|tar|7z)$/i, 'file-zip'],
  [/\.pdf$/i, 'file-pdf'],
];

/** By the artifact's name: the tree lists artifacts without reading their content. */
const artifactIcon = (name: string): string => artifactIcons.find(([pattern]) => pattern.test(name))?.[1] ?? 'package';

export function verdictLabel(verdict: ArtifactVersion['verdict']): string {
  if (verdict === undefined) return '';
  return verdict === 'accepted' ? vscode.l10n.t('accepted') : vscode.l10n.t('rejected by you');
}

function artifactItem(node: ArtifactNode): vscode.TreeItem {
  const { artifact, complete } = node.summary;
  const item = new vscode.TreeItem(plain(artifact.name ?? '') || plain(artifact.artifactId), vscode.TreeItemCollapsibleState.None);
  const versioned = node.version === undefined || node.versions < 2 ? '' : vscode.l10n.t('v{0} of {1}', node.version.version, node.versions);
  item.description = [versioned, verdictLabel(node.version?.verdict), complete ? plain(artifact.description ?? '') : vscode.l10n.t('still arriving…')].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(artifactIcon(artifact.name ?? ''));
  item.contextValue = contextValue('artifact', node.versions > 1 && 'versions');
  item.command = { command: 'a2a.openArtifact', title: vscode.l10n.t('Open Artifact'), arguments: [node] };
  return item;
}

const periodWords: Readonly<Record<Period, () => string>> = {
  today: () => vscode.l10n.t('Today'),
  yesterday: () => vscode.l10n.t('Yesterday'),
  week: () => vscode.l10n.t('Last 7 days'),
  month: () => vscode.l10n.t('Last 30 days'),
  older: () => vscode.l10n.t('Older'),
};

function periodItem({ period }: PeriodNode): vscode.TreeItem {
  const item = new vscode.TreeItem(periodWords[period](), vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = new vscode.ThemeIcon('calendar');
  return item;
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const label = node.remote === true ? vscode.l10n.t('Load more from the agent…') : vscode.l10n.t('Load more…');
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(node.remote === true ? 'cloud-download' : 'ellipsis');
  item.command = { command: 'a2a.loadMore', title: label, arguments: [node] };
  return item;
}

export function treeItem(node: Node): vscode.TreeItem {
  const item = ((): vscode.TreeItem => {
    switch (node.kind) {
      case 'agent': return agentItem(node);
      case 'period': return periodItem(node);
      case 'context': return contextItem(node);
      case 'task': return taskItem(node);
      case 'artifact': return artifactItem(node);
      case 'more': return moreItem(node);
    }
  })();
  item.id = nodeId(node);
  return item;
}
