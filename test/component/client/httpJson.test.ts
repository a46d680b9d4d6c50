import * as assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { UnauthorizedProblem } from '../../../src/client/transport/agentError.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Step } from '../../../src/mock/script.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks, chunk, says, statusUpdate, task } from '../../support/client/says.ts';

const binding = 'HTTP+JSON';
const asJson = { 'content-type': 'application/json' };
const failed = task('TASK_STATE_FAILED');
const asStream = { 'content-type': 'text/event-stream' };
const ok = { message: says('hi') };
const errorInfo = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' };
const rpcStatus = (code: number, status: string, message: string, ...details: object[]): object => ({
  error: { code, status, message, details },
});

/** What a server answers: status, headers, body. */
type Answered = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

suite('HTTP+JSON', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  /** A server that answers by method and path, and whatever it was asked. Other paths have the server's own 404. */
  async function server(
    answers: Readonly<Record<string, Answered>>,
    otherwise: Answered = [404, 'Not Found', { 'content-type': 'text/plain' }],
  ): Promise<{ url: string; asked: string[] }> {
    const asked: string[] = [];
    const url = await open.web((request: IncomingMessage, response: ServerResponse) => {
      const what = `${request.method} ${request.url}`;
      asked.push(what);
      const [status, body = '', headers = asJson] = answers[what] ?? otherwise;
      request.resume();
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    return { url, asked };
  }

  function clientAt(url: string, generation = '1.0', interfaceMembers: object = {}): AgentClient {
    const card = readAgentCard(minimalCard(url, generation, binding), ignoreFindings);
    const tenanted = { ...card, supportedInterfaces: card.supportedInterfaces.map(entry => ({ ...entry, ...interfaceMembers })) };
    return new AgentClient({ card: tenanted, chosen: chooseInterface(tenanted, url), http: open.http(), agentUrl: url });
  }

  test('is chosen however a card spells it', () => {
    for (const spelled of ['HTTP+JSON', 'http_json', 'REST', 'HTTP+REST']) {
      const card = readAgentCard(minimalCard('http://a/', '1.0', spelled), ignoreFindings);
      assert.equal(chooseInterface(card, 'http://a/').transport.protocolBinding, binding);
    }
  });

  suite('requests, word for word', () => {
    const accepts = (generation: string, stream = false): string =>
      [
        ...(stream ? ['text/event-stream'] : []),
        ...(generation === '1.0' ? ['application/a2a+json'] : []),
        'application/json',
        '*/*;q=0.1',
      ].join(', ');
    const sent1_0 = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'go' }] } };
    const sent0_3 = { message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'go' }] } };
    const rows: readonly (readonly [
      generation: string,
      does: (client: AgentClient) => Promise<unknown>,
      line: string,
      body: unknown,
      stream?: boolean,
    ])[] = [
      ['1.0', client => client.call('SendMessage', asks('go')), 'POST /message:send', sent1_0],
      ['1.0', client => drain(client.stream('SendStreamingMessage', asks('go'))), 'POST /message:stream', sent1_0, true],
      [
        '1.0',
        client => client.call('GetTask', { id: 'a/b:c d?ü', historyLength: 0 }),
        'GET /tasks/a%2Fb%3Ac%20d%3F%C3%BC?historyLength=0',
        undefined,
      ],
      ['1.0', client => client.call('GetTask', { id: '...' }), 'GET /tasks/...', undefined],
      [
        '1.0',
        client =>
          client.call('ListTasks', {
            contextId: 'c+ d',
            status: 'TASK_STATE_WORKING',
            pageSize: 5,
            statusTimestampAfter: '2026-01-02T03:04:05Z',
            includeArtifacts: true,
          }),
        'GET /tasks?contextId=c%2B%20d&status=TASK_STATE_WORKING&pageSize=5&statusTimestampAfter=2026-01-02T03%3A04%3A05Z&includeArtifacts=true',
        undefined,
      ],
      ['1.0', client => client.call('CancelTask', { id: 't', metadata: { why: 'x' } }), 'POST /tasks/t:cancel', { metadata: { why: 'x' } }],
      ['1.0', client => client.call('CancelTask', { id: 't', tenant: 'ac me' }), 'POST /ac%20me/tasks/t:cancel', {}],
      ['1.0', client => client.call('SendMessage', { ...asks('go'), tenant: 'acme' }), 'POST /acme/message:send', sent1_0],
      ['1.0', client => client.call('GetTask', { id: 't', tenant: 'acme' }), 'GET /acme/tasks/t', undefined],
      ['1.0', client => drain(client.stream('SubscribeToTask', { id: 't' })), 'POST /tasks/t:subscribe', {}, true],
      ['0.3', client => client.call('SendMessage', asks('go')), 'POST /v1/message:send', sent0_3],
      [
        '0.3',
        client => drain(client.stream('SendStreamingMessage', { ...asks('go'), tenant: 'acme' })),
        'POST /v1/message:stream',
        sent0_3,
        true,
      ],
      ['0.3', client => client.call('GetTask', { id: 'a/b', historyLength: 2 }), 'GET /v1/tasks/a%2Fb?historyLength=2', undefined],
      ['0.3', client => client.call('CancelTask', { id: 't' }), 'POST /v1/tasks/t:cancel', { name: 'tasks/t' }],
      ['0.3', client => drain(client.stream('SubscribeToTask', { id: 't' })), 'POST /v1/tasks/t:subscribe', { name: 'tasks/t' }, true],
      ['0.2', client => client.call('SendMessage', asks('go')), 'POST /v1/message:send', sent0_3],
    ];
    for (const [generation, does, line, body, stream] of rows) {
      test(`${generation}: ${line}`, async () => {
        const event = statusUpdate('TASK_STATE_COMPLETED');
        const { agent, client } = await open.spoken(
          {
            SendMessage: [{ answer: ok }],
            SendStreamingMessage: [{ event }],
            GetTask: ({ params }) => [{ answer: task('TASK_STATE_WORKING', { id: params!.id }) }],
            CancelTask: ({ params }) => [{ answer: task('TASK_STATE_CANCELED', { id: params!.id }) }],
            ListTasks: [{ answer: { tasks: [], nextPageToken: '', pageSize: 5, totalSize: 0 } }],
            SubscribeToTask: [{ event }],
          },
          generation,
          { binding },
        );
        await does(client);
        const { method, url, headers, body: text } = agent.requests.at(-1)!;
        assert.equal(`${method} ${url}`, line);
        assert.deepEqual(text === '' ? undefined : JSON.parse(text), body);
        assert.deepEqual(
          [headers['content-type'], headers['accept'], headers['a2a-version']],
          [
            body === undefined ? undefined : generation === '1.0' ? 'application/a2a+json' : 'application/json',
            accepts(generation, stream),
            generation === '1.0' ? '1.0' : undefined,
          ],
        );
      });
    }

    test('the tenant of the interface goes before, a query of its address after', async () => {
      const { url, asked } = await server({}, [200, task('TASK_STATE_WORKING', { id: 't' })]);
      await clientAt(`${url}base/?key=1`, '1.0', { tenant: 'acme' }).call('GetTask', { id: 't', historyLength: 1 });
      assert.deepEqual(asked, ['GET /base/acme/tasks/t?key=1&historyLength=1']);
    });

    test('an id that would be a way up is refused before anything is sent', async () => {
      const { url, asked } = await server({});
      for (const id of ['.', '..', '']) await assert.rejects(clientAt(url).call('CancelTask', { id }), { code: 'bad-task-id' });
      assert.deepEqual(asked, []);
    });

    test('0.3 is asked for ListTasks; a server without it is said to have none', async () => {
      const listed = await server({}, [200, [task('TASK_STATE_WORKING')]]);
      const { result, findings } = await clientAt(listed.url, '0.3').call('ListTasks', {});
      assert.deepEqual([result.tasks.map(({ id }) => id), findings, listed.asked], [['t-1'], [], ['GET /v1/tasks']]);
      const ofTenant = await server({}, [200, { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 }]);
      for (const { url } of [await server({}), ofTenant])
        await assert.rejects(clientAt(url, '0.3').call('ListTasks', {}), { code: 'operation-not-in-version' });
    });

    test('an empty object is an empty page, of which nothing is made up; another object is none', async () => {
      const { url } = await server({}, [200, {}]);
      assert.deepEqual((await clientAt(url).call('ListTasks', {})).result, { tasks: [] });
      const other = await server({}, [200, { ok: true }]);
      await assert.rejects(clientAt(other.url).call('ListTasks', {}), { code: 'unreadable-answer' });
    });

    test('configured headers are sent, and masked in the record', async () => {
      const { agent, client, log } = await open.spoken({ GetTask: [{ answer: task('TASK_STATE_WORKING', { id: 't' }) }] }, '1.0', {
        binding,
        headers: { 'X-Own': 'secret' },
      });
      await client.call('GetTask', { id: 't' }, { log, exchangeId: 'x-1' });
      assert.equal(agent.requests.at(-1)?.headers['x-own'], 'secret');
      assert.deepEqual(
        [log.last.id, log.last.operation, log.last.protocolBinding, log.last.request.method],
        ['x-1', 'GetTask', binding, 'GET'],
      );
      assert.ok(!JSON.stringify(log.told).includes('secret'));
    });
  });

  suite('the way to the routes', () => {
    const answered: Answered = [200, task('TASK_STATE_WORKING', { id: 't' })];
    const bases: readonly (readonly [generation: string, base: string, there: string, asked: readonly string[]])[] = [
      ['1.0', '', 'GET /tasks/t', ['GET /tasks/t']],
      ['1.0', '', 'GET /v1/tasks/t', ['GET /tasks/t', 'GET /v1/tasks/t']],
      ['1.0', 'a/v1/', 'GET /a/tasks/t', ['GET /a/v1/tasks/t', 'GET /a/tasks/t']],
      ['0.3', '', 'GET /v1/tasks/t', ['GET /v1/tasks/t']],
      ['0.3', '', 'GET /tasks/t', ['GET /v1/tasks/t', 'GET /tasks/t']],
      ['0.3', 'v1', 'GET /v1/tasks/t', ['GET /v1/v1/tasks/t', 'GET /v1/tasks/t']],
    ];
    for (const [generation, base, there, tried] of bases) {
      test(`${generation} at /${base}: ${there} is found, and remembered`, async () => {
        const { url, asked } = await server({ [there]: answered });
        const client = clientAt(url + base, generation);
        await client.call('GetTask', { id: 't' });
        assert.deepEqual(asked.splice(0), tried);
        await client.call('GetTask', { id: 't' });
        assert.deepEqual(asked, [there]);
      });
    }

    const nothing: Readonly<Record<string, Answered>> = {
      text: [404, '404 page not found', { 'content-type': 'text/plain' }],
      'a page': [404, '<h1>Cannot POST</h1>', { 'content-type': 'text/html' }],
      nothing: [404],
      "a framework's detail": [404, { detail: 'Not Found' }],
      "a framework's error": [404, { timestamp: 1, status: 404, error: 'Not Found', path: '/message:send' }],
      "a framework's message": [404, { statusCode: 404, message: 'Cannot POST /message:send' }],
      "a gateway's message": [404, { message: 'Not Found' }],
      "a gateway's status": [404, { code: 5, message: 'Not Found', details: [] }],
    };
    for (const [name, answer] of Object.entries(nothing)) {
      test(`a send goes on to the other address where nothing is there: ${name}`, async () => {
        const { url, asked } = await server({ 'POST /v1/message:send': [200, ok] }, answer);
        assert.deepEqual((await clientAt(url).call('SendMessage', asks('go'))).result, ok);
        assert.deepEqual(asked, ['POST /message:send', 'POST /v1/message:send']);
      });
    }

    test('where nothing is at either address, the first answer is told, and both are on record', async () => {
      const { url, asked } = await server({ 'POST /v1/message:send': [404, 'second', { 'content-type': 'text/plain' }] });
      const { log } = await open.spoken({});
      await assert.rejects(clientAt(url).call('SendMessage', asks('go'), { log, exchangeId: 'x' }), {
        code: 'http-error',
        details: 'Not Found',
      });
      assert.equal(asked.length, 2);
      assert.deepEqual(
        log.exchanges.map(({ id, failure, endedAt }) => [id, failure, endedAt !== undefined]),
        [
          ['x', 'The agent answered HTTP 404: Not Found', true],
          ['x+1', 'The agent answered HTTP 404: second', true],
        ],
      );
    });

    const words: Readonly<Record<string, readonly [answer: Answered, is: string | undefined]>> = {
      'google.rpc.Status': [[404, rpcStatus(404, 'NOT_FOUND', 'gone', errorInfo)], 'TaskNotFoundError'],
      'google.rpc.Status without a reason': [[404, rpcStatus(404, 'NOT_FOUND', 'Task t-9 not found')], 'TaskNotFoundError'],
      'code and message': [[404, { code: -32001, message: 'Task not found' }], 'TaskNotFoundError'],
      'words alone': [[404, { message: 'Task not found' }], 'TaskNotFoundError'],
      'another method is wanted': [[405, 'no', { 'content-type': 'text/plain' }], undefined],
      'credentials are wanted': [[401], undefined],
      'a proxy': [[502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' }], undefined],
    };
    for (const [name, [answer, is]] of Object.entries(words)) {
      test(`nothing is sent twice where the agent has spoken: ${name}`, async () => {
        const { url, asked } = await server({}, answer);
        const client = clientAt(url);
        for (const error of [
          await client.call('SendMessage', asks('go')).catch((caught: unknown) => caught),
          (await drain(client.stream('SendStreamingMessage', asks('go')))).error,
        ]) {
          assert.ok(error instanceof Problem);
          assert.equal(error instanceof A2AError ? error.errorName : undefined, is);
        }
        assert.deepEqual(asked, ['POST /message:send', 'POST /message:stream']);
      });
    }
  });

  suite('subscribing', () => {
    const event = { statusUpdate: { taskId: 't', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } } } as const;
    const stream: Answered = [200, `data: ${JSON.stringify(event)}\n\n`, asStream];
    const noPost: Readonly<Record<string, Answered>> = {
      'is not allowed': [405, 'no', { 'content-type': 'text/plain', allow: 'GET' }],
      'is not allowed, and the agent says so': [405, { code: -32601, message: 'Method not found' }],
      'is not there': [404, 'no', { 'content-type': 'text/plain' }],
      'falls through to the task': [404, rpcStatus(404, 'NOT_FOUND', 'Task not found: t:subscribe', errorInfo)],
    };
    for (const [name, answer] of Object.entries(noPost)) {
      test(`is a GET where POST ${name}, and remembered`, async () => {
        const { url, asked } = await server({ 'POST /tasks/t:subscribe': answer, 'GET /tasks/t:subscribe': stream });
        const client = clientAt(url);
        for (let time = 0; time < 2; time++)
          assert.deepEqual(
            (await drain(client.stream('SubscribeToTask', { id: 't' }))).items.flatMap(({ events }) => events),
            [event],
          );
        assert.deepEqual(asked, ['POST /tasks/t:subscribe', 'GET /tasks/t:subscribe', 'GET /tasks/t:subscribe']);
      });
    }

    test('is found at the other address too', async () => {
      const { url, asked } = await server({ 'GET /v1/tasks/t:subscribe': stream });
      await drain(clientAt(url).stream('SubscribeToTask', { id: 't' }));
      assert.deepEqual(asked, [
        'POST /tasks/t:subscribe',
        'GET /tasks/t:subscribe',
        'POST /v1/tasks/t:subscribe',
        'GET /v1/tasks/t:subscribe',
      ]);
    });

    test('to an unknown task is asked once', async () => {
      const { url, asked } = await server({}, [404, rpcStatus(404, 'NOT_FOUND', 'Task not found', errorInfo)]);
      const { error } = await drain(clientAt(url).stream('SubscribeToTask', { id: 't' }));
      assert.ok(error instanceof A2AError && error.errorName === 'TaskNotFoundError');
      assert.deepEqual(asked, ['POST /tasks/t:subscribe']);
    });

    test('that is offered by no method is told as it was first refused', async () => {
      const { url, asked } = await server({ 'POST /tasks/t:subscribe': [405] }, [
        404,
        rpcStatus(404, 'NOT_FOUND', 'Task not found: t:subscribe', errorInfo),
      ]);
      const { error } = await drain(clientAt(url).stream('SubscribeToTask', { id: 't' }));
      assert.match((error as Problem).message, /HTTP 405/);
      assert.deepEqual(asked, ['POST /tasks/t:subscribe', 'GET /tasks/t:subscribe']);
    });
  });

  suite('errors of every shape', () => {
    const problem = { 'content-type': 'application/problem+json' };
    /** JSON-RPC code for an A2AError, the problem's code for any other. */
    const errors: Readonly<Record<string, readonly [answer: Answered, is: number | string, says: RegExp]>> = {
      'a reason beside another status': [
        [400, rpcStatus(400, 'FAILED_PRECONDITION', 'over', { ...errorInfo, reason: 'TASK_NOT_CANCELABLE' })],
        -32002,
        /TaskNotCancelableError.*over/,
      ],
      'a reason after other details': [
        [400, rpcStatus(400, 'INVALID_ARGUMENT', 'bad', { '@type': 'x' }, { ...errorInfo, reason: 'INVALID_PARAMS' })],
        -32602,
        /InvalidParamsError.*bad/,
      ],
      'a reason that says error': [
        [500, rpcStatus(500, 'INTERNAL', 'oh', { ...errorInfo, reason: 'INTERNAL_ERROR' })],
        -32603,
        /InternalError.*oh/,
      ],
      'a reason nobody knows': [
        [400, rpcStatus(400, 'ABORTED', 'odd', { ...errorInfo, reason: 'OWN_REASON' })],
        'http-error',
        /HTTP 400: odd/,
      ],
      'an error with 200': [
        [200, rpcStatus(404, 'NOT_FOUND', 'gone', errorInfo)],
        -32001,
        /TaskNotFoundError \(HTTP 200, code 404 in the body\)/,
      ],
      'another code without a reason': [
        [200, { error: { code: 404, status: 'NOT_FOUND', message: 'Task not found' } }],
        -32001,
        /TaskNotFoundError \(HTTP 200, code 404 in the body\): Task not found/,
      ],
      'a code that is not the status': [
        [400, rpcStatus(403, 'PERMISSION_DENIED', 'no')],
        'http-error',
        /HTTP 400, code 403 in the body: no/,
      ],
      '1.0.0: not cancelable': [[409, rpcStatus(409, 'FAILED_PRECONDITION', 'over')], -32002, /TaskNotCancelableError/],
      'JavaScript of 0.3': [[400, { code: -32004, message: 'Agent does not support streaming' }], -32004, /UnsupportedOperationError/],
      'Python of 0.3: not cancelable': [[409, { message: 'Task cannot be canceled' }], -32002, /TaskNotCancelableError/],
      'Python of 0.3: content type': [[415, { message: 'Incompatible content types' }], -32005, /ContentTypeNotSupportedError/],
      'Python of 0.3: parameters': [[422, { message: 'Invalid parameters' }], -32602, /InvalidParamsError/],
      'Python of 0.3: not implemented': [[501, { message: 'This operation is not supported' }], -32004, /UnsupportedOperationError/],
      'Python of 0.3: anything': [[500, { message: 'unknown exception' }], 'http-error', /HTTP 500: unknown exception/],
      FastAPI: [[422, { detail: [{ loc: ['body'], msg: 'field required' }] }], -32602, /field required/],
      'a problem by its type': [
        [400, { type: 'https://a2a-protocol.org/errors/version-not-supported', title: 'No', status: 400, detail: 'speak 1.0' }, problem],
        -32009,
        /VersionNotSupportedError.*No: speak 1.0/,
      ],
      'a problem of no type': [
        [400, { type: 'about:blank', title: 'Bad', detail: 'missing parts', status: 400 }, problem],
        'http-error',
        /HTTP 400: Bad: missing parts/,
      ],
      'JSON-RPC': [[200, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }], -32601, /MethodNotFoundError/],
      text: [[503, 'try later', { 'content-type': 'text/plain' }], 'http-error', /HTTP 503/],
      'a web page with 200': [[200, '<h1>Welcome</h1>', { 'content-type': 'text/html' }], 'not-json', /web page/],
      'nothing with 204': [[204], 'empty-answer', /HTTP 204 with an empty body/],
      'JSON that is neither task nor message': [[200, { hello: 1 }], 'unreadable-answer', /neither a task nor a message/],
    };
    for (const [name, [answer, is, says]] of Object.entries(errors)) {
      test(name, async () => {
        const { url } = await server({}, answer);
        const client = clientAt(url);
        const unary = await client.call('SendMessage', asks('go')).then(
          () => undefined,
          (error: unknown) => error,
        );
        const streaming = await drain(client.stream('SendStreamingMessage', asks('go')));
        assert.deepEqual(streaming.items, []);
        for (const error of [unary, streaming.error]) {
          assert.ok(error instanceof Problem, String(error));
          assert.equal(error instanceof A2AError ? error.rpcCode : error.code, is);
          assert.match(error.message, says);
        }
      });
    }

    for (const status of [400, 404, 405, 500]) {
      test(`a task with ${status} is the answer, with a finding, and the message is not sent again`, async () => {
        const { url, asked } = await server({}, [status, { task: failed }]);
        const client = clientAt(url);
        const unary = await client.call('SendMessage', asks('go'));
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go')));
        assert.deepEqual([unary.result, items.flatMap(({ events }) => events), error], [{ task: failed }, [{ task: failed }], undefined]);
        for (const { findings } of [unary, ...items]) assert.equal(findings.filter(({ rule }) => rule === 'HTTP-07').length, 1);
        assert.deepEqual(asked, ['POST /message:send', 'POST /message:stream']);
      });
    }

    test('a stream with 404 is not asked for at another address', async () => {
      const { url, asked } = await server({}, [404, `data: ${JSON.stringify({ task: failed })}\n\n`, asStream]);
      const { error } = await drain(clientAt(url).stream('SendStreamingMessage', asks('go')));
      assert.match(String(error), /HTTP 404/);
      assert.deepEqual(asked, ['POST /message:stream']);
    });

    test('an unknown task whose id looks like a subscription is not sent to again', async () => {
      const { url, asked } = await server({}, [404, rpcStatus(404, 'NOT_FOUND', 'Task not found: t:subscribe', errorInfo)]);
      await assert.rejects(clientAt(url).call('SendMessage', asks('go')), { errorName: 'TaskNotFoundError' });
      assert.deepEqual(asked, ['POST /message:send']);
    });

    test('the raw answer stays with the error', async () => {
      const { url } = await server({}, [409, { message: 'over', since: 'noon' }]);
      await assert.rejects(clientAt(url).call('CancelTask', { id: 't' }), (error: A2AError) => /noon/.test(error.details ?? ''));
    });

    for (const status of [401, 403]) {
      test(`${status} comes before whatever the body says`, async () => {
        const { url } = await server({}, [status, rpcStatus(404, 'NOT_FOUND', 'x', errorInfo), { 'www-authenticate': 'Bearer realm="x"' }]);
        await assert.rejects(
          clientAt(url).call('GetTask', { id: 't' }),
          error => error instanceof UnauthorizedProblem && error.challenge === 'Bearer realm="x"',
        );
      });
    }

    test('an agent that is away before and after it got the request', async () => {
      const dead = await open.deadPort();
      await assert.rejects(
        clientAt(`http://${dead}/`).call('SendMessage', asks('go')),
        (error: ConnectionProblem) => error.reached === 'no',
      );
      let read!: () => void;
      const wasRead = new Promise<void>(resolve => {
        read = resolve;
      });
      const { client } = await open.spoken(
        {
          SendMessage: [{ close: true }],
          async *SendStreamingMessage() {
            yield { event: ok };
            await wasRead;
            yield { reset: true };
          },
        },
        '1.0',
        { binding },
      );
      await assert.rejects(client.call('SendMessage', asks('go')), (error: ConnectionProblem) => error.reached === 'unknown');
      await assert.rejects(
        async () => {
          for await (const { events } of client.stream('SendStreamingMessage', asks('go'))) {
            assert.deepEqual(events, [ok]);
            read();
          }
        },
        (error: ConnectionProblem) => error.reached === 'yes',
      );
    });
  });

  suite('answers that depart from the rules are read, and noted', () => {
    const odd: Readonly<Record<string, readonly [steps: readonly Step[], rules: readonly string[]]>> = {
      'as it should be': [[{ answer: ok }], []],
      'status 201': [[{ status: 201 }, { answer: ok }], []],
      'plain JSON': [[{ json: ok }], []],
      'a media type with parameters': [
        [{ status: 200, headers: { 'content-type': 'Application/A2A+JSON; charset=utf-8' } }, { json: ok }],
        [],
      ],
      'a wrong media type': [[{ status: 200, headers: { 'content-type': 'text/plain' } }, { json: ok }], ['HTTP-02 ']],
      'inside a JSON-RPC response': [[{ json: { jsonrpc: '2.0', id: 1, result: ok } }], ['HTTP-06 ']],
      'the form of 0.3': [[{ json: { message: { messageId: 'a-1', role: 'ROLE_AGENT', content: [{ text: 'hi' }] } } }], ['VER-04 ']],
      'a stream': [
        [
          { status: 200, headers: asStream },
          { raw: `data: ${JSON.stringify(statusUpdate('TASK_STATE_WORKING'))}\n\ndata: ${JSON.stringify(ok)}\n\n` },
        ],
        ['HTTP-02 '],
      ],
    };
    for (const [name, [steps, rules]] of Object.entries(odd)) {
      test(name, async () => {
        const { client, log } = await open.spoken({ SendMessage: steps }, '1.0', { binding });
        const { result, findings } = await client.call('SendMessage', asks('go'), { log });
        assert.deepEqual(result, ok);
        assert.deepEqual(
          findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
          rules,
        );
        assert.deepEqual(log.last.findings, findings);
      });
    }
  });

  suite('streams', () => {
    const work = [
      statusUpdate('TASK_STATE_WORKING', says('wait')),
      chunk('one ', false),
      chunk('two', true, true),
      statusUpdate('TASK_STATE_COMPLETED'),
    ];
    for (const generation of ['1.0', '0.3', '0.2']) {
      test(`${generation}: every event in order, without a finding`, async () => {
        const { client, log } = await open.spoken({ SendStreamingMessage: work.map(event => ({ event })) }, generation, { binding });
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go', { taskId: 't-1' }), { log }));
        assert.equal(error, undefined);
        assert.equal(
          JSON.stringify(items.flatMap(({ events }) => events)),
          JSON.stringify(generation === '1.0' ? work : withoutFalse(work)),
        );
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
        assert.equal(log.framesOf(log.last.id).length, work.length);
      });
    }

    const faults: Readonly<Record<string, readonly [data: string, is: number | string, says: RegExp]>> = {
      'google.rpc.Status': [`event: error\ndata: ${JSON.stringify(rpcStatus(404, 'NOT_FOUND', 'gone', errorInfo))}`, -32001, /gone/],
      'google.rpc.Status without a reason or a name': [
        `data: ${JSON.stringify(rpcStatus(500, 'INTERNAL', 'broken'))}`,
        'http-error',
        /HTTP 200, code 500 in the body: broken/,
      ],
      'code and message': ['event: error\ndata: {"code":-32603,"message":"broken"}', -32603, /InternalError.*broken/],
      'an event called error with words alone': ['event: error\ndata: {"message":"broken"}', 'stream-error', /broken/],
      'an event called error with text': ['event: error\ndata: broken', 'stream-error', /broken/],
    };
    test('go on after an event that is called error and holds a result', async () => {
      for (const binding of ['HTTP+JSON', 'JSONRPC'] as const) {
        const { client } = await open.spoken(
          {
            SendStreamingMessage: ({ body }) => {
              const { id } = JSON.parse(body) as { id?: unknown };
              const named = binding === 'JSONRPC' ? { jsonrpc: '2.0', id, result: work[0] } : work[0];
              return [{ raw: `event: error\ndata: ${JSON.stringify(named)}\n\n` }, { event: work[1]! }];
            },
          },
          '1.0',
          { binding },
        );
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go')));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          [work[0], work[1]],
        );
        assert.deepEqual(
          items.flatMap(({ findings }) => findings).flatMap(({ rule, message }) => (rule === 'STRM-09' ? [message] : [])),
          ['The event is named "error", but its data is a result.'],
        );
      }
    });

    for (const [name, [data, is, words]] of Object.entries(faults)) {
      test(`end with an error after the events before it: ${name}`, async () => {
        const { client } = await open.spoken(
          { SendStreamingMessage: [{ event: work[0]! }, { raw: `${data}\n\n` }, { event: work[1]! }] },
          '1.0',
          { binding },
        );
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go')));
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          [work[0]],
        );
        assert.ok(error instanceof Problem);
        assert.equal(error instanceof A2AError ? error.rpcCode : error.code, is);
        assert.match(error.message, words);
      });
    }

    test('the error of each generation has its name', async () => {
      for (const [generation, name] of [
        ['1.0', 'ExtendedAgentCardNotConfiguredError'],
        ['0.3', 'AuthenticatedExtendedCardNotConfiguredError'],
      ] as const) {
        const error = { code: -32007, message: 'no' };
        const { client } = await open.spoken({ GetTask: [{ error }], SendStreamingMessage: [{ event: work[0]! }, { error }] }, generation, {
          binding,
        });
        const answered = await client.call('GetTask', { id: 't' }).catch((caught: unknown) => caught);
        const streamed = await drain(client.stream('SendStreamingMessage', asks('go')));
        for (const caught of [answered, streamed.error])
          assert.deepEqual([(caught as A2AError).errorName, (caught as A2AError).rpcCode], [name, -32007]);
      }
    });

    test('JSON in the place of a stream is a stream of one event', async () => {
      const { client } = await open.spoken({ SendStreamingMessage: [{ answer: ok }] }, '1.0', { binding });
      const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go')));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.map(({ events, frames, findings }) => [events, frames, findings.map(({ rule }) => rule)]),
        [[[ok], [], ['HTTP-02']]],
      );
    });

    test('events that cannot be read are noted and passed over', async () => {
      const { client, log } = await open.spoken(
        { SendStreamingMessage: [{ status: 200, headers: asStream }, { raw: 'data: [DONE]\n\ndata: {"beat":1}\n\n' }, { event: ok }] },
        '1.0',
        { binding },
      );
      const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go'), { log }));
      assert.equal(error, undefined);
      assert.deepEqual(
        items.flatMap(({ events }) => events),
        [ok],
      );
      assert.deepEqual(
        log.last.findings.map(({ rule }) => rule),
        ['HTTP-06', 'DATA-01'],
      );
    });

    test('that say nothing are an error', async () => {
      const { client } = await open.spoken({ SendStreamingMessage: [{ status: 200, headers: asStream }] }, '1.0', { binding });
      assert.equal(((await drain(client.stream('SendStreamingMessage', asks('go')))).error as Problem).code, 'empty-answer');
    });
  });

  suite('raw bodies', () => {
    for (const [streaming, line] of [
      [true, 'POST /message:stream'],
      [false, 'POST /message:send'],
    ] as const) {
      test(`go to ${line} as they are written where streaming is ${streaming}`, async () => {
        const card = (url: string): object => ({ ...minimalCard(url, '1.0', binding), capabilities: { streaming } });
        const { agent, client, log } = await open.spoken({ SendStreamingMessage: [{ event: ok }], SendMessage: [{ answer: ok }] }, '1.0', {
          binding,
          card,
        });
        const body = '{ "message" :{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]} }';
        const { items, error } = await drain(client.sendRaw(body, { log }));
        assert.equal(error, undefined);
        const { method, url, body: text } = agent.requests.at(-1)!;
        assert.deepEqual([`${method} ${url}`, text], [line, body]);
        assert.deepEqual(
          items.map(({ events, results, findings }) => [events, results, findings]),
          [[[ok], [ok], []]],
        );
        assert.equal(log.last.operation, streaming ? 'SendStreamingMessage' : 'SendMessage');
      });
    }

    test('of JSON-RPC are refused before anything is sent', async () => {
      const { agent, client } = await open.spoken({}, '1.0', { binding });
      const before = agent.requests.length;
      const { error } = await drain(client.sendRaw('{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}'));
      assert.deepEqual([(error as Problem).code, agent.requests.length], ['no-raw-body', before]);
    });

    test('that are no JSON are sent all the same', async () => {
      const { agent, client } = await open.spoken({}, '1.0', { binding });
      const { error } = await drain(client.sendRaw('{ "message": '));
      assert.equal(agent.requests.at(-1)?.body, '{ "message": ');
      assert.match((error as Problem).message, /Invalid JSON payload/);
    });
  });
});

/** What 0.3 leaves out where it is false. */
const withoutFalse = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, member: unknown) => (member === false ? undefined : member));
