import * as assert from 'node:assert/strict';
import type { ComparedRun, TurnOutcome } from '../../../src/recording/compare/comparedRun.ts';
import { firstDifference, sameTurns } from '../../../src/recording/compare/sameTurns.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

const times = { startedAt: 1, endedAt: 2 };
let ids = 0;
/** An answer in new ids and at another time. */
function answered(text: string, more: Partial<TurnOutcome> = {}): TurnOutcome {
  const id = `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
  const message = { messageId: `message-${ids}`, role: 'ROLE_AGENT' as const, parts: [{ text: `${text} (task ${id})` }] };
  return {
    startedAt: ids,
    endedAt: ids + 5,
    task: {
      id,
      contextId: `context-${ids}`,
      status: { state: 'TASK_STATE_COMPLETED', message },
      artifacts: [{ artifactId: `artifact-${ids}`, name: 'picture', parts: [{ text }] }],
    },
    ...more,
  };
}
const run = (...turns: readonly (readonly [said: string, outcome: TurnOutcome])[]): ComparedRun => ({
  name: 'Ann',
  turns: turns.map(([text, outcome]) => ({ said: { parts: [{ text }], refersTo: [] }, outcome })),
});

suite('turns of runs that came out the same', () => {
  test('ids and times do not count; words, states, artifacts and problems do', () => {
    const base = run(['a', answered('red')]);
    assert.deepEqual(sameTurns(base, [run(['a', answered('red')]), run(['a', answered('blue')])]), [1]);
    const { task } = answered('red');
    const others: readonly TurnOutcome[] = [
      answered('red', { task: { ...task!, status: { ...task!.status, state: 'TASK_STATE_FAILED' } } }),
      answered('red', { task: { ...task!, artifacts: [] } }),
      answered('red', { problem: new Problem('x', sentence('No.')) }),
      { ...times, message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'red' }] } },
      times,
    ];
    for (const other of others) assert.equal(firstDifference(base, run(['a', other])), 0);
    assert.equal(firstDifference(run(['a', times]), run(['a', times])), undefined);
  });

  test('a turn is compared with the one of the same message, whatever stands between them', () => {
    const base = run(['a', answered('1')], ['b', answered('2')], ['b', answered('3')]);
    const asked = run(['a', answered('1')], ['mine', answered('x')], ['b', answered('2')], ['b', answered('4')]);
    assert.deepEqual(sameTurns(base, [asked]), [1, 1, 0]);
    assert.equal(firstDifference(base, asked), 2);
    assert.deepEqual(sameTurns(base, [base]), [1, 1, 1]);
    const [whole, skipped] = [
      run(['a', answered('1')], ['b', answered('2')], ['a', answered('3')]),
      run(['a', answered('1')], ['a', answered('3')]),
    ];
    assert.deepEqual(sameTurns(whole, [skipped]), [1, 0, 1]);
  });

  test('a run that ended early differs where it ended, and one that went on where the other ended', () => {
    const [whole, early] = [run(['a', answered('1')], ['b', answered('2')]), run(['a', answered('1')])];
    assert.equal(firstDifference(whole, early), 1);
    assert.equal(firstDifference(early, whole), 1);
    assert.deepEqual(sameTurns(whole, [early, whole]), [2, 1]);
  });
});
