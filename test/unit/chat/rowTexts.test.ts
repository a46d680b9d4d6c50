import * as assert from 'node:assert/strict';
import { computed } from '@preact/signals';
import { type Row, rowsOf } from '../../../src/chat/transcript/rows.ts';
import { RowTexts } from '../../../src/chat/transcript/rowTexts.ts';
import { StatusWords } from '../../../src/chat/transcript/statusWords.ts';
import { Transcript } from '../../../src/chat/transcript/transcript.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { ShownState } from '../../../src/protocol/message/taskState.ts';
import { Story } from '../../support/chatHarness/story.ts';

const working: ShownState = 'TASK_STATE_WORKING';

suite('chat: texts of rows', () => {
  let transcript: Transcript;
  let story: Story;
  let texts: RowTexts;
  let rows: () => readonly Row[];
  setup(() => {
    transcript = new Transcript();
    story = new Story();
    const shown = computed(() => rowsOf(transcript.shapes.value));
    texts = new RowTexts(transcript, shown);
    rows = () => shown.peek();
  });

  /** Statuses of one task, put one by one. */
  const say = (...told: readonly (readonly [text: string | undefined, state?: ShownState])[]): void => {
    for (const [text, state = working] of told)
      transcript.apply([{ type: 'put', entry: story.status(1, 't', state, text).entries.at(-1)! }]);
  };
  const person = (): void => transcript.apply([{ type: 'put', entry: story.user(1, 'Go', { taskId: 't' }).entries.at(-1)! }]);
  const row = (kind: Row['kind']): Row => rows().find(each => each.kind === kind)!;
  const ofProgress = (): string[] => texts.of(row('progress')).map(({ text }) => text);

  test('a text that grows keeps its blocks, which have each piece once', () => {
    say(['Looking it up…'], ['The'], [' rate']);
    const before = texts.of(row('progress')).at(-1)!;
    assert.equal(before.block?.toString(), 'The rate');
    say([' is'], [' high.']);
    const after = texts.of(row('progress')).at(-1)!;
    assert.equal(after.block, before.block);
    assert.equal(after.block?.toString(), 'The rate is high.');
    assert.deepEqual(ofProgress(), ['Looking it up…', 'The rate is high.']);
  });

  test('a row whose last status is another one now is read anew', () => {
    say(['Reading…'], ['Writing…']);
    assert.deepEqual(ofProgress(), ['Reading…', 'Writing…']);
    const last = story.entries.at(-1)!;
    transcript.apply([
      {
        type: 'put',
        entry: { ...last, at: last.at + 1, message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Sleeping…' }] } } as typeof last,
      },
    ]);
    assert.deepEqual(ofProgress(), ['Reading…', 'Sleeping…']);
  });

  test('the words of a question stand beside its other parts', () => {
    say(['on it'], ['x', 'TASK_STATE_AUTH_REQUIRED']);
    const words = new StatusWords(transcript);
    const last = story.entries.at(-1)!;
    const put = (parts: readonly Part[]): void =>
      transcript.apply([
        { type: 'put', entry: { ...last, at: last.at + 1, message: { messageId: 'm', role: 'ROLE_AGENT', parts } } as typeof last },
      ]);
    put([{ text: 'Please sign in' }, { data: { url: 'https://login.example' } }]);
    assert.equal(words.newest('t'), 'Please sign in');
    put([{ data: { url: 'https://login.example' } }]);
    assert.equal(words.newest('t'), 'on it');
  });

  test('a question without words of its own is the last text before it, and stands there alone', () => {
    say(['Asking…'], ['Which'], [' one?'], [undefined, 'TASK_STATE_INPUT_REQUIRED']);
    const asking = row('status');
    assert.equal(texts.endOf(asking)?.text, 'Which one?');
    assert.equal(texts.endOf(asking)?.block?.toString(), 'Which one?');
    assert.deepEqual(ofProgress(), ['Asking…']);
    assert.equal(texts.whole(asking), 'Which one?');
    assert.equal(texts.rowWith(2), asking, 'who looks for a piece is led to the question');
    assert.equal(texts.rowWith(1), row('progress'));
  });

  test('the whole text of progress has each of its lines, those beside data too, and none where there are no words', () => {
    say([undefined]);
    assert.equal(texts.whole(row('progress')), undefined);
    say([undefined], ['Looking it up…'], ['Drawing the map'], [undefined]);
    assert.equal(texts.whole(row('progress')), 'Looking it up…\nDrawing the map');
    const last = story.entries.at(-1)!;
    const parts = [{ text: 'A chart' }, { data: { miles: 3 } }];
    transcript.apply([
      { type: 'put', entry: { ...last, at: last.at + 1, message: { messageId: 'm', role: 'ROLE_AGENT', parts } } as typeof last },
    ]);
    assert.equal(texts.whole(row('progress')), 'Looking it up…\nDrawing the map\nA chart');
    say(['The'], [' rate']);
    assert.match(texts.whole(row('progress')) ?? '', /A chart\n\nThe rate$/);
  });

  test('an end without words takes nothing from the progress before it', () => {
    say(['The'], [' rate'], [undefined, 'TASK_STATE_COMPLETED']);
    assert.equal(texts.endOf(row('status')), undefined);
    assert.deepEqual(ofProgress(), ['The rate']);
    assert.equal(texts.rowWith(1), row('progress'));
  });

  test('an end with the last piece is read with it, and one with words of its own is not', () => {
    say(['The'], [' rate'], [' is high.', 'TASK_STATE_COMPLETED']);
    assert.equal(texts.endOf(row('status'))?.text, 'The rate is high.');
    assert.deepEqual(ofProgress(), []);
    assert.equal(texts.whole(row('progress')), '');
    person();
    say(['One'], [' two.'], ['Two stations answered.', 'TASK_STATE_COMPLETED']);
    const [, last] = rows().filter(({ kind }) => kind === 'status');
    assert.equal(texts.endOf(last!), undefined);
  });

  test('the newest words of a task begin after the person last spoke, and after it last waited', () => {
    const words = new StatusWords(transcript);
    const newest = (): string => words.newest('t');
    say(['The'], [' rate']);
    assert.equal(newest(), 'The rate');
    person();
    say([' of']);
    assert.equal(newest(), ' of');
    say(['which day?', 'TASK_STATE_INPUT_REQUIRED'], [' more'], [undefined]);
    assert.equal(newest(), ' more');
    assert.equal(words.newest('of nobody'), '');
  });
});
