import { isObject } from '../../../protocol/json.ts';
import type { AnswerView, Fields } from './passiveCheck.ts';

/** The task in an answer, where it is and the pointer to it; undefined where there is none. */
export function answeredTask({
  operation,
  result,
  pointer,
}: Pick<AnswerView, 'operation' | 'result' | 'pointer'>): readonly [Fields, string] | undefined {
  if (!isObject(result)) return undefined;
  if (isObject(result['task'])) return [result['task'], `${pointer}/task`];
  const isBare = operation === 'GetTask' || operation === 'CancelTask' || result['kind'] === 'task';
  return isBare && isObject(result['status']) ? [result, pointer] : undefined;
}

/** A number in the parameters, also where a query has it as text; undefined where there is none. */
export function numberIn(params: Fields, name: string): number | undefined {
  const value = params[name];
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** The history length that a request asks for: of a send it stands in the configuration. */
export function wantedHistory({ operation, params }: Pick<AnswerView, 'operation' | 'params'>): number | undefined {
  const { configuration } = params;
  if (operation === 'SendMessage' || operation === 'SendStreamingMessage')
    return isObject(configuration) ? numberIn(configuration, 'historyLength') : undefined;
  return operation === 'GetTask' || operation === 'ListTasks' ? numberIn(params, 'historyLength') : undefined;
}
