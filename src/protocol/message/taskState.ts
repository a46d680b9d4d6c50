import * as z from 'zod';

/** The states of a task (A2A 1.0 §4.1.3). */
export const TaskState = z.enum([
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
]);
export type TaskState = z.infer<typeof TaskState>;

/**
 * The state that the history shows for a task: the last one that the agent sent, or `LOST` where the agent has since answered that there is
 * no such task. `LOST` is never sent or received.
 */
export const ShownState = z.enum([...TaskState.options, 'LOST']);
export type ShownState = z.infer<typeof ShownState>;

/** `active`: the agent works; `interrupted`: it waits for the client; `terminal`: the task has ended. */
type TaskStateClass = 'active' | 'interrupted' | 'terminal';

interface StateFacts {
  /** The word that people read: the state in the spelling of 0.3. */
  readonly label: string;
  readonly class: TaskStateClass;
}

export const taskStates: Record<ShownState, StateFacts> = {
  TASK_STATE_UNSPECIFIED: { label: 'unknown', class: 'active' },
  TASK_STATE_SUBMITTED: { label: 'submitted', class: 'active' },
  TASK_STATE_WORKING: { label: 'working', class: 'active' },
  TASK_STATE_COMPLETED: { label: 'completed', class: 'terminal' },
  TASK_STATE_FAILED: { label: 'failed', class: 'terminal' },
  TASK_STATE_CANCELED: { label: 'canceled', class: 'terminal' },
  TASK_STATE_INPUT_REQUIRED: { label: 'input-required', class: 'interrupted' },
  TASK_STATE_REJECTED: { label: 'rejected', class: 'terminal' },
  TASK_STATE_AUTH_REQUIRED: { label: 'auth-required', class: 'interrupted' },
  LOST: { label: 'lost', class: 'terminal' },
};

/** Terminal tasks do not change: a follow-up is a new task in the same context (A2A 1.0 §3.1.1). */
export const isTerminal = (state: ShownState): boolean => taskStates[state].class === 'terminal';

/** True where the task waits for a message or for credentials from the client. */
export const isInterrupted = (state: ShownState): boolean => taskStates[state].class === 'interrupted';

export const isActive = (state: ShownState): boolean => taskStates[state].class === 'active';

const byNumber: readonly TaskState[] = TaskState.options;
const byName = new Map<string, TaskState>(TaskState.options.map(state => [state.slice('TASK_STATE_'.length), state]));

/**
 * Reads a state in any spelling: `TASK_STATE_COMPLETED`, `completed`, `Input Required`, `CANCELLED`, or the number of the enum. Undefined
 * for anything else.
 */
export function readTaskState(value: unknown): TaskState | undefined {
  if (typeof value === 'number') return byNumber[value];
  if (typeof value !== 'string') return undefined;
  const name = value
    .toUpperCase()
    .replaceAll(/[-\s]/g, '_')
    .replace(/^TASK_STATE_/, '')
    .replace(/^CANCELLED$/, 'CANCELED');
  return name === 'UNKNOWN' ? 'TASK_STATE_UNSPECIFIED' : byName.get(name);
}
