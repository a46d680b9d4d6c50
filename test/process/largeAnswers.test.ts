import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { askedRules } from '../../src/conformance/rules/askedRules.ts';
import { runCommand } from '../../scripts/command.ts';
import type { Flaw } from '../support/flaw.ts';
import { caught, figure, full, sampleOf } from '../support/figure.ts';
import { envelope } from '../support/client/rawGrpc.ts';
import type { CheckedAlone } from '../support/conformance/checkedAlone.ts';

const MiB = 1024 * 1024;
const piece = Buffer.alloc(MiB, 'abcdefghij');
const root = join(import.meta.dirname, '../..');

/** Writes a beginning, so many MiB, and an end; less where nobody listens any more. */
async function pour(
  to: Writable,
  mebibytes: number,
  [before, after]: readonly [before: string | Uint8Array, after: string],
): Promise<void> {
  to.on('error', () => {});
  to.write(before);
  for (let poured = 0; poured < mebibytes && !to.destroyed; poured++) {
    if (to.write(piece)) continue;
    const { promise, resolve } = Promise.withResolvers<void>();
    to.once('drain', resolve).once('close', resolve);
    await promise;
    to.off('drain', resolve).off('close', resolve);
  }
  to.end(after);
}

suite('large answers', function () {
  this.timeout(full ? 1_800_000 : 240_000);
  let answered = 0;
  let stop: (() => Promise<void>)[] = [];
  teardown(async () => {
    await Promise.all(stop.map(each => each()));
    stop = [];
  });

  async function web(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.push(async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A gRPC service whose every message is as long as that. */
  async function grpc(mebibytes: number): Promise<string> {
    const server = createHttp2Server();
    const sessions = new Set<{ destroy(): void }>();
    server.on('session', session => void sessions.add(session.on('error', () => {}).once('close', () => sessions.delete(session))));
    server.on('stream', stream => {
      answered++;
      stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' });
      void pour(stream, mebibytes, [envelope(new Uint8Array(), mebibytes * MiB), '']);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.push(async () => {
      for (const session of sessions) session.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** An agent with four interfaces whose every answer is an error with a message of that length. */
  async function agent(mebibytes: number): Promise<string> {
    const overGrpc = await grpc(mebibytes);
    const answer = (response: ServerResponse): void => {
      answered++;
      response.writeHead(200, { 'content-type': 'application/json' });
      void pour(response, mebibytes, ['{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"', '"}}']);
    };
    const address = await web((request, response) => {
      request.resume();
      if (request.url !== '/.well-known/agent-card.json') return answer(response);
      const own = (path: string, protocolBinding: string, protocolVersion: string): object => ({
        url: `http://${address}/${path}`,
        protocolBinding,
        protocolVersion,
      });
      const card = {
        name: 'Large',
        description: 'Says much.',
        version: '1',
        capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'say', name: 'Say', description: 'Says much.', tags: [], examples: ['Say much'] }],
        supportedInterfaces: [
          own('rpc', 'JSONRPC', '1.0'),
          own('rest', 'HTTP+JSON', '1.0'),
          { url: overGrpc, protocolBinding: 'GRPC', protocolVersion: '1.0' },
          own('old', 'JSONRPC', '0.3'),
        ],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
    });
    return `http://${address}/`;
  }

  /** Checks the agent in a process of its own; undefined where its memory was not enough. */
  async function checked(
    url: string,
    rules: readonly string[],
    { heapMiB, flaw }: { readonly heapMiB?: number; readonly flaw?: Flaw } = {},
  ): Promise<CheckedAlone | undefined> {
    const args = [
      '--no-warnings',
      ...(heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`]),
      ...(flaw === undefined ? [] : ['--import', join(root, 'test/support/plantFlaw.ts')]),
      ...[join(root, 'test/support/conformance/checkedAlone.ts'), url, rules.join(',')],
    ];
    const { code, output } = await runCommand(process.execPath, args, {
      cwd: root,
      output: 'collect',
      env: { ...process.env, ...(flaw !== undefined && { A2A_FLAW: JSON.stringify(flaw) }) },
    });
    if (/heap out of memory/.test(output)) return undefined;
    assert.equal(code, 0, output);
    return JSON.parse(output.trim().split('\n').at(-1)!) as CheckedAlone;
  }

  const rules = sampleOf(askedRules);

  test('a check of an agent whose every answer is 33 MiB, over four interfaces, stays under 500 MiB', async () => {
    answered = 0;
    const report = await checked(await agent(33), rules);
    const count = Math.ceil((report?.peak ?? Infinity) / MiB);
    figure(
      'F32',
      { 'large answers': answered, 'MiB of a check': count },
      `${answered} answers of 33 MiB in a check of ${report?.results} results: at most ${count} MiB`,
    );
    assert.equal(report?.interfaces, 4);
    assert.ok(answered >= 8, String(answered));
    assert.ok(count < 500, `${count} MiB`);
  });

  /** Answers that are just read, of which a few fit into so much memory: a probe compares up to three, each held as text and as JSON. */
  const read = { mebibytes: 31, heapMiB: 448 };

  test('a check whose every answer is an error of 31 MiB keeps none of them', async () => {
    answered = 0;
    const report = await checked(await agent(read.mebibytes), rules, read);
    figure('F32', { 'large answers': answered }, `${answered} answers of 31 MiB in a check that may have ${read.heapMiB} MiB of heap`);
    assert.equal(report?.interfaces, 4);
  });

  test('a check that keeps every answer is caught', async () => {
    const flaw: Flaw = {
      file: 'src/protocol/ownText.ts',
      edits: [['JSON.parse(JSON.stringify(text)) as string', 'text']],
    };
    assert.equal(await checked(await agent(read.mebibytes), rules, { ...read, flaw }), undefined);
    caught('F32', 'a check that keeps every answer');
  });
});
