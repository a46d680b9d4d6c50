import * as assert from 'node:assert/strict';
import type { Shape } from '../../../src/chat/transcript/rows.ts';
import { newestTurn, pieces, totalOf } from '../../../src/chat/timeline/turn.ts';
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
  ];
  for (const [what, shapes, periods, first] of turns) {
    test(what, () => {
      const turn = newestTurn(shapes);
      const word = (state: string | undefined): string => state?.slice('TASK_STATE_'.length) ?? '';
      assert.equal(
        turn && `${turn.periods.map(({ state, from, to }) => `${word(state) || '?'} ${from}-${to ?? ''}`).join(', ')}; ${word(turn.ended)}`,
        periods,
      );
      assert.equal(turn?.first, first);
    });
  }

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
    assert.deepEqual(totalOf(views()), { chunks: 1, bytes: 1 + 4 + 3 + '[\n  1\n]'.length });
    transcript.apply([{ type: 'append', seq: 1, parts: [{ text: 'yz' }], chunks: 2 }]);
    assert.deepEqual(totalOf(views()), { chunks: 2, bytes: 3 + 4 + 3 + '[\n  1\n]'.length });
  });
});
