import * as assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import '../../support/shimmedVscode.ts';

const { listeningPorts, portsIn } = await import('../../../src/workbench/agents/terminalPorts.ts');

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
  ];
  for (const [value, ports] of written) test(`in ${JSON.stringify(value)}`, () => assert.deepEqual(portsIn(value), ports));

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
