import * as assert from 'node:assert/strict';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import type { Step } from '../../../src/mock/script.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks, says, task } from '../../support/client/says.ts';

const rpc = (outcome: object, id: unknown = 1): object => ({ jsonrpc: '2.0', id, ...outcome });
const notFound = { code: -32001, message: 'Task not found' };
const unknownMethod = { code: -32601, message: 'No such method' };
const errorInfo = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' };
const asJson = { 'content-type': 'application/json' };
const asStream = { 'content-type': 'text/event-stream' };

interface ErrorRow {
  readonly steps: readonly Step[];
  /** JSON-RPC code for an A2AError, the problem's code for any other. */
  readonly is: number | string;
  readonly says: RegExp;
}

const errors: Readonly<Record<string, ErrorRow>> = {
  'JSON-RPC with 200': { steps: [{ json: rpc({ error: notFound }) }], is: -32001, says: /TaskNotFoundError.*Task not found/ },
  'JSON-RPC with 404': { steps: [{ status: 404 }, { json: rpc({ error: notFound }) }], is: -32001, says: /Task not found/ },
  'JSON-RPC with a null id': {
    steps: [{ status: 400 }, { json: rpc({ error: { code: -32700, message: 'bad' } }, null) }],
    is: -32700,
    says: /ParseError/,
  },
  'JSON-RPC with a code of its own': {
    steps: [{ json: rpc({ error: { code: -32050, message: 'odd' } }) }],
    is: -32050,
    says: /error -32050: odd/,
  },
  'an error in the place of the result': { steps: [{ json: rpc({ result: notFound }) }], is: -32001, says: /Task not found/ },
  'JSON-RPC inside the detail of a framework': {
    steps: [{ status: 500 }, { json: { detail: rpc({ error: notFound }) } }],
    is: -32001,
    says: /TaskNotFoundError.*Task not found/,
  },
  'JSON-RPC inside the data of an internal error': {
    steps: [{ json: rpc({ error: { code: -32603, message: 'Internal error', data: unknownMethod } }) }],
    is: -32601,
    says: /MethodNotFoundError.*No such method/,
  },
  'JSON-RPC inside the data, as a whole answer': {
    steps: [{ json: rpc({ error: { code: -32000, message: 'upstream', data: rpc({ error: unknownMethod }) } }) }],
    is: -32601,
    says: /No such method/,
  },
  'an error inside the error': { steps: [{ json: rpc({ error: { error: unknownMethod } }) }], is: -32601, says: /No such method/ },
  'an error under root': { steps: [{ json: { root: rpc({ error: unknownMethod }) } }], is: -32601, says: /No such method/ },
  'an error inside one with an HTTP status': {
    steps: [{ status: 502 }, { json: { error: { code: 502, message: 'Bad gateway', error: unknownMethod } } }],
    is: -32601,
    says: /No such method/,
  },
  'an error as JSON text in the message': {
    steps: [{ json: rpc({ error: { code: -32603, message: JSON.stringify(unknownMethod) } }) }],
    is: -32601,
    says: /\(-32601\): No such method/,
  },
  'an error as JSON text in a detail': {
    steps: [{ status: 500 }, { json: { detail: JSON.stringify(rpc({ error: unknownMethod })) } }],
    is: -32601,
    says: /No such method/,
  },
  'an error in the words of another language': {
    steps: [{ json: rpc({ error: { code: -32603, message: "Internal error: JSONRPCError(code=-32601, message='No such method')" } }) }],
    is: -32601,
    says: /No such method/,
  },
  'a code inside the data of an error that says enough': {
    steps: [{ json: rpc({ error: { ...notFound, data: { code: -32601, message: 'x' } } }) }],
    is: -32001,
    says: /Task not found/,
  },
  'an internal error whose data has a code of its own': {
    steps: [{ json: rpc({ error: { code: -32603, message: 'broken', data: { code: 17, message: 'x' } } }) }],
    is: -32603,
    says: /broken/,
  },
  'google.rpc.Status with a reason': {
    steps: [{ status: 404 }, { json: { error: { code: 404, status: 'NOT_FOUND', message: 'gone', details: [errorInfo] } } }],
    is: -32001,
    says: /TaskNotFoundError.*gone/,
  },
  'google.rpc.Status without': {
    steps: [{ status: 400 }, { json: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'bad field' } } }],
    is: 'http-error',
    says: /HTTP 400: bad field/,
  },
  'problem details': {
    steps: [
      { status: 400, headers: { 'content-type': 'application/problem+json' } },
      { json: { type: 'about:blank', title: 'Bad', detail: 'missing parts', status: 400 } },
    ],
    is: 'http-error',
    says: /HTTP 400: Bad: missing parts/,
  },
  'code and message': { steps: [{ status: 500 }, { json: { code: -32603, message: 'broken' } }], is: -32603, says: /InternalError/ },
  'a message alone': { steps: [{ status: 500 }, { json: { message: 'broken' } }], is: 'http-error', says: /HTTP 500: broken/ },
  'a FastAPI detail': {
    steps: [{ status: 422 }, { json: { detail: [{ loc: ['body'], msg: 'field required' }] } }],
    is: 'http-error',
    says: /HTTP 422: .*field required/,
  },
  'an error as a word': {
    steps: [{ status: 400 }, { json: { error: 'invalid_request' } }],
    is: 'http-error',
    says: /HTTP 400: invalid_request/,
  },
  text: {
    steps: [{ status: 503, headers: { 'content-type': 'text/plain' } }, { raw: 'try later' }],
    is: 'http-error',
    says: /HTTP 503: try later$/,
  },
  'a traceback': {
    steps: [
      { status: 500, headers: { 'content-type': 'text/plain' } },
      { raw: 'Traceback (most recent call last):\n  File "a.py", line 1, in run\n    boom()\nKeyError: \'order\'\n\n' },
    ],
    is: 'http-error',
    says: /HTTP 500: KeyError: 'order'$/,
  },
  'a web page with 404': { steps: [{ status: 404 }, { html: '<h1>Not Found</h1>\nby nginx' }], is: 'http-error', says: /HTTP 404\.$/ },
  'JSON without an error': { steps: [{ status: 500 }, { raw: '{\n  "a": 1\n}\n' }], is: 'http-error', says: /HTTP 500\.$/ },
  'a web page with 200': { steps: [{ html: '<h1>Welcome</h1>' }], is: 'not-json', says: /web page/ },
  'JSON as Python writes it': {
    steps: [{ status: 200, headers: { 'content-type': 'application/json' } }, { raw: '{"jsonrpc":"2.0","id":1,"result":{"v":NaN}}' }],
    is: 'not-json',
    says: /not JSON: Unexpected token 'N', .*"v":NaN/,
  },
  'two documents': {
    steps: [{ status: 200, headers: { 'content-type': 'application/json' } }, { raw: '{"jsonrpc":"2.0"} {"jsonrpc":"2.0"}' }],
    is: 'not-json',
    says: /not JSON: Unexpected .* after JSON at position 18/,
  },
  'text with 200': {
    steps: [{ status: 200, headers: { 'content-type': 'text/plain' } }, { raw: 'ok' }],
    is: 'not-json',
    says: /text\/plain/,
  },
  'nothing with 202': { steps: [{ status: 202 }], is: 'empty-answer', says: /HTTP 202 with an empty body/ },
  'JSON that is neither task nor message': {
    steps: [{ json: rpc({ result: { hello: 1 } }) }],
    is: 'unreadable-answer',
    says: /neither a task nor a message/,
  },
  'a null result': { steps: [{ json: rpc({ result: null }) }], is: 'unreadable-answer', says: /neither a task nor a message/ },
};

const ok = { message: says('hi') };

interface OddRow {
  readonly steps: readonly Step[];
  readonly rules: readonly string[];
}

/** Answers that are read all the same; each notes what is wrong with it. The request's id cannot be 1, so all but the first say so. */
const odd: Readonly<Record<string, OddRow>> = {
  'as it should be': { steps: [{ answer: ok }], rules: [] },
  'another id': { steps: [{ json: rpc({ result: ok }) }], rules: ['RPC-01 /id'] },
  'the id of another request': { steps: [{ json: rpc({ result: ok }, 'another') }], rules: ['RPC-08 /id'] },
  'an id and a version of a megabyte': {
    steps: [{ json: { ...rpc({ result: ok }, 'i'.repeat(1_000_000)), jsonrpc: 'v'.repeat(1_000_000) } }],
    rules: ['RPC-01 /jsonrpc', 'RPC-08 /id'],
  },
  'a null id': { steps: [{ json: rpc({ result: ok }, null) }], rules: ['RPC-01 /id'] },
  'no id': { steps: [{ json: { jsonrpc: '2.0', result: ok } }], rules: ['RPC-01 /id'] },
  'no version': { steps: [{ json: { id: 1, result: ok } }], rules: ['RPC-01 /jsonrpc', 'RPC-01 /id'] },
  'a null error beside the result': { steps: [{ json: rpc({ result: ok, error: null }) }], rules: ['RPC-01 /id', 'RPC-01 '] },
  'no envelope': { steps: [{ json: ok }], rules: ['RPC-01 /jsonrpc', 'RPC-01 /id', 'RPC-01 '] },
  'a byte order mark': {
    steps: [{ status: 200, headers: asJson }, { raw: `\uFEFF${JSON.stringify(rpc({ result: ok }))}\n` }],
    rules: ['RPC-01 /id'],
  },
  'a media type with parameters': {
    steps: [{ status: 200, headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, { json: rpc({ result: ok }) }],
    rules: ['RPC-01 /id'],
  },
  'another JSON media type': {
    steps: [{ status: 200, headers: { 'content-type': 'application/a2a+json' } }, { json: rpc({ result: ok }) }],
    rules: ['RPC-01 /id'],
  },
  'a wrong media type': {
    steps: [{ status: 200, headers: { 'content-type': 'text/plain' } }, { json: rpc({ result: ok }) }],
    rules: ['RPC-02 ', 'RPC-01 /id'],
  },
  'status 201': { steps: [{ status: 201 }, { answer: ok }], rules: [] },
  'a result with status 400': { steps: [{ status: 400 }, { answer: ok }], rules: ['HTTP-07 '] },
  'a stream': {
    steps: [
      { event: { task: task('TASK_STATE_WORKING') } },
      { event: { statusUpdate: { taskId: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } } } },
      { event: ok },
    ],
    rules: ['RPC-02 '],
  },
};

suite('JSON-RPC', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  suite('errors of every shape', () => {
    for (const [name, { steps, is, says: words }] of Object.entries(errors)) {
      test(name, async () => {
        const { client, log } = await open.spoken({ SendMessage: steps, SendStreamingMessage: steps });
        const unary = await client.call('SendMessage', asks('hello'), { log }).then(
          () => undefined,
          (error: unknown) => error,
        );
        const streaming = await drain(client.stream('SendStreamingMessage', asks('hello'), { log }));
        assert.deepEqual(streaming.items, []);
        for (const error of [unary, streaming.error]) {
          assert.ok(error instanceof Problem, String(error));
          assert.equal(error instanceof A2AError ? error.rpcCode : error.code, is);
          assert.match(error.message, words);
        }
        assert.ok(
          log.exchanges.length === 2 && log.exchanges.every(({ failure, endedAt }) => failure !== undefined && endedAt !== undefined),
        );
      });
    }

    for (const [status, says401] of [
      [401, /Bearer realm="x"/],
      [403, /HTTP 403/],
    ] as const) {
      test(`${status} comes before whatever the body says`, async () => {
        const steps: Step[] = [
          { status, headers: { 'www-authenticate': 'Bearer realm="x"' } },
          { json: rpc({ error: { code: -32603, message: 'no' } }) },
        ];
        const { client } = await open.spoken({ SendMessage: steps });
        await assert.rejects(client.call('SendMessage', asks('hello')), error => {
          assert.ok(error instanceof UnauthorizedProblem);
          assert.deepEqual([error.code, error.status, error.challenge], ['unauthorized', status, 'Bearer realm="x"']);
          assert.match(error.message, says401);
          assert.match(error.details ?? '', /-32603/);
          return true;
        });
      });
    }

    test('what the answer breaks comes with the error, of a stream too', async () => {
      for (const [error, pointers] of [
        ['nope', ['/error']],
        [null, ['/error']],
        [{ code: '-32001' }, ['/error/code', '/error/message']],
        [notFound, []],
      ] as const) {
        const answer = ({ body }: { readonly body: string }): object => rpc({ error }, (JSON.parse(body) as { id: string }).id);
        const { client } = await open.spoken({
          SendMessage: request => [{ json: answer(request) }],
          SendStreamingMessage: request => [{ raw: `data: ${JSON.stringify(answer(request))}\n\n` }],
        });
        const { error: streaming } = await drain(client.stream('SendStreamingMessage', asks('hello')));
        const unary = await client.call('SendMessage', asks('hello')).catch((thrown: unknown) => thrown);
        for (const thrown of [streaming, unary]) {
          assert.ok(thrown instanceof Problem);
          assert.deepEqual(
            thrown.findings.filter(({ rule }) => rule === 'RPC-01').map(({ pointer }) => pointer),
            pointers,
          );
        }
      }
    });

    for (const [what, answer] of Object.entries<object>({
      'another object': { ok: true },
      'an envelope alone': { jsonrpc: '2.0', id: 1 },
      'an empty object': {},
    }))
      test(`${what} is no result of any operation, and no answer in a version`, async () => {
        const url = await open.web((_request, response) => response.writeHead(200, asJson).end(JSON.stringify(answer)));
        const answered: unknown[] = [];
        const { client, log } = await open.spoken({}, '1.0', {
          card: () => ({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
          approvedOrigins: new Set([new URL(url).origin]),
          listener: { answered: version => answered.push(version) },
        });
        const config = { taskId: 't', id: 'c' };
        for (const call of [
          () => client.call('SendMessage', asks('hello'), { log }),
          () => client.call('GetTask', { id: 't' }, { log }),
          () => client.call('CancelTask', { id: 't' }, { log }),
          () => client.call('ListTasks', {}, { log }),
          () => client.call('CreateTaskPushNotificationConfig', { ...config, url }, { log }),
          () => client.call('ListTaskPushNotificationConfigs', { taskId: 't' }, { log }),
          () => client.call('DeleteTaskPushNotificationConfig', config, { log }),
          () => drain(client.stream('SendStreamingMessage', asks('hello'), { log })).then(({ error }) => Promise.reject(error as Error)),
        ]) {
          await assert.rejects(call, {
            code: 'unreadable-answer',
            message: "The agent's answer has neither a result nor an error.",
          });
          assert.deepEqual(
            log.last.findings.filter(({ message }) => message.includes('neither')).map(({ rule }) => rule),
            ['RPC-01'],
          );
        }
        assert.deepEqual(answered, []);
      });

    test('no more than the beginning of an unreadable body is quoted', async () => {
      const { client } = await open.spoken({
        SendMessage: [{ status: 502, headers: { 'content-type': 'text/plain' } }, { raw: 'x'.repeat(10_000) }],
      });
      await assert.rejects(client.call('SendMessage', asks('hello')), (error: Problem) => error.details?.length === 2048);
    });
  });

  suite('answers that depart from the rules are read, and noted', () => {
    for (const [name, { steps, rules }] of Object.entries(odd)) {
      test(name, async () => {
        const { client, log } = await open.spoken({ SendMessage: steps });
        const { result, findings } = await client.call('SendMessage', asks('hello'), { log });
        assert.deepEqual(result, ok);
        assert.deepEqual(
          findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
          rules,
        );
        assert.deepEqual(log.last.findings, findings);
        assert.ok(findings.every(({ message }) => message.length < 500));
      });
    }
  });

  suite('streams that are none, or odd', () => {
    test('JSON in the place of a stream is a stream of one event', async () => {
      const { client, log } = await open.spoken({
        SendStreamingMessage: ({ body }) => [{ json: rpc({ result: ok }, (JSON.parse(body) as { id: string }).id) }],
      });
      const { items, error } = await drain(client.stream('SendStreamingMessage', asks('hello'), { log }));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.map(({ events, frames, findings }) => [events, frames, findings.map(({ rule }) => rule)]),
        [[[ok], [], ['RPC-02']]],
      );
      assert.ok(log.last.response?.body?.includes('"hi"'));
    });

    test('events that cannot be read are noted and passed over', async () => {
      const { client, log } = await open.spoken({
        SendStreamingMessage: [
          { status: 200, headers: asStream },
          { raw: 'data: [DONE]\n\ndata: {"jsonrpc":"2.0","result":{"beat":1}}\n\n' },
          { event: ok },
        ],
      });
      const { items, error } = await drain(client.stream('SendStreamingMessage', asks('hello'), { log }));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.flatMap(({ events }) => events),
        [ok],
      );
      assert.deepEqual(
        log.last.findings.map(({ rule }) => rule),
        ['RPC-01', 'RPC-01', 'DATA-01'],
      );
      assert.equal(log.framesOf(log.last.id).length, 3);
    });

    test('a stream of nothing readable is an error', async () => {
      const { client } = await open.spoken({ SendStreamingMessage: [{ raw: 'data: {"jsonrpc":"2.0","id":1,"result":{"beat":1}}\n\n' }] });
      const { error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
      assert.equal((error as Problem).code, 'unreadable-answer');
    });

    const answered = JSON.stringify({ jsonrpc: '2.0', id: 1, result: ok });
    const [before, after] = [answered.slice(0, answered.indexOf('"hi"') + 2), answered.slice(answered.indexOf('"hi"') + 2)];
    const unended = /not followed by a blank line/;
    /** Data of events that are not one line of JSON: how often the answer is in them, and what is noted. */
    const oddData: Readonly<Record<string, { readonly data: string; readonly times: number; readonly notes: readonly RegExp[] }>> = {
      'a record separator before the JSON': { data: `data: \u001e${answered}\n\n`, times: 1, notes: [/U\+001E/] },
      'a record separator before the JSON, and no last blank line': {
        data: `data: \u001e${answered}`,
        times: 1,
        notes: [unended, /U\+001E/],
      },
      'one without the last blank line': { data: `data: ${answered}\n`, times: 1, notes: [unended] },
      'several JSON texts with record separators': {
        data: `data: \u001e${answered}\ndata: \u001e${answered}\n\n`,
        times: 2,
        notes: [/U\+001E/],
      },
      'one JSON in lines of its own': {
        data: `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: ok }, null, 2)
          .split('\n')
          .map(line => `data: ${line}\n`)
          .join('')}\n`,
        times: 1,
        notes: [/\d+ data lines/],
      },
      'one JSON, cut inside a string': { data: `data: ${before}\ndata: ${after}\n\n`, times: 1, notes: [/2 data lines/] },
      'one JSON, cut inside a string, and no last blank line': {
        data: `data: ${before}\ndata: ${after}\n`,
        times: 1,
        notes: [unended, /2 data lines/],
      },
      'a JSON a line': { data: `data: ${answered}\ndata: ${answered}\n\n`, times: 2, notes: [/2 data lines/] },
      'the name of the field twice': { data: `data: data: ${answered}\n\n`, times: 1, notes: [/data:/] },
    };
    for (const [name, { data, times, notes }] of Object.entries(oddData)) {
      test(`${name}: the event is read, and noted`, async () => {
        const { client, log } = await open.spoken({ SendStreamingMessage: [{ status: 200, headers: asStream }, { raw: data }] });
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('hello'), { log }));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          Array.from({ length: times }, () => ok),
        );
        const found = log.last.findings.filter(({ rule }) => rule === 'STRM-09');
        assert.equal(found.length, notes.length, JSON.stringify(found));
        for (const [index, words] of notes.entries()) assert.match(found[index]!.message, words);
      });
    }

    /** Streams of which nothing can be read, and what the person is told. */
    const silences: Readonly<Record<string, { readonly body: string; readonly code: string; readonly says: RegExp }>> = {
      nothing: { body: '', code: 'empty-answer', says: /without sending anything/ },
      'a comment': { body: ': ping\n\n', code: 'empty-answer', says: /without sending anything/ },
      'data that is not JSON': {
        body: 'data: Hello there\n\ndata: [DONE]\n\n',
        code: 'unreadable-answer',
        says: /stream could not be read.*Hello there/,
      },
      'text that is no event': { body: 'Hello there\n', code: 'unreadable-answer', says: /stream could not be read.*Hello there/ },
      'JSON that is no event': { body: `${answered}\n`, code: 'unreadable-answer', says: /stream could not be read.*jsonrpc/ },
    };
    for (const [name, { body, code, says: words }] of Object.entries(silences)) {
      test(`a stream of ${name} says so`, async () => {
        const { client } = await open.spoken({
          SendStreamingMessage: [{ status: 200, headers: asStream }, { raw: body }],
          SendMessage: [{ status: 200, headers: asStream }, { raw: body }],
        });
        const { error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
        const unary = await client.call('SendMessage', asks('hello')).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        for (const problem of [error, unary]) {
          assert.ok(problem instanceof Problem);
          assert.equal(problem.code, code);
          assert.match(problem.message, words);
        }
      });
    }

    test('a departure that every event repeats is noted once', async () => {
      const { client, log } = await open.spoken({
        SendStreamingMessage: Array.from({ length: 50 }, () => ({ raw: `data: ${JSON.stringify(rpc({ result: ok }, 1))}\n\n` })),
      });
      const { items } = await drain(client.stream('SendStreamingMessage', asks('hello'), { log }));
      assert.equal(items.flatMap(({ events }) => events).length, 50);
      assert.deepEqual(
        items.flatMap(({ findings }) => findings).map(({ rule }) => rule),
        ['RPC-01', 'STRM-02'],
      );
    });

    test('a media type with parameters is a stream', async () => {
      const { client } = await open.spoken({
        SendStreamingMessage: [{ status: 200, headers: { 'content-type': 'Text/Event-Stream; charset=utf-8' } }, { event: ok }],
      });
      const { items } = await drain(client.stream('SendStreamingMessage', asks('hello')));
      assert.deepEqual(
        items.flatMap(({ events }) => events),
        [ok],
      );
    });
  });

  suite('raw bodies', () => {
    test('are sent as written, and the answer is read in the generation of the method', async () => {
      const { agent, client, log } = await open.spoken({ SendMessage: [{ answer: ok }] }, '0.3');
      const body =
        '{ "jsonrpc": "2.0",  "id": 7, "method": "message/send",\n "params": { "message": {"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]} } }';
      const { items, error } = await drain(client.sendRaw(body, { log }));
      assert.equal(error, undefined);
      assert.equal(agent.requests.at(-1)?.body, body);
      assert.deepEqual(
        items.map(({ events, frames, findings }) => [events, frames, findings]),
        [[[ok], [], []]],
      );
      assert.deepEqual(items[0]?.results, [{ kind: 'message', messageId: 'a-1', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }]);
      assert.deepEqual([log.last.operation, log.last.protocolVersion, log.last.request.body], ['SendMessage', '0.3', body]);
    });

    test("of another generation than the interface carry that generation's header", async () => {
      const { agent, client } = await open.spoken({}, '0.3');
      const { error } = await drain(client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} })));
      assert.ok(error instanceof A2AError && error.errorName === 'MethodNotFoundError');
      assert.equal(agent.requests.at(-1)?.headers['a2a-version'], '1.0');
    });

    const rawAnswers: Readonly<
      Record<string, { readonly method: string; readonly steps: readonly Step[]; readonly events: readonly unknown[] }>
    > = {
      'a task': { method: 'GetTask', steps: [{ answer: task('TASK_STATE_WORKING') }], events: [{ task: task('TASK_STATE_WORKING') }] },
      tasks: {
        method: 'ListTasks',
        steps: [
          {
            answer: {
              tasks: [task('TASK_STATE_WORKING'), task('TASK_STATE_FAILED', { id: 't-2' })],
              nextPageToken: '',
              pageSize: 2,
              totalSize: 2,
            },
          },
        ],
        events: [{ task: task('TASK_STATE_WORKING') }, { task: task('TASK_STATE_FAILED', { id: 't-2' }) }],
      },
      'a stream': {
        method: 'SendStreamingMessage',
        steps: [{ event: { task: task('TASK_STATE_WORKING') } }, { event: ok }],
        events: [{ task: task('TASK_STATE_WORKING') }, ok],
      },
    };
    for (const [name, { method, steps, events }] of Object.entries(rawAnswers)) {
      test(`may be answered with ${name}`, async () => {
        const { client } = await open.spoken({ [method]: steps });
        const params = method === 'SendStreamingMessage' ? asks('x') : { id: 't-1' };
        const { items, error } = await drain(client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(batch => batch.events),
          events,
        );
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
      });
    }

    test('with a method nobody knows show their result', async () => {
      const url = await open.web((_request, response) =>
        response.writeHead(200, asJson).end(JSON.stringify(rpc({ result: { name: 'x' } }))),
      );
      const { client } = await open.spoken({}, '1.0', {
        card: () => ({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
        approvedOrigins: new Set([new URL(url).origin]),
      });
      const { items, error } = await drain(client.sendRaw(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetExtendedAgentCard' })));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.map(({ events, results }) => [events, results]),
        [[[], [{ name: 'x' }]]],
      );
    });

    test('that are no JSON are sent all the same', async () => {
      const { agent, client } = await open.spoken({});
      const { error } = await drain(client.sendRaw('{ "jsonrpc": '));
      assert.ok(error instanceof A2AError && error.errorName === 'ParseError');
      assert.equal(agent.requests.at(-1)?.body, '{ "jsonrpc": ');
    });
  });
});
