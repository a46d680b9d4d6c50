import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const events = [
  { task: task('TASK_STATE_SUBMITTED') },
  statusUpdate('TASK_STATE_WORKING', says('thinking')),
  chunk('one ', false),
  chunk('two', true, true),
  statusUpdate('TASK_STATE_COMPLETED'),
];
const streamArgs = (url: string): readonly string[] => ['send', url, 'hello', '--stream'];

suite('a2a in a process of its own', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const greeted = { agent: 'Harbour', message: 'hello' };
  /** The files of the folder, in which an agent of the settings greets. */
  const files = (url: string): Readonly<Record<string, unknown>> => ({
    '.vscode/settings.json': { 'a2a.agents': { Harbour: { url } } },
    'good.a2a': greeted,
    'bad.a2a': { ...greeted, expect: { text: 'bye' } },
    'wrong.a2a': { agent: 'Harbour', message: 'hello', mesage: 'x' },
    'body.json': { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: says('hello') } },
  });

  // test/component/cli has what the commands do. Their words, their files and their exit statuses come out of a process as well.
  const rows: readonly (readonly [args: string, status: number, out: RegExp, err: RegExp, stdin?: string])[] = [
    ['--version', 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    ['help files', 0, /^# Request file reference\n/, /^$/],
    ['card Harbour --nothing', 2, /^$/, /^Unknown option --nothing\.\nSee: a2a card --help\n$/],
    ['card Harbour', 0, /^Scripted agent 1\.0\.0\n/, /^$/],
    ['send Harbour', 0, /^hi\n$/, /^$/, 'from standard input'],
    ['send Harbour hello --json', 0, /^\{"message":\{.*"hi".*\}\n$/, /^$/],
    ['chat Harbour', 0, /^hi\n$/, /^$/, 'hello'],
    ['task get Harbour t-1', 3, /^$/, /not found/i],
    ['run good.a2a', 0, /^→ good\.a2a › .*\n[^]*\n1 sent, 0 passed/, /^$/],
    ['run bad.a2a --reporter junit=report.xml --reporter spec', 1, /✗ bad\.a2a[^]*- bye/, /^$/],
    ['run wrong.a2a', 2, /^$/, /^wrong\.a2a:\d+:\d+: (?:error|warning): /],
    ['run - --agent Harbour', 0, /<stdin>/, /^$/, '{"message":"hello"}'],
    ['check Harbour --rules CARD', 0, /^Scripted agent 1\.0\.0 [^]*\n\d+ passed/, /^$/],
    ['export good.a2a --k6', 0, /\nimport http from 'k6\/http';\n/, /^$/],
    ['import body.json', 0, /"message"/, /^$/],
    ['auth status', 1, /^$/, /^You are not signed in to any agent\.\n$/],
  ];
  for (const [args, status, out, err, stdin] of rows)
    test(`a2a ${args}`, async () => {
      const { url } = await open.agent({
        SendMessage: [{ answer: { message: says('hi') } }],
        SendStreamingMessage: [{ event: { message: says('hi') } }],
      });
      const cwd = await program.workspace(files(url));
      const came = await program.run(args.split(' '), { cwd, env: { XDG_CONFIG_HOME: cwd }, stdin });
      assert.match(came.err, err);
      assert.match(came.out, out);
      assert.equal(came.status, status);
      if (args.includes('report.xml')) assert.match(await readFile(join(cwd, 'report.xml'), 'utf8'), /failures="1"/);
    });

  test('standard output and standard error in one pipe: a line of the one does not begin in a line of the other', async () => {
    const { url } = await open.agent({
      SendStreamingMessage: [{ event: events[0]! }, { event: events[2]! }, { delay: 100 }, { close: true }],
      GetTask: [{ error: { code: -32001, message: 'No such task' } }],
    });
    const child = spawn('sh', ['-c', '"$0" "$@" 2>&1', process.execPath, program.path, ...streamArgs(url)], { stdio: 'pipe' });
    assert.match(await text(child.stdout), /submitted\none \nThe connection to the agent broke/);
  });

  test('a Node.js without Promise.withResolvers, as 20 is, listens to an agent all the same', async () => {
    const agent = await open.agent({ SendStreamingMessage: events.map(event => ({ event })) });
    const child = spawn(process.execPath, [program.path, ...streamArgs(agent.url)], {
      env: { ...process.env, NODE_OPTIONS: '--import=data:text/javascript,delete%20Promise.withResolvers' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    assert.match(out, /one two/, errors);
    assert.equal(child.exitCode, 0, errors);
  });

  test('an interrupt leaves the agent at once', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: events[0]! }, { stall: true }] });
    const child = program.start(['send', agent.url, 'hello', '--stream']);
    child.stdin.end();
    const exited = once(child, 'exit');
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    await exited;
    assert.equal(child.exitCode, 130);
    const { signal } = agent.requests.at(-1)!;
    if (!signal.aborted) await once(signal, 'abort');
  });
});
