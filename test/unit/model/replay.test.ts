import * as assert from 'node:assert/strict';
import { Replay } from '../../../src/model/wire/replay.ts';
import type { Exchange, Frame } from '../../../src/protocol/exchange.ts';
import type { EntryUpdate } from '../../../src/protocol/message/transcript.ts';

const exchange: Exchange = {
  id: 'e',
  operation: 'SendStreamingMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  startedAt: 1_000,
  endedAt: 2_000,
  findings: [],
  request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: '{}' },
};
const ids = { taskId: 't', contextId: 'c' };
const chunk = (text: string, append: boolean): object => ({
  artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append },
});
const told = [
  { task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } },
  { statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING' } } },
  chunk('One ', false),
  chunk('whale', true),
  'no JSON',
  { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } },
];
const frames: Frame[] = told.map((event, seq) => ({
  seq,
  at: 1_000 + seq,
  data: typeof event === 'string' ? event : JSON.stringify({ jsonrpc: '2.0', id: 1, result: event }),
}));
const words = (updates: readonly EntryUpdate[]): string[] =>
  updates.map(update => {
    if (update.type === 'append') return `append ${update.seq} ${JSON.stringify(update.parts)}`;
    const { entry } = update;
    return `${entry.kind} ${entry.seq} ${entry.kind === 'status' ? entry.state : entry.kind === 'artifact' ? entry.complete : ''}`;
  });

suite('a stream, told again', () => {
  test('event by event it makes the entries that it made when it came', () => {
    const replay = new Replay({ exchange, frames }, 7);
    const steps = frames.map((_, index) => words(replay.goTo(index + 1)));
    assert.deepEqual(steps, [
      ['status 7 TASK_STATE_SUBMITTED'],
      ['status 8 TASK_STATE_WORKING'],
      ['artifact 9 false'],
      ['append 9 [{"text":"whale"}]'],
      [],
      [...steps[5]!.slice(0, -1), 'status 10 TASK_STATE_COMPLETED'],
    ]);
    assert.equal(replay.position, 6);
  });

  test('parts that a task brings are in the artifact and no chunk', () => {
    const task = {
      ...{ id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'One ' }, { text: 'whale' }] }],
    };
    const events = [
      chunk('One ', false),
      { task },
      chunk('!', true),
      { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } },
    ];
    const streamed = events.map((event, seq) => ({ seq, at: 1_000, data: JSON.stringify({ jsonrpc: '2.0', id: 1, result: event }) }));
    const updates = new Replay({ exchange, frames: streamed }, 1).goTo(4);
    const of = (update: EntryUpdate): unknown[] => {
      if (update.type === 'append') return [[update.chunks, update.parts.map(part => ('text' in part ? part.text : '?')).join('')]];
      const { entry } = update;
      return entry.kind === 'artifact'
        ? [[entry.chunks, entry.artifact.parts.map(part => ('text' in part ? part.text : '?')).join('')]]
        : [];
    };
    assert.deepEqual(updates.flatMap(of), [
      [1, 'One '],
      [1, 'One whale'],
      [2, '!'],
      [2, ''],
    ]);
  });

  test('messages that were there before are not told again by the history of the task', () => {
    const message = (messageId: string): object => ({ messageId, role: 'ROLE_USER', parts: [{ text: messageId }] });
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' }, history: [message('mine'), message('other')] };
    const first = [{ seq: 0, at: 1_000, data: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task } }) }];
    const texts = (known?: ReadonlySet<string>): string[] =>
      new Replay({ exchange, frames: first }, 1, known)
        .goTo(1)
        .flatMap(update => (update.type === 'put' && update.entry.kind === 'message' ? [update.entry.message.messageId] : []));
    assert.deepEqual(texts(), ['mine', 'other']);
    assert.deepEqual(texts(new Set(['mine'])), ['other']);
  });

  test('many events at once come to the same as one after the other, and no further than the last', () => {
    const one = new Replay({ exchange, frames }, 1);
    const single = frames.flatMap((_, index) => words(one.goTo(index + 1)));
    assert.deepEqual(words(new Replay({ exchange, frames }, 1).goTo(1_000)), single);
    assert.deepEqual(one.goTo(2_000), []);
  });

  test('a stream that was joined in the middle is told from there', () => {
    const updates = new Replay({ exchange, frames: frames.slice(3).map((frame, seq) => ({ ...frame, seq })) }, 1).goTo(9);
    assert.match(words(updates).join(), /artifact 1|append 1/);
  });
});
