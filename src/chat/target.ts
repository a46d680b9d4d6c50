import type { ChatState } from './messages.ts';
import { t } from './strings.ts';

export type Target = 'waiting-task' | 'new-task';

/** Where the next message goes, said in words, and what the person can choose instead. */
export interface TargetLine {
  readonly target: Target;
  readonly text: string;
  /** The label of the switch to the other target, where there is another. */
  readonly other?: string;
}

/**
 * A task that waits gets the next message unless the person chose a new task; tasks that are over take no more messages, so
 * everything else starts a new one (A2A 1.0 §3.4).
 */
export function targetLine(state: Pick<ChatState, 'waitingTaskId' | 'contextId' | 'running'>, chosen: Target | undefined, question: string): TargetLine {
  if (state.waitingTaskId !== undefined) {
    if (chosen === 'new-task') return { target: 'new-task', text: t('New task in this context; the other one keeps waiting'), other: t('Answer the waiting task') };
    const text = question === '' ? t('Answers the task that waits') : t('Answers the task that waits: “{0}”', question);
    return { target: 'waiting-task', text, other: t('New task instead') };
  }
  if (state.contextId === undefined) return { target: 'new-task', text: t('Starts a new context') };
  return { target: 'new-task', text: state.running ? t('New task in this context, beside the running one') : t('New task in this context') };
}
