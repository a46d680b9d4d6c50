import * as assert from 'node:assert/strict';
import type { RecordedExchange, Recording } from '../../../src/recording/recording.ts';
import { conversationsIn } from '../../../src/recording/turns.ts';

suite('turns of a recording', () => {
  const said = (number: number, message: object, answer?: object, after?: number): RecordedExchange => ({
    exchange: {
      id: `e${number}`,
      operation: 'SendMessage',
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/',
        headers: [],
        body: JSON.stringify({ params: { message: { messageId: `m${number}`, role: 'ROLE_USER', parts: [{ text: 'x' }], ...message } } }),
      },
      response: { status: 200, headers: [], body: JSON.stringify(answer === undefined ? {} : { result: answer }) },
      startedAt: number,
      endedAt: number,
      findings: [],
    },
    frames: [],
    after,
  });
  const read = (exchanges: readonly RecordedExchange[]): readonly (readonly number[])[] => {
    const recording: Recording = {
      agent: { url: 'http://127.0.0.1/' },
      recordedAt: 0,
      replaced: [],
      lacks: [],
      rules: [],
      faults: [],
      exchanges,
    };
    return conversationsIn(recording).conversations.map(turns => turns.map(({ number }) => number));
  };

  test('a conversation that goes on from another begins with its turns, and a task without a context is in that of its task', () => {
    const task = { task: { id: 't', contextId: 'one', status: { state: 'TASK_STATE_INPUT_REQUIRED' } } };
    const exchanges = [
      said(1, { contextId: 'one' }, task),
      said(2, { taskId: 't' }),
      said(3, { contextId: 'two' }, undefined, 1),
      said(4, { contextId: 'three' }, undefined, 9),
    ];
    assert.deepEqual(read(exchanges), [[1, 2], [1, 3], [4]]);
  });

  test('conversations that all go on from a long one do not grow with the square of their number', () => {
    const half = 5_000;
    const exchanges = Array.from({ length: 2 * half }, (_, index) =>
      index < half ? said(index + 1, { contextId: 'one' }) : said(index + 1, { contextId: `c${index}` }, undefined, half),
    );
    const turns = read(exchanges).flat().length;
    assert.ok(turns > half * 100 && turns <= 1_000_000 + exchanges.length, `${turns} turns`);
  });

  test('many messages that name their task alone are read in the time that their number takes', () => {
    const count = 20_000;
    const task = { task: { id: 't', contextId: `c${count}`, status: { state: 'TASK_STATE_INPUT_REQUIRED' } } };
    const others = Array.from({ length: count }, (_, index) => said(index + 1, { contextId: `c${index + 1}` }));
    const control = performance.now();
    read([...others, ...others.map((_, index) => said(count + index + 1, { contextId: 'one' }))]);
    const usual = performance.now() - control;
    const startedAt = performance.now();
    read([...others.slice(1), said(count, {}, task), ...others.map((_, index) => said(count + index + 1, { taskId: 't' }))]);
    assert.ok(performance.now() - startedAt < 5 * usual + 1_000);
  });
});
