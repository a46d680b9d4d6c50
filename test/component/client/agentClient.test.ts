import * as assert from 'node:assert/strict';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { english, inTerminal, Problem } from '../../../src/protocol/problem.ts';
import type { Step } from '../../../src/mock/script.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks, chunk, says, statusUpdate, task } from '../../support/client/says.ts';

const work: readonly StreamResponse[] = [
  { task: task('TASK_STATE_SUBMITTED') },
  statusUpdate('TASK_STATE_WORKING', says('grüße 🚢')),
  chunk('one ', false),
  chunk('two', true, true),
  statusUpdate('TASK_STATE_COMPLETED'),
];
const workSteps: readonly Step[] = work.map(event => ({ event }));

suite('agent client', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  for (const generation of ['1.0', '0.3']) {
    suite(`speaking ${generation}`, () => {
      test('a message is answered with a message', async () => {
        const { agent, client, log } = await open.spoken({ SendMessage: [{ answer: { message: says('hi') } }] }, generation);
        const { result, exchangeId, findings } = await client.call('SendMessage', asks('hello'), { log });
        assert.deepEqual(result, { message: says('hi') });
        assert.deepEqual(findings, []);
        assert.equal(log.last.id, exchangeId);
        assert.deepEqual(agent.requests.at(-1)?.params, asks('hello'));
      });

      test('a message is answered with a task', async () => {
        const done = task('TASK_STATE_COMPLETED', {
          artifacts: [
            {
              artifactId: 'x',
              parts: [
                { text: 'a' },
                { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
                { url: 'https://a/b' },
                { data: { a: [1] } },
              ],
            },
          ],
          history: [asks('hello').message, says('hi')],
        });
        const { client } = await open.spoken({ SendMessage: [{ answer: { task: done } }] }, generation);
        const { result, findings } = await client.call('SendMessage', asks('hello'));
        assert.deepEqual([result, findings], [{ task: done }, []]);
      });

      test('an asked-for input is given, and the task goes on', async () => {
        const { agent, client } = await open.spoken(
          {
            SendMessage: ({ params }) => [
              {
                answer: { task: task(params?.message.taskId === undefined ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_COMPLETED') },
              },
            ],
          },
          generation,
        );
        const first = await client.call('SendMessage', asks('go'));
        assert.deepEqual(first.result, { task: task('TASK_STATE_INPUT_REQUIRED') });
        const second = await client.call('SendMessage', asks('red', { taskId: 't-1', contextId: 'c-1' }));
        assert.deepEqual(second.result, { task: task('TASK_STATE_COMPLETED') });
        assert.deepEqual(agent.requests.at(-1)?.params, asks('red', { taskId: 't-1', contextId: 'c-1' }));
      });

      test('a stream gives every event in order and ends without a finding', async () => {
        const { client, log } = await open.spoken({ SendStreamingMessage: workSteps }, generation);
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go'), { log }));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          work,
        );
        assert.deepEqual(
          items.flatMap(({ findings }) => findings),
          [],
        );
        assert.deepEqual(new Set(items.map(({ exchangeId }) => exchangeId)), new Set([log.last.id]));
        assert.deepEqual(
          log.framesOf(log.last.id),
          items.flatMap(({ frames }) => frames),
        );
        assert.equal(log.last.response?.body, undefined);
        assert.ok(log.last.endedAt !== undefined && log.last.failure === undefined);
      });

      test('an event comes before the next is sent', async () => {
        const seen: (() => void)[] = [];
        const { client } = await open.spoken(
          {
            async *SendStreamingMessage() {
              for (const event of work) {
                yield { event };
                await new Promise<void>(resolve => seen.push(resolve));
              }
            },
          },
          generation,
        );
        const events: StreamResponse[] = [];
        for await (const batch of client.stream('SendStreamingMessage', asks('go'))) {
          events.push(...batch.events);
          for (const next of seen.splice(0)) next();
        }
        assert.deepEqual(events, work);
      });

      test('a stream is taken up again', async () => {
        const { agent, client } = await open.spoken({ SubscribeToTask: workSteps }, generation);
        const { items } = await drain(client.stream('SubscribeToTask', { id: 't-1' }));
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          work,
        );
        assert.deepEqual(agent.requests.at(-1)?.params, { id: 't-1' });
      });

      test('a stream that is taken up again and begins with another task is refused, as its answer to a question would be', async () => {
        const { client, log } = await open.spoken({ SubscribeToTask: workSteps }, generation);
        const { items, error } = await drain(client.stream('SubscribeToTask', { id: 't-9' }, { log }));
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          [],
        );
        assert.ok(error instanceof Problem, String(error));
        assert.equal(error.code, 'other-task');
        assert.match(error.message, /asked for task "t-9" and returned task "t-1"; the answer was not applied/);
        assert.deepEqual(
          items
            .flatMap(({ findings }) => findings)
            .map(({ rule }) => rule)
            .filter(rule => rule === 'CORE-19'),
          ['CORE-19'],
        );
        assert.ok(log.last.findings.some(({ rule }) => rule === 'CORE-19'));
      });

      test('a task is read and cancelled', async () => {
        const { agent, client } = await open.spoken(
          {
            GetTask: [{ answer: task('TASK_STATE_WORKING') }],
            CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
          },
          generation,
        );
        assert.deepEqual((await client.call('GetTask', { id: 't-1', historyLength: 3 })).result, task('TASK_STATE_WORKING'));
        assert.deepEqual((await client.call('CancelTask', { id: 't-1' })).result, task('TASK_STATE_CANCELED'));
        assert.deepEqual(
          agent.requests.slice(-2).map(({ params }) => params),
          [{ id: 't-1', historyLength: 3 }, { id: 't-1' }],
        );
      });

      test('an error is an error with its name', async () => {
        const { client, log } = await open.spoken(
          { GetTask: [{ error: { code: -32001, message: 'no such task', data: ['x'] } }] },
          generation,
        );
        await assert.rejects(client.call('GetTask', { id: 'x' }, { log }), error => {
          assert.ok(error instanceof A2AError);
          assert.ok(Array.isArray(error.data));
          assert.deepEqual([error.rpcCode, error.errorName, error.data.at(-1)], [-32001, 'TaskNotFoundError', 'x']);
          assert.ok(error.nextStep !== undefined);
          assert.equal(log.last.failure, error.message);
          return true;
        });
      });

      test('an error inside a stream comes after the events before it', async () => {
        const { client, log } = await open.spoken(
          {
            SendStreamingMessage: [...workSteps.slice(0, 2), { error: { code: -32603, message: 'broken' } }, ...workSteps.slice(2)],
          },
          generation,
        );
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go'), { log }));
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          work.slice(0, 2),
        );
        assert.ok(error instanceof A2AError && error.rpcCode === -32603);
        assert.match(log.last.failure ?? '', /broken/);
      });

      test('the headers say what is sent and what is wanted', async () => {
        const { agent, client } = await open.spoken(
          { SendMessage: [{ answer: { message: says('hi') } }], SendStreamingMessage: workSteps },
          generation,
        );
        await client.call('SendMessage', asks('hello'));
        await drain(client.stream('SendStreamingMessage', asks('hello')));
        const [, plain, streaming] = agent.requests;
        assert.equal(plain?.headers['content-type'], 'application/json');
        assert.equal(plain?.headers.accept, 'application/json');
        assert.match(streaming?.headers.accept ?? '', /^text\/event-stream/);
        assert.equal(plain?.headers['a2a-version'], generation === '1.0' ? '1.0' : undefined);
      });
    });
  }

  test("the wire form is the generation's own", async () => {
    const script = { SendMessage: [{ answer: { message: says('hi') } }] };
    const bodies = await Promise.all(
      ['1.0', '0.3'].map(async generation => {
        const { agent, client } = await open.spoken(script, generation);
        await client.call('SendMessage', { ...asks('hello'), configuration: { returnImmediately: true } });
        const { id, ...body } = JSON.parse(agent.requests.at(-1)!.body) as Record<string, unknown>;
        assert.equal(typeof id, 'string');
        return body;
      }),
    );
    assert.deepEqual(bodies, [
      {
        jsonrpc: '2.0',
        method: 'SendMessage',
        params: {
          message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] },
          configuration: { returnImmediately: true },
        },
      },
      {
        jsonrpc: '2.0',
        method: 'message/send',
        params: {
          message: { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
          configuration: { blocking: false },
        },
      },
    ]);
  });

  test('tasks are listed; in 0.3 that is tried, and its absence told as such', async () => {
    const page = { tasks: [task('TASK_STATE_WORKING')], nextPageToken: 'more', pageSize: 1, totalSize: 2 };
    const { agent, client } = await open.spoken({ ListTasks: [{ answer: page }] });
    assert.deepEqual((await client.call('ListTasks', { pageSize: 1, status: 'TASK_STATE_WORKING' })).result, page);
    assert.deepEqual(agent.requests.at(-1)?.params, { pageSize: 1, status: 'TASK_STATE_WORKING' });

    for (const generation of ['0.3', '0.2']) {
      for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
        const listing = await open.spoken({ ListTasks: [{ answer: { ...page, nextPageToken: '' } }] }, generation, { binding });
        const { result, findings } = await listing.client.call('ListTasks', {});
        assert.deepEqual([result.tasks.map(({ id, status: { state } }) => [id, state]), findings], [[['t-1', 'TASK_STATE_WORKING']], []]);
        const older = await open.spoken({}, generation, { binding });
        const asked = older.agent.requests.length;
        await assert.rejects(older.client.call('ListTasks', {}), {
          code: 'operation-not-in-version',
          message: `A2A ${generation} has no ListTasks.`,
        });
        assert.ok(older.agent.requests.length > asked);
      }
    }
    const first = await open.spoken({}, '0.1');
    const asked = first.agent.requests.length;
    await assert.rejects(first.client.call('ListTasks', {}), { code: 'operation-not-in-version' });
    assert.equal(first.agent.requests.length, asked);
  });

  test('an older answer than was asked for is read, and noted', async () => {
    const { client } = await open.spoken({
      SendMessage: ({ body }) => [
        {
          json: {
            jsonrpc: '2.0',
            id: (JSON.parse(body) as { id: string }).id,
            result: { kind: 'message', messageId: 'a-1', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
          },
        },
      ],
    });
    const { result, findings } = await client.call('SendMessage', asks('hello'));
    assert.deepEqual(result, { message: says('hi') });
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['VER-04'],
    );
  });

  test('a stream is read however its bytes are cut', async () => {
    const lines = work.map(event => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: event })}\r\n\r\n`).join('');
    const bytes = new TextEncoder().encode(`: hello\r\n\r\n${lines}`.trimEnd());
    const cuts = Array.from({ length: 40 }, (_, index) => Math.floor((index * bytes.length) / 40) + 1);
    const { client } = await open.spoken({
      *SendStreamingMessage({ params }) {
        const cut = Number(params?.message.parts.map(part => ('text' in part ? part.text : '')).join(''));
        yield { raw: bytes.subarray(0, cut) };
        yield { delay: 2 };
        yield { raw: bytes.subarray(cut) };
      },
    });
    await Promise.all(
      cuts.map(async cut => {
        const { items, error } = await drain(client.stream('SendStreamingMessage', asks(String(cut))));
        assert.equal(error, undefined);
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          work,
          `cut at ${cut} of ${bytes.length}`,
        );
      }),
    );
  });

  suite('connections that fail', () => {
    test('nobody there: the message never left', async () => {
      const { agent, client } = await open.spoken({});
      await agent.stop();
      await assert.rejects(client.call('SendMessage', asks('hello')), { code: 'unreachable', reached: 'no' });
      const { items, error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
      assert.deepEqual(items, []);
      assert.ok(error instanceof ConnectionProblem && error.reached === 'no');
    });

    for (const step of [{ reset: true }, { close: true }] as const) {
      test(`${Object.keys(step)[0]} before an answer: it may have arrived, and is not sent again`, async () => {
        const { agent, client } = await open.spoken({ SendMessage: [step], SendStreamingMessage: [step] });
        const before = agent.requests.length;
        await assert.rejects(client.call('SendMessage', asks('hello')), { code: 'connection-lost', reached: 'unknown' });
        const { error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
        assert.ok(error instanceof ConnectionProblem && error.reached === 'unknown');
        assert.equal(agent.requests.length - before, 2);
      });

      test(`${Object.keys(step)[0]} inside a stream: what came is kept`, async () => {
        const seen = Promise.withResolvers<void>();
        const { client } = await open.spoken({
          async *SendStreamingMessage() {
            yield { event: work[0]! };
            await seen.promise;
            yield step;
          },
        });
        const { items, error } = await drain(
          (async function* () {
            for await (const batch of client.stream('SendStreamingMessage', asks('hello'))) {
              yield batch;
              seen.resolve();
            }
          })(),
        );
        assert.deepEqual(
          items.flatMap(({ events }) => events),
          work.slice(0, 1),
        );
        assert.ok(error instanceof ConnectionProblem && error.code === 'connection-lost' && error.reached === 'yes', String(error));
      });
    }

    test('a silent stream is told from a broken one', async () => {
      const { client } = await open.spoken({ SendStreamingMessage: [{ raw: ': nothing\n\n' }] });
      const { error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
      assert.equal((error as { code: string }).code, 'empty-answer');
    });

    test('a stream may be silent for long; the caller says when to stop', async () => {
      const { agent, client, log } = await open.spoken({ SendStreamingMessage: [...workSteps.slice(0, 1), { stall: true }] });
      const controller = new AbortController();
      const events: StreamResponse[] = [];
      await assert.rejects(
        async () => {
          for await (const batch of client.stream('SendStreamingMessage', asks('hello'), { signal: controller.signal, log })) {
            events.push(...batch.events);
            controller.abort();
          }
        },
        { name: 'AbortError', code: 'cancelled', reached: 'yes' },
      );
      assert.deepEqual(events, work.slice(0, 1));
      const { signal } = agent.requests.at(-1)!;
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
      assert.equal(log.last.failure, 'Closed by the client.');
    });

    test('leaving the loop closes the connection', async () => {
      const { agent, client, log } = await open.spoken({ SendStreamingMessage: [...workSteps.slice(0, 1), { stall: true }] });
      for await (const batch of client.stream('SendStreamingMessage', asks('hello'), { log })) {
        assert.deepEqual(batch.events, work.slice(0, 1));
        break;
      }
      const { signal } = agent.requests.at(-1)!;
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
      assert.ok(log.last.endedAt !== undefined);
      assert.equal(log.last.failure, 'Closed by the client.');
    });

    test("the caller's time limit", async () => {
      const { client } = await open.spoken({ SendMessage: [{ stall: true }] });
      await assert.rejects(client.call('SendMessage', asks('hello'), { timeoutMs: 50 }), { code: 'timeout', reached: 'unknown' });
    });
  });

  suite('origins', () => {
    const elsewhere = (url: string): unknown => ({
      supportedInterfaces: [
        { url: url.replace('127.0.0.1', 'localhost').replace('http:', 'https:'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
    });

    test('an interface at an origin nobody approved is not spoken to', async () => {
      await assert.rejects(open.spoken({}, '1.0', { card: elsewhere, headers: { 'X-Company': 'abc' } }), (error: Problem) => {
        assert.equal(error.code, 'foreign-origin');
        assert.match(english(error.nextStep!), /with "Allow Address of Card" on the agent\./);
        assert.match(inTerminal(error.nextStep!), /with --allow-origin https:\/\/localhost:\d+\./);
        return true;
      });
    });

    test('without headers, another port of the same host is spoken to unasked', async () => {
      const target = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
      const card = (): unknown => ({ supportedInterfaces: [{ url: target.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] });
      const { client } = await open.spoken({}, '1.0', { card });
      await client.call('SendMessage', asks('hello'));
      await assert.rejects(open.spoken({}, '1.0', { card, headers: { 'X-Company': 'abc' } }), { code: 'foreign-origin' });
    });

    test('approved, it gets the request and the headers', async () => {
      const target = await open.agent({ SendMessage: [{ answer: { message: says('hi') } }] });
      const { client } = await open.spoken({}, '1.0', {
        card: () => ({ supportedInterfaces: [{ url: target.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] }),
        approvedOrigins: new Set([new URL(target.url).origin]),
        headers: { 'X-Company': 'abc' },
      });
      await client.call('SendMessage', asks('hello'));
      assert.equal(target.requests.at(-1)?.headers['x-company'], 'abc');
    });

    test('the names of this machine are one', async () => {
      const { client } = await open.spoken({ SendMessage: [{ answer: { message: says('hi') } }] }, '1.0', {
        card: url => ({
          supportedInterfaces: [{ url: url.replace('127.0.0.1', 'localhost'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        }),
      });
      assert.deepEqual((await client.call('SendMessage', asks('hello'))).result, { message: says('hi') });
    });
  });

  test('configured headers win over our own, and their values stay off the record, whatever they are called', async () => {
    const { agent, client, log } = await open.spoken({ SendMessage: [{ answer: { message: says('hi') } }] }, '1.0', {
      headers: { accept: 'application/json, */*', 'X-Company': 'hush', Authorization: 'Basic hush' },
    });
    await client.call('SendMessage', asks('hello'), { log });
    const { headers } = agent.requests.at(-1)!;
    assert.deepEqual([headers.accept, headers['x-company'], headers.authorization], ['application/json, */*', 'hush', 'Basic hush']);
    assert.ok(!JSON.stringify(log.told).includes('hush'));
  });

  test('the tenant of the interface is echoed unless the caller names one', async () => {
    const { agent, client } = await open.spoken({ SendMessage: [{ answer: { message: says('hi') } }] }, '1.0', {
      card: url => ({ supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' }] }),
    });
    await client.call('SendMessage', asks('hello'));
    await client.call('SendMessage', { ...asks('hello'), tenant: 'other' });
    assert.deepEqual(
      agent.requests.slice(-2).map(({ params }) => params?.tenant),
      ['acme', 'other'],
    );
  });

  test('the caller may name the exchange before it begins', async () => {
    const { client, log } = await open.spoken({ SendMessage: [{ answer: { message: says('hi') } }] });
    const { exchangeId } = await client.call('SendMessage', asks('hello'), { log, exchangeId: 'mine' });
    assert.deepEqual([exchangeId, log.last.id], ['mine', 'mine']);
  });

  suite('redirects of a POST', () => {
    for (const status of [307, 308]) {
      test(`${status} inside the origin is followed with the same body`, async () => {
        const { agent, client, log } = await open.spoken({
          SendMessage: ({ url }) => (url === '/' ? [{ status, headers: { location: '/moved/' } }] : [{ answer: { message: says('hi') } }]),
        });
        const { exchangeId } = await client.call('SendMessage', asks('hello'), { log, exchangeId: 'mine' });
        const [first, second] = agent.requests.slice(-2);
        assert.deepEqual([first?.url, second?.url, second?.method, second?.body], ['/', '/moved/', 'POST', first?.body]);
        assert.deepEqual(
          log.exchanges.map(({ id, response }) => [id, response?.status]),
          [
            ['mine', status],
            [exchangeId, 200],
          ],
        );
      });

      test(`${status} to another origin is told and not followed`, async () => {
        const other = await open.agent({});
        const { client } = await open.spoken({ SendMessage: [{ status, headers: { location: `${other.url}rpc` } }] }, '1.0', {
          headers: { Authorization: 'x' },
        });
        await assert.rejects(
          client.call('SendMessage', asks('hello')),
          (error: Error & { code?: string }) => error.code === 'redirected' && error.message.includes(`${other.url}rpc`),
        );
        assert.equal(other.requests.length, 0);
      });
    }

    test('302 would lose the message and is not followed', async () => {
      const { agent, client } = await open.spoken({ SendMessage: [{ status: 302, headers: { location: '/login' } }] });
      const before = agent.requests.length;
      await assert.rejects(client.call('SendMessage', asks('hello')), { code: 'redirected', message: /\/login/ });
      assert.equal(agent.requests.length - before, 1);
    });

    test('a circle ends', async () => {
      const { agent, client } = await open.spoken({ SendMessage: [{ status: 307, headers: { location: '/' } }] });
      const before = agent.requests.length;
      await assert.rejects(client.call('SendMessage', asks('hello')), { code: 'redirected' });
      assert.equal(agent.requests.length - before, 6);
    });
  });
});
