import * as assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { resolve } from 'node:path';
import { startSampleAgents } from '../../examples/agents/sampleAgents.ts';

const entry = (file: string): string => resolve(import.meta.dirname, '../../examples/agents', file);

interface Ready {
  readonly agents: readonly { readonly name: string; readonly url: string }[];
}

async function assertServed({ agents }: Ready): Promise<void> {
  assert.deepEqual(
    agents.map(agent => agent.name),
    ['Sailboat', 'Currency', 'Helsinki', 'Writer', 'Phrasebook'],
  );
  for (const { name, url } of agents) {
    const card = (await (await fetch(new URL('.well-known/agent-card.json', url), { headers: { 'A2A-Version': '1.0' } })).json()) as {
      name: string;
    };
    assert.equal(card.name, name);
  }
}

suite('sample agents: start', () => {
  test('main.ts prints one line when they are ready and ends when its input closes', async () => {
    const process_ = spawn(process.execPath, [entry('main.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
    const exit = once(process_, 'exit');
    const [first] = (await once(process_.stdout, 'data')) as [Uint8Array];
    const line = new TextDecoder().decode(first);
    assert.match(line, /^\{.*\}\n$/);
    await assertServed(JSON.parse(line) as Ready);
    const rest = text(process_.stdout);
    process_.stdin.end();
    assert.deepEqual(await exit, [0, null]);
    assert.equal(await rest, '');
  });

  test('main.ts starts them with faults', async () => {
    const process_ = spawn(process.execPath, [entry('main.ts'), '--fault', 'delay=0', '--fault', 'status=503'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exit = once(process_, 'exit');
    const [first] = (await once(process_.stdout, 'data')) as [Uint8Array];
    const ready = JSON.parse(new TextDecoder().decode(first)) as Ready;
    await assertServed(ready);
    const answer = await fetch(ready.agents[1]!.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} }),
    });
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2']);
    process_.stdin.end();
    assert.deepEqual(await exit, [0, null]);
  });

  test('main.ts says that a port is taken, and what it does not understand', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const run = async (...args: string[]): Promise<[code: number | null, errors: string]> => {
      const process_ = spawn(process.execPath, [entry('main.ts'), ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
      const [errors, [code]] = await Promise.all([text(process_.stderr), once(process_, 'exit') as Promise<[number | null]>]);
      return [code, errors];
    };
    // The last of the five agents meets it.
    const { port } = taken.address() as AddressInfo;
    const [[busy, busyErrors], [odd, oddErrors], [wrong, wrongErrors]] = await Promise.all([
      run('--port', String(port - 4)),
      run('--port', 'high'),
      run('--fault', 'cutt'),
    ]);
    taken.close();
    assert.equal(busy, 3);
    assert.match(busyErrors, /EADDRINUSE/);
    assert.equal(odd, 2);
    assert.match(oddErrors, /--port high.*\nUsage/);
    assert.equal(wrong, 2);
    assert.match(wrongErrors, /Did you mean "cut"\?\nUsage/);
  });

  test('none of them stays when one cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const first = (taken.address() as AddressInfo).port - 4;
    await assert.rejects(startSampleAgents({ basePort: first }), /EADDRINUSE/);
    await assert.rejects(fetch(`http://127.0.0.1:${first}/`), /fetch failed/);
    taken.close();
  });

  /** The process of the extension, as its parent sees it. */
  async function keptProcess(
    graceMs: number,
  ): Promise<Ready & { readonly port: number; readonly token: string; readonly child: ChildProcess }> {
    const child = fork(entry('kept.ts'), [String(graceMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
    const [ready] = (await once(child, 'message')) as [Ready & { readonly port: number; readonly token: string }];
    child.disconnect();
    return { ...ready, child };
  }
  const keep = async ({ port, token }: { readonly port: number; readonly token: string }): Promise<readonly [Socket, string]> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${token}\n`);
    const [answer] = (await once(socket, 'data')) as [Uint8Array];
    return [socket, new TextDecoder().decode(answer)];
  };

  test('kept.ts outlives who started it, for as long as somebody keeps it and a grace longer', async () => {
    const kept = await keptProcess(1_000);
    const exit = once(kept.child, 'exit');
    // First of all: a busy machine needs more than the grace for the rest.
    const [first, answer] = await keep(kept);
    await assertServed(kept);
    assert.deepEqual((JSON.parse(answer) as Ready).agents, kept.agents);
    const [second] = await keep(kept);
    first.destroy();
    await new Promise(resolve => setTimeout(resolve, 1_500));
    await assertServed(kept);
    second.destroy();
    assert.deepEqual(await exit, [0, null]);
    await assert.rejects(fetch(kept.agents[0]?.url ?? ''), /fetch failed/);
  });

  test('kept.ts ends on "stop", and listens to nobody without its token', async () => {
    const kept = await keptProcess(60_000);
    const exit = once(kept.child, 'exit');
    const stranger = connect(kept.port, '127.0.0.1');
    stranger.on('error', () => {});
    stranger.write('wrong\nstop\n');
    await once(stranger, 'close');
    await assertServed(kept);
    const [keeper] = await keep(kept);
    keeper.write('stop\n');
    assert.deepEqual(await exit, [0, null]);
  });
});
