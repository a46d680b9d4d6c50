import * as assert from 'node:assert/strict';
import { recordingOf } from '../../../src/request/import/recording.ts';
import { requestFileText, Template } from '../../../src/request/import/requestJson.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { Story } from '../../support/chatHarness/story.ts';

suite('a chat as a test', () => {
  test('each message with the state and the artifacts that came of it; an answer goes to the request that asked', () => {
    const story = new Story()
      .user(0, 'How much is 10 USD?', { taskId: 't-1' })
      .status(1, 't-1', 'TASK_STATE_WORKING', 'Looking')
      .status(2, 't-1', 'TASK_STATE_INPUT_REQUIRED', 'In which currency?')
      .user(3, 'Draw {{it}}', { taskId: 't-2' })
      .user(4, 'EUR', { taskId: 't-1' })
      .artifact(5, 't-2', [{ raw: 'AAAA', mediaType: 'image/png' }], { name: 'picture.png' })
      .artifact(5, 't-1', [{ text: '9.2' }], { name: 'conversion' })
      .artifact(5, 't-1', [{ text: '9.3' }], { name: 'conversion' })
      .status(6, 't-1', 'TASK_STATE_COMPLETED')
      .status(7, 't-2', 'TASK_STATE_WORKING')
      .user(8, 'Hello')
      .agent(9, [{ text: 'Hi.' }])
      .user(10, 'Nobody got this', { delivery: 'refused' })
      .user(11, 'Nor is it known of this', { delivery: 'unknown' });
    const { requests, left } = recordingOf(story.entries, 'Money');
    assert.equal(left, 2);
    assert.deepEqual(requests, [
      { name: 'how-much-is-10-usd', agent: 'Money', message: 'How much is 10 USD?', expect: { state: 'input-required' } },
      {
        name: 'draw-it',
        agent: 'Money',
        after: 'how-much-is-10-usd',
        message: 'Draw {{it}}',
        expect: { artifacts: [{ name: 'picture.png', mediaType: 'image/png' }] },
      },
      {
        name: 'eur',
        agent: 'Money',
        after: 'how-much-is-10-usd',
        message: 'EUR',
        expect: { state: 'completed', artifacts: [{ name: 'conversion', mediaType: 'text/plain', count: 2 }] },
      },
      { name: 'hello', agent: 'Money', after: 'eur', message: 'Hello', expect: { text: { matches: '\\S' } } },
    ]);
    const { problems } = readRequestFile(requestFileText(requests));
    assert.deepEqual(problems, [], 'it is a request file without a problem');
  });

  test('a task that was stopped is stopped again, once it is in the state that it was in', () => {
    const story = new Story()
      .user(0, 'Draw', { taskId: 't-1' })
      .status(1, 't-1', 'TASK_STATE_SUBMITTED')
      .status(2, 't-1', 'TASK_STATE_WORKING')
      .artifact(3, 't-1', [{ text: 'half' }], { name: 'picture' })
      .status(4, 't-1', 'TASK_STATE_CANCELED')
      .user(5, 'Stop draw')
      .agent(6, [{ text: 'Hi.' }]);
    const { requests } = recordingOf(story.entries, 'Boat');
    assert.deepEqual(requests, [
      { name: 'draw', agent: 'Boat', message: 'Draw', waitFor: 'working' },
      {
        name: 'stop-draw',
        agent: 'Boat',
        method: 'CancelTask',
        params: { id: new Template('{{draw.task.id}}') },
        expect: { state: 'canceled' },
      },
      { name: 'stop-draw-2', agent: 'Boat', after: 'draw', message: 'Stop draw', expect: { text: { matches: '\\S' } } },
    ]);
    assert.deepEqual(readRequestFile(requestFileText(requests)).problems, []);
  });

  test('a reference to a task becomes one to the request that made it', () => {
    const story = new Story()
      .user(0, 'Draw', { taskId: 't-1' })
      .status(1, 't-1', 'TASK_STATE_COMPLETED')
      .user(2, 'In red', { taskId: 't-2' });
    const entries = story.entries.map(
      (entry): Entry =>
        entry.kind === 'message' && entry.taskId === 't-2'
          ? { ...entry, message: { ...entry.message, referenceTaskIds: ['t-1', 'gone'] } }
          : entry,
    );
    assert.deepEqual(recordingOf(entries, 'Boats').requests[1], {
      name: 'in-red',
      agent: 'Boats',
      after: 'draw',
      params: { message: { parts: [{ text: 'In red' }], referenceTaskIds: [new Template('{{draw.task.id}}')] } },
      expect: { findings: [] },
    });
  });

  test('a chat in which nothing was sent is no test', () => {
    assert.deepEqual(recordingOf(new Story().agent(0, [{ text: 'Hi.' }]).entries, 'x'), { requests: [], left: 0 });
  });
});
