import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { textOf } from '../../../src/protocol/message/part.ts';
import { end, isNamed, made, until, type Talk } from './talk.ts';

/** A cell where something else is so than the column says. */
export interface Exception {
  /** Mark of the cell: done all the same, or not to be had. */
  readonly mark: '✓' | '–';
  /** For the reader of the matrix, a whole sentence. */
  readonly why: string;
  readonly instead: (talk: Talk) => Promise<void>;
}

/** The client says a clear no. */
const refused = (why: string, code: string, attempt: (talk: Talk) => Promise<unknown>): Exception => ({
  mark: '–',
  why,
  instead: talk => assert.rejects(attempt(talk), { code }),
});

export const noList = refused('This server has no ListTasks.', 'operation-not-in-version', talk => talk.call('ListTasks', {}));

/** The task API has no words for messages, questions and histories, nor for pieces of a result. */
export const alwaysTask: Exception = {
  mark: '–',
  why: 'Every answer is a task.',
  async instead(talk) {
    assert.equal((await talk.task('work')).status.state, 'TASK_STATE_COMPLETED');
  },
};

export const wholeResult: Exception = {
  mark: '✓',
  why: 'States come as they change, the result comes whole at the end.',
  async instead(talk) {
    const { events, task } = await end(talk.stream('count'));
    assert.deepEqual([task.status.state, made(task)], ['TASK_STATE_COMPLETED', 'one two three']);
    assert.ok(events.some(event => 'statusUpdate' in event && event.statusUpdate.status.state === 'TASK_STATE_WORKING'));
  },
};

export const neverAsks: Exception = {
  mark: '–',
  why: 'A task cannot ask for anything: one that waits is told as working.',
  async instead(talk) {
    const stream = talk.stream('paint');
    const { task } = await until(stream, heard => heard.task.status.state === 'TASK_STATE_WORKING');
    await stream.return(undefined);
    assert.equal((await talk.call('GetTask', { id: task.id })).status.state, 'TASK_STATE_WORKING');
  },
};

export const noHistory: Exception = {
  mark: '–',
  why: 'No history is kept.',
  async instead(talk) {
    const { id } = await talk.task('work');
    assert.equal((await talk.call('GetTask', { id, historyLength: 10 })).history, undefined);
  },
};

export const outlivesCut: Exception = {
  mark: '✓',
  why: 'A stream outlives the cut: the task is asked for until it is over.',
  async instead(talk) {
    const gate = randomUUID();
    const stream = talk.stream(`pause ${gate}`);
    const { task: before } = await until(stream, ({ task }) => task.status.state === 'TASK_STATE_WORKING');
    talk.agent.cut();
    const again = talk.subscribe(before.id);
    await until(again, () => true);
    talk.agent.gates.open(gate);
    for (const listening of [stream, again]) {
      const { task } = await end(listening);
      assert.deepEqual([task.id, task.status.state, made(task)], [before.id, 'TASK_STATE_COMPLETED', 'one two']);
    }
  },
};

/** What the generation has no words for (0.1 §7). */
export const messageAsTask: Exception = {
  mark: '–',
  why: 'Every answer is a task in this generation; the message is its status.',
  async instead(talk) {
    const task = await talk.task('hello');
    assert.deepEqual([task.status.state, textOf(task.status.message?.parts ?? [])], ['TASK_STATE_COMPLETED', 'hello to you']);
  },
};

export const cancelSeenLater: Exception = {
  mark: '✓',
  why: 'The server answers CancelTask with the task as it was before; its stream and GetTask tell that it is canceled.',
  async instead(talk) {
    const stream = talk.stream('wait');
    const { task } = await until(stream, heard => heard.task.status.state === 'TASK_STATE_WORKING');
    assert.equal((await talk.call('CancelTask', { id: task.id })).status.state, 'TASK_STATE_WORKING');
    assert.equal((await end(stream)).task.status.state, 'TASK_STATE_CANCELED');
    assert.equal((await talk.call('GetTask', { id: task.id })).status.state, 'TASK_STATE_CANCELED');
  },
};

export const laterMessagesForgotten: Exception = {
  mark: '✓',
  why: "Of the user's messages the server keeps the one that began the task.",
  async instead(talk) {
    const asked = await talk.task('paint');
    await talk.task('blue', { taskId: asked.id, contextId: asked.contextId });
    const task = await talk.call('GetTask', { id: asked.id, historyLength: 10 });
    const asks = (task.history ?? []).filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => textOf(parts));
    assert.deepEqual([made(task), asks], ['painted blue', ['paint']]);
    assert.equal((await talk.call('GetTask', { id: asked.id, historyLength: 1 })).history?.length, 1);
  },
};

export const subscribeFails: Exception = {
  mark: '✓',
  why: 'Asked to subscribe to a task it does not know, the server answers an internal error of its own.',
  async instead(talk) {
    await assert.rejects(talk.call('GetTask', { id: 'nobody' }), isNamed('TaskNotFoundError'));
    await assert.rejects(talk.call('CancelTask', { id: 'nobody' }), isNamed('TaskNotFoundError'));
    await assert.rejects(end(talk.subscribe('nobody')), isNamed('InternalError'));
  },
};
