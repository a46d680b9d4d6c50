import * as assert from 'node:assert/strict';
import { compareSeen } from '../../../src/conformance/resume/compareSeen.ts';
import { SeenTask } from '../../../src/conformance/resume/seenTask.ts';
import { english } from '../../../src/protocol/problem.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';

interface Ended {
  readonly artifacts?: Readonly<Record<string, string | readonly Part[]>>;
  readonly said?: string;
  readonly state?: TaskState;
  readonly id?: string;
}

/** A task as GetTask answers it. */
function seen({ artifacts = {}, said, state = 'TASK_STATE_COMPLETED', id = 'task-0001' }: Ended): SeenTask {
  const task = new SeenTask();
  const parts = (content: string | readonly Part[]): Part[] => (typeof content === 'string' ? [{ text: content }] : [...content]);
  task.replace({
    id,
    contextId: `context of ${id}`,
    status: { state, ...(said !== undefined && { message: { messageId: 'm', role: 'ROLE_AGENT', parts: parts(said) } }) },
    artifacts: Object.entries(artifacts).map(([artifactId, content]) => ({ artifactId, parts: parts(content) })),
  });
  return task;
}

suite('tasks of a client that was cut off', () => {
  const compared = (whole: Ended, cut: Ended): string => {
    const { outcome, details } = compareSeen(seen(whole), seen(cut));
    return details === undefined ? outcome : `${outcome}: ${english(details)}`;
  };
  const text = (whole: string, cut: string): string => compared({ artifacts: { a: whole } }, { artifacts: { a: cut } });

  test('less is lost, the same twice is repeated, and the rest differs', () => {
    assert.equal(text('one two three', 'one two three'), 'same');
    assert.equal(text('one two three', 'one three'), 'lost: Missing: "two "');
    assert.equal(text('one two three', ''), 'lost: Missing: "one two three"');
    assert.equal(text('one two three four', 'two four'), 'lost: Missing: "one two three"');
    assert.equal(text('one two three', 'one two two three'), 'repeated: Twice: "two "');
    assert.equal(text('one two three', 'one two one two three'), 'repeated: Twice: "one two "');
    assert.equal(text('wonderful', 'wonwonderderfulful'), 'repeated: Twice: "wonderderful"');
    assert.equal(text('one 7 two three 7', 'one 7 two three 7three 7'), 'repeated: Twice: "three 7"');
    assert.equal(text('one two', 'one or two'), 'differs: "or " instead of ""');
    assert.equal(text('one two', 'one six'), 'differs: "six" instead of "two"');
  });

  test('artifacts are paired by id, or by order where each run has ids of its own', () => {
    const whole = { artifacts: { a: 'one', b: 'two' } };
    assert.equal(compared(whole, { artifacts: { b: 'two', a: 'one' } }), 'same');
    assert.equal(compared(whole, { artifacts: { x: 'one', y: 'two' } }), 'same');
    assert.equal(compared(whole, { artifacts: { x: 'one' } }), 'lost: Missing: "two"');
    assert.equal(compared(whole, { artifacts: { ...whole.artifacts, c: 'one' } }), 'repeated: Twice: "one"');
    assert.equal(compared(whole, { artifacts: { ...whole.artifacts, c: 'new' } }), 'differs: "new" instead of ""');
  });

  test('artifacts that are named by UUIDs are paired by their order', () => {
    const run = (...texts: string[]): Ended => ({ artifacts: Object.fromEntries(texts.map(each => [crypto.randomUUID(), each])) });
    assert.equal(compared(run('one', 'two'), run('one', 'two')), 'same');
    assert.equal(compared(run('one', 'two'), run('one')), 'lost: Missing: "two"');
  });

  test('thousands of artifacts, and long texts that are alike, take no longer than short ones', () => {
    const many = (last: string): Ended => ({
      artifacts: Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`a${index}`, index === 8_999 ? last : 'x'])),
    });
    const [run, other] = [seen(many('one')), seen(many('two'))];
    const long = 'a'.repeat(1_000_000);
    const startedAt = performance.now();
    assert.equal(compareSeen(run, other).outcome, 'differs');
    assert.equal(compareSeen(run, run).outcome, 'same');
    assert.match(text(`de${long}`, `d${long}b${long}e${long}`), /^differs/);
    assert.ok(performance.now() - startedAt < 10_000);
  });

  test('data, the last message and the state count; how texts are split does not, nor do ids and times', () => {
    const data = (value: number): Ended => ({ artifacts: { a: [{ data: { value } }] } });
    assert.equal(compared(data(1), data(1)), 'same');
    assert.match(compared(data(1), data(2)), /^differs: /);
    assert.equal(compared({ artifacts: { a: [{ text: 'one ' }, { text: 'two' }] } }, { artifacts: { a: 'one two' } }), 'same');
    assert.equal(compared({ said: 'Done' }, {}), 'lost: Missing: "Done"');
    assert.equal(
      compared({}, { state: 'TASK_STATE_FAILED' }),
      'differs: The task ended in TASK_STATE_FAILED; in the uncut run in TASK_STATE_COMPLETED.',
    );
    const named = (id: string, at: string): Ended => ({ id, said: `Task ${id} at ${at}: ${crypto.randomUUID()}` });
    assert.equal(compared(named('task-0001', '2026-01-02T03:04:05Z'), named('task-0002', '2026-01-02T03:04:06.5Z')), 'same');
  });

  test('what is lost counts more than what comes twice, and both more than another state', () => {
    const whole = { artifacts: { a: 'one two', b: 'three' } };
    assert.match(compared(whole, { artifacts: { a: 'one one two', b: '' }, state: 'TASK_STATE_FAILED' }), /^lost/);
    assert.match(compared(whole, { artifacts: { a: 'one one two', b: 'three' }, state: 'TASK_STATE_FAILED' }), /^repeated/);
  });

  test('events of another task are left out, and a task without the member artifacts keeps them', () => {
    const task = new SeenTask();
    const status = { state: 'TASK_STATE_WORKING' } as const;
    task.take({ task: { id: 't-1', status, artifacts: [{ artifactId: 'a', parts: [{ text: 'one' }] }] } });
    task.take({ artifactUpdate: { taskId: 't-2', artifact: { artifactId: 'b', parts: [{ text: 'other' }] } } });
    task.take({ task: { id: 't-1', status } });
    assert.deepEqual(task.artifacts, [{ id: 'a', text: 'one' }]);
    assert.deepEqual([task.isOver, task.events], [false, 3]);
  });
});
