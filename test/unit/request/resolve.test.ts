import * as assert from 'node:assert/strict';
import { Problem } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { continuationOf } from '../../../src/request/file/continuation.ts';
import type { Scope } from '../../../src/request/resolve/fill.ts';
import { sendOrder } from '../../../src/request/file/sendOrder.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import type { RequestResult } from '../../../src/request/values/requestResult.ts';
import { RequestFault } from '../../../src/request/text/requestFault.ts';
import { resolveAgent, resolveExpect, resolveRequest, resolveUntil } from '../../../src/request/resolve/resolve.ts';

const task: Task = {
  id: 't1',
  contextId: 'c1',
  status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Done.' }] } },
  artifacts: [
    { artifactId: 'a1', name: 'boat.png', parts: [{ raw: 'aGk=', mediaType: 'image/png' }] },
    { artifactId: 'a2', parts: [{ data: { n: 1 } }] },
  ],
};
const results: Readonly<Record<string, RequestResult>> = {
  draw: { task },
  hello: { message: { messageId: 'm9', role: 'ROLE_AGENT', parts: [{ text: 'Hi' }, { text: 'there' }], contextId: 'c9' } },
  many: { task, results: [undefined, { task: { ...task, id: 't2' } }] },
  list: { value: { tasks: [task], nextPageToken: '', pageSize: 1, totalSize: 1 } },
};

function scopeOf(file: RequestFile): Scope {
  let made = 0;
  return {
    file,
    result: name => results[name],
    functions: { now: () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), uuid: () => `uuid-${++made}` },
  };
}

/** A file with the requests whose results there are, and the request that is tried. */
function fileOf(request: object, variables: object = {}): RequestFile {
  const captured: Readonly<Record<string, object>> = {
    draw: { drawn: 'task.id', piece: 'task.artifacts[0].parts[0].mediaType', artifact: 'task.artifacts[0]' },
    many: { one: 'task.id' },
  };
  const known = Object.keys(results).map(name => ({
    name,
    message: 'x',
    ...(name === 'many' && { repeat: 2 }),
    ...(Object.hasOwn(captured, name) && { capture: captured[name] }),
  }));
  return readRequestFile(JSON.stringify({ agent: 'A', variables, requests: [...known, { name: 'last', message: 'never sent' }, request] }));
}

async function resolved(request: object, variables?: object, streams = false): Promise<unknown> {
  const file = fileOf(request, variables);
  return resolveRequest(file.requests.at(-1)!, scopeOf(file), streams);
}

const sent = (message: object, operation = 'SendMessage'): object => ({
  operation,
  params: { message: { messageId: 'uuid-1', role: 'ROLE_USER', ...message } },
});
const text = (...texts: string[]): object => sent({ parts: texts.map(item => ({ text: item })) });

const good: readonly (readonly [title: string, request: object, expected: object, variables?: object])[] = [
  ['text', { message: 'Hello' }, text('Hello')],
  ['empty text', { message: '' }, text('')],
  [
    'parts',
    { message: ['a', { text: 'b', mediaType: 'text/markdown' }, { data: { x: [1] } }] },
    sent({ parts: [{ text: 'a' }, { text: 'b', mediaType: 'text/markdown' }, { data: { x: [1] } }] }),
  ],
  [
    'a text of lines',
    { message: [{ lines: ['# Boat', '', '{{color}} {{n}}'], mediaType: 'text/markdown' }, { lines: [] }] },
    sent({ parts: [{ text: '# Boat\n\nred 5', mediaType: 'text/markdown' }, { text: '' }] }),
    { color: 'red', n: 5 },
  ],
  ['lines in params', { params: { message: { parts: [{ lines: ['a', '{{n}}'] }] } } }, sent({ parts: [{ text: 'a\n5' }] }), { n: 5 }],
  [
    'parameters with keys of their own',
    {
      message: 'x',
      configuration: { historyLength: '{{n}}', returnImmediately: true },
      metadata: { a: '{{n}}' },
      tenant: 't-{{n}}',
      extensions: ['https://x.example/{{n}}'],
    },
    {
      operation: 'SendMessage',
      params: {
        configuration: { historyLength: 5, returnImmediately: true },
        metadata: { a: 5 },
        tenant: 't-5',
        message: { messageId: 'uuid-1', role: 'ROLE_USER', extensions: ['https://x.example/5'], parts: [{ text: 'x' }] },
      },
    },
    { n: 5 },
  ],
  [
    'the same beside params',
    { method: 'CancelTask', params: { id: 'x' }, metadata: { why: 1 }, tenant: 't' },
    { operation: 'CancelTask', params: { id: 'x', metadata: { why: 1 }, tenant: 't' } },
  ],
  ['a row of a result', { message: '{{many[1].task.id}} {{many[-1].state}} {{draw[0].task.id}}' }, text('t2 completed t1')],
  ['captured values', { message: '{{drawn}} {{piece}} {{artifact.name}} {{one[1]}}' }, text('t1 image/png boat.png t2')],
  ['a method', { method: 'SendStreamingMessage', message: 'x' }, sent({ parts: [{ text: 'x' }] }, 'SendStreamingMessage')],
  ['an older method', { method: 'message/stream', message: 'x' }, sent({ parts: [{ text: 'x' }] }, 'SendStreamingMessage')],
  [
    'params of a send, completed',
    { params: { message: { parts: [{ text: 'x' }], contextId: 'c' }, configuration: { historyLength: 3 }, own: 1 } },
    {
      operation: 'SendMessage',
      params: {
        message: { messageId: 'uuid-1', role: 'ROLE_USER', parts: [{ text: 'x' }], contextId: 'c' },
        configuration: { historyLength: 3 },
        own: 1,
      },
    },
  ],
  [
    'what params say stays',
    { params: { message: { messageId: 'mine', role: 'ROLE_AGENT', parts: [] } } },
    { operation: 'SendMessage', params: { message: { messageId: 'mine', role: 'ROLE_AGENT', parts: [] } } },
  ],
  [
    'another operation',
    { method: 'tasks/get', params: { id: 'x', historyLength: 2 } },
    { operation: 'GetTask', params: { id: 'x', historyLength: 2 } },
  ],
  [
    'params of push notifications as 0.1 has them',
    {
      method: 'tasks/pushNotification/set',
      params: { id: 'x', pushNotificationConfig: { url: 'http://h/', token: 'k', authentication: { schemes: ['Bearer'] } } },
    },
    {
      operation: 'CreateTaskPushNotificationConfig',
      params: { taskId: 'x', url: 'http://h/', token: 'k', authentication: { scheme: 'Bearer' } },
    },
  ],
  [
    'those that ask for a configuration, of 0.1 and 0.3',
    { method: 'tasks/pushNotification/get', params: { id: 'x' } },
    { operation: 'GetTaskPushNotificationConfig', params: { taskId: 'x', id: 'x' } },
  ],
  [
    'those that list configurations, of 0.3',
    { method: 'tasks/pushNotificationConfig/list', params: { id: 'x' } },
    { operation: 'ListTaskPushNotificationConfigs', params: { taskId: 'x' } },
  ],
  [
    'those of 1.0 under an older name',
    { method: 'tasks/pushNotificationConfig/get', params: { taskId: 'x', id: 'c' } },
    { operation: 'GetTaskPushNotificationConfig', params: { taskId: 'x', id: 'c' } },
  ],
  ['no params', { method: 'ListTasks' }, { operation: 'ListTasks', params: {} }],
  ['a variable in text', { message: 'a {{color}} boat' }, text('a red boat'), { color: 'red' }],
  [
    'a variable that uses variables',
    { message: '{{a}}' },
    text('1 and 2'),
    { a: '{{b}} and {{c.d[1]}}', b: '1', c: { d: [0, '{{e}}'] }, e: '2' },
  ],
  [
    'a number alone keeps its type',
    { method: 'GetTask', params: { id: 'x', historyLength: '{{n}}' } },
    { operation: 'GetTask', params: { id: 'x', historyLength: 5 } },
    { n: 5 },
  ],
  [
    'values in text are JSON',
    { message: '{{n}} {{o}} {{l}} {{b}} {{z}}' },
    text('5 {"a":"x"} [1] true null'),
    { n: 5, o: { a: 'x' }, l: [1], b: true, z: null },
  ],
  ['a value that is no text, alone in the message', { message: '{{n}}' }, text('5'), { n: 5 }],
  [
    'a value that is no text, as a text',
    { message: [{ text: '{{n}}' }, '{{b}}', { data: { text: '{{n}}' } }] },
    sent({ parts: [{ text: '5' }, { text: 'true' }, { data: { text: 5 } }] }),
    { n: 5, b: true },
  ],
  [
    'the same in params',
    { params: { message: { parts: [{ text: '{{n}}' }], metadata: { n: '{{n}}' } } } },
    sent({ metadata: { n: 5 }, parts: [{ text: '5' }] }),
    { n: 5 },
  ],
  [
    'a part from a result',
    { message: ['see', '{{draw.task.artifacts[0].parts[0]}}'] },
    sent({ parts: [{ text: 'see' }, { raw: 'aGk=', mediaType: 'image/png' }] }),
  ],
  ['ids of a result', { method: 'GetTask', params: { id: '{{draw.task.id}}' } }, { operation: 'GetTask', params: { id: 't1' } }],
  [
    'paths of a result',
    { message: '{{draw.task.artifacts[-1].artifactId}} {{draw.context.id}} {{draw.state}} {{draw.message.parts[0].text}}' },
    text('a2 c1 completed Done.'),
  ],
  ['a message as result', { message: '{{hello.message.parts[1].text}} {{hello.context.id}}' }, text('there c9')],
  ['a list as result', { message: '{{list.value.tasks[0].id}}' }, text('t1')],
  ['a variable from a result', { message: '{{id}}' }, text('t1'), { id: '{{draw.task.id}}' }],
  [
    'functions',
    { message: '{{$timestamp}} {{$uuid}} {{$uuid}}' },
    sent({ messageId: 'uuid-3', parts: [{ text: '2026-01-02T03:04:05.006Z uuid-1 uuid-2' }] }),
  ],
  ['escaped braces', { message: '\\{{color}} {{color}}' }, text('{{color}} red'), { color: 'red' }],
  ['text that comes from a value is not a template', { message: '{{a}}' }, text('{{$uuid}}'), { a: '\\{{$uuid}}' }],
  [
    'a member called __proto__ stays a member',
    { params: JSON.parse('{"message":{"parts":[]},"metadata":{"__proto__":{"x":"{{a}}"}}}') as object },
    {
      operation: 'SendMessage',
      params: { message: { messageId: 'uuid-1', role: 'ROLE_USER', parts: [] }, metadata: JSON.parse('{"__proto__":{"x":1}}') as object },
    },
    { a: 1 },
  ],
];

const bad: readonly (readonly [title: string, request: object, code: string, words: RegExp, variables?: object])[] = [
  ['unknown name', { message: '{{colour}}' }, 'unknown-name', /"colour"/],
  [
    'a row that is not there',
    { message: '{{many[2].task.id}}' },
    'no-value',
    /There is no result \[2\]: the request was sent 2 times\. Results are counted from 0, and \[-1\] is the last\./,
  ],
  ['no result yet', { message: '{{last.task.id}}' }, 'no-value', /\{\{last\.task\.id\}\}.*"last" has no result yet/],
  ['a path that ends', { message: '{{draw.task.artifacts[7].name}}' }, 'no-value', /"draw\.task\.artifacts" has no \[7\]/],
  ['a task where there is a message', { message: '{{hello.task.id}}' }, 'no-value', /"hello" has no \.task/],
  [
    'variables that double each other',
    { message: '{{v0}}' },
    'variables-too-large',
    /variables expand the request too much/,
    Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`v${index}`, `{{v${index + 1}}}{{v${index + 1}}}`]).concat([['v60', 'x']]),
    ),
  ],
  [
    'long variables that hold each other',
    { message: '{{v0}}' },
    'variables-too-large',
    /variables expand the request too much/,
    { v0: '{{v1}}'.repeat(100), v1: '{{v2}}'.repeat(100), v2: 'x'.repeat(10_000) },
  ],
  ...['json', 'base64', 'json $base64'].map(
    name =>
      [
        `what $${name} makes of what it made`,
        { message: `{{v40}}` },
        'variables-too-large',
        /variables expand the request too much/,
        {
          ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`v${index + 1}`, `{{$${name} v${index}}}`])),
          v0: '"'.repeat(600),
        },
      ] as const,
  ),
  [
    'a function of a function, and so on',
    { message: `{{${'$json '.repeat(24)}v}}` },
    'variables-too-large',
    /variables expand the request too much/,
    { v: '"'.repeat(4) },
  ],
  ['a variable that holds itself', { message: '{{a}}' }, 'no-value', /refers to itself/, { a: 'x{{a}}' }],
  ['wrong type of a key', { message: 5 }, 'wrong-type', /"message" must be text or a list/],
  ['wrong type of a name', { name: 5, message: 'x' }, 'wrong-type', /"name" must be text/],
  ['parts of another generation', { message: [{ kind: 'text', text: 'x' }] }, 'older-part', /as in A2A 0\.3/],
  ['a part that a template makes wrong', { message: ['{{n}}'] }, 'bad-request', /because message\[0\] is invalid/, { n: { nothing: 5 } }],
  [
    'a part whose text is none',
    { message: [{ url: '{{n}}' }] },
    'bad-request',
    /^The request was not sent, because message\[0\]\.url is invalid: it must be text, not a number\. Correct it/,
    { n: 5 },
  ],
  [
    'a parameter that a template makes wrong',
    { method: 'GetTask', params: { id: 'x', historyLength: '{{n}}' } },
    'bad-request',
    /params\.historyLength is invalid: it must be at least 0\./,
    { n: -1 },
  ],
  ['no id', { method: 'GetTask', params: {} }, 'missing-key', /"params" has no "id"/],
  ['no message in params', { params: { metadata: {} } }, 'missing-key', /"params" has no "message"/],
  ['unknown method', { method: 'GetTsk', params: {} }, 'unknown-value', /GetTsk/],
  ['message and params', { message: 'x', params: {} }, 'message-and-params', /not both/],
];

suite('resolve', () => {
  for (const [title, request, expected, variables] of good) {
    test(title, async () => assert.deepEqual(await resolved(request, variables), expected));
  }
  for (const [title, request, code, words, variables] of bad) {
    test(`refused: ${title}`, async () => {
      await assert.rejects(resolved(request, variables), error => {
        assert.ok(error instanceof Problem);
        assert.equal(error.code, code);
        assert.match(
          `${error.message} ${error.nextStep?.template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(error.nextStep?.args[Number(index)])) ?? ''}`,
          words,
        );
        return true;
      });
    });
  }

  test('refused: a long value from outside that is used too often, each time as the whole text of a part', async () => {
    const values = new Map([['long', { value: 'x'.repeat(2 ** 20), source: 'environment' as const, literal: true }]]);
    const sendWith = (count: number): Promise<unknown> => {
      const file = fileOf({ message: Array.from({ length: count }, () => ({ text: '{{long}}' })) }, { long: 'short' });
      return resolveRequest(file.requests.at(-1)!, { ...scopeOf(file), values }, false);
    };
    await sendWith(60);
    await assert.rejects(sendWith(100), /variables expand the request too much/);
  });

  test('an expectation that a template makes wrong is told with its place, each mistake in a line of the details', async () => {
    const expect = { totalMs: '{{n}}', events: [{ gapMs: 1 }, { type: 'status', gapMs: '{{n}}' }] };
    const file = fileOf({ message: 'x', expect, until: { expect: { totalMs: '{{n}}' } } }, { n: 'soon' });
    const entry = file.requests.at(-1)!;
    await assert.rejects(resolveExpect(entry, scopeOf(file)), error => {
      assert.ok(error instanceof RequestFault);
      const place = 'expect.events[1].gapMs';
      assert.equal(error.message, `The request was not sent, because ${place} is invalid: it must be a number or an object, not text.`);
      assert.equal(
        error.details,
        `${place}: it must be a number or an object, not text.\nexpect.totalMs: it must be a number or an object, not text.`,
      );
      assert.equal(file.text.slice(error.range.offset, error.range.offset + error.range.length), '"{{n}}"');
      return true;
    });
    await assert.rejects(resolveUntil(entry, scopeOf(file)), /because until\.expect\.totalMs is invalid: /);
  });

  test('without a method it streams where the agent streams', async () => {
    assert.deepEqual(await resolved({ message: 'x' }, {}, true), sent({ parts: [{ text: 'x' }] }, 'SendStreamingMessage'));
  });

  test('what is expected of a text is text, whatever the value of a template is', async () => {
    for (const [wanted, filled] of [
      ['{{n}}', '5'],
      [
        ['a', '{{n}}'],
        ['a', '5'],
      ],
      [{ contains: '{{n}}' }, { contains: '5' }],
      [{ not: { in: ['{{n}}', '{{b}}'] } }, { not: { in: ['5', 'true'] } }],
      [{ length: '{{n}}' }, { length: 5 }],
      [{ exists: '{{b}}' }, { exists: true }],
    ] as const) {
      const file = fileOf({ message: 'x', expect: { text: wanted, paths: { 'task.metadata.n': '{{n}}' } } }, { n: 5, b: true });
      assert.deepEqual(await resolveExpect(file.requests.at(-1)!, scopeOf(file)), { text: filled, paths: { 'task.metadata.n': 5 } });
    }
  });

  test('a half-typed request is refused, a whole one beside it is not', async () => {
    const file = readRequestFile(
      '{"agent":"A","requests":[{"name":"a","message":"x"} {"name":"b","message":"y"},{"name":"c","message":"z"',
    );
    const [a, b, c] = file.requests;
    assert.deepEqual(await resolveRequest(a!, scopeOf(file), false), text('x'));
    assert.deepEqual(await resolveRequest(b!, scopeOf(file), false), text('y'));
    await assert.rejects(resolveRequest(c!, scopeOf(file), false), { code: 'unreadable-request' });
  });

  test('a raw body is sent as written', async () => {
    const body = '{"jsonrpc":"2.0","id":1e0,"method":"m", "params":{"a":1,"a":2.50}}';
    const file = readRequestFile(body);
    assert.deepEqual(await resolveRequest(file.requests[0]!, scopeOf(file), true), { raw: body });
  });

  const bodies: readonly (readonly [title: string, text: string, sent: string])[] = [
    [
      'the whole file',
      '{"agent":"A","name":"n","variables":{"n":5,"o":{"x":1}}, "jsonrpc":"2.0","id":"{{n}}","method":"m{{n}}","params":{"a":["{{o}}","\\\\{{"],"b":1.0},"expect":{"text":"x"},"each":[{"r":1}],}',
      '{ "jsonrpc":"2.0","id":5,"method":"m5","params":{"a":[{"x":1},"{{"],"b":1.0}}',
    ],
    [
      'one of several',
      '// c\n{"agent":"A","variables":{"n":"é\\n"},"requests":[{"name":"x","message":"x"}, { "jsonrpc":"2.0", /* c */ "after": "x", "id": 1,\n "params":{"x":"{{n}}",}, "method":"m" , "confirm": false}]}',
      '{ "jsonrpc":"2.0", "id": 1,\n "params":{"x":"é\\n"}, "method":"m" }',
    ],
    [
      'a task of the task API',
      '{"requests":[{"name":"n","agent":"A","taskId":"{{t}}","type":"y","data":{"a":1},"expect":{}}],"variables":{"t":"t1"}}',
      '{"taskId":"t1","type":"y","data":{"a":1}}',
    ],
  ];
  for (const [title, text, expected] of bodies) {
    test(`a raw body with keys of the format and templates: ${title}`, async () => {
      const file = readRequestFile(text);
      const { raw } = (await resolveRequest(file.requests.at(-1)!, scopeOf(file), true).catch((error: unknown) => ({
        raw: String(error),
      }))) as { raw: string };
      const squeezed = (json: string): string => json.replaceAll(/ +/g, ' ');
      assert.equal(squeezed(raw), squeezed(expected));
    });
  }

  test('what has no value is told where it stands', async () => {
    const places: readonly (readonly [text: string, at: string])[] = [
      ['{"agent":"A","message":["a","b {{$env NOPE}}"]}', '{{$env NOPE}}'],
      ['{"agent":"A","jsonrpc":"2.0","method":"x","params":{"n":"\\u00e9 {{$file x.txt}}"}}', '{{$file x.txt}}'],
      ['{"agent":"A","method":"GetTask","params":{"id":"{{n}}"},"variables":{"n":5}}', '"{{n}}"'],
      ['{"agent":"A","message":["x","{{n}}"],"variables":{"n":{"m":5}}}', '"{{n}}"'],
    ];
    for (const [text, at] of places) {
      const file = readRequestFile(text);
      const fault = await resolveRequest(file.requests[0]!, scopeOf(file), false).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(fault instanceof RequestFault, text);
      assert.equal(text.slice(fault.range.offset, fault.range.offset + fault.range.length), at);
    }
  });

  for (const [title, text, expected] of [
    ["the file's", '{"agent":"A","requests":[{"message":"x"}]}', 'A'],
    ['its own', '{"agent":"A","requests":[{"agent":"B","message":"x"}]}', 'B'],
    ['of the one request', '{"agent":"A","message":"x"}', 'A'],
    [
      'from a variable',
      '{"agent":"http://{{host}}:{{port}}","variables":{"host":"localhost","port":41241},"message":"x"}',
      'http://localhost:41241',
    ],
    ['none', '{"message":"x"}', undefined],
    ['of a raw body', '{"agent":"{{A}}","variables":{"A":"B"},"jsonrpc":"2.0","method":"x"}', 'B'],
  ] as const) {
    test(`agent: ${title}`, async () => {
      const file = readRequestFile(text);
      assert.equal(await resolveAgent(file.requests[0]!, scopeOf(file)), expected);
    });
  }
});

suite('after', () => {
  const rows: readonly (readonly [title: string, result: RequestResult, expected: object])[] = [
    ['a task that is over: a new one that refers to it', { task }, { contextId: 'c1', referenceTaskIds: ['t1'] }],
    [
      'a task that waits: the same one',
      { task: { ...task, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
      { contextId: 'c1', taskId: 't1' },
    ],
    [
      'a task that waits for credentials: the same one',
      { task: { ...task, status: { state: 'TASK_STATE_AUTH_REQUIRED' } } },
      { contextId: 'c1', taskId: 't1' },
    ],
    ['a task that works: the same one', { task: { ...task, status: { state: 'TASK_STATE_WORKING' } } }, { contextId: 'c1', taskId: 't1' }],
    [
      'a rejected task is over',
      { task: { ...task, status: { state: 'TASK_STATE_REJECTED' } } },
      { contextId: 'c1', referenceTaskIds: ['t1'] },
    ],
    ['a message: the same context', results['hello']!, { contextId: 'c9' }],
  ];
  for (const [title, result, expected] of rows) {
    test(title, () => assert.deepEqual(continuationOf(result), expected));
  }
});

suite('order', () => {
  const orders: readonly (readonly [title: string, requests: readonly object[], of: string, order: string, extra?: object])[] = [
    ['alone', [{ name: 'a', message: 'x' }], 'a', 'a'],
    [
      'after',
      [
        { name: 'a', after: 'b', message: 'x' },
        { name: 'b', message: 'x' },
      ],
      'a',
      'b a',
    ],
    [
      'a reference, not what is not needed',
      [
        { name: 'z', message: 'x' },
        { name: 'b', message: 'x' },
        { name: 'a', message: '{{b.task.id}}' },
      ],
      'a',
      'b a',
    ],
    [
      'through a variable',
      [
        { name: 'b', message: 'x' },
        { name: 'a', message: '{{v}}' },
      ],
      'a',
      'b a',
      { variables: { v: '{{w}}', w: '{{b.state}}' } },
    ],
    [
      "through the file's agent",
      [
        { name: 'b', agent: 'B', message: 'x' },
        { name: 'a', message: 'x' },
      ],
      'a',
      'b a',
      { agent: 'http://{{b.task.id}}' },
    ],
    [
      'a diamond, each once',
      [
        { name: 'd', message: '{{b.state}} {{c.state}}' },
        { name: 'c', after: 'a', message: 'x' },
        { name: 'b', after: 'a', message: 'x' },
        { name: 'a', message: 'x' },
      ],
      'd',
      'a b c d',
    ],
    [
      'deeper before nearer',
      [
        { name: 'c', message: '{{a.state}} {{b.state}}' },
        { name: 'a', after: 'b', message: 'x' },
        { name: 'b', message: 'x' },
      ],
      'c',
      'b a c',
    ],
  ];
  for (const [title, requests, of, order, extra] of orders) {
    test(title, () => {
      const file = readRequestFile(JSON.stringify({ agent: 'A', ...extra, requests }));
      assert.equal(
        sendOrder([file.byName.get(of)!], file)
          .map(({ name }) => name)
          .join(' '),
        order,
      );
    });
  }

  test('a circle is refused with its names', () => {
    const file = readRequestFile(
      '{"agent":"A","requests":[{"name":"a","after":"b","message":"x"},{"name":"b","message":"{{c.state}}"},{"name":"c","after":"b","message":"x"}]}',
    );
    assert.throws(() => sendOrder([file.byName.get('a')!], file), /b → c → b/);
  });

  test('a chain of 5,000', () => {
    const requests = Array.from({ length: 5000 }, (_, index) => ({
      name: `r${index}`,
      message: 'x',
      ...(index > 0 ? { after: `r${index - 1}` } : {}),
    }));
    const file = readRequestFile(JSON.stringify({ agent: 'A', requests }));
    assert.equal(sendOrder([file.byName.get('r4999')!], file).length, 5000);
  });
});
