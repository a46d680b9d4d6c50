import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script, Step } from '../../../src/mock/script.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { StopOutcome } from '../../../src/model/run/cancellation.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import { textOf } from '../../../src/protocol/message/part.ts';
import { repliesIn } from '../../../src/protocol/message/replies.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import {
  chunk,
  fast,
  first,
  panelOf,
  says,
  startWorld,
  status,
  task,
  taskOf,
  until,
  word,
  type Window,
  type World,
} from '../../support/model/world.ts';

const text = (words: string, target: SendOptions['target'] = 'new-task'): SendOptions => ({ parts: [{ text: words }], target });

/** A connection that breaks when what was written before has arrived. */
const cut = [{ delay: 15 }, { reset: true }] as const;

/** The artifact of a task, in chunks. */
const made = (...words: readonly string[]): Pick<Task, 'artifacts'> => ({
  artifacts: [{ artifactId: 'a', parts: words.map(one => ({ text: one })) }],
});

/** A promise and its key. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

suite('AgentContext', () => {
  let world: World;
  let window: Window;
  let context: AgentContext;
  /** Requests of tests before this one. */
  let earlier: number;
  /** One for each generation, as opening a history takes longer than most of these tests; each test has a context of its own. */
  const shared = new Map<string, { readonly world: World; readonly window: Window; readonly script: Record<string, unknown> }>();

  async function begin(
    script: Script,
    {
      generation = '1.0',
      alone = false,
      card,
    }: {
      generation?: string;
      alone?: boolean;
      card?: (url: string) => unknown;
    } = {},
  ): Promise<void> {
    let place = shared.get(alone || card !== undefined ? '' : generation);
    if (place === undefined) {
      const played = {};
      const started = await startWorld({ version: generation, script: played, card });
      place = { world: started, window: started.open(), script: played };
      if (!alone && card === undefined) shared.set(generation, place);
    }
    for (const operation of Object.keys(place.script)) delete place.script[operation];
    Object.assign(place.script, script);
    ({ world, window } = place);
    earlier = world.agent.requests.length;
    context = window.contexts.create('Ann');
  }
  teardown(async () => {
    const { errors } = window;
    if (![...shared.values()].some(place => place.world === world)) await world.close();
    assert.deepEqual(errors, []);
  });
  suiteTeardown(async () => {
    for (const place of shared.values()) await place.world.close();
  });
  const requests = (): readonly ReceivedRequest[] => world.agent.requests.slice(earlier);
  const asked = (operation: string): number => requests().filter(request => request.operation === operation).length;
  const sends = (): number => asked('SendMessage') + asked('SendStreamingMessage');
  /** In what the message of the person ended, where that is said. */
  const outcome = (): string | undefined => {
    const entry = context.entries().items.find(({ kind }) => kind === 'message');
    return entry?.kind === 'message' && entry.outcome !== undefined ? english(entry.outcome) : undefined;
  };
  const transcript = (): string[] => context.entries({ limit: 200 }).items.map(word);

  test('a failure of a send is kept with the address that was asked', async () => {
    await begin({ SendStreamingMessage: [{ status: 500 }, { html: '<h1>Oops</h1>' }] });
    await context.send(text('hi')).done;
    const problem = context.entries().items.find(({ kind }) => kind === 'problem');
    assert.equal(problem?.kind === 'problem' && problem.address, world.agent.url);
  });

  test('a task that is over and begins again all the same is followed, with a finding', async () => {
    await begin({
      SendStreamingMessage: ({ params }) => [task('WORKING'), status(params?.message.taskId === undefined ? 'COMPLETED' : 'FAILED')],
    });
    await context.send(text('Go')).done;
    const { task: again, findings } = await context.send(text('Go on', { taskId: 't' })).done;
    assert.equal(again?.status.state, 'TASK_STATE_FAILED');
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ['CORE-02'],
    );
    assert.deepEqual(
      context.deviantExchanges().flatMap(exchange => exchange.findings.map(({ rule }) => rule)),
      ['CORE-02'],
    );
  });

  test('what deviates is told when it is written down, on its exchange, and outlives the window', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED'), chunk('late', first)] });
    const told: number[] = [];
    context.onDidFind(() => told.push(context.deviantExchanges().length));
    const run = context.send(text('hi'));
    const { exchangeIds } = await run.done;
    await until(() => told.length > 0);
    assert.equal(told.at(-1), 1);
    const [deviant] = window.contexts.get(context.key)!.deviantExchanges();
    assert.deepEqual(
      [deviant?.exchangeId, deviant?.operation, deviant?.findings.map(({ rule }) => rule)],
      [exchangeIds[0], 'SendStreamingMessage', ['STRM-03']],
    );
    const other = window.contexts.create('Ann');
    assert.equal(context.exchange(exchangeIds[0]!)?.exchange.id, exchangeIds[0]);
    assert.deepEqual([other.exchange(exchangeIds[0]!), other.deviantExchanges()], [undefined, []]);
  });

  test('a task that the agent no longer knows is lost in lists and filters, and as the agent told it last in itself, until the agent tells of it again', async () => {
    let known = false;
    let state: 'WORKING' | 'INPUT_REQUIRED' = 'INPUT_REQUIRED';
    await begin(
      {
        SendStreamingMessage: () => [task(state, {}, says('q', 'Which?'))],
        GetTask: () => [known ? { answer: taskOf(state, {}, says('q', 'Which?')) } : { error: { code: -32001, message: 'No such task' } }],
      },
      { alone: true },
    );
    await context.send(text('hi')).done;
    await assert.rejects(context.refreshTask('t'), /No such task/u);
    const summaries = () => [context.taskState('t'), context.waitingTask?.taskId, context.connectionOf('t'), window.contexts.waiting];
    assert.deepEqual(summaries(), ['LOST', undefined, undefined, 0]);
    assert.deepEqual(
      window.contexts.history.tasks({ states: ['LOST'] }).map(({ taskId }) => taskId),
      ['t'],
    );
    assert.deepEqual(window.contexts.history.tasks({ states: ['TASK_STATE_INPUT_REQUIRED'] }), []);
    assert.equal(window.contexts.history.tasks().length, 1);
    assert.deepEqual(
      window.contexts.page({ agent: 'Ann', states: ['LOST'] }).items.map(({ key }) => key),
      [context.key],
    );
    assert.deepEqual(
      [
        context.task('t')?.status.state,
        context
          .task('t')
          ?.history?.map(({ messageId }) => messageId)
          .includes('q'),
      ],
      ['TASK_STATE_INPUT_REQUIRED', false],
    );
    const lost = context.entries().items.at(-1)!;
    assert.ok(lost.kind === 'status' && lost.state === 'LOST' && context.exchange(lost.exchangeId ?? '')?.exchange.operation === 'GetTask');
    await assert.rejects(context.refreshTask('t'));
    assert.deepEqual(transcript(), ['I: hi (sent)', 'input_required: Which?', 'lost']);
    known = true;
    await context.refreshTask('t');
    assert.deepEqual([context.taskState('t'), context.waitingTask?.taskId], ['TASK_STATE_INPUT_REQUIRED', 't']);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'input_required: Which?', 'lost', 'input_required: Which?']);
    known = false;
    state = 'WORKING';
  });

  test('a message into a task that the agent no longer knows: refused, and the task is lost', async () => {
    let sent = 0;
    await begin({
      SendStreamingMessage: () => (++sent === 1 ? [task('INPUT_REQUIRED')] : [{ error: { code: -32001, message: 'No such task' } }]),
    });
    await context.send(text('hi')).done;
    const { problem, delivery } = await context.send(text('and', 'waiting-task')).done;
    assert.deepEqual([problem?.code, delivery, context.taskState('t')], ['agent-error', 'refused', 'LOST']);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'input_required', 'I: and (refused)', 'problem agent-error', 'lost']);
  });

  test('a task that was over stays what it was when the agent no longer knows it', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')], GetTask: [{ error: { code: -32001, message: 'No such task' } }] });
    await context.send(text('hi')).done;
    await assert.rejects(context.refreshTask('t'));
    assert.equal(context.taskState('t'), 'TASK_STATE_COMPLETED');
  });

  for (const [before, advice] of [
    ['COMPLETED', /Start a new one/],
    ['INPUT_REQUIRED', /Its own message says why/],
  ] as const) {
    test(`the advice on a message that the agent does not support fits its task (${before})`, async () => {
      let sent = 0;
      await begin({ SendStreamingMessage: () => (++sent === 1 ? [task(before)] : [{ error: { code: -32004, message: 'Not now' } }]) });
      await context.send(text('hi')).done;
      const { problem } = await context.send(text('and', { taskId: 't' })).done;
      assert.match(english(problem!.nextStep!), advice);
    });
  }

  test('another contextId in the middle of a task is a finding, and the next message goes to the context that the task is of', async () => {
    const elsewhere = (step: ReturnType<typeof status>): ReturnType<typeof status> =>
      'statusUpdate' in step.event ? { event: { statusUpdate: { ...step.event.statusUpdate, contextId: 'other' } } } : step;
    await begin({
      SendStreamingMessage: [task('WORKING'), elsewhere(status('WORKING', says('m'))), elsewhere(status('INPUT_REQUIRED', says('q')))],
    });
    const { task: waiting, findings } = await context.send(text('Go')).done;
    assert.deepEqual(
      findings.map(({ rule, message }) => [rule, message]),
      [['DATA-06', 'The task belongs to context "c" and was reported in "other"; the other context was ignored.']],
    );
    assert.deepEqual([waiting?.contextId, context.contextId, window.store.taskDocument(context.key, 't')?.task.contextId], ['c', 'c', 'c']);
    for (const target of [{ taskId: 't' }, 'new-task'] as const) {
      await context.send(text('On', target)).done;
      assert.equal(
        requests().at(-1)?.params === undefined
          ? undefined
          : (requests().at(-1) as ReceivedRequest<'SendMessage'>).params?.message.contextId,
        'c',
      );
    }
  });

  suite('a failure under the id of another task', () => {
    const failed = status('FAILED', says('e', 'Agent execution error: boom'), 'fresh');
    const stories: readonly (readonly [name: string, stream: Script['SendStreamingMessage'], generation: string])[] = [
      ['that ends the stream', [task('SUBMITTED'), failed], '0.3'],
      [
        'that ends the stream, as a task',
        [
          task('SUBMITTED'),
          { event: { task: { ...taskOf('FAILED', {}, says('e', 'Agent execution error: boom')), id: 'fresh' } } },
          failed,
        ],
        '1.0',
      ],
      ['after which the stream stays open', [task('WORKING'), failed, { stall: true }], '1.0'],
    ];
    for (const [name, stream, generation] of stories) {
      test(`${name}, is that of the task`, async () => {
        await begin(
          { SendStreamingMessage: stream, GetTask: [{ answer: taskOf('WORKING') }], SubscribeToTask: [task('WORKING'), { stall: true }] },
          { generation },
        );
        const { task: ended, findings } = await context.send(text('Go')).done;
        assert.equal(ended?.status.state, 'TASK_STATE_FAILED');
        assert.equal(ended.status.message?.parts.map(part => ('text' in part ? part.text : '')).join(''), 'Agent execution error: boom');
        assert.equal(transcript().at(-1), 'failed: Agent execution error: boom');
        assert.deepEqual(
          [...new Set(findings.filter(({ rule }) => rule === 'DATA-06').map(({ message }) => message))],
          [`This task's stream reported task "fresh" as failed; if this task does not continue, that counts as its end.`],
        );
        await until(() => !context.running);
        assert.deepEqual([context.taskState('t'), context.tasks().length, asked('SubscribeToTask')], ['TASK_STATE_FAILED', 1, 0]);
      });
    }

    test('is not, where the task goes on in the stream, or is over when it is asked for', async () => {
      await begin({
        SendStreamingMessage: ({ params }) => [
          task('WORKING'),
          failed,
          ...(params?.message.parts.some(part => 'text' in part && part.text === 'on') === true ? [status('COMPLETED')] : []),
        ],
        GetTask: [{ answer: taskOf('COMPLETED') }],
      });
      assert.equal((await context.send(text('on')).done).task?.status.state, 'TASK_STATE_COMPLETED');
      context = window.contexts.create('Ann');
      assert.equal((await context.send(text('ask')).done).task?.status.state, 'TASK_STATE_COMPLETED');
    });

    test('of another context is not', async () => {
      await begin({
        SendStreamingMessage: [
          task('WORKING'),
          { event: { statusUpdate: { taskId: 'fresh', contextId: 'another', status: { state: 'TASK_STATE_FAILED' } } } },
        ],
        GetTask: [{ answer: taskOf('WORKING') }],
        SubscribeToTask: [task('WORKING'), status('COMPLETED')],
      });
      assert.equal((await context.send(text('Go')).done).task?.status.state, 'TASK_STATE_COMPLETED');
    });

    const fresh = (word: 'COMPLETED' | 'CANCELED' | 'REJECTED') => [
      task('WORKING'),
      { event: { artifactUpdate: { taskId: 'fresh', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'x' }] } } } },
      {
        event: { artifactUpdate: { taskId: 'fresh', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: 'y' }] }, append: true } },
      },
      status(word, says('e', 'Done'), 'fresh'),
    ];
    for (const word of ['COMPLETED', 'CANCELED', 'REJECTED'] as const) {
      test(`any other end (${word}), with what was made, is that of a task that the agent knows no more`, async () => {
        await begin({ SendStreamingMessage: fresh(word), GetTask: [{ error: { code: -32001, message: 'No such task' } }] });
        const { task: ended, problem, findings } = await context.send(text('Go')).done;
        await until(() => !context.isActiveFor({ taskId: 't' }));
        assert.deepEqual([ended?.id, ended?.status.state, problem?.message], ['t', `TASK_STATE_${word}`, undefined]);
        assert.deepEqual(
          ended?.artifacts?.map(({ parts }) => parts.map(part => ('text' in part ? part.text : '')).join('')),
          ['xy'],
        );
        assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'a=xy.', `${word.toLowerCase()}: Done`]);
        assert.deepEqual([context.taskState('t'), context.tasks().length], [`TASK_STATE_${word}`, 1]);
        assert.equal(
          findings.at(-1)?.message,
          `This task's stream reported task "fresh" as ${word.toLowerCase()}; if this task does not continue, that counts as its end.`,
        );
      });
    }

    test('any other end is that of another task, where the agent still works on this one', async () => {
      await begin({
        SendStreamingMessage: fresh('COMPLETED'),
        GetTask: [{ answer: taskOf('WORKING') }],
        SubscribeToTask: [task('WORKING'), status('FAILED')],
      });
      const { task: ended } = await context.send(text('Go')).done;
      assert.deepEqual([ended?.status.state, ended?.artifacts], ['TASK_STATE_FAILED', undefined]);
    });

    test('any other end is that of the task whose stream stays open and silent, and that the agent knows no more', async () => {
      await begin({
        SendStreamingMessage: [...fresh('COMPLETED'), { stall: true }],
        GetTask: [{ error: { code: -32001, message: 'No such task' } }],
      });
      assert.equal((await context.send(text('Go')).done).task?.status.state, 'TASK_STATE_COMPLETED');
    });
  });

  suite('a message that names a task', () => {
    const answer = { message: { ...says('m', 'Hello'), taskId: 'named', contextId: 'c' } };
    const forgotten = [{ error: { code: -32001, message: 'No such task' } }];

    for (const streaming of [true, false]) {
      test(`which the agent does not keep is an answer (${streaming ? 'stream' : 'no stream'})`, async () => {
        await begin({ SendStreamingMessage: [{ event: answer }], SendMessage: [{ answer }], GetTask: forgotten });
        const { message, problem, task: none } = await context.send({ ...text('hi'), streaming }).done;
        assert.deepEqual([message?.messageId, problem, none], ['m', undefined, undefined]);
        await until(() => !context.running);
        assert.deepEqual([transcript(), context.tasks(), context.contextId], [['I: hi (sent)', 'agent: Hello'], [], 'c']);
      });
    }

    test('which the agent keeps is followed, and is the task of both messages', async () => {
      const named = (state: 'WORKING' | 'COMPLETED') =>
        taskOf(state, { id: 'named', history: [{ ...says('m', 'Hello'), taskId: 'named' }] });
      let asks = 0;
      await begin({ SendMessage: [{ answer }], GetTask: () => [{ answer: named(++asks < 3 ? 'WORKING' : 'COMPLETED') }] });
      const { task: ended } = await context.send({ ...text('hi'), streaming: false }).done;
      assert.deepEqual([ended?.id, ended?.status.state], ['named', 'TASK_STATE_COMPLETED']);
      assert.deepEqual(transcript(), ['I: hi (sent)', 'agent: Hello', 'working', 'completed']);
      assert.deepEqual(
        context.tasks().map(({ taskId, title }) => [taskId, title]),
        [['named', 'hi']],
      );
    });

    test('which was sent into is an answer too, where the agent does not keep it; it is lost', async () => {
      let sent = 0;
      await begin({
        SendStreamingMessage: () =>
          ++sent === 1 ? [task('WORKING'), { stall: true }] : [{ event: { message: { ...says('m', 'Hello'), taskId: 't' } } }],
        GetTask: forgotten,
      });
      context.send(text('Go'));
      await until(() => context.tasks().length === 1);
      const { problem } = await context.send(text('on', { taskId: 't' })).done;
      await until(() => !context.running);
      assert.equal(problem, undefined);
      assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'I: on (sent)', 'agent: Hello', 'lost']);
    });

    test('which was sent into is not lost where the agent cannot say whether it keeps it', async () => {
      let sent = 0;
      await begin({
        SendStreamingMessage: () =>
          ++sent === 1 ? [task('WORKING'), { stall: true }] : [{ event: { message: { ...says('m', 'Hello'), taskId: 't' } } }],
        GetTask: [{ error: { code: -32603, message: 'Busy' } }],
      });
      context.send(text('Go'));
      await until(() => context.tasks().length === 1);
      const { problem, task: told } = await context.send(text('on', { taskId: 't' })).done;
      await until(() => !context.running);
      assert.equal(problem, undefined);
      assert.deepEqual(told && repliesIn(told).map(({ parts }) => textOf(parts)), ['Hello']);
      assert.equal(context.taskState('t'), 'TASK_STATE_WORKING');
      assert.ok(!transcript().includes('lost'), transcript().join());
    });

    test('that only the message was sent into is an answer', async () => {
      await begin({ SendStreamingMessage: [{ event: answer }], GetTask: forgotten });
      const { problem } = await context.send(text('hi', { taskId: 'named' })).done;
      await until(() => !context.running);
      assert.deepEqual([problem, transcript(), context.tasks()], [undefined, ['I: hi (sent)', 'agent: Hello'], []]);
    });

    test('of a request that no run sent is an answer', async () => {
      await begin({ SendMessage: [{ answer }] });
      await context.call('SendMessage', { message: { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'hi' }] } });
      assert.deepEqual([transcript(), context.tasks()], [['agent: Hello'], []]);
    });
  });

  test('what a stream says after a question is part of the answer', async () => {
    await begin({
      SendStreamingMessage: [
        task('WORKING'),
        status('INPUT_REQUIRED', says('q', 'Which?')),
        { delay: 20 },
        chunk('x', first),
        { delay: 20 },
        status('WORKING'),
        { delay: 80 },
        status('COMPLETED'),
      ],
    });
    const { task: ended, states } = await context.send(text('Go')).done;
    assert.deepEqual([ended?.status.state, ended?.artifacts?.length, states.length], ['TASK_STATE_COMPLETED', 1, 4]);
  });

  test('a question on a stream that stays open is the result when nothing more comes, with what came after it', async () => {
    await begin({
      SendStreamingMessage: [
        task('WORKING'),
        status('INPUT_REQUIRED', says('q', 'Which?')),
        { delay: 20 },
        chunk('x', first),
        { stall: true },
      ],
    });
    const run = context.send(text('Go'));
    const { task: asking } = await run.done;
    assert.deepEqual([asking?.status.state, asking?.artifacts?.length, run.over], ['TASK_STATE_INPUT_REQUIRED', 1, false]);
  });

  test('a question that is asked twice in the same words, by an agent whose messages have no ids, is there twice', async () => {
    let sent = 0;
    await begin(
      {
        SendMessage: ({ params }) => [
          {
            answer: {
              task:
                ++sent < 3
                  ? taskOf('INPUT_REQUIRED', { id: params?.message.taskId ?? '' }, says('q', 'Which?'))
                  : taskOf('COMPLETED', { id: params?.message.taskId ?? '' }),
            },
          },
        ],
      },
      { generation: '0.1' },
    );
    const first = await context.send({ ...text('hi'), streaming: false }).done;
    const second = await context.send({ ...text('this', 'waiting-task'), streaming: false }).done;
    assert.deepEqual([first.task?.status.state, second.task?.status.state], ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED']);
    await context.send({ ...text('that', 'waiting-task'), streaming: false }).done;
    assert.deepEqual(transcript(), [
      'I: hi (sent)',
      'input_required: Which?',
      'I: this (sent)',
      'input_required: Which?',
      'I: that (sent)',
      'completed',
    ]);
  });

  suite('an answer under another id than asked', () => {
    test('of a task that the client named is one task', async () => {
      await begin({ SendMessage: [{ answer: { task: { ...taskOf('COMPLETED'), id: 'of-the-server' } } }] }, { generation: '0.1' });
      await context.send({ ...text('hi'), streaming: false }).done;
      assert.deepEqual(
        [context.tasks().map(({ taskId, state }) => [taskId, state]), transcript()],
        [[['of-the-server', 'TASK_STATE_COMPLETED']], ['I: hi (sent)', 'completed']],
      );
    });

    for (const streaming of [false, true]) {
      test(`is that of the task that was answered (${streaming ? 'stream' : 'no stream'})`, async () => {
        const done = [{ event: { task: { ...taskOf('WORKING'), id: 'another' } } }, status('COMPLETED', undefined, 'another')];
        let sent = 0;
        await begin({
          SendMessage: () => [
            {
              answer: {
                task: ++sent === 1 ? taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) : { ...taskOf('COMPLETED'), id: 'another' },
              },
            },
          ],
          SendStreamingMessage: done,
        });
        await context.send({ ...text('hi'), streaming: false }).done;
        const { task: ended, findings } = await context.send({ ...text('this', 'waiting-task'), streaming }).done;
        assert.deepEqual([ended?.id, ended?.status.state], ['t', 'TASK_STATE_COMPLETED']);
        assert.deepEqual([context.tasks().map(({ taskId }) => taskId), context.waitingTask], [['t'], undefined]);
        assert.deepEqual(
          findings.map(({ rule, message }) => [rule, message]),
          [['DATA-06', 'A message to this task was answered with task "another", which counts as the answer for this one.']],
        );
      });
    }

    test('is asked for under the id that the agent has for it', async () => {
      let sent = 0;
      await begin({
        SendMessage: () => [
          { answer: { task: ++sent === 1 ? taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) : { ...taskOf('WORKING'), id: 'another' } } },
        ],
        GetTask: ({ params }) => [
          params?.id === 'another' ? { answer: { ...taskOf('COMPLETED'), id: 'another' } } : { error: { code: -32001, message: 'Which?' } },
        ],
      });
      await context.send({ ...text('hi'), streaming: false }).done;
      assert.equal(
        (await context.send({ ...text('this', 'waiting-task'), streaming: false }).done).task?.status.state,
        'TASK_STATE_COMPLETED',
      );
      assert.deepEqual(
        context.tasks().map(({ taskId, state }) => [taskId, state]),
        [['t', 'TASK_STATE_COMPLETED']],
      );
    });
  });

  suite('a stream that goes wrong, of a task that the agent knows no more', () => {
    const unknown: Script = { GetTask: [{ error: { code: -32001, message: 'No such task' } }] };

    test('by an error: that error is the problem', async () => {
      await begin({
        SendStreamingMessage: [task('WORKING'), { delay: 15 }, { error: { code: -32603, message: 'mid-stream boom' } }],
        ...unknown,
      });
      const { problem } = await context.send(text('Go')).done;
      assert.match(problem?.message ?? '', /InternalError.*mid-stream boom/u);
      await until(() => !context.isActiveFor({ taskId: 't' }));
      assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'problem agent-error', 'lost']);
    });

    test('by breaking: that it broke is told, and then that the task is not known', async () => {
      await begin({ SendStreamingMessage: [task('WORKING'), chunk('x', first), ...cut], ...unknown });
      const { problem } = await context.send(text('Go')).done;
      assert.match(problem?.message ?? '', /connection.*broke.*TaskNotFoundError/u);
      await until(() => !context.isActiveFor({ taskId: 't' }));
      assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'a=x', 'problem stream-ended', 'lost']);
    });

    test('by ending early: the same', async () => {
      await begin({ SendStreamingMessage: [task('WORKING')], ...unknown });
      const { problem } = await context.send(text('Go')).done;
      assert.match(problem?.message ?? '', /^The agent ended the stream before the task finished\..*TaskNotFoundError/u);
      await until(() => !context.isActiveFor({ taskId: 't' }));
      assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'problem stream-ended', 'lost']);
    });

    test('by going on after the end: the task is what it was at its end, and nothing is a problem', async () => {
      await begin({ SendStreamingMessage: [task('WORKING'), status('COMPLETED'), status('FAILED', says('n', 'after all'))], ...unknown });
      const run = context.send(text('Go'));
      await run.ended;
      assert.deepEqual(
        [run.result.task?.status.state, run.result.problem, run.result.findings.map(({ rule }) => rule)],
        ['TASK_STATE_COMPLETED', undefined, ['STRM-11']],
      );
      assert.deepEqual(transcript(), ['I: Go (sent)', 'working', 'completed']);
    });
  });

  interface Case {
    readonly name: string;
    readonly script: Script;
    readonly options?: Partial<SendOptions>;
    readonly transcript: readonly string[];
    readonly state?: string;
    readonly problem?: string;
    readonly delivery?: string;
    readonly outcome?: string;
  }

  const cases: readonly Case[] = [
    {
      name: 'a message and no task',
      script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }] },
      transcript: ['I: hi (sent)', 'agent: Hello'],
    },
    {
      name: 'a message and no task, without streaming',
      options: { streaming: false },
      script: { SendMessage: [{ answer: { message: says('m', 'Hello') } }] },
      transcript: ['I: hi (sent)', 'agent: Hello'],
    },
    {
      name: 'a message whose stream stays open',
      script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }, { stall: true }] },
      transcript: ['I: hi (sent)', 'agent: Hello'],
    },
    {
      name: 'a task that streams',
      script: {
        SendStreamingMessage: [
          task('SUBMITTED'),
          status('WORKING', says('w')),
          chunk('x', first),
          chunk('y'),
          chunk('z', { append: true, lastChunk: true }),
          status('COMPLETED'),
        ],
      },
      transcript: ['I: hi (sent)', 'submitted', 'working: w', 'a=xyz.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a task at once',
      options: { streaming: false },
      script: { SendMessage: [{ answer: { task: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) } }] },
      transcript: ['I: hi (sent)', 'a=x.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a message, then a task',
      script: { SendStreamingMessage: [{ event: { message: says('m', 'Wait') } }, task('WORKING'), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'agent: Wait', 'working', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'updates before any task',
      script: { SendStreamingMessage: [status('WORKING'), chunk('x', first), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'working', 'a=x.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a task that waits, and a stream that stays open',
      script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?')), { stall: true }] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'],
      state: 'INPUT_REQUIRED',
    },
    {
      name: 'an error instead of an answer',
      script: { SendStreamingMessage: [{ error: { code: -32602, message: 'No.' } }] },
      transcript: ['I: hi (refused)', 'problem agent-error'],
      problem: 'agent-error',
      delivery: 'refused',
      outcome: 'Failed · error -32602',
    },
    {
      name: 'HTTP 500 instead of an answer',
      script: { SendStreamingMessage: [{ status: 500 }, { html: '<h1>Oops</h1>' }] },
      transcript: ['I: hi (refused)', 'problem http-error'],
      problem: 'http-error',
      delivery: 'refused',
      outcome: 'Failed · HTTP 500',
    },
    {
      name: 'a stream without any event',
      script: { SendStreamingMessage: [{ raw: ': nothing\n\n' }] },
      transcript: ['I: hi (sent)', 'problem empty-answer'],
      problem: 'empty-answer',
      delivery: 'sent',
    },
    {
      name: 'a connection that breaks before the answer',
      script: { SendStreamingMessage: [{ reset: true }] },
      transcript: ['I: hi (unknown)', 'problem connection-lost'],
      problem: 'connection-lost',
      delivery: 'unknown',
    },
    {
      name: 'a stream that is cut, and a task that is over meanwhile',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), ...cut],
        GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }) }],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xy.', 'gap', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a stream that ends early, and a task that goes on',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first)],
        GetTask: [{ answer: taskOf('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) }],
        SubscribeToTask: [
          task('WORKING', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }),
          chunk('z'),
          {
            event: {
              task: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }, { text: 'z' }] }] }),
            },
          },
        ],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a stream that ends early in a task that waits',
      script: { SendStreamingMessage: [task('WORKING')], GetTask: [{ answer: taskOf('INPUT_REQUIRED', {}, says('q', 'Which?')) }] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'],
      state: 'INPUT_REQUIRED',
    },
    {
      name: 'an error in the middle, and a task that failed',
      script: {
        SendStreamingMessage: [task('WORKING'), { error: { code: -32603, message: 'Oh' } }],
        GetTask: [{ answer: taskOf('FAILED') }],
      },
      transcript: ['I: hi (sent)', 'working', 'problem agent-error', 'failed'],
      state: 'FAILED',
      problem: 'agent-error',
    },
    {
      name: 'a task that is gone after a cut',
      script: { SendStreamingMessage: [task('WORKING'), ...cut], GetTask: [{ error: { code: -32001, message: 'Which task?' } }] },
      transcript: ['I: hi (sent)', 'working', 'problem stream-ended', 'lost'],
      state: 'WORKING',
      problem: 'stream-ended',
    },
    {
      name: 'an artifact after the end',
      script: {
        SendStreamingMessage: [task('COMPLETED'), chunk('x', first)],
        GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }) }],
      },
      transcript: ['I: hi (sent)', 'completed', 'a=x.'],
      state: 'COMPLETED',
    },
    {
      name: 'a word of another task in the middle',
      script: {
        SendStreamingMessage: [task('WORKING'), { delay: 10 }, status('FAILED', undefined, 'another'), status('COMPLETED')],
        GetTask: [{ answer: taskOf('COMPLETED') }],
      },
      transcript: ['I: hi (sent)', 'working', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a subscription without a snapshot, and words before it began',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first)],
        GetTask: () => [
          {
            answer: requests().some(({ operation }) => operation === 'SubscribeToTask')
              ? taskOf('COMPLETED', made('x', 'y', 'z'))
              : taskOf('WORKING', made('x')),
          },
        ],
        SubscribeToTask: [chunk('z'), status('COMPLETED')],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a subscription that begins with another task, so that the task is asked for',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first)],
        GetTask: () => [{ answer: asked('GetTask') > 3 ? taskOf('COMPLETED', made('x')) : taskOf('WORKING', made('x')) }],
        SubscribeToTask: [{ event: { task: { ...taskOf('FAILED', made('wrong')), id: 'another' } } }],
      },
      transcript: ['I: hi (sent)', 'working', 'a=x.', 'gap', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a connection that breaks after the end',
      script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), status('COMPLETED'), ...cut] },
      transcript: ['I: hi (sent)', 'working', 'a=x.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a connection that breaks after a question',
      script: { SendStreamingMessage: [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which?')), ...cut] },
      transcript: ['I: hi (sent)', 'working', 'input_required: Which?'],
      state: 'INPUT_REQUIRED',
    },
    {
      name: 'a connection that breaks after a message',
      script: { SendStreamingMessage: [{ event: { message: says('m', 'Hello') } }, ...cut] },
      transcript: ['I: hi (sent)', 'agent: Hello'],
    },
    {
      name: 'a chunk that comes twice',
      script: {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y'), chunk('y'), status('COMPLETED')],
        GetTask: [{ answer: taskOf('COMPLETED', made('x', 'y')) }],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xy.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'chunks in the wrong order',
      script: {
        SendStreamingMessage: [
          task('WORKING'),
          chunk('x', first),
          chunk('z', { append: true, lastChunk: true }),
          chunk('y'),
          status('COMPLETED'),
        ],
        GetTask: [{ answer: taskOf('COMPLETED', made('x', 'y', 'z')) }],
      },
      transcript: ['I: hi (sent)', 'working', 'a=xyz.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'a chunk twice from an agent that cannot be asked',
      script: { SendStreamingMessage: [task('WORKING'), chunk('x', first), chunk('y'), chunk('y'), status('COMPLETED')] },
      transcript: ['I: hi (sent)', 'working', 'a=xyy.', 'completed'],
      state: 'COMPLETED',
    },
    {
      name: 'chunks without ids',
      script: { SendStreamingMessage: [{ event: { statusUpdate: { taskId: '', status: { state: 'TASK_STATE_COMPLETED' } } } }] },
      transcript: ['I: hi (sent)', 'completed'],
      state: 'COMPLETED',
    },
  ];
  for (const generation of ['1.0', '0.3']) {
    for (const one of cases) {
      test(`${one.name} (${generation})`, async () => {
        await begin(one.script, { generation });
        const panel = panelOf(context);
        const run = context.send({ ...text('hi'), ...one.options });
        assert.equal(context.running, true);
        const result = await run.done;
        // What stays open is read on for a while.
        await until(() => run.over);
        assert.deepEqual(transcript(), one.transcript);
        assert.deepEqual(panel.entries(), context.entries({ limit: 200 }).items);
        assert.equal(result.task?.status.state, one.state === undefined ? undefined : `TASK_STATE_${one.state}`);
        assert.equal(result.problem?.code, one.problem);
        assert.equal(result.delivery, one.delivery ?? 'sent');
        assert.equal(outcome(), one.outcome);
        assert.equal(sends(), 1);
        assert.equal(context.running, false);
        for (const id of result.exchangeIds) assert.notEqual(window.contexts.exchange(id), undefined);
      });
    }
  }

  test('an agent that is not there', async () => {
    await begin({}, { alone: true });
    await world.agent.stop();
    const result = await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable']);
    assert.equal(outcome(), 'Not sent · connection refused');
    assert.equal(result.delivery, 'refused');
    assert.equal(window.agents.get('Ann')?.reachability, 'unreachable');
    await world.agent.start();
  });

  test('an agent that stopped after its card was read', async () => {
    await begin({ SendStreamingMessage: [task('COMPLETED')] }, { alone: true });
    await window.agents.get('Ann')?.connect();
    const port = Number(new URL(world.agent.url).port);
    await world.agent.stop();
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable']);
    assert.equal(outcome(), 'Not sent · connection refused');
    assert.equal(window.agents.get('Ann')?.reachability, 'unreachable');
    await world.agent.start(port);
    const [entry] = context.entries().items;
    await context.sendAgain(entry!.seq).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem unreachable', 'I: hi (sent)', 'completed']);
    assert.equal(window.agents.get('Ann')?.reachability, 'reachable');
  });

  test('a message that the agent refuses to stream is sent without a stream', async () => {
    await begin({ SendStreamingMessage: [{ error: { code: -32004, message: 'no' } }], SendMessage: [task('COMPLETED')] }, { alone: true });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (refused)', 'problem agent-error']);
    await context.sendAgain(context.entries().items[0]!.seq, false).done;
    assert.deepEqual(transcript().slice(2), ['I: hi (sent)', 'completed']);
  });

  test('an answer goes into the task that waits, the next message into a new one', async () => {
    let turn = 0;
    await begin({
      SendStreamingMessage: ({ params }) => {
        turn++;
        if (turn === 1) return [task('WORKING'), status('INPUT_REQUIRED', says('q', 'Which colour?'))];
        if (turn === 2)
          return [
            task('INPUT_REQUIRED', { history: [params!.message] }, says('q', 'Which colour?')),
            { delay: 20 },
            status('WORKING'),
            status('COMPLETED'),
          ];
        return [{ event: { task: { ...taskOf('COMPLETED'), id: 'u' } } }];
      },
    });
    assert.throws(() => context.send(text('?', 'waiting-task')), { code: 'no-waiting-task' });
    await context.send(text('Draw')).done;
    assert.equal(context.waitingTask?.taskId, 't');
    assert.equal(window.contexts.page({ agent: 'Ann' }).items[0]?.waiting, 1);
    await context.send(text('Red', 'waiting-task')).done;
    assert.equal(context.waitingTask, undefined);
    assert.equal(window.contexts.page({ agent: 'Ann' }).items[0]?.waiting, 0);
    await context.send({ ...text('Bigger'), referenceTaskIds: ['t'] }).done;
    assert.deepEqual(transcript(), [
      'I: Draw (sent)',
      'working',
      'input_required: Which colour?',
      'I: Red (sent)',
      'working',
      'completed',
      'I: Bigger (sent)',
      'completed',
    ]);
    const messages = requests().flatMap(({ params }) => (params !== undefined && 'message' in params ? [params.message] : []));
    assert.deepEqual(
      messages.map(({ contextId, taskId, referenceTaskIds }) => ({ contextId, taskId, referenceTaskIds })),
      [
        { contextId: undefined, taskId: undefined, referenceTaskIds: undefined },
        { contextId: 'c', taskId: 't', referenceTaskIds: undefined },
        { contextId: 'c', taskId: undefined, referenceTaskIds: ['t'] },
      ],
    );
    assert.equal(new Set(messages.map(({ messageId }) => messageId)).size, 3);
    assert.deepEqual(
      context.tasks().map(one => [one.taskId, one.title]),
      [
        ['u', 'Bigger'],
        ['t', 'Draw'],
      ],
    );
  });

  test('an answer to a task whose stream is still open is not heard twice', async () => {
    const answered = gate();
    let turn = 0;
    await begin({
      async *SendStreamingMessage() {
        const isFirst = ++turn === 1;
        if (isFirst) {
          yield task('WORKING');
          yield status('INPUT_REQUIRED', says('q', 'Which?'));
          await answered.opened;
        } else answered.open();
        // Everybody who listens to the task hears this.
        yield status('WORKING');
        yield chunk('x', first);
        yield { delay: 10 };
        yield chunk('y');
        yield { delay: 10 };
        yield status('COMPLETED');
      },
    });
    await context.send(text('Draw')).done;
    const run = context.send(text('Red', 'waiting-task'));
    await run.done;
    await until(() => run.over);
    assert.deepEqual(transcript(), [
      'I: Draw (sent)',
      'working',
      'input_required: Which?',
      'I: Red (sent)',
      'working',
      'a=xy.',
      'completed',
    ]);
    assert.equal(sends(), 2);
  });

  test('the message is on the disk before it is sent', async () => {
    let found: unknown;
    await begin({
      SendStreamingMessage: ({ params }) => {
        found = window.store.transcript.entries({ context: context.key }).map(word);
        assert.ok(params);
        return [task('COMPLETED')];
      },
    });
    await context.send(text('hi')).done;
    assert.deepEqual(found, ['I: hi (sending)']);
  });

  test('what is told is on the disk already', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), { delay: 10 }, chunk('y'), { delay: 10 }, chunk('z'), status('COMPLETED')],
    });
    const other = world.open();
    const late: string[] = [];
    context.onDidUpdate(updates => {
      for (const update of updates) {
        if (update.type !== 'put') continue;
        if (other.store.transcript.entry(update.entry.seq) === undefined) late.push(word(update.entry));
      }
    });
    await context.send(text('hi')).done;
    assert.deepEqual(late, []);
  });

  test('after a cut the task equals what GetTask says, however the chunks were cut', async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => `${index} `);
    const artifacts = [{ artifactId: 'a', parts: chunks.map(words => ({ text: words })) }];
    for (const cutAt of [1, 7, 39]) {
      await begin({
        SendStreamingMessage: [
          task('WORKING'),
          ...chunks.slice(0, cutAt).map((words, index) => chunk(words, { append: index > 0 })),
          ...cut,
        ],
        GetTask: [{ answer: taskOf('COMPLETED', { artifacts }) }],
      });
      const panel = panelOf(context);
      const { task: result } = await context.send(text('hi')).done;
      assert.deepEqual(result?.artifacts, artifacts);
      assert.deepEqual(context.task('t')?.artifacts, artifacts);
      assert.equal(sends(), 1);
      assert.deepEqual(panel.entries().map(word), ['I: hi (sent)', 'working', `a=${chunks.join('')}.`, 'gap', 'completed']);
    }
  });

  test('a gap is filled once the agent has told the whole task, by itself or when it is read again', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), chunk('x', first), ...cut],
      GetTask: () => [{ answer: asked('SubscribeToTask') > 0 ? taskOf('COMPLETED', made('x', 'y', 'z')) : taskOf('WORKING', made('x')) }],
      SubscribeToTask: [chunk('z'), { delay: 50 }, status('COMPLETED')],
    });
    const panel = panelOf(context);
    const gaps = (entries: readonly Entry[]): boolean[] => entries.flatMap(entry => (entry.kind === 'gap' ? [entry.filled === true] : []));
    const run = context.send(text('hi'));
    await until(() => gaps(panel.entries()).length > 0);
    assert.deepEqual(gaps(panel.entries()), [false]);
    await run.ended;
    assert.deepEqual([gaps(panel.entries()), gaps(context.entries().items)], [[true], [true]]);
    window.store.own.putGap(context.key, { template: 'Cut', args: [] }, { taskId: 't', at: Date.now() });
    await context.refreshTask('t');
    assert.deepEqual(gaps(context.entries().items), [true, true]);
  });

  test('an end that is told twice under different message ids is one entry', async () => {
    await begin({
      SendStreamingMessage: [
        task('WORKING'),
        status('FAILED', says('one', 'No fuel.')),
        { event: { task: taskOf('FAILED', {}, says('two', 'No fuel.')) } },
      ],
    });
    await context.send(text('hi')).ended;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'failed: No fuel.']);
  });

  test('cuts by which nothing was missed leave no gap, and the stream is taken up again each time', async () => {
    let cuts = 0;
    await begin({
      SendStreamingMessage: [task('WORKING'), ...cut],
      GetTask: () => [{ answer: taskOf(cuts < 3 ? 'WORKING' : 'COMPLETED') }],
      SubscribeToTask: () => [{ event: { task: taskOf('WORKING') } }, ...(++cuts < 3 ? cut : [status('COMPLETED')])],
    });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'completed']);
    assert.equal(asked('SubscribeToTask'), 3);
    assert.equal(sends(), 1);
  });

  test('a subscription that is cut while the agent speaks is a gap of its own', async () => {
    let cuts = 0;
    const unheard = (): Task => taskOf('WORKING', {}, says(`unheard ${cuts}`));
    await begin({
      SendStreamingMessage: [task('WORKING'), ...cut],
      GetTask: () => [{ answer: cuts < 2 ? unheard() : taskOf('COMPLETED') }],
      SubscribeToTask: () => [
        { event: { task: unheard() } },
        status('WORKING', says(`w${++cuts}`)),
        ...(cuts < 2 ? cut : [status('COMPLETED')]),
      ],
    });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), [
      'I: hi (sent)',
      'working',
      'gap',
      'working: unheard 0',
      'working: w1',
      'gap',
      'working: unheard 1',
      'working: w2',
      'completed',
    ]);
  });

  test('an agent that does not say how the task stands after a cut leaves a gap', async () => {
    await begin({
      SendStreamingMessage: [task('WORKING'), ...cut],
      GetTask: [{ error: { code: -32603, message: 'Not now' } }],
      SubscribeToTask: [status('COMPLETED')],
    });
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'gap', 'completed']);
  });

  test('a stream that is dead while the agent works is left for another one', async () => {
    let asks = 0;
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
        GetTask: () => [{ answer: ++asks < 2 ? taskOf('WORKING', made('x')) : taskOf('WORKING', made('x', 'y')) }],
        SubscribeToTask: [{ event: { task: taskOf('WORKING', made('x', 'y')) } }, chunk('z'), status('COMPLETED')],
      },
      { alone: true },
    );
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    const run = context.send(text('hi'));
    await until(() => asked('SubscribeToTask') === 1 && !run.running);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xyz.', 'gap', 'completed']);
    assert.equal(sends(), 1);
  });

  for (const generation of ['1.0', '0.3']) {
    const silent = { generation, card: (url: string) => ({ ...minimalCard(url, generation), capabilities: {} }) };

    test(`an agent that does not stream is asked until the task is over (${generation})`, async () => {
      let asks = 0;
      await begin(
        {
          SendMessage: [{ answer: { task: taskOf('WORKING') } }],
          GetTask: () => [{ answer: taskOf(++asks < 4 ? 'WORKING' : 'COMPLETED', asks < 4 ? {} : made('x')) }],
        },
        silent,
      );
      const result = await context.send(text('hi')).done;
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'completed']);
      assert.deepEqual(
        context.entries().items.map(({ polled }) => polled),
        [undefined, undefined, undefined, true],
      );
      assert.deepEqual([result.problem, asks, sends(), asked('SubscribeToTask')], [undefined, 4, 1, 0]);
    });

    test(`an agent that does not stream is asked until the task waits, and again after the answer (${generation})`, async () => {
      let asks = 0;
      await begin(
        {
          SendMessage: ({ params }) => [{ answer: { task: taskOf(params!.message.taskId === undefined ? 'SUBMITTED' : 'WORKING') } }],
          GetTask: () => {
            asks++;
            return [
              {
                answer:
                  asks < 3
                    ? taskOf('WORKING')
                    : asks === 3
                      ? taskOf('INPUT_REQUIRED', {}, says('q', 'Which?'))
                      : asks < 6
                        ? taskOf('WORKING')
                        : taskOf('COMPLETED', made('red')),
              },
            ];
          },
        },
        silent,
      );
      const first = await context.send(text('hi')).done;
      assert.deepEqual([first.problem, first.task?.status.state, asks], [undefined, 'TASK_STATE_INPUT_REQUIRED', 3]);
      // A task that waits is not asked for.
      await new Promise(resolve => setTimeout(resolve, 40));
      assert.equal(asks, 3);
      const second = await context.send(text('Red', 'waiting-task')).done;
      assert.deepEqual([second.problem, second.task?.status.state, asks, sends()], [undefined, 'TASK_STATE_COMPLETED', 6, 2]);
      assert.deepEqual(transcript(), [
        'I: hi (sent)',
        'submitted',
        'working',
        'input_required: Which?',
        'I: Red (sent)',
        'working',
        'a=red.',
        'completed',
      ]);
    });

    test(`an agent that does not stream and cannot be reached for a while is asked on (${generation})`, async () => {
      let asks = 0;
      await begin(
        {
          SendMessage: [{ answer: { task: taskOf('WORKING') } }],
          GetTask: () =>
            ++asks < 3 ? [{ status: 503 }, { html: 'Wait' }] : asks < 5 ? [{ reset: true }] : [{ answer: taskOf('COMPLETED') }],
        },
        silent,
      );
      const result = await context.send(text('hi')).done;
      assert.deepEqual([result.problem, asks, sends()], [undefined, 5, 1]);
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'completed']);
    });
  }

  test('an agent that cannot be reached any more is given up in the end', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), ...cut], GetTask: [{ reset: true }] }, { alone: true });
    window = world.open({ timing: { ...fast, giveUp: 1_500 } });
    context = window.contexts.create('Ann');
    const result = await context.send(text('hi')).done;
    assert.equal(result.problem?.code, 'lost-contact');
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'problem lost-contact']);
    assert.ok(asked('GetTask') > 3);
    assert.equal(sends(), 1);
  });

  test('a task that is refreshed while it streams ends as the agent has it, without a word twice', async () => {
    const refreshed = gate();
    let over = false;
    await begin({
      async *SendStreamingMessage() {
        yield task('WORKING');
        yield chunk('x', first);
        await refreshed.opened;
        // On its way when the snapshot was taken.
        yield chunk('y');
        over = true;
        yield status('COMPLETED');
      },
      GetTask: () => [{ answer: taskOf(over ? 'COMPLETED' : 'WORKING', made('x', 'y')) }],
    });
    const run = context.send(text('hi'));
    await until(() => context.artifacts('t').length === 1);
    await context.refreshTask('t');
    refreshed.open();
    await run.done;
    await until(() => run.over);
    assert.deepEqual(context.task('t')?.artifacts, made('x', 'y').artifacts);
  });

  test('a stream that is dead without saying so is found out', async () => {
    await begin(
      {
        SendStreamingMessage: [task('WORKING'), chunk('x', first), { stall: true }],
        GetTask: [{ answer: taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }, { text: 'y' }] }] }) }],
      },
      { alone: true },
    );
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    await context.send(text('hi')).done;
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', 'gap', 'completed']);
    assert.equal(sends(), 1);
  });

  test('a stream that is silent for long is listened to while the agent answers, be it an error', async () => {
    const asked = gate();
    await begin(
      {
        async *SendStreamingMessage() {
          yield task('WORKING');
          yield chunk('x', first);
          await asked.opened;
          yield { delay: 20 };
          yield chunk('y');
          yield status('COMPLETED');
        },
        GetTask: () => {
          asked.open();
          return [{ error: { code: -32601, message: 'Method not found' } }];
        },
      },
      { alone: true },
    );
    window = world.open({ timing: { ...fast, silence: 30 } });
    context = window.contexts.create('Ann');
    const result = await context.send(text('hi')).done;
    assert.equal(result.problem, undefined);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', 'completed']);
  });

  for (const [generation, configuration] of [
    ['1.0', { returnImmediately: true }],
    ['0.3', { blocking: false }],
  ] as const) {
    test(`a new task shall have its name at once where nothing streams (${generation})`, async () => {
      await begin({ SendMessage: [{ answer: { task: taskOf('INPUT_REQUIRED') } }] }, { generation });
      const send = async (options: Partial<SendOptions>): Promise<unknown> => {
        await context.send({ ...text('hi'), streaming: false, ...options }).done;
        return (JSON.parse(requests().at(-1)!.body) as { params: { configuration?: unknown } }).params.configuration;
      };
      assert.deepEqual(await send({}), configuration);
      assert.deepEqual(await send({ configuration: { historyLength: 1 } }), { historyLength: 1, ...configuration });
      assert.notDeepEqual(await send({ configuration: { returnImmediately: false } }), configuration);
      assert.equal(await send({ target: 'waiting-task' }), undefined);
    });
  }

  test('an agent that only ever says messages is spoken to in the context it named', async () => {
    let turn = 0;
    await begin({ SendStreamingMessage: () => [{ event: { message: { ...says(`m${++turn}`), contextId: `talk ${turn}` } } }] });
    await context.send(text('My name is Ann')).done;
    assert.equal(context.contextId, 'talk 1');
    await context.send(text('Who am I?')).done;
    const sent = requests().flatMap(({ params }) => (params !== undefined && 'message' in params ? [params.message.contextId] : []));
    assert.deepEqual(sent, [undefined, 'talk 1']);
    // The first name stays: the conversation began under it.
    assert.equal(context.contextId, 'talk 1');
  });

  test('a stream that breaks off in the middle, or that is ended here, says nothing of the agent', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), ...cut], GetTask: [{ answer: taskOf('COMPLETED') }] });
    const told: unknown[] = [];
    const listener = window.agents.onDidChange(agent => told.push(agent?.reachability));
    await context.send(text('hi')).done;
    await begin({ SendStreamingMessage: [task('WORKING'), { stall: true }], CancelTask: [{ answer: taskOf('CANCELED') }] });
    const run = context.send(text('hi'));
    await until(() => context.tasks().length === 1);
    await run.stop();
    await until(() => run.over);
    listener.dispose();
    assert.deepEqual(
      [told.filter(reachability => reachability === 'unreachable'), window.agents.get('Ann')?.reachability],
      [[], 'reachable'],
    );
  });

  test('a message that is still being sent is not taken for one whose process is gone', async () => {
    const answers = gate();
    await begin(
      {
        async *SendStreamingMessage() {
          await answers.opened;
          yield task('COMPLETED');
        },
      },
      { alone: true },
    );
    window.contexts.resume();
    const { store } = window;
    const { look } = store;
    let looks = 0;
    store.look = () => {
      looks++;
      look.call(store);
    };
    try {
      const run = context.send(text('hi'));
      await until(() => asked('SendStreamingMessage') === 1);
      looks = 0;
      await until(() => looks > 3);
      assert.deepEqual(transcript(), ['I: hi (sending)']);
      answers.open();
      await run.done;
    } finally {
      store.look = look;
    }
    assert.deepEqual(transcript(), ['I: hi (sent)', 'completed']);
  });

  test('a task that waits for authorisation is asked for until nobody can be expected to give it any more', async () => {
    world = await startWorld({
      version: '1.0',
      script: {
        SendMessage: [{ answer: { task: taskOf('AUTH_REQUIRED', {}, says('q', 'Sign in')) } }],
        GetTask: [{ answer: taskOf('AUTH_REQUIRED', {}, says('q', 'Sign in')) }],
      },
    });
    window = world.open({ timing: { ...fast, giveUp: 100 } });
    context = window.contexts.create('Ann');
    earlier = 0;
    const run = context.send({ ...text('hi'), streaming: false });
    await until(() => asked('GetTask') > 1);
    await until(() => run.over);
    assert.deepEqual(transcript(), ['I: hi (sent)', 'auth_required: Sign in']);
  });

  test('a task that waits for authorisation goes on without another message', async () => {
    const authorised = gate();
    await begin({
      async *SendStreamingMessage() {
        yield task('AUTH_REQUIRED', {}, says('q', 'Sign in'));
        await authorised.opened;
        yield status('WORKING');
        yield status('COMPLETED');
      },
    });
    const run = context.send(text('hi'));
    assert.equal((await run.done).task?.status.state, 'TASK_STATE_AUTH_REQUIRED');
    assert.equal(context.running, false);
    authorised.open();
    await until(() => transcript().includes('completed'));
    assert.deepEqual(transcript(), ['I: hi (sent)', 'auth_required: Sign in', 'working', 'completed']);
  });

  suite('stop', () => {
    const working = [task('WORKING'), chunk('x', first), { stall: true }] as const;

    test('cancels the task at the agent and closes the stream', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ answer: taskOf('CANCELED') }] });
      const run = context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      const outcome = run.stop();
      assert.equal(context.stopping, true);
      assert.equal(await outcome, 'canceled');
      assert.equal(context.stopping, false);
      assert.equal((await run.done).task?.status.state, 'TASK_STATE_CANCELED');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'canceled']);
      assert.equal(context.entries().items.at(-1)?.polled, undefined, 'canceled just then');
      await until(() => requests().find(({ operation }) => operation === 'SendStreamingMessage')!.signal.aborted);
    });

    test('an agent that answers first and cancels then', async () => {
      const cancelled = gate();
      await begin({
        async *SendStreamingMessage() {
          yield task('WORKING');
          await cancelled.opened;
          yield status('CANCELED');
        },
        CancelTask: () => {
          cancelled.open();
          return [{ answer: taskOf('WORKING') }];
        },
      });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'canceled');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'canceled']);
    });

    for (const [last, outcome] of [
      ['COMPLETED', 'over'],
      ['CANCELED', 'canceled'],
    ] as const)
      test(`the stream says after the answer to CancelTask that the task is ${last}`, async () => {
        const canceling = gate();
        const whole = taskOf(last, made('xy'));
        await begin({
          async *SendStreamingMessage() {
            yield task('WORKING');
            yield chunk('x', first);
            await canceling.opened;
            yield { delay: 50 };
            yield chunk('y', { lastChunk: true });
            yield status(last);
          },
          CancelTask: () => {
            canceling.open();
            return [{ answer: taskOf('CANCELED', made('x')) }];
          },
          GetTask: [{ answer: whole }],
        });
        const run = context.send(text('hi'));
        await until(() => context.tasks().length === 1);
        assert.equal(await run.stop(), outcome);
        const result = await run.done;
        assert.equal(result.task?.status.state, `TASK_STATE_${last}`);
        assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', 'canceled', ...(last === 'CANCELED' ? [] : ['completed'])]);
      });

    const refusals: readonly (readonly [what: string, turn: readonly Step[], outcome: StopOutcome, code: string])[] = [
      ['a task that cannot be canceled', [{ error: { code: -32002, message: 'Never.' } }], 'not-cancelable', 'agent-error'],
      ['an operation that is not supported', [{ error: { code: -32004, message: 'Never.' } }], 'not-cancelable', 'agent-error'],
      ['a method that is not known', [{ error: { code: -32601, message: 'Never.' } }], 'not-cancelable', 'agent-error'],
      ['an error of the server', [{ status: 500 }, { html: 'Never.' }], 'unknown', 'stop-unknown'],
      ['an agent that agrees and goes on', [{ answer: taskOf('WORKING', made('x')) }], 'unknown', 'stop-unknown'],
    ];
    for (const [what, turn, outcome, code] of refusals) {
      test(`a refusal is quoted, and the task is followed to its end: ${what}`, async () => {
        const goes = gate();
        let asks = 0;
        await begin({
          async *SendStreamingMessage() {
            yield task('WORKING');
            yield chunk('x', first);
            await goes.opened;
            yield chunk('y', { lastChunk: true });
            yield status('COMPLETED');
          },
          CancelTask: () => {
            asks++;
            return turn;
          },
          GetTask: [{ answer: taskOf('WORKING', made('x')) }],
        });
        const run = context.send(text('hi'));
        await until(() => context.tasks().length === 1);
        assert.equal(await context.stop(), outcome);
        assert.deepEqual([context.running, context.stopping, context.connection?.kind], [true, false, 'open']);
        const problem = context.entries().items.at(-1);
        assert.ok(problem?.kind === 'problem' && problem.code === code, JSON.stringify(problem));
        if (outcome === 'not-cancelable') assert.ok(problem.sentence.args.includes('Never.'), JSON.stringify(problem));
        assert.equal(await context.cancelTask('t'), outcome, 'it can be asked again');
        assert.equal(asks, 2);
        goes.open();
        const result = await run.done;
        assert.deepEqual([result.task?.status.state, result.problem], ['TASK_STATE_COMPLETED', undefined]);
        assert.equal(context.running, false);
        assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=xy.', `problem ${code}`, `problem ${code}`, 'completed']);
      });
    }

    test('a refusal that comes when the silent connection is closed already: the task is followed anew', async () => {
      let turn = 0;
      await begin({
        SendStreamingMessage: working,
        CancelTask: [{ delay: fast.naming + 200 }, { error: { code: -32002, message: 'Never.' } }],
        GetTask: () => [{ answer: taskOf(++turn > 2 ? 'COMPLETED' : 'WORKING', made('x')) }],
      });
      const run = context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'not-cancelable');
      assert.ok(requests()[0]!.signal.aborted);
      assert.equal(run.over, true);
      assert.equal(run.result.problem?.code, 'agent-error');
      await until(() => transcript().at(-1) === 'completed');
    });

    test('an agent that refuses because the task has just ended', async () => {
      await begin({
        SendStreamingMessage: working,
        CancelTask: [{ error: { code: -32002, message: 'Over.' } }],
        GetTask: [{ answer: taskOf('COMPLETED') }],
      });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'over');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x.', 'completed']);
    });

    test('an agent that does not answer', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ reset: true }] });
      context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      assert.equal(await context.stop(), 'unknown');
      assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'a=x', 'problem stop-unknown']);
      const problem = context.entries().items.at(-1);
      assert.ok(problem?.kind === 'problem' && typeof problem.sentence.args[0] === 'object', JSON.stringify(problem));
    });

    /** A message that the agent works on without a word, and that its list tells of. */
    const silentlyBegun = (): Script => {
      let begun: Task | undefined;
      const works = ({ params }: ReceivedRequest<'SendMessage' | 'SendStreamingMessage'>): readonly Step[] => {
        begun = taskOf('WORKING', { history: [{ ...params!.message, taskId: 't', contextId: 'c' }] });
        return [{ stall: true }];
      };
      return {
        SendMessage: works,
        SendStreamingMessage: works,
        ListTasks: () => [{ answer: { tasks: begun === undefined ? [] : [begun], nextPageToken: '', pageSize: 100, totalSize: 1 } }],
        GetTask: () => [{ answer: begun! }],
        CancelTask: () => [{ answer: { ...begun!, status: { state: 'TASK_STATE_CANCELED' } } }],
      };
    };

    for (const streaming of [true, false]) {
      test(`closes the connection to an agent that says nothing, finds its task and cancels it (${streaming ? 'a stream' : 'an agent that blocks'})`, async () => {
        await begin(silentlyBegun(), { alone: true });
        const told: unknown[] = [];
        window.agents.onDidChange(agent => told.push(agent?.reachability));
        const run = context.send({ ...text('hi'), streaming });
        await until(() => sends() === 1);
        const outcome = run.stop();
        await until(() => requests()[0]!.signal.aborted);
        assert.equal(await outcome, 'canceled');
        assert.equal(context.task('t')?.status.state, 'TASK_STATE_CANCELED');
        assert.equal(asked('CancelTask'), 1);
        assert.deepEqual(transcript(), ['I: hi (sent)', 'working', 'canceled']);
        assert.ok(!told.includes('unreachable'), 'who closes the connection is not the agent');
      });
    }

    test('the silent connection is closed although the agent does not answer to the canceling either', async () => {
      await begin({ SendStreamingMessage: working, CancelTask: [{ stall: true }] });
      const run = context.send(text('hi'));
      await until(() => context.tasks().length === 1);
      void run.stop();
      await until(() => requests()[0]!.signal.aborted);
      assert.equal(context.stopping, true);
      run.detach();
    });

    test('what an agent says after the end is not listened to any more', async () => {
      await begin({ SendStreamingMessage: [task('COMPLETED'), { stall: true }] });
      const run = context.send(text('hi'));
      await run.done;
      assert.equal(await run.stop(), 'over');
      await run.ended;
      await until(() => requests()[0]!.signal.aborted);
    });

    test('a task that is known is cancelled although the answer to the message does not come', async () => {
      let turn = 0;
      await begin({
        SendMessage: () => (++turn === 1 ? [{ answer: { task: taskOf('INPUT_REQUIRED') } }] : [{ stall: true }]),
        CancelTask: [{ answer: taskOf('CANCELED') }],
      });
      await context.send({ ...text('hi'), streaming: false }).done;
      const run = context.send({ ...text('Red', 'waiting-task'), streaming: false });
      await until(() => sends() === 2);
      assert.equal(await run.stop(), 'canceled');
    });

    test('nothing was sent: it is over at once', async () => {
      await begin({});
      const run = context.send(text('hi'));
      assert.equal(await run.stop(), 'over');
      assert.equal(sends(), 0);
    });

    for (const what of ['context that is deleted', 'window that is closed'] as const) {
      test(`of a ${what} meanwhile: nothing is written`, async () => {
        const cancelled = gate();
        let asking = false;
        await begin(
          {
            SendStreamingMessage: working,
            async *CancelTask() {
              asking = true;
              await cancelled.opened;
              yield { answer: taskOf('CANCELED') };
            },
          },
          { alone: true },
        );
        const run = context.send(text('hi'));
        await until(() => context.tasks().length === 1);
        const stopped = run.stop();
        await until(() => asking);
        let deleted = 0;
        context.onDidDelete(() => deleted++);
        if (what === 'window that is closed') window.close();
        else window.contexts.delete(context.key);
        cancelled.open();
        await stopped;
        assert.equal(deleted, what === 'window that is closed' ? 0 : 1);
      });
    }

    test('of a task that no run follows', async () => {
      let asks = 0;
      await begin({
        GetTask: () => [{ answer: taskOf(++asks < 3 ? 'WORKING' : 'CANCELED') }],
        CancelTask: [{ answer: taskOf('WORKING') }],
      });
      await context.refreshTask('t');
      assert.equal(await context.cancelTask('t'), 'canceled');
      assert.deepEqual(transcript(), ['working', 'canceled']);
    });

    test('waits for the first event where no task is known yet', async () => {
      await begin({ SendStreamingMessage: [{ delay: 60 }, ...working], CancelTask: [{ answer: taskOf('CANCELED') }] });
      const run = context.send(text('hi'));
      await until(() => sends() === 1);
      assert.equal(await run.stop(), 'canceled');
    });

    test('closes the connection where no task comes, and does not know what became of the message', async () => {
      await begin({ SendMessage: [{ stall: true }] });
      const run = context.send({ ...text('hi'), streaming: false });
      await until(() => sends() === 1);
      assert.equal(await run.stop(), 'unknown');
      const result = await run.done;
      assert.deepEqual([result.delivery, result.problem?.code], ['unknown', 'stop-unknown']);
      assert.deepEqual(transcript(), ['I: hi (unknown)', 'problem stop-unknown']);
      assert.equal(outcome(), 'Stopped before a reply');
      await until(() => requests().at(-1)!.signal.aborted);
    });

    test('nothing is left of what is over', async () => {
      await begin({ SendStreamingMessage: [task('COMPLETED')] });
      const run = context.send(text('hi'));
      await run.done;
      assert.equal(await run.stop(), 'over');
      assert.equal(asked('CancelTask'), 0);
    });
  });

  test('a call folds what it brings into the history', async () => {
    await begin({ GetTask: [{ answer: taskOf('COMPLETED', { history: [says('m')] }) }] });
    const { result, exchangeId } = await context.call('GetTask', { id: 't' });
    assert.equal(result.id, 't');
    assert.deepEqual(transcript(), ['agent: m', 'completed']);
    assert.equal(context.contextId, 'c');
    assert.equal(window.contexts.exchange(exchangeId)?.exchange.response?.status, 200);
    await context.refreshTask('t');
    assert.deepEqual(transcript(), ['agent: m', 'completed']);
  });

  test('a listing tells nothing of other contexts', async () => {
    const listed = (word: 'WORKING' | 'COMPLETED'): Task => ({ ...taskOf(word), id: 'listed' });
    await begin({
      GetTask: [{ answer: listed('WORKING') }],
      ListTasks: [
        {
          answer: {
            tasks: [listed('COMPLETED'), { ...taskOf('COMPLETED'), id: 'foreign', contextId: 'd' }],
            nextPageToken: '',
            pageSize: 50,
            totalSize: 2,
          },
        },
      ],
    });
    await context.refreshTask('listed');
    const other = window.contexts.create('Ann');
    await other.call('ListTasks', {});
    assert.deepEqual(
      context.tasks().map(one => [one.taskId, one.state]),
      [['listed', 'TASK_STATE_COMPLETED']],
    );
    assert.equal(window.contexts.forTask('Ann', 'foreign'), undefined);
    assert.deepEqual([other.contextId, other.tasks()], [undefined, []]);
    assert.equal(window.contexts.discard(other.key), true);
    assert.equal(window.contexts.discard(context.key), false);
  });

  test('a raw body is sent as written and its answer taken in', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), chunk('x', first), status('COMPLETED')] });
    const body =
      '{ "jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage", "params": { "message": { "messageId": "u", "role": "ROLE_USER", "parts": [ { "text": "hi" } ] } } }';
    let events = 0;
    for await (const batch of context.sendRaw(body)) events += batch.events.length;
    assert.equal(events, 3);
    assert.equal(requests().at(-1)?.body, body);
    assert.deepEqual(transcript(), ['working', 'a=x.', 'completed']);
  });

  test('deleting a context stops listening to it', async () => {
    await begin({ SendStreamingMessage: [task('WORKING'), { stall: true }] });
    const run = context.send(text('hi'));
    await until(() => context.tasks().length === 1);
    window.contexts.delete(context.key);
    await run.done;
    assert.equal(window.contexts.get(context.key), undefined);
    assert.equal(asked('CancelTask'), 0);
    await until(() => requests().at(-1)!.signal.aborted);
  });

  test('nothing to send and nobody to send it to are said at once', async () => {
    await begin({}, { alone: true });
    assert.throws(() => context.send({ parts: [], target: 'new-task' }), { code: 'empty-message' });
    window.agents.configure({});
    assert.throws(
      () => context.send(text('hi')),
      (error: unknown) => error instanceof Problem && error.code === 'unknown-agent',
    );
    assert.deepEqual(transcript(), []);
  });
});
