import * as assert from 'node:assert/strict';
import { operations } from '../../../src/protocol/message/operations.ts';
import { versionOf } from '../../../src/protocol/versions/index.ts';
import type { Call } from '../../../src/request/export/callCode.ts';
import { curl, jsonRpcRequest } from '../../../src/request/export/curl.ts';
import { codeLanguages } from '../../../src/request/export/languages.ts';
import { placeholder, recordedHeaders, withPlaceholders } from '../../../src/request/export/placeholder.ts';
import { joined, jsonText, piecesOf, type Text } from '../../../src/request/text/pieced.ts';
import { shellWords } from '../../../src/request/import/shellWords.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { resolveRequest } from '../../../src/request/resolve/resolve.ts';
import type { Values } from '../../../src/request/text/value.ts';

/** A text with a value in its holes. */
const plain = (text: Text, value: string): string =>
  piecesOf(text)
    .map(piece => ('text' in piece ? piece.text : value))
    .join('');

const hostile = 'it\'s "quoted" \\ `ticks` ${x} $HOME \u2028 {{no}} é\n"""';
const call: Call = {
  agentUrl: 'http://a:1/',
  operation: 'SendStreamingMessage',
  headers: { Authorization: joined(['Bearer ', placeholder('A2A_SECRET_KEY')]) },
  params: {
    message: {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [
        { text: hostile },
        { data: { on: true, off: false, none: null, list: [1, []], empty: {}, secret: placeholder('A2A_SECRET_KEY') } },
      ],
    },
  },
};

suite('export of requests', () => {
  test('what is masked in the headers of a recorded request becomes a variable', () => {
    const headers = recordedHeaders([
      ['Authorization', 'Bearer ••••••'],
      ['X-Key', '••••••'],
      ['Cookie', 'a=••••••; b=••••••'],
      ['X-Team', 'docs'],
    ]);
    assert.deepEqual(
      shellWords(curl({ method: 'POST', url: 'http://a/', headers, body: '{}' })).filter(word => word.includes(':')),
      [
        'http://a/',
        'Authorization: Bearer $A2A_SECRET_AUTHORIZATION',
        'X-Key: $A2A_SECRET_X_KEY',
        'Cookie: a=$A2A_SECRET_COOKIE; b=$A2A_SECRET_COOKIE',
        'X-Team: docs',
      ],
    );
  });

  test('secrets, private values and answers become variables of the environment, not text', async () => {
    const file = readRequestFile(
      '{"agent":"A","message":["x {{$secret api-key}} {{token}}",{"text":"{{$prompt Your name}} {{$env HOME}} {{plain}}"}]}',
      { names: new Set(['token', 'plain']) },
    );
    const values: Values = new Map([
      ['token', { value: 's3cret', source: 'private', literal: false }],
      ['plain', { value: 'p', source: 'shared', literal: false }],
    ]);
    const reach = {
      env: () => 's3cret',
      secret: async () => 's3cret',
      prompt: async () => 's3cret',
      file: async () => ({ name: '', bytes: new Uint8Array() }),
    };
    const scope = withPlaceholders({
      file,
      values,
      functions: { now: () => new Date(0), uuid: () => 'u', sources: reach },
      result: () => undefined,
    });
    const resolved = await resolveRequest(file.requests[0]!, scope, false);
    assert.ok('params' in resolved && resolved.operation === 'SendMessage');
    for (const { write } of Object.values(codeLanguages)) {
      const code = write({ agentUrl: 'http://a', operation: resolved.operation, params: resolved.params, headers: {} });
      assert.ok(!code.includes('s3cret') && !code.includes('\u0000'), code);
      for (const name of ['A2A_SECRET_API_KEY', 'A2A_SECRET_TOKEN', 'A2A_PROMPT_YOUR_NAME', 'HOME'])
        assert.ok(code.includes(name), `${name} in ${code}`);
    }
  });

  for (const [name, { write }] of Object.entries(codeLanguages)) {
    test(`${name}: every operation, no placeholder left over`, () => {
      for (const operation of operations) {
        const code = write({ ...call, operation, params: { id: 't' } });
        assert.ok(!code.includes('\u0000') && code.endsWith('\n') && !code.includes('undefined'), code);
      }
    });
  }

  test('JavaScript: what is written is what is sent', () => {
    const code = codeLanguages['javascript']!.write(call);
    const [, params = ''] = /fromJSON\(([\s\S]*?)\);\n/.exec(code) ?? [];
    const [, headers = ''] = /serviceParameters: ([\s\S]*?) };\n/.exec(code) ?? [];
    const evaluate = (text: string): unknown => new Function('process', `return (${text});`)({ env: { A2A_SECRET_KEY: 'k' } }) as unknown;
    assert.deepEqual(evaluate(params), JSON.parse(plain(jsonText(call.params), 'k')));
    assert.deepEqual(evaluate(headers), { Authorization: 'Bearer k' });
  });

  test('the address of a card is not taken for that of the agent', () => {
    const of = (language: string): string => codeLanguages[language]!.write({ ...call, agentUrl: 'http://a/x/agent-card.json' });
    assert.match(of('javascript'), /createFromUrl\("http:\/\/a\/x\/agent-card\.json", ''\)/);
    assert.match(of('python'), /create_client\("http:\/\/a", relative_card_path="\/x\/agent-card\.json"\)/);
  });

  for (const version of ['1.0', '0.3'] as const) {
    test(`cURL ${version}: a shell reads back what was written`, () => {
      const request = jsonRpcRequest(call, { url: 'http://a:1/rpc?x=1&y=2', version: versionOf(version)! })!;
      const command = curl(request);
      assert.ok(!command.includes('\u0000'));
      const words = shellWords(command.replaceAll('"$A2A_SECRET_KEY"', 'KEY'));
      assert.equal(words[2], 'http://a:1/rpc?x=1&y=2');
      assert.ok(words.includes('Authorization: Bearer KEY'));
      const body = JSON.parse(words[words.indexOf('--data-raw') + 1]!) as {
        method: string;
        params: { message: { parts: { text?: string; data?: { secret: string } }[] } };
      };
      assert.equal(body.method, version === '1.0' ? 'SendStreamingMessage' : 'message/stream');
      assert.equal(body.params.message.parts[0]?.text, hostile);
      assert.equal(body.params.message.parts[1]?.data?.secret, 'KEY');
    });
  }

  test('cURL of an exchange: its own headers and bytes', () => {
    assert.equal(
      curl({
        method: 'GET',
        url: 'http://a/tasks/1',
        headers: [
          ['Host', 'a'],
          ['X-Y', "it's"],
        ],
        body: '',
      }),
      "curl -X GET http://a/tasks/1 \\\n  -H 'X-Y: it'\\''s'\n",
    );
    assert.equal(jsonRpcRequest({ ...call, operation: 'ListTasks' }, { url: 'x', version: versionOf('0.1')! }), undefined);
  });
});
