import type { JSX } from 'preact';
import { Icon } from '../widgets/button.tsx';
import { Menu, type MenuItem } from '../widgets/menu.tsx';
import type { Panel } from '../panel/panel.ts';
import { usePanel } from '../panel/panelContext.ts';
import { statePresentation } from '../text/statePresentation.ts';
import { t } from '../text/strings.ts';
import { placeOf } from '../host/target.ts';
import { type DrawnNode, isOwn } from '../panel/contextTasks.ts';
import { nodeFacts, nodeName, nodeTitle, type NumberOf } from './taskWords.ts';

interface TaskNodeProps {
  readonly node: DrawnNode;
  /** Its dependencies, in words. */
  readonly ground: string | undefined;
  readonly numberOf: NumberOf;
  /** In a list, the node has no position. */
  readonly listed: boolean;
  /** The node that is in the tab order. */
  readonly active: boolean;
  readonly onUnfold: () => void;
}

/** A task in the graph: a press goes to its start in the conversation. A group of finished tasks is expanded. */
export function TaskNode({ node, ground, numberOf, listed, active, onUnfold }: TaskNodeProps): JSX.Element {
  const panel = usePanel();
  const { tasks, x, y } = node;
  const [task] = tasks;
  const folded = tasks.length > 1;
  const own = task !== undefined && isOwn(task);
  const mark = own && !folded ? panel.mark(task.taskId) : undefined;
  const look =
    task === undefined ? { icon: 'question', tone: 'quiet' } : folded ? { icon: 'layers', tone: 'quiet' } : statePresentation(task.state);
  const actions = folded ? [] : actionsOf(node, panel);
  const title = nodeTitle(node);
  const [name, facts] = [nodeName(node, numberOf), nodeFacts(node).join(' · ')];
  const press = folded ? onUnfold : actions[0]?.onPick;
  return (
    <li
      class={`net-node tone-${look.tone} ${own ? '' : 'strange'} ${folded ? 'folded' : ''} ${mark === undefined ? '' : `task-${mark.color}`}`}
      data-key={node.key}
      style={listed ? {} : { left: `${x}px`, top: `${y}px` }}
    >
      <button
        type="button"
        class="net-main"
        tabIndex={active ? 0 : -1}
        aria-disabled={press === undefined}
        aria-expanded={folded ? false : undefined}
        title={[title, `${name} · ${facts}`, ground].filter(Boolean).join('\n')}
        onClick={press}
      >
        <Icon name={look.icon} spin={task?.state === 'TASK_STATE_WORKING'} />
        <span class="net-words">
          <span class="net-title one-line">{title}</span>
          <span class="net-facts muted one-line">
            {name}
            {' · '}
            {facts}
            <span class="net-ground">{ground !== undefined && ` · ${ground}`}</span>
          </span>
        </span>
      </button>
      {actions.length > 0 && (
        <Menu class="net-menu" label={t('More about {0}', name)} tabIndex={active ? 0 : -1} items={() => actions}>
          <Icon name="ellipsis" />
        </Menu>
      )}
    </li>
  );
}

/**
 * The actions of a task; a press runs the first.
 *
 * What an action does is a request to the host. Which nodes there are and where is `model/taskGraph/`.
 */
function actionsOf({ tasks: [task], taskId }: DrawnNode, panel: Panel): readonly MenuItem[] {
  if (task === undefined) return [];
  const open = { label: t('Open Task'), icon: 'go-to-file', onPick: () => void panel.ask('openTask', { taskId }) };
  if (!isOwn(task)) return [open];
  const { seq } = task;
  return [
    ...(seq === undefined ? [] : [{ label: t('Show in Conversation'), icon: 'comment-discussion', onPick: () => void panel.reveal(seq) }]),
    open,
    { label: t('Reference in Next Message'), icon: 'mention', group: '', onPick: () => panel.composer.target.refer([{ taskId }]) },
    ...(placeOf(task.state) === 'waits'
      ? [{ label: t('Answer It'), icon: 'reply', onPick: () => panel.composer.target.choose({ taskId }) }]
      : []),
    { label: t('Push Notifications…'), icon: 'inbox', onPick: () => void panel.ask('manageNotifications', { taskId }) },
    { label: t('Copy ID'), icon: 'copy', onPick: () => void panel.copy(taskId) },
  ];
}
