import * as assert from 'node:assert/strict';
import { checkDelivery, type DeliveryCheck } from '../../../src/model/contexts/deliveryCheck.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Task } from '../../../src/protocol/message/task.ts';

const at = Date.parse('2026-05-04T12:00:00Z');
const parts = [{ text: 'hi' }];
const sent: Message = { messageId: 'mine', role: 'ROLE_USER', parts };
/** As an agent keeps it that gives messages ids of its own. */
const renamed: Message = { ...sent, messageId: 'own' };
const answer: Message = { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'Hello' }] };

const taskOf = (
  history: readonly Message[] | undefined,
  { id = 't', timestamp, contextId = 'c' }: { id?: string; timestamp?: string; contextId?: string } = {},
): Task => ({
  id,
  contextId,
  status: { state: 'TASK_STATE_WORKING', ...(timestamp !== undefined && { timestamp }) },
  ...(history && { history: [...history] }),
});

interface Asked {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
}

suite('what an agent says of a message whose answer was lost', () => {
  /**
   * `listed`: what the agent lists, on every page of a list without an end where it is `endless` (with other ids, or the same `again`); `known`: the person's messages that the history
   * has of each task; `whole`: what the agent tells of one task, or why it does not.
   */
  async function check({
    message = sent,
    listed = [],
    endless = false,
    known = {},
    whole,
  }: {
    message?: Message;
    listed?: readonly Task[];
    endless?: boolean | 'again';
    known?: Readonly<Record<string, readonly Message[]>>;
    whole?: Task | Error;
  }): Promise<{ readonly check: DeliveryCheck; readonly asked: readonly Asked[] }> {
    const asked: Asked[] = [];
    const ask = async (operation: string, params: Readonly<Record<string, unknown>>): Promise<unknown> => {
      asked.push({ operation, params });
      const result =
        operation === 'ListTasks'
          ? {
              tasks: endless === true ? listed.map(one => ({ ...one, id: `${one.id}-${asked.length}` })) : listed,
              nextPageToken: endless !== false ? String(asked.length) : '',
              pageSize: 100,
              totalSize: listed.length,
            }
          : (whole ?? listed.find(({ id }) => id === params['id']));
      if (result instanceof Error) throw result;
      return { result, exchangeId: operation };
    };
    const entry = { kind: 'message', seq: 1, at, message } as const;
    return { check: await checkDelivery(entry, { ask: ask as never, saidIn: id => known[id] ?? [] }), asked };
  }
  const inContext: Message = { ...sent, contextId: 'c' };
  const inTask: Message = { ...inContext, taskId: 't' };
  const outcome = async (of: Parameters<typeof check>[0]): Promise<string> => (await check(of)).check.outcome;

  suite('in its list', () => {
    test('a task of another message of the person is not taken for it, whatever it says', async () => {
      assert.equal(await outcome({ message: inContext, listed: [taskOf([renamed])], known: { t: [renamed] } }), 'not-found');
    });

    test("what the agent said in the same words is not the person's", async () => {
      assert.equal(await outcome({ message: inContext, listed: [taskOf([{ ...renamed, role: 'ROLE_AGENT' }])] }), 'not-found');
    });

    test('the same words count in the context of the message alone, also where the agent lists those of all', async () => {
      assert.equal(await outcome({ message: inContext, listed: [taskOf([renamed], { contextId: 'of somebody else' })] }), 'not-found');
      assert.equal(
        await outcome({ message: inContext, listed: [taskOf([sent], { contextId: 'of somebody else' })] }),
        'found',
        'its id is its own',
      );
      assert.equal(
        await outcome({
          message: inContext,
          listed: [taskOf([renamed], { contextId: 'of somebody else' }), taskOf([renamed], { id: 'u' })],
        }),
        'found',
      );
    });

    test('the same words count in a task that is as new as the message, also where the agent lists older ones', async () => {
      assert.equal(await outcome({ message: inContext, listed: [taskOf([renamed], { timestamp: '2026-05-02T12:00:00Z' })] }), 'not-found');
      assert.equal(await outcome({ message: inContext, listed: [taskOf([renamed], { timestamp: '2026-05-04T11:59:00Z' })] }), 'found');
      assert.equal(await outcome({ message: inContext, listed: [taskOf([renamed], { timestamp: 'some day' })] }), 'found');
      assert.equal(
        await outcome({ message: inContext, listed: [taskOf([renamed], { timestamp: '2026-05-03T12:00:00Z' })] }),
        'found',
        'what is asked for is as new',
      );
    });

    test('its task is told with its artifacts, which a list has not', async () => {
      const whole = { ...taskOf([sent]), artifacts: [{ artifactId: 'a', parts }] };
      const { check: found, asked } = await check({ listed: [taskOf([sent])], whole });
      assert.deepEqual(found.outcome === 'found' && [found.task, found.exchangeId], [whole, 'GetTask']);
      assert.deepEqual(
        asked.map(({ operation }) => operation),
        ['ListTasks', 'GetTask'],
      );
    });

    test('five pages of a list without an end are looked through, and say nothing of what is behind them', async () => {
      const { check: found, asked } = await check({ listed: [taskOf([answer])], endless: true });
      assert.deepEqual([found.outcome, english(found.sentence)], ['unknowable', 'The agent has more tasks than were searched.']);
      assert.deepEqual(
        asked.map(({ params }) => params['pageToken']),
        [undefined, '1', '2', '3', '4'],
      );
    });

    test('a list that goes round in a circle says nothing of what else there is', async () => {
      const { check: found, asked } = await check({ listed: [taskOf([answer])], endless: 'again' });
      assert.deepEqual([found.outcome, asked.length], ['unknowable', 2]);
    });

    test('is asked for tasks of its context from a day before it on, since clocks differ', async () => {
      const { asked } = await check({ message: inContext });
      assert.deepEqual(asked, [
        {
          operation: 'ListTasks',
          params: { contextId: 'c', pageSize: 100, historyLength: 1000, statusTimestampAfter: '2026-05-03T12:00:00.000Z' },
        },
      ]);
    });

    test('of many tasks without their history no more than twenty are asked for', async () => {
      const listed = Array.from({ length: 30 }, (_, index) => taskOf(undefined, { id: `t${index}` }));
      const { check: found, asked } = await check({ listed, whole: taskOf([answer]) });
      assert.equal(found.outcome, 'unknowable');
      assert.equal(asked.filter(({ operation }) => operation === 'GetTask').length, 20);
    });
  });

  suite('in the task that it went into', () => {
    test("a history that has others of the person's messages and not this one says that it is missing", async () => {
      assert.equal(await outcome({ message: inTask, whole: taskOf([{ ...renamed, parts: [{ text: 'before' }] }]) }), 'not-found');
    });

    test("a history without any of the person's messages says nothing", async () => {
      for (const history of [[answer], [], undefined]) {
        const { check: found } = await check({ message: inTask, whole: taskOf(history) });
        assert.deepEqual([found.outcome, english(found.sentence)], ['unknowable', "The agent's tasks do not list their messages."]);
      }
    });

    test('an agent that does not tell of the task any more says nothing of the message; one that cannot be reached is no answer', async () => {
      const { check: found } = await check({ message: inTask, whole: new A2AError(-32001, 'gone') });
      assert.equal(found.outcome, 'unknowable');
      assert.match(english(found.sentence), /^The agent no longer has the task: .*gone$/);
      await assert.rejects(check({ message: inTask, whole: new Problem('refused', sentence('Nothing listens.')) }), { code: 'refused' });
    });

    test('the same words as often as they are known to have been said are no proof, once more are', async () => {
      const known = { t: [{ ...renamed, messageId: 'first' }] };
      assert.equal(await outcome({ message: inTask, whole: taskOf([renamed]), known }), 'not-found');
      assert.equal(
        await outcome({ message: inTask, whole: taskOf([renamed, answer, { ...renamed, messageId: 'again' }]), known }),
        'found',
      );
    });
  });
});
