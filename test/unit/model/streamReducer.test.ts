import * as assert from 'node:assert/strict';
import { StreamReducer } from '../../../src/model/fold/streamReducer.ts';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import type { Message } from '../../../src/protocol/message/message.ts';
import type { StreamResponse } from '../../../src/protocol/message/streamResponse.ts';
import type { TaskChange } from '../../../src/protocol/message/taskChange.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

type State = 'WORKING' | 'COMPLETED' | 'FAILED';
const state = (word: State): TaskState => `TASK_STATE_${word}`;
const task = (id: string, word: State = 'WORKING'): StreamResponse => ({ task: { id, contextId: 'c', status: { state: state(word) } } });
const status = (taskId: string, word: State = 'WORKING'): StreamResponse => ({
  statusUpdate: { taskId, contextId: 'c', status: { state: state(word) } },
});
const chunk = (taskId: string, text: string): StreamResponse => ({
  artifactUpdate: { taskId, contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } },
});
const says = (messageId: string, taskId?: string): { message: Message } => ({
  message: { messageId, role: 'ROLE_AGENT', parts: [{ text: messageId }], ...(taskId !== undefined && { taskId }) },
});

/** An answer in which `told` are tasks of the history, and how often each task was looked up there. */
function answer(
  told: Readonly<Record<string, State>>,
  expected?: string,
): { readonly answer: StreamReducer; readonly loaded: readonly string[] } {
  const loaded: string[] = [];
  const load = (id: string): TaskReducer => {
    loaded.push(id);
    const word = told[id];
    return new TaskReducer(
      id,
      word === undefined ? undefined : { task: { id, contextId: 'c', status: { state: state(word) } }, complete: new Set() },
    );
  };
  return { answer: new StreamReducer(load, expected), loaded };
}
const brief = (change: TaskChange): string => {
  switch (change.kind) {
    case 'finding':
      return `${change.taskId} ${change.finding.rule}`;
    case 'message':
      return `${change.taskId ?? '-'} says ${change.message.messageId}`;
    case 'status':
      return `${change.taskId} ${change.status.state.slice('TASK_STATE_'.length).toLowerCase()}`;
    default:
      return `${change.taskId} ${change.kind}`;
  }
};

suite('the task that an answer is about', () => {
  test('the one that was expected goes on with what is known of it', () => {
    const { answer: one, loaded } = answer({ t: 'WORKING' }, 't');
    assert.deepEqual(one.apply([task('t', 'COMPLETED')], true).map(brief), ['t completed']);
    assert.deepEqual(loaded, ['t']);
    assert.deepEqual([one.task?.id, one.agentId], ['t', 't']);
  });

  test('none is expected: the first that is told', () => {
    const { answer: one } = answer({});
    assert.deepEqual([one.task], [undefined]);
    one.apply([task('u')], true);
    assert.deepEqual([one.task?.id, one.agentId, one.onlyMessages], ['u', 'u', false]);
  });

  test('an expected one that nobody told of yields to what the answer begins with', () => {
    const { answer: one } = answer({}, 't');
    assert.deepEqual(one.apply([task('u'), status('u', 'COMPLETED')], true).map(brief), ['u task', 'u working', 'u completed']);
    assert.equal(one.agentId, 'u');
  });

  for (const [what, event] of [
    ['a status', status('')],
    ['a chunk', chunk('', 'x')],
  ] as const)
    test(`${what} that names no task is about the expected one, at the beginning and later`, () => {
      const { answer: one } = answer({ t: 'WORKING' }, 't');
      one.apply([event], true);
      assert.equal(one.task?.id, 't');
      const second = one.apply([status('', 'COMPLETED')]).map(brief);
      assert.equal(second.at(-1), 't completed');
      assert.ok(!second.some(each => each.includes('DATA-06')), second.join());
    });

  test('in the middle of an answer a task of the history is not gone over to', () => {
    const { answer: one } = answer({ t: 'WORKING', u: 'WORKING' }, 't');
    one.apply([status('t')], true);
    assert.deepEqual(one.apply([status('u', 'COMPLETED')]).map(brief), ['t DATA-06']);
    assert.deepEqual([one.task?.id, one.task?.state, one.ending], ['t', state('WORKING'), undefined]);
  });
});

suite('an answer for a task under another id', () => {
  test('is taken for the task that was sent the message, whichever of its ids is told', () => {
    const { answer: one } = answer({ t: 'WORKING' }, 't');
    assert.deepEqual(
      one
        .apply([task('u'), chunk('u', 'x'), says('m', 'u'), chunk('t', 'xy'), status('u', 'COMPLETED')], true)
        .map(brief)
        .filter(each => !/t (?:append|artifact)/.test(each)),
      ['t DATA-06', 't says m', 't completed'],
    );
    assert.deepEqual([one.task?.id, one.agentId, one.task?.task.artifacts?.[0]?.parts], ['t', 'u', [{ text: 'xy' }]]);
  });

  test('what a third task does is not done by it', () => {
    const { answer: one } = answer({ t: 'WORKING', v: 'WORKING' }, 't');
    one.apply([task('u'), status('v', 'COMPLETED')], true);
    assert.equal(one.task?.state, state('WORKING'));
  });

  test('only the first event can say so', () => {
    const { answer: one } = answer({ t: 'WORKING' }, 't');
    one.apply([status('t'), task('u')], true);
    assert.equal(one.agentId, 't');
    const later = answer({ t: 'WORKING' }, 't').answer;
    later.apply([task('u')]);
    assert.equal(later.agentId, 't');
  });

  for (const [what, told, event, id] of [
    ['of a message', { t: 'WORKING' }, says('m', 'u'), 't'],
    ['of a task that nobody told of', {}, task('u'), 'u'],
    ['of a task that is over', { t: 'COMPLETED' }, task('u'), 'u'],
    ['of a task of the history', { t: 'WORKING', u: 'WORKING' }, status('u'), 'u'],
    ['of an event without an id', { t: 'WORKING' }, status(''), 't'],
  ] as const)
    test(`is not made ${what}`, () => {
      const { answer: one } = answer(told, 't');
      assert.ok(!one.apply([event], true).map(brief).includes('t DATA-06'));
      one.apply([]);
      assert.equal(one.agentId, id);
    });
});

suite('messages outside any task', () => {
  test('one or several are the whole answer', () => {
    const { answer: one } = answer({});
    assert.equal(one.onlyMessages, false);
    assert.deepEqual(one.apply([says('m'), says('n')], true).map(brief), ['- says m', '- says n']);
    assert.deepEqual([one.onlyMessages, one.message?.messageId, one.task], [true, 'n', undefined]);
    assert.deepEqual(one.apply([says('o')]).map(brief), ['- says o']);
    assert.equal(one.onlyMessages, true);
  });

  test('with a task before or after it, a message is not the whole', () => {
    const before = answer({}).answer;
    before.apply([task('t'), says('m', 't')], true);
    assert.equal(before.onlyMessages, false);
    const after = answer({}).answer;
    after.apply([says('m'), task('t')], true);
    assert.equal(after.onlyMessages, false);
    after.apply([says('n')]);
    assert.equal(after.onlyMessages, false);
  });

  test('one that is adopted is part of the task, and is not said twice', () => {
    const { answer: one } = answer({});
    one.apply([says('m')], true);
    assert.equal(one.adopt('t').id, 't');
    assert.equal(one.task?.id, 't');
    assert.deepEqual(one.task?.apply(says('m', 't')).map(brief), ['t task']);
    assert.equal(answer({}).answer.adopt('t').task.history, undefined);
  });

  for (const [what, told, message, changes] of [
    ['with no id belongs to the expected task, also where nobody told of that', {}, says('m'), ['t task', 't says m']],
    ['with an empty id does so, too', {}, says('m', ''), ['t task', 't says m']],
    ['with no id belongs to a task of the history', { t: 'WORKING' }, says('m'), ['t says m']],
    ['that names an untold task stands for itself', {}, says('m', 't'), ['- says m']],
    ['that names another untold one does, too', { t: 'WORKING' }, says('m', 'u'), ['- says m']],
    ['that names a task of the history belongs to that', { t: 'WORKING', u: 'WORKING' }, says('m', 'u'), ['u says m']],
  ] as const)
    test(`one ${what}`, () => {
      const { answer: one } = answer(told, 't');
      assert.deepEqual(one.apply([message], true).map(brief), changes);
    });

  test('one with an empty id stands for itself where no task is known', () =>
    assert.deepEqual(
      answer({})
        .answer.apply([says('m', '')], true)
        .map(brief),
      ['- says m'],
    ));
});

suite('another task that nobody has heard of', () => {
  test('its end is held, for the case that this one does not go on', () => {
    const { answer: one } = answer({ t: 'WORKING' }, 't');
    one.apply([status('t')], true);
    one.apply([status('u')]);
    assert.deepEqual([one.ending], [undefined]);
    assert.deepEqual(one.apply([chunk('u', 'x'), status('u', 'FAILED')]).map(brief), ['t DATA-06', 't DATA-06']);
    assert.deepEqual([one.ending?.id, one.ending?.artifacts?.length, one.task?.state], ['u', 1, state('WORKING')]);
    one.apply([status('t')]);
    assert.deepEqual([one.ending], [undefined]);
  });

  test('of another context it is only told', () => {
    const { answer: one } = answer({ t: 'WORKING' }, 't');
    one.apply([status('t')], true);
    one.apply([{ statusUpdate: { taskId: 'u', contextId: 'other', status: { state: state('FAILED') } } }]);
    assert.deepEqual([one.ending], [undefined]);
    one.apply([{ statusUpdate: { taskId: 'u', status: { state: state('FAILED') } } }]);
    assert.equal(one.ending?.id, 'u', 'of no context it may be of this one');
  });

  test('what is too large to be held is said not to be applied', () => {
    const { answer: one } = answer({ t: 'WORKING' }, 't');
    one.apply([status('t')], true);
    const [told] = one.apply([chunk('u', 'x'.repeat(17 * 1024 * 1024))]);
    assert.ok(told?.kind === 'finding' && told.finding.message.endsWith('it was ignored.'), JSON.stringify(told));
    assert.equal(one.task?.hasSkippedEvents, true);
    one.apply([status('u', 'FAILED')]);
    assert.equal(one.ending?.id, 'u');
  });

  test('what deviates from the protocol is about the frame of its event, as far as that is known', () => {
    const events = [task('t'), status('t', 'COMPLETED'), status('t', 'WORKING')];
    const frames = [4, 5, 6].map(seq => ({ seq, at: 0, data: '' }));
    const about = (wire?: Parameters<StreamReducer['apply']>[2], told = events): unknown =>
      answer({})
        .answer.apply(told, true, wire)
        .flatMap(change => (change.kind === 'finding' ? [[change.finding.rule, change.finding.frame]] : []));
    assert.deepEqual(about({ frames }), [['STRM-03', 6]]);
    assert.deepEqual(about({ frames: frames.slice(0, 2), frameOf: [4, 4, 5] }), [['STRM-03', 5]]);
    assert.deepEqual(about({ frames }, [task('t'), status('other'), status('t')]), [['DATA-06', 5]]);
    assert.deepEqual([about({ frames: frames.slice(0, 2) }), about()], [[['STRM-03', undefined]], [['STRM-03', undefined]]]);
  });
});
