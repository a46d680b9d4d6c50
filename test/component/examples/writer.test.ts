import * as assert from 'node:assert/strict';
import { TaskState, type StreamResponse } from '@a2a-js/sdk';
import { harbourHandbook, pieces } from '../../../examples/agents/handbook.ts';
import { textPart } from '../../../examples/agents/parts.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { generations, Peer, statusText, taskOf, type Outcome } from './peer.ts';

function chunksOf(events: readonly StreamResponse[]) {
  return events.flatMap(({ payload }) => (payload?.$case === 'artifactUpdate' ? [payload.value] : []));
}

function written(parts: readonly ReturnType<typeof textPart>[]): string {
  return parts.map(part => (part.content?.$case === 'text' ? part.content.value : '')).join('');
}

suite('sample agent Writer', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.02 });
  });
  suiteTeardown(() => agents.stop());

  for (const generation of generations) {
    test(`streams a handbook in chunks of one artifact, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Writer, generation);
      const outcome = await peer.send('Write 60 chunks quickly');
      const chunks = chunksOf(outcome.events);
      assert.equal(chunks.length, 60);
      assert.deepEqual(
        chunks.map(({ append }) => append),
        chunks.map((_, at) => at > 0),
      );
      assert.deepEqual(
        chunks.map(({ lastChunk }) => lastChunk),
        chunks.map((_, at) => at === 59),
      );
      assert.equal(new Set(chunks.map(({ artifact }) => artifact?.artifactId)).size, 1);
      const text = written(chunks.flatMap(({ artifact }) => artifact?.parts ?? []));
      assert.equal(text, harbourHandbook(60 * 3.5));
      assert.equal(written(taskOf(outcome).artifacts[0]?.parts ?? []), text);
    });

    test(`stops when canceled, and keeps what was written, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Writer, generation);
      let taskId = '';
      const seen = Promise.withResolvers<void>();
      const stream: Promise<Outcome> = peer.send('Write 300 chunks, 500 ms apart', {}, ({ payload }) => {
        if (payload?.$case === 'task') taskId = payload.value.id;
        if (payload?.$case === 'artifactUpdate' && payload.value.append) seen.resolve();
      });
      await seen.promise;
      const canceled = await peer.client.cancelTask({ id: taskId, tenant: '', metadata: undefined });
      assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
      const outcome = await stream;
      const last = outcome.events.at(-1)?.payload;
      assert.equal(last?.$case === 'statusUpdate' ? last.value.status?.state : undefined, TaskState.TASK_STATE_CANCELED);
      const kept = taskOf(outcome);
      assert.equal(kept.status?.state, TaskState.TASK_STATE_CANCELED);
      const parts = kept.artifacts[0]?.parts.length ?? 0;
      assert.ok(parts >= 2 && parts < 300, `${parts} chunks were kept`);
      await assert.rejects(peer.send('go on', { taskId }), /terminal state/);
    });
  }

  test('lets others subscribe while it writes', async () => {
    const peer = await Peer.connect(agents.urls.Writer, '1.0');
    const events: StreamResponse[] = [];
    let following: Promise<void> | undefined;
    const outcome = await peer.send('Write 40 chunks, 250 ms apart', {}, ({ payload }) => {
      if (payload?.$case !== 'task') return;
      const { id } = payload.value;
      following = (async () => {
        for await (const event of peer.client.resubscribeTask({ id, tenant: '' })) events.push(event);
      })();
    });
    await following;
    assert.equal(events[0]?.payload?.$case, 'task');
    assert.ok(chunksOf(events).length > 20, `${chunksOf(events).length} chunks followed`);
    assert.deepEqual(events.at(-1), outcome.events.at(-1));
  });

  test('takes no second message while it writes, and the first stream goes on', async () => {
    const peer = await Peer.connect(agents.urls.Writer, '1.0');
    let refusal: Promise<void> | undefined;
    const outcome = await peer.send('Write 20 chunks, 250 ms apart', {}, ({ payload }) => {
      if (payload?.$case === 'task') refusal = assert.rejects(peer.send('faster', { taskId: payload.value.id }), /is at work/);
    });
    await refusal;
    assert.equal(taskOf(outcome).status?.state, TaskState.TASK_STATE_COMPLETED);
  });

  test('fails half-way when told to, and declines what is too much', async () => {
    const peer = await Peer.connect(agents.urls.Writer, '1.0');
    const failed = taskOf(await peer.send('Write 10 chunks quickly and fail half-way'));
    assert.equal(failed.status?.state, TaskState.TASK_STATE_FAILED);
    assert.equal(failed.artifacts[0]?.parts.length, 5);
    const declined = taskOf(await peer.send('Write 100000 chunks'));
    assert.equal(declined.status?.state, TaskState.TASK_STATE_REJECTED, statusText(declined));
  });

  test('cuts its text without losing a character', () => {
    const text = harbourHandbook(3500);
    for (const count of [1, 2, 7, 350, 1000]) {
      const cut = pieces(text, count);
      assert.equal(cut.length, count);
      assert.equal(cut.join(''), text);
      assert.ok(cut.every(piece => piece !== ''));
    }
    assert.throws(() => pieces('two words', 3), RangeError);
  });
});
