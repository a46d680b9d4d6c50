import type { ShownState } from '../../protocol/message/taskState.ts';
import { t } from './strings.ts';

interface StateLook {
  readonly icon: string;
  /** CSS class of its color; icon and word say the same. */
  readonly tone: 'quiet' | 'good' | 'bad' | 'ask';
}

const looks: Readonly<Record<ShownState, StateLook>> = {
  TASK_STATE_UNSPECIFIED: { icon: 'question', tone: 'quiet' },
  TASK_STATE_SUBMITTED: { icon: 'clock', tone: 'quiet' },
  TASK_STATE_WORKING: { icon: 'sync', tone: 'quiet' },
  TASK_STATE_COMPLETED: { icon: 'pass', tone: 'good' },
  TASK_STATE_FAILED: { icon: 'error', tone: 'bad' },
  TASK_STATE_CANCELED: { icon: 'circle-slash', tone: 'quiet' },
  TASK_STATE_INPUT_REQUIRED: { icon: 'comment-unresolved', tone: 'ask' },
  TASK_STATE_REJECTED: { icon: 'stop', tone: 'bad' },
  TASK_STATE_AUTH_REQUIRED: { icon: 'lock', tone: 'ask' },
  LOST: { icon: 'debug-disconnect', tone: 'bad' },
};

/** Icon and tone of a state; an unknown state looks like an unspecified one. */
export function statePresentation(state: ShownState): StateLook {
  return Object.hasOwn(looks, state) ? looks[state] : looks.TASK_STATE_UNSPECIFIED;
}

const active: readonly ShownState[] = ['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_UNSPECIFIED'];

/** The agent is working, or about to. */
export const isActiveState = (state: ShownState): boolean => active.includes(state) || !Object.hasOwn(looks, state);

/** The word for a state, in the display language. */
export function stateWord(state: ShownState): string {
  switch (state) {
    case 'TASK_STATE_SUBMITTED':
      return t('submitted');
    case 'TASK_STATE_WORKING':
      return t('working');
    case 'TASK_STATE_COMPLETED':
      return t('completed');
    case 'TASK_STATE_FAILED':
      return t('failed');
    case 'TASK_STATE_CANCELED':
      return t('canceled');
    case 'TASK_STATE_INPUT_REQUIRED':
      return t('input required');
    case 'TASK_STATE_REJECTED':
      return t('rejected');
    case 'TASK_STATE_AUTH_REQUIRED':
      return t('authorization required');
    case 'LOST':
      return t('lost');
    case 'TASK_STATE_UNSPECIFIED':
    default:
      return t('unknown');
  }
}

/** Description of a task in a menu, beside its title; `number` where the tasks are numbered. */
export const taskDetail = (state: ShownState, number: number | undefined): string =>
  [...(number === undefined ? [] : [t('Task {0}', number)]), stateWord(state)].join(' · ');
