import type { Decoy } from '../decoy.ts';

const unknown: Decoy['asked'] = ['GetTask', { id: 'no-such-task' }];
const info = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }];
const rpcError =
  (error: unknown, id?: null): Decoy['script'] =>
  () => ({
    *GetTask({ body }) {
      yield { json: { jsonrpc: '2.0', id: id === null ? id : (JSON.parse(body) as { readonly id: unknown }).id, error } };
    },
  });
const httpError =
  (status: number, body: unknown, headers = { 'content-type': 'application/a2a+json' }): Decoy['script'] =>
  () => ({
    GetTask: [{ status, headers }, { json: body }],
  });
const notFound = { code: 404, status: 'NOT_FOUND', message: 'Task not found', details: info };

/** Agents that break one rule in how they write errors. */
export const errorDecoys: readonly Decoy[] = [
  {
    rule: 'RPC-07',
    breaks: 'data that is no list',
    versions: ['1.0'],
    asked: unknown,
    script: rpcError({ code: -32001, message: 'Task not found', data: { reason: 'TASK_NOT_FOUND' } }),
  },
  {
    rule: 'RPC-07',
    breaks: 'no ErrorInfo',
    versions: ['1.0'],
    asked: unknown,
    script: rpcError({ code: -32001, message: 'Task not found' }),
  },
  {
    rule: 'RPC-07',
    breaks: 'a reason in lower case',
    versions: ['1.0'],
    asked: unknown,
    script: rpcError({ code: -32001, message: 'Task not found', data: [{ ...info[0], reason: 'task_not_found' }] }),
  },
  {
    rule: 'RPC-07',
    breaks: 'a domain of its own',
    versions: ['1.0'],
    asked: unknown,
    script: rpcError({ code: -32001, message: 'Task not found', data: [{ ...info[0], domain: 'example.com' }] }),
  },
  ...['TaskNotFoundError', 'taskNotFound', 'NO_SUCH_TASK'].flatMap((reason): Decoy[] => [
    {
      rule: 'RPC-07',
      breaks: `${reason} for a reason`,
      versions: ['1.0'],
      asked: unknown,
      script: rpcError({ code: -32001, message: 'Task not found', data: [{ ...info[0], reason }] }),
    },
    {
      rule: 'HTTP-04',
      breaks: `${reason} for a reason`,
      versions: ['1.0'],
      bindings: ['HTTP+JSON'],
      asked: unknown,
      script: httpError(404, { error: { ...notFound, details: [{ ...info[0], reason }] } }),
    },
  ]),
  {
    rule: 'HTTP-04',
    breaks: 'an ErrorInfo of its own alone',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { error: { ...notFound, details: [{ ...info[0], reason: 'NO_SUCH_TASK', domain: 'example.com' }] } }),
  },
  ...['TASK_NOT_FOUND', 'not_found', '404'].map(
    (status): Decoy => ({
      rule: 'HTTP-04',
      breaks: `${status} for the status`,
      versions: ['1.0'],
      bindings: ['HTTP+JSON'],
      asked: unknown,
      script: httpError(404, { error: { ...notFound, status } }),
    }),
  ),
  ...[-32001, -32601, -32603].map(
    (code): Decoy => ({
      rule: 'RPC-01',
      breaks: `error ${code} with a null id`,
      versions: ['1.0', '0.3', '0.2', '0.1'],
      asked: unknown,
      script: rpcError({ code, message: 'No', data: info }, null),
    }),
  ),
  {
    rule: 'RPC-01',
    breaks: 'an error without a message',
    versions: ['1.0', '0.3'],
    asked: unknown,
    script: rpcError({ code: -32001, data: info }),
  },
  {
    rule: 'RPC-01',
    breaks: 'an error that is text',
    versions: ['1.0', '0.3', '0.2', '0.1'],
    asked: unknown,
    script: rpcError('nope'),
  },
  {
    rule: 'RPC-01',
    breaks: 'the code of an error as text',
    versions: ['0.3', '0.2', '0.1'],
    asked: unknown,
    script: rpcError({ code: '-32001', message: 'Task not found' }),
  },
  {
    rule: 'HTTP-04',
    breaks: 'a task that is not there, and no ErrorInfo',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { error: { ...notFound, details: [] } }),
  },
  {
    rule: 'HTTP-04',
    breaks: 'the reason with the suffix of the name',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { error: { ...notFound, details: [{ ...info[0], reason: 'TASK_NOT_FOUND_ERROR' }] } }),
  },
  {
    rule: 'HTTP-04',
    breaks: 'a domain of its own',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { error: { ...notFound, details: [{ ...info[0], domain: 'example.com' }] } }),
  },
  {
    rule: 'HTTP-04',
    breaks: 'an error that is no object',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { message: 'Task not found' }),
  },
  {
    rule: 'HTTP-04',
    breaks: 'another code than the status',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(404, { error: { ...notFound, code: -32001 } }),
  },
  {
    rule: 'HTTP-05',
    breaks: 'the status of another error',
    versions: ['1.0'],
    bindings: ['HTTP+JSON'],
    asked: unknown,
    script: httpError(500, { error: { ...notFound, code: 500, status: 'INTERNAL' } }),
  },
  {
    rule: 'AUTH-02',
    breaks: '401 without a challenge',
    versions: ['1.0', '0.3'],
    bindings: ['JSONRPC', 'HTTP+JSON'],
    asked: unknown,
    script: () => ({ GetTask: [{ status: 401 }, { json: { error: 'unauthorized' } }] }),
  },
];
