import * as vscode from 'vscode';
import type { TaskConnection } from '../../model/run/taskConnection.ts';
import type { ArtifactVersion } from '../../model/contexts/artifactVersions.ts';
import { type ShownState, taskStates } from '../../protocol/message/taskState.ts';
import type { ContextSummary } from '../../protocol/message/transcript.ts';
import {
  type ArtifactNode,
  type ContextNode,
  type MakerNode,
  type MoreNode,
  type NewChatNode,
  type Node,
  type PeriodNode,
  type TaskNode,
  nodeId,
} from './agentNodes.ts';
import { agentItem } from './agentItem.ts';
import { contextValue } from '../platform/contextValues.ts';
import { escapeIcons, isUuid, shortTitle } from '../platform/untrustedText.ts';
import type { Period } from './periods.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { stateIcon, statePresentation } from '../platform/stateIcons.ts';
import { translatedList } from '../platform/report.ts';

/** States of a context's newest task that its row shows; all others are unremarkable. */
const remarkableStates: readonly (ShownState | undefined)[] = [
  'LOST',
  'TASK_STATE_WORKING',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
];

/** The remark about a context's tasks: those that wait for input, or a remarkable state of the newest. Test runs never count as waiting. */
function remarkOf({
  waiting,
  newestState,
  madeBy,
}: ContextSummary): { readonly words: string; readonly icon: vscode.ThemeIcon } | undefined {
  if (waiting > 0 && madeBy !== 'test')
    return {
      words: waiting === 1 ? vscode.l10n.t('waiting') : vscode.l10n.t('{0} waiting', waiting),
      icon: stateIcon('TASK_STATE_INPUT_REQUIRED'),
    };
  if (newestState === undefined || !remarkableStates.includes(newestState)) return undefined;
  return { words: statePresentation[newestState].label(), icon: stateIcon(newestState) };
}

/** The title; of a UUID, which is all that is known of some tasks, the beginning: a row has no room for more. */
const titleOrId = (title: string): string => (isUuid(title) ? vscode.l10n.t('Task {0}', title.slice(0, 8)) : title);

function contextItem({ context, connection, onRestart }: ContextNode): vscode.TreeItem {
  const lost = connectionText(connection);
  const remark = lost === '' ? remarkOf(context) : { words: lost, icon: lostIcon() };
  // A UUID means nothing to a person: the state does.
  const stateOfUntitled = isUuid(context.title) && context.newestState !== undefined ? statePresentation[context.newestState].label() : '';
  const waiting = remark?.words ?? stateOfUntitled;
  const item = new vscode.TreeItem(
    shortTitle(titleOrId(context.title), waiting) || vscode.l10n.t('New conversation'),
    context.tasks > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const again = onRestart === true ? vscode.l10n.t('runs on restart') : '';
  item.description = [waiting, again, relativeTime(context.updatedAt)].filter(Boolean).join(' · ');
  item.iconPath = context.pinned
    ? new vscode.ThemeIcon('pinned', remark?.icon.color)
    : (remark?.icon ?? new vscode.ThemeIcon(context.remoteOnly ? 'cloud' : 'comment-discussion'));
  item.contextValue = contextValue('context');
  item.accessibilityInformation = {
    label: translatedList(
      [
        vscode.l10n.t('Context {0}', escapeIcons(context.title)),
        waiting,
        again,
        context.pinned ? vscode.l10n.t('pinned') : '',
        context.remoteOnly ? vscode.l10n.t('at the agent only') : '',
      ].filter(Boolean),
    ),
  };
  item.command = { command: 'a2a.openContext', title: vscode.l10n.t('Open Chat'), arguments: [context.key] };
  return item;
}

/** The state of a task's connection as a phrase; empty if there is no problem. */
export function connectionText(connection: TaskConnection | undefined, now = Date.now()): string {
  if (connection?.kind === 'full') return vscode.l10n.t('size limit exceeded, no longer followed');
  if (connection?.kind !== 'lost') return '';
  const { attempt, retryAt } = connection;
  if (retryAt === undefined) return vscode.l10n.t('connection lost, trying again');
  const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000));
  return attempt > 1
    ? vscode.l10n.t('connection lost, trying again in {0} s (attempt {1})', seconds, attempt)
    : vscode.l10n.t('connection lost, trying again in {0} s', seconds);
}

const lostIcon = (): vscode.ThemeIcon => new vscode.ThemeIcon('debug-disconnect', new vscode.ThemeColor('list.warningForeground'));

function taskItem(node: TaskNode): vscode.TreeItem {
  const { task, connection } = node;
  const look = statePresentation[task.state];
  const lost = connectionText(connection);
  const item = new vscode.TreeItem(
    shortTitle(task.title, lost || look.label()) || shortTitle(titleOrId(task.taskId), look.label()),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.description = lost || [look.label(), task.untimed ? '' : relativeTime(task.updatedAt)].filter(Boolean).join(' · ');
  const icon = lost === '' ? stateIcon(task.state) : lostIcon();
  item.iconPath = task.pinned
    ? new vscode.ThemeIcon('pinned', icon.color)
    : task.remoteOnly
      ? new vscode.ThemeIcon('cloud', icon.color)
      : icon;
  const stateClass = taskStates[task.state].class;
  item.contextValue = contextValue('task', stateClass !== 'terminal' && stateClass);
  item.accessibilityInformation = {
    label: translatedList(
      [
        vscode.l10n.t(
          'Task {0}, {1}',
          escapeIcons(task.title) || escapeIcons(task.taskId),
          lost === '' ? look.label() : translatedList([look.label(), lost]),
        ),
        task.pinned ? vscode.l10n.t('pinned') : '',
        task.remoteOnly ? vscode.l10n.t('at the agent only') : '',
      ].filter(Boolean),
    ),
  };
  item.command = { command: 'a2a.openTask', title: vscode.l10n.t('Open Task'), arguments: [node] };
  return item;
}

const artifactIcons: readonly (readonly [name: RegExp, icon: string])[] = [
  [/\.(png|jpe?g|gif|webp|svg|mp[34]|wav|webm)$/i, 'file-media'],
  [/\.json$/i, 'json'],
  [/\.(md|txt|html?|csv)$/i, 'file-text'],
  [/\.(zip|gz|tar|7z)$/i, 'file-zip'],
  [/\.pdf$/i, 'file-pdf'],
];

/** The icon by the artifact's name: the tree lists artifacts without reading their content. */
const artifactIcon = (name: string): string => artifactIcons.find(([pattern]) => pattern.test(name))?.[1] ?? 'package';

export function verdictLabel(verdict: ArtifactVersion['verdict']): string {
  if (verdict === undefined) return '';
  return verdict === 'accepted' ? vscode.l10n.t('accepted') : vscode.l10n.t('rejected by you');
}

/** Progress of an incomplete artifact; undefined for a complete one. */
export function arrivalText({ summary, isArriving }: Pick<ArtifactNode, 'summary' | 'isArriving'>): string | undefined {
  if (summary.complete) return undefined;
  return isArriving ? vscode.l10n.t('still arriving…') : vscode.l10n.t('cut off');
}

function artifactItem(node: ArtifactNode): vscode.TreeItem {
  const { artifact } = node.summary;
  const item = new vscode.TreeItem(
    escapeIcons(artifact.name ?? '') || escapeIcons(artifact.artifactId),
    vscode.TreeItemCollapsibleState.None,
  );
  const versioned =
    node.version === undefined || node.versions < 2 ? '' : vscode.l10n.t('v{0} of {1}', node.version.version, node.versions);
  const { revision, earlier = 0, apart } = node.version ?? {};
  const revised = revision === undefined ? '' : vscode.l10n.t('revision {0} of {1}', revision, revision);
  const unstreamed = apart === true ? vscode.l10n.t('not streamed') : '';
  item.description = [
    versioned,
    revised,
    unstreamed,
    verdictLabel(node.version?.verdict),
    arrivalText(node) ?? escapeIcons(artifact.description ?? ''),
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = new vscode.ThemeIcon(artifactIcon(artifact.name ?? ''));
  item.contextValue = contextValue('artifact', node.versions > 1 && 'versions', earlier > 0 && 'revisions');
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

const makerLooks: Readonly<Record<MakerNode['madeBy'], { readonly icon: string; readonly label: () => string }>> = {
  file: { icon: 'file-code', label: () => vscode.l10n.t('From Request Files') },
  agent: { icon: 'cloud', label: () => vscode.l10n.t('At the Agent') },
  test: { icon: 'beaker', label: () => vscode.l10n.t('Test Runs') },
};

function makerItem({ madeBy, count, waiting, filtered }: MakerNode): vscode.TreeItem {
  const { icon, label } = makerLooks[madeBy];
  const item = new vscode.TreeItem(
    label(),
    filtered ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.description = waiting === 0 ? count : `${count} · ${vscode.l10n.t('{0} waiting', waiting)}`;
  item.iconPath = new vscode.ThemeIcon(icon, waiting === 0 ? undefined : stateIcon('TASK_STATE_INPUT_REQUIRED').color);
  item.accessibilityInformation = { label: translatedList([label(), item.description]) };
  return item;
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const label = node.remote === true ? vscode.l10n.t('Load More from Agent…') : vscode.l10n.t('Load More…');
  const item = new vscode.TreeItem(label);
  item.iconPath = new vscode.ThemeIcon(node.remote === true ? 'cloud-download' : 'ellipsis');
  item.command = { command: 'a2a.loadMore', title: label, arguments: [node] };
  return item;
}

function newChatItem({ parent }: NewChatNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('New Chat'));
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.command = { command: 'a2a.openChat', title: vscode.l10n.t('New Chat'), arguments: [parent] };
  return item;
}

export function treeItem(node: Node): vscode.TreeItem {
  const item = ((): vscode.TreeItem => {
    switch (node.kind) {
      case 'agent':
        return agentItem(node);
      case 'period':
        return periodItem(node);
      case 'maker':
        return makerItem(node);
      case 'context':
        return contextItem(node);
      case 'task':
        return taskItem(node);
      case 'artifact':
        return artifactItem(node);
      case 'newChat':
        return newChatItem(node);
      case 'more':
        return moreItem(node);
    }
  })();
  item.id = nodeId(node);
  return item;
}
