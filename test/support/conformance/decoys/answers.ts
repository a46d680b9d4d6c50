import type { BindingName } from '../../../../src/mock/binding.ts';
import type { Message } from '../../../../src/protocol/message/message.ts';
import type { Task } from '../../../../src/protocol/message/task.ts';
import { versionOf } from '../../../../src/protocol/versions/index.ts';
import type { Decoy } from '../decoy.ts';

const both: readonly BindingName[] = ['JSONRPC', 'HTTP+JSON'];
const message = (messageId: string, role: Message['role']): Message => ({ messageId, role, parts: [{ text: 'x' }] });
const task = (state: Task['status']['state'], more: Partial<Task> = {}): Task => ({
  id: 't-1',
  contextId: 'c-1',
  status: { state, timestamp: '2026-01-02T00:00:00.000Z' },
  ...more,
});
const long = [message('m-1', 'ROLE_USER'), message('m-2', 'ROLE_AGENT'), message('m-3', 'ROLE_USER')];
const asked = message('m-1', 'ROLE_USER');
const page = (tasks: readonly Task[]): unknown => ({ tasks, nextPageToken: '', pageSize: 50, totalSize: tasks.length });
const listed =
  (one: readonly Task[]): Decoy['script'] =>
  () => ({ ListTasks: [{ answer: page(one) as never }] });
const written = (binding: BindingName, result: unknown) =>
  function* ({ body }: { readonly body: string }): Iterable<{ readonly json: unknown }> {
    yield { json: binding === 'JSONRPC' ? { jsonrpc: '2.0', id: (JSON.parse(body) as { readonly id: unknown }).id, result } : result };
  };

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** What cannot be read as an answer, and whether that is since it is no JSON. */
const unreadable: readonly (readonly [breaks: string, raw: string | Uint8Array, isJson: boolean])[] = [
  ['an answer of 33 MiB', `{"x":"${'x'.repeat(33 * 1024 * 1024)}"}`, true],
  ['an answer of 300,000 levels', deep(300_000), true],
  ['an answer of more values than are read', `[${'0,'.repeat(200_001)}0]`, true],
  ['an answer of text', 'Hello', false],
  ['an answer without anything', '', false],
  ['an answer that is cut off', '{"jsonrpc":"2.0","id":', false],
  ['an answer in UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"result":{}}', 'utf16le'), false],
];
const unreadableDecoys: readonly Decoy[] = unreadable.flatMap(([breaks, raw, isJson]) =>
  both.map(
    (binding): Decoy => ({
      rule: isJson ? 'DATA-01' : binding === 'JSONRPC' ? 'RPC-01' : 'HTTP-06',
      breaks,
      versions: ['1.0', '0.3'],
      bindings: [binding],
      asked: ['GetTask', { id: 't-1' }],
      script: () => ({ GetTask: [{ status: 200, headers: { 'content-type': 'application/json' } }, { raw }] }),
    }),
  ),
);
/** A result with a member that its object has twice. */
const twice = (binding: BindingName, body: string, result: string): string =>
  binding === 'JSONRPC'
    ? `{"jsonrpc":"2.0","id":${JSON.stringify((JSON.parse(body) as { readonly id: unknown }).id)},"result":${result}}`
    : result;
const repeatingDecoys: readonly Decoy[] = [
  {
    rule: 'DATA-08',
    breaks: 'a task with two ids',
    versions: ['1.0', '0.3'],
    bindings: both,
    asked: ['GetTask', { id: 't-1' }],
    script: (version, binding) => ({
      *GetTask({ body }) {
        const own = versionOf(version)!;
        const form = binding === 'JSONRPC' ? own : (own.protoForm ?? own);
        const right = JSON.stringify(form.writeResult('GetTask', task('TASK_STATE_COMPLETED')));
        yield { status: 200, headers: { 'content-type': 'application/json' } };
        yield { raw: twice(binding, body, right.replace('{', '{"id":"t-0",')) };
      },
    }),
  },
  {
    rule: 'DATA-08',
    breaks: 'a chunk with two texts',
    versions: ['1.0'],
    bindings: both,
    asked: 'stream',
    script: (_, binding) => ({
      *SendStreamingMessage({ body }) {
        const chunk =
          '{"artifactUpdate":{"taskId":"t-1","contextId":"c-1","artifact":{"artifactId":"a","parts":[{"text":"one","text":"two"}]}}}';
        yield { event: { task: task('TASK_STATE_WORKING') } };
        yield { raw: `data: ${twice(binding, body, chunk)}\n\n` };
        yield { event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: task('TASK_STATE_COMPLETED').status } } };
      },
    }),
  },
];

/** A stream that says to be something else. */
const mislabelled: readonly Decoy[] = [
  'text/plain',
  'text/plain; charset=utf-8',
  'application/json',
  'application/octet-stream',
  '',
].flatMap(type =>
  both.map(
    (binding): Decoy => ({
      rule: binding === 'JSONRPC' ? 'RPC-02' : 'HTTP-02',
      breaks: `a stream as ${type || 'nothing'}`,
      versions: binding === 'JSONRPC' ? ['1.0', '0.3'] : ['1.0'],
      bindings: [binding],
      asked: 'stream',
      script: version => ({
        *SendStreamingMessage({ body }) {
          const own = versionOf(version)!;
          const form = binding === 'JSONRPC' ? own : (own.protoForm ?? own);
          const result = form.writeStreamResponse({ task: task('TASK_STATE_COMPLETED') });
          const written =
            binding === 'JSONRPC' ? { jsonrpc: '2.0', id: (JSON.parse(body) as { readonly id: unknown }).id, result } : result;
          yield { status: 200, headers: { 'content-type': type } };
          yield { raw: `data: ${JSON.stringify(written)}\n\n` };
        },
      }),
    }),
  ),
);

const ended = (more: object): object => ({ state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T00:00:00.000Z', ...more });
/** A task with one member that is spoilt. */
const spoilt: readonly Decoy[] = (
  [
    ['DATA-01', 'a history that is no list', { history: { 0: asked } }],
    ['DATA-01', 'metadata that are a list', { metadata: ['x'] }],
    ['DATA-01', 'a status whose message has no part', { status: ended({ message: { ...message('m-2', 'ROLE_AGENT'), parts: [] } }) }],
    ['DATA-01', 'a message without a part in its history', { history: [asked, { ...message('m-2', 'ROLE_AGENT'), parts: [] }] }],
    ['DATA-03', 'a part that is two things', { artifacts: [{ artifactId: 'a-1', parts: [{ text: 'x', data: {} }] }] }],
    ['DATA-04', 'a day that its month does not have', { status: ended({ timestamp: '2026-02-30T00:00:00.000Z' }) }],
  ] as const
).map(([rule, breaks, more]) => ({
  rule,
  breaks,
  versions: ['1.0'],
  bindings: both,
  asked: ['GetTask', { id: 't-1' }],
  script: (_version, binding) => ({ GetTask: written(binding, { ...task('TASK_STATE_COMPLETED'), ...more }) }),
}));
const update = { taskId: 't-1', contextId: 'c-1' };
/** Events that hold what they should not. */
const spoiltEvents: readonly Decoy[] = (
  [
    [
      'DATA-01',
      'a status event whose message has no part',
      { statusUpdate: { ...update, status: ended({ message: { ...message('m-2', 'ROLE_AGENT'), parts: [] } }) } },
    ],
    [
      'CORE-01',
      'an event that is two things at once',
      {
        statusUpdate: { ...update, status: ended({}) },
        artifactUpdate: { ...update, artifact: { artifactId: 'a-1', parts: [{ text: 'x' }] }, append: false, lastChunk: true },
      },
    ],
  ] as const
).map(([rule, breaks, result]) => ({
  rule,
  breaks,
  versions: ['1.0'],
  asked: 'stream',
  script: () => ({
    *SendStreamingMessage({ body }) {
      const { id } = JSON.parse(body) as { readonly id: unknown };
      yield { event: { task: task('TASK_STATE_WORKING') } };
      yield { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n` };
    },
  }),
}));

/** Agents that break one rule in what they answer. */
export const answerDecoys: readonly Decoy[] = [
  ...spoilt,
  ...spoiltEvents,
  ...unreadableDecoys,
  ...mislabelled,
  ...repeatingDecoys,
  {
    rule: 'CARD-15',
    breaks: 'a part with media_type',
    versions: ['1.0'],
    bindings: both,
    asked: ['GetTask', { id: 't-1' }],
    script: (_version, binding) => ({
      GetTask: written(
        binding,
        task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a-1', parts: [{ text: 'x', media_type: 'text/plain' } as never] }] }),
      ),
    }),
  },
  {
    rule: 'CARD-15',
    breaks: 'a chunk with last_chunk',
    versions: ['1.0'],
    asked: 'stream',
    script: () => ({
      *SendStreamingMessage({ body }) {
        const { id } = JSON.parse(body) as { readonly id: unknown };
        const artifactUpdate = {
          taskId: 't-1',
          contextId: 'c-1',
          artifact: { artifactId: 'a-1', parts: [{ text: 'x' }] },
          last_chunk: true,
        };
        yield { event: { task: task('TASK_STATE_WORKING') } };
        yield { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { artifactUpdate } })}\n\n` };
      },
    }),
  },
  {
    rule: 'DATA-01',
    breaks: 'an artifact without a part',
    versions: ['1.0'],
    bindings: both,
    asked: ['GetTask', { id: 't-1' }],
    script: () => ({ GetTask: [{ answer: { ...task('TASK_STATE_COMPLETED'), artifacts: [{ artifactId: 'a-1', parts: [] }] } }] }),
  },
  {
    rule: 'DATA-01',
    breaks: 'a status event without final',
    versions: ['0.3'],
    asked: 'stream',
    script: () => ({
      *SendStreamingMessage({ body }) {
        const { id } = JSON.parse(body) as { readonly id: unknown };
        const status = { state: 'completed', timestamp: '2026-01-02T00:00:00.000Z' };
        const result = { kind: 'status-update', taskId: 't-1', contextId: 'c-1', status };
        yield { event: { task: task('TASK_STATE_WORKING') } };
        yield { raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n` };
      },
    }),
  },
  {
    rule: 'CORE-05',
    breaks: 'a task without a context',
    versions: ['1.0'],
    bindings: both,
    asked: ['SendMessage', { message: asked }],
    script: (_version, binding) => ({
      SendMessage: written(binding, {
        task: { id: 't-1', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T00:00:00.000Z' } },
      }),
    }),
  },
  {
    rule: 'CORE-08',
    breaks: 'another context than that of the message',
    versions: ['1.0'],
    bindings: both,
    asked: ['SendMessage', { message: { ...asked, contextId: 'c-mine' } }],
    script: () => ({ SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }] }),
  },
  {
    rule: 'CORE-09',
    breaks: 'a blocking send that is answered at once',
    versions: ['1.0'],
    bindings: both,
    asked: ['SendMessage', { message: asked }],
    script: () => ({ SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }] }),
  },
  {
    rule: 'CORE-13',
    breaks: 'more history than was asked for',
    versions: ['1.0', '0.3'],
    bindings: both,
    asked: ['GetTask', { id: 't-1', historyLength: 1 }],
    script: () => ({ GetTask: [{ answer: task('TASK_STATE_COMPLETED', { history: long }) }] }),
  },
  {
    rule: 'CORE-14',
    breaks: 'history where none was asked for',
    versions: ['1.0'],
    bindings: both,
    asked: ['GetTask', { id: 't-1', historyLength: 0 }],
    script: () => ({ GetTask: [{ answer: task('TASK_STATE_COMPLETED', { history: long }) }] }),
  },
  {
    rule: 'LIST-01',
    breaks: 'a page without its token',
    versions: ['1.0'],
    bindings: both,
    asked: ['ListTasks', {}],
    script: (_version, binding) => ({ ListTasks: written(binding, { tasks: [], pageSize: 50, totalSize: 0 }) }),
  },
  {
    rule: 'LIST-01',
    breaks: 'the size of the page for that of all of them',
    versions: ['1.0'],
    bindings: both,
    asked: ['ListTasks', {}],
    script: (_version, binding) => ({
      ListTasks: written(binding, { tasks: [task('TASK_STATE_WORKING')], nextPageToken: 'p', pageSize: 1, totalSize: 1 }),
    }),
  },
  {
    rule: 'LIST-02',
    breaks: 'the oldest first',
    versions: ['1.0'],
    bindings: both,
    asked: ['ListTasks', {}],
    script: listed([
      task('TASK_STATE_COMPLETED'),
      task('TASK_STATE_COMPLETED', { id: 't-2', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-03T00:00:00.000Z' } }),
    ]),
  },
  {
    rule: 'LIST-03',
    breaks: 'artifacts that were not asked for',
    versions: ['1.0'],
    bindings: both,
    asked: ['ListTasks', {}],
    script: listed([task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] })]),
  },
  {
    rule: 'TASK-AUTH-01',
    breaks: 'a task that waits for authorization without a word',
    versions: ['1.0', '0.3'],
    bindings: both,
    asked: ['GetTask', { id: 't-1' }],
    script: () => ({ GetTask: [{ answer: task('TASK_STATE_AUTH_REQUIRED') }] }),
  },
  {
    rule: 'TASK-AUTH-01',
    breaks: 'the same in a stream, again and again',
    // In 0.3 each of these events says that it is the last one.
    versions: ['1.0'],
    bindings: both,
    asked: 'stream',
    times: 3,
    script: () => ({
      SendStreamingMessage: [
        { event: { task: task('TASK_STATE_WORKING') } },
        ...[1, 2, 3].map(() => ({
          event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_AUTH_REQUIRED' as const } } },
        })),
      ],
    }),
  },
  {
    rule: 'PUSH-08',
    breaks: 'the credentials of a configuration',
    versions: ['1.0', '0.3'],
    asked: ['GetTaskPushNotificationConfig', { taskId: 't-1', id: 'p-1' }],
    script: () => ({
      GetTaskPushNotificationConfig: [
        {
          answer: {
            taskId: 't-1',
            id: 'p-1',
            url: 'https://hook.example/',
            authentication: { scheme: 'Bearer', credentials: 'not-so-secret-any-more' },
          } as never,
        },
      ],
    }),
  },
];
