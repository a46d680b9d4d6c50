import { answering, asking, otherwise, passing, refusing, retelling, telling, type ProbeDecoy } from '../probeDecoy.ts';
import { isForExtendedCard, writtenError } from '../agent/conformingAgent.ts';
import type { Passing } from '../agent/front.ts';

const web = ['JSONRPC', 'HTTP+JSON'] as const;
const asksVersion =
  (version: string | undefined) =>
  ({ headers, url }: Passing): boolean =>
    headers['a2a-version'] === version && !url.startsWith('/.well-known/');
const withVersion =
  (version: string) =>
  ({ headers }: Passing): Partial<Passing> => ({ headers: { ...headers, 'a2a-version': version } });
const isPath = ({ url }: Passing): boolean => !url.startsWith('/.well-known/');
const getsTask = ({ method, url, body }: Passing): boolean =>
  method === 'GET' ? /\/tasks\/[^/]+$/.test(url) : /"method":"(?:GetTask|tasks\/get)"/.test(body);
const listsTasks = ({ method, url, body }: Passing): boolean =>
  method === 'GET' ? /^\/tasks(?:\?|$)/.test(url) : body.includes('"method":"ListTasks"');
const internal = { code: -32603, message: 'No', http: 500, status: 'INTERNAL', reason: 'INTERNAL' };
const invalid = { code: -32602, message: 'No', http: 400, status: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS' };

/** Agents that break one rule of how a binding is spoken. */
export const wireProbeDecoys: readonly ProbeDecoy[] = [
  { rule: 'VER-01', breaks: 'takes every version', bindings: web, before: passing(asksVersion('99.0'), withVersion('1.0')) },
  { rule: 'VER-02', breaks: 'takes no version for 1.0', bindings: web, before: passing(asksVersion(undefined), withVersion('1.0')) },
  {
    rule: 'VER-03',
    breaks: 'refuses a patch number',
    bindings: web,
    before: passing(asksVersion('1.0.1'), withVersion('99.0')),
  },
  {
    rule: 'VER-03',
    breaks: 'refuses a patch number',
    bindings: ['GRPC'],
    script: otherwise('GetTask', (request, right) =>
      request.headers['a2a-version'] === '1.0.1' ? [{ error: { code: -32009, message: 'No' } }] : right(request),
    ),
  },
  { rule: 'GRPC-03', breaks: 'reads no metadata', grpc: { ignoresVersion: true }, also: ['VER-01', 'VER-02'] },
  {
    rule: 'VER-04',
    breaks: 'has the kind of 0.3 in its tasks',
    // What is read as 0.3 is then not written as 0.3 either, and 1.0 is not what the interface supports.
    also: ['CARD-07', 'DATA-02', 'DATA-03'],
    bindings: web,
    before: retelling(listsTasks, json => {
      const page = json.result ?? json;
      for (const task of Array.isArray(page.tasks) ? page.tasks : []) task.kind = 'task';
      return json;
    }),
  },
  { rule: 'RPC-03', breaks: 'has no method of that name', script: refusing('GetTask', -32601), also: ['CORE-18'] },
  {
    rule: 'RPC-04',
    breaks: 'finds the parameters of an unknown method invalid',
    before: (right, about) => async (request, pass) =>
      request.body.includes('NoSuchMethodOfA2A') ? writtenError(about, request, invalid) : right(request, pass),
  },
  {
    rule: 'RPC-05',
    breaks: 'fails at what is not JSON',
    before: (right, about) => async (request, pass) =>
      request.body.endsWith(': ') ? writtenError(about, request, internal) : right(request, pass),
  },
  {
    rule: 'RPC-06',
    breaks: 'has a code of its own',
    before: retelling(
      request => isPath(request) && request.body !== '',
      json => (json.error?.code === -32001 ? { ...json, error: { code: -32000, message: 'Task not found' } } : json),
    ),
    also: ['CORE-03', 'CORE-11', 'CORE-15', 'PUSH-03', 'STRM-06'],
  },
  {
    rule: 'RPC-07',
    breaks: 'has no details',
    verdict: 'disputed',
    before: retelling(isPath, json =>
      json.error?.code === -32001 ? { ...json, error: { code: -32001, message: 'Task not found' } } : json,
    ),
  },
  {
    rule: 'HTTP-01',
    breaks: 'has its tasks elsewhere',
    before: telling(getsTask, answer =>
      answer.status === 404 ? { ...answer, headers: { 'content-type': 'text/html' }, body: '<p>Not here</p>' } : answer,
    ),
  },
  {
    rule: 'HTTP-03',
    breaks: 'does not look at historyLength',
    before: right => (request, pass) =>
      request.url.startsWith('/tasks?historyLength=-')
        ? right({ ...request, url: '/tasks' }, () => pass({ url: '/tasks' }))
        : right(request, pass),
  },
  {
    rule: 'HTTP-03',
    breaks: 'reads pageSize by another name',
    // Without it, a page is as long as ever.
    also: ['LIST-01'],
    before: passing(listsTasks, ({ url }) => ({ url: url.replace('pageSize=1&', '').replace(/[?&]pageSize=1$/, '') })),
  },
  {
    rule: 'HTTP-04',
    breaks: 'has its errors in another shape',
    before: telling(isPath, answer => {
      if (answer.status < 400 || answer.status === 401) return answer;
      const { error } = JSON.parse(answer.body) as { readonly error: { readonly message: string } };
      return { ...answer, body: JSON.stringify({ message: error.message }) };
    }),
  },
  ...Object.entries({
    'the version': asksVersion('99.0'),
    'an extended card': isForExtendedCard,
    notifications: ({ url }: Passing) => url.includes('pushNotificationConfigs'),
  }).map(
    ([what, isMeant]): ProbeDecoy => ({
      rule: 'HTTP-04',
      breaks: `does not name the error where it does not support ${what}`,
      versions: ['1.0'],
      kind: 'bare',
      before: retelling(isMeant, json => {
        if (json.error !== undefined) json.error.details = [];
        return json;
      }),
    }),
  ),
  {
    rule: 'HTTP-05',
    breaks: 'says 400 where the task is unknown',
    versions: ['1.0'],
    before: telling(isPath, answer =>
      answer.status === 404 ? { ...answer, status: 400, body: answer.body.replace('"code":404', '"code":400') } : answer,
    ),
  },
  {
    rule: 'HTTP-05',
    breaks: 'says 200 where the task is unknown',
    versions: ['1.0'],
    before: telling(isPath, answer => (answer.status === 404 && answer.body !== '' ? { ...answer, status: 200 } : answer)),
  },
  {
    rule: 'HTTP-05',
    breaks: 'says 200 where the task is unknown, also in the error',
    versions: ['1.0'],
    before: telling(isPath, answer =>
      answer.status === 404 && answer.body !== ''
        ? { ...answer, status: 200, body: answer.body.replace('"code":404', '"code":200') }
        : answer,
    ),
  },
  { rule: 'GRPC-01', breaks: 'has another service', grpc: { lacksService: true }, also: ['CORE-18'] },
  { rule: 'GRPC-02', breaks: 'has no details', grpc: { bareErrors: true } },
  {
    rule: 'DATA-05',
    breaks: 'refuses members that it does not know',
    bindings: web,
    before: (right, about) => async (request, pass) =>
      request.body.includes('noSuchMemberOfA2A') ? writtenError(about, request, invalid) : right(request, pass),
  },
  {
    rule: 'AUTH-01',
    breaks: 'tells everybody of its tasks',
    bindings: web,
    before: right => (request, pass) => {
      const headers = { ...request.headers, authorization: 'Bearer right' };
      return getsTask(request) && request.headers['authorization'] === undefined
        ? right({ ...request, headers }, () => pass({ headers }))
        : right(request, pass);
    },
  },
  { rule: 'AUTH-01', breaks: 'asks nobody', bindings: ['GRPC'], grpc: { opensDoor: true } },
  {
    rule: 'AUTH-02',
    breaks: 'does not say which credentials it wants',
    bindings: web,
    before: telling(isPath, answer => (answer.status === 401 ? { ...answer, headers: { 'content-type': 'application/json' } } : answer)),
  },
  {
    rule: 'AUTH-03',
    breaks: 'gives tasks to everybody',
    script: otherwise('GetTask', (request, right) => right({ ...request, headers: { ...request.headers, authorization: 'Bearer right' } })),
  },
  {
    rule: 'AUTH-04',
    breaks: 'lists the tasks of all',
    script: otherwise('ListTasks', (request, right) =>
      right({ ...request, headers: { ...request.headers, authorization: 'Bearer right' } }),
    ),
  },
  {
    rule: 'LIST-01',
    breaks: 'lists without a token',
    bindings: web,
    before: retelling(listsTasks, json => {
      const page = json.result ?? json;
      if (page.nextPageToken === '') delete page.nextPageToken;
      return json;
    }),
  },
  {
    rule: 'LIST-01',
    breaks: 'lists more tasks than its pageSize',
    script: right => {
      const whole = asking('ListTasks', ({ pageSize = 50, ...params }) => ({ ...params, pageSize: Math.max(pageSize, 50) }))(right);
      return answering('ListTasks', (page, { pageSize = 50 }) => ({ ...page, pageSize }))({ ...right, ...whole });
    },
  },
  {
    rule: 'LIST-01',
    breaks: 'tells the size of the page as that of the list',
    script: answering('ListTasks', page => ({ ...page, totalSize: page.tasks.length })),
  },
  {
    rule: 'LIST-02',
    breaks: 'lists the oldest first',
    script: answering('ListTasks', page => ({ ...page, tasks: page.tasks.toReversed() })),
  },
  {
    rule: 'LIST-03',
    breaks: 'lists artifacts',
    script: asking('ListTasks', params => ({ ...params, includeArtifacts: true })),
  },
  ...[[], null].map(
    (artifacts): ProbeDecoy => ({
      rule: 'LIST-03',
      breaks: `lists artifacts as ${JSON.stringify(artifacts)} where none were asked for`,
      bindings: web,
      before: retelling(listsTasks, json => {
        for (const task of (json.result ?? json).tasks ?? []) task.artifacts ??= artifacts;
        return json;
      }),
    }),
  ),
  {
    rule: 'LIST-03',
    breaks: 'lists no artifacts',
    verdict: 'warn',
    script: asking('ListTasks', params => ({ ...params, includeArtifacts: false })),
  },
  {
    rule: 'LIST-04',
    breaks: 'takes any pageSize',
    script: asking('ListTasks', params => ({ ...params, pageSize: Math.min(params.pageSize ?? 50, 100) })),
  },
  {
    rule: 'LIST-05',
    breaks: 'gives the same page again',
    script: asking('ListTasks', ({ pageToken: _left, ...params }) => params),
  },
  {
    rule: 'LIST-07',
    breaks: 'counts the tasks that are left',
    script: right => {
      let left = 0;
      return answering('ListTasks', (page, { pageToken }) => {
        left = pageToken === undefined ? page.totalSize : left - page.pageSize;
        return { ...page, totalSize: Math.max(left, page.tasks.length) };
      })(right);
    },
  },
  {
    rule: 'LIST-06',
    breaks: 'lists the tasks of every context',
    script: asking('ListTasks', ({ contextId: _left, ...params }) => params),
  },
  {
    rule: 'LIST-06',
    breaks: 'lists the tasks of every state',
    script: asking('ListTasks', ({ status: _left, ...params }) => params),
  },
  {
    rule: 'LIST-06',
    breaks: 'lists the tasks of every time',
    script: asking('ListTasks', ({ statusTimestampAfter: _left, ...params }) => params),
  },
  {
    rule: 'LIST-06',
    breaks: 'has no tasks in any state',
    script: answering('ListTasks', (page, { status }) => (status === undefined ? page : { ...page, tasks: [], totalSize: 0 })),
  },
];
