import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReceivedRequest, Script } from '../../src/mock/script.ts';
import { reporting } from '../support/cli/reporting.ts';
import { eventually } from '../support/eventually.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { task } from '../support/client/says.ts';
import { asked } from './support/agentScripts.ts';
import { ended, TerminalProgram } from './support/terminalProgram.ts';

suite('a2a run is brought to its end', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const asksFor = (agent: { readonly requests: readonly ReceivedRequest[] }, wanted: string): Promise<void> =>
    eventually(() => assert.ok(agent.requests.some(({ operation }) => operation === wanted)));

  test('an interrupt and a termination are told, with what was not run', async () => {
    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const agent = await open.agent({
        // Who asks for a task knows it.
        SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
        GetTask: asked('TASK_STATE_WORKING'),
        CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
      });
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [
            { name: 'a', message: 'x' },
            { name: 'b', message: 'y' },
          ],
        },
      });
      const child = program.start(['run', 'x.a2a', '--reporter', 'junit'], { cwd });
      child.stdin.end();
      const end = ended(child);
      await asksFor(agent, 'GetTask');
      child.kill(signal);
      const { status, out } = await end;
      assert.match(out, /<testcase name="a"[^]*<testcase name="b"[^]*<skipped[^]*<\/testsuites>\n$/);
      assert.equal(status, expected);
      assert.ok(agent.requests.some(({ operation }) => operation === 'CancelTask'));
    }
  });

  const interrupted: Readonly<Record<string, Script>> = {
    'that cancels': {
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
    },
    'that does not answer when it is asked to cancel': {
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
      CancelTask: [{ stall: true }],
      GetTask: [{ stall: true }],
    },
    'that has said nothing yet': { SendStreamingMessage: [{ stall: true }], ListTasks: [{ stall: true }] },
  };
  for (const [title, script] of Object.entries(interrupted)) {
    test(`a run that is ended does not blame the agent: one ${title}`, async () => {
      const agent = await open.agent(script);
      const cwd = await program.workspace({
        'x.a2a': {
          agent: agent.url,
          requests: [
            { name: 'a', message: 'x', expect: { state: 'completed' } },
            { name: 'b', message: 'y' },
          ],
        },
      });
      const { args, reports } = reporting();
      const child = program.start(['run', 'x.a2a', ...args], { cwd });
      child.stdin.end();
      const end = ended(child);
      await asksFor(agent, 'SendStreamingMessage');
      child.kill('SIGTERM');
      const { status, out } = await end;
      assert.equal(status, 143, out);
      for (const [reporter, text] of await reports(cwd, out))
        assert.match(
          text,
          {
            spec: /^- x\.a2a › a.* \(interrupted\)\n.*The run ended before this request had a result\.\n[^]*- x\.a2a › b \(not run\)\n\n0 passed, 2 not run in/,
            junit:
              /failures="0" errors="0" skipped="2"[^]*"a"[^>]*><skipped message="The run ended before this request had a result\."[^]*"b"[^>]*><skipped/,
            json: /"name":"a".*"verdict":"interrupted".*"agentFailed":false[^]*"name":"b".*"verdict":"not-run"[^]*"failed":0,"skipped":0,"notRun":2/,
          }[reporter],
        );
    });
  }

  test('an agent that refuses to cancel: an interrupted run says so and waits for the task', async () => {
    let isTold = false;
    const agent = await open.agent({
      // Who asks for a task knows it.
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }],
      GetTask: () => [{ answer: task(isTold ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING') }],
      CancelTask: [{ error: { code: -32002, message: 'Never.' } }],
    });
    const cwd = await program.workspace({
      'x.a2a': {
        agent: agent.url,
        requests: [
          { name: 'a', message: 'x' },
          { name: 'b', message: 'y' },
        ],
      },
    });
    const child = program.start(['run', 'x.a2a'], { cwd });
    child.stdin.end();
    const end = ended(child);
    child.stderr.on('data', chunk => void (isTold ||= String(chunk).includes('Never.')));
    await asksFor(agent, 'GetTask');
    child.kill('SIGINT');
    const { status, out, err } = await end;
    assert.match(err, /a goes on: .*Never\./);
    assert.match(out, /› a: completed[^]*1 sent/);
    assert.equal(status, 130);
    assert.equal(
      agent.requests.filter(({ operation }) => operation === 'SendStreamingMessage').length,
      1,
      'what comes after it is not sent',
    );
  });

  const standstills = {
    send: { status: 4, out: /^$/, err: /^The program exited before the command finished/ },
    defect: {
      status: 70,
      out: /<testcase name="asked"[^]*<error type="defect" message="[^"]*broken[^]*<skipped[^]*<\/testsuites>\n$/,
      err: /^Error: broken\n/,
    },
  };
  for (const [what, { status, out, err }] of Object.entries(standstills)) {
    test(`a process that ends before its command does: ${what}`, async () => {
      const cwd = await program.workspace({
        'x.a2a': { agent: 'http://127.0.0.1:9', requests: [{ name: 'asked', message: 'x' }, { message: 'y' }] },
      });
      const child = spawn(process.execPath, [fileURLToPath(new URL('support/standstill.ts', import.meta.url)), what, 'x.a2a'], {
        cwd,
        stdio: 'pipe',
      });
      child.stdin.end();
      const came = await ended(child);
      assert.match(came.out, out);
      assert.match(came.err, err);
      assert.equal(came.status, status);
    });
  }

  test('a reader that goes away does not turn a failed run into a good one', async () => {
    const agent = await open.agent({ SendStreamingMessage: [{ event: { task: task('TASK_STATE_FAILED') } }] });
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests: Array.from({ length: 20 }, () => ({ message: 'x' })) } });
    const child = program.start(['run', 'x.a2a'], { cwd });
    child.stdin.end();
    child.stderr.resume();
    child.stdout.once('data', () => child.stdout.destroy());
    await once(child, 'exit');
    assert.equal(child.exitCode, 1);
  });
});
