import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Script } from '../../src/mock/script.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { hasPseudoTerminal, inTerminal, typed } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const echo: Script = { SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }] };

/** A Node.js that comes with the system and may be older than that of the tests. */
const systemNode = '/usr/bin/node';

suite('a2a run asks', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const production = { 'a2a.env.json': { prod: { production: true }, dev: {} } };

  test('an environment that is marked as production wants --yes', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({ ...production, 'x.a2a': { agent: agent.url, message: 'x' } });
    const refused = await program.run(['run', 'x.a2a', '--env', 'prod'], { cwd });
    assert.deepEqual([refused.status, refused.out, agent.requests.length], [2, '', 0]);
    assert.match(refused.err, /^The environment prod is marked as production, so nothing was sent\. Run it with --yes\.\n/);
    assert.equal((await program.run(['run', 'x.a2a', '--env', 'prod', '--yes'], { cwd })).status, 0);
    assert.equal((await program.run(['run', 'x.a2a', '--env', 'dev'], { cwd })).status, 0);
    assert.equal((await program.run(['run', 'x.a2a'], { cwd })).status, 0);
  });

  test('a question that nobody can be asked names the variable that answers it', async () => {
    const agent = await open.agent(echo);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: '{{$prompt Your name}}' } });
    const { status, out } = await program.run(['run', 'x.a2a'], { cwd });
    assert.equal(status, 2);
    assert.match(out, /A2A_PROMPT_YOUR_NAME/);
    assert.equal((await program.run(['run', 'x.a2a'], { cwd, env: { A2A_PROMPT_YOUR_NAME: 'Ada' } })).status, 0);
    assert.match(agent.requests.at(-1)!.body, /"text":"Ada"/);
  });

  test('a Node.js that is too old is named, with the one that is needed', async function () {
    if (!existsSync(systemNode)) this.skip();
    const agent = await open.agent(echo);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' } });
    const version = (await program.run(['--help'], { node: systemNode })).status;
    assert.equal(version, 0);
    const { status, err } = await program.run(['run', 'x.a2a'], { cwd, node: systemNode });
    // A newer one runs it.
    if (status === 0) this.skip();
    assert.equal(status, 2);
    assert.match(err, /^a2a run needs Node\.js 22 or later; this is v\d+\.\d+\.\d+\./);
    assert.equal(agent.requests.length, 0);
  });

  suite('at a terminal', function () {
    suiteSetup(function () {
      if (!hasPseudoTerminal) this.skip();
    });

    const answered = (args: readonly string[], cwd: string, answers: Readonly<Record<string, string>>): ReturnType<typeof typed> =>
      typed(inTerminal([process.execPath, program.path, ...args], cwd), answers);

    test('questions are asked, each once', async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [{ message: '{{$prompt Your name}} {{$prompt Your town}}' }, { message: '{{$prompt Your name}}' }],
        },
      });
      const { status, text } = await answered(['run', 'x.a2a', '--parallel', '2'], cwd, { 'Your name:': 'Ada', 'Your town:': 'Turku' });
      assert.equal(status, 0, text);
      assert.equal(text.split('Your name:').length, 2, text);
      const bodies = agent.requests
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => body)
        .join('\n');
      assert.match(bodies, /"text":"Ada Turku"/);
      assert.match(bodies, /"text":"Ada"/);
    });

    test('what a question for a secret gets is not shown, and Ctrl+C ends the run there too', async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: '{{$prompt Password}} {{$prompt Your name}}' } });
      const { status, text } = await answered(['run', 'x.a2a'], cwd, { 'Password:': 'c4nary-typed', 'Your name:': 'Ada' });
      assert.equal(status, 0, text);
      assert.match(agent.requests.at(-1)!.body, /"text":"c4nary-typed Ada"/);
      assert.doesNotMatch(text, /c4nary/);
      assert.match(text, /Your name: Ada/);
      const interrupted = await answered(['run', 'x.a2a'], cwd, { 'Password:': '\u0003' });
      assert.equal(interrupted.status, 130, interrupted.text);
      assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 1);
    });

    test('production and requests are confirmed, or not', async () => {
      const agent = await open.agent(echo);
      const cwd = await program.workspace({ ...production, 'x.a2a': { agent: agent.url, message: 'x', confirm: 'Really?' } });
      const yes = await answered(['run', 'x.a2a', '--env', 'prod'], cwd, { 'marked as production. [y/N]': 'y', 'Really? [y/N]': 'yes' });
      assert.equal(yes.status, 0, yes.text);
      const no = await answered(['run', 'x.a2a', '--env', 'prod'], cwd, { 'marked as production. [y/N]': '' });
      assert.equal(no.status, 2, no.text);
      const late = await answered(['run', 'x.a2a'], cwd, { 'Really? [y/N]': 'n' });
      assert.equal(late.status, 2, late.text);
      assert.equal(agent.requests.filter(({ method }) => method === 'POST').length, 1);
    });

    test('what is streamed does not run into what is said about it', async () => {
      const agent = await open.agent({
        SendStreamingMessage: [
          { event: { task: task('TASK_STATE_WORKING') } },
          { event: chunk('one', false) },
          { event: statusUpdate('TASK_STATE_WORKING', says('thinking')) },
          { event: chunk(' two', true) },
          { event: statusUpdate('TASK_STATE_COMPLETED') },
        ],
      });
      const { text } = await answered(['send', agent.url, 'x', '--stream'], program.folder, {});
      assert.equal(text, 'task t-1, context c-1, working\none\ntask t-1, working: thinking\n two\ntask t-1, completed\n');
    });
  });
});
