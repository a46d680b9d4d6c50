import * as assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { chunk, says, statusUpdate, task } from '../support/client/says.ts';
import { hasPseudoTerminal, inTerminal } from './support/pseudoTerminal.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

const until = (check: () => boolean): Promise<void> => eventually(() => assert.ok(check()));

suite('manners of a2a in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalProgram;
  suiteSetup(async () => (program = await TerminalProgram.build()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const events = [{ task: task('TASK_STATE_SUBMITTED') }, chunk('one', false, true), statusUpdate('TASK_STATE_COMPLETED')].map(event => ({
    event,
  }));

  test('a device that is full is told, and no output means no success', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const agent = await open.agent({
      SendMessage: [{ answer: { message: says('hi') } }],
      SendStreamingMessage: [{ event: { task: task('TASK_STATE_COMPLETED') } }],
    });
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests: [{ message: 'x' }, { message: 'y' }] } });
    for (const args of [['--help'], ['send', agent.url, 'x'], ['run', 'x.a2a'], ['run', 'x.a2a', '--reporter', 'junit']]) {
      const child = spawn('sh', ['-c', '"$0" "$@" >/dev/full', process.execPath, program.path, ...args], { cwd, stdio: 'pipe' });
      child.stdin.end();
      const [err] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      assert.deepEqual(
        [child.exitCode, err],
        [74, 'What a2a prints could not be written: no space is left on the device.\n'],
        args.join(' '),
      );
    }
    const { status, err } = await program.run(['run', 'x.a2a', '--reporter', 'junit=/dev/full'], { cwd });
    assert.deepEqual([status, err], [74, 'The report could not be written to /dev/full: ENOSPC: no space left on device, write\n']);
  });

  test('a reader that goes away is no defect, on either stream', async () => {
    const agent = await open.agent({ SendMessage: [{ answer: { message: says('hi\n'.repeat(100_000)) } }] });
    for (const closed of ['>&-', '2>&-', '| head -n 1', '2>&1 | head -n 1']) {
      const child = spawn('sh', ['-c', `"$0" "$@" ${closed}`, process.execPath, program.path, 'send', agent.url, 'x'], { stdio: 'pipe' });
      child.stdin.end();
      const [, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      assert.doesNotMatch(err, /at \w|EPIPE|EBADF/, closed);
    }
  });

  suite('at a terminal', function () {
    suiteSetup(function () {
      if (!hasPseudoTerminal) this.skip();
    });

    /** What is on the screen; `press` types. */
    function screenOf(child: ChildProcessWithoutNullStreams): () => string {
      let seen = '';
      child.stdout.setEncoding('utf8').on('data', (piece: string) => (seen += piece));
      return () => seen;
    }
    const interrupt = '\u0003';

    test('an interrupt that takes its time says so, and a second one quits', async () => {
      const agent = await open.agent({
        SendStreamingMessage: [{ event: { task: task('TASK_STATE_WORKING') } }, { stall: true }],
        CancelTask: [{ stall: true }],
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
      const child = inTerminal([process.execPath, program.path, 'run', 'x.a2a'], cwd);
      const screen = screenOf(child);
      const exited = once(child, 'exit');
      await until(() => agent.requests.some(({ operation }) => operation === 'SendStreamingMessage'));
      child.stdin.write(interrupt);
      await until(() => /Canceling… \(press Ctrl\+C again to quit now\)/.test(screen()));
      const second = performance.now();
      child.stdin.write(interrupt);
      await exited;
      assert.equal(child.exitCode, 130, screen());
      assert.match(screen(), /x\.a2a › a[^]*not run/);
      assert.ok(performance.now() - second < 8_000, 'nobody waited for the agent');
    });

    test('a wait is told on a line that goes away, and nowhere else', async () => {
      const agent = await open.agent({
        async *SendStreamingMessage() {
          yield { event: { task: task('TASK_STATE_WORKING') } };
          await until(() => /working … \d+ s/.test(screen()));
          yield* events.slice(1);
        },
      });
      const child = inTerminal([process.execPath, program.path, 'send', agent.url, 'x', '--stream'], program.folder);
      const screen = screenOf(child);
      await once(child, 'close');
      assert.equal(child.exitCode, 0, screen());
      // What is drawn over is no longer to be seen.
      const left = screen()
        .replaceAll('\u001b[K', '')
        .split('\n')
        .map(line => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd())
        .join('\n');
      assert.equal(left, 'task t-1, context c-1, working\none\ntask t-1, completed\n');
    });

    test('an interrupt at a question is one', async () => {
      const agent = await open.agent({});
      const cwd = await program.workspace({
        'a2a.env.json': { prod: { production: true } },
        'prompt.a2a': { agent: agent.url, message: '{{$prompt Your name}}' },
        'confirm.a2a': { agent: agent.url, confirm: true, message: 'x' },
        'plain.a2a': { agent: agent.url, message: 'x' },
      });
      for (const [args, question] of [
        [['plain.a2a', '--env', 'prod'], 'marked as production'],
        [['prompt.a2a'], 'Your name:'],
        [['confirm.a2a'], '[y/N]'],
      ] as const) {
        const child = inTerminal([process.execPath, program.path, 'run', ...args], cwd);
        const screen = screenOf(child);
        const exited = once(child, 'exit');
        await until(() => screen().includes(question));
        child.stdin.write(interrupt);
        await exited;
        assert.equal(child.exitCode, 130, `${question}: ${screen()}`);
      }
    });
  });

  test('an interrupt while the message is read ends the command', async () => {
    const child = program.start(['send', 'http://127.0.0.1:9']);
    const exited = once(child, 'exit');
    child.stdin.write('the beginning');
    child.stderr.resume();
    // A megabyte goes through the pipe only when it is read.
    child.stdin.write('x'.repeat(1024 * 1024));
    await until(() => child.stdin.writableLength === 0);
    child.kill('SIGINT');
    await exited;
    assert.equal(child.exitCode, 130);
  });
});
