import type { Report } from './report.ts';

const send = ['send', 'URL', 'x'];
const text = [{ kind: 'text', text: 'the answer' }];
const done = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
const answered = { ...done, artifacts: [{ artifactId: 'a', parts: text }] };
const task = (state: string, more: object = {}): object => ({ id: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` }, ...more });
const says = (more: object = {}): object => ({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hi' }], ...more } });

/** Reports about answers that are no streams, by what is right. */
export const answers: Readonly<Record<string, Report>> = {
  // https://github.com/a2aproject/a2a-dotnet/issues/113: the id of the request comes back as text.
  'a number that comes back as text hinders nobody, and a check tells it': {
    answer: () => ({
      body: id => JSON.stringify({ jsonrpc: '2.0', id: String(id), result: says() }),
      type: 'application/json',
    }),
    tries: [
      { command: send, status: 0, out: 'hi\n' },
      { command: ['check', 'URL', '--rules', 'RPC'], status: 1, out: /id should be the request's, not "1"\./ },
    ],
  },
  // https://github.com/a2aproject/a2a-js/issues/696: responses without jsonrpc.
  // https://github.com/Astn/JSON-RPC.NET/issues/66: one with neither result nor error, since its method returned nothing.
  'an envelope with a hole is told, and its id is no task': {
    answer: ({ method }) => ({
      body: id => JSON.stringify(method === 'GetTask' ? { jsonrpc: '2.0', id } : { id, result: says() }),
      type: 'application/json',
    }),
    tries: [
      { command: send, status: 0, out: 'hi\n', err: /^RPC-01 \/jsonrpc: jsonrpc should be "2\.0", not undefined\.$/m },
      { command: ['task', 'get', 'URL', 't'], status: 3, out: '', err: /^The agent's answer has neither a result nor an error\.$/m },
    ],
  },
  'an answer without a result lists nothing': {
    answer: () => ({ body: '{"ok":true}', type: 'application/json' }),
    tries: [
      { command: ['task', 'list', 'URL'], status: 3, out: '', err: /^The agent's answer has neither a result nor an error\.$/m },
      {
        command: {
          agent: 'URL',
          requests: [{ name: 'list', method: 'ListTasks', expect: { paths: { 'value.totalSize': 0, 'value.tasks': { length: 0 } } } }],
        },
        status: 3,
        out: /^ +\* The agent's answer has neither a result nor an error\.$/m,
      },
    ],
  },
  // https://github.com/datalayer/fasta2a/issues/19: every answer is a submitted task, which is completed later.
  'a task that is only submitted is asked for until it is done': {
    version: '0.3',
    card: { capabilities: {} },
    answer: ({ method, before }) => ({
      result:
        method === 'message/send'
          ? { ...done, status: { state: 'submitted' } }
          : before === 0
            ? { ...done, status: { state: 'working' } }
            : answered,
    }),
    tries: [{ command: send, status: 0, out: 'the answer\n', err: /submitted\n[^]*working\n[^]*completed\n$/ }],
  },
  // https://github.com/prebid/salesagent/issues/1670: every error of A2A becomes -32603, with data that is null.
  'an internal error that means an unknown task says so, with nothing that nobody said': {
    version: '0.3',
    answer: () => ({ error: { code: -32603, message: 'Task not found: t', data: null } }),
    tries: [
      {
        command: ['task', 'get', 'URL', 't'],
        status: 3,
        err: /^The agent answered with InternalError \(-32603\): Task not found: t\nThe agent does not have this task\.[^\n]*\n$/,
      },
      { command: ['check', 'URL', '--rules', 'CORE-11'], status: 1, out: /it should answer TaskNotFoundError -32001\./ },
    ],
  },
  // https://github.com/prebid/salesagent/pull/122: a refusal as a task that failed, without an id and a kind.
  'a task that forgot its id is a task, and its words are the answer': {
    version: '0.3',
    answer: () => ({ result: { artifacts: [{ parts: [{ text: 'Missing authentication token' }] }], status: { state: 'failed' } } }),
    tries: [{ command: send, status: 1, out: 'Missing authentication token\n', err: /^DATA-01 \/id: id is missing\.$[^]*failed\n$/m }],
  },
  // https://github.com/a2aproject/a2a-rs/issues/248: an unknown task id becomes a new task of that id.
  'the task that the agent named is told, and a check says that it had to refuse': {
    answer: ({ message: { taskId = 't' } }) => ({ result: { task: task('COMPLETED', { id: taskId }) } }),
    tries: [
      { command: [...send, '--task', 'mistyped'], status: 0, err: /^task mistyped, context c, completed$/m },
      {
        command: ['check', 'URL', '--rules', 'CORE-03', '--allow-work'],
        status: 1,
        out: /✗ CORE-03 [^]*it should answer TaskNotFoundError -32001\./,
      },
    ],
  },
  // https://github.com/pydantic/pydantic-ai/pull/4247: the bytes of a file are its text and not base64.
  'bytes that are not base64 are the file as it came, and that is told': {
    version: '0.3',
    answer: () => ({
      result: {
        ...done,
        artifacts: [
          { artifactId: 'a', parts: [{ kind: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'Grüße, es ist 5' } }] },
        ],
      },
    }),
    tries: [
      {
        command: send,
        status: 0,
        out: '[a.txt, text/plain, 17 bytes]\n',
        err: /^DATA-01 \S+bytes: The bytes are not base64; they are shown as received\.$/m,
      },
      {
        command: {
          agent: 'URL',
          message: 'x',
          expect: { artifacts: [{ mediaType: 'text/plain', content: { raw: Buffer.from('Grüße, es ist 5').toString('base64') } }] },
        },
        status: 0,
      },
    ],
  },
  // https://github.com/BerriAI/litellm/issues/28577: the answer is a part with data, and there is no text.
  'an answer that is data alone is printed as JSON': {
    version: '0.3',
    answer: () => ({
      result: { ...done, artifacts: [{ artifactId: 'a', parts: [{ kind: 'data', data: { result: { city: 'Oslo' } } }] }] },
    }),
    tries: [{ command: send, status: 0, out: '{"result":{"city":"Oslo"}}\n' }],
  },
  // https://github.com/kagent-dev/kagent/issues/2037: the kind of a task is an empty text.
  'a kind that says nothing is told, and the task is read': {
    version: '0.3',
    answer: () => ({ result: { ...answered, kind: '' } }),
    tries: [{ command: send, status: 0, out: 'the answer\n', err: /^DATA-01 \/kind: kind should be "task", not ""\.$/m }],
  },
  // https://github.com/mindsdb/mindshub/issues/11402: errors come as plain text.
  'the words of a refusal that is no JSON are told': {
    version: '0.3',
    answer: () => ({ body: 'Agent sales_bot not found', type: 'text/plain', status: 400 }),
    tries: [{ command: [...send, '--stream'], status: 3, out: '', err: /HTTP 400\b[^]*Agent sales_bot not found/ }],
  },
  // https://github.com/a2aproject/a2a-js/issues/146: a web page of the framework in the place of an error.
  'what a page of an error says is told as a browser shows it': {
    version: '0.3',
    answer: () => ({
      body: '<!DOCTYPE html><html><head><title>Error</title></head><body><pre>Expected &#39;,&#39; &amp;<br> &nbsp; at &lt;json&gt;</pre></body></html>',
      type: 'text/html',
      status: 400,
    }),
    tries: [{ command: send, status: 3, err: /An HTML page, "Error": Expected ',' & at <json>$/m }],
  },
  // https://github.com/a2aproject/a2a-python/issues/872: a list of tasks has nothing of its pages.
  'a list without its page is listed, and what is missing is told': {
    answer: () => ({ result: { tasks: [task('COMPLETED')] } }),
    tries: [{ command: ['task', 'list', 'URL'], status: 0, out: /^t {2}completed\b/, err: /^LIST-01 \S+ nextPageToken is missing\.$/m }],
  },
  // https://github.com/a2aproject/a2a-python/issues/1170: a task is canceled with success and goes on waiting.
  'a task that was to be canceled is not called canceled unless the agent says so': {
    answer: () => ({ result: task('INPUT_REQUIRED') }),
    tries: [
      {
        command: ['task', 'cancel', 'URL', 't'],
        status: 0,
        err: /input-required\nThe agent was asked to cancel the task and has not confirmed it\. To see its state: a2a task get http:\S+ t\n/,
      },
    ],
  },
  // https://github.com/rossoctl/rossoctl/pull/1481: each answer is of a new context, whatever the message says.
  'a context that the agent replaced is told, and the conversation stays in the first one': {
    card: { capabilities: {} },
    answer: ({ message, before }) => ({ result: says({ contextId: `c-${before}`, parts: [{ text: String(message['contextId']) }] }) }),
    tries: [
      { command: [...send, '--context', 'mine'], status: 0, out: 'mine\n', err: /^CORE-08 \S+ contextId should be "mine", not "c-0"\.$/m },
      {
        command: {
          agent: 'URL',
          requests: [
            { name: 'one', message: '1' },
            { name: 'two', after: 'one', message: '2', expect: { text: 'c-1' } },
            { name: 'three', after: 'two', message: '3', expect: { text: 'c-1' } },
          ],
        },
        status: 0,
      },
    ],
  },
  // https://github.com/a2aproject/a2a-js/issues/136: the history of a task has the messages of the last turn alone.
  'an earlier turn is not lost where the history leaves it out': {
    version: '0.3',
    card: { capabilities: {} },
    answer: ({ message, before }) => ({
      result: {
        ...done,
        status: {
          state: before === 0 ? 'input-required' : 'completed',
          message: { kind: 'message', messageId: `s-${before}`, role: 'agent', parts: [{ kind: 'text', text: `answer ${before}` }] },
        },
        history: [message],
      },
    }),
    tries: [
      {
        command: {
          agent: 'URL',
          requests: [
            { name: 'one', message: '1', expect: { state: 'input-required', text: 'answer 0' } },
            { name: 'two', after: 'one', message: '2', expect: { state: 'completed', text: 'answer 1' } },
          ],
        },
        status: 0,
      },
    ],
  },
  // https://github.com/a2aproject/a2a-python/issues/1237: a push configuration is created and has no id.
  'a push configuration without an id breaks its rule': {
    card: { capabilities: { pushNotifications: true } },
    answer: ({ method, params }) => ({
      result: method === 'SendMessage' ? { task: task('WORKING') } : method.startsWith('Create') ? { ...params, id: '' } : task('WORKING'),
    }),
    tries: [
      {
        command: ['check', 'URL', '--rules', 'PUSH-02', '--allow-work', '--prompt', 'task=x', '--prompt', 'long-task=x'],
        status: 1,
        out: /✗ PUSH-02 [^]*The configuration has no id\./,
      },
    ],
  },
};
