import * as assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { debug, EventEmitter } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { isDebugged, listeningPorts, portsIn, portsOfThisWindow } = await import('../../../src/workbench/agents/terminalPorts.ts');
const { watchPrograms } = await import('../../../src/workbench/agents/windowPrograms.ts');
const { portRanges } = await import('../../../src/workbench/agents/runningAgents.ts');

suite('ports of terminals and debug sessions', () => {
  const written: readonly (readonly [value: unknown, ports: readonly number[]])[] = [
    [9999, [9999]],
    ['9999', [9999]],
    ['--host 0.0.0.0 --port 10002', [10_002]],
    ['-p 8000 --port=8001', [8000, 8001]],
    ['http://localhost:3000/a', [3000]],
    ['--port 99999', []],
    [0, []],
    ['--report 9999', []],
    [undefined, []],
    [{ port: 1 }, []],
    ['PORT=4711 node agent.js', [4711]],
    ['REPORT=4711 EXPORTS=4712', []],
  ];
  for (const [value, ports] of written) test(`in ${JSON.stringify(value)}`, () => assert.deepEqual(portsIn(value), ports));

  test('those of command lines and debug sessions that run', async () => {
    const began = new EventEmitter<unknown>();
    const ended = new EventEmitter<unknown>();
    const closed = new EventEmitter<unknown>();
    const restore = inPlaceOf('window', {
      terminals: [],
      onDidStartTerminalShellExecution: began.event,
      onDidEndTerminalShellExecution: ended.event,
      onDidCloseTerminal: closed.event,
    });
    const started = new EventEmitter<unknown>();
    const terminated = new EventEmitter<unknown>();
    Object.assign(debug, { onDidStartDebugSession: started.event, onDidTerminateDebugSession: terminated.event });
    const watch = watchPrograms();
    try {
      const [one, other] = [{}, {}];
      const run = (terminal: object, value: string): void => began.fire({ terminal, execution: { commandLine: { value } } });
      run(one, 'python agent.py --port 4711');
      run(other, 'PORT=4712 npm start');
      const parent = { configuration: { args: ['--port', '4713'] } };
      const session = { configuration: { env: { PORT: '4714' } }, parentSession: parent };
      started.fire(session);
      assert.deepEqual(await portsOfThisWindow(), [4711, 4712, 4714, 4713]);
      const ours = { configuration: { type: 'a2a', port: 4801, agents: [{ port: 4802 }, { url: 'http://[::1]:4803' }] } };
      const plain = { configuration: { type: 'node', port: 4804, env: { PORT: '4805' }, noDebug: true } };
      for (const each of [ours, plain]) started.fire(each);
      const debugged = [4711, 4713, 4714, 4801, 4802, 4803, 4804, 4805].filter(port => isDebugged(`http://localhost:${port}/`));
      assert.deepEqual(debugged, [4713, 4714, 4801, 4802, 4803]);
      assert.equal(isDebugged('http://agent.example:4801'), false);
      for (const each of [ours, plain]) terminated.fire(each);
      assert.equal(isDebugged('http://localhost:4801'), false);
      ended.fire({ terminal: one });
      terminated.fire(session);
      assert.deepEqual(await portsOfThisWindow(), [4712]);
      closed.fire(other);
      assert.deepEqual(await portsOfThisWindow(), []);
    } finally {
      watch.dispose();
      restore();
    }
  });

  test('are told in order, neighbours together', () => {
    assert.equal(portRanges([8080, 3000, 3001, 3002, 2999]), '8080, 3000–3002, 2999');
    assert.equal(portRanges([]), '');
  });

  test('those on which a process listens, where the system shows them', async function () {
    if (process.platform !== 'linux') return this.skip();
    const server = createServer();
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      assert.ok((await listeningPorts([process.pid])).includes(port));
      assert.ok((await listeningPorts([process.ppid])).includes(port), 'of a child');
      assert.deepEqual(await listeningPorts([process.pid], '/nowhere'), []);
    } finally {
      server.close();
    }
  });
});
