import * as assert from 'node:assert/strict';
import type { Shape } from '../../../src/chat/transcript/rows.ts';
import { newestTurn, pieces, type StatePeriod, timesPerState, totalOf } from '../../../src/chat/transcript/turn.ts';
import { Transcript } from '../../../src/chat/transcript/transcript.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { Part } from '../../../src/protocol/message/part.ts';

let seq = 0;
const mine = (at: number, taskId = 't'): Shape => ({
  seq: ++seq,
  at,
  kind: 'message',
  taskId,
  exchangeId: undefined,
  state: undefined,
  mine: true,
});
const is = (at: number, word: string, taskId = 't'): Shape => ({
  ...mine(at, taskId),
  kind: 'status',
  state: `TASK_STATE_${word}` as TaskState,
  mine: false,
});
const artifact = (at: number, taskId = 't'): Shape => ({ ...mine(at, taskId), kind: 'artifact', mine: false });

/** A status of an unknown time. */
const late = (word: string): Shape => ({ ...is(1_000_000, word), untimed: true });

suite('chat: timeline', () => {
  const turns: readonly (readonly [what: string, shapes: readonly Shape[], periods: string | undefined, first?: number])[] = [
    ['nothing', [], undefined],
    ['a message without a task', [{ ...mine(0), taskId: undefined }], undefined],
    ['nothing heard yet', [mine(100)], '? 100-; '],
    ['at work', [mine(100), is(150, 'SUBMITTED'), is(180, 'WORKING')], '? 100-150, SUBMITTED 150-180, WORKING 180-; ', 50],
    ['over', [mine(100), is(150, 'WORKING'), artifact(160), is(300, 'COMPLETED')], '? 100-150, WORKING 150-300; COMPLETED', 50],
    [
      'the same again',
      [mine(0), is(10, 'WORKING'), is(20, 'WORKING'), is(30, 'WORKING'), is(40, 'FAILED')],
      '? 0-10, WORKING 10-40; FAILED',
      10,
    ],
    [
      'asked in between',
      [mine(0), is(10, 'WORKING'), is(20, 'INPUT_REQUIRED'), mine(500), is(510, 'WORKING'), is(530, 'COMPLETED')],
      '? 500-510, WORKING 510-530; COMPLETED',
      10,
    ],
    [
      'the newest of several tasks',
      [mine(0, 'a'), is(10, 'WORKING', 'a'), mine(20, 'b'), is(30, 'WORKING', 'b'), is(40, 'COMPLETED', 'b')],
      '? 20-30, WORKING 30-40; COMPLETED',
      10,
    ],
    ['the message is not loaded', [is(10, 'WORKING'), is(20, 'COMPLETED')], '? 10-10, WORKING 10-20; COMPLETED'],
    [
      "a user message that only the agent's history has",
      [mine(0), { ...mine(40), foreign: true }, is(40, 'WORKING'), is(90, 'COMPLETED')],
      '? 0-40, WORKING 40-90; COMPLETED',
      40,
    ],
    ['an artifact before any status', [mine(0), artifact(5), is(20, 'COMPLETED')], '? 0-20; COMPLETED', 5],
    [
      'a time unknown in between',
      [mine(0), is(10, 'SUBMITTED'), is(20, 'WORKING'), late('AUTH_REQUIRED'), is(60, 'WORKING'), is(90, 'COMPLETED')],
      '? 0-10, SUBMITTED 10-20, untimed 20-60, WORKING 60-90; COMPLETED',
      10,
    ],
    ['an end at an unknown time', [mine(0), is(10, 'WORKING'), late('COMPLETED')], '? 0-10; COMPLETED', 10],
    ['at work since an unknown time', [mine(0), is(10, 'SUBMITTED'), late('WORKING')], '? 0-10, untimed 10-; ', 10],
    ['a first answer at an unknown time', [mine(0), late('WORKING'), is(40, 'COMPLETED')], 'untimed 0-40; COMPLETED'],
    ['a message of an unknown time', [{ ...mine(0), untimed: true }, is(10, 'WORKING'), is(20, 'COMPLETED')], 'WORKING 10-20; COMPLETED'],
    ['no known time at all', [late('WORKING'), late('COMPLETED')], '; COMPLETED'],
  ];
  for (const [what, shapes, periods, first] of turns) {
    test(what, () => {
      const turn = newestTurn(shapes);
      const word = (state: string | undefined): string => state?.slice('TASK_STATE_'.length) ?? '';
      const wordOf = ({ state, untimed }: StatePeriod): string => (untimed === true ? 'untimed' : word(state) || '?');
      assert.equal(
        turn && `${turn.periods.map(each => `${wordOf(each)} ${each.from}-${each.to ?? ''}`).join(', ')}; ${word(turn.ended)}`,
        periods,
      );
      assert.equal(turn?.first, first);
    });
  }

  const timesOf = (shapes: readonly Shape[], now = 0): string[] =>
    timesPerState(newestTurn(shapes)!, now).map(({ state, ms }) => `${state.slice('TASK_STATE_'.length)} ${ms ?? 'unknown'}`);

  test('every state of a turn has its time: one of no length, the first of many, and one whose time is unknown', () => {
    assert.deepEqual(timesOf([mine(0), is(10, 'SUBMITTED'), is(10, 'WORKING')], 70), ['SUBMITTED 0', 'WORKING 60']);
    const many = Array.from({ length: 300 }, (_, index) => is(20 + index, index % 2 === 0 ? 'WORKING' : 'INPUT_REQUIRED'));
    assert.deepEqual(timesOf([mine(0), is(10, 'SUBMITTED'), ...many, is(400, 'COMPLETED')])[0], 'SUBMITTED 10');
    assert.deepEqual(timesOf([mine(0), is(10, 'SUBMITTED'), is(30, 'WORKING'), late('AUTH_REQUIRED'), is(60, 'WORKING')], 70), [
      'SUBMITTED 20',
      'WORKING unknown',
      'AUTH_REQUIRED unknown',
    ]);
  });

  test('the turn of one task among several', () => {
    const shapes = [mine(0), is(10, 'COMPLETED'), is(20, 'WORKING', 'other'), is(30, 'COMPLETED', 'other')];
    assert.deepEqual(
      [newestTurn(shapes)?.taskId, newestTurn(shapes, 't')?.taskId, newestTurn(shapes, 'none')?.answers],
      ['other', 't', undefined],
    );
  });

  test('a bar of equal pieces says which state was when, and goes on with the last', () => {
    const { periods } = newestTurn([mine(0), is(25, 'SUBMITTED'), is(50, 'WORKING')])!;
    assert.deepEqual(
      pieces(periods, 100, 8).map(({ state }) => state?.at(-1)),
      [undefined, undefined, 'D', 'D', 'G', 'G', 'G', 'G'],
    );
    assert.equal(pieces(periods, 0, 4).length, 4);
  });

  test('pieces and bytes of everything, also of what grows', () => {
    const transcript = new Transcript();
    const parts: Part[] = [{ text: 'a€' }, { raw: 'AAAA' }, { data: [1] }, { url: 'https://agent.example/x' }];
    transcript.load(
      [
        { kind: 'artifact', seq: 1, at: 1, taskId: 't', artifact: { artifactId: 'a', parts: [{ text: 'x' }] }, complete: false, chunks: 1 },
        { kind: 'message', seq: 2, at: 2, message: { messageId: 'm', role: 'ROLE_AGENT', parts } },
      ],
      false,
    );
    const views = () => [1, 2].map(each => transcript.view(each)!.peek());
    assert.deepEqual(totalOf(views()), { chunks: 1, bytes: 1 + 4 + 3 + '[1]'.length });
    transcript.apply([{ type: 'append', seq: 1, parts: [{ text: 'yz' }], chunks: 2 }]);
    assert.deepEqual(totalOf(views()), { chunks: 2, bytes: 3 + 4 + 3 + '[1]'.length });
  });
});
