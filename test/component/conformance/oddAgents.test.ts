import * as assert from 'node:assert/strict';
import { english, inTerminal } from '../../../src/protocol/problem.ts';
import type { Script } from '../../../src/mock/script.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { RuleVerdict } from '../../../src/conformance/suite.ts';
import { checked, checkedAt } from '../../support/conformance/agent/checked.ts';
import {
  conformingAgent,
  prompts,
  type CheckedBinding,
  type ConformingOptions,
  type Kind,
} from '../../support/conformance/agent/conformingAgent.ts';
import { frontOf, type Before, type Passed } from '../../support/conformance/agent/front.ts';
import { answering, isForCard, otherwise, refusing } from '../../support/conformance/probeDecoy.ts';

const bad = ({ verdict }: RuleVerdict): boolean => verdict === 'fail' || verdict === 'warn';
const told = (verdicts: readonly RuleVerdict[]): string[] =>
  verdicts.map(({ rule, verdict, why }) => `${rule} ${verdict}: ${english(why)}`);

suite('agents that keep the rules in an odd way', () => {
  /** The verdicts on the agent behind something that answers in its place. */
  async function behind(before: Before, binding: CheckedBinding, more: Parameters<typeof checkedAt>[1] = {}, kind: Kind = 'bare') {
    const front = await frontOf(() => agent.url, before);
    const agent = await conformingAgent({
      version: '1.0',
      binding,
      kind,
      card: (card, { url }) => JSON.parse(JSON.stringify(card).replaceAll(url, front.url)) as Record<string, unknown>,
    });
    try {
      return await checkedAt(front.url, kind === 'full' ? { headers: { Authorization: 'Bearer right' }, ...more } : more);
    } finally {
      await front.stop();
      await agent.stop();
    }
  }
  const bindings: readonly CheckedBinding[] = ['JSONRPC', 'HTTP+JSON'];

  test('redirects within the origin are followed, those of the card too', async () => {
    for (const binding of bindings) {
      const verdicts = await behind(async (request, pass) => {
        if (request.url.startsWith('/moved/')) return pass({ url: request.url.slice('/moved'.length) });
        const status = request.method === 'GET' ? 308 : 307;
        return { status, headers: { location: `/moved${request.url}` }, body: '' };
      }, binding);
      assert.deepEqual(told(verdicts.filter(bad)), [], binding);
      for (const rule of ['CARD-02', 'CARD-07', 'CORE-11'] as const)
        assert.equal(verdicts.find(each => each.rule === rule)?.verdict, 'pass', `${binding} ${rule}`);
    }
  });

  test('an id is told as it was asked: a number as a number, and null where a request could not be read', async () => {
    const rules = new Set<RuleId>(['RPC-01', 'RPC-04', 'RPC-05']);
    const ids: Readonly<Record<string, (id: unknown, code: number) => unknown>> = {
      'as text': id => (typeof id === 'number' ? String(id) : id),
      'null in each error': () => null,
      'none in an error': (id, code) => (code === -32602 ? undefined : id),
      'null of what could not be read': (id, code) => (code === -32700 || code === -32600 ? null : id),
    };
    for (const [what, idOf] of Object.entries(ids)) {
      const verdicts = await behind(
        async (_request, pass) => {
          const answer = await pass();
          const { id, error, ...rest } = JSON.parse(answer?.body ?? '{}') as { id?: unknown; error?: { code: number } };
          return error === undefined ? answer : { ...answer!, body: JSON.stringify({ id: idOf(id, error.code), error, ...rest }) };
        },
        'JSONRPC',
        { rules },
      );
      const broken = verdicts.filter(bad).map(({ rule }) => rule);
      assert.deepEqual(broken, what === 'null of what could not be read' ? [] : ['RPC-01'], what);
    }
  });

  test('what has to be refused is sent once more where its connection is lost, each request by itself', async () => {
    const rules = new Set<RuleId>(['RPC-05']);
    for (const [lost, wanted] of [
      [[3], 'pass'],
      [[1, 4], 'pass'],
      [[3, 4], 'fail'],
    ] as const) {
      let count = 0;
      const [verdict] = await behind(
        async (request, pass) => {
          if (!request.url.startsWith('/.well-known/') && (lost as readonly number[]).includes(++count))
            throw new Error('The connection is lost.');
          return pass();
        },
        'JSONRPC',
        { rules },
      );
      assert.equal(verdict?.verdict, wanted, `${lost.join()}: ${english(verdict!.why)}`);
    }
  });

  test('a redirect to another origin is not followed and decides nothing', async () => {
    const verdicts = await behind(
      async (request, pass) =>
        request.url.startsWith('/.well-known/')
          ? pass()
          : { status: 307, headers: { location: `http://elsewhere.example${request.url}` }, body: '' },
      'HTTP+JSON',
    );
    assert.deepEqual(told(verdicts.filter(bad)), []);
    const core = verdicts.find(({ rule }) => rule === 'CORE-11')!;
    assert.equal(core.verdict, 'inconclusive');
    assert.match(english(core.why), /redirects this request to http:\/\/elsewhere\.example[^ ]* \(HTTP 307\)/);
  });

  test('an agent that answers every task it does not know with an error of its own is not taken to look at the version', async () => {
    const verdicts = await behind(async (request, pass) => {
      const { id, method } = JSON.parse(request.body || '{}') as { readonly id?: unknown; readonly method?: string };
      if (method !== 'GetTask') return pass();
      const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no such task' } });
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    }, 'JSONRPC');
    const version = verdicts.find(({ rule }) => rule === 'VER-02')!;
    assert.equal(version.verdict, 'inconclusive', english(version.why));
  });

  const busy: readonly Passed[] = [
    { status: 429, headers: { 'retry-after': '0', 'content-type': 'text/plain' }, body: 'slow down' },
    { status: 503, headers: { 'content-type': 'application/json' }, body: '{"message":"busy"}' },
  ];
  test('an agent that limits how much is asked is not accused for that', async () => {
    for (const binding of bindings)
      for (const lucky of [0, 1]) {
        let count = 0;
        const verdicts = await behind(
          async (request, pass) => (request.url.startsWith('/.well-known/') || ++count % 2 === lucky ? pass() : busy[(count % 4) >> 1]),
          binding,
          { allowWork: false },
        );
        assert.deepEqual(told(verdicts.filter(bad)), [], `${binding} ${lucky}`);
      }
  });

  test('an agent that asks to come later is asked once more after that time, unless it is too long', async () => {
    const after = async (later: string): Promise<{ verdict: string | undefined; waits: number[]; count: number }> => {
      let count = 0;
      const [waits, slept]: [number[], number[]] = [[], []];
      const verdicts = await behind(
        async (request, pass) =>
          request.method === 'POST' && ++count === 1 ? { status: 429, headers: { 'retry-after': later }, body: 'slow down' } : pass(),
        'JSONRPC',
        {
          rules: new Set<RuleId>(['CORE-11']),
          onProgress: ({ waitMs }) => waitMs !== undefined && waits.push(waitMs),
          sleep: async ms => void slept.push(ms),
        },
      );
      assert.deepEqual(slept, waits);
      return { verdict: verdicts.find(({ rule }) => rule === 'CORE-11')?.verdict, waits, count };
    };
    assert.deepEqual(await after('1'), { verdict: 'pass', waits: [1000], count: 2 });
    const long = await after('60');
    assert.deepEqual([long.verdict, long.waits], ['inconclusive', []]);
    const date = await after(new Date(Date.now() + 9_000).toUTCString());
    assert.deepEqual([date.verdict, date.waits.length], ['pass', 1]);
    // Of a date no fraction of a second is told, and some time passes until it is read.
    assert.ok(date.waits[0]! <= 9_000, String(date.waits));
  });

  test('one that asks for credentials decides nothing, and it is said how to give them', async () => {
    for (const binding of bindings) {
      const verdicts = await checked({ version: '1.0', binding, kind: 'full' }, { headers: {}, allowWork: false });
      const one = verdicts.find(({ rule }) => rule === 'CORE-11')!;
      assert.equal(one.verdict, 'inconclusive');
      assert.equal(english(one.why), 'It asks for credentials (HTTP 401). Sign in at the agent first.');
      assert.match(inTerminal(one.why), /"a2a auth login", or give those that it accepts with --header/);
      for (const rule of ['VER-02', 'VER-03', 'CORE-08', 'DATA-05'] as const)
        assert.notEqual(verdicts.find(each => each.rule === rule)?.verdict, 'pass', `${binding} ${rule}`);
    }
  });

  test('credentials that end in the middle of a check are not the refusal of a subscription that a rule wants', async () => {
    const expired: readonly Passed[] = [
      { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, body: '' },
      { status: 401, headers: { 'www-authenticate': 'Bearer', 'content-type': 'application/json' }, body: '{"error":"expired"}' },
      { status: 401, headers: { 'www-authenticate': 'Bearer', 'content-type': 'text/event-stream' }, body: '' },
      // Servers take -32001 for it, too, which is the code of a task that is unknown.
      ...[-32001, -32004].map(code => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: 'Unauthorized' } }),
      })),
    ];
    for (const binding of bindings)
      for (const kind of ['bare', 'full'] as const)
        for (const answer of expired) {
          const rule = kind === 'bare' ? 'STRM-01' : 'STRM-06';
          const isSubscription = ({ url, body }: { url: string; body: string }): boolean =>
            url.endsWith(':subscribe') || body.includes('"SubscribeToTask"');
          const verdicts = await behind(
            async (request, pass) => (isSubscription(request) ? answer : pass()),
            binding,
            { rules: new Set([rule]), prompts },
            kind,
          );
          const said = verdicts.filter(each => each.rule === rule);
          assert.deepEqual(
            said.map(({ verdict }) => verdict),
            ['inconclusive'],
            `${binding} ${answer.status}: ${told(said).join()}`,
          );
        }
  });

  test('an agent that has nothing at its address is not accused of lacking streams alone', async () => {
    for (const status of [404, 405])
      for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
        const verdicts = await behind(
          async (request, pass) => (isForCard(request) ? pass() : { status, headers: {}, body: '' }),
          binding,
          { rules: new Set(['STRM-01']) },
          'full',
        );
        assert.deepEqual(
          verdicts.map(({ rule, verdict }) => [rule, verdict]),
          [['STRM-01', 'inconclusive']],
          `${binding} ${status}: ${told(verdicts).join()}`,
        );
      }
  });

  const odd: readonly { readonly what: string; readonly rules: readonly RuleId[]; readonly script: ConformingOptions['script'] }[] = [
    {
      what: 'answers that are large',
      rules: ['CORE-01', 'CORE-05', 'CORE-06', 'CORE-12', 'STRM-02'],
      script: answering('SendMessage', ({ task }) => ({ task: { ...task, metadata: { large: 'x'.repeat(600_000) } } })),
    },
    {
      what: 'a subscriber who comes later, and lacks what the task already was',
      rules: ['STRM-05'],
      script: right => {
        const counts = new Map<string, number>();
        return otherwise('SubscribeToTask', async function* (request, does) {
          const count = (counts.get(request.params.id) ?? 0) + 1;
          counts.set(request.params.id, count);
          for await (const step of does(request)) {
            if (count !== 2 || !('event' in step) || !('task' in step.event)) {
              yield step;
              continue;
            }
            const { task } = step.event;
            yield { event: { task: { ...task, status: { ...task.status, state: 'TASK_STATE_SUBMITTED' } } } };
            yield { event: { statusUpdate: { taskId: task.id, contextId: task.contextId ?? '', status: task.status } } };
          }
        })(right);
      },
    },
    {
      what: 'a task that is told as it begins, and whose notifications tell the rest',
      rules: ['PUSH-07'],
      script: answering('SendMessage', ({ task }) => ({ task: { ...task, status: { ...task.status, state: 'TASK_STATE_SUBMITTED' } } })),
    },
  ];
  test('connections that break do not end the check, and decide nothing', async () => {
    for (const every of [3, 4, 5, 6, 7]) {
      let count = 0;
      const verdicts = await behind(
        async (request, pass) => {
          if (request.url.startsWith('/.well-known/') || ++count % every !== 0) return pass();
          throw new Error('breaks off');
        },
        'JSONRPC',
        { prompts },
        'full',
      );
      assert.deepEqual(told(verdicts.filter(bad)), [], `each ${every}`);
    }
  });

  for (const raw of ['', ': here\n\n', '{"result":{}}\n{"result":{}}\n', 'data: {"result"\n\n', 'Hello'])
    test(`a stream of ${JSON.stringify(raw)} has no event that shows whether rules about events are kept`, async () => {
      const script = otherwise('SendStreamingMessage', () => [
        { status: 200, headers: { 'content-type': 'text/event-stream' } },
        ...(raw === '' ? [] : [{ raw }]),
      ]);
      const rules = ['DATA-06', 'STRM-02', 'STRM-03', 'STRM-04', 'STRM-07'] as const;
      const verdicts = await checked({ version: '1.0', binding: 'JSONRPC', kind: 'full', script }, { rules: new Set<RuleId>(rules) });
      assert.deepEqual(
        verdicts.filter(({ verdict, rule }) => verdict !== 'inconclusive' && rules.includes(rule as 'STRM-02')).map(({ rule }) => rule),
        [],
        told(verdicts).join('; '),
      );
    });

  test('a byte order mark before a body changes nothing', async () => {
    const verdicts = await behind(async (_request, pass) => {
      const answer = await pass();
      return answer?.body === '' ? answer : answer && { ...answer, body: `\uFEFF${answer.body}` };
    }, 'JSONRPC');
    assert.deepEqual(told(verdicts.filter(bad)), []);
  });

  test('an agent without contexts is not accused of keeping them to itself', async () => {
    const without = (operation: 'SendMessage' | 'GetTask') =>
      answering(operation, answer =>
        operation === 'SendMessage' ? { task: { ...answer.task, contextId: undefined } } : { ...answer, contextId: undefined },
      );
    for (const [verdict, script] of [
      ['disputed', (right: Script): Script => ({ ...right, ...without('SendMessage')(right), ...without('GetTask')(right) })],
      ['fail', without('SendMessage')],
    ] as const) {
      const verdicts = await checked(
        { version: '1.0', binding: 'JSONRPC', kind: 'full', script },
        { rules: new Set(['CORE-05', 'CORE-08']) },
      );
      assert.deepEqual(
        verdicts.map(each => [each.rule, each.verdict]),
        [
          ['CORE-05', verdict],
          ['CORE-08', 'disputed'],
        ],
      );
    }
  });

  test('an agent that closes one connection still fails for the method that it lacks', async () => {
    const [verdict] = await behind(
      async (request, pass) => {
        if (request.body.includes('"GetTask"')) throw new Error('The agent fell over.');
        const { id } = JSON.parse(request.body || '{}') as { id?: unknown };
        if (!request.body.includes('"ListTasks"')) return pass();
        const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } });
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
      'JSONRPC',
      { rules: new Set(['CORE-18']) },
    );
    assert.equal(verdict?.verdict, 'fail');
    assert.match(english(verdict.why), /should support the method ListTasks/);
  });

  test('one that takes any API key breaks AUTH-01: the wrong one is sent where the card has it', async () => {
    const [verdict] = await behind(
      async (request, pass) => {
        if (request.method === 'GET') {
          const answer = await pass();
          const secured = {
            securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
            securityRequirements: [{ schemes: { key: { list: [] } } }],
          };
          return { ...answer!, body: JSON.stringify({ ...(JSON.parse(answer!.body) as object), ...secured }) };
        }
        return request.headers['x-key'] === undefined ? { status: 401, headers: {}, body: '' } : pass();
      },
      'JSONRPC',
      { rules: new Set(['AUTH-01']) },
    );
    assert.equal(verdict?.verdict, 'fail', verdict && english(verdict.why));
    assert.match(english(verdict.why), /for wrong credentials/);
  });

  test('what is said of methods has the names that they have in the version', async () => {
    const rules = new Set<RuleId>(['CORE-18', 'STRM-01']);
    const names = {
      '1.0': ['SendMessage', 'GetTask', 'CancelTask', 'SendStreamingMessage'],
      '0.3': ['message/send', 'tasks/get', 'tasks/cancel', 'message/stream'],
    };
    for (const version of ['1.0', '0.3'] as const) {
      const [send, get, cancel, stream] = names[version];
      for (const script of [undefined, refusing('SendStreamingMessage', -32601)]) {
        const told = await checked({ version, binding: 'JSONRPC', kind: 'full', script }, { rules });
        assert.deepEqual(
          told.map(({ why }) => english(why)),
          [
            `It has ${send}, ${get} and ${cancel}.`,
            script === undefined
              ? `The agent has the method ${stream}.`
              : `The card promises streaming, but ${stream} was answered with MethodNotFoundError -32601 (HTTP 200).`,
          ],
        );
      }
    }
  });

  test('a rule of which a part could not be asked is not kept by the others', async () => {
    const verdicts = await checked(
      { version: '1.0', binding: 'JSONRPC', kind: 'full' },
      { rules: new Set(['CORE-15']), prompts: { task: prompts['input-required'] } },
    );
    assert.deepEqual(told(verdicts), ['CORE-15 inconclusive: The task is in TASK_STATE_INPUT_REQUIRED; the check needs a finished one.']);
  });

  test('one that takes a message to an unknown task is told that it started a task', async () => {
    const script = otherwise('SendMessage', (request, does) => {
      const { taskId: _, ...message } = request.params.message;
      return does({ ...request, params: { ...request.params, message } });
    });
    const verdicts = await checked({ version: '1.0', binding: 'JSONRPC', kind: 'full', script }, { rules: new Set(['CORE-03']) });
    assert.match(told(verdicts).join(), /CORE-03 fail: It answered a result \(HTTP 200\) and started a task; it should answer/);
  });

  test('an agent that forgets a task once it is over is not asked about that', async () => {
    const forgets = otherwise('GetTask', () => [{ error: { code: -32001, message: 'Task not found' } }]);
    const verdicts = await checked(
      { version: '1.0', binding: 'JSONRPC', kind: 'full', script: forgets },
      { rules: new Set(['CORE-02', 'CORE-15', 'STRM-06']) },
    );
    assert.deepEqual(told(verdicts.filter(bad)), []);
    assert.equal(verdicts.find(({ rule }) => rule === 'CORE-02')?.verdict, 'inconclusive');
  });

  for (const { what, rules, script } of odd)
    test(`${what} break no rule`, async () => {
      const verdicts = await checked({ version: '1.0', binding: 'HTTP+JSON', kind: 'full', script }, { rules: new Set(rules) });
      assert.deepEqual(told(verdicts.filter(bad)), []);
      for (const rule of rules) assert.equal(verdicts.find(each => each.rule === rule)?.verdict, 'pass', rule);
    });
});
