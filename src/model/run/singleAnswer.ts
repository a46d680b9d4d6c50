import type { AgentClient } from '../../client/agentClient.ts';
import type { SendMessageParams } from '../../protocol/message/operations.ts';
import { present } from '../../protocol/versions/shared/fields.ts';
import type { Batch, ListenOptions } from './agentStream.ts';

/**
 * A new task shall have its name at once, so that it can be cancelled (A2A 1.0 §3.2.2 `returnImmediately`, 0.3 `blocking`), unless the caller
 * says otherwise. A task that goes on has one already, and its answer at once could be the question that was just answered.
 */
export const soonNamed = (params: SendMessageParams): SendMessageParams => (params.message.taskId !== undefined ? params
  : { ...params, configuration: { returnImmediately: true, ...present(params.configuration ?? {}) } });

/** The answer of a send that does not stream, as the only batch of a stream. */
export async function* singleAnswer(client: AgentClient, params: SendMessageParams, options: ListenOptions): AsyncGenerator<Batch> {
  const { result, exchangeId, findings } = await client.call('SendMessage', soonNamed(params), options);
  yield { events: [result], exchangeId, findings };
}
