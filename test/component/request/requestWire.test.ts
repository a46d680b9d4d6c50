import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script } from '../../../src/mock/script.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import { operations } from '../../../src/protocol/message/operations.ts';
import { textOf } from '../../../src/protocol/message/part.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { requestFileText } from '../../../src/request/import/requestJson.ts';
import { requestsOfSkills } from '../../../src/request/import/skills.ts';
import type { RequestFile } from '../../../src/request/file/requestFile.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { english } from '../../../src/protocol/problem.ts';
import { responseText } from '../../../src/workbench/requests/response/text.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';

const fail = (error: unknown): void =>
  queueMicrotask(() => {
    throw error;
  });

/** The whole of the product below the workbench: requests through model, client and history to an agent on loopback. */
suite('requests over the wire', () => {
  let folder: string;
  let http: Http;
  let agents: Agents;
  let contexts: AgentContexts;
  let runs: RequestRuns;
  let closeStore: () => void;

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-requests-'));
    http = new Http({ loadObserver });
    agents = new Agents({ http, onError: fail });
    const store = openStore(join(folder, 'history.db'));
    closeStore = () => store.close();
    contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    runs = new RequestRuns({ agents, contexts }, fail);
  });

  teardown(async () => {
    runs.dispose();
    contexts.dispose();
    agents.dispose();
    closeStore();
    await http.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const send = async (file: RequestFile, key: string): Promise<RequestRun> => {
    const run = runs.send(file.requests.find(entry => entry.key === key)!, file);
    await run.done;
    return run;
  };

  const withAgent = async (
    generation: string,
    script: Script,
    test: (url: string, bodies: () => Record<string, unknown>[], requests: ReturnType<typeof scriptedAgent>['requests']) => Promise<void>,
    binding: 'JSONRPC' | 'HTTP+JSON' = 'JSONRPC',
  ): Promise<void> => {
    const agent = scriptedAgent({ version: generation, script, binding, onError: fail });
    await agent.start();
    try {
      await test(
        agent.url,
        () => agent.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Record<string, unknown>),
        agent.requests,
      );
    } finally {
      await agent.stop();
    }
  };

  const done = (id: string, contextId = 'c'): Task => ({ id, contextId, status: { state: 'TASK_STATE_COMPLETED' } });

  suite('an agent that says what it says otherwise than in its stream', () => {
    const asked = (requests: readonly { readonly operation: string | undefined }[]): string =>
      requests.map(({ operation }) => operation ?? '?').join(' ');
    const working = { ...done('t'), status: { state: 'TASK_STATE_WORKING' } } as const;
    const says = (messageId: string, role: Message['role'] = 'ROLE_AGENT'): Message => ({ messageId, role, parts: [{ text: messageId }] });
    const subscribe = { name: 'x', method: 'SubscribeToTask', params: { id: 't' }, timeoutMs: 1_500 };
    const message = { name: 'x', message: 'Go', timeoutMs: 1_500 };
    /** The tasks that GetTask answers, in turn; the last one from then on. */
    const told = (...tasks: readonly Task[]) => {
      let count = 0;
      return () => [{ answer: tasks[Math.min(count++, tasks.length - 1)]! }];
    };
    const outcomeOf = async (script: Script, request: object, generation = '1.0') => {
      let outcome: RequestRun['outcome'];
      let operations = '';
      await withAgent(generation, script, async (url, _bodies, requests) => {
        outcome = (await send(readRequestFile(JSON.stringify({ agent: url, requests: [request] })), 'x')).outcome;
        operations = asked(requests.filter(({ method }) => method === 'POST'));
      });
      return { outcome: outcome!, operations };
    };

    test('a silent subscription to a task that is over by then is not late', async () => {
      const { outcome, operations } = await outcomeOf(
        {
          SubscribeToTask: [{ event: { task: working } }, { stall: true }],
          GetTask: told(working, { ...done('t'), history: [says('all')] }),
        },
        subscribe,
      );
      assert.equal(outcome.problem, undefined);
      assert.deepEqual([outcome.task?.status.state, outcome.task?.history?.[0]?.messageId], ['TASK_STATE_COMPLETED', 'all']);
      assert.equal(operations, 'GetTask SubscribeToTask GetTask');
    });

    test('a silent subscription to a task that goes on is late; the agent is asked once more, and nothing is canceled', async () => {
      const { outcome, operations } = await outcomeOf(
        {
          SubscribeToTask: [{ event: { task: working } }, { stall: true }],
          GetTask: told(working, { ...working, history: [says('news')] }),
        },
        subscribe,
      );
      assert.equal(outcome.problem?.code, 'time-limit');
      assert.equal(outcome.task?.history?.[0]?.messageId, 'news');
      assert.equal(operations, 'GetTask SubscribeToTask GetTask');
    });

    test('a silent stream of a message whose task waits by then is not late, and the task is not canceled', async () => {
      const { outcome, operations } = await outcomeOf(
        {
          SendStreamingMessage: [{ event: { task: working } }, { stall: true }],
          GetTask: told({ ...working, status: { state: 'TASK_STATE_INPUT_REQUIRED', message: says('Which?') } }),
        },
        message,
      );
      assert.deepEqual([outcome.problem, outcome.task?.status.state], [undefined, 'TASK_STATE_INPUT_REQUIRED']);
      assert.equal(operations, 'SendStreamingMessage GetTask');
    });

    test('a message whose task goes on is late: it is asked about, then canceled', async () => {
      const { outcome, operations } = await outcomeOf(
        {
          SendStreamingMessage: [{ event: { task: working } }, { stall: true }],
          GetTask: told(working),
          CancelTask: [{ answer: { ...working, status: { state: 'TASK_STATE_CANCELED' } } }],
        },
        message,
      );
      assert.equal(outcome.problem?.code, 'time-limit');
      assert.equal(operations, 'SendStreamingMessage GetTask CancelTask');
    });

    const completed: Script['SendStreamingMessage'] = [
      { event: { task: { ...working, history: [{ ...says('mute'), parts: [{ data: 1 }] }] } } },
      { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
    ];
    test('an answer in the history alone is asked for with a length, without which agents of 0.3 send none', async () => {
      const { outcome } = await outcomeOf(
        {
          SendStreamingMessage: completed,
          GetTask: ({ params }) => [{ answer: { ...done('t'), ...(params?.historyLength !== undefined && { history: [says('kept')] }) } }],
        },
        { ...message, expect: { text: 'kept' } },
        '0.3',
      );
      assert.deepEqual(
        outcome.expectations?.map(({ ok }) => ok),
        [true],
      );
    });

    test('an agent that keeps no history takes away none', async () => {
      const { outcome } = await outcomeOf(
        { SendStreamingMessage: completed, GetTask: told(done('t')) },
        { ...message, expect: { text: 'nothing' } },
      );
      assert.equal(outcome.task?.history?.at(-1)?.messageId, 'mute');
    });

    test('what was said before the message is no answer to it', async () => {
      const { outcome } = await outcomeOf(
        {
          SendStreamingMessage: ({ params }) => [
            { event: { task: { ...working, history: [says('Hi', 'ROLE_USER'), says('old'), params!.message] } } },
            { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING', message: says('new') } } } },
            { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
          ],
        },
        { name: 'x', params: { message: { taskId: 't', parts: [{ text: 'Go' }] } }, expect: { text: { equals: 'new' } } },
      );
      assert.deepEqual(
        outcome.expectations?.map(({ ok }) => ok),
        [true],
      );
    });
  });

  test("what goes over the wire is what the file says, with the generation's own words", async () => {
    let count = 0;
    const script: Script = {
      SendStreamingMessage: () => [{ event: { task: done(`t${++count}`) } }],
      GetTask: ({ params }) => [{ answer: done(params!.id) }],
    };
    await withAgent('0.3', script, async (url, bodies) => {
      const file = readRequestFile(
        JSON.stringify({
          agent: url,
          variables: { color: 'red' },
          requests: [
            { name: 'draw', message: 'A boat' },
            {
              name: 'refine',
              after: 'draw',
              params: { message: { messageId: 'mine', parts: [{ text: '{{color}}' }], metadata: { k: 1 } }, metadata: { r: 2 } },
            },
            { name: 'look', method: 'tasks/get', params: { id: '{{refine.task.id}}', historyLength: 3 } },
          ],
        }),
      );
      const look = await send(file, 'look');
      assert.equal(look.outcome?.problem, undefined);
      const [draw, refine, get] = bodies();
      assert.equal(draw?.['method'], 'message/stream');
      const first = (draw?.['params'] as { message: Record<string, unknown> }).message;
      assert.deepEqual(
        { ...first, messageId: 'made' },
        { messageId: 'made', kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'A boat' }] },
      );
      assert.deepEqual(refine?.['params'], {
        message: {
          messageId: 'mine',
          kind: 'message',
          role: 'user',
          parts: [{ kind: 'text', text: 'red' }],
          contextId: 'c',
          referenceTaskIds: ['t1'],
          metadata: { k: 1 },
        },
        metadata: { r: 2 },
      });
      assert.deepEqual(get?.['params'], { id: 't2', historyLength: 3 });
      assert.equal(look.outcome?.task?.id, 't2');
    });
  });

  test('results of rows, captured values, and parameters with keys of their own', async () => {
    let count = 0;
    const script: Script = {
      SendStreamingMessage: () => [{ event: { task: done(`t${++count}`) } }],
      GetTask: ({ params }) => [{ answer: done(params!.id) }],
    };
    await withAgent('1.0', script, async (url, bodies, requests) => {
      const file = readRequestFile(
        JSON.stringify({
          agent: url,
          requests: [
            { name: 'draw', message: '{{n}}', each: [{ n: 'a' }, { n: 'b' }], capture: { drawn: 'task.id' } },
            { name: 'one', message: ['x', { lines: ['{{draw[1].task.id}}', '{{drawn[0]}}'] }], capture: { single: 'task.id' } },
            {
              name: 'last',
              message: '{{single}}',
              metadata: { from: '{{single}}' },
              configuration: { acceptedOutputModes: ['text/plain'] },
              tenant: 'boats',
              extensions: ['https://x.example/ext'],
            },
            { name: 'look', method: 'GetTask', params: { id: '{{single}}' }, tenant: 'boats' },
          ],
        }),
      );
      assert.deepEqual(file.problems, []);
      const last = await send(file, 'last');
      assert.equal(last.outcome?.problem, undefined, last.outcome?.problem?.message);
      assert.equal((await send(file, 'look')).outcome?.task?.id, 't3');
      const sent = bodies().map(({ params }) => params as { message: { parts: readonly unknown[] } });
      assert.deepEqual(
        sent.slice(0, 3).map(({ message }) => message.parts),
        [[{ text: 'a' }], [{ text: 'b' }], [{ text: 'x' }, { text: 't2\nt1' }]],
      );
      const { message, ...others } = sent[3]!;
      assert.deepEqual(message.parts, [{ text: 't3' }]);
      assert.deepEqual((message as { extensions?: unknown }).extensions, ['https://x.example/ext']);
      assert.deepEqual(others, { metadata: { from: 't3' }, configuration: { acceptedOutputModes: ['text/plain'] }, tenant: 'boats' });
      assert.deepEqual(sent[4], { id: 't3', tenant: 'boats' });
      assert.deepEqual(
        requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['a2a-extensions']),
        [undefined, undefined, undefined, 'https://x.example/ext', undefined],
      );
    });
  });

  test('every operation can be refused: by name, code, HTTP status and headers', async () => {
    const params: Readonly<Record<string, object>> = {
      SendMessage: { message: { parts: [{ text: 'x' }] } },
      SendStreamingMessage: { message: { parts: [{ text: 'x' }] } },
      GetTask: { id: 't' },
      ListTasks: { pageSize: 2, pageToken: 'p' },
      CancelTask: { id: 't' },
      SubscribeToTask: { id: 't' },
      CreateTaskPushNotificationConfig: { taskId: 't', url: 'https://x.example/' },
      GetTaskPushNotificationConfig: { taskId: 't', id: 'c' },
      ListTaskPushNotificationConfigs: { taskId: 't' },
      DeleteTaskPushNotificationConfig: { taskId: 't', id: 'c' },
    };
    assert.deepEqual(Object.keys(params).sort(), [...operations].sort());
    const script = Object.fromEntries(operations.map(one => [one, [{ error: { code: -32001, message: 'no such task' } }]])) as Script;
    const gone = Object.fromEntries(
      operations.map(one => [one, [{ status: 410, headers: { 'X-Why': 'moved away' } }, { raw: 'gone' }]]),
    ) as Script;
    const judged = async (url: string, expect: object, tried = operations): Promise<readonly (readonly [name: string, ok: boolean])[]> => {
      const file = readRequestFile(
        JSON.stringify({ agent: url, requests: tried.map(method => ({ name: method, method, params: params[method], expect })) }),
      );
      assert.deepEqual(
        file.problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      const outcomes = await new RequestRuns({ agents, contexts }, fail).sendAll(file);
      return outcomes.map((outcome, index) => [tried[index]!, outcome.expectations?.every(({ ok }) => ok) === true]);
    };
    const all = (ok: boolean, tried = operations) => tried.map(one => [one, ok]);
    // A subscription that no answer of A2A ends is tried again, as after a cut.
    const final = operations.filter(one => one !== 'SubscribeToTask');
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      await withAgent(
        '1.0',
        script,
        async url => {
          assert.deepEqual(await judged(url, { error: 'TaskNotFoundError' }), all(true), binding);
          assert.deepEqual(await judged(url, { error: 'TaskNotCancelableError' }), all(false), binding);
          if (binding === 'JSONRPC') assert.deepEqual(await judged(url, { error: -32001 }), all(true));
          else assert.deepEqual(await judged(url, { status: 404, error: 'TaskNotFoundError' }), all(true));
        },
        binding,
      );
      await withAgent(
        '1.0',
        gone,
        async url => {
          assert.deepEqual(
            await judged(url, { status: [404, 410], headers: { 'x-why': { contains: 'moved' } } }, final),
            all(true, final),
            binding,
          );
          assert.deepEqual(await judged(url, { status: 404 }, final), all(false, final), binding);
          assert.deepEqual(await judged(url, { status: 410, headers: { 'x-why': 'moved' } }, final), all(false, final), binding);
        },
        binding,
      );
    }
  });

  test('a raw body reaches the agent byte for byte, and its answer is in the history', async () => {
    await withAgent(
      '1.0',
      {
        SendStreamingMessage: [
          { event: { task: { ...done('t'), status: { state: 'TASK_STATE_WORKING' } } } },
          { event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } } },
          { event: { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'late' }] } } } },
        ],
      },
      async url => {
        const agent = agents.find(url);
        const text =
          '{ "jsonrpc": "2.0", "id": 7.0, "method": "SendStreamingMessage",\n "params": {"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}} }';
        const file = readRequestFile(text);
        const run = runs.send(file.requests[0]!, file, { agent: agent.name });
        const outcome = await run.done;
        assert.equal(outcome.problem, undefined);
        assert.equal(outcome.task?.status.state, 'TASK_STATE_COMPLETED');
        assert.deepEqual(
          outcome.findings?.map(({ rule, frame }) => [rule, frame]),
          [['STRM-03', 2]],
        );
        assert.equal(contexts.exchange(outcome.exchangeIds[0]!)?.exchange.request.body, text);
        assert.equal(contexts.get(run.contextKey!)?.task('t')?.status.state, 'TASK_STATE_COMPLETED');
      },
    );
  });

  test('expectations see the way of the task and every departure from the protocol', async () => {
    const step = (state: Task['status']['state']) => ({ event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state } } } });
    const script: Script = {
      SendStreamingMessage: [
        { event: { task: { ...done('t'), status: { state: 'TASK_STATE_SUBMITTED' } } } },
        step('TASK_STATE_WORKING'),
        step('TASK_STATE_WORKING'),
        { raw: 'data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_COMPLETED"}}}}\n\n' },
      ],
    };
    await withAgent('1.0', script, async url => {
      const expect = { states: ['submitted', 'working', 'completed'], findings: [], totalMs: 20_000 };
      const run = await send(readRequestFile(JSON.stringify({ agent: url, name: 'a', message: 'x', expect })), 'a');
      assert.deepEqual(
        run.outcome?.expectations?.map(({ kind, ok }) => [kind, ok]),
        [
          ['states', true],
          ['totalMs', true],
          ['findings', false],
        ],
      );
      assert.match(run.outcome?.expectations?.at(-1)?.actual ?? '', /contextId/);
    });
  });

  test('what deviates is in the response, with rule, section, place and exchange', async () => {
    const done = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' as const } };
    const late = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'late' }] } };
    await withAgent('1.0', { SendStreamingMessage: [{ event: { task: done } }, { event: { artifactUpdate: late } }] }, async url => {
      const file = readRequestFile(JSON.stringify({ requests: [{ name: 'a', agent: url, message: 'x' }] }));
      const run = await send(file, 'a');
      const response = JSON.parse(
        responseText('a', run, {
          exchange: id => contexts.exchange(id),
          explain: problem => ({ message: problem.message }),
          translate: english,
        }),
      ) as { findings: object[] };
      assert.deepEqual(response.findings, [
        {
          rule: 'STRM-03',
          level: 'MUST',
          section: '3.1.2',
          title: 'Nothing follows a terminal state',
          pointer: '',
          message: 'An event arrived after the task was completed; it was not applied.',
          exchange: 0,
        },
      ]);
    });
  });

  test('an error of the agent is the outcome, with its exchange; a dead port has its own', async () => {
    await withAgent('1.0', { SendStreamingMessage: [{ error: { code: -32004, message: 'No boats today' } }] }, async url => {
      const file = readRequestFile(
        JSON.stringify({
          requests: [
            { name: 'a', agent: url, message: 'x' },
            { name: 'b', agent: 'http://127.0.0.1:9', message: 'x' },
          ],
        }),
      );
      const run = await send(file, 'a');
      assert.match(run.outcome?.problem?.message ?? '', /No boats today/);
      assert.equal(run.outcome?.exchangeIds.length, 1);
      const response = JSON.parse(
        responseText('a', run, {
          exchange: id => contexts.exchange(id),
          explain: problem => ({ message: problem.message }),
          translate: english,
        }),
      ) as {
        problem: { message: string };
        exchanges: { request: { body: { method: string } }; response: { status: number } }[];
      };
      assert.match(response.problem.message, /No boats today/);
      assert.equal(response.exchanges[0]?.request.body.method, 'SendStreamingMessage');
      assert.match((await send(file, 'b')).outcome?.problem?.message ?? '', /127\.0\.0\.1:9/);
    });
  });

  test('a listing leaves nothing but its exchange, and what it tells goes where the task is', async () => {
    const script: Script = {
      SendStreamingMessage: [{ event: { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } } }],
      ListTasks: [{ answer: { tasks: [done('u', 'd'), done('t')], nextPageToken: '', pageSize: 2, totalSize: 2 } }],
      GetTask: [{ error: { code: -32001, message: 'Which?' } }],
    };
    await withAgent('1.0', script, async url => {
      const file = readRequestFile(
        JSON.stringify({
          agent: url,
          requests: [
            { name: 'a', message: 'x' },
            { name: 'list', method: 'ListTasks' },
            { name: 'gone', method: 'GetTask', params: { id: 'v' } },
          ],
        }),
      );
      const a = await send(file, 'a');
      for (const key of ['list', 'gone']) {
        const run = await send(file, key);
        assert.equal(run.contextKey, undefined);
        assert.deepEqual(
          run.outcome?.exchangeIds.map(id => contexts.exchange(id)?.exchange.response?.status),
          [200],
          `${key} has its exchange, whatever came of it`,
        );
      }
      assert.deepEqual(
        contexts.page({ agent: agents.find(url).name }).items.map(({ key }) => key),
        [a.contextKey],
      );
      assert.equal(contexts.get(a.contextKey!)?.task('t')?.status.state, 'TASK_STATE_COMPLETED');
      assert.equal(contexts.forTask(agents.find(url).name, 'u'), undefined);
      const [exchangeId] = runs.get('list')!.outcome!.exchangeIds;
      assert.equal(contexts.exchange(exchangeId!)?.exchange.operation, 'ListTasks');
    });
  });

  test('stop cancels the task at the agent', async () => {
    let canceled = false;
    const working: Task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const script: Script = {
      SendStreamingMessage: [{ event: { task: working } }, { stall: true }],
      CancelTask: () => {
        canceled = true;
        return [{ answer: { ...working, status: { state: 'TASK_STATE_CANCELED' } } }];
      },
    };
    await withAgent('1.0', script, async url => {
      const file = readRequestFile(JSON.stringify({ requests: [{ name: 'a', agent: url, message: 'x' }] }));
      const run = runs.send(file.requests[0]!, file);
      await new Promise<void>(resolve =>
        run.onDidChange(() => {
          if (run.state === 'TASK_STATE_WORKING') resolve();
        }),
      );
      run.stop();
      const outcome = await run.done;
      assert.equal(canceled, true);
      assert.equal(outcome.task?.status.state, 'TASK_STATE_CANCELED');
    });
  });

  suite('with the sample agents', () => {
    let sample: StartedSampleAgents;
    suiteSetup(async () => {
      sample = await startSampleAgents({ pace: 0 });
    });
    suiteTeardown(() => sample.stop());

    test('what a new file expects of the first answer holds for each of them', async () => {
      for (const [name, url] of Object.entries(sample.urls)) {
        const agent = agents.at(url);
        await agent.connect();
        const { card } = agent;
        assert.ok(card !== undefined);
        const file = readRequestFile(requestFileText(requestsOfSkills(card).map(request => ({ agent: url, ...request }))));
        const [first] = file.requests;
        const run = await send(file, first!.key);
        assert.deepEqual(
          run.outcome?.expectations?.map(({ kind, ok }) => [kind, ok]),
          [[name === 'Sailboat' || name === 'Helsinki' ? 'totalMs' : 'text', true]],
          name,
        );
      }
    });

    test('Currency asks, the answer goes into the same task', async () => {
      const file = readRequestFile(
        JSON.stringify({
          agent: sample.urls.Currency,
          requests: [
            { name: 'ask', message: 'How much is 10 USD?' },
            { name: 'answer', after: 'ask', message: 'EUR' },
          ],
        }),
      );
      const answer = await send(file, 'answer');
      assert.equal(runs.get('ask')?.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.equal(answer.state, 'TASK_STATE_COMPLETED');
      assert.equal(answer.task?.id, runs.get('ask')?.task?.id);
    });

    test('Sailboat refines in a new task of the same context', async () => {
      const file = readRequestFile(
        JSON.stringify({
          agent: sample.urls.Sailboat,
          requests: [
            { name: 'draw', message: 'Generate an image of a sailboat on the ocean.' },
            { name: 'refine', after: 'draw', message: 'Please modify the sailboat to be red.' },
          ],
        }),
      );
      const outcomes = await runs.sendAll(file);
      assert.deepEqual(
        outcomes.map(({ task }) => task?.status.state),
        ['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED'],
      );
      const [draw, refine] = outcomes.map(({ task }) => task!);
      assert.notEqual(refine!.id, draw!.id);
      assert.equal(refine!.contextId, draw!.contextId);
      assert.equal(refine!.artifacts?.[0]?.name, draw!.artifacts?.[0]?.name);
      assert.notEqual(refine!.artifacts?.[0]?.artifactId, draw!.artifacts?.[0]?.artifactId);
    });

    test('the response of Writer is one JSON document: text joined, times, findings, every frame', async () => {
      const file = readRequestFile(
        JSON.stringify({ agent: sample.urls.Writer, requests: [{ name: 'write', message: 'Write a long text.' }] }),
      );
      const run = await send(file, 'write');
      const text = responseText('write', run, {
        exchange: id => contexts.exchange(id),
        explain: problem => ({ message: problem.message }),
        translate: english,
      });
      const response = JSON.parse(text) as {
        request: string;
        state: string;
        timings: Record<string, number>;
        result: { task: Task };
        exchanges: { request: { line: string }; events: { ms: number; data: { result: object } }[] }[];
      };
      assert.equal(response.request, 'write');
      assert.equal(response.state, 'completed');
      assert.ok(response.timings['firstEventMs']! <= response.timings['totalMs']!);
      const [artifact] = response.result.task.artifacts!;
      assert.equal(artifact!.parts.length, 1);
      assert.equal(textOf(artifact!.parts), textOf(run.outcome!.task!.artifacts![0]!.parts));
      assert.ok(response.exchanges[0]!.events.length > 100, String(response.exchanges[0]!.events.length));
      assert.ok(response.exchanges[0]!.events.every(({ data }) => typeof data.result === 'object'));
      assert.match(response.exchanges[0]!.request.line, /^POST http/);
    });
  });
});
