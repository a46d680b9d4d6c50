import { A2AError } from '../protocol/errors.ts';
import { Problem } from '../protocol/problem.ts';

/** The version lacks the operation, or the agent does: MethodNotFoundError or UnsupportedOperationError (A2A 1.0 §5.4). */
export const saysUnsupported = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.code === 'operation-not-in-version' || (error instanceof A2AError && [-32601, -32004].includes(error.rpcCode)));
