import * as assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileBytes } from '../../../src/model/fileBytes.ts';
import { TaskHistory } from '../../../src/model/contexts/taskHistory.ts';
import { artifact, at, History, is, said } from '../store/support/history.ts';

suite('TaskHistory', () => {
  let history: History;
  let kept: TaskHistory;
  let changes = 0;
  setup(() => {
    history = new History();
    changes = 0;
    kept = new TaskHistory(history.store, () => {
      changes++;
    });
  });
  teardown(() => history.close());

  test('a context is narrowed down however many tasks came after those that fit', () => {
    const key = history.context();
    history.store.together(() => {
      for (let index = 0; index < 2_600; index++) {
        const taskId = `task-${index}`;
        history.record(
          key,
          [
            { kind: 'message', taskId, message: { ...said(`m${index}`, index < 3 ? 'sailboat' : 'weather'), role: 'ROLE_USER' } },
            is(taskId, index < 5 ? 'FAILED' : 'COMPLETED'),
          ],
          at + index,
        );
      }
    });
    assert.deepEqual(
      kept.tasksOf(key, { states: ['TASK_STATE_FAILED'] }).map(({ taskId }) => taskId),
      ['task-4', 'task-3', 'task-2', 'task-1', 'task-0'],
    );
    assert.equal(kept.tasksOf(key, { text: 'sailboat' }).length, 3);
    assert.equal(kept.tasksOf(key, { text: 'sailboat', states: ['TASK_STATE_FAILED'], since: at + 1 }).length, 2);
    // The context goes by it, its tasks do not.
    assert.equal(kept.tasksOf(key, { text: 'submarine' }).length, 2_000);
    assert.equal(kept.tasksOf(key, { states: ['TASK_STATE_COMPLETED'] }).length, 2_000);
  });

  test('an import that the person stops keeps what was read before', async () => {
    const key = history.context();
    // Far more than is read at once.
    for (let index = 0; index < 12; index++)
      history.record(key, [artifact(`t${index}`, 'a', 'x'.repeat(100_000)), is(`t${index}`, 'COMPLETED')]);
    const path = join(history.folder, 'tasks.jsonl');
    writeFileSync(path, [...kept.exportLines()].join(''));
    const other = new History();
    try {
      const importing = new TaskHistory(other.store, () => {
        changes++;
      });
      let percent = 0;
      await assert.rejects(
        importing.importLines(
          fileBytes(path, {
            isCanceled: () => percent > 40,
            tell: more => {
              percent += more;
            },
          }),
          'imported',
        ),
        { code: 'canceled' },
      );
      const read = other.store.tasks({ context: key }).length;
      assert.ok(read > 0 && read < 12, `${read} tasks`);
      assert.equal(changes, 1);
      percent = 0;
      const { added, known, failed } = await importing.importLines(
        fileBytes(path, {
          isCanceled: () => false,
          tell: more => {
            percent += more;
          },
        }),
        'imported',
      );
      assert.deepEqual([added, known, failed], [12 - read, read, 0]);
      assert.equal(Math.round(percent), 100);
    } finally {
      other.close();
    }
  });

  test('a file that is not there is told', async () => {
    await assert.rejects(
      kept.importLines(fileBytes(join(history.folder, 'none'), { isCanceled: () => false, tell: () => {} }), 'imported'),
      { code: 'not-read' },
    );
  });
});
