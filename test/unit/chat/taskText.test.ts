import * as assert from 'node:assert/strict';
import { tasksMermaid, tasksText } from '../../../src/chat/tasks/taskText.ts';
import { walk } from '../../../src/chat/tasks/walk.ts';
import { journeyTasks } from '../../support/chatHarness/tasks.ts';

suite('chat: walking through the picture of tasks', () => {
  const steps: readonly (readonly [from: string, key: string, to: string | undefined])[] = [
    ['t-1', 'ArrowRight', 't-2'],
    ['t-2', 'ArrowDown', 't-3'],
    ['t-3', 'ArrowUp', 't-2'],
    ['t-3', 'ArrowLeft', 't-1'],
    ['t-2', 'ArrowRight', 't-4'],
    ['t-4', 'ArrowLeft', 't-2'],
    ['t-4', 'ArrowRight', undefined],
    ['t-1', 'ArrowLeft', undefined],
    ['t-4', 'Home', 't-1'],
    ['t-1', 'End', 't-4'],
    ['t-1', 'a', undefined],
  ];
  for (const [from, key, to] of steps) {
    test(`${key} from ${from}`, () => {
      const { nodes, lines } = journeyTasks();
      const found = walk(
        nodes,
        lines,
        nodes.findIndex(({ taskId }) => taskId === from),
        key,
      );
      assert.equal(found === undefined ? undefined : nodes[found]?.taskId, to);
    });
  }
});

suite('chat: walking along lines', () => {
  const at = (x: number, y: number): { x: number; y: number } => ({ x: x * 268, y: y * 64 });

  test('what hangs together is nearer than what is near', () => {
    const nodes = [at(0, 0), at(1, 0), at(2, 5)];
    assert.deepEqual(
      [walk(nodes, [{ from: 0, to: 2 }], 0, 'ArrowRight'), walk(nodes, [], 0, 'ArrowRight'), walk([], [], 0, 'End')],
      [2, 1, undefined],
    );
  });
});

suite('chat: the tasks as text', () => {
  const numberOf = (taskId: string): number | undefined => Number(taskId.split('-')[1]) || undefined;
  const [flight, hotel] = journeyTasks().tasks;
  if (flight === undefined || hotel === undefined) throw new Error('the journey has no tasks');

  test('lines that say what rests on what', () => {
    const { tasks } = journeyTasks();
    assert.equal(
      tasksText([...tasks.slice(0, 3), { ...hotel, taskId: 't-4', title: '', references: ['t-2', 'gone', 'gone'] }], numberOf),
      [
        'Task 1: Book a flight to Helsinki (completed; 1 artifact) [t-1]',
        'Task 2: Book a hotel (completed; 1 artifact; refers to Task 1) [t-2]',
        'Task 3: Book a snowmobile (working; refers to Task 1) [t-3]',
        'Task 4: t-4 (completed; 1 artifact; refers to Task 2, Unknown task) [t-4]',
        'Unknown task: gone (not in the history) [gone]',
        '',
      ].join('\n'),
    );
  });

  test('a flow chart of Mermaid, in which no title means anything', () => {
    const title = '"] --> x["<script>`%%{init}%%`\nclick t1 "javascript:alert(1)"';
    const lines = tasksMermaid([{ ...flight, title }, hotel], numberOf).split('\n');
    assert.equal(lines.length, 5);
    assert.match(lines[1] ?? '', /^ {2}t1\["[^"[\]<>`%{}&]*<br>completed, 1 artifact"\]$/);
    assert.deepEqual(lines.slice(2), ['  t2["Task 2: Book a hotel<br>completed, 1 artifact"]', '  t1 --> t2', '']);
  });
});
