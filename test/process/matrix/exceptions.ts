import * as assert from 'node:assert/strict';
import { textOf } from '../../../src/protocol/part.ts';
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
const refused = (why: string, code: string, attempt: (talk: Talk) => Promise<unknown>): Exception =>
  ({ mark: '–', why, instead: talk => assert.rejects(attempt(talk), { code }) });

export const noList = refused('Servers of this generation have no ListTasks.', 'operation-not-in-version', talk => talk.call('ListTasks', {}));

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
  why: 'Of the user\'s messages the server keeps the one that began the task.',
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
