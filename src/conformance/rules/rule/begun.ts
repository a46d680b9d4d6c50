import { isInterrupted, isTerminal, readTaskState, type TaskState } from '../../../protocol/message/taskState.ts';
import { sentence, type LocalizedMessage } from '../../../protocol/problem.ts';
import { inconclusive, isAside, isRefused, notApplicable, notTestable, nothing, said } from './outcome.ts';
import type { Begun, Made, MadeTask, ProbeAnswer, ProbePort, ProbeResult } from './probe.ts';
import { reportedState } from './reportedState.ts';

/** Why nothing can be begun. */
export function unknownPrompt(what: Made): LocalizedMessage {
  switch (what) {
    case 'task':
      return sentence('No message is configured that makes the agent start a task.');
    case 'long-task':
      return sentence('No message is configured that starts a long task.');
    case 'input-required':
      return sentence('No message is configured that makes the agent ask for input.');
    case 'auth-required':
      return sentence('No message is configured that makes the agent ask for authorization.');
  }
}

/** Runs a check on a task that the agent is made to begin; where there is none, the verdict says why. */
export async function withTask(
  port: ProbePort,
  what: Made,
  check: (task: MadeTask, answer: ProbeAnswer) => ProbeResult | Promise<ProbeResult>,
): Promise<ProbeResult> {
  const begun = await port.make(what);
  return begun === undefined ? notTestable(unknownPrompt(what)) : (withoutTask(begun, what) ?? check(begun.task!, begun.answer));
}

/** The verdict where an agent did not begin what it was asked for; undefined where it did. */
export function withoutTask({ answer, task }: Begun, what: Made): ProbeResult | undefined {
  if (task === undefined)
    return isAside(answer)
      ? nothing(answer)
      : isRefused(answer)
        ? inconclusive(answer, sentence('It answered {0} when it should begin a task.', said(answer)))
        : notApplicable(sentence('The agent answers with messages, and the rule is about tasks.'));
  const { state } = task;
  const wanted = { 'input-required': 'TASK_STATE_INPUT_REQUIRED', 'auth-required': 'TASK_STATE_AUTH_REQUIRED' } as const;
  return what in wanted && (state === undefined || !isInterrupted(state))
    ? inOtherState(answer, state, wanted[what as keyof typeof wanted])
    : undefined;
}

/** The verdict on a task that is in another state than a check needs. @param wanted undefined where that is any end */
export const inOtherState = (
  answer: Pick<ProbeAnswer, 'exchange'>,
  state: TaskState | undefined,
  wanted: TaskState | undefined,
): ProbeResult =>
  inconclusive(
    answer,
    state === undefined
      ? sentence('No readable answer or event had the state of the task.')
      : wanted === undefined
        ? sentence('The task is in {0}; the check needs a finished one.', state)
        : sentence('The task is in {0}; it was meant to reach {1}.', state, wanted),
  );

/** The verdict where the agent has forgotten a task, as it may once that is over; undefined where it has it. */
async function unlessKept(port: ProbePort, { taskId: id }: MadeTask): Promise<ProbeResult | undefined> {
  const answer = await port.call('GetTask', { id });
  return answer.error?.code === -32001
    ? inconclusive(answer, sentence('The agent no longer has the task now that it has ended.'))
    : undefined;
}

/** The same on a task that is over. */
export const withEndedTask = (port: ProbePort, check: (task: MadeTask) => Promise<ProbeResult>): Promise<ProbeResult> =>
  withTask(port, 'task', async (task, answer) =>
    task.state !== undefined && isTerminal(task.state)
      ? ((await unlessKept(port, task)) ?? check(task))
      : inOtherState(answer, task.state, undefined),
  );

/**
 * The verdict where a task has changed since its state was received, so that the answers meanwhile need not be about that state; undefined
 * where it is unchanged, or was in a final state, which does not change.
 */
export async function unlessMoved(
  port: ProbePort,
  { taskId: id, state }: Pick<MadeTask, 'taskId' | 'state'>,
): Promise<ProbeResult | undefined> {
  if (state === undefined || isTerminal(state)) return undefined;
  const answer = await port.call('GetTask', { id });
  const now = readTaskState(reportedState(answer.result));
  if (now === undefined) return nothing(answer);
  return now === state ? undefined : inconclusive(answer, sentence('The task was in {0} and has since moved on to {1}.', state, now));
}
