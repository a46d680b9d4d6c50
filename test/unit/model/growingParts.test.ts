import * as assert from 'node:assert/strict';
import { TaskReducer } from '../../../src/model/fold/taskReducer.ts';
import { wholeTask } from '../../../src/model/fold/wholeTask.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { chunk, first, status, task } from '../../support/model/world.ts';

const long = 'x'.repeat(300_000);

suite('parts that the history has', () => {
  /** What is written of the artifact, and how often somebody read it. */
  let written: Part[];
  let reads: number;
  let folded: TaskReducer;
  setup(() => {
    written = [];
    reads = 0;
    folded = new TaskReducer('t');
    for (const { event } of [task('WORKING'), chunk('one', first)]) tell(event);
  });
  const read = (): readonly Part[] => {
    reads++;
    return [...written];
  };
  function tell(event: Parameters<TaskReducer['apply']>[0]): ReturnType<TaskReducer['apply']> {
    const changes = folded.apply(event);
    for (const change of changes) {
      if (change.kind === 'append') written.push(...change.parts);
      if (change.kind === 'artifact') written = [...change.artifact.parts];
    }
    return changes;
  }
  const texts = (from: Task): readonly (string | undefined)[] =>
    from.artifacts?.[0]?.parts.map(part => ('text' in part ? part.text : undefined)) ?? [];

  test('are not read until somebody looks at them, and once then', () => {
    tell(chunk(long).event);
    folded.leave(read);
    tell(chunk('two').event);
    const seen = folded.task;
    assert.equal(reads, 0);
    assert.deepEqual([texts(seen), texts(seen), reads], [['one', long, 'two'], ['one', long, 'two'], 1]);
  });

  test('are as they were when the task was looked at', () => {
    tell(chunk(long).event);
    folded.leave(read);
    const before = folded.task;
    tell(chunk('two').event);
    folded.leave(read);
    tell(chunk(long).event);
    folded.leave(read);
    const after = folded.task;
    tell(chunk('three').event);
    assert.deepEqual(texts(before), ['one', long]);
    assert.deepEqual(texts(after), ['one', long, 'two', long]);
  });

  test('stay here as long as they are few', () => {
    tell(chunk('two').event);
    folded.leave(read);
    assert.deepEqual([texts(folded.task), reads], [['one', 'two'], 0]);
  });

  test('are compared with what a snapshot says', () => {
    tell(chunk(long).event);
    folded.leave(read);
    const parts = ['one', long].map(text => ({ text }));
    const told = (more: readonly Part[]): Task => ({
      id: 't',
      contextId: 'c',
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ artifactId: 'a', parts: [...parts, ...more] }],
    });
    assert.deepEqual(folded.merge(told([])), []);
    assert.deepEqual(
      folded.merge(told([{ text: 'two' }])).map(change => change.kind === 'append' && change.parts),
      [[{ text: 'two' }]],
    );
    assert.deepEqual(
      folded.merge({ ...told([]), artifacts: [{ artifactId: 'a', parts: [{ text: 'other' }] }] }).map(({ kind }) => kind),
      ['artifact'],
    );
    assert.deepEqual(texts(folded.task), ['other']);
  });

  test('are there for good in a whole task', () => {
    tell(chunk(long).event);
    folded.leave(read);
    tell(status('COMPLETED').event);
    const whole = wholeTask(folded.task);
    written = [];
    assert.deepEqual(texts(whole), ['one', long]);
  });

  test('count as what was there when an update wipes it', () => {
    tell(chunk(long).event);
    folded.leave(read);
    assert.ok(tell(chunk('less', first).event).some(change => change.kind === 'finding' && change.finding.rule === 'STRM-08'));
    assert.equal(reads, 1, 'to see whether it goes on with what was there');
  });
});
