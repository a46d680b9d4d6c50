import type { SendMessageParams } from '../../protocol/message/operations.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Batch, ListenOptions } from './agentStream.ts';
import type { RunClient } from './runScope.ts';

/**
 * Requests an immediate response with the new task, so that it can be canceled by its id (A2A 1.0 §3.2.2 `returnImmediately`, 0.3
 * `blocking`), unless the caller decides otherwise. A task that continues has an id already, and an immediate response could be the
 * question that was just answered.
 */
export const withReturnImmediately = (params: SendMessageParams): SendMessageParams =>
  params.message.taskId !== undefined
    ? params
    : { ...params, configuration: { returnImmediately: true, ...withoutUndefined(params.configuration ?? {}) } };

/** The answer of a send that does not stream, as the only batch of a stream. */
export async function* singleAnswer(
  client: Pick<RunClient, 'call'>,
  params: SendMessageParams,
  options: ListenOptions,
): AsyncGenerator<Batch> {
  const { result, exchangeId, findings } = await client.call('SendMessage', params, options);
  yield { events: [result], exchangeId, findings };
}
