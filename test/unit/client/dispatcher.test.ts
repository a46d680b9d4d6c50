import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OpenThings } from './support/openThings.ts';

const program = `
  const own = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for);
  const before = own.map(symbol => globalThis[symbol]);
  const { Http } = await import(process.argv[1]);
  await import(process.argv[2]);
  const http = new Http();
  const response = await http.request({
    method: 'POST', url: new URL(process.argv[3]), headers: [], body: '{}', headersTimeoutMs: 0, bodyTimeoutMs: 0,
    subject: { operation: 'SendMessage', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  });
  const text = await response.text();
  await http.close();
  console.log(JSON.stringify({ text, untouched: own.every((symbol, index) => globalThis[symbol] === before[index]) }));
`;

suite('dispatcher', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  test('the dispatcher of other extensions stays as it was', async () => {
    const url = await open.web((_request, response) => response.end('hello'));
    const client = (name: string): string => new URL(`../../../src/client/${name}`, import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath,
      ['--input-type=module', '--eval', program, client('http.ts'), client('agentClient.ts'), url]);
    assert.deepEqual(JSON.parse(stdout), { text: 'hello', untouched: true });
  });
});
