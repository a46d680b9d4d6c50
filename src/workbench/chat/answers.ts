import type { AnswerEnvelope, RequestHandlers, Requests } from '../../chat/host/messages.ts';
import { readChatRequest, requestId } from '../../chat/host/requests.ts';
import { Problem, sentence } from '../../protocol/problem.ts';

/** Turns an error into texts for the person. */
type ErrorTexts = (error: unknown) => { readonly message: string; readonly nextStep?: string };

/**
 * The host's answer to a message of the panel: the result of its handler, or an error. A message that breaks the contract never reaches a
 * handler; it is answered with an error if it has a request id, else the result is undefined.
 */
export async function answerTo(message: unknown, handlers: RequestHandlers, explain: ErrorTexts): Promise<AnswerEnvelope | undefined> {
  const request = readChatRequest(message);
  const id = request?.id ?? requestId(message);
  if (id === undefined) return undefined;
  try {
    if (request === undefined)
      throw new Problem('bad-request', sentence('The panel asked for something that the extension does not understand.'), {
        nextStep: sentence('Close the panel and open it again.'),
      });
    const answer = handlers[request.name] as (params: Requests[keyof Requests]['params']) => Promise<unknown>;
    return { type: 'answer', id, result: (await answer(request.params)) ?? null };
  } catch (error) {
    const { message: text, nextStep } = explain(error);
    return { type: 'answer', id, error: { message: text, nextStep } };
  }
}
