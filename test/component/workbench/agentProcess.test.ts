import * as assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { AgentProcess } from '../../../src/workbench/debug/agentProcess.ts';

const node = JSON.stringify(process.execPath);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

suite('the program of an agent', () => {
  let output = '';
  setup(() => {
    output = '';
  });
  const run = (command: string, env: Readonly<Record<string, string | null>> = {}): AgentProcess =>
    new AgentProcess({ command, cwd: process.cwd(), env }, text => (output += text));

  test('its status and its last line', async () => {
    const program = run(`${node} -e "console.error('one'); console.error('two'); process.exit(3)"`);
    assert.deepEqual(await program.ended, { status: 3, lastLine: 'two' });
    assert.equal(output, 'one\ntwo\n');
  });

  test('a long last line is cut', async () => {
    const { lastLine } = await run(`${node} -e "console.log('x'.repeat(600))"`).ended;
    assert.equal(lastLine, 'x'.repeat(500));
    assert.equal(output.trim().length, 600);
  });

  test('a command that is not there', async () => {
    const { status, lastLine } = await run('no-such-program-of-an-agent').ended;
    assert.notEqual(status, 0);
    assert.match(lastLine, /no-such-program-of-an-agent/);
  });

  test('variables are added and removed, and those of VS Code itself are not passed on', async () => {
    process.env['VSCODE_PID'] = process.env['A2A_GONE'] = '1';
    const names = `['VSCODE_PID','A2A_GONE','A2A_NEW'].map(name => process.env[name])`;
    await run(`${node} -p "JSON.stringify(${names})"`, { A2A_GONE: null, A2A_NEW: 'x' }).ended;
    delete process.env['VSCODE_PID'];
    delete process.env['A2A_GONE'];
    assert.equal(output.trim(), '[null,null,"x"]');
  });

  test('Stop ends what it has started, and what does not want to end', async () => {
    const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)`;
    const parent = `require('child_process').spawn(process.execPath, ['-e', process.env.CHILD], { stdio: 'inherit' }); setInterval(() => {}, 1000); console.log(process.pid)`;
    const program = run(`${node} -e "${parent}"`, { CHILD: child });
    await eventually(() => assert.equal(output.trim().split('\n').length, 2));
    const pids = output.trim().split('\n').map(Number);
    assert.deepEqual(pids.map(isAlive), [true, true]);
    await program.stop();
    await program.ended;
    assert.deepEqual(pids.map(isAlive), [false, false]);
  });

  test('the end of the window ends it at once', async () => {
    const program = run(`${node} -e "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)"`);
    await eventually(() => assert.match(output, /\d/));
    program.kill();
    assert.equal((await program.ended).status, 'SIGKILL');
    assert.equal(isAlive(Number(output)), false);
  });
});
