import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OpenThings } from '../../support/client/openThings.ts';

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

const grpcProgram = `
  // Node's own undici comes with the first use of its web classes.
  new Headers();
  const globals = () => Reflect.ownKeys(globalThis).map(key => [key, globalThis[key]]);
  const before = globals();
  const { call } = await import(process.argv[1]);
  const failed = await call({
    url: new URL(process.argv[2]), packageName: 'lf.a2a.v1', operation: 'GetTask', message: { id: 'x' }, headers: [], timeoutMs: 5000,
    connectTimeoutMs: 5000, maxMessageBytes: 1000, signal: new AbortController().signal,
  }, { sending() {}, head() {}, trailers() {} }).next().catch(error => error.fault.kind);
  const changed = globals().filter(([key, value], at) => before[at]?.[0] !== key || !Object.is(before[at][1], value)).map(([key]) => String(key));
  console.log(JSON.stringify({ failed, changed }));
`;

suite('dispatcher', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  test('the dispatcher of other extensions stays as it was', async () => {
    const url = await open.web((_request, response) => response.end('hello'));
    const client = (name: string): string => new URL(`../../../src/client/${name}`, import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
      client('http/http.ts'),
      client('agentClient.ts'),
      url,
    ]);
    assert.deepEqual(JSON.parse(stdout), { text: 'hello', untouched: true });
  });

  test('what gRPC loads leaves the globals of other extensions as they were', async () => {
    const url = `http://${await open.deadPort()}`;
    const wire = new URL('../../../src/client/grpc/bundle/wire.ts', import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', grpcProgram, wire, url]);
    assert.deepEqual(JSON.parse(stdout), { failed: 'connection', changed: [] });
  });
});
