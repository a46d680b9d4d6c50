import { isActive, isInterrupted } from '../../protocol/message/taskState.ts';
import type { AgentContext } from '../contexts/agentContext.ts';

type WaitingContext = Pick<AgentContext, 'taskState' | 'running' | 'onDidUpdate' | 'onDidChangeState' | 'onDidDelete'>;

/**
 * Resolves with true once the person has answered a task that waits and the agent has had its turn: when the task waits no more, or, with
 * `mayAsk`, also when it asks the next question. False once the context is deleted or the signal aborted.
 */
export async function answeredByPerson(
  context: WaitingContext,
  { taskId, mayAsk, signal }: { readonly taskId: string; readonly mayAsk: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let isAnswered = false;
  const look = (): void => {
    const state = context.taskState(taskId);
    if (context.running || (state !== undefined && isActive(state))) return;
    if (state === undefined || !isInterrupted(state) || (mayAsk && isAnswered)) resolve(true);
  };
  const listeners = [
    context.onDidUpdate(updates => {
      isAnswered ||= updates.some(
        update =>
          update.type === 'put' && update.entry.kind === 'message' && update.entry.taskId === taskId && update.entry.delivery === 'sent',
      );
      look();
    }),
    context.onDidChangeState(look),
    context.onDidDelete(() => resolve(false)),
  ];
  const abort = (): void => resolve(false);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    look();
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    for (const listener of listeners) listener.dispose();
  }
}
