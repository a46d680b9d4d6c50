import * as assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import { Output } from '../../../src/cli/terminal/output.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { Exchange } from '../../../src/protocol/exchange.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { sentence } from '../../../src/protocol/problem.ts';
import { Matching, turnAt } from '../../../src/recording/matching.ts';
import { Player } from '../../../src/recording/player.ts';
import { Recorder } from '../../../src/recording/recorder.ts';
import { conversationsIn } from '../../../src/recording/turns.ts';
import { readRecording, recordingText, type AnswerRule, type Recording } from '../../../src/recording/recording.ts';
import { Replacements } from '../../../src/recording/replacements.ts';
import { hostOf } from '../../support/cli/runTerminal.ts';
import { ways } from '../../support/cli/taskWays.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says, statusUpdate, task } from '../../support/client/says.ts';

const file = 'x.a2a-recording.jsonl';
/** Ways whose agent says nothing for as long as it is waited for: what was recorded ends when waiting did. */
const silent = ['never answers', 'is over before its time is up, without a word on its stream'];

suite('played tasks', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  /** What a command records of an agent with this script. */
  async function recorded(
    script: Script,
    ...args: readonly string[]
  ): Promise<{ readonly recording: Recording; readonly out: string; readonly status: number | null }> {
    const { url } = await open.agent(script);
    const cwd = await program.workspace({});
    const [command = '', ...rest] = args;
    const { out, status } = await program.run([command, url, ...rest, '--record', file], { cwd });
    return { recording: readRecording(readFileSync(join(cwd, file), 'utf8')), out, status };
  }

  async function played(recording: Recording, more: Partial<ConstructorParameters<typeof Player>[1]> = {}): Promise<Player> {
    const player = new Player(recording, { speed: 0, isLoose: false, onError: error => assert.fail(error as Error), ...more });
    await player.start();
    open.add(() => player.stop());
    return player;
  }

  /** Runs `a2a serve` for the file with these options. `end` interrupts it and gives its exit status. */
  async function serving(...args: readonly string[]) {
    const interrupt = new AbortController();
    const written = { out: '', err: '' };
    const { promise: address, resolve } = Promise.withResolvers<string>();
    const host = hostOf(
      (stream, text) => {
        written[stream] += text;
        if (stream === 'out') resolve(text.trim());
      },
      { cwd: program.folder },
    );
    const run = { host, output: new Output(host), interrupt: interrupt.signal, giveUp: new AbortController().signal };
    const served = main(['serve', file, ...args], run);
    const end = (): Promise<number> => {
      interrupt.abort(130);
      return served;
    };
    return { url: await address, written, end };
  }

  for (const [title, { script, options = [] }] of Object.entries(ways).filter(([name]) => !silent.includes(name)))
    for (const command of [
      ['send', 'x'],
      ['send', 'x', '--stream'],
    ])
      test(`${command.join(' ')}: one that ${title}`, async () => {
        const { recording, out, status } = await recorded(script(), ...command, ...options);
        const { url } = await played(recording);
        const [name = '', ...rest] = command;
        const again = await program.run([name, url, ...rest, ...options]);
        assert.deepEqual({ out: again.out, status: again.status }, { out, status }, again.err);
      });

  test('errors and broken connections are played as they came', async () => {
    const cases: readonly Script[] = [
      { SendMessage: [{ error: { code: -32603, message: 'no model today' } }] },
      { SendMessage: [{ status: 503, headers: { 'content-type': 'text/plain' } }, { raw: 'try later' }] },
      { SendMessage: [{ reset: true }] },
    ];
    const outcomes = ['no model today', '503', 'connection'];
    for (const [index, script] of cases.entries()) {
      const { recording } = await recorded(script, 'send', 'x');
      const { url } = await played(recording);
      const { err, status } = await program.run(['send', url, 'x']);
      assert.equal(status, 3, err);
      assert.match(err, new RegExp(outcomes[index]!));
    }
  });

  test('errors of gRPC are played as they came, and in other bindings as near as these can', async () => {
    const unavailable = { status: 200, headers: { 'grpc-status': '14', 'grpc-message': 'try%20later' } };
    const cases: readonly (readonly [Script, RegExp, RegExp])[] = [
      [{ SendMessage: [{ error: { code: -32603, message: 'no model today' } }] }, /InternalError .*no model today/, /no model today/],
      [{ SendMessage: [{ error: { code: -32009, message: 'too new' } }] }, /VersionNotSupportedError .*too new/, /too new/],
      [{ SendMessage: [unavailable] }, /gRPC UNAVAILABLE\): try later/, /HTTP 503/],
      [{ SendMessage: [{ reset: true }] }, /connection/, /connection/],
    ];
    for (const [script, overGrpc, overRpc] of cases) {
      const { url } = await open.agent(script, '1.0', { binding: 'GRPC' });
      const cwd = await program.workspace({});
      const { err } = await program.run(['send', url, 'x', '--record', file], { cwd });
      assert.match(err, overGrpc);
      const recording = readRecording(readFileSync(join(cwd, file), 'utf8'));
      assert.equal(recording.exchanges[0]!.exchange.protocolBinding, 'GRPC');
      for (const [binding, outcome] of [
        [undefined, overGrpc],
        ['JSONRPC', overRpc],
      ] as const) {
        const again = await program.run(['send', (await played(recording, { binding })).url, 'x']);
        assert.match(again.err, outcome);
        assert.equal(again.status, 3);
      }
    }
  });

  test('what came after the end of a task comes again', async () => {
    const late = { artifactUpdate: { taskId: 't-1', contextId: 'c-1', artifact: { artifactId: 'a', parts: [{ text: 'late' }] } } };
    const { recording } = await recorded(
      {
        SendStreamingMessage: [
          { event: { task: task('TASK_STATE_WORKING') } },
          { event: statusUpdate('TASK_STATE_COMPLETED') },
          { event: late },
        ],
      },
      'send',
      'x',
      '--stream',
    );
    const { url } = await played(recording);
    const { out } = await program.run(['send', url, 'x', '--stream', '--raw']);
    const events = out.split('\n').filter(line => line.startsWith('data: '));
    assert.equal(events.length, 3, out);
    assert.match(events[2]!, /"late"/);
    assert.doesNotMatch(events[2]!, /"t-1"/);
  });

  test('its ids are new, and the same wherever they are', async () => {
    const { recording } = await recorded(ways['streams']!.script(), 'send', 'x', '--stream');
    const { url } = await played(recording);
    const { out } = await program.run(['send', url, 'x', '--json']);
    const { task: sent } = JSON.parse(out.trim().split('\n').at(-1)!) as { task: { id: string; contextId: string } };
    assert.ok(!['t-1', 'c-1'].includes(sent.id) && !['t-1', 'c-1'].includes(sent.contextId), out);
    const got = await program.run(['task', 'get', url, sent.id, '--json']);
    assert.match(got.out, new RegExp(sent.contextId));
    assert.doesNotMatch(got.out, /"(t-1|c-1)"/);
    assert.match((await program.run(['task', 'list', url, '--context', sent.contextId, '--json'])).out, new RegExp(sent.id));
    const canceled = await program.run(['task', 'cancel', url, sent.id]);
    assert.match(canceled.err, /cannot be canceled/i);
  });

  test('in a history that the agent gives, the message has the id with which it was sent', async () => {
    const script: Script = {
      SendMessage: ({ params }) => [{ answer: { task: task('TASK_STATE_COMPLETED', { history: [params!.message] }) } }],
    };
    const { recording } = await recorded(script, 'send', 'x');
    const { url } = await played(recording);
    const cwd = await program.workspace({});
    await program.run(['send', url, 'x', '--record', file], { cwd });
    const { request, response } = readRecording(readFileSync(join(cwd, file), 'utf8')).exchanges[0]!.exchange;
    const idsIn = (text = '') => new Set([...text.matchAll(/"messageId":"([^"]+)"/g)].map(([, id]) => id));
    assert.deepEqual(idsIn(response?.body), idsIn(request.body));
  });

  test('a message that is in no recording is refused, with the nearest one, unless the nearest is wanted', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('here it is') } }] }, 'send', 'draw a red boat');
    const strict = await played(recording);
    const refused = await program.run(['send', strict.url, 'draw a blue boat']);
    assert.equal(refused.status, 3);
    assert.match(
      refused.err,
      /no answer to "draw a blue boat" at this point of the conversation\. The nearest recorded message is "draw a red boat" \(request 1\)/,
    );
    assert.deepEqual(strict.counts, { reused: 0, through: 0, unmatched: 1 });
    const loose = await played(recording, { isLoose: true });
    assert.equal((await program.run(['send', loose.url, 'draw a blue boat'])).out, 'here it is\n');
    assert.equal((await program.run(['send', loose.url, 'something else entirely'])).status, 3);
  });

  test('the same message several times gets the recorded answers in turn, then from the first again', async () => {
    let count = 0;
    const { url } = await open.agent({ SendStreamingMessage: () => [{ event: { message: says(`answer ${++count}`) } }] });
    const cwd = await program.workspace({ 'x.a2a': { agent: url, message: 'hello' } });
    await program.run(['run', 'x.a2a', '--repeat', '2', '--record', file], { cwd });
    const player = await played(readRecording(readFileSync(join(cwd, file), 'utf8')));
    const outs = [];
    for (let time = 0; time < 3; time++) outs.push((await program.run(['send', player.url, 'hello'])).out);
    assert.deepEqual(outs, ['answer 1\n', 'answer 2\n', 'answer 1\n']);
  });

  test('of several conversations that began the same way, the one that is under way goes on', () => {
    const message = (text: string): Message => ({ messageId: text, role: 'ROLE_USER', parts: [{ text }] });
    let number = 0;
    const conversation = () =>
      ['hello', 'more'].map(text => ({ number: ++number, message: message(text), isStreamed: false, answer: [], later: [], followed: [] }));
    const matching = new Matching({ conversations: [conversation(), conversation()], rules: [], isLoose: false });
    const answers = [];
    for (let time = 0; time < 2; time++) answers.push(matching.find(message('hello'), [], undefined)!);
    const next = answers.toReversed().map(place => matching.find(message('more'), [message('hello')], place)!);
    assert.deepEqual(
      [...answers, ...next].map(place => turnAt(place).number),
      [1, 3, 4, 2],
    );
  });

  test('a rule of the file decides first', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'hello');
    const rules: readonly AnswerRule[] = [{ text: 'Moin', answer: 1 }];
    const { url } = await played(readRecording(recordingText({ ...recording, rules })));
    assert.equal((await program.run(['send', url, 'moin moin'])).out, 'hi\n');
  });

  test('it is played at the recorded pace, faster, or without a pause', async () => {
    const { recording } = await recorded(
      { SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { event: statusUpdate('TASK_STATE_COMPLETED') }] },
      'send',
      'x',
      '--stream',
    );
    const { exchange, frames } = recording.exchanges[0]!;
    /** The time between the two events when they are played, where it was so long when they were recorded. In milliseconds. */
    async function playedGap(recordedMs: number, speed: number): Promise<number> {
      const [one, other] = frames;
      const slow = { exchange, frames: [one!, { ...other!, at: one!.at + recordedMs }] };
      const { url } = await played({ ...recording, exchanges: [slow] }, { speed });
      const cwd = await program.workspace({});
      await program.run(['send', url, 'x', '--stream', '--record', file], { cwd });
      const [first, second] = readRecording(readFileSync(join(cwd, file), 'utf8')).exchanges[0]!.frames;
      return second!.at - first!.at;
    }
    // A timer may be a few milliseconds early for the other end.
    assert.ok((await playedGap(300, 1)) > 250);
    assert.ok((await playedGap(60_000, 200)) > 250);
    assert.ok((await playedGap(3_600_000, 0)) < 3_600_000);
  });

  test('a command plays it until it is interrupted, and counts', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'x');
    await writeFile(join(program.folder, file), recordingText(recording));
    const { url, written, end } = await serving('--protocol-version', '0.3', '--binding', 'HTTP+JSON', '--speed', '0');
    assert.equal((await program.run(['send', url, 'x'])).out, 'hi\n');
    assert.equal((await program.run(['send', url, 'y'])).status, 3);
    assert.match((await program.run(['card', url])).out, /HTTP\+JSON[^]*0\.3/);
    assert.equal(await end(), 130);
    await assert.rejects(fetch(url), 'it no longer listens');
    assert.equal(written.out.trim(), url);
    assert.match(written.err, /"x": answered like request 1\n"y": in no recording\nMessages: 1 reused, 0 passed through, 1 unmatched\.\n$/);
  });

  test('faults of the file and of the command line are played, and said', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'x');
    await writeFile(join(program.folder, file), recordingText({ ...recording, faults: [{ name: 'delay', value: 0.05 }] }));
    const { url, written, end } = await serving('--fault', 'content-type', '--fault', 'half-frame');
    const began = performance.now();
    const { err } = await program.run(['send', url, 'x']);
    assert.match(err, /broke in the middle of its answer/);
    assert.ok(performance.now() - began > 45);
    await end();
    assert.match(written.err, /^Faults: delay=0\.05, content-type, half-frame=2\n/);
  });

  test('wrong options of serve are refused', async () => {
    for (const [args, reason] of [
      [['--speed', 'fast'], /--speed must be a number/],
      [['--binding', 'SOAP'], /--binding must be JSONRPC, HTTP\+JSON or GRPC/],
      [['--fault', 'cutt'], /--fault: There is no fault "cutt"\. Did you mean "cut"\? Choose one of these: cut, delay, /],
      [['--fault', 'cut=x'], /--fault: The fault cut cannot have the value "x"\. [^]* Write cut=EVENT\./],
      [['--port', '70000'], /--port must be a number from 0 to 65535/],
    ] as const) {
      const { err, status } = await program.run(['serve', file, ...args]);
      assert.match(err, reason);
      assert.equal(status, 2);
    }
    assert.match((await program.run(['serve', 'none.jsonl'])).err, /none\.jsonl/);
  });

  test('credentials, the home folder, addresses and what the person adds are in no recording', async () => {
    const home = process.env['HOME']!;
    const secret = 'sk-canary-4711-4711';
    const { url } = await open.agent({
      SendMessage: ({ headers }) => [
        { answer: { message: says(`${headers['x-api-key']} ${home}/notes ann@work.test Ann@work.test ACME-17`) } },
      ],
    });
    const cwd = await program.workspace({});
    const { err } = await program.run(
      ['send', url, 'x', '--header', `X-API-Key: ${secret}`, '--record', file, '--replace', 'ACME=some company', '--replace', '/-\\d+/=-0'],
      { cwd },
    );
    const text = readFileSync(join(cwd, file), 'utf8');
    assert.doesNotMatch(text, new RegExp(`canary|${home}|ann@|ACME-17`, 'i'));
    assert.match(text, /~\/notes person1@example\.com person1@example\.com some company-0/);
    assert.match(err, /Replaced: .*home folder \(1\), e-mail addresses \(2\)/);
  });

  test('a private value is in no recording: neither in messages, nor in the card, nor in the address', async () => {
    const secret = 'canary-4711-4711';
    const script: Script = { SendStreamingMessage: [{ event: { message: says(`it is ${secret}`) } }] };
    const { url } = await open.agent(script, '1.0', { card: at => ({ ...minimalCard(at, '1.0'), description: secret }) });
    const cwd = await program.workspace({
      'x.a2a': { agent: 'Echo', message: 'the {{key}}' },
      'a2a.private.env.json': { $shared: { key: secret } },
    });
    const { err } = await program.run(['run', 'x.a2a', '--agent', `Echo=${url}?api_key=${secret}`, '--record', file], { cwd });
    const text = readFileSync(join(cwd, file), 'utf8');
    const { agent, card, exchanges } = readRecording(text);
    assert.doesNotMatch(text, /canary/, err);
    assert.deepEqual([agent.url, (card as { readonly description: string }).description], [url, '••••••']);
    assert.match(exchanges[0]!.frames[0]!.data, /it is ••••••/);
  });

  test('what is replaced is replaced wherever an exchange has it', () => {
    const headers = [['x-team', 'ACME']] as const;
    const exchange: Exchange = {
      id: 'x',
      operation: 'SendStreamingMessage',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      startedAt: 0,
      request: { method: 'POST', url: 'http://acme.example/ACME', headers, body: 'ACME' },
      response: { status: 200, headers, body: 'ACME' },
      failure: 'ACME',
      findings: [{ rule: 'CORE-01', pointer: '/ACME', message: 'ACME', sentence: sentence('ACME') }],
    };
    const frames = [{ seq: 0, at: 0, data: 'ACME', event: 'ACME', id: 'ACME', around: ['ACME'] }];
    const clean = JSON.stringify(new Replacements(undefined, [{ pattern: /ACME/g, by: 'us' }]).exchange({ exchange, frames }));
    assert.doesNotMatch(clean, /ACME/);
    assert.equal(clean.match(/\bus\b/g)?.length, 12);
  });

  test('a file that is no recording is not replaced', async () => {
    const { url } = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
    const cwd = await program.workspace({ 'notes.txt': 'mine' });
    const refused = await program.run(['send', url, 'x', '--record', 'notes.txt'], { cwd });
    assert.equal(refused.status, 2);
    assert.match(refused.err, /notes\.txt is not replaced: it is not a recording/);
    assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'mine');
    await program.run(['send', url, 'x', '--record', file], { cwd });
    chmodSync(join(cwd, file), 0o600);
    const first = readFileSync(join(cwd, file), 'utf8');
    await program.run(['send', url, 'y', '--record', file], { cwd });
    assert.notEqual(readFileSync(join(cwd, file), 'utf8'), first);
    assert.equal(statSync(join(cwd, file)).mode & 0o777, 0o600);
    const folder = await program.run(['send', url, 'x', '--record', '.'], { cwd });
    assert.match(folder.err, /it is not a file/);
  });

  test('a recording that cannot be written is an error', async () => {
    const { url } = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
    const cwd = await program.workspace({});
    const { err, status } = await program.run(['send', url, 'x', '--record', `none/${file}`], { cwd });
    assert.match(err, /cannot be written/);
    assert.notEqual(status, 0);
  });

  test('several agents of a run get a recording each', async () => {
    const [one, other] = await Promise.all([
      open.agent({ SendStreamingMessage: [{ event: { message: says('one') } }] }),
      open.agent({ SendStreamingMessage: [{ event: { message: says('other') } }] }),
    ]);
    const cwd = await program.workspace({
      'x.a2a': {
        requests: [
          { agent: 'One', message: 'x' },
          { agent: 'Other', message: 'x' },
        ],
      },
    });
    const { err } = await program.run(['run', 'x.a2a', '--agent', `One=${one.url}`, '--agent', `Other=${other.url}`, '--record', file], {
      cwd,
    });
    for (const [name, text] of [
      ['One', 'one'],
      ['Other', 'other'],
    ]) {
      const recording = readRecording(readFileSync(join(cwd, `x.${name}.a2a-recording.jsonl`), 'utf8'));
      assert.equal(recording.agent.name, name);
      const { url } = await played(recording);
      assert.equal((await program.run(['send', url, 'x'])).out, `${text}\n`, err);
    }
    await writeFile(join(cwd, 'x.Other.a2a-recording.jsonl'), 'mine');
    const refused = await program.run(['run', 'x.a2a', '--agent', `One=${one.url}`, '--agent', `Other=${other.url}`, '--record', file], {
      cwd,
    });
    assert.match(refused.err, /x\.Other\.a2a-recording\.jsonl is not replaced/);
    assert.equal(readFileSync(join(cwd, 'x.Other.a2a-recording.jsonl'), 'utf8'), 'mine');
  });

  test('escaped texts are replaced too, and what is JSON stays JSON', async () => {
    const home = process.env['HOME']!;
    const event = `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"a","role":"ROLE_AGENT","parts":[{"text":"grace\\u0040corp.test ${home.replaceAll('/', '\\/')}\\/x ACME 12345678901234567890"}]}}}`;
    const { recording } = await recorded(
      { SendStreamingMessage: [{ raw: `data: ${event}\n\n` }] },
      'send',
      'x',
      '--stream',
      '--replace',
      'ACME=some "company"',
    );
    const { data } = recording.exchanges[0]!.frames[0]!;
    assert.doesNotMatch(data, /grace|ACME/);
    assert.match(data, /person1@example\.com ~\/x some \\"company\\" 12345678901234567890/);
    const { url } = await played(recording);
    assert.match((await program.run(['send', url, 'x'])).out, /^person1@example\.com ~\/x some "company"/);
  });

  test('agents whose names are the same as file names get a recording each', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(text => open.agent({ SendStreamingMessage: [{ event: { message: says(text) } }] })),
    );
    const requests = ['A/B', 'A:B'].map(agent => ({ agent, message: 'x' }));
    const cwd = await program.workspace({ 'x.a2a': { requests } });
    const { err } = await program.run(['run', 'x.a2a', '--agent', `A/B=${one!.url}`, '--agent', `A:B=${other!.url}`, '--record', file], {
      cwd,
    });
    const files = [...err.matchAll(/^Recording (\S+) \(/gm)].map(([, name = '']) => name);
    assert.equal(new Set(files).size, 2, err);
    for (const name of files) readRecording(readFileSync(join(cwd, name), 'utf8'));
  });

  test('a webhook that no header can be made for ends nothing', async () => {
    const { recording } = await recorded(ways['streams']!.script(), 'send', 'x', '--stream');
    const { url } = await played(recording);
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
    const configuration = { taskPushNotificationConfig: { url: 'http://127.0.0.1:9/', token: 'a\nb' } };
    // It would end a process of its own.
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message, configuration } }),
    });
    assert.match(await answer.text(), /TASK_STATE_COMPLETED/);
    assert.equal((await program.run(['send', url, 'x'])).status, 0);
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });

  test('a long stream is read and played at once', async () => {
    const line = (value: object): string => `${JSON.stringify(value)}\n`;
    const ids = { taskId: 't', contextId: 'c' };
    const body = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] };
    const text = [
      line({ format: 'a2a-workbench-recording', version: 1, recordedAt: '2026-01-01T00:00:00.000Z', agent: { url: 'http://a.example/' } }),
      line({
        ...{
          request: 1,
          at: 0,
          operation: 'SendStreamingMessage',
          binding: 'JSONRPC',
          version: '1.0',
          method: 'POST',
          url: 'http://a.example/',
        },
        ...{ headers: [], body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }) },
      }),
      line({ answer: 1, at: 1, status: 200, headers: [] }),
      ...Array.from({ length: 60_000 }, (_, index) =>
        line({
          event: 1,
          at: 2,
          data: body({ artifactUpdate: { ...ids, artifact: { artifactId: `a${index}`, parts: [{ text: 'x' }] } } }),
        }),
      ),
    ].join('');
    // Within the time limit of the test: reading or playing took more than 40 s when each event copied those before it.
    const recording = readRecording(text);
    const { conversations } = conversationsIn(recording);
    assert.equal(conversations[0]![0]!.answer.length, 60_000);
    const { url } = await played(recording);
    const params = { message: { ...message, messageId: 'n' } };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params }),
    });
    assert.equal((await answer.text()).match(/^data: /gm)?.length, 60_000);
  });

  test('a hostile recording runs nothing, leaves nothing behind and ends in bounds', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'x');
    const [one] = recording.exchanges;
    const { exchange } = one!;
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const answers: readonly string[] = [
      deep,
      `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":${deep}}]}}}`,
      '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"message":{}},"message":{"messageId":"__proto__","role":"ROLE_AGENT","parts":[{"text":"<script>"}]}}}',
    ];
    for (const body of answers) {
      const headers = [['content-type', 'text/html\r\nx-injected: 1']] as const;
      const hostile = { ...exchange, response: { status: 200, headers, body } };
      const { url } = await played(readRecording(recordingText({ ...recording, exchanges: [{ ...one!, exchange: hostile }] })), {
        onError: () => {},
      });
      const { out, err, status } = await program.run(['send', url, 'x']);
      assert.ok(status === 3 || out === '<script>\n', `${status} ${out} ${err}`);
      assert.doesNotMatch(err, /injected/);
    }
    const { url } = await played({
      ...recording,
      card: JSON.parse(
        `{"name":"x","supportedInterfaces":[{"url":"http://evil.example/"}],"more":${'{"a":'.repeat(900)}1${'}'.repeat(900)}}`,
      ),
    });
    assert.doesNotMatch((await program.run(['card', url, '--json'])).out, /evil/);
  });

  test('what comes after 128 MiB is not kept', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'x');
    const { exchange } = recording.exchanges[0]!;
    const recorder = new Recorder();
    recorder.exchange({ ...exchange, id: 'one' });
    const data = 'x'.repeat(2 ** 26);
    recorder.frames(
      'one',
      [0, 1, 2, 3].map(seq => ({ seq, at: 0, data })),
    );
    recorder.exchange({ ...exchange, id: 'two' });
    assert.deepEqual([recorder.isFull, recorder.exchanges.map(({ frames }) => frames.length)], [true, [2]]);
  });

  test('a wrong file is refused with its line', async () => {
    const { recording } = await recorded({ SendMessage: [{ answer: { message: says('hi') } }] }, 'send', 'x');
    const good = recordingText(recording).split('\n');
    const wrong: readonly (readonly [string, RegExp])[] = [
      ['', /Line 1 is not a JSON object/],
      ['{}\n', /first line does not say "a2a-workbench-recording"/],
      [[good[0]!.replace('"version":1', '"version":7'), ...good.slice(1)].join('\n'), /version 7; this release reads up to version 1/],
      [[good[0], '{"event":9,"at":1,"data":""}'].join('\n'), /Line 2 belongs to request 9/],
      [[...good.slice(0, 2), good[1]].join('\n'), /Line 3 has request 1 a second time/],
      [[good[0], '{"request":1}'].join('\n'), /Line 2: .* at \/at/],
      [[good[0], good[1]!.replace(/"at":[\d.]+/, '"at":8.64e15')].join('\n'), /Line 2: Too big.* at \/at/],
      [`${good[0]}\n[1]`, /Line 2 is not a JSON object/],
      [`${good[0]}\n{"fault":"cutt=2"}`, /Line 2: There is no fault "cutt"\. Did you mean "cut"\?/],
      [[good[0], ...Array<string>(21).fill('{"fault":"cut"}')].join('\n'), /limit of 20 faults/],
      [good[0]!, /no message and answer that could be played/],
    ];
    for (const [text, reason] of wrong) {
      await writeFile(join(program.folder, file), text);
      const { err, status } = await program.run(['serve', file]);
      assert.match(err, reason);
      assert.equal(status, text === good[0] ? 3 : 2, err);
    }
  });
});
