import * as assert from 'node:assert/strict';
import type { ExchangeFindings, FindingLine } from '../../../src/chat/host/chatState.ts';
import { deviantTurns, rowFindings } from '../../../src/chat/transcript/rowFindings.ts';
import { rowsOf, type Shape, shapeOf } from '../../../src/chat/transcript/rows.ts';
import { Story, storyStart } from '../../support/chatHarness/story.ts';

const line = (rule: string, times = 1, message = `${rule} broken`): FindingLine => ({
  rule,
  title: 'T',
  section: '4.1',
  level: 'MUST',
  pointer: '/x',
  message,
  finding: 0,
  times,
});
const found = (exchangeId: string, seconds: number, ...lines: FindingLine[]): ExchangeFindings => ({
  exchangeId,
  operation: exchangeId.startsWith('poll') ? 'GetTask' : 'SendStreamingMessage',
  startedAt: storyStart + seconds * 1000,
  lines,
});

/** Two turns: the exchange `e1` brings seq 1 to 3, `e2` seq 4 and 5. */
const shapes = new Story()
  .user(0, 'a')
  .status(1, 't', 'TASK_STATE_WORKING')
  .status(2, 't', 'TASK_STATE_COMPLETED')
  .user(10, 'b')
  .agent(11, [{ text: 'c' }])
  .entries.map((entry, index) => ({ ...shapeOf(entry), exchangeId: index < 3 ? 'e1' : 'e2' }));

suite('chat: findings of rows', () => {
  const rows: readonly {
    readonly name: string;
    readonly findings: readonly ExchangeFindings[];
    readonly shapes?: typeof shapes;
    readonly marks: readonly string[];
  }[] = [
    { name: 'none', findings: [], marks: [] },
    {
      name: 'the last row an exchange brought bears them',
      findings: [found('e1', 0, line('A')), found('e2', 10, line('B'), line('C'))],
      marks: ['3: A 1 e1', '5: B 1 e2, C 1 e2'],
    },
    {
      name: 'an exchange without rows is told after what was there when it began',
      findings: [found('refresh', 5, line('A'))],
      marks: ['3: A 1 refresh'],
    },
    {
      name: 'another text on the same rule is another line',
      findings: [found('e1', 0, line('A'), line('A', 2, 'other'))],
      marks: ['3: A 1 e1, A 2 e1'],
    },
    {
      name: 'one text is one line, and leads to the newest exchange',
      findings: [found('e1', 0, line('A', 2)), found('poll-1', 5, line('A'), line('B')), found('poll-2', 6, line('A'))],
      marks: ['3: A 3 poll-2, B 1 poll-1'],
    },
    {
      name: 'what each poll repeats is one finding, as often as the answer has it that has it most often',
      findings: [found('poll-1', 5, line('A'), line('B')), found('poll-2', 6, line('A'), line('B', 2)), found('poll-3', 7, line('A'))],
      marks: ['3: A 1 poll-3, B 2 poll-2'],
    },
    { name: 'what is not loaded yet is left to the page that brings it', findings: [found('older', -5, line('A'))], marks: [] },
    { name: 'what it belongs to has come by now', findings: [found('e1', 0, line('A'))], shapes: shapes.slice(0, 2), marks: ['2: A 1 e1'] },
  ];
  for (const { name, findings, shapes: shown = shapes, marks } of rows) {
    test(name, () => {
      assert.deepEqual(
        [...rowFindings(rowsOf(shown), shown, findings)].map(
          ([key, lines]) => `${key}: ${lines.map(({ rule, times, exchangeId }) => `${rule} ${times} ${exchangeId}`).join(', ')}`,
        ),
        marks,
      );
    });
  }

  test('of a task that was asked for in vain are at that task, also where its only row came after the answer', () => {
    const asked = new Story()
      .status(1, 't', 'TASK_STATE_COMPLETED')
      .status(2, 'u', 'TASK_STATE_COMPLETED')
      .problem(6, 'Not applied.', 'Look.', '', 'v')
      .entries.map(shapeOf);
    const keys = (taskId: string): number[] => [...rowFindings(rowsOf(asked), asked, [{ ...found('get', 5, line('A')), taskId }]).keys()];
    assert.deepEqual(['t', 'u', 'v', 'unknown'].map(keys), [[1], [2], [3], [2]]);
  });

  /** A stream is cut, a subscription without a row of its own is refused, and polls bring the rest; then another turn. */
  const cut = (isFilled: boolean): Shape[] =>
    new Story()
      .user(0, 'a', { taskId: 't' })
      .status(1, 't', 'TASK_STATE_WORKING')
      .gap(3, 't')
      .status(10, 't', 'TASK_STATE_COMPLETED')
      .user(20, 'b', { taskId: 't' })
      .status(21, 't', 'TASK_STATE_COMPLETED')
      .entries.map(shapeOf)
      .map(shape => (isFilled && shape.kind === 'gap' ? { ...shape, filled: true as const } : shape));
  for (const isFilled of [false, true])
    test(`the finding of a refused subscription stays, and its whole turn has findings, ${isFilled ? 'after' : 'before'} the gap is filled`, () => {
      const shown = rowsOf(cut(isFilled));
      const marks = rowFindings(shown, cut(isFilled), [found('subscribe', 4, line('A'))]);
      assert.deepEqual([...marks.keys()], [isFilled ? 2 : 3]);
      assert.deepEqual([...deviantTurns(shown, marks)], isFilled ? [1, 2, 4] : [1, 2, 3, 4]);
    });

  test('a turn of a task that runs beside a deviant one has no findings', () => {
    const beside = new Story().status(1, 't', 'TASK_STATE_COMPLETED').status(2, 'u', 'TASK_STATE_COMPLETED').entries.map(shapeOf);
    assert.deepEqual([...deviantTurns(rowsOf(beside), new Map([[2, []]]))], [2]);
  });
});
