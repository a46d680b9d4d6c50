import * as assert from 'node:assert/strict';
import { Transcript } from '../../../src/chat/transcript/transcript.ts';
import { questionOf } from '../../../src/chat/transcript/question.ts';
import { Story } from '../../support/chatHarness/story.ts';

suite('chat: the question of a waiting task', () => {
  const asked = (text: string | undefined): string => {
    const transcript = new Transcript();
    for (const entry of new Story().status(1, 't', 'TASK_STATE_AUTH_REQUIRED', text).entries) transcript.apply([{ type: 'put', entry }]);
    return questionOf({ waitingTaskId: 't', tasks: [{ taskId: 't', title: 'Read my mail' } as never] }, transcript);
  };

  for (const [what, text, expected] of [
    ['is on one line', 'May I\n\n  read it?', 'May I read it?'],
    ['without words is what the task was asked', undefined, 'Read my mail'],
    [
      'has the words of links alone',
      'See [what I read](https://a.example/b?c=d), or ![a picture](x.png).',
      'See what I read, or a picture.',
    ],
    ['keeps brackets that are no links', 'f[0](x y) and [this] (that)', 'f[0](x y) and [this] (that)'],
    ['is cut', 'a'.repeat(200), `${'a'.repeat(119)}…`],
  ] as const)
    test(what, () => assert.equal(asked(text), expected));

  test('with any number of brackets takes no time to speak of', () => {
    assert.equal(asked('['.repeat(1_000_000)).length, 120);
  });

  test('is empty where no task waits', () => assert.equal(questionOf({ waitingTaskId: undefined, tasks: [] }, new Transcript()), ''));
});
