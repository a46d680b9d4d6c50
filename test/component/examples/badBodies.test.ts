import * as assert from 'node:assert/strict';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';

const mebibyte = 1024 * 1024;
const call = (id: unknown, params: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"GetTask","params":${params}}`;

/** Bodies, and the code and HTTP status that they are answered with (JSON-RPC 2.0 §5.1). */
const bodies: Readonly<Record<string, readonly [body: string | undefined, code: number, status?: number]>> = {
  'no body': [undefined, -32700],
  'an empty body': ['', -32700],
  'what is not JSON': ['hello', -32700],
  'half of a call': [call(1, '{}').slice(0, 30), -32700],
  'a number': ['7', -32600],
  'a string': ['"GetTask"', -32600],
  'a call in a string': [JSON.stringify(call(1, '{"id":"none"}')), -32600],
  null: ['null', -32600],
  'an empty array': ['[]', -32600],
  'an array of calls': [`[${call(1, '{}')}]`, -32600],
  'an empty object': ['{}', -32600],
  'a call of another version': ['{"jsonrpc":"1.0","id":1,"method":"GetTask"}', -32600],
  'a method that is a number': ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
  '33 MiB that are not JSON': ['x'.repeat(33 * mebibyte), -32600, 413],
  'a call of 33 MiB': [call(1, `{"id":"${'x'.repeat(33 * mebibyte)}"}`), -32600, 413],
};

suite('sample agents: bodies that are no calls', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
  });
  suiteTeardown(() => agents.stop());

  async function answered(body: string | undefined, contentType = 'application/json') {
    const headers = { 'Content-Type': contentType, 'A2A-Version': '1.0' };
    const response = await fetch(agents.urls.Phrasebook, { method: 'POST', headers, ...(body !== undefined && { body }) });
    return { status: response.status, answer: (await response.json()) as { jsonrpc?: unknown; id?: unknown; error?: { code?: unknown } } };
  }

  for (const [name, [body, code, expected = 200]] of Object.entries(bodies))
    test(`${name}: ${code}, and the next call is answered`, async () => {
      const { status, answer } = await answered(body);
      assert.deepEqual([status, answer.jsonrpc, answer.error?.code], [expected, '2.0', code]);
      const { id, error } = (await answered(call('next', '{"id":"none"}'))).answer;
      assert.deepEqual([id, error?.code], ['next', -32001]);
    });

  test('a call that is not sent as JSON is none', async () => {
    // ContentTypeNotSupportedError
    assert.equal((await answered(call(1, '{"id":"none"}'), 'text/plain')).answer.error?.code, -32005);
  });
});
