import { ignoreFindings } from '../protocol/finding.ts';
import { isObject } from '../protocol/json.ts';
import { operations } from '../protocol/message/operations.ts';
import { inCamelCase, protoNames } from '../protocol/protoNames.ts';
import type { Version } from '../protocol/versions/shared/version.ts';
import type { OtherMethod, Binding, ScriptedError, ParsedRequest, ResponseFormat } from './binding.ts';
import { errorDetails } from './errorDetails.ts';
import { jsonOf } from './body.ts';
import { notJson, paramsOrError } from './paramsOrError.ts';
import { headError } from './requestHead.ts';

type Id = string | number | null;

/** @param id of the request; null where it has none */
const formatFor = (id: Id, form: Version): ResponseFormat => ({
  mediaType: 'application/json',
  result: written => ({ jsonrpc: '2.0', id, result: written }),
  error: error => ({ status: 200, body: { jsonrpc: '2.0', id, error: written(error, form) } }),
});

/** JSON-RPC's own errors have no `ErrorInfo` details (A2A 1.0 §9.5 applies to A2A errors). */
function written(error: ScriptedError, form: Version): ScriptedError {
  if (form.header === undefined || error.code < -32_099) return error;
  return { ...error, data: errorDetails(error, form) };
}

const extendedCardMethods = new Set(['GetExtendedAgentCard', 'agent/getAuthenticatedExtendedCard']);

function otherMethodOf(method: string, form: Version): OtherMethod | undefined {
  const isOfForm = method.includes('/') === form.methods.GetTask?.includes('/');
  return extendedCardMethods.has(method) && isOfForm && !form.clientAssignsIds ? 'extendedCard' : undefined;
}

const isId = (id: unknown): id is Id | undefined => id === undefined || id === null || typeof id === 'string' || typeof id === 'number';

/** JSON-RPC 2.0 by POST (A2A 1.0 §9). */
export const jsonRpc: Binding = {
  versionFor: version => version,
  parse(came, form) {
    const { method, body } = came;
    const refused = (error: ScriptedError, id: Id = null): ParsedRequest => ({ format: formatFor(id, form), turn: [{ error }] });
    const noRequest = (why: string, id: Id = null): ParsedRequest =>
      refused({ code: -32600, message: `Request payload validation error: ${why}` }, id);
    if (method !== 'POST')
      return {
        format: formatFor(null, form),
        ...(method !== 'GET' && method !== 'HEAD' && { turn: [{ status: 405, headers: { allow: 'GET, HEAD, POST' } }] }),
      };
    let call: unknown;
    try {
      call = jsonOf(body);
    } catch (error) {
      const head = headError(came, form);
      return refused(head ?? notJson(error));
    }
    if (!isObject(call)) return noRequest('it is not an object');
    const { id: said, params } = call;
    if (!isId(said)) return noRequest('"id" is not a string, a number or null');
    const id = said ?? null;
    if (call['jsonrpc'] !== '2.0') return noRequest('"jsonrpc" is not "2.0"', id);
    const called = call['method'];
    if (typeof called !== 'string') return noRequest('"method" is not a string', id);
    const head = headError(came, form);
    if (head !== undefined) return refused(head, id);
    const format = formatFor(id, form);
    const otherMethod = otherMethodOf(called, form);
    if (otherMethod !== undefined) return { otherMethod, format };
    const operation = operations.find(candidate => form.methods[candidate] === called);
    if (operation === undefined) return refused({ code: -32601, message: 'Method not found' }, id);
    if (params !== undefined && !isObject(params))
      return { operation, format, turn: [{ error: { code: -32602, message: '"params" is not an object' } }] };
    return {
      operation,
      format,
      ...paramsOrError(() =>
        form.readParams(
          operation,
          form.header === undefined || params === undefined ? params : inCamelCase(params, protoNames),
          ignoreFindings,
        ),
      ),
    };
  },
};
