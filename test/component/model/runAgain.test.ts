import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Step } from '../../../src/mock/script.ts';
import { newRun, turnsFrom } from '../../../src/model/again/newRun.ts';
import { answeredByPerson } from '../../../src/model/again/personAnswer.ts';
import { runAgain, type AgainTurn } from '../../../src/model/again/runAgain.ts';
import { storedRun } from '../../../src/model/again/storedRun.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { SendOptions } from '../../../src/model/run/sendOptions.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { startSampleAgents } from '../../support/sampleAgents.ts';
import { says, startWorld, status, task, taskOf, textOf, until, type Window, type World } from '../../support/model/world.ts';

const text = (words: string, target: SendOptions['target'] = 'new-task'): SendOptions => ({ parts: [{ text: words }], target });
const onError = (error: unknown): void => assert.fail(String(error));
const forever = new AbortController().signal;

suite('a conversation that is run again', () => {
  let world: World;
  let window: Window;
  let original: AgentContext;
  let again: AgentContext;
  /** What the agent does with a message to a task, or to none; for a new task `count` is its number, from 1. */
  let plays: (message: Message, count: number) => readonly Step[];
  let count: number;
  setup(async () => {
    count = 0;
    plays = (_, number) => [task('COMPLETED', { id: `t${number}` })];
    world = await startWorld({
      version: '1.0',
      script: {
        SendStreamingMessage: ({ params }) => {
          if (params?.message.taskId === undefined) count++;
          return plays(params!.message, count);
        },
        GetTask: ({ params }) => [{ answer: taskOf('COMPLETED', { id: (params as { readonly id: string }).id }) }],
      },
    });
    window = world.open();
    original = window.contexts.create('Ann');
  });
  teardown(async () => {
    assert.deepEqual(window.errors, []);
    await world.close();
  });

  async function run(more: Partial<Parameters<typeof runAgain>[0]> = {}): Promise<readonly AgainTurn[]> {
    again = window.contexts.create('Ann');
    const { turns } = storedRun(original);
    const told: AgainTurn[] = [];
    const said = turns.map(turn => turn.said);
    for await (const turn of runAgain({ context: again, said, before: turns, signal: forever, onError, ...more })) told.push(turn);
    return told;
  }
  const states = (turns: readonly AgainTurn[]): unknown[] =>
    turns.map(({ outcome }) => outcome.task?.status.state.replace('TASK_STATE_', '') ?? outcome.problem?.code);
  /** The messages that came to the agent. */
  const received = (): readonly Message[] =>
    world.agent.requests.flatMap(({ operation, params }: ReceivedRequest) =>
      operation === 'SendStreamingMessage' ? [(params as { readonly message: Message }).message] : [],
    );
  /** Their words, with the task that each goes into, and those that it refers to. */
  const sends = (since: number): readonly string[] =>
    received()
      .slice(since)
      .map(({ parts, taskId, referenceTaskIds = [] }) =>
        [textOf({ parts }), taskId, ...referenceTaskIds.map(id => `of ${id}`)].filter(piece => piece !== undefined).join(' '),
      );

  /** Asks about each new task, and is content with an answer. */
  const asking: typeof plays = ({ taskId }, number) =>
    taskId === undefined
      ? [task('INPUT_REQUIRED', { id: `t${number}` }, says(`q${number}`, 'Which?'))]
      : [task('COMPLETED', { id: taskId }, says(`d${number}`, 'Done'))];

  test('answers go into the task that asks now, references to the tasks of now', async () => {
    plays = asking;
    await original.send(text('Paint')).done;
    await original.send(text('Red', { taskId: 't1' })).done;
    await original.send({ ...text('Frame it'), referenceTaskIds: ['t1'], message: { metadata: { size: 'A4' } } }).done;
    const turns = await run();
    assert.deepEqual(states(turns), ['INPUT_REQUIRED', 'COMPLETED', 'INPUT_REQUIRED']);
    assert.deepEqual(sends(3), ['Paint', 'Red t3', 'Frame it of t3']);
    const sent = received();
    assert.deepEqual(sent.at(-1)?.metadata, { size: 'A4' });
    assert.equal(new Set(sent.map(({ messageId }) => messageId)).size, 6);
    assert.deepEqual(
      storedRun(again).turns.map(({ said }) => said),
      storedRun(original).turns.map(({ said }) => said),
    );
  });

  test('what answered a question becomes a new task where nothing is asked any more', async () => {
    plays = asking;
    await original.send(text('Paint')).done;
    await original.send(text('Red', { taskId: 't1' })).done;
    plays = (_, number) => [task('COMPLETED', { id: `t${number}` })];
    assert.deepEqual(states(await run()), ['COMPLETED', 'COMPLETED']);
    assert.deepEqual(sends(2), ['Paint', 'Red']);
  });

  test('a new question ends the run where nobody answers, and else the rest goes after the answer', async () => {
    await original.send(text('Paint')).done;
    await original.send({ ...text('Sell it'), referenceTaskIds: ['t1'] }).done;
    plays = (message, number) =>
      textOf(message) === 'Paint' || message.taskId !== undefined ? asking(message, number) : [task('COMPLETED', { id: `t${number}` })];
    const alone = await run();
    assert.deepEqual(states(alone), ['INPUT_REQUIRED']);
    assert.equal(alone[0]?.waitingTask, 't3');

    const answered = async ({ waitingTask: taskId }: { readonly waitingTask: string }): Promise<boolean> => {
      const done = answeredByPerson(again, { taskId, mayAsk: false, signal: forever });
      again.send(text('Red', { taskId }));
      return done;
    };
    assert.deepEqual(states(await run({ answered })), ['INPUT_REQUIRED', 'COMPLETED']);
    assert.deepEqual(sends(3), ['Paint', 'Red t4', 'Sell it of t4']);
  });

  test('from a message on, what refers to turns before it is left out, and the rest has its new place', async () => {
    plays = asking;
    await original.send(text('Paint')).done;
    await original.send(text('Red', { taskId: 't1' })).done;
    await original.send(text('Frame it')).done;
    await original.send({ ...text('Gold', { taskId: 't2' }), referenceTaskIds: ['t1', 't2'] }).done;
    const { turns } = storedRun(original);
    assert.deepEqual(
      turnsFrom(turns, 1).map(({ said: { answers, refersTo } }) => [answers, refersTo]),
      [
        [undefined, []],
        [undefined, []],
        [1, [0, 1]],
      ],
    );
    assert.deepEqual(turnsFrom(turns, 0), turns);
    const last = turnsFrom(turns, 2)[1]!;
    assert.deepEqual([last.said.answers, last.said.refersTo, last.outcome], [0, [0], turns[3]?.outcome]);
  });

  test('a question that was left open before does not end it', async () => {
    plays = asking;
    await original.send(text('Paint')).done;
    await original.send(text('Something else')).done;
    assert.deepEqual(states(await run()), ['INPUT_REQUIRED', 'INPUT_REQUIRED']);
    assert.deepEqual((await run({ before: [] })).length, 1);
  });

  test('a failure ends it, unless the message failed before, too', async () => {
    plays = message =>
      textOf(message) === 'Two' ? [{ error: { code: -32000, message: 'No' } }] : [task('COMPLETED', { id: `t${count}` })];
    for (const words of ['One', 'Two', 'Three']) await original.send(text(words)).done;
    const [, , three] = await run();
    assert.equal(three?.outcome.task?.status.state, 'TASK_STATE_COMPLETED');
    const before = storedRun(original).turns.map(turn => ({ said: turn.said }));
    const turns = await run({ before });
    assert.equal(turns.length, 2);
    assert.match(turns[1]!.outcome.problem!.message, /No/);
  });

  test('an agent that is gone ends it with the reason', async () => {
    await original.send(text('One')).done;
    await original.send(text('Two')).done;
    await world.agent.stop();
    const turns = await run();
    assert.equal(turns.length, 1);
    assert.match(turns[0]!.outcome.problem!.code, /^connect|refused|unreachable/);
  });

  test('a connection that breaks is made good by asking, and the run goes on', async () => {
    for (const words of ['One', 'Two']) await original.send(text(words)).done;
    plays = (message, number) =>
      textOf(message) === 'One'
        ? [task('WORKING', { id: `t${number}` }), { delay: 15 }, { reset: true }]
        : [task('COMPLETED', { id: `t${number}` })];
    assert.deepEqual(states(await run()), ['COMPLETED', 'COMPLETED']);
    assert.ok(world.agent.requests.some(({ operation }) => operation === 'GetTask'));
    assert.deepEqual(sends(2), ['One', 'Two']);
  });

  test('a message that takes longer than it may is canceled, and ends the run', async () => {
    for (const words of ['One', 'Two']) await original.send(text(words)).done;
    plays = (_, number) => [task('WORKING', { id: `t${number}` }), { stall: true }];
    const turns = await run({ timeoutMs: 50 });
    assert.deepEqual(
      turns.map(({ outcome }) => outcome.problem?.code),
      ['time-limit'],
    );
    await until(() => world.agent.requests.some(({ operation }) => operation === 'CancelTask'));
  });

  test('a run in which nothing was sent leaves no context', async () => {
    await original.send(text('One')).done;
    const { turns } = storedRun(original);
    const none = { contexts: window.contexts, agent: 'Ann', title: 'Run 2', turns, attended: false, onError };
    assert.deepEqual(await newRun({ ...none, signal: AbortSignal.abort() }), { context: undefined, turns: [] });
    assert.equal(window.contexts.page({ agent: 'Ann' }).items.length, 1);
  });

  test('when it is canceled, the task under way is canceled and no message comes after it', async () => {
    for (const words of ['One', 'Two']) await original.send(text(words)).done;
    const stop = new AbortController();
    plays = (_, number) => {
      setTimeout(() => stop.abort(), 20);
      return [task('WORKING', { id: `t${number}` }), { stall: true }];
    };
    const turns = await run({ signal: stop.signal });
    assert.equal(turns.length, 1);
    assert.equal(sends(2).length, 1);
    assert.ok(world.agent.requests.some(({ operation }) => operation === 'CancelTask'));
  });

  test('when it is canceled just before a message leaves, it does not leave', async () => {
    await original.send(text('One')).done;
    const stop = new AbortController();
    plays = (_, number) => [task('WORKING', { id: `t${number}` }), { stall: true }];
    const patiently = async <T>(work: () => T): Promise<T> => {
      stop.abort();
      return work();
    };
    await run({ signal: stop.signal, patiently });
    assert.deepEqual(sends(1), []);
  });

  test('a password that was not kept is for the person to enter, and the rest goes after it', async () => {
    plays = (message, number) =>
      message.taskId === undefined
        ? [
            task(
              'INPUT_REQUIRED',
              { id: `t${number}` },
              {
                ...says(`q${number}`),
                parts: [{ data: { schema: { type: 'object', properties: { pin: { type: 'string', format: 'password' } } } } }],
              },
            ),
          ]
        : [task('COMPLETED', { id: message.taskId })];
    const pin = (value: string, taskId: string): SendOptions => ({ parts: [{ data: { pin: value } }], target: { taskId } });
    await original.send(text('Open')).done;
    await original.send(pin('1234', 't1')).done;
    await original.send({ ...text('Close'), referenceTaskIds: ['t1'] }).done;
    const alone = await run();
    assert.deepEqual(states(alone), ['INPUT_REQUIRED', 'password-not-kept']);
    assert.equal(alone[1]?.waitingTask, 't3');
    const answered = async ({ waitingTask: taskId }: { readonly waitingTask: string }): Promise<boolean> => {
      const done = answeredByPerson(again, { taskId, mayAsk: true, signal: forever });
      again.send(pin('1234', taskId));
      return done;
    };
    assert.deepEqual(states(await run({ answered })), ['INPUT_REQUIRED', 'password-not-kept', 'INPUT_REQUIRED']);
    assert.equal(sends(0).at(-1), 'Close of t4');
  });

  test('waiting for the person ends with the context, with the run, and with a task that is over', async () => {
    plays = asking;
    await original.send(text('Paint')).done;
    const stop = new AbortController();
    const wait = (): Promise<boolean> => answeredByPerson(original, { taskId: 't1', mayAsk: false, signal: stop.signal });
    const stopped = wait();
    stop.abort();
    assert.equal(await stopped, false);
    assert.equal(await wait(), false);
    const signal = forever;
    const answered = answeredByPerson(original, { taskId: 't1', mayAsk: false, signal });
    plays = ({ taskId }) => [status('INPUT_REQUIRED', says('q-again', 'And which shade?'), taskId)];
    await original.send(text('Red', { taskId: 't1' })).done;
    assert.equal(await Promise.race([answered, Promise.resolve('still waits')]), 'still waits');
    plays = asking;
    await original.send(text('Dark', { taskId: 't1' })).done;
    assert.equal(await answered, true);
    assert.equal(await answeredByPerson(original, { taskId: 't1', mayAsk: false, signal }), true);
    await original.send(text('Paint')).done;
    // An answer that the agent refuses is none.
    const asked = answeredByPerson(original, { taskId: 't2', mayAsk: true, signal });
    plays = () => [{ error: { code: -32000, message: 'Not now' } }];
    await original.send(text('Red', { taskId: 't2' })).done;
    assert.equal(await Promise.race([asked, Promise.resolve('still waits')]), 'still waits');
    const deleted = answeredByPerson(original, { taskId: 't2', mayAsk: false, signal });
    window.contexts.delete(original.key);
    assert.equal(await deleted, false);
  });
});

suite('a conversation with a sample agent that is run again', () => {
  test('the question of the currency agent is answered as it was', async () => {
    const agents = await startSampleAgents({ pace: 0 });
    const world = await startWorld({ version: '1.0', script: {} });
    const window = world.open();
    window.agents.configure({ Currency: { url: agents.urls.Currency } });
    const original = window.contexts.create('Currency');
    const { task: asked } = await original.send(text('How much is 10 USD?')).done;
    assert.equal(asked?.status.state, 'TASK_STATE_INPUT_REQUIRED');
    await original.send(text('EUR', { taskId: asked.id })).done;
    const { turns } = storedRun(original);
    const context = window.contexts.create('Currency');
    const told: AgainTurn[] = [];
    for await (const turn of runAgain({ context, said: turns.map(({ said }) => said), before: turns, signal: forever, onError }))
      told.push(turn);
    const words = (all: readonly { outcome?: { task?: { status: { state: string } } | undefined } | undefined }[]): unknown[] =>
      all.map(({ outcome }) => outcome?.task?.status.state);
    assert.deepEqual(words(told), words(turns));
    assert.deepEqual(words(storedRun(context).turns), ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED']);
    await world.close();
    await agents.stop();
  });
});
