import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import { textOf } from '../../../src/protocol/message/part.ts';
import { end, isNamed, made, until, type Talk } from './talk.ts';

/** What the workbench does with an agent: a column of the matrix. */
export interface Behaviour {
  /** Heading of the column. */
  readonly title: string;
  readonly run: (talk: Talk) => Promise<void>;
}

export const behaviours = {
  message: {
    title: 'message',
    async run(talk) {
      const answer = await talk.call('SendMessage', talk.message('hello'));
      assert.ok('message' in answer, JSON.stringify(answer));
      assert.deepEqual([answer.message.role, textOf(answer.message.parts)], ['ROLE_AGENT', 'hello to you']);
      const { events } = await end(talk.stream('hello'));
      assert.deepEqual(
        events.map(event => ('message' in event ? textOf(event.message.parts) : event)),
        ['hello to you'],
      );
    },
  },
  task: {
    title: 'task',
    async run(talk) {
      const task = await talk.task('work');
      assert.deepEqual([task.status.state, made(task)], ['TASK_STATE_COMPLETED', 'the result']);
    },
  },
  chunks: {
    title: 'stream',
    async run(talk) {
      const { events, task } = await end(talk.stream('count'));
      assert.deepEqual([task.status.state, made(task)], ['TASK_STATE_COMPLETED', 'one two three']);
      const chunks = events.flatMap(event => ('artifactUpdate' in event ? [textOf(event.artifactUpdate.artifact.parts)] : []));
      assert.deepEqual(chunks, ['one ', 'two ', 'three']);
    },
  },
  input: {
    title: 'input',
    async run(talk) {
      const { task: asked } = await end(talk.stream('paint'));
      assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.equal(textOf(asked.status.message?.parts ?? []), 'which colour?');
      const { task } = await end(talk.stream('red', { taskId: asked.id, contextId: asked.contextId }));
      assert.deepEqual(
        [task.id, task.contextId, task.status.state, made(task)],
        [asked.id, asked.contextId, 'TASK_STATE_COMPLETED', 'painted red'],
      );
    },
  },
  cancel: {
    title: 'cancel',
    async run(talk) {
      const stream = talk.stream('wait');
      const { task } = await until(stream, heard => heard.task.status.state === 'TASK_STATE_WORKING');
      const canceled = await talk.call('CancelTask', { id: task.id });
      assert.deepEqual([canceled.id, canceled.status.state], [task.id, 'TASK_STATE_CANCELED']);
      assert.equal((await end(stream)).task.status.state, 'TASK_STATE_CANCELED');
      assert.equal((await talk.call('GetTask', { id: task.id })).status.state, 'TASK_STATE_CANCELED');
    },
  },
  history: {
    title: 'history',
    async run(talk) {
      const asked = await talk.task('paint');
      await talk.task('blue', { taskId: asked.id, contextId: asked.contextId });
      const task = await talk.call('GetTask', { id: asked.id, historyLength: 10 });
      const asks = (task.history ?? []).filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => textOf(parts));
      assert.deepEqual([task.status.state, made(task), asks], ['TASK_STATE_COMPLETED', 'painted blue', ['paint', 'blue']]);
      assert.equal((await talk.call('GetTask', { id: asked.id, historyLength: 1 })).history?.length, 1);
    },
  },
  list: {
    title: 'list',
    async run(talk) {
      const { id, contextId } = await talk.task('work');
      const { tasks } = await talk.call('ListTasks', { contextId });
      assert.deepEqual(
        tasks.map(task => [task.id, task.status.state]),
        [[id, 'TASK_STATE_COMPLETED']],
      );
    },
  },
  resubscribe: {
    title: 'resubscribe',
    async run(talk) {
      const gate = randomUUID();
      const stream = talk.stream(`pause ${gate}`);
      const { task: before } = await until(stream, ({ task }) => made(task) !== '');
      talk.agent.cut();
      await assert.rejects(end(stream), error => error instanceof ConnectionProblem && error.reached === 'yes');
      const again = talk.subscribe(before.id, before);
      await until(again, () => true);
      talk.agent.gates.open(gate);
      const { task } = await end(again);
      assert.deepEqual([task.id, task.status.state, made(task)], [before.id, 'TASK_STATE_COMPLETED', 'one two']);
    },
  },
  error: {
    title: 'error',
    async run(talk) {
      await assert.rejects(talk.call('GetTask', { id: 'nobody' }), isNamed('TaskNotFoundError'));
      await assert.rejects(talk.call('CancelTask', { id: 'nobody' }), isNamed('TaskNotFoundError'));
      await assert.rejects(end(talk.subscribe('nobody')), isNamed('TaskNotFoundError'));
    },
  },
} as const satisfies Record<string, Behaviour>;

export type BehaviourId = keyof typeof behaviours;
