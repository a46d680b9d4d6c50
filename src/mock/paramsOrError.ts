import type { Operation, OperationParams } from '../protocol/message/operations.ts';
import { Problem } from '../protocol/problem.ts';
import type { ParsedRequest } from './binding.ts';

/** The parsed parameters, or an InvalidParams answer where `read` throws. */
export function paramsOrError(read: () => OperationParams[Operation]): Pick<ParsedRequest, 'params' | 'turn'> {
  try {
    return { params: read() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { turn: [{ error: { code: -32602, message: error.message } }] };
  }
}
