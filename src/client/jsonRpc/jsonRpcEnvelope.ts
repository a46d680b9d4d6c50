import type { ErrorNames } from '../../protocol/errors.ts';
import type { Note } from '../../protocol/finding.ts';
import { isObject } from '../../protocol/json.ts';
import { limitedDepth } from '../../protocol/json/nesting.ts';
import { camelCased, protoNames } from '../../protocol/protoNames.ts';
import { quoted } from '../../protocol/quoted.ts';
import { errorIn } from '../transport/agentError.ts';
import type { Envelope } from '../transport/envelope.ts';
import { sentence } from '../../protocol/problem.ts';
import { neitherResultNorError } from '../../protocol/versions/shared/unreadable.ts';

export type RpcId = string | number;

/**
 * The result in a JSON-RPC response (JSON-RPC 2.0 §5). A wrong id or version is noted and the answer still accepted, since its connection
 * carries no other. An answer without an envelope is the result itself.
 * @throws A2AError, or Problem `http-error`, when the agent answered with an error of any shape
 */
function unwrap(answer: unknown, id: RpcId | undefined, status: number, names: ErrorNames, note: Note): unknown {
  const error = errorIn(answer, status, names);
  // The answer of a proxy or a sign-in in front of the agent is not the agent's.
  if (isInFront(status) && !(isObject(answer) && 'jsonrpc' in answer)) {
    if (error !== undefined) throw error;
  } else if (isObject(answer)) checkEnvelope(answer, id, status, note);
  else note('RPC-01', '', sentence('The answer is not a JSON-RPC response object.'));
  if (error !== undefined) throw error;
  if (!isObject(answer) || !('jsonrpc' in answer || 'result' in answer)) return answer;
  if ('result' in answer) return answer['result'];
  // Members beside those of the envelope: its id is no id of a task.
  const { jsonrpc, id: answered, ...beside } = answer;
  return answered === id ? beside : { id: answered, ...beside };
}

const isInFront = (status: number): boolean => [401, 403, 407, 429].includes(status) || status >= 502;

/** Errors of a request whose id may not have been read: that of the answer is then null (JSON-RPC 2.0 §5). */
const unread: ReadonlySet<unknown> = new Set([-32_700, -32_600]);

function checkEnvelope(answer: Readonly<Record<string, unknown>>, id: RpcId | undefined, status: number, note: Note): void {
  if (answer['jsonrpc'] !== '2.0')
    note('RPC-01', '/jsonrpc', sentence('{0} should be {1}, not {2}.', 'jsonrpc', '"2.0"', quoted(limitedDepth(answer['jsonrpc']))));
  const { id: answered, error } = answer;
  const isUnread = isObject(error) && (unread.has(error['code']) || isInFront(status));
  if (id !== undefined && answered !== id && !(isUnread && answered === null)) {
    note(
      isOfAnother(answered, id) ? 'RPC-08' : 'RPC-01',
      '/id',
      answered === undefined
        ? sentence('{0} is missing.', 'id')
        : sentence("{0} should be the request's, not {1}.", 'id', quoted(limitedDepth(answered))),
    );
  }
  const hasResult = answer['result'] !== undefined;
  if (error !== undefined && !(hasResult && error === null)) checkError(error, note);
  if (hasResult === (error !== undefined))
    note('RPC-01', '', hasResult ? sentence('The response has both result and error.') : neitherResultNorError);
}

/** Members of an error: JSON-RPC 2.0 §5.1. */
function checkError(error: unknown, note: Note): void {
  if (!isObject(error)) {
    note('RPC-01', '/error', sentence('The error should be an object with a code and a message, not {0}.', quoted(limitedDepth(error))));
    return;
  }
  const { code, message } = error;
  if (!Number.isInteger(code))
    note('RPC-01', '/error/code', sentence('The code of the error should be an integer, not {0}.', quoted(limitedDepth(code))));
  if (typeof message !== 'string')
    note('RPC-01', '/error/message', sentence('The message of the error should be text, not {0}.', quoted(limitedDepth(message))));
}

/** Some servers convert the id to text or null: such an answer does not belong to another request. */
const isOfAnother = (answered: unknown, id: RpcId): boolean => typeof answered === typeof id && answered !== id;

/** True for a result without its envelope: a list, or an object with a member that answers of A2A have beside their id. */
const isBareResult = (answer: unknown): boolean =>
  Array.isArray(answer) ||
  (isObject(answer) &&
    Object.keys(answer)
      .map(camelCased)
      .some(name => name === 'supportedInterfaces' || (name !== 'id' && Object.hasOwn(protoNames, name))));

/**
 * @param id of the request; undefined if it had none.
 * @param errorNames meaning of error codes in the protocol version in use
 */
export const jsonRpcEnvelope = (id: RpcId | undefined, errorNames: ErrorNames): Envelope => ({
  rules: { mediaType: 'RPC-02', form: 'RPC-01' },
  open: (answer, status, note) => unwrap(answer, id, status, errorNames, note),
  lacksResult: answer => !(isObject(answer) && 'result' in answer) && !isBareResult(answer),
  holdsResult: answer => isObject(answer) && 'result' in answer,
});
