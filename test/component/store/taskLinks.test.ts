import * as assert from 'node:assert/strict';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import { artifact, at, History, is, said } from './support/history.ts';

suite('tasks and what they refer to', () => {
  const history = History.ofEachTest();

  let messages = 0;
  const asks = (taskId: string, rest: Partial<Message> = {}, ...parts: Parameters<typeof said>[1][]): TaskChange => ({
    kind: 'message',
    taskId,
    message: { ...said(`m${messages++}`, ...(parts.length === 0 ? [taskId] : parts)), role: 'ROLE_USER', ...rest },
  });
  const shown = (key: string): string[] =>
    history.store
      .linkedTasks(key)
      .tasks.map(
        ({ taskId, context, references }) =>
          `${taskId}${references.length === 0 ? '' : ` < ${references.join(' ')}`}${context === key ? '' : ' elsewhere'}`,
      );

  test('as their messages say, in words of the message and of its parts', () => {
    const key = history.context();
    history.record(key, [
      asks('t1'),
      artifact('t1', 'a', 'x'),
      artifact('t1', 'b', 'y'),
      is('t1', 'COMPLETED'),
      asks('t2', { referenceTaskIds: ['t1', 't1'] }),
      asks(
        't3',
        {},
        {
          text: 'this one',
          metadata: {
            referenceArtifacts: [
              { artifactId: 'a', taskId: 't1' },
              { artifactId: 'b', taskId: 'gone' },
            ],
          },
        },
      ),
      is('t3', 'INPUT_REQUIRED', said('q', 'Which?')),
      asks('t3', {}, { text: 'that one', metadata: { artifactId: 'c', taskId: 't2' } }),
      is('t3', 'WORKING', { ...said('s', 'On it.'), referenceTaskIds: ['t4'] }),
      asks('t5', {}, 'a text that speaks of "referenceTaskIds" and of "artifactId"'),
    ]);
    assert.deepEqual(shown(key), ['t1', 't2 < t1', 't3 < t1 gone t2 t4', 't5']);
    const [first, , third] = history.store.linkedTasks(key).tasks;
    assert.deepEqual([first?.artifacts, first?.state, first?.title, third?.state], [2, 'TASK_STATE_COMPLETED', 't1', 'TASK_STATE_WORKING']);
    assert.equal(history.store.transcript.entry(first?.seq ?? -1)?.kind, 'message');
  });

  test('when each was in which state: changes alone, and none whose times nobody knows', () => {
    const key = history.context();
    history.record(key, [asks('t1'), is('t1', 'SUBMITTED')], at);
    history.record(key, [is('t1', 'WORKING', said('s1', 'One'))], at + 1_000);
    history.record(key, [is('t1', 'WORKING', said('s2', 'Two')), asks('t2')], at + 2_000);
    history.record(key, [is('t1', 'COMPLETED')], at + 3_000);
    const [one, two] = history.store.linkedTasks(key).tasks;
    assert.deepEqual(
      one?.states?.map(({ state, at: when }) => [state, when - at]),
      [
        ['TASK_STATE_SUBMITTED', 0],
        ['TASK_STATE_WORKING', 1_000],
        ['TASK_STATE_COMPLETED', 3_000],
      ],
    );
    assert.equal(two?.states, undefined);
  });

  test('a task of another context of the agent is there, one of another agent is not, nor one that was deleted', () => {
    const [key, other, stranger, deleted] = [history.context(), history.context(), history.context('Bob'), history.context()];
    history.record(other, [asks('far')]);
    history.record(stranger, [asks('bobs')]);
    history.record(deleted, [asks('old')]);
    history.store.edits.delete([{ context: deleted, taskId: 'old' }], at);
    history.record(key, [asks('t1', { referenceTaskIds: ['far', 'bobs', 'old'] }), asks('t2')]);
    assert.deepEqual(shown(key), ['t1 < far bobs old', 't2', 'far elsewhere']);
    history.store.edits.delete([{ context: key, taskId: 't1' }], at);
    assert.deepEqual(shown(key), ['t2']);
    assert.deepEqual(history.store.linkedTasks('nowhere'), { tasks: [], older: 0 });
  });

  test('the newest five hundred, twenty references each', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 503 }, (_, index) => asks(`t${index}`)),
    );
    history.record(key, [asks('t502', { referenceTaskIds: Array.from({ length: 100 }, (_, index) => `t${index}`) })]);
    const { tasks, older } = history.store.linkedTasks(key);
    assert.deepEqual(
      [tasks.length, tasks[0]?.taskId, tasks.at(-1)?.taskId, tasks.at(-1)?.references.length, older],
      [500, 't3', 't502', 20, 3],
    );
    const numbers = history.store.transcript.taskNumbers(key, new Set(['t502', 't0', 'none']));
    assert.deepEqual([numbers.size, numbers.get('t0'), numbers.get('t502')], [2, 1, 503]);
    assert.equal(history.store.context(key)?.tasks, 503);
  });
});
