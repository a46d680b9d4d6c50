import * as assert from 'node:assert/strict';
import { TaskState, type Task } from '@a2a-js/sdk';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { dataOf, generations, Peer, statusText, taskOf } from './peer.ts';

function booking(task: Task): Record<string, unknown> {
  assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED, statusText(task));
  return dataOf(task.artifacts[0]?.parts ?? []);
}

suite('sample agent Helsinki', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.02 });
  });
  suiteTeardown(() => agents.stop());

  for (const generation of generations) {
    test(`arranges a trip as tasks that refer to each other, two of them in parallel, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Helsinki, generation);
      const flight = taskOf(await peer.send('Book a flight to Helsinki from Berlin on 2027-03-01'));
      const { contextId } = flight;
      const flown = booking(flight);
      assert.deepEqual([flown['from'], flown['departs']], ['BER', '2027-03-01T10:25']);

      const order: string[] = [];
      const rests = { contextId, referenceTaskIds: [flight.id] };
      const [hotel, snowmobile] = await Promise.all([
        peer.send('Book a hotel', rests, () => order.push('hotel')),
        peer.send('Book a snowmobile', rests, () => order.push('snowmobile')),
      ]);
      assert.ok(
        order.indexOf('snowmobile') < order.lastIndexOf('hotel') && order.indexOf('hotel') < order.lastIndexOf('snowmobile'),
        order.join(' '),
      );
      assert.equal(booking(taskOf(snowmobile))['flight'], flown['reference']);
      const room = booking(taskOf(hotel));
      assert.equal(room['flight'], flown['reference']);

      const spa = booking(
        taskOf(await peer.send('Add a spa reservation to my hotel', { contextId, referenceTaskIds: [taskOf(hotel).id] })),
      );
      assert.equal(spa['hotelReference'], room['reference']);
    });
  }

  test('declines a hotel without a flight, another destination and a strange reference', async () => {
    const peer = await Peer.connect(agents.urls.Helsinki, '1.0');
    const refused = await Promise.all([
      peer.send('Book a hotel'),
      peer.send('Book a flight to Paris'),
      peer.send('Book a hotel', { referenceTaskIds: ['nowhere'] }),
    ]);
    assert.deepEqual(
      refused.map(outcome => taskOf(outcome).status?.state),
      Array(3).fill(TaskState.TASK_STATE_REJECTED),
    );
  });

  test('asks for the hotel when the spa rests on none of its own', async () => {
    const peer = await Peer.connect(agents.urls.Helsinki, '1.0');
    const asked = taskOf(await peer.send('Book a spa'));
    assert.equal(asked.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    const done = taskOf(await peer.send('Hotel Kontula', { taskId: asked.id, contextId: asked.contextId }));
    assert.equal(booking(done)['hotel'], 'Hotel Kontula');
  });

  test('takes the bookings that each rests on where every message refers to the one before', async () => {
    const peer = await Peer.connect(agents.urls.Helsinki, '1.0');
    let before = taskOf(await peer.send('Book a flight to Helsinki'));
    for (const text of ['Book a hotel', 'Book a snowmobile', 'Add a spa reservation to my hotel']) {
      before = taskOf(await peer.send(text, { contextId: before.contextId, referenceTaskIds: [before.id] }));
      assert.equal(before.status?.state, TaskState.TASK_STATE_COMPLETED, text);
    }
    assert.equal(booking(before)['kind'], 'spa');
  });

  for (const generation of generations) {
    test(`waits for a permission and books the lounge in the same stream, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Helsinki, generation);
      const { contextId, id } = taskOf(await peer.send('Book a flight'));
      const { events, task } = await peer.send('Book the airport lounge', { contextId, referenceTaskIds: [id] });
      const states = events.flatMap(({ payload }) => (payload?.$case === 'statusUpdate' ? [payload.value.status?.state] : []));
      assert.equal(states[0], TaskState.TASK_STATE_AUTH_REQUIRED);
      assert.ok(task !== undefined && booking(task)['kind'] === 'lounge');
    });
  }

  test('lists the tasks of a context, newest first', async () => {
    const peer = await Peer.connect(agents.urls.Helsinki, '1.0');
    const flight = taskOf(await peer.send('Book a flight'));
    const hotel = taskOf(await peer.send('Book a room', { contextId: flight.contextId }));
    const { tasks, totalSize } = await peer.client.listTasks({
      contextId: flight.contextId,
      tenant: '',
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    assert.deepEqual([tasks.map(task => task.id), totalSize], [[hotel.id, flight.id], 2]);
  });
});
