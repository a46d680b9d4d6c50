import type { AgentClient } from '../client/agentClient.ts';
import type { OperationParams, SendMessageParams, StreamingOperation } from '../protocol/operations.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/streamResponse.ts';
import { isActive, isTerminal, taskStates, type TaskState } from '../protocol/taskState.ts';
import { pollTask } from './pollTask.ts';
import { showEvent } from './show.ts';
import type { Terminal } from './terminal.ts';
import { status } from './usage.ts';

/** Prints what the agent says as it comes; its outcome is the task's. */
export async function follow(terminal: Terminal, events: AsyncIterable<StreamResponse>): Promise<number> {
  let state: TaskState | undefined;
  for await (const event of events) {
    showEvent(terminal, event);
    if ('task' in event) state = event.task.status.state;
    if ('statusUpdate' in event) state = event.statusUpdate.status.state;
  }
  if (state !== undefined && isActive(state)) {
    throw new Problem('stream-ended', sentence('The stream ended while the task was still {0}.', taskStates[state].label), {
      nextStep: sentence('Follow it with: a2a task subscribe'),
    });
  }
  return state === undefined ? status.fine : outcome(state);
}

export async function* streamed<O extends StreamingOperation>(
  terminal: Terminal, client: AgentClient, operation: O, params: OperationParams[O],
): AsyncGenerator<StreamResponse> {
  for await (const { events } of client.stream(operation, params, terminal)) yield* events;
}

/** The answer to a message; of a task that the agent has only begun, everything it comes to. */
export async function* awaited(terminal: Terminal, client: AgentClient, params: SendMessageParams): AsyncGenerator<StreamResponse> {
  const { result } = await client.call('SendMessage', params, terminal);
  if ('task' in result && isActive(result.task.status.state)) yield* polled(terminal, client, result.task.id);
  else yield result;
}

export async function* polled(terminal: Terminal, client: AgentClient, id: string): AsyncGenerator<StreamResponse> {
  for await (const task of pollTask(terminal, client, id)) yield { task };
}

export const outcome = (state: TaskState): number => (isTerminal(state) && state !== 'TASK_STATE_COMPLETED' ? status.taskFailed : status.fine);
