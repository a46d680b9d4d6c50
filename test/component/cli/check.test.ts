import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { cardSigner, signed } from '../../support/client/cardSigner.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { chunk, task } from '../../support/client/says.ts';
import { conformingAgent } from '../../support/conformance/agent/conformingAgent.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const notFound = [{ error: { code: -32001, message: 'Task not found' } }] as const;
const noPush = [{ error: { code: -32003, message: 'Push notifications are not supported' } }] as const;

const right: Script = {
  *GetTask({ params }) {
    if (params?.id === 't-1') yield { answer: task('TASK_STATE_COMPLETED') };
    else yield* notFound;
  },
  SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }],
  // Its card says that it does not stream.
  SendStreamingMessage: [{ error: { code: -32004, message: 'This agent does not stream' } }],
  SubscribeToTask: [{ error: { code: -32004, message: 'This agent does not stream' } }],
  CreateTaskPushNotificationConfig: noPush,
  GetTaskPushNotificationConfig: noPush,
  ListTaskPushNotificationConfigs: noPush,
  DeleteTaskPushNotificationConfig: noPush,
};

/** What an agent writes to take over whatever shows it. */
const hostile = 'T\u001b[2J<script>alert(1)</script><img src=x onerror=alert(1)> "\'&]]>\n::error::x ##vso[x]\u202e';

/** Rules that the agents here keep; of the others they know nothing. */
const kept = ['RPC-01', 'RPC-02', 'RPC-04', 'CORE-11', 'CORE-12', 'STRM-01', 'STRM-03', 'PUSH-01'] as const;
const few = ['--rules', kept.join(',')];

interface Line {
  readonly rule: string;
  readonly interface: string;
  readonly verdict: string;
  readonly why: string;
  readonly exchange: { readonly response?: { readonly body: string } } | null;
}

/** A free port below those that a system gives to whoever asks for any, so that no other test gets it meanwhile. */
async function portThatStaysFree(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return port;
    } catch {
      // It is taken.
    } finally {
      server.close();
    }
  }
}

suite('a2a check', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const agentWith = (script: Script, more: Record<string, unknown> = {}, interfaces = 1): Promise<ScriptedAgent> =>
    open.agent(script, '1.0', {
      binding: 'JSONRPC',
      card: url => ({
        name: 'Checked agent',
        description: 'Keeps the rules.',
        version: '1.0.0',
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 'S', description: 'S.', tags: ['s'], examples: ['Go on then'] }],
        supportedInterfaces: Array.from({ length: interfaces }, (_, index) => ({
          url: index === 0 ? url : `${url}other${index}`,
          protocolBinding: 'JSONRPC',
          protocolVersion: '1.0',
        })),
        ...more,
      }),
    });

  const linesOf = (out: string): readonly Line[] =>
    out
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Line);

  test('a signature of the card is judged with the keys that are trusted', async () => {
    const signer = await cardSigner();
    const cwd = await program.workspace({ 'signer.json': signer.jwk });
    const verdict = async (change: object, ...options: readonly string[]): Promise<string | undefined> => {
      let card: object = {};
      const { url } = await open.agent(right, '1.0', { card: () => card });
      card = { ...(await signed(minimalCard(url, '1.0') as object, signer)), ...change };
      const { out } = await program.run(['check', url, '--rules', 'SIGN-02', '--reporter', 'json', ...options], { cwd });
      return linesOf(out).find(({ rule }) => rule === 'SIGN-02')?.verdict;
    };
    assert.equal(await verdict({}, '--trusted-key', 'signer.json'), 'pass');
    assert.equal(await verdict({ description: 'Changed' }, '--trusted-key', 'signer.json'), 'fail');
    assert.equal(await verdict({}), 'inconclusive');
  });

  test('an agent that keeps the rules: 0, and an object for each rule that holds for each interface', async () => {
    const agent = await agentWith(right, {}, 2);
    const { status, out, err } = await program.run(['check', agent.url, ...few, '--reporter', 'json']);
    const lines = linesOf(out);
    const bad = lines.filter(({ verdict }) => verdict === 'fail');
    assert.deepEqual(
      bad.map(({ rule, why }) => [rule, why]),
      [],
    );
    assert.equal(status, 0, err);
    for (const path of ['', 'other1']) {
      const own = lines.filter(line => line.interface === `JSONRPC 1.0 ${agent.url}${path}`);
      assert.deepEqual(
        own.map(({ rule }) => rule),
        kept,
      );
    }
    for (const line of lines)
      for (const key of ['rule', 'interface', 'level', 'section', 'verdict', 'why', 'exchange']) assert.ok(key in line, key);
    assert.match(lines.find(({ rule }) => rule === 'RPC-04')?.exchange?.response?.body ?? '', /-32601/);
    assert.equal(lines.find(({ rule }) => rule === 'CORE-12')?.verdict, 'not-testable');
    assert.match(lines.find(({ rule }) => rule === 'CORE-12')?.why ?? '', /--allow-work/);
    assert.match(
      err,
      /rules would make the agent work; messages with task: "Go on then" \(an example of the card's\)\. They are asked with --allow-work\./,
    );
    assert.ok(!agent.requests.some(({ operation }) => operation === 'SendMessage'));
    assert.doesNotMatch(err, /webhook/);
  });

  test('that an address of internal networks is registered is said before', async () => {
    const agent = await agentWith(right, { capabilities: { pushNotifications: true } });
    const said = async (...more: readonly string[]): Promise<string> =>
      (await program.run(['check', agent.url, '--rules', 'PUSH-09', ...more])).err;
    assert.match(
      await said(),
      /1 of the rules would make the agent work; .* A webhook at http:\/\/169\.254\.169\.254\/, an address of internal networks, would be registered, to see whether the agent refuses it\. They are asked with --allow-work\./,
    );
    assert.ok(!agent.requests.some(({ operation }) => operation === 'CreateTaskPushNotificationConfig'));
    assert.match(await said('--allow-work'), /A webhook at http:\/\/169\.254\.169\.254\/, an address of internal networks, is registered/);
    assert.ok(agent.requests.some(({ operation }) => operation === 'CreateTaskPushNotificationConfig'));
  });

  test('one that breaks a MUST: 1, with what the clause wants, what came and how it is mended', async () => {
    const agent = await agentWith({ ...right, GetTask: [{ answer: task('TASK_STATE_COMPLETED') }], SubscribeToTask: notFound });
    const { status, out } = await program.run(['check', agent.url, ...few]);
    assert.equal(status, 1);
    assert.match(out, /✗ CORE-11 GetTask of an unknown task is answered with TaskNotFoundError \(MUST, section 3\.1\.3\)\n/);
    assert.match(out, /it should answer TaskNotFoundError -32001/);
    assert.match(out, /> \{"jsonrpc".*GetTask/);
    assert.match(out, /< HTTP 200\n.*TASK_STATE_COMPLETED/);
    assert.match(out, /Answer TaskNotFoundError if the store has no such task/);
    assert.match(out, /specification\/#313-get-task/);
    assert.equal((await program.run(['check', agent.url, '--rules', 'RPC-0*,!RPC-05,!RPC-03,!RPC-06', '--level', 'must'])).status, 0);
    assert.match(
      (await program.run(['check', agent.url, ...few, '--bail'])).out,
      /ended with the first failure, as requested: \d+ of \d+ verdicts are missing\./,
    );
    const bailed = await program.run(['check', agent.url, ...few, '--bail', '--json']);
    assert.equal(bailed.status, 1);
    assert.deepEqual(
      linesOf(bailed.out)
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ rule }) => rule),
      ['CORE-11'],
    );
  });

  test('--resume cuts streams once work is allowed, says before what it sends, and 1 where something is lost', async () => {
    const state = (state: TaskState): StreamResponse => ({ statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state } } });
    const events = [
      { event: { task: task('TASK_STATE_WORKING') } },
      { event: chunk('one', false) },
      { event: state('TASK_STATE_COMPLETED') },
    ];
    const capabilities = { capabilities: { streaming: true } };
    const agent = await agentWith({ ...right, SendStreamingMessage: events, SubscribeToTask: events }, capabilities);
    const args = ['check', agent.url, '--rules', 'CARD-01', '--resume'];
    const without = await program.run(args);
    assert.deepEqual([without.status, without.out, agent.requests.length], [2, '', 0]);
    assert.match(without.err, /--resume sends messages that make the agent work: it needs --allow-work, too\./);
    const { status, out, err } = await program.run([...args, '--allow-work']);
    assert.equal(status, 0, out);
    assert.match(err, /--resume sends "Go on then" up to 23 times, and cuts the streams of the answers\./);
    assert.match(
      out,
      /Streams cut and resumed over JSONRPC 1\.0 .*\n  Cut After Event  Resumed With     Outcome\n {16}1  SubscribeToTask  ✓ same\n/,
    );
    const losing = await agentWith(
      { ...right, SendStreamingMessage: events, SubscribeToTask: [events[0]!, events[2]!] },
      { ...capabilities, skills: [] },
    );
    const lost = await program.run(['check', losing.url, '--rules', 'CARD-01', '--resume', '--allow-work', '--prompt', 'task=x', '--json']);
    assert.equal(lost.status, 1, lost.out);
    const { resume } = linesOf(lost.out).at(-1) as unknown as { readonly resume: { readonly cuts: readonly object[] } };
    assert.deepEqual(resume.cuts, [
      { after: 1, how: 'subscribed', outcome: 'lost', details: 'Missing: "one"' },
      { after: 2, how: 'subscribed', outcome: 'same' },
    ]);
  });

  test('rules about push notifications are checked at a receiver on this machine, whose port can be chosen', async () => {
    const notifier = await conformingAgent({ version: '1.0', binding: 'JSONRPC', kind: 'full' });
    try {
      const more = ['--allow-work', '--prompt', 'task=task', '--header', 'Authorization: Bearer right', '--json'];
      const { status, out, err } = await program.run(['check', notifier.url, '--rules', 'PUSH-05,PUSH-06,PUSH-07', ...more]);
      assert.equal(status, 0, err);
      assert.match(err, /Receiving push notifications on 127\.0\.0\.1:\d+/);
      for (const { verdict, why, exchange } of linesOf(out)) {
        assert.equal(verdict, 'pass', why);
        assert.equal((exchange as { readonly operation?: string } | null)?.operation, 'PushNotification');
      }
      assert.equal(linesOf(out).length, 3);
      const wrong = await program.run(['check', notifier.url, '--webhook', 'https://hooks.example']);
      assert.deepEqual([wrong.status, /--webhook needs --port N/.test(wrong.err)], [2, true]);
      const { port } = new URL(notifier.url);
      const taken = await program.run(['check', notifier.url, '--port', port, ...more]);
      assert.deepEqual(
        [taken.status, taken.out, taken.err],
        [2, '', `Port ${port} cannot be listened on: EADDRINUSE.\nSee: a2a check --help\n`],
      );
    } finally {
      await notifier.stop();
    }
  });

  test('a reporter that cannot be opened ends the command, also where it listens', async () => {
    const args = ['check', 'http://127.0.0.1:1', '--port', String(await portThatStaysFree()), '--reporter'];
    const unknown = await program.run([...args, 'nope']);
    assert.deepEqual([unknown.status, unknown.out], [2, '']);
    assert.match(unknown.err, /^Unknown reporter nope\./);
    const closed = await program.run([...args, 'html=.']);
    assert.deepEqual([closed.status, closed.out], [2, '']);
    assert.match(closed.err, /EISDIR/);
  });

  test('a value in the bytes that came is marked', async () => {
    const agent = await agentWith(right, {
      skills: [
        { id: 'ß', name: 'S', description: 'S.', tags: ['s'] },
        { id: 'ß', name: 'S', description: 'S.', tags: ['s'] },
      ],
    });
    const { out } = await program.run(['check', agent.url, '--rules', 'CARD-17', '--reporter', 'json']);
    const [line] = linesOf(out) as readonly (Line & { readonly bytes: [number, number] })[];
    assert.equal(line?.verdict, 'warn');
    assert.equal(
      Buffer.from(line.exchange?.response?.body ?? '')
        .subarray(...line.bytes)
        .toString(),
      '"ß"',
    );
    assert.match((await program.run(['check', agent.url, '--rules', 'CARD-17'])).out, /»"ß"«/);
  });

  test('what to send stands in a request file, and --prompt counts more', async () => {
    const agent = await agentWith(right);
    const texts = (): readonly string[] =>
      agent.requests.filter(({ operation }) => operation === 'SendMessage').map(({ params }) => JSON.stringify(params));
    const cwd = await program.workspace({
      'agent.a2a': { agent: agent.url, check: { task: 'Row a boat', 'long-task': 'Row far' }, requests: [{ name: 'a', message: 'Hello' }] },
      'README.md': `# Boats\n\n\`\`\`a2a\n${JSON.stringify({ agent: agent.url, check: { task: 'Read me' } })}\n\`\`\`\n`,
      'none.a2a': { agent: agent.url, message: 'Hello' },
      'wrong.a2a': { agent: agent.url, message: 'Hello', check: { sail: 'x' } },
      'broken.a2a': '{ "check": ',
    });
    const checked = (...args: string[]) => program.run(['check', agent.url, '--rules', 'CORE-01', '--allow-work', ...args], { cwd });
    const { err } = await checked('--prompts', 'agent.a2a');
    assert.match(err, /messages with task: "Row a boat"; long-task: "Row far"/);
    assert.ok(texts().length > 0 && texts().every(text => text.includes('Row a boat')));
    await checked('--prompts', 'README.md');
    assert.ok(texts().some(text => text.includes('Read me')));
    await checked('--prompts', 'agent.a2a', '--prompt', 'task=Steer');
    assert.ok(texts().at(-1)?.includes('Steer'));
    // They are no requests: a run sends those of the file alone.
    const before = texts().length;
    assert.equal((await program.run(['run', 'agent.a2a'], { cwd })).status, 0);
    assert.equal(texts().length, before + 1);
    for (const [file, said] of [
      ['none.a2a', /none\.a2a has no "check", with texts for task, long-task, input-required, auth-required\./],
      ['wrong.a2a', /wrong\.a2a:\d+:\d+: "check" takes a text of at most 10,000 characters for each of task/],
      ['broken.a2a', /broken\.a2a:1:\d+: this is not JSON with comments\./],
      ['gone.a2a', /File not found: gone\.a2a/],
      ['.', /\. is not a file\./],
    ] as const) {
      const { status, err: why } = await checked('--prompts', file);
      assert.equal(status, 2, file);
      assert.match(why, said);
    }
  });

  test('a command line that is wrong: 2, and nothing is sent', async () => {
    const agent = await agentWith(right);
    for (const [args, said] of [
      [['--rules', 'CORE-1l'], /Unknown rule CORE-1l\. Did you mean CORE-1/],
      [['--level', 'may'], /--level must be "must" or "should"/],
      [['--rules', 'LIST-04', '--level', 'must'], /leave no rule/],
      [['--prompt', 'sail=x'], /--prompt must be WHAT=TEXT, with one of task, long-task, input-required, auth-required/],
      [['--reporter', 'xml'], /Unknown reporter xml\. There are: spec, json, junit, html, markdown, badge\./],
      [['--reporter', 'html', '--reporter', 'json'], /Only one reporter can write to standard output/],
      [['--interface', 'GRPC GRPC'], /--interface must have/],
    ] as const) {
      const { status, err } = await program.run(['check', agent.url, ...args]);
      assert.equal(status, 2, args.join(' '));
      assert.match(err, said);
    }
    assert.equal(agent.requests.length, 0);
  });

  test('an agent that is not there: 3; one that goes away in mid-suite fails nothing', async () => {
    assert.equal((await program.run(['check', 'http://127.0.0.1:1'])).status, 3);
    const going: { agent?: ScriptedAgent } = {};
    let count = 0;
    going.agent = await agentWith({
      ...right,
      async *GetTask() {
        if (++count === 1) await going.agent?.stop();
        yield* notFound;
      },
    });
    const { status, out } = await program.run(['check', going.agent.url, '--rules', 'RPC-04,CORE-11,CORE-12,STRM-01', '--json']);
    const verdicts = linesOf(out).map(({ verdict }) => verdict);
    assert.equal(status, 3);
    assert.ok(verdicts.includes('inconclusive') && verdicts.includes('pass') && !verdicts.includes('fail'), verdicts.join(' '));
    const none = await agentWith(right);
    const { status: other, err } = await program.run(['check', none.url, '--interface', 'GRPC']);
    assert.equal(other, 3);
    assert.match(err, /The card has no such interface\. It has: JSONRPC 1\.0\./);
  });

  test('an agent that refuses everything for want of credentials: 3, and what to do', async () => {
    const refusing: Script = Object.fromEntries(
      [...Object.keys(right), 'CancelTask', 'ListTasks', 'SendStreamingMessage'].map(operation => [
        operation,
        [{ status: 401 }, { json: {} }],
      ]),
    );
    const agent = await agentWith(refusing, { securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } } });
    const { status, out } = await program.run(['check', agent.url, '--rules', 'CORE-11,CORE-15,STRM-01']);
    assert.equal(status, 3, out);
    assert.match(
      out,
      /Every request was refused \(HTTP 401\), so nothing could be decided\. Give credentials that the agent accepts with --header/,
    );
    // One that was let in once was not refused.
    const open = await agentWith({ ...refusing, GetTask: notFound });
    assert.equal((await program.run(['check', open.url, '--rules', 'CORE-11,STRM-01'])).status, 0);
  });

  test('an agent of the settings is asked with its headers, and made to work with its prompts', async () => {
    const secret = 'k3y-of-the-checked-agent';
    const agent = await agentWith({ ...right, GetTask: [{ error: { code: -32001, message: `You are ${secret}` } }] });
    const cwd = await program.workspace({
      '.vscode/settings.json': {
        'a2a.agents': {
          Boat: {
            url: agent.url,
            headers: { 'X-Key': '{{$secret boat}}' },
            check: { task: 'Draw a sailboat' },
            interface: { protocolVersion: '0.3' },
          },
        },
      },
    });
    // What the settings of a folder name is given once the person has said so.
    const allowed = ['--allow-origin', new URL(agent.url).origin];
    const options = { cwd, env: { A2A_SECRET_BOAT: secret } };
    const texts = (): readonly string[] =>
      agent.requests.filter(({ operation }) => operation === 'SendMessage').map(({ params }) => JSON.stringify(params ?? null));
    const { out, err } = await program.run(
      ['check', 'Boat', ...allowed, '--allow-work', '--reporter', 'json', '--reporter', 'html=r.html', '--reporter', 'markdown=r.md'],
      options,
    );
    assert.ok(linesOf(out).length > 50);
    assert.match(err, /rules make the agent work; messages with task: "Draw a sailboat"\./);
    assert.ok(
      texts().length > 0 && texts().every(text => !text.includes('Go on then')) && texts().some(text => text.includes('Draw a sailboat')),
    );
    for (const text of [out, err, ...['r.html', 'r.md'].map(name => readFileSync(join(cwd, name), 'utf8'))])
      assert.ok(!text.includes(secret));
    const before = texts().length;
    await program.run(['check', 'Boat', ...allowed, '--allow-work', '--prompt', 'task=Row'], options);
    assert.ok(
      texts()
        .slice(before)
        .some(text => text.includes('"Row"')),
    );
  });

  test('reports keep what agents write from doing anything', async () => {
    const agent = await agentWith(
      { ...right, GetTask: [{ answer: { ...task('TASK_STATE_COMPLETED'), metadata: { hostile } } }] },
      { name: hostile, version: hostile },
    );
    const cwd = await program.workspace({});
    const files = ['html=r.html', 'markdown=r.md', 'junit=r.xml', 'badge=r.svg', 'json=r.json'].flatMap(name => ['--reporter', name]);
    const { out, status } = await program.run(['check', agent.url, ...few, '--verbose', '--reporter', 'spec', ...files], { cwd });
    assert.equal(status, 1);
    const [html = '', markdown = '', junit = '', badge = '', json = ''] = ['r.html', 'r.md', 'r.xml', 'r.svg', 'r.json'].map(name =>
      readFileSync(join(cwd, name), 'utf8'),
    );
    for (const [name, text] of Object.entries({ out, html, markdown, junit, badge, json })) {
      assert.doesNotMatch(text, /(?!\n)\p{Cc}/u, name);
      assert.doesNotMatch(text, /\u202e/, name);
      assert.doesNotMatch(text, /^\s*::error|##vso\[/m, name);
    }
    for (const text of [html, junit, badge]) assert.doesNotMatch(text, /<(script|img)/);
    assert.match(html, /&lt;script&gt;alert\(1\)/);
    // Outside of code, Markdown has no tag.
    assert.doesNotMatch(markdown.replaceAll(/^(`{3,})\n[^]*?\n\1$/gm, ''), /<\w/);
    assert.equal((markdown.match(/^`{3,}$/gm) ?? []).length % 2, 0);
    wellFormed(junit);
    wellFormed(badge);
    assert.match(junit, /<failure type="CORE-11"/);
    assert.match(badge, /aria-label="A2A 1\.0: \d+ of \d+ MUST"/);
    assert.equal(linesOf(json).find(({ rule }) => rule === 'CORE-11')?.verdict, 'fail');
  });
});

/** Fails for XML whose tags do not match, or with a character that has to be escaped. */
function wellFormed(xml: string): void {
  const open: string[] = [];
  const rest = xml.replaceAll(
    /<\?xml[^?]*\?>|<(\/?)([\w-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g,
    (_, end: string, name: string, __: string, empty: string) => {
      if (name === undefined) return '';
      if (end === '/') assert.equal(open.pop(), name);
      else if (empty !== '/') open.push(name);
      return '';
    },
  );
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/);
}
