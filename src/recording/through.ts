import type { Step } from '../mock/script.ts';
import { A2AError } from '../protocol/errors.ts';
import type { Message } from '../protocol/message/message.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import { english, Problem } from '../protocol/problem.ts';

/** A message that goes through to the real agent. */
export interface Asked {
  readonly message: Message;
  /** The same object for all messages of a conversation. */
  readonly conversation: object;
  /** The task as the real agent calls it; undefined where it does not know it. */
  readonly taskId: string | undefined;
  readonly isStreamed: boolean;
  /** Aborted when the task is canceled or the player stops. */
  readonly signal: AbortSignal;
  /** The number of the request that was played before it; undefined where nothing was, or the real agent knows the conversation. */
  readonly after: number | undefined;
}

export type Refusal = Extract<Step, { error: unknown }>;

/** The events of the real agent once the first is there, or the error that came in their place. */
export async function beginning(
  answer: AsyncIterable<StreamResponse>,
): Promise<{ readonly events: AsyncIterable<StreamResponse> } | Refusal> {
  const rest = answer[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    return first.done === true ? { error: { code: -32603, message: 'The agent sent nothing.' } } : { events: resumed(first.value, rest) };
  } catch (error) {
    if (error instanceof A2AError)
      return { error: { code: error.rpcCode, message: error.said, ...(error.data !== undefined && { data: error.data }) } };
    if (error instanceof Problem) return { error: { code: -32603, message: english(error.sentence) } };
    throw error;
  }
}

/** An iteration whose first item was taken. */
async function* resumed<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
