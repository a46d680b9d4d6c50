import * as assert from 'node:assert/strict';
import { Channel, HostError } from '../../../src/chat/host/channel.ts';
import type { RequestEnvelope } from '../../../src/chat/host/messages.ts';

suite('chat: requests and answers', () => {
  let posted: RequestEnvelope[];
  let channel: Channel;
  setup(() => {
    posted = [];
    channel = new Channel(envelope => posted.push(envelope));
  });

  test('answers go to their requests, in any order', async () => {
    const first = channel.request('older', { before: 5 });
    const second = channel.request('stop', null);
    assert.deepEqual(
      posted.map(({ name, params }) => [name, params]),
      [
        ['older', { before: 5 }],
        ['stop', null],
      ],
    );
    const [one = 0, two = 0] = posted.map(({ id }) => id);
    assert.ok(channel.receive({ type: 'answer', id: two, result: null }));
    assert.ok(channel.receive({ type: 'answer', id: one, result: { entries: [], more: false } }));
    assert.equal(await second, null);
    assert.deepEqual(await first, { entries: [], more: false });
  });

  test('an error is thrown with its next step', async () => {
    const asked = channel.request('send', { text: 'a' });
    channel.receive({ type: 'answer', id: posted[0]!.id, error: { message: 'Nobody listens', nextStep: 'Start the agent' } });
    await assert.rejects(
      asked,
      (error: unknown) => error instanceof HostError && error.message === 'Nobody listens' && error.nextStep === 'Start the agent',
    );
  });

  test('an answer to nothing, a second answer and an event nobody waits for are told apart', async () => {
    const asked = channel.request('stop', null);
    const answer = { type: 'answer', id: posted[0]!.id, result: null } as const;
    assert.equal(channel.receive({ type: 'answer', id: 99, result: null }), false);
    assert.equal(channel.receive(answer), true);
    assert.equal(channel.receive(answer), false);
    assert.equal(channel.receive({ type: 'event', name: 'updates', value: [] }), false);
    await asked;
  });

  test('events reach their listener', () => {
    const heard: unknown[] = [];
    channel.on('updates', updates => heard.push(updates));
    assert.ok(channel.receive({ type: 'event', name: 'updates', value: [] }));
    assert.deepEqual(heard, [[]]);
  });
});
