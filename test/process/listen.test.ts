import * as assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { TaskServer } from '../../src/mock/taskServer.ts';
import { versionOf } from '../../src/protocol/versions/index.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { update } from '../support/receiver/openReceiver.ts';
import { post } from '../support/receiver/post.ts';
import { attack } from '../support/servers/attacks.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

interface Line {
  readonly config?: { readonly url: string; readonly token?: string };
  readonly status?: number;
  readonly taskId?: string;
  readonly applied?: boolean;
  readonly repeated?: boolean;
  readonly verdicts?: readonly { readonly of: string; readonly outcome: string }[];
  readonly content?: { readonly statusUpdate?: { readonly status: { readonly state: string } } };
}

suite('a2a listen', () => {
  let program: TerminalProgram;
  const open = new OpenThings();
  const children: ChildProcess[] = [];
  suiteSetup(async () => {
    program = await TerminalProgram.build();
  });
  suiteTeardown(() => program.remove());
  teardown(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await open.close();
  });

  async function listening(...args: readonly string[]) {
    const child = program.start(['listen', ...args]);
    children.push(child);
    const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value ?? assert.fail('it ended'));
    return { child, next, nextJson: async () => JSON.parse(await next()) as Line };
  }
  const headersOf = ({ token = '' }: NonNullable<Line['config']>) => ({ 'x-a2a-notification-token': token });

  test('says where it listens, then each delivery in a line of JSON, and ends with Ctrl+C', async () => {
    const { child, nextJson } = await listening('--json');
    const { config } = await nextJson();
    assert.match(config!.url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    const body = update('t-1', 'x');
    assert.equal((await post(config!.url, { headers: headersOf(config!), body })).status, 200);
    const first = await nextJson();
    assert.deepEqual([first.status, first.taskId, first.applied, first.repeated], [200, 't-1', true, false]);
    assert.equal(first.content?.statusUpdate?.status.state, 'TASK_STATE_WORKING');
    assert.equal((await post(config!.url, { headers: headersOf(config!), body })).status, 200);
    assert.equal((await nextJson()).repeated, true);
    assert.equal((await post(config!.url, { body })).status, 401);
    const { status, verdicts } = await nextJson();
    assert.deepEqual([status, verdicts?.map(({ of, outcome }) => `${of} ${outcome}`)], [401, ['token absent']]);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
  });

  test('goes on after a notification that is too large, with a length or without, and after one that breaks off', async () => {
    const { child, nextJson } = await listening('--json');
    const refused = createInterface({ input: child.stderr as Readable })[Symbol.asyncIterator]();
    const { config } = await nextJson();
    const url = new URL(config!.url);
    const port = Number(url.port);
    const head = (more: string): string =>
      `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
    const large = ' '.repeat(2 * 1024 * 1024);
    const chunked = ['Transfer-Encoding: chunked', `200000\r\n${large}\r\n0\r\n\r\n`] as const;
    for (const [header, body] of [chunked, [`Content-Length: ${large.length}`, large] as const]) {
      assert.match(await attack(port, { title: '', pieces: [head(header), body] }), /^HTTP\/1\.1 413 /);
      let line: string;
      do line = String((await refused.next()).value ?? assert.fail('it ended'));
      while (!line.startsWith('Refused'));
      assert.equal(line, 'Refused: the body is too large.');
    }
    await attack(port, { title: '', pieces: [head('Content-Length: 10'), '{'], then: 'reset' });
    assert.equal((await post(config!.url, { headers: headersOf(config!), body: update('t-1', 'x') })).status, 200);
    assert.equal((await nextJson()).taskId, 't-1');
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
  });

  test('tells once of a notification that is too large, whose rest comes after the answer', async () => {
    const { child, nextJson } = await listening('--json', '--path', '/hook');
    const lines = createInterface({ input: child.stderr as Readable })[Symbol.asyncIterator]();
    const { config } = await nextJson();
    const { port } = new URL(config!.url);
    const large = ' '.repeat(1_100_000);
    const head = `POST /hook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`;
    assert.match(await attack(Number(port), { title: '', pieces: [head + large.slice(0, 60_000), large.slice(60_000)] }), / 413 /);
    await attack(Number(port), { title: '', pieces: [`GET /hook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`] });
    const refused: string[] = [];
    while (refused.length < 2) {
      const line = String((await lines.next()).value ?? assert.fail('it ended'));
      if (line.startsWith('Refused')) refused.push(line);
    }
    assert.deepEqual(refused, ['Refused: the body is too large.', 'Refused: the request is not a POST.']);
  });

  test('for people: a line each; path, token and answers are as the options say', async () => {
    const { next } = await listening('--path', '/hook', '--token', 'mine', '--respond', '500:1');
    const url = /^Webhook: (http:\S+\/hook)$/.exec(await next())?.[1] ?? assert.fail('no address');
    assert.equal(await next(), 'Token: mine');
    const posting = { headers: { 'x-a2a-notification-token': 'mine' }, body: update('t-1', 'x', 'TASK_STATE_COMPLETED') };
    assert.deepEqual([(await post(url, posting)).status, (await post(url, posting)).status], [500, 200]);
    assert.match(await next(), /Z {2}500 \(rehearsed\) {2}status: completed {2}task t-1$/);
    assert.match(await next(), /Z {2}200 {2}status: completed {2}task t-1$/);
  });

  test('receives what a scripted agent sends', async () => {
    const { nextJson } = await listening('--json', '--protocol-version', '1.0');
    const { config } = await nextJson();
    const server = new TaskServer({
      version: versionOf('1.0')!,
      onError: assert.ifError,
      *work({ taskId, contextId }) {
        yield { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } } };
      },
    });
    const { client } = await open.spoken(server.script);
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: [{ text: 'hi' }] };
    const { result } = await client.call('SendMessage', { message, configuration: { taskPushNotificationConfig: config! } });
    const line = await nextJson();
    assert.deepEqual([line.status, line.taskId], [200, 'task' in result ? result.task.id : undefined]);
  });

  for (const [args, said] of [
    [['--port', 'x'], /--port must be a number/],
    [['--path', 'hook'], /--path must be a path/],
    [['--respond', 'no'], /--respond must be 500/],
    [['http://localhost'], /takes fewer arguments/],
  ] as const)
    test(`${args.join(' ')} is not understood`, async () => {
      const { status, err } = await ended(program.start(['listen', ...args]));
      assert.equal(status, 2);
      assert.match(err, said);
    });

  test('a port that is taken is said', async () => {
    const taken = new URL(await open.web(() => {})).port;
    const { status, err } = await ended(program.start(['listen', '--port', taken]));
    assert.deepEqual([status, /EADDRINUSE/.test(err)], [2, true]);
  });
});
