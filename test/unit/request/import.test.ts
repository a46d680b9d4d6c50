import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { releases } from '../../../src/protocol/versions/index.ts';
import { importCurl } from '../../../src/request/import/curl.ts';
import { importJsonRpc } from '../../../src/request/import/jsonRpc.ts';
import { imported, pasted } from '../../../src/request/import/paste.ts';
import { repairJson } from '../../../src/request/import/repairJson.ts';
import { requestFileText } from '../../../src/request/import/requestJson.ts';
import { shellWords } from '../../../src/request/import/shellWords.ts';
import { requestsOfSkills } from '../../../src/request/import/skills.ts';
import { requestsOfTask } from '../../../src/request/import/task.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';

/** A message with its id, as it is imported. */
const withId = (parts: readonly object[]): object => ({ params: { message: { messageId: 'm', parts } } });
/** A message of SendMessage, whose response is all that is waited for. */
const plainly = (text: string): object => ({ waitFor: 'response', ...withId([{ text }]) });

suite('import: JSON as documents print it', () => {
  const rows: readonly (readonly [text: string, repaired: string, repairs: RegExp])[] = [
    ['{"a": 1}', '{"a": 1}', /^$/],
    ['\ufeff {"a":1}\n', '{"a":1}', /^$/],
    ['{"a": 1, // note\n "b": [1, 2,], /* x */ }', '{"a": 1, \n "b": [1, 2]  }', /Comments.*Trailing commas/],
    ['{"a": 1\n "b": {"c": true} "d": [1 2 "x" null {}]}', '{"a": 1,\n "b": {"c": true}, "d": [1, 2, "x", null, {}]}', /Missing/],
    ['{“a”: “b”}', '{"a": "b"}', /Curly/],
    ['{"a": "“b”, // no, ]"}', '{"a": "“b”, // no, ]"}', /^$/],
    ['{“a”: "b", "c": “d "x"” }', '{"a": "b", "c": "d \\"x\\"" }', /Curly/],
    ['{"a"：1，“b”:\u00a0[“，”]}', '{"a":1,"b": ["，"]}', /Curly.*Full-width|Full-width.*Curly/],
    ['// Request { "a": 1 }', '{ "a": 1 }', /Comments/],
    ['// Request\n{"a":1}\n// Response\n{"b":2}', '{"a":1}', /Only the first/],
    ['```json\n{"a": 1}\n```\n', '{"a": 1}', /^$/],
    ['{"a": "x" // “b”\n,“c”: 1}', '{"a": "x" \n,"c": 1}', /Comments/],
    ["{'a': 'b', \"c\": 'd \"x\"', 'e': \"it's\"}", '{"a": "b", "c": "d \\"x\\"", "e": "it\'s"}', /^Single quotes/],
    [
      "{'a': 'it\\'s', 'b': 'the agent's own', 'c': 'x\\x1b\\n\\u00e9'}",
      '{"a": "it\'s", "b": "the agent\'s own", "c": "x\\u001b\\n\\u00e9"}',
      /^Single quotes/,
    ],
    ["{'a': 'b'\n 'c': ['d', 'e'],}", '{"a": "b",\n "c": ["d", "e"]}', /Single quotes.*Trailing commas|Missing commas/],
    [
      "{'a': True, 'b': [False, None], 'None': 'True'}",
      '{"a": true, "b": [false, null], "None": "True"}',
      /Single quotes.*True, False and None/,
    ],
    ['{"a": "None", "b": None // True isn\'t\n}', '{"a": "None", "b": null \n}', /True, False and None.*Comments/],
    ['{‘a’: ‘b’}', '{"a": "b"}', /Curly/],
    ['{"a": 1.50e3, "b": "\\u00e9"}', '{"a": 1.50e3, "b": "\\u00e9"}', /^$/],
  ];
  for (const [text, repaired, repairs] of rows) {
    test(JSON.stringify(text), () => {
      const found = repairJson(text);
      assert.equal(found.text, repaired);
      assert.match(found.repairs.map(english).join(' '), repairs);
    });
  }
  for (const text of [
    '',
    '{',
    "{'a': 'b",
    "{'a",
    '{"a": Truely}',
    '{"a": }',
    'hello',
    '{"a": 1}}',
    '{a: 1}',
    '{"a": "b',
    '['.repeat(100_000),
  ]) {
    test(`not ${text.slice(0, 20)}`, () => assert.throws(() => repairJson(text), { code: 'unreadable-json' }));
  }

  test('every prefix of a body is repaired or refused', () => {
    const body = '{"jsonrpc": "2.0", // x\n "method": "message/send" "params": {"a": [1 2,],}, \'b\': \'it\\\'s\', "c": None,}';
    for (let index = 0; index < body.length; index += 1) {
      try {
        JSON.parse(repairJson(body.slice(0, index)).text);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'unreadable-json');
      }
    }
  });
});

suite('import: JSON-RPC', () => {
  const rows: readonly (readonly [title: string, text: string, request: object])[] = [
    [
      '1.0',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"Hi {{you}}"}]}}}',
      { interface: 'JSONRPC 1.0', method: 'SendMessage', ...plainly('Hi {{you}}') },
    ],
    [
      '0.3',
      '{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"messageId":"m","role":"user","kind":"message","parts":[{"kind":"text","text":"Hi"},{"kind":"data","data":{"a":1}}]}},}',
      { interface: 'JSONRPC 0.3', method: 'SendStreamingMessage', ...withId([{ text: 'Hi' }, { data: { a: 1 } }]) },
    ],
    [
      '0.3 with more',
      '{"method":"message/send","params":{"message":{"messageId":"m","role":"user","taskId":"t","parts":[{"kind":"text","text":"Hi"}]},"configuration":{"historyLength":2}}}',
      {
        interface: 'JSONRPC 0.3',
        method: 'SendMessage',
        waitFor: 'response',
        params: { message: { messageId: 'm', parts: [{ text: 'Hi' }], taskId: 't' }, configuration: { historyLength: 2 } },
      },
    ],
    [
      'another operation',
      '{"method":"tasks/get","params":{"id":"t","historyLength":3}}',
      { interface: 'JSONRPC 0.3', method: 'GetTask', params: { id: 't', historyLength: 3 } },
    ],
  ];
  for (const [title, text, request] of rows) test(title, () => assert.deepEqual(importJsonRpc(text).request, request));

  test('as it was written, with the agent, it is a file that is sent as it is', () => {
    const { raw, remarks } = importJsonRpc('{"jsonrpc":"2.0","id":7, // x\n "method":"tasks/get","params":{"id":"t"}}', 'http://a');
    const file = readRequestFile(raw ?? '');
    assert.deepEqual(
      [file.problems, file.requests[0]?.agent?.value, file.requests[0]?.interface?.value],
      [[], 'http://a', 'JSONRPC 0.3 http://a/'],
    );
    assert.deepEqual(JSON.parse(file.requests[0]?.body ?? ''), { jsonrpc: '2.0', id: 7, method: 'tasks/get', params: { id: 't' } });
    assert.match(remarks.map(english).join(), /Comments/);
  });

  for (const text of ['{"jsonrpc":"2.0","id":1,"result":{}}', '[]', '{"method":"tools/call"}'])
    test(`not ${text}`, () => assert.throws(() => importJsonRpc(text), { code: 'no-json-rpc' }));
});

suite('import: what is pasted', () => {
  const body =
    '{"jsonrpc":"2.0","id":7,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"Hi"}]}}}';
  const rows: readonly (readonly [title: string, text: string, offers: readonly string[], fits: boolean])[] = [
    ['without a fault', body, ['request'], true],
    ['comments and a trailing comma do in a request file', `// Request\n${body.replace(/}$/, ',}')}`, ['request'], true],
    ['a missing comma', body.replace('7,', '7 '), ['body', 'request'], false],
    ['curly quotes', body.replaceAll('"', '“'), ['body', 'request'], false],
    ['as Python prints it', body.replaceAll('"', "'").replace('7', 'None'), ['body', 'request'], false],
    ['one key in single quotes', body.replace('"id"', "'id'"), ['body', 'request'], false],
    ['braces that are no template', body.replace('Hi', 'Hi {{you}}'), ['body', 'request'], false],
    [
      'a method that is no operation, with a fault',
      '{"jsonrpc":"2.0" "id":1,"method":"agent/getAuthenticatedExtendedCard"}',
      ['body'],
      false,
    ],
    ['the same without', '{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}', [], true],
    ['a task of the task API with a fault', '{"taskId":"t" "type":"x","data":{}}', ['body'], false],
    ['a cURL command', `curl http://127.0.0.1:9/ -d '${body}'`, ['request'], false],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{"method":1}', [], false],
    ['a text', 'what method?', [], true],
  ];
  for (const [title, text, offers, fits] of rows) {
    test(title, () => {
      const found = pasted(text, { whole: true });
      assert.deepEqual([found.offers.map(({ as }) => as), found.fits], [offers, fits]);
      for (const { as, text: insert } of found.offers) {
        const file = readRequestFile(insert);
        assert.deepEqual([...file.syntaxErrors, ...file.problems.filter(({ severity }) => severity === 'error')], []);
        assert.equal(file.requests[0]?.raw !== undefined, as === 'body');
      }
    });
  }
});

suite('import: cURL', () => {
  const words: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['a  b\tc', ['a', 'b', 'c']],
    ['a \\\n  b', ['a', 'b']],
    ['a \\\r\n  b', ['a', 'b']],
    ['\'a b\'\'c\' "d \\"e\\" $x \\n"', ['a bc', 'd "e" $x \\n']],
    ["$'it\\'s\\n\\u0021' \"\"", ["it's\n!", '']],
    ['a\\ b', ['a b']],
    ["'it'\\''s'", ["it's"]],
  ];
  for (const [text, expected] of words) test(`words of ${JSON.stringify(text)}`, () => assert.deepEqual(shellWords(text), expected));

  const rpc =
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"it\'\\\'\'s"}]}}}';
  type Row = readonly [title: string, command: string, request: object, remarks: RegExp];
  const rows: Row[] = [
    [
      'JSON-RPC',
      `$ curl -N -X POST http://a:1/rpc -H 'Content-Type: application/json' \\\n  -H "Authorization: Bearer s3cret" --data-raw '${rpc}'`,
      { agent: 'http://a:1/rpc', interface: 'JSONRPC 0.3 http://a:1/rpc', method: 'SendMessage', ...plainly("it's") },
      /^Left out: Authorization\. Add them in the setting a2a\.agents\.$/,
    ],
    [
      'credentials in options and in the address',
      `curl 'http://u:p@a:1/rpc?tenant=7&api_key=k' -u alice:s3cret -b'sid=s3cret' -H 'Origin: http://b' -d '${rpc}'`,
      {
        agent: 'http://u:p@a:1/rpc?tenant=7&api_key=k',
        interface: 'JSONRPC 0.3 http://u:p@a:1/rpc?tenant=7&api_key=k',
        method: 'SendMessage',
        ...plainly("it's"),
      },
      /^Left out: Authorization, Cookie\. .* The address in the file contains credentials: user:password@, api_key$/,
    ],
    [
      'short',
      `curl -sXPOST a:1 -o out -d'${rpc}'`.replace('-sXPOST', '-s -XPOST'),
      { agent: 'http://a:1', interface: 'JSONRPC 0.3 http://a:1/', method: 'SendMessage', ...plainly("it's") },
      /^$/,
    ],
  ];
  rows.push([
    'a body in a here-document',
    `curl -X POST http://a:1/rpc -d @- <<'EOF' -H 'X-Team: docs'\n${rpc.replaceAll("'\\''", "'")}\nEOF\n`,
    {
      agent: 'http://a:1/rpc',
      interface: 'JSONRPC 0.3 http://a:1/rpc',
      headers: { 'X-Team': 'docs' },
      method: 'SendMessage',
      ...plainly("it's"),
    },
    /^$/,
  ]);
  // As Windows writes it: "Copy as cURL (cmd)" of browsers in two forms, and what documents and people type.
  const said =
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"100% \\"sure\\" ^ it\'s"}]}}}';
  const inCmd = said.replaceAll(/(\\*)"/g, '$1$1\\"');
  const sure = {
    agent: 'http://a:1/rpc',
    interface: 'JSONRPC 0.3 http://a:1/rpc',
    method: 'SendMessage',
    ...plainly('100% "sure" ^ it\'s'),
  };
  const forWindows: readonly Row[] = [
    [
      'cmd, each sign with a caret',
      `curl ^"http://a:1/rpc^" ^\r\n  -H ^"Authorization: Bearer s3cret^" ^\r\n  --data-raw ^"${inCmd.replaceAll(/[^\w\s,.:'/-]/g, '^$&')}^" ^\r\n  --compressed`,
      sure,
      /^Left out: Authorization\. Add them in the setting a2a\.agents\.$/,
    ],
    [
      'cmd, in plain quotes',
      `C:\\Users\\me> curl "http://a:1/rpc" ^\n  -H "Content-Type: application/json" ^\n  -d "${said.replaceAll(/(\\*)"/g, '$1$1""').replaceAll(/\\+""/g, '\\\\\\"')}"`,
      sure,
      /^$/,
    ],
    [
      'cmd, in one line',
      `curl.exe -X POST a:1/rpc -d "${rpc.replaceAll('"', '\\"').replaceAll("'\\''", "'")}"`,
      { agent: 'http://a:1/rpc', interface: 'JSONRPC 0.3 http://a:1/rpc', method: 'SendMessage', ...plainly("it's") },
      /^$/,
    ],
    [
      'PowerShell 7.3',
      `PS C:\\> curl.exe -X POST http://a:1/rpc \`\r\n  -H "Authorization: Bearer s3cret" \`\r\n  -d '${said.replaceAll("'", "''")}'`,
      sure,
      /^Left out: Authorization\./,
    ],
    [
      'PowerShell before 7.3',
      `curl.exe http://a:1/rpc -d '${rpc.replaceAll('"', '\\"').replaceAll("'\\''", "''")}'`,
      { agent: 'http://a:1/rpc', interface: 'JSONRPC 0.3 http://a:1/rpc', method: 'SendMessage', ...plainly("it's") },
      /^$/,
    ],
    ['PowerShell before 7.3, quotes in a text', `curl.exe http://a:1/rpc -d '${inCmd.replaceAll("'", "''")}'`, sure, /^$/],
    ['PowerShell, double quotes in one line', `curl.exe "http://a:1/rpc" -d "${said.replaceAll(/["^]/g, '`$&')}"`, sure, /^$/],
    ['PowerShell, double quotes', `curl.exe \`\n  http://a:1/rpc \`\n  -d "${said.replaceAll(/["^]/g, '`$&')}"`, sure, /^$/],
  ];
  const overHttp: readonly Row[] = [
    [
      'HTTP+JSON',
      'curl http://a/v1/message:send -H \'A2A-Version: 1.0\' --json \'{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},}\'',
      { agent: 'http://a/v1', interface: 'HTTP+JSON 1.0 http://a/v1', method: 'SendMessage', ...plainly('x') },
      /Trailing commas/,
    ],
    [
      'HTTP+JSON, a task',
      "curl --url='http://a/tasks/t%201?historyLength=2'",
      { agent: 'http://a/', interface: 'HTTP+JSON 1.0 http://a/', method: 'GetTask', params: { id: 't 1', historyLength: 2 } },
      /^$/,
    ],
    [
      'HTTP+JSON, credentials in the address',
      "curl 'http://u:s3cret@a/tasks/t?api_key=s3cret&historyLength=2'",
      { agent: 'http://a/', interface: 'HTTP+JSON 1.0 http://a/', method: 'GetTask', params: { id: 't', historyLength: 2 } },
      /^These parts of the address were left out: user:password@, api_key$/,
    ],
    [
      'HTTP+JSON, cancelled',
      'curl -X POST http://a/x/tasks/t1:cancel',
      { agent: 'http://a/x', interface: 'HTTP+JSON 1.0 http://a/x', method: 'CancelTask', params: { id: 't1' } },
      /^$/,
    ],
    [
      'HTTP+JSON 0.3',
      'curl http://a/x/v1/message:send -d \'{"message":{"messageId":"m","role":"ROLE_USER","content":[{"text":"x"}]}}\'',
      { agent: 'http://a/x', interface: 'HTTP+JSON 0.3 http://a/x', method: 'SendMessage', ...plainly('x') },
      /^$/,
    ],
    [
      'HTTP+JSON 0.3, as its JavaScript SDK writes it',
      'curl http://a/v1/message:send -d \'{"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]}}\'',
      { agent: 'http://a/', interface: 'HTTP+JSON 0.3 http://a/', method: 'SendMessage', ...plainly('x') },
      /^$/,
    ],
    [
      'HTTP+JSON 1.0 below /v1, without the header',
      'curl http://a/v1/message:send -d \'{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}\'',
      { agent: 'http://a/v1', interface: 'HTTP+JSON 1.0 http://a/v1', method: 'SendMessage', ...plainly('x') },
      /^$/,
    ],
    [
      'headers without credentials, and a variable whose value is not known',
      `curl -X POST 'http://localhost:41877/rest/message:stream' -H "Authorization: Bearer s3cret" -H 'X-Tenant: acme' -H "X-Trace: $TRACE" -H 'Connection: close' -d '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}'`,
      {
        agent: 'http://localhost:41877/rest',
        interface: 'HTTP+JSON 1.0 http://localhost:41877/rest',
        headers: { 'X-Tenant': 'acme' },
        method: 'SendStreamingMessage',
        ...withId([{ text: 'x' }]),
      },
      /^Left out: Authorization, X-Trace\. /,
    ],
  ];
  for (const [title, command, request, remarks] of [
    ...rows,
    ...forWindows,
    ...(releases.some(({ routes }) => routes !== undefined) ? overHttp : []),
  ]) {
    test(title, () => {
      const imported = importCurl(command);
      assert.deepEqual(imported.request, request);
      assert.match(imported.remarks.map(english).join(' '), remarks);
      assert.ok(!JSON.stringify(imported).includes('s3cret'));
      assert.deepEqual(readRequestFile(requestFileText([imported.request])).problems, []);
    });
  }
  for (const text of [
    '',
    'wget x',
    'curl',
    'curl http://a -d @file',
    'curl http://a -d @-',
    "curl http://a -d @- <<'EOF'\n{}",
    "curl http://a -d @file <<'EOF'\n{}\nEOF",
    'curl "http://a',
    'curl http://',
    'curl.exe "http://a',
    "curl.exe -d 'x `\n http://a",
    `curl http://a -d '${rpc}' && curl http://a -d '${rpc}'`,
  ]) {
    test(`not ${JSON.stringify(text)}`, () => assert.throws(() => importCurl(text), { code: 'unreadable-command' }));
  }
});

suite('import: an HTTP Archive', () => {
  const call = { url: 'http://a/rpc', method: 'POST', postData: { text: '{"method":"tasks/get","params":{"id":"{{t}}"}}' } };
  const archive = (requests: readonly object[]): string =>
    JSON.stringify({ log: { version: '1.2', entries: requests.map(request => ({ request })) } });

  test('gives the calls of agents in their order, and leaves out what else was asked for', () => {
    const rest = {
      url: 'http://a/message:send',
      method: 'POST',
      postData: { text: '{"message":{"role":"ROLE_USER","parts":[{"text":"Hi"}]}}' },
      headers: [
        { name: 'Authorization', value: 'Bearer s3cret' },
        { name: ':authority', value: 'a' },
      ],
    };
    const text = archive([
      { ...call, headers: rest.headers },
      { url: 'http://a/', method: 'GET' },
      { url: 'no address', method: 'POST' },
      rest,
      {},
    ]);
    const found = imported(`\ufeff${text}`);
    assert.deepEqual(found.requests, [
      { agent: 'http://a/rpc', interface: 'JSONRPC 0.3 http://a/rpc', method: 'GetTask', params: { id: '{{t}}' } },
      { agent: 'http://a/', interface: 'HTTP+JSON 1.0 http://a/', method: 'SendMessage', waitFor: 'response', message: 'Hi' },
    ]);
    assert.match(found.remarks.map(english).join(' '), /^Left out: Authorization\. /);
    assert.deepEqual(readRequestFile(requestFileText(found.requests)).problems, []);
    const [offer] = pasted(text, { whole: false }).offers;
    assert.deepEqual(JSON.parse(`[${offer?.text}]`).length, 2);
  });

  test('without a call of an agent, or with too many, is refused', () => {
    assert.throws(() => imported(archive([{ url: 'http://a/', method: 'GET' }])), { code: 'no-json-rpc' });
    assert.throws(() => imported(archive(Array.from({ length: 1001 }, () => call))), { code: 'too-many-requests' });
  });

  test('that is nested too deeply is no archive', () =>
    assert.throws(() => imported(`{"log":{"entries":${'['.repeat(100_000)}`), { code: 'unreadable-json' }));
});

test('import: a task of the history', () => {
  const task: Task = {
    id: 't',
    status: { state: 'TASK_STATE_COMPLETED' },
    history: [
      { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'Draw a {{boat}}, please!' }] },
      { messageId: '2', role: 'ROLE_AGENT', parts: [{ text: 'Which?' }] },
      { messageId: '3', role: 'ROLE_USER', parts: [{ text: 'Draw a {{boat}}, please' }, { url: 'http://x', mediaType: 'image/png' }] },
    ],
  };
  const text = requestFileText(requestsOfTask(task, 'Sailboat'));
  assert.deepEqual(JSON.parse(text), {
    requests: [
      { name: 'draw-a-boat-please', agent: 'Sailboat', message: 'Draw a \\{{boat}}, please!' },
      {
        name: 'draw-a-boat-please-2',
        agent: 'Sailboat',
        after: 'draw-a-boat-please',
        message: ['Draw a \\{{boat}}, please', { url: 'http://x', mediaType: 'image/png' }],
      },
    ],
  });
  assert.deepEqual(readRequestFile(text).problems, []);
  assert.deepEqual(requestsOfTask({ ...task, history: [] }, 'A'), [{ agent: 'A', method: 'GetTask', params: { id: 't' } }]);
});

suite('requests that try the skills of an agent', () => {
  const skill = { id: 's', name: 'Paint a boat', description: '', tags: [] };
  const rows: readonly (readonly [title: string, skills: readonly object[], requests: readonly object[]])[] = [
    [
      'its examples, braces as text',
      [{ ...skill, examples: ['A red {{boat}}', 'A blue one'] }],
      [
        { name: 'paint-a-boat', message: 'A red {{boat}}', expect: { text: { exists: true } } },
        { name: 'paint-a-boat-2', message: 'A blue one' },
      ],
    ],
    ['without an example, its name', [skill], [{ name: 'paint-a-boat', message: 'Paint a boat', expect: { text: { exists: true } } }]],
    [
      'one that takes JSON alone',
      [{ ...skill, name: '§', inputModes: ['application/json'] }],
      [{ name: 'skill', message: [{ data: {} }], expect: { text: { exists: true } } }],
    ],
    [
      'one that answers with pictures: no text is expected',
      [{ ...skill, outputModes: ['image/png', 'text/plain'] }],
      [{ name: 'paint-a-boat', message: 'Paint a boat', expect: { totalMs: { lt: 60_000 } } }],
    ],
    ['no skills', [], []],
  ];
  for (const [title, skills, requests] of rows) {
    test(title, () => {
      const made = requestsOfSkills({ skills: skills as never, defaultInputModes: ['text/plain'], defaultOutputModes: ['text'] });
      assert.deepEqual(made, requests);
      assert.deepEqual(readRequestFile(requestFileText(made.map(one => ({ agent: 'A', ...one })))).problems, []);
    });
  }

  test("a stranger's card makes no endless file", () => {
    const made = requestsOfSkills({
      skills: Array.from({ length: 1000 }, () => ({ ...skill, examples: Array.from({ length: 100 }, () => 'x') })),
      defaultInputModes: [],
      defaultOutputModes: [],
    });
    assert.equal(made.length, 250);
  });
});
