import type { AnswerEnvelope, RequestHandlers, Requests } from '../../chat/host/messages.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { readChatRequest, requestId } from './requests.ts';

/** What the person is told of an error. */
export type Explain = (error: unknown) => { readonly message: string; readonly nextStep?: string };

/**
 * What the host answers to a message of the panel: what its handler gives, or the error. A request that is none of the contract never
 * reaches a handler; it is answered with an error as far as it can be told which it is, and `undefined` is a message without an answer.
 */
export async function answerTo(message: unknown, handlers: RequestHandlers, explain: Explain): Promise<AnswerEnvelope | undefined> {
  const request = readChatRequest(message);
  const id = request?.id ?? requestId(message);
  if (id === undefined) return undefined;
  try {
    if (request === undefined)
      throw new Problem('bad-request', sentence('The panel asked for something that the extension does not understand.'), {
        nextStep: sentence('Close the panel and open it again.'),
      });
    const answer = handlers[request.name] as (params: Requests[keyof Requests]['params']) => Promise<unknown>;
    return { type: 'answer', id, result: await answer(request.params) };
  } catch (error) {
    const { message: told, nextStep } = explain(error);
    return { type: 'answer', id, error: { message: told, nextStep } };
  }
}
