import type { TaskSummary } from '../../protocol/message/transcript.ts';
import type { ChatState } from './chatState.ts';
import type { Target } from './draft.ts';
import { t } from '../text/strings.ts';

/** Phase of a task: it waits for a message, is working, or has ended. */
export type TaskPlace = 'waits' | 'works' | 'over';

/** The target of the next message, in words. */
interface TargetLine {
  readonly target: Target;
  readonly text: string;
  /** State of the target task. */
  readonly place?: TaskPlace;
}

type TargetState = Pick<ChatState, 'waitingTaskId' | 'contextId' | 'running'> & {
  readonly tasks: readonly Pick<TaskSummary, 'taskId' | 'state'>[];
};

export function placeOf(state: TaskSummary['state']): TaskPlace {
  switch (state) {
    case 'TASK_STATE_INPUT_REQUIRED':
    case 'TASK_STATE_AUTH_REQUIRED':
      return 'waits';
    case 'TASK_STATE_COMPLETED':
    case 'TASK_STATE_FAILED':
    case 'TASK_STATE_CANCELED':
    case 'TASK_STATE_REJECTED':
    case 'LOST':
      return 'over';
    default:
      return 'works';
  }
}

/**
 * The target of the next message: a task that waits for input, unless the person chose another; otherwise a new task, because ended tasks
 * accept no messages (A2A 1.0 §3.4). A choice that is no longer possible is ignored. `question`: what the waiting task asked.
 */
export function targetLine(state: TargetState, chosen: Target | undefined, question: string): TargetLine {
  if (chosen === 'new-context') return { target: chosen, text: t('New conversation') };
  const known = (taskId: string | undefined): TargetState['tasks'][number] | undefined => state.tasks.find(task => task.taskId === taskId);
  const task = typeof chosen === 'object' ? known(chosen.taskId) : undefined;
  if (task !== undefined && task.taskId !== state.waitingTaskId) return taskLine(task);
  if (state.waitingTaskId !== undefined) {
    if (chosen === 'new-task') return { target: 'new-task', text: t('New task (the other one keeps waiting)') };
    const text = question === '' ? t('Replying to the waiting task') : t('Replying to: “{0}”', question);
    return { target: { taskId: state.waitingTaskId }, text, place: 'waits' };
  }
  if (state.contextId === undefined) return { target: 'new-task', text: t('New conversation') };
  return { target: 'new-task', text: state.running ? t('New task (runs in parallel)') : t('New task') };
}

function taskLine({ taskId, state }: TargetState['tasks'][number]): TargetLine {
  const place = placeOf(state);
  switch (place) {
    case 'waits':
      return { target: { taskId }, place, text: t('Replying to another waiting task') };
    case 'works':
      return { target: { taskId }, place, text: t('Replying to the running task') };
    case 'over':
      return { target: { taskId }, place, text: t('Replying to a finished task (the agent should refuse)') };
  }
}

/** Maximum number of tasks offered per group. */
const maxOffered = 8;

export interface TargetOffer {
  readonly target: Target;
  /** Undefined for targets that are not a task. */
  readonly task?: TaskSummary;
  readonly place?: TaskPlace;
}

/** The targets to choose from: tasks that accept messages, then new task and new context, then the newest ended tasks. */
export function targetOffers({ tasks, contextId }: Pick<ChatState, 'tasks' | 'contextId'>): readonly TargetOffer[] {
  const offersOf = (place: TaskPlace): TargetOffer[] =>
    tasks
      .filter(({ state }) => placeOf(state) === place)
      .slice(0, maxOffered)
      .map(task => ({ target: { taskId: task.taskId }, task, place }));
  return [
    ...offersOf('waits'),
    ...offersOf('works'),
    ...(contextId === undefined ? [] : [{ target: 'new-task' as const }]),
    { target: 'new-context' },
    ...offersOf('over'),
  ];
}

export const sameTarget = (a: Target, b: Target): boolean =>
  typeof a === 'object' && typeof b === 'object' ? a.taskId === b.taskId : a === b;
