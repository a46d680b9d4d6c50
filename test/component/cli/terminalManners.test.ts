import * as assert from 'node:assert/strict';
import { commands } from '../../../src/cli/commands.ts';
import { helpOutput } from '../../../src/cli/help.ts';
import { options } from '../../../src/cli/terminal/options.ts';
import { version } from '../../../src/cli/terminal/version.ts';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('manners of a2a in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  test('says its version', async () => {
    for (const option of ['--version', '-V']) assert.deepEqual(await program.run([option]), { status: 0, out: `${version}\n`, err: '' });
  });

  test('explains itself as a whole and each command by itself', async () => {
    const whole = await program.run(['--help']);
    assert.deepEqual(await program.run(['help']), whole);
    assert.equal(await helpOutput(['--help']), whole.out);
    assert.equal((await program.run(['send', '--help'])).out, await helpOutput(['help', 'send']));
    // It fits on a screen of 40 lines, and the help of some command has each option.
    assert.ok(whole.out.split('\n').length < 40);
    const all = (await Promise.all(Object.keys(commands).map(name => helpOutput(['help', ...name.split(' ')])))).join('');
    for (const name of Object.keys(options))
      if (name !== 'help' && name !== 'version') assert.match(all, new RegExp(`^ {2}--${name}\\b`, 'm'));
    for (const [name, { options: own }] of Object.entries(commands)) {
      const asked = (await helpOutput(['help', ...name.split(' ')]))!;
      assert.equal(await helpOutput([...name.split(' '), '--help']), asked);
      assert.match(asked, new RegExp(`^Usage:\n(?:  a2a ${name} [^\n]*\n)+\n`));
      for (const option of own) assert.match(asked, new RegExp(`^ {2}--${option}\\b`, 'm'), name);
      const foreign = Object.keys(options).find(option => option === (own.includes('bail') ? 'status' : 'bail'));
      assert.doesNotMatch(asked, new RegExp(`^ {2}--${foreign}\\b`, 'm'), name);
    }
    assert.match((await program.run(['help', 'serve'])).out, /^Faults:\n {2}cut=EVENT +The connection breaks/m);
    assert.match((await program.run(['help', 'files'])).out, /^# Request file reference\n[^]*- `timeoutMs`: /);
    const unknown = await program.run(['help', 'greet']);
    assert.deepEqual([unknown.status, unknown.out], [2, '']);
    assert.match(unknown.err, /Unknown command greet/);
  });

  test('--stream and --no-wait exclude each other', async () => {
    const agent = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
    const { status, err } = await program.run(['send', agent.url, 'x', '--stream', '--no-wait']);
    assert.equal(status, 2);
    assert.match(err, /--stream and --no-wait exclude each other/);
    assert.equal(agent.requests.length, 0);
  });

  const events = [{ task: task('TASK_STATE_SUBMITTED') }, chunk('one', false, true), statusUpdate('TASK_STATE_COMPLETED')].map(event => ({
    event,
  }));
  test('a stream that stays open after its end is left', async () => {
    const agent = await open.agent({ SendStreamingMessage: [...events, { stall: true }] });
    const { status, out, err } = await program.run(['send', agent.url, 'x', '--stream']);
    assert.deepEqual([status, out], [0, 'one\n'], err);
  });

  // Where something has to come first, there is more time for it.
  const late: Readonly<Record<string, readonly [script: Script, args: readonly string[], said: RegExp]>> = {
    'an agent that says nothing': [
      { SendMessage: [{ stall: true }] },
      ['send'],
      /^The agent gave no sign of life within 1 second\.\nLook at the agent's own log, or give it more time with --timeout\.\n$/,
    ],
    'a stream that says nothing': [
      { SendStreamingMessage: [{ stall: true }] },
      ['send', '--stream'],
      /^The agent gave no sign of life within 1 second\./,
    ],
    'a task that is not over': [
      {
        SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
        GetTask: [{ answer: task('TASK_STATE_WORKING') }],
      },
      ['send', '--stream'],
      /working\nThe request did not finish within 3 seconds\.\nThe task continues at the agent\. Follow it with a2a task subscribe http:\S+ t-1, or give it more time with --timeout\.\n$/,
    ],
    'a task that is asked for': [
      { SendMessage: [{ answer: { task: task('TASK_STATE_WORKING') } }], GetTask: [{ answer: task('TASK_STATE_WORKING') }] },
      ['send'],
      /not finish within 3 seconds/,
    ],
    'a card that does not come': [{ AgentCard: [{ stall: true }] }, ['send'], /no sign of life within 1 second/],
    'a task that is followed': [
      { SubscribeToTask: [{ event: { task: { ...task('TASK_STATE_WORKING'), id: 'x' } } }, { stall: true }] },
      ['task', 'subscribe'],
      /not finish within 3 seconds/,
    ],
  };
  for (const [title, [script, words, said]] of Object.entries(late)) {
    test(`--timeout ends the wait for ${title}`, async () => {
      const agent = await open.agent(script);
      const { status, err } = await program.run([...words, agent.url, 'x', '--timeout', /3 seconds/.test(said.source) ? '3s' : '1s']);
      assert.match(err, said);
      assert.equal(status, 1);
      assert.ok(agent.requests.every(({ operation }) => operation !== 'CancelTask'));
    });
  }

  test('an HTML page is told in a line', async () => {
    const page = `<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>\n${'<p>We are down.</p>\n'.repeat(50)}</body></html>`;
    const agent = await open.agent({
      SendMessage: [{ status: 502, headers: { 'content-type': 'text/html' } }, { raw: page }],
      SendStreamingMessage: [{ status: 502 }, { raw: page }],
    });
    const { status, err } = await program.run(['send', agent.url, 'x']);
    assert.equal(status, 3);
    assert.match(err, /^The agent answered HTTP 502\.\n[^\n]*\n {2}\| An HTML page, "502 Bad Gateway": We are down\. [^\n]{1,300}…\n$/);
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, message: 'x' } });
    assert.match(
      (await program.run(['run', 'x.a2a'], { cwd })).out,
      /\n {4}\+ An HTML page, "502 Bad Gateway": We are down\. [^\n]*…\n {4}> POST /,
    );
  });

  test('an empty list of tasks is told as one', async () => {
    const agent = await open.agent({ ListTasks: [{ answer: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } }] });
    assert.deepEqual(await program.run(['task', 'list', agent.url]), { status: 0, out: '', err: 'There are no tasks.\n' });
    assert.deepEqual(await program.run(['task', 'list', agent.url, '--json']), { status: 0, out: '', err: '' });
    const cwd = await program.workspace({
      'x.a2a': { agent: agent.url, method: 'ListTasks', expect: { paths: { tasks: { length: 0 } } } },
      'y.a2a': { agent: agent.url, method: 'ListTasks', expect: { paths: { 'value.tasks': { length: 0 } } } },
    });
    assert.match((await program.run(['run', 'x.a2a'], { cwd })).out, /The result has no tasks\. Did you mean value\.tasks\?/);
    assert.equal((await program.run(['run', 'y.a2a'], { cwd })).status, 0);
  });

  test('a message is answered at once by an agent that would keep it waiting for the task', async () => {
    const agent = await open.agent({
      SendMessage: ({ params }) =>
        params?.configuration?.returnImmediately === true ? [{ answer: { task: task('TASK_STATE_WORKING') } }] : [{ stall: true }],
      GetTask: [{ answer: task('TASK_STATE_COMPLETED') }],
    });
    const { status, err } = await program.run(['send', agent.url, 'x']);
    assert.deepEqual([status, err], [0, 'task t-1, context c-1, working\ntask t-1, completed\n']);
  });
});
