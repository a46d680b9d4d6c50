import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { ExactNumber } from '../../../src/protocol/exactNumber.ts';
import { serveGrpcAgent } from '../../support/client/grpcAgents.ts';
import { ForwardProxy } from '../../support/client/forwardProxy.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks, chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { asked, silentCard } from '../../process/support/agentScripts.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

let program: TerminalFolder;

const a2a = (args: readonly string[], input = ''): Promise<Ended> => program.run(args, { stdin: input });

const done = task('TASK_STATE_COMPLETED', {
  artifacts: [{ artifactId: 'x', parts: [{ text: 'a b\u001b[2Jc' }, { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' }] }],
});
const events = [
  { task: task('TASK_STATE_SUBMITTED') },
  statusUpdate('TASK_STATE_WORKING', says('thinking')),
  chunk('one ', false),
  chunk('two', true, true),
  statusUpdate('TASK_STATE_COMPLETED'),
];

const streamOf = (...said: typeof events): Script => ({
  SendStreamingMessage: [events[0]!, ...said, events[4]!].map(event => ({ event })),
});
const streamArgs = (url: string): readonly string[] => ['send', url, 'hello', '--stream'];
const named = (artifactId: string, words: string, append = false, name?: string) => ({
  artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId, name, parts: [{ text: words }] }, append, lastChunk: true },
});
const ordered = { artifactId: 'o', parts: [{ data: { orderId: new ExactNumber('9007199254740993123') } }] };
const inHistory = task('TASK_STATE_COMPLETED', { history: [says('an older one'), asks('hello').message, says('hi')] });

suite('a2a in a terminal', () => {
  const open = new OpenThings();

  suiteSetup(async () => {
    program = await TerminalFolder.make();
  });
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  interface Row {
    readonly script?: Script;
    readonly args: (url: string) => readonly string[];
    readonly input?: string;
    readonly status: number;
    readonly out?: string | RegExp;
    readonly err?: string | RegExp;
    readonly generation?: string;
  }

  test('goes through the proxy of the environment, and keeps its password', async () => {
    const proxy = new ForwardProxy({ credentials: 'alice:proxy-canary' });
    const address = await proxy.start();
    try {
      const agent = await open.agent({ SendMessage: [{ answer: { message: says('hello') } }] }, '1.0', {
        card: url => minimalCard(url.replace('127.0.0.1', 'agent.test'), '1.0', 'JSONRPC'),
      });
      const url = agent.url.replace('127.0.0.1', 'agent.test');
      const run = (env: Record<string, string>): Promise<Ended> => program.run(['send', url, 'hi', '--raw'], { env });
      const sent = await run({ http_proxy: address });
      assert.equal(sent.status, 0, sent.err);
      assert.match(sent.out, /hello/);
      assert.deepEqual(proxy.forwarded, [`${url}.well-known/agent-card.json`, url]);
      const refused = await run({ HTTP_PROXY: address.replace('canary', 'wrong-canary') });
      assert.equal(refused.status, 3);
      assert.match(refused.err, /The proxy 127\.0\.0\.1:\d+ does not accept the credentials \(HTTP 407\)\.\n.*address of the proxy/);
      assert.equal(proxy.forwarded.length, 2);
      assert.equal((await run({ HTTP_PROXY: address, NO_PROXY: '.test' })).status, 3);
      assert.equal(proxy.forwarded.length, 2);
      assert.doesNotMatch([sent, refused].map(({ out, err }) => out + err).join(), /canary/);
    } finally {
      await proxy.stop();
    }
  });

  const says401: Script = { SendMessage: [{ status: 401, headers: { 'www-authenticate': 'Bearer' } }] };
  const rows: Readonly<Record<string, Row>> = {
    help: { args: () => ['--help'], status: 0, out: /^Usage:/, err: '' },
    'an option that is none': {
      args: url => ['card', url, '--timout', '3'],
      status: 2,
      out: '',
      err: /^Unknown option --timout\. Did you mean --timeout\?\n/,
    },
    'help of run': { args: () => ['help', 'run'], status: 0, out: /^(?![^]*\n  --raw )[^]*\nOptions:[^]*\n  --watch /, err: '' },
    'help of chat': { args: () => ['help', 'chat'], status: 0, out: /\nInput:\n[^]*\/attach FILE[^]*\nOptions:/, err: '' },
    'no command': { args: () => [], status: 2, out: '', err: /Which command\?/ },
    'a command that is none': { args: url => ['greet', url], status: 2, out: '', err: /Unknown command greet/ },
    'a mistyped command': { args: url => ['crad', url], status: 2, out: '', err: /^Unknown command crad\. Did you mean a2a card\?\n/ },
    'a mistyped command in a request for help': {
      args: () => ['help', 'chekc'],
      status: 2,
      out: '',
      err: /Unknown command chekc\. Did you mean a2a check\?/,
    },
    'a mistyped second word': {
      args: url => ['auth', 'lgoin', url],
      status: 2,
      out: '',
      err: /^Unknown command auth lgoin\. Did you mean a2a auth login\?\n/,
    },
    'an option without its value': {
      args: url => ['auth', 'login', url, '--identity'],
      status: 2,
      out: '',
      err: /^--identity needs a value\.\n/,
    },
    'an option of another command': { args: url => ['card', url, '--stream'], status: 2, out: '', err: /--stream is not for card/ },
    'a command without what it needs': {
      args: () => ['task', 'get'],
      status: 2,
      out: '',
      err: /task get needs more arguments: a2a task get URL ID\n/,
    },
    'a task without its id': {
      args: url => ['task', 'get', url, ''],
      status: 2,
      out: '',
      err: /^task get needs the id of a task: a2a task get URL ID\n/,
    },
    'a run of nothing': { args: () => ['run'], status: 2, out: '', err: /run needs more arguments: a2a run FILE…\n/ },
    'nothing to send': { args: url => ['send', url], status: 2, out: '', err: /[Nn]othing to send/ },
    'a file that is not there': {
      args: url => ['send', url, '--file', 'no-such-file'],
      status: 2,
      out: '',
      err: /File not found: no-such-file/,
    },
    '--json beside --raw': {
      args: url => ['send', url, 'hello', '--json', '--raw'],
      status: 2,
      out: '',
      err: /^--json and --raw exclude each other[^\n]*\nSee: a2a send --help\n$/,
    },
    'a header that is none': { args: url => ['card', url, '--header', 'nonsense'], status: 2, out: '', err: /--header must be/ },
    'an origin that is none': {
      args: url => ['send', url, 'hello', '--allow-origin', 'localhost:9999'],
      status: 2,
      out: '',
      err: /--allow-origin must be an origin/,
    },
    'a card': { args: url => ['card', url], status: 0, out: /^Scripted agent 1\.0\.0\n[\s\S]*Interface: JSONRPC 1\.0 http/, err: '' },
    'a 0.3 card as 1.0 JSON': {
      args: url => ['card', url, '--json'],
      generation: '0.3',
      status: 0,
      out: /^\{"name":"Scripted agent".*"supportedInterfaces":\[\{"url":"[^"]+","protocolBinding":"JSONRPC","protocolVersion":"0\.3"\}\].*\}\n$/,
      err: '',
    },
    'a message': {
      script: { SendMessage: [{ answer: { message: says('hi') } }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: 'hi\n',
      err: '',
    },
    'a message from standard input': {
      script: { SendMessage: ({ params }) => [{ answer: { message: says(JSON.stringify(params?.message.parts)) } }] },
      args: url => ['send', url],
      input: 'hello\n',
      status: 0,
      out: '[{"text":"hello"}]\n',
      err: '',
    },
    'a message into a task': {
      script: { SendMessage: ({ params }) => [{ answer: { message: says(`${params?.message.taskId} ${params?.message.contextId}`) } }] },
      args: url => ['send', url, 'hello', '--task', 't-9', '--context', 'c-9'],
      status: 0,
      out: 't-9 c-9\n',
      err: '',
    },
    'a task that is done, its words harmless': {
      script: { SendMessage: [{ answer: { task: done } }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: 'a b⟨U+001B⟩[2Jc\n[a.png, image/png, 3 bytes]\n',
      err: 'task t-1, context c-1, completed\n',
    },
    'a task that failed': {
      script: {
        SendMessage: [{ answer: { task: task('TASK_STATE_FAILED', { status: { state: 'TASK_STATE_FAILED', message: says('no ink') } }) } }],
      },
      args: url => ['send', url, 'hello'],
      status: 1,
      out: 'no ink\n',
      err: 'task t-1, context c-1, failed\n',
    },
    'a stream': {
      script: { SendStreamingMessage: events.map(event => ({ event })) },
      args: url => ['send', url, 'hello', '--stream'],
      status: 0,
      out: 'one two\n',
      err: 'task t-1, context c-1, submitted\ntask t-1, working: thinking\ntask t-1, completed\n',
    },
    'an order number of 19 digits': {
      script: { SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED', { artifacts: [ordered] }) } }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: /"orderId": ?9007199254740993123\b/,
    },
    'an order number of 19 digits in a stream as JSON': {
      script: streamOf({ artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: ordered, append: false, lastChunk: true } }),
      args: url => [...streamArgs(url), '--json', '--select', '/artifactUpdate/artifact/parts/0/data/orderId'],
      status: 0,
      out: '9007199254740993123\n',
    },
    'a stream as 1.0 JSON, spoken 0.3': {
      script: { SendStreamingMessage: events.map(event => ({ event })) },
      generation: '0.3',
      args: url => ['send', url, 'hello', '--stream', '--json'],
      status: 0,
      out: events.map(event => `${JSON.stringify(event)}\n`).join(''),
      err: '',
    },
    'a stream that ends early': {
      script: { SendStreamingMessage: events.slice(0, 2).map(event => ({ event })) },
      args: url => ['send', url, 'hello', '--stream'],
      status: 3,
      err: /The agent ended the stream before the task finished\. The task was then asked for: /,
    },
    'an artifact that is replaced by what it was': {
      script: streamOf(chunk('one', false), chunk('one', false, true)),
      args: streamArgs,
      status: 0,
      out: 'one\n',
    },
    'an artifact that is replaced by more': {
      script: streamOf(chunk('one', false), chunk('one two', false, true)),
      args: streamArgs,
      status: 0,
      out: 'one two\n',
    },
    'an artifact that is replaced by another text': {
      script: streamOf(chunk('one', false), chunk('two', false, true)),
      args: streamArgs,
      status: 0,
      out: 'two\n',
    },
    'an artifact that the whole task has again': {
      script: {
        SendStreamingMessage: [
          ...events.slice(0, 4),
          { task: task('TASK_STATE_COMPLETED', { artifacts: [{ artifactId: 'x-1', parts: [{ text: 'one two' }] }] }) },
        ].map(event => ({ event })),
      },
      args: streamArgs,
      status: 0,
      out: 'one two\n',
    },
    'a text that comes again under another id': {
      script: streamOf(chunk('one', false), chunk(' two', true, true), named('x-2', 'one two')),
      args: streamArgs,
      status: 0,
      out: 'one two\n\none two\n',
    },
    'two files of one text': {
      script: streamOf(named('x-1', 'one', false, 'a.txt'), named('x-2', 'one', false, 'b.txt')),
      args: streamArgs,
      status: 0,
      out: 'one\n\none\n',
    },
    'an artifact without a last chunk': { script: streamOf(chunk('one', false)), args: streamArgs, status: 0, out: 'one\n' },
    'an event that cannot be read': {
      script: {
        SendStreamingMessage: [
          { event: events[0]! },
          { raw: 'data: {oops\n\n' },
          { event: chunk('one', false, true) },
          { event: events[4]! },
        ],
      },
      args: streamArgs,
      status: 0,
      out: 'one\n',
      err: /RPC-01 \/: The data of an event is not JSON: "\{oops"\n/,
    },
    'a stream that is cut is taken up again': {
      script: {
        SendStreamingMessage: [{ event: events[0]! }, { event: events[2]! }, { delay: 100 }, { close: true }],
        GetTask: [{ answer: task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'x-1', parts: [{ text: 'one ' }] }] }) }],
        SubscribeToTask: [{ event: events[3]! }, { event: events[4]! }],
      },
      args: streamArgs,
      status: 0,
      out: 'one two\n',
      err: /submitted\n[^]*The connection to the agent broke in the middle of its answer\. Still following the task\. .*task t-1, completed\n/s,
    },
    'a subscription that is cut is taken up again': {
      script: {
        SubscribeToTask: [{ event: events[0]! }, { event: events[2]! }, { delay: 100 }, { close: true }],
        GetTask: asked('TASK_STATE_SUBMITTED', 'TASK_STATE_FAILED'),
      },
      args: url => ['task', 'subscribe', url, 't-1'],
      status: 1,
      out: 'one \n',
      err: /failed\n$/s,
    },
    'an answer that is in the history only': {
      script: { SendMessage: [{ answer: { task: inHistory } }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: 'hi\n',
    },
    'an answer that is in the history only, after a stream': {
      script: { ...streamOf(), GetTask: [{ answer: inHistory }] },
      args: streamArgs,
      status: 0,
      out: 'hi\n',
      err: 'task t-1, context c-1, submitted\ntask t-1, completed\n',
    },
    'a task that goes on after the answer': {
      script: {
        SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }],
        GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'),
      },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: '',
      err: 'task t-1, context c-1, working\ntask t-1, input-required\n',
    },
    'a task that the agent does not know afterwards': {
      script: {
        SendMessage: [{ answer: { task: task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'x', parts: [{ text: 'so far' }] }] }) } }],
        GetTask: [{ error: { code: -32001, message: 'No such task' } }],
      },
      args: url => ['send', url, 'hello'],
      status: 3,
      out: 'so far\n',
      err: /^task t-1, context c-1, working\nThe agent returned a task that is working but no longer has it: [^\n]*TaskNotFoundError[^\n]*\nIts outcome[^\n]*\n/,
    },
    'a stream that breaks, of a task that the agent does not know afterwards': {
      script: {
        SendStreamingMessage: [{ event: events[0]! }, { error: { code: -32603, message: 'boom' } }],
        GetTask: [{ error: { code: -32001, message: 'No such task' } }],
      },
      args: streamArgs,
      status: 3,
      err: /submitted\n.*InternalError.*boom\nThe agent answered that it does not have the task\.\n$/,
    },
    'a listing of tasks that were not asked for': {
      script: {
        ListTasks: [
          { answer: { tasks: [{ ...done, id: 't-2' }, task('TASK_STATE_FAILED')], nextPageToken: '', pageSize: 2, totalSize: 2 } as never },
        ],
      },
      args: url => ['task', 'list', url, '--status', 'failed'],
      status: 0,
      out: /^t-1 {2}failed[^\n]*\n$/,
      err: /^LIST-03 [^\n]*\nThe agent does not filter what it lists: one task was not asked for and left out\.\n$/,
    },
    'an event of another task': {
      script: {
        SendStreamingMessage: [
          events[0]!,
          { artifactUpdate: { taskId: 'OTHER', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: 'not mine' }] } } },
          { statusUpdate: { taskId: 'OTHER', contextId: 'c-1', status: { state: 'TASK_STATE_FAILED' as const } } },
          ...events.slice(1),
        ].map(event => ({ event })),
      },
      args: streamArgs,
      status: 0,
      out: 'one two\n',
      err: /submitted\nDATA-06 \/: An event of task "OTHER" arrived in this task's stream; [^]*task t-1, completed\n$/,
    },
    'a task that is told as failed after its end': {
      script: { SendStreamingMessage: [...events, statusUpdate('TASK_STATE_FAILED')].map(event => ({ event })) },
      args: streamArgs,
      status: 0,
      out: 'one two\n',
      err: /task t-1, completed\nSTRM-11 \/: The task was completed and is reported as failed; what GetTask answers counts\.\n$/,
    },
    'a task without the artifacts that were streamed': {
      script: {
        SendStreamingMessage: [events[0]!, chunk('one ', true), chunk('two', true), events[4]!].map(event => ({ event })),
        GetTask: [{ answer: { ...task('TASK_STATE_COMPLETED'), artifacts: [] } }],
      },
      args: streamArgs,
      status: 0,
      out: 'one two\n',
      err: /STRM-04 [^\n]*begins with an append chunk\.\n[^]*STRM-08 \/: The agent sent artifact "[^"]+", and then the task without it; the artifact is kept\.\n/,
    },
    'a task that waits for authorization': {
      script: { SendMessage: [{ answer: { task: task('TASK_STATE_AUTH_REQUIRED') } }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      err: /^TASK-AUTH-01 \/result\/task\/status: The task waits for authorization, and its status does not say for what\.\ntask t-1, context c-1, auth-required\nThe task waits for authorization\. Give it as the agent says, then follow the task with: a2a task subscribe http:\S+ t-1\n$/,
    },
    'artifacts of which one is null': {
      script: { SendMessage: [{ answer: { task: { ...done, artifacts: [null, ...(done.artifacts ?? [])] } } as never }] },
      args: url => ['send', url, 'hello'],
      status: 0,
      out: 'a b⟨U+001B⟩[2Jc\n[a.png, image/png, 3 bytes]\n',
      err: /DATA-01 \/task\/artifacts\/0: null is not an object; it was left out\.\n/,
    },
    'an agent left at work': {
      script: {
        SendMessage: ({ params }) => [
          { answer: { task: task(params?.configuration?.returnImmediately ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED') } },
        ],
      },
      args: url => ['send', url, 'hello', '--no-wait'],
      status: 0,
      out: '',
      err: 'task t-1, context c-1, working\n',
    },
    'a task followed without a stream': {
      script: { ...silentCard, GetTask: asked('TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_FAILED') },
      args: url => ['task', 'subscribe', url, 't-1'],
      status: 1,
      out: '',
      err: 'task t-1, context c-1, working\ntask t-1, failed\n',
    },
    'a stream wanted of an agent without': {
      script: { ...silentCard, SendMessage: [{ answer: { task: done } }] },
      args: url => ['send', url, 'hello', '--stream'],
      status: 0,
      err: /completed/,
    },
    'a task that is read': {
      script: { GetTask: [{ answer: task('TASK_STATE_FAILED') }] },
      args: url => ['task', 'get', url, 't-1'],
      status: 0,
      out: '',
      err: 'task t-1, context c-1, failed\n',
    },
    'a task that is at work': {
      script: { GetTask: [{ answer: task('TASK_STATE_WORKING', { artifacts: [{ artifactId: 'x', parts: [{ text: 'so far' }] }] }) }] },
      args: url => ['task', 'get', url, 't-1'],
      status: 0,
      out: 'so far\n',
      err: 'task t-1, context c-1, working\n',
    },
    'a task as JSON': {
      script: { GetTask: [{ answer: done }] },
      args: url => ['task', 'get', url, 't-1', '--json'],
      status: 0,
      out: `${JSON.stringify(done)}\n`,
      err: '',
    },
    'a task as it was': {
      script: { GetTask: [{ raw: '{"jsonrpc": "2.0",  "result": {"id":"t-1","status":{"state":"completed"}}}' }] },
      args: url => ['task', 'get', url, 't-1', '--raw'],
      status: 0,
      out: '{"jsonrpc": "2.0",  "result": {"id":"t-1","status":{"state":"completed"}}}\n',
    },
    'another task than the one that was asked for': {
      script: { GetTask: [{ answer: done }] },
      args: url => ['task', 'get', url, 't-2'],
      status: 3,
      out: '',
      err: /asked for task "t-2" and returned task "t-1"/,
    },
    'the same, as it was': {
      script: { GetTask: [{ raw: '{"jsonrpc": "2.0",  "result": {"id":"t","status":{"state":"completed"}}}' }] },
      args: url => ['task', 'get', url, 't-1', '--raw'],
      status: 3,
      out: '{"jsonrpc": "2.0",  "result": {"id":"t","status":{"state":"completed"}}}\n',
      err: /returned task "t"/,
    },
    'a task that is cancelled': {
      script: { CancelTask: [{ answer: task('TASK_STATE_CANCELED') }] },
      args: url => ['task', 'cancel', url, 't-1'],
      status: 0,
      out: '',
      err: /canceled/,
    },
    'a task that was over before it could be cancelled': {
      script: { CancelTask: [{ answer: task('TASK_STATE_COMPLETED') }] },
      args: url => ['task', 'cancel', url, 't-1'],
      status: 3,
      err: /The task was not canceled: it had already ended \(completed\)\./,
    },
    'a task that is followed': {
      script: { SubscribeToTask: events.map(event => ({ event })) },
      args: url => ['task', 'subscribe', url, 't-1'],
      status: 0,
      out: 'one two\n',
    },
    'a task that is followed, and another that is told': {
      script: { SubscribeToTask: events.map(event => ({ event })) },
      args: url => ['task', 'subscribe', url, 't-2'],
      status: 3,
      out: '',
      err: /asked for task "t-2" and returned task "t-1"; the answer was not applied.*\n.*--raw/,
    },
    'tasks, page by page': {
      script: {
        ListTasks: ({ params }) => [
          {
            answer: {
              tasks: [task('TASK_STATE_WORKING', { id: params?.pageToken ?? 'first' })],
              nextPageToken: params?.pageToken === undefined ? 'second' : '',
              pageSize: 1,
              totalSize: 2,
            },
          },
        ],
      },
      args: url => ['task', 'list', url, '--status', 'working'],
      status: 0,
      out: 'first  working  2026-01-02T03:04:05.678Z\nsecond  working  2026-01-02T03:04:05.678Z\n',
      err: '',
    },
    'tasks on pages that give another number each': {
      script: {
        ListTasks: ({ params: { pageToken: at = '1' } = {} }) => [
          {
            answer: {
              tasks: [task('TASK_STATE_WORKING', { id: `t-${at}` })],
              nextPageToken: at === '1' ? '2' : '',
              pageSize: 1,
              totalSize: 3 * Number(at),
            },
          },
        ],
      },
      args: url => ['task', 'list', url],
      status: 0,
      out: /^t-1 {2}working[^\n]*\nt-2 {2}working[^\n]*\n$/,
      err: /^LIST-07 \/totalSize: totalSize is 6; on the page before it was 3\.\nThe agent reports 6 tasks; its pages have 2\.$/m,
    },
    'tasks on pages that overlap': {
      script: {
        ListTasks: ({ params }) => [
          {
            answer: {
              tasks: [task('TASK_STATE_WORKING'), ...(params?.pageToken === undefined ? [] : [task('TASK_STATE_WORKING', { id: 't-2' })])],
              nextPageToken: params?.pageToken === undefined ? 'second' : '',
              pageSize: 2,
              totalSize: 2,
            },
          },
        ],
      },
      args: url => ['task', 'list', url],
      status: 0,
      out: /^t-1 {2}working[^\n]*\nt-2 {2}working[^\n]*\n$/,
    },
    ...Object.fromEntries(
      (
        [
          ['a new token each time, and no task', page => ({ tasks: [], nextPageToken: `p-${page}` }), /^$/],
          [
            'a new token each time, and the same task',
            page => ({ tasks: [task('TASK_STATE_WORKING')], nextPageToken: `p-${page}` }),
            /^t-1 {2}working[^\n]*\n$/,
          ],
          [
            'the token of the second page for ever',
            page => ({ tasks: page > 1 ? [] : [task('TASK_STATE_WORKING', { id: `t-${page}` })], nextPageToken: page === 0 ? 'a' : 'b' }),
            /^t-0 [^\n]*\nt-1 [^\n]*\n$/,
          ],
        ] satisfies readonly (readonly [string, (page: number) => object, RegExp])[]
      ).map(([what, pageOf, out]) => {
        let page = 0;
        const ListTasks = (): readonly Step[] => [{ answer: { pageSize: 1, totalSize: 9, ...pageOf(page++) } as never }];
        return [
          `tasks on pages without end: ${what}`,
          { script: { ListTasks }, args: (url: string) => ['task', 'list', url], status: 0, out, err: /page|token/i },
        ];
      }),
    ),
    ...Object.fromEntries(
      (
        [
          ['whose id is null', [{ raw: 'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"Only text."}}\n\n' }]],
          ['with an object as its data', [{ error: { code: -32005, message: 'Only text.', data: { retryable: false } } }]],
          ['after which the stream stays open', [{ error: { code: -32005, message: 'Only text.' } }, { stall: true }]],
        ] satisfies readonly (readonly [string, readonly Step[]])[]
      ).map(([what, steps]) => [
        `an error in the middle of a stream, ${what}`,
        {
          script: {
            SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { event: chunk('half of it', false) }, ...steps],
            GetTask: [{ error: { code: -32001, message: 'Task not found' } }],
          },
          args: streamArgs,
          status: 3,
          out: 'half of it\n',
          err: /ContentTypeNotSupportedError \(-32005\): Only text\./,
        },
      ]),
    ),
    'an agent that takes no request for now': {
      script: { SendStreamingMessage: [{ status: 429, headers: { 'retry-after': '7' } }, { raw: '{"error":"Too Many Requests"}' }] },
      args: streamArgs,
      status: 3,
      err: /HTTP 429: Too Many Requests\nThe agent accepts no requests at the moment\. Send again in 7 s\.\n/,
    },
    'an agent that takes no request for a day': {
      script: { SendStreamingMessage: [{ status: 429, headers: { 'retry-after': '86400' } }, { raw: '{"error":"Too Many Requests"}' }] },
      args: streamArgs,
      status: 3,
      err: /Send again in 24 h\.\n/,
    },
    'an agent that promises streams and has none': {
      script: { SendStreamingMessage: [{ status: 404 }, { raw: 'Not Found' }] },
      args: streamArgs,
      status: 3,
      err: /is the one in the agent card\. The card promises streaming, but SendStreamingMessage was refused\. Send without --stream/,
    },
    'an agent that does not keep its tasks': {
      script: { SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }], GetTask: [{ error: { code: -32001, message: 'None' } }] },
      args: url => ['send', url, 'hi'],
      status: 3,
      err: /no longer has it: [^]*use a2a send with --stream/,
    },
    'an error of the agent': {
      script: {},
      args: url => ['task', 'get', url, 'x'],
      status: 3,
      out: '',
      err: /MethodNotFoundError[^]*--protocol-version/,
    },
    'wanted credentials': { script: says401, args: url => ['send', url, 'hello'], status: 3, out: '', err: /requires credentials.*Bearer/ },
    'an interface that is none': {
      args: url => ['card', url, '--interface', 'GRPC JSONRPC'],
      status: 2,
      out: '',
      err: /--interface must have/,
    },
    'an interface the card does not offer': {
      args: url => ['send', url, 'hello', '--interface', 'GRPC'],
      status: 3,
      out: '',
      err: /No interface matches GRPC/,
    },
    'an interface by its address, an extension': {
      script: { SendMessage: ({ headers }) => [{ answer: { message: says(String(headers['a2a-extensions'])) } }] },
      args: url => ['send', url, 'hello', '--interface', `JSONRPC ${url}`, '--extension', 'urn:tides'],
      status: 0,
      out: 'urn:tides\n',
    },
    'a version that does not exist': {
      args: url => ['send', url, 'hello', '--protocol-version', '9.9'],
      status: 3,
      out: '',
      err: /No interface matches 9\.9[^\n]*JSONRPC 1\.0-draft[^\n]*\nCorrect or leave out --interface and --protocol-version\.\n/,
    },
    ...Object.fromEntries(
      ['1.0', '0.3', '0.2', '0.1', '1.0-rc', '1.0-draft'].map(generation => [
        `an agent of ${generation} whose card says otherwise`,
        {
          generation,
          script: {
            AgentCard: ({ headers }: ReceivedRequest) => [
              { json: minimalCard(`http://${headers.host}/`, generation === '1.0' ? '0.3' : '1.0') },
            ],
            SendMessage: [{ answer: { task: done } }],
          },
          args: (url: string) => ['send', url, 'hello', '--protocol-version', generation],
          status: 0,
          out: 'a b⟨U+001B⟩[2Jc\n[a.png, image/png, 3 bytes]\n',
        },
      ]),
    ),
  };

  async function check(name: string, { script = {}, args, input, status, out, err, generation }: Row): Promise<void> {
    const { url } = await open.agent(script, generation);
    const ended = await a2a(args(url), input);
    const like = (found: string, expected: string | RegExp | undefined): void => {
      if (expected instanceof RegExp) assert.match(found, expected, name);
      else if (expected !== undefined) assert.equal(found, expected, name);
    };
    like(ended.err, err);
    like(ended.out, out);
    assert.equal(ended.status, status, `${name}: ${ended.err}`);
  }

  for (const [name, row] of Object.entries(rows)) test(name, () => check(name, row));

  test('nobody there', async () => {
    const ended = await a2a(['card', await open.deadPort()]);
    assert.deepEqual([ended.status, ended.out], [3, '']);
    assert.match(
      ended.err,
      /^Connection refused: no server is listening at 127\.0\.0\.1:\d+\.\nStart the agent, or correct its address\.\n/,
    );
  });

  for (const generation of ['1.0', '0.3'] as const) {
    test(`an agent of ${generation} over gRPC: its card and an answer by the address of its service; without a card by what is asked for`, async () => {
      const shown = (address: string): object =>
        generation === '1.0'
          ? {
              name: 'Harbour',
              version: '7',
              capabilities: {},
              supportedInterfaces: [
                { url: 'https://harbour.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
                { url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' },
              ],
            }
          : {
              name: 'Harbour',
              version: '7',
              capabilities: {},
              protocolVersion: '0.3.0',
              url: `http://${address}`,
              preferredTransport: 'GRPC',
              skills: [],
              description: '',
              defaultInputModes: [],
              defaultOutputModes: [],
            };
      const [agent, bare] = await Promise.all([serveGrpcAgent(generation, { card: shown }), serveGrpcAgent(generation)]);
      try {
        const commands = [
          ['card', bare.address],
          ['send', bare.address, 'hello'],
          ['send', `grpc://${bare.address}`, 'hello', '--stream'],
        ];
        const [card, answer, refused, ...asked] = (await Promise.all([
          ...[
            ['card', agent.address],
            ['send', agent.address, 'hello'],
            ['send', bare.address, 'hello'],
          ].map(args => a2a(args)),
          ...commands.map(command => a2a([...command, '--interface', `GRPC ${generation}`])),
        ])) as [Ended, Ended, Ended, ...Ended[]];
        assert.match(
          card.out,
          new RegExp(`^Harbour 7\n[\\s\\S]*Spoken: Uses GRPC ${generation} at http://${agent.address}/, the address that was given\\.\n$`),
        );
        assert.deepEqual([card.status, card.err], [0, '']);
        assert.deepEqual([answer.status, answer.out.includes('hi'), answer.err], [0, true, '']);
        assert.deepEqual([refused.status, refused.out], [3, '']);
        assert.match(refused.err, new RegExp(`is an A2A ${generation} agent over gRPC without an agent card[\\s\\S]*--interface`));
        for (const [index, command] of commands.entries()) {
          const { status, out, err } = asked[index]!;
          const isCard = command[0] === 'card';
          assert.deepEqual([status, out.includes('hi')], isCard ? [3, false] : [0, true], command.join(' '));
          assert.match(err, isCard ? /without an agent card/ : /without an agent card.*Uses GRPC .*, as set by the options\.\n/);
        }
      } finally {
        await Promise.all([agent.stop(), bare.stop()]);
      }
    });
  }

  test('a server that fails when it is asked for its card, and an address with a mistyped scheme', async () => {
    const url = await open.web((_request, response) => response.writeHead(503).end('warming up'));
    for (const [address, said] of [
      [url, /HTTP 503: warming up\n.*not available at the moment/],
      ['htp:/localhost:9', /"htp:\/localhost:9" does not begin with http:\/\/ or https:\/\/\.\n.*Did you mean http:\/\/localhost:9\?/],
    ] as const) {
      const ended = await a2a(['card', address]);
      assert.deepEqual([ended.status === 0, ended.out], [false, '']);
      assert.match(ended.err, said);
    }
  });

  test('headers go along, with the card and with the message', async () => {
    const agent = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
    assert.equal((await a2a(['send', agent.url, 'hello', '--header', 'X-Api-Key: abc:d'])).status, 0);
    assert.deepEqual(
      agent.requests.map(({ headers }) => headers['x-api-key']),
      ['abc:d', 'abc:d'],
    );
  });

  test('files are sent with their names and types', async () => {
    const file = join(program.folder, 'dot.png');
    await writeFile(file, Buffer.from([0, 1, 2]));
    const agent = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
    assert.equal((await a2a(['send', agent.url, 'look', '--file', file])).status, 0);
    const { params } = JSON.parse(agent.requests.at(-1)!.body) as { params: { message: { parts: unknown } } };
    assert.deepEqual(params.message.parts, [{ text: 'look' }, { raw: 'AAEC', filename: 'dot.png', mediaType: 'image/png' }]);
  });
});
