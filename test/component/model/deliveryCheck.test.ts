import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script, Turn } from '../../../src/mock/script.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { says, startWorld, status, task, taskOf, until, word, type Window, type World } from '../../support/model/world.ts';

const hi = { parts: [{ text: 'hi' }], target: 'new-task' } as const;
const lost: Turn = [{ reset: true }];

/** As a list has it; the agent's own words where it has none of the person's. */
const page = (tasks: readonly Task[], nextPageToken = ''): Turn => [
  { answer: { tasks, nextPageToken, pageSize: 100, totalSize: tasks.length } },
];
const other: Message = { messageId: 'of somebody else', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

suite('a message whose first answer was lost', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  let sent: Message;
  teardown(async () => {
    assert.deepEqual(window.errors, []);
    await world.close();
  });

  /** Sends a message of which nobody knows whether it arrived; `script` is told it. Returns its entry. */
  async function lose(
    script: (message: Message) => Script,
    { generation = '1.0', contextId }: { generation?: string; contextId?: string } = {},
  ): Promise<number> {
    const keep = ({ params }: ReceivedRequest): void => {
      if (params !== undefined && 'message' in params) sent = params.message;
    };
    const played: Record<string, unknown> = {
      SendStreamingMessage: (request: ReceivedRequest) => {
        keep(request);
        return lost;
      },
    };
    world = await startWorld({ version: generation, script: played });
    window = world.open();
    context = contextId === undefined ? window.contexts.create('Ann') : window.contexts.forContextId('Ann', contextId);
    await context.send(hi).ended;
    assert.deepEqual(context.entries().items.map(word), ['I: hi (unknown)', 'problem connection-lost']);
    Object.assign(played, script(sent));
    return context.entries().items[0]!.seq;
  }
  const asked = (operation: string): number => world.agent.requests.filter(request => request.operation === operation).length;
  const transcript = (): string[] => context.entries().items.map(word);

  test("is found in the agent's list: its task is in the history, and followed to its end", async () => {
    const seq = await lose(message => ({
      ListTasks: page([taskOf('COMPLETED', { id: 'u', history: [other] }), taskOf('WORKING', { history: [message] })]),
      GetTask: [{ answer: taskOf('WORKING', { history: [message] }) }],
      SubscribeToTask: [task('WORKING', { history: [message] }), status('COMPLETED', says('d', 'Done'))],
    }));
    assert.equal((await context.checkDelivery(seq)).outcome, 'found');
    await until(() => !context.running);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'problem connection-lost', 'working', 'completed: Done']);
    assert.deepEqual([context.entry(seq)?.taskId, context.contextId, context.tasks().map(({ taskId }) => taskId)], ['t', 'c', ['t']]);
    assert.equal(asked('SendStreamingMessage'), 1);
    assert.throws(() => context.sendAgain(seq), { code: 'not-resendable' });
    await assert.rejects(context.checkDelivery(seq), { code: 'not-uncertain' });
  });

  test('is found though the list has no history, and another conversation had its task from a list', async () => {
    const seq = await lose(message => ({
      ListTasks: page([taskOf('COMPLETED')]),
      GetTask: [{ answer: taskOf('COMPLETED', { history: [message] }) }],
    }));
    window.contexts.mergeRemote('Ann', [taskOf('COMPLETED')], { askedAt: Date.now(), artifacts: false });
    assert.notEqual(window.contexts.forTask('Ann', 't'), context);
    assert.equal((await context.checkDelivery(seq)).outcome, 'found');
    assert.equal(window.contexts.forTask('Ann', 't'), context);
    assert.deepEqual(
      window.contexts.page({ agent: 'Ann' }).items.map(({ key, tasks }) => [key, tasks]),
      [[context.key, 1]],
    );
    assert.deepEqual(transcript(), ['I: hi (sent)', 'problem connection-lost', 'completed']);
  });

  test('is found in the task that it was sent into', async () => {
    let seen: Message | undefined;
    const script: Record<string, unknown> = { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?'))] };
    world = await startWorld({ version: '0.3', script });
    window = world.open();
    context = window.contexts.create('Ann');
    await context.send(hi).ended;
    Object.assign(script, {
      SendStreamingMessage: ({ params }: ReceivedRequest<'SendStreamingMessage'>) => {
        seen = params?.message;
        return lost;
      },
      // The agent does not answer for a while.
      GetTask: [{ error: { code: -32603, message: 'Busy' } }],
    });
    await context.send({ parts: [{ text: 'this' }], target: 'waiting-task' }).ended;
    const seq = context.entries().items.findLast(({ kind }) => kind === 'message')!.seq;
    assert.equal(context.entry(seq) !== undefined && word(context.entry(seq)!), 'I: this (unknown)');
    script['GetTask'] = [{ answer: taskOf('COMPLETED', { history: [{ ...other }] }) }];
    assert.equal((await context.checkDelivery(seq)).outcome, 'not-found');
    script['GetTask'] = [{ answer: taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) }];
    assert.equal((await context.checkDelivery(seq)).outcome, 'unknowable');
    // With an id of the agent's own.
    script['GetTask'] = [{ answer: taskOf('COMPLETED', { history: [other, { ...seen!, messageId: 'own' }] }) }];
    assert.equal((await context.checkDelivery(seq)).outcome, 'found');
    assert.equal(word(context.entry(seq)!), 'I: this (sent)');
    assert.equal(context.taskState('t'), 'TASK_STATE_COMPLETED');
    assert.deepEqual(
      context
        .entries()
        .items.filter(({ kind }) => kind === 'message')
        .map(word)
        .slice(0, 2),
      ['I: hi (sent)', 'I: this (sent)'],
    );
  });

  test('is settled once by whoever finds it first, also where it is looked for twice at once', async () => {
    const seq = await lose(message => ({
      ListTasks: page([taskOf('COMPLETED', { history: [message] })]),
      GetTask: [{ answer: taskOf('COMPLETED', { history: [message] }) }],
    }));
    const told: string[] = [];
    const listening = context.onDidUpdate(updates =>
      told.push(...updates.map(update => (update.type === 'put' ? word(update.entry) : update.type))),
    );
    const checks = await Promise.all([context.checkDelivery(seq), context.checkDelivery(seq)]);
    listening.dispose();
    assert.deepEqual(
      checks.map(({ outcome }) => outcome),
      ['found', 'found'],
    );
    assert.deepEqual(transcript(), ['I: hi (sent)', 'problem connection-lost', 'completed']);
    assert.deepEqual(told, ['I: hi (sent)', 'completed', 'I: hi (sent)'], 'with its task, and as sent');
  });

  test('is not taken for an earlier message in the same words, though the agent gives messages ids of its own', async () => {
    const script: Record<string, unknown> = { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?'))] };
    world = await startWorld({ version: '1.0', script });
    window = world.open();
    context = window.contexts.create('Ann');
    await context.send(hi).ended;
    script['SendStreamingMessage'] = lost;
    const own = (...ids: readonly string[]): Task =>
      taskOf('INPUT_REQUIRED', { history: ids.map(messageId => ({ ...other, messageId })) }, says('q', 'Which?'));
    for (const target of ['new-task', 'waiting-task'] as const) {
      script['GetTask'] = [{ error: { code: -32603, message: 'Busy' } }];
      await context.send({ ...hi, target }).ended;
      const seq = context.entries().items.findLast(({ kind }) => kind === 'message')!.seq;
      script['ListTasks'] = page([own('earlier')]);
      script['GetTask'] = [{ answer: own('earlier') }];
      assert.equal((await context.checkDelivery(seq)).outcome, 'not-found', target);
      assert.equal(word(context.entry(seq)!), 'I: hi (unknown)');
    }
    script['GetTask'] = [{ answer: own('earlier', 'later') }];
    const seq = context.entries().items.findLast(({ kind }) => kind === 'message')!.seq;
    assert.equal((await context.checkDelivery(seq)).outcome, 'found');
  });

  interface Case {
    readonly what: string;
    readonly script: (message: Message) => Script;
    readonly outcome: 'found' | 'not-found' | 'unknowable';
    readonly says: RegExp;
    readonly generation?: string;
    readonly contextId?: string;
  }
  const endless = (): Turn => {
    let at = 0;
    return () => [
      {
        answer: { tasks: [taskOf('COMPLETED', { id: `t${at}`, history: [other] })], nextPageToken: `${at++}`, pageSize: 1, totalSize: 99 },
      },
    ];
  };
  const cases: readonly Case[] = [
    { what: 'an agent without tasks', script: () => ({ ListTasks: page([]) }), outcome: 'not-found', says: /no task for the message/ },
    {
      what: 'the same words of somebody else',
      script: () => ({ ListTasks: page([taskOf('WORKING', { history: [other] })]) }),
      outcome: 'not-found',
      says: /no task for the message/,
    },
    {
      what: 'the same words under another id, in the same context',
      contextId: 'c',
      outcome: 'found',
      says: /has the message/,
      script: ({ parts }) => ({
        ListTasks: page([taskOf('COMPLETED', { history: [{ ...other, parts }] })]),
        GetTask: [{ answer: taskOf('COMPLETED') }],
      }),
    },
    {
      what: 'the second page',
      outcome: 'found',
      says: /has the message/,
      script: message => ({
        GetTask: [{ answer: taskOf('COMPLETED') }],
        ListTasks: ({ params }) => [
          {
            answer:
              params?.pageToken === 'next'
                ? { tasks: [taskOf('COMPLETED', { history: [message] })], nextPageToken: '', pageSize: 1, totalSize: 2 }
                : { tasks: [taskOf('COMPLETED', { id: 'u', history: [other] })], nextPageToken: 'next', pageSize: 1, totalSize: 2 },
          },
        ],
      }),
    },
    {
      what: 'an agent that tells no histories',
      outcome: 'unknowable',
      says: /do not list their messages/,
      script: () => ({ ListTasks: page([taskOf('COMPLETED')]), GetTask: [{ answer: taskOf('COMPLETED') }] }),
    },
    { what: 'a generation without a list', generation: '0.3', script: () => ({}), outcome: 'unknowable', says: /cannot list its tasks/ },
    { what: 'an agent without a list', script: () => ({}), outcome: 'unknowable', says: /cannot list its tasks/ },
    { what: 'a list without an end', script: () => ({ ListTasks: endless() }), outcome: 'unknowable', says: /more tasks than/ },
  ];
  for (const { what, script, outcome, says: words, generation, contextId } of cases) {
    test(`${what}: ${outcome}`, async () => {
      const seq = await lose(script, { generation, contextId });
      const check = await context.checkDelivery(seq);
      assert.equal(check.outcome, outcome);
      assert.match(english(check.sentence), words);
      assert.equal('nextStep' in check, outcome !== 'found');
      assert.equal(word(context.entry(seq)!), outcome === 'found' ? 'I: hi (sent)' : 'I: hi (unknown)');
      assert.equal(asked('SendStreamingMessage'), 1);
      assert.ok(asked('ListTasks') <= 5);
    });
  }

  test("an agent that cannot be asked: that is the person's to know, and nothing changes", async () => {
    const seq = await lose(() => ({ ListTasks: lost }));
    await assert.rejects(context.checkDelivery(seq), ConnectionProblem);
    assert.equal(word(context.entry(seq)!), 'I: hi (unknown)');
  });

  test("an error is the agent's word", async () => {
    const seq = await lose(() => ({ ListTasks: [{ error: { code: -32603, message: 'Oops' } }] }));
    await assert.rejects(context.checkDelivery(seq), A2AError);
    assert.equal(word(context.entry(seq)!), 'I: hi (unknown)');
  });
});
