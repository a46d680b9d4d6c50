import * as assert from 'node:assert/strict';
import { TaskState, type Task } from '@a2a-js/sdk';
import { changesIn, palette, type SailboatStyle } from '../../../examples/agents/sailboatStyle.ts';
import { startSampleAgents, type StartedSampleAgents } from '../../support/sampleAgents.ts';
import { generations, Peer, statusText, taskOf } from './peer.ts';
import { decodePng, type DecodedPng } from './png.ts';

const onHull = [250, 244] as const;
const inSky = [5, 2] as const;

suite('sample agent Sailboat', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0.02 });
  });
  suiteTeardown(() => agents.stop());

  function picture(task: Task): DecodedPng {
    assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED, statusText(task));
    assert.deepEqual(
      task.artifacts.map(artifact => artifact.name),
      ['sailboat_image.png'],
    );
    const part = task.artifacts[0]?.parts[0];
    assert.equal(part?.mediaType, 'image/png');
    assert.equal(part.filename, 'sailboat_image.png');
    assert.equal(part.content?.$case, 'raw');
    return decodePng(part.content.value);
  }

  for (const generation of generations) {
    test(`draws and redraws, ${generation}`, async () => {
      const peer = await Peer.connect(agents.urls.Sailboat, generation);
      const drawn = await peer.send('Generate an image of a sailboat on the ocean.');
      const first = taskOf(drawn);
      const plain = picture(first);
      assert.deepEqual([plain.width, plain.height], [480, 320]);
      assert.deepEqual(plain.pixel(...onHull), palette.brown);
      assert.deepEqual(
        drawn.events.map(event => event.payload?.$case),
        ['task', 'statusUpdate', 'statusUpdate', 'statusUpdate', 'artifactUpdate', 'statusUpdate'],
      );

      const { contextId } = first;
      const second = taskOf(await peer.send('Please modify the sailboat to be red.', { contextId, referenceTaskIds: [first.id] }));
      assert.notEqual(second.id, first.id);
      assert.equal(second.contextId, contextId);
      assert.notEqual(second.artifacts[0]?.artifactId, first.artifacts[0]?.artifactId);
      const red = picture(second);
      assert.deepEqual(red.pixel(...onHull), palette.red);
      assert.deepEqual(red.pixel(...inSky), plain.pixel(...inSky));

      const night = picture(taskOf(await peer.send('Now at night', { contextId })));
      assert.ok((night.pixel(...inSky)[2] ?? 255) < 60, 'a night sky is dark');
      assert.ok((night.pixel(...onHull)[0] ?? 0) > 2 * (night.pixel(...onHull)[2] ?? 0), 'the boat stays red');
    });
  }

  test('asks which picture is meant when only the user can tell, and goes on in the same task', async () => {
    const peer = await Peer.connect(agents.urls.Sailboat, '1.0');
    const { contextId } = taskOf(await peer.send('Draw a blue sailboat'));
    await peer.send('Draw a green one', { contextId });
    const earlier = picture(taskOf(await peer.send('make the other one yellow', { contextId })));
    assert.deepEqual(earlier.pixel(...onHull), palette.yellow);

    const asked = taskOf(await peer.send('Show the other one at sunset', { contextId }));
    assert.equal(asked.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    assert.match(statusText(asked), /1: a blue sailboat by day; 2: a green sailboat by day; 3: a yellow/);
    const answered = taskOf(await peer.send('the green one', { contextId, taskId: asked.id }));
    assert.equal(answered.id, asked.id);
    assert.deepEqual(answered.artifacts[0]?.metadata, { hull: 'green', sail: 'green', time: 'sunset' });
  });

  test('finds a picture by its colour, and paints parts', async () => {
    const peer = await Peer.connect(agents.urls.Sailboat, '1.0');
    const { contextId } = taskOf(await peer.send('Draw a red sailboat'));
    await peer.send('Draw a blue sailboat', { contextId });
    const changed = taskOf(await peer.send('make the red one green with white sails', { contextId }));
    assert.deepEqual(changed.artifacts[0]?.metadata, { hull: 'green', sail: 'white', time: 'day' });
    const hull = taskOf(await peer.send('give the blue sailboat an orange hull', { contextId }));
    assert.deepEqual(hull.artifacts[0]?.metadata, { hull: 'orange', sail: 'blue', time: 'day' });
  });

  test('declines a reference to a task it does not know', async () => {
    const peer = await Peer.connect(agents.urls.Sailboat, '1.0');
    const task = taskOf(await peer.send('make it red', { referenceTaskIds: ['nowhere'] }));
    assert.equal(task.status?.state, TaskState.TASK_STATE_REJECTED);
    assert.match(statusText(task), /nowhere/);
  });

  test('says with a message what it can do, and does it as a task of the same context', async () => {
    const peer = await Peer.connect(agents.urls.Sailboat, '1.0');
    const { message, task } = await peer.send('hello');
    assert.equal(task, undefined);
    assert.equal(message?.taskId, '');
    assert.notEqual(message.contextId, '');
    const { contextId } = message;
    assert.equal(taskOf(await peer.send('Then draw a sailboat', { contextId })).contextId, contextId);
  });

  const readings: readonly (readonly [text: string, changes: Partial<SailboatStyle>])[] = [
    ['Please modify the sailboat to be red.', { hull: 'red', sail: 'red' }],
    ['blue sails', { sail: 'blue' }],
    ['paint the hull in a nice green and the sails yellow', { hull: 'green', sail: 'yellow' }],
    ['the hull black with white sails at dusk', { hull: 'black', sail: 'white', time: 'sunset' }],
    ['red, but with a gold hull', { hull: 'gold', sail: 'red' }],
    ['on a blue sea', {}],
    ['bored', {}],
  ];
  for (const [text, changes] of readings) {
    test(`reads "${text}"`, () => assert.deepEqual(changesIn(text), changes));
  }
});
