import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { Output } from '../../../src/cli/terminal/output.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { TaskServer, type Work } from '../../../src/mock/taskServer.ts';
import { textOf } from '../../../src/protocol/message/part.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import { readRecording } from '../../../src/recording/recording.ts';
import { hostOf } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';

const file = 'x.a2a-recording.jsonl';

suite('recordings that are filled', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  /** An agent that repeats each message in an artifact; it asks back where the message has a question mark. */
  async function echo(gate?: Promise<void>): Promise<ScriptedAgent> {
    const work: Work = async function* ({ message, taskId, contextId }) {
      const text = textOf(message.parts);
      const ids = { taskId, contextId };
      if (text.endsWith('?'))
        return yield { statusUpdate: { ...ids, status: { state: 'TASK_STATE_INPUT_REQUIRED', message: says('Which one?') } } };
      yield { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text: `echo ` }] } } };
      await gate;
      yield { artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append: true } };
      yield { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } };
    };
    const server = new TaskServer({ version: versionOf('1.0')!, work, onError: error => assert.fail(error as Error) });
    return open.agent(server.script);
  }

  /** A folder with the recording of a chat. */
  async function recorded(url: string, ...lines: readonly string[]): Promise<string> {
    const cwd = await program.workspace({});
    await program.run(['chat', url, '--record', file], { cwd, stdin: lines.join('\n') });
    return cwd;
  }

  interface Served {
    readonly url: string;
    end(): Promise<{ readonly status: number; readonly out: string; readonly err: string }>;
  }

  async function served(cwd: string, ...args: readonly string[]): Promise<Served> {
    const interrupt = new AbortController();
    const written = { out: '', err: '' };
    const { promise: address, resolve } = Promise.withResolvers<string>();
    const host = hostOf(
      (stream, text) => {
        written[stream] += text;
        if (stream === 'out') resolve(text.trim());
      },
      { cwd },
    );
    const run = { host, output: new Output(host), interrupt: interrupt.signal, giveUp: new AbortController().signal };
    const running = main(['serve', file, '--speed', '0', ...args], run);
    const end = async () => {
      interrupt.abort(130);
      return { status: await running, ...written };
    };
    open.add(end);
    const first = await Promise.race([address, running.then(() => assert.fail(written.err))]);
    return { url: first.startsWith('{') ? (JSON.parse(first) as { url: string }).url : first, end };
  }

  const messagesTo = ({ requests }: ScriptedAgent) =>
    requests.flatMap(({ operation, params }) =>
      operation?.startsWith('Send') === true && params !== undefined && 'message' in params ? [params.message] : [],
    );

  test('what is in no recording goes through, is added to the file, and is played from then on', async () => {
    const agent = await echo();
    const cwd = await recorded(agent.url, 'one');
    const before = messagesTo(agent).length;
    const first = await served(cwd, '--fill', agent.url);
    const lines = 'one\ntwo\nthree';
    const mixed = await program.run(['chat', first.url, '--json'], { stdin: lines });
    const contexts = new Set([...mixed.out.matchAll(/"contextId":"([^"]+)"/g)].map(([, id]) => id));
    assert.equal(contexts.size, 1, mixed.out);
    assert.match(mixed.out, /echo .*two/s);
    const ended = await first.end();
    assert.equal(ended.status, 130);
    assert.match(ended.err, /"two": in no recording, goes through\n/);
    assert.equal(ended.err.match(/begins a new context there/g)?.length, 1, ended.err);
    assert.match(
      ended.err,
      /Messages: 1 reused, 2 passed through, 0 unmatched\.\nRecording x\.a2a-recording\.jsonl \(requests: 2, events: \d+\)/,
    );
    const { exchanges } = readRecording(readFileSync(join(cwd, file), 'utf8'));
    const isMessage = ({ exchange: { operation } }: (typeof exchanges)[number]): boolean => operation.startsWith('Send');
    assert.deepEqual(
      exchanges.filter(isMessage).map(({ after }) => after),
      [undefined, 1, undefined],
      'the agent knows its own conversation',
    );
    const [two, three] = messagesTo(agent).slice(before);
    assert.equal(messagesTo(agent).length, before + 2);
    assert.deepEqual([two!.contextId, two!.taskId, three!.taskId], [undefined, undefined, undefined]);
    assert.ok(three!.contextId !== undefined && !contexts.has(three!.contextId));

    await agent.stop();
    const second = await served(cwd, '--json');
    const again = await program.run(['chat', second.url], { stdin: lines });
    assert.equal(again.out, 'echo one\necho two\necho three\n', again.err);
    const { out } = await second.end();
    assert.match(out, /\{"reused":3,"through":0,"unmatched":0\}\n$/);
  });

  test('a stream stays a stream, and who asks to wait waits', async () => {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>();
    const agent = await echo(gate);
    const cwd = await recorded((await echo()).url, 'one');
    const { url, end } = await served(cwd, '--fill', agent.url);
    const body = (method: string, text: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: { messageId: text, role: 'ROLE_USER', parts: [{ text }] } } });
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const waits = fetch(url, { method: 'POST', headers, body: body('SendMessage', 'waits') }).then(response => response.text());
    const { body: stream } = await fetch(url, { method: 'POST', headers, body: body('SendStreamingMessage', 'streams') });
    let came = '';
    for await (const text of stream!.pipeThrough(new TextDecoderStream())) {
      came += text;
      // The agent goes on only once its first chunk is here.
      if (came.includes('"echo "')) goOn();
    }
    assert.match(came, /"text":"echo ".*"text":"streams".*TASK_STATE_COMPLETED/s);
    assert.match(await waits, /TASK_STATE_COMPLETED/);
    assert.match(await waits, /"text":"waits"/);
    const methodOf = (text: string) =>
      agent.requests.find(({ params }) => params !== undefined && 'message' in params && textOf(params.message.parts) === text)?.operation;
    assert.deepEqual(['waits', 'streams'].map(methodOf), ['SendMessage', 'SendStreamingMessage']);
    await end();
  });

  test('a task of the agent waits and goes on as it does at the agent', async () => {
    const agent = await echo();
    const cwd = await recorded(agent.url, 'one');
    const { url, end } = await served(cwd, '--fill', agent.url);
    const lines = { stdin: 'boat?\nthe red one' };
    const through = await program.run(['chat', url], lines);
    const [question, answer] = messagesTo(agent).slice(-2);
    assert.deepEqual([question!.taskId, typeof answer!.taskId], [undefined, 'string']);
    assert.match(through.err, /Which one\?/);
    const withoutIds = ({ out, err }: typeof through): string => `${out}${err.replaceAll(/\b[\da-f]{8}\b/g, 'id')}`;
    assert.equal(withoutIds(through), withoutIds(await program.run(['chat', agent.url], lines)));
    await end();
  });

  test('a task that is canceled while the agent works is canceled there', async () => {
    const { promise: never } = Promise.withResolvers<void>();
    const agent = await echo(never);
    const cwd = await recorded((await echo()).url, 'one');
    const { url, end } = await served(cwd, '--fill', agent.url);
    const { out } = await program.run(['send', url, 'work', '--no-wait', '--json']);
    const { task } = JSON.parse(out.trim().split('\n').at(-1)!) as { task: { id: string } };
    await program.run(['task', 'cancel', url, task.id]);
    while (!agent.requests.some(({ operation }) => operation === 'CancelTask')) await new Promise(resolve => setTimeout(resolve, 1));
    await end();
  });

  test('errors of the agent are handed on, and an agent that is not there is one', async () => {
    const refused: readonly Step[] = [{ error: { code: -32004, message: 'not this one', data: [{ why: 'x' }] } }];
    const script: Script = { SendMessage: refused, SendStreamingMessage: refused };
    const agent = await open.agent(script);
    const cwd = await recorded((await echo()).url, 'one');
    const port = Number(new URL(agent.url).port);
    await agent.stop();
    const { url, end } = await served(cwd, '--fill', agent.url);
    assert.match((await program.run(['send', url, 'two'])).err, /InternalError .*(connect|reach|refused)/is);
    await agent.start(port);
    const { err, status } = await program.run(['send', url, 'two']);
    assert.match(err, /UnsupportedOperationError .*not this one/);
    assert.equal(status, 3);
    const sent = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'three' }] } },
    });
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const raw = (await (await fetch(url, { method: 'POST', headers, body: sent })).json()) as {
      readonly error: { readonly data: readonly unknown[] };
    };
    assert.deepEqual(raw.error.data.at(-1), { why: 'x' });
    assert.match((await end()).err, /Messages: 0 reused, 3 passed through, 0 unmatched/);
    // An answer is an answer: the error is played, too.
    const second = await served(cwd);
    assert.match((await program.run(['send', second.url, 'two'])).err, /not this one/);
  });

  test('an agent of the settings is found by its name, and its credentials are in no file', async () => {
    const secret = 'sk-canary-4711-4711';
    const answer = (key: unknown): readonly Step[] => [{ event: { message: says(`${String(key)} ACME ann@work.test`) } }];
    const agent = await open.agent({ SendStreamingMessage: ({ headers }) => answer(headers['x-api-key']) });
    const cwd = await program.workspace({ '.vscode/settings.json': { 'a2a.agents': { Boats: { url: agent.url } } } });
    await program.run(['send', agent.url, 'one', '--stream', '--record', file], { cwd });
    const { url, end } = await served(cwd, '--fill', 'Boats', '--header', `X-API-Key: ${secret}`, '--replace', 'ACME=us');
    assert.equal((await program.run(['send', url, 'two', '--stream'])).status, 0);
    const { err } = await end();
    const text = readFileSync(join(cwd, file), 'utf8');
    assert.doesNotMatch(text, /canary|ann@/);
    assert.match(text, / us person1@example\.com/);
    assert.match(err, /Replaced: .*us \(1\)/);
    assert.equal(readRecording(text).exchanges.length, 2);
  });

  test('options for the agent need one', async () => {
    const cwd = await recorded((await echo()).url, 'one');
    const { err, status } = await program.run(['serve', file, '--header', 'X: y'], { cwd });
    assert.match(err, /--header is for --fill/);
    assert.equal(status, 2);
  });
});
