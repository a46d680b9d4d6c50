import type { Operation, OperationParams } from '../protocol/message/operations.ts';
import { Problem } from '../protocol/problem.ts';
import type { ParsedRequest, ScriptedError } from './binding.ts';

/** The parsed parameters, or an InvalidParams answer where `read` throws: whatever it is, it is the request's fault and none of the script's. */
export function paramsOrError(read: () => OperationParams[Operation]): Pick<ParsedRequest, 'params' | 'turn'> {
  try {
    return { params: read() };
  } catch (error) {
    return { turn: [{ error: { code: -32602, message: error instanceof Problem ? error.message : 'Invalid params' } }] };
  }
}

/** The error for a body that `jsonOf` refused. */
export const notJson = (error: unknown): ScriptedError => ({
  code: -32700,
  message: error instanceof Problem ? error.message : 'Invalid JSON payload',
});
