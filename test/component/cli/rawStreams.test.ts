import * as assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

const event = (text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } } });

suite('a2a send --stream --raw', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => {
    program = await TerminalFolder.make();
  });
  teardown(() => open.close());
  suiteTeardown(() => program.remove());

  /** An agent that answers every message with these bytes. */
  const agentThatSays = (bytes: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
    open.web((request, response) => {
      request.resume();
      if (request.method === 'GET')
        response.setHeader('content-type', 'application/json').end(JSON.stringify(minimalCard(`http://${request.headers.host}/`, '1.0')));
      else response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(bytes);
    });

  test('prints what came, byte for byte: comments, ids, order and line ends', async () => {
    const stream = `retry: 10\r\n\r\nid: 7\r\nevent: message\r\n: a comment\r\ndata:${event('hi')}\r\n\r\n`;
    const { out, status } = await program.run(['send', await agentThatSays(stream), 'x', '--stream', '--raw']);
    assert.equal(out, stream);
    assert.equal(status, 0);
  });

  test('prints a stream that is said to be text once', async () => {
    const stream = `: a comment\ndata: ${event('hi')}\n\n`;
    const { out } = await program.run(['send', await agentThatSays(stream, { 'content-type': 'text/plain' }), 'x', '--stream', '--raw']);
    assert.equal(out, stream);
  });

  test('masks what was given, also where it stands in a comment or a name, and leaves the rest as it was', async () => {
    const secret = 's3cr3t-t0k3n-0123456789';
    const stream = `: ${secret}\nevent: x-${secret}\nid: ${secret}\ndata: ${event(secret)}\n\n`;
    const { out } = await program.run([
      'send',
      await agentThatSays(stream),
      'x',
      '--stream',
      '--raw',
      '--header',
      `Authorization: Bearer ${secret}`,
    ]);
    assert.equal(out, stream.replaceAll(secret, '••••••'));
  });

  test('prints what came compressed, and says how on standard error', async () => {
    const stream = `data: ${event('hi')}\n\n`;
    const bytes = gzipSync(stream);
    const { out, err } = await program.run(['send', await agentThatSays(bytes, { 'content-encoding': 'gzip' }), 'x', '--stream', '--raw']);
    assert.equal(out, stream);
    assert.equal(err, `Compressed with gzip: ${bytes.byteLength} bytes received, ${stream.length} bytes decompressed.\n`);
  });
});
