import type { Report } from './report.ts';

const stream = ['send', 'URL', 'my question', '--stream'];
const of = { taskId: 't', contextId: 'c' };
const task = (state: string, more: object = {}): object => ({ id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` }, ...more });
const says = (text: string, more: object = {}): object => ({ messageId: `m-${text}`, role: 'ROLE_AGENT', parts: [{ text }], ...more });
const status = (state: string, message?: object): object => ({
  statusUpdate: { ...of, status: { state: `TASK_STATE_${state}`, message } },
});
const artifact = (parts: unknown, more: object = {}): object => ({
  artifactUpdate: { ...of, artifact: { artifactId: 'a', parts }, ...more },
});
const answer = [{ text: 'the answer' }];
const done = task('COMPLETED', { artifacts: [{ artifactId: 'a', parts: answer }] });
const begun = { task: task('WORKING') };
/** A member of 0.3. */
const kinded = (kind: string, more: object): object => ({ kind, ...of, ...more });
const words = [{ kind: 'text', text: 'the answer' }];

/** Reports about streams, by what is right. */
export const streams: Readonly<Record<string, Report>> = {
  // https://github.com/agentscope-ai/agentscope-java/issues/1490: the task is told as completed before its artifact is.
  'an artifact that comes after the end is part of the answer, and its order is told': {
    answer: ({ method }) =>
      method === 'GetTask' ? { result: done } : { events: [begun, status('COMPLETED'), artifact(answer, { lastChunk: true })] },
    tries: [{ command: stream, status: 0, out: 'the answer\n', err: /^STRM-03 /m }],
  },
  // https://github.com/a2aproject/a2a-java/issues/1082: every event of a second turn is sent twice.
  'what comes twice is said once': {
    answer: () => ({
      events: [begun, artifact(answer), artifact(answer), status('COMPLETED', says('thanks')), status('COMPLETED', says('thanks'))],
    }),
    tries: [{ command: stream, status: 0, out: 'the answer\n\nthanks\n' }],
  },
  // https://github.com/google/adk-python/issues/3794: the submitted status holds the question of the user.
  'the question that comes back is not the answer': {
    version: '0.3',
    answer: ({ message }) => ({
      events: [
        kinded('status-update', { status: { state: 'submitted', message }, final: false }),
        kinded('status-update', {
          status: { state: 'working', message: { kind: 'message', role: 'agent', messageId: 'w', parts: words } },
          final: false,
        }),
        kinded('artifact-update', { artifact: { artifactId: 'a', parts: words }, lastChunk: true }),
        kinded('status-update', { status: { state: 'completed' }, final: true }),
      ],
    }),
    tries: [{ command: stream, status: 0, out: 'the answer\n' }],
  },
  // https://github.com/BerriAI/litellm/issues/20278: a gateway streams one JSON a line, as application/x-ndjson.
  'a stream of lines of JSON is called none, with what a stream is': {
    version: '0.3',
    answer: () => ({
      body: id =>
        [
          kinded('task', { id: 't', status: { state: 'working' } }),
          kinded('artifact-update', { artifact: { artifactId: 'a', parts: words } }),
          kinded('status-update', { status: { state: 'completed' }, final: true }),
        ]
          .map(result => `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
          .join(''),
      type: 'application/x-ndjson',
    }),
    tries: [
      {
        command: stream,
        status: 3,
        out: '',
        err: /^RPC-02 [^\n]+\nThe agent's stream could not be read\. It begins with: \{"jsonrpc"[^\n]+\nEach event of a stream should be one line of "data:"/,
      },
    ],
  },
  // https://github.com/a2aproject/a2a-rs/pull/79: a refusal is said to be a stream, and is a response without `data:`.
  'an error that stands in a stream by itself is that error': {
    answer: () => ({
      body: id => JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32004, message: 'no streams here' } }),
      type: 'text/event-stream',
    }),
    tries: [
      { command: stream, status: 3, out: '', err: /^The agent answered with UnsupportedOperationError \(-32004\): no streams here$/m },
    ],
  },
  // https://github.com/strands-agents/harness-sdk/pull/2245: parts are null where there are none.
  'parts that are null are none, and what needs some is told': {
    answer: ({ method }) =>
      method === 'GetTask'
        ? {
            result: task('COMPLETED', {
              artifacts: [
                { artifactId: 'a', parts: null },
                { artifactId: 'b', parts: answer },
              ],
            }),
          }
        : { events: [begun, artifact(null), artifact(answer, { append: true }), status('COMPLETED', says('x', { parts: null }))] },
    tries: [
      { command: stream, status: 0, out: 'the answer\n', err: /^DATA-01 \/statusUpdate\/status\/message\/parts: parts is missing\.$/m },
      {
        command: ['task', 'get', 'URL', 't'],
        status: 0,
        out: 'the answer\n',
        err: /^DATA-01 \S+\/artifacts\/0\/parts: The artifact has no parts; it should have at least one\.$/m,
      },
    ],
  },
  // https://github.com/a2aproject/a2a-python/issues/1213: no blank line is behind the last event.
  'the last event counts without its blank line, which is told': {
    answer: () => ({
      body: id => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { message: says('the answer') } })}`,
      type: 'text/event-stream',
    }),
    tries: [{ command: stream, status: 0, out: 'the answer\n', err: /^STRM-09 \S+ The last event is not followed by a blank line/m }],
  },
  // https://github.com/microsoft/agent-framework/issues/3362: an agent streams several messages and no task.
  'each of several messages is printed, and that one should come alone is told': {
    answer: () => ({ events: ['one', 'two', 'three'].map(text => ({ message: says(text) })) }),
    tries: [{ command: stream, status: 0, out: 'one\n\ntwo\n\nthree\n', err: /^STRM-02 \S+ Another event followed the message/m }],
  },
};
