import * as assert from 'node:assert/strict';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('a2a import', () => {
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());

  const body = '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"##[t]"}}';
  const request = { agent: 'http://a:1/', interface: 'JSONRPC 0.3 http://a:1/', method: 'GetTask', params: { id: '##[t]' } };

  const given = (input: string | Buffer, ...args: readonly string[]): Promise<Ended> => program.run(['import', ...args], { stdin: input });

  test('writes a request file for a cURL command on standard input, and says which headers it left out', async () => {
    const input = `curl.exe http://a:1/ \`\r\n -H "X-Key: s3cret" \`\r\n -d '${body}'`;
    const { status, out, err } = await given(input);
    assert.equal(status, 0, err);
    assert.deepEqual(JSON.parse(out), request);
    assert.match(err, /Left out: X-Key\. Add them in the setting a2a\.agents/);
    assert.ok(!out.includes('##[') && !(out + err).includes('s3cret'), out);
  });

  test('writes the calls of an HTTP Archive in a file', async () => {
    const call = { request: { url: 'http://a:1/', method: 'POST', postData: { text: body } } };
    const cwd = await program.workspace({
      'calls.har': { log: { entries: [call, { request: { url: 'http://a:1/x.css', method: 'GET' } }, call] } },
    });
    const { status, out, err } = await program.run(['import', 'calls.har'], { cwd });
    assert.deepEqual([status, err, JSON.parse(out)], [0, '', { requests: [request, request] }]);
  });

  for (const [what, input, said] of [
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', /not a JSON-RPC request.*Copy the body of the request/],
    ['a command without an end', "curl.exe -d 'x", /Unclosed quote in the command/],
    ['UTF-16', Buffer.from('curl x', 'utf16le'), /not in UTF-8: it is in UTF-16/],
  ] as const)
    test(`refuses ${what} with status 2`, async () => {
      const { status, out, err } = await given(input, '-');
      assert.deepEqual([status, out], [2, '']);
      assert.match(err, said);
    });

  test('names a file that is not there', async () => {
    const { status, err } = await program.run(['import', 'none.txt']);
    assert.equal(status, 2);
    assert.match(err, /none\.txt/);
  });
});
