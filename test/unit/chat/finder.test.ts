import * as assert from 'node:assert/strict';
import { Channel } from '../../../src/chat/host/channel.ts';
import { Finder } from '../../../src/chat/panel/finder.ts';
import { findPattern, type RequestEnvelope, type Requests } from '../../../src/chat/host/messages.ts';

type FindResult = Requests['find']['result'];

/** A finder whose host answers in turn; `asked` is what it was asked. */
function finderOf(...answers: readonly FindResult[]): { finder: Finder; asked: Requests['find']['params'][]; failed: unknown[] } {
  const asked: Requests['find']['params'][] = [];
  const failed: unknown[] = [];
  const channel: Channel = new Channel((message: RequestEnvelope) => {
    const result = answers[asked.length] ?? { found: [] };
    asked.push(message.params as Requests['find']['params']);
    queueMicrotask(() => channel.receive({ type: 'answer', id: message.id, result }));
  });
  return { finder: new Finder(channel, error => failed.push(error)), asked, failed };
}

async function searched(finder: Finder): Promise<void> {
  while (finder.searching.peek()) await new Promise(resolve => setTimeout(resolve, 1));
}

suite('chat: find', () => {
  test('the whole context is read, page by page, and counted', async () => {
    const { finder, asked } = finderOf(
      { found: [{ seq: 30, times: 2 }], next: 20 },
      { found: [], next: 10 },
      { found: [{ seq: 5, times: 1 }] },
    );
    finder.open('sail');
    await searched(finder);
    assert.deepEqual(
      asked.map(({ before }) => before),
      [undefined, 20, 10],
    );
    assert.deepEqual(
      [finder.found.peek(), finder.total.peek(), finder.cut.peek(), finder.position.peek()],
      [
        [
          { seq: 5, times: 1 },
          { seq: 30, times: 2 },
        ],
        3,
        false,
        undefined,
      ],
    );
  });

  const found = [
    { seq: 5, times: 1 },
    { seq: 30, times: 2 },
  ];
  const walks: readonly (readonly [what: string, near: number | undefined, steps: readonly (1 | -1)[], places: readonly string[]])[] = [
    ['from the end backwards, and round', 99, [-1, -1, -1, -1], ['30/1 3', '30/0 2', '5/0 1', '30/1 3']],
    ['from what is in sight onwards, and round', 20, [1, 1, 1, 1], ['5/0 1', '30/0 2', '30/1 3', '5/0 1']],
    ['before everything: the first', 1, [1], ['5/0 1']],
    ['of an empty view: the last', undefined, [1], ['30/1 3']],
  ];
  for (const [what, near, steps, places] of walks) {
    test(what, async () => {
      const { finder } = finderOf({ found });
      finder.open('sail');
      await searched(finder);
      assert.deepEqual(
        steps.map(step => {
          const at = finder.step(step, near);
          return `${at?.seq}/${at?.nth} ${finder.position.peek()}`;
        }),
        places,
      );
    });
  }

  test('more than can be counted is said to be more', async () => {
    const { finder, asked } = finderOf({ found: [{ seq: 9, times: 10_000 }], next: 8 }, { found: [{ seq: 1, times: 1 }] });
    finder.open('a');
    await searched(finder);
    assert.deepEqual([asked.length, finder.total.peek(), finder.cut.peek()], [1, 10_000, true]);
  });

  test('an answer to words that are no longer looked for is not heard', async () => {
    const { finder } = finderOf({ found });
    finder.open('one');
    await new Promise(resolve => setTimeout(resolve, 2));
    finder.look({ text: ' ' });
    await searched(finder);
    assert.deepEqual([finder.found.peek(), finder.pattern.peek()], [[], undefined]);
    finder.close();
    assert.equal(finder.query.peek(), undefined);
  });

  test('what was looked for is there when the bar is opened again', async () => {
    const { finder, asked } = finderOf({ found });
    finder.open('one');
    await searched(finder);
    finder.close();
    finder.open();
    await searched(finder);
    assert.deepEqual([finder.query.peek(), asked.length], [{ text: 'one', matchCase: false }, 2]);
    finder.close();
  });

  test('an error of the host is told', async () => {
    const channel: Channel = new Channel(({ id }) =>
      queueMicrotask(() => channel.receive({ type: 'answer', id, error: { message: 'no' } })),
    );
    const failed: unknown[] = [];
    const finder = new Finder(channel, error => failed.push(error));
    finder.open('x');
    await searched(finder);
    assert.equal(failed.length, 1);
  });

  const patterns: readonly (readonly [text: string, within: string, times: number, matchCase?: true])[] = [
    ['sail', 'Sail, sailing SAIL', 3],
    ['Sail', 'Sail, sailing SAIL', 1, true],
    ['天气', '赫尔辛基的天气,天气', 2],
    ['straße', 'STRASSE Straße', 1],
    ['ПОГОДА', 'погода', 1],
    ['a  b', 'a\nb a b', 2],
    ['.*', 'a .* b', 1],
    ['(?:', '(?:', 1],
    ['e\u0301', '\u00e9', 1],
    ['👩‍🚀', 'x👩‍🚀x', 1],
    ['\\', 'a\\b', 1],
    ['[a-z]/{2}', '[a-z]/{2}', 1],
  ];
  for (const [text, within, times, matchCase = false] of patterns) {
    test(`"${text}" occurs ${times} times in "${within}"${matchCase ? ' with its case' : ''}`, () =>
      assert.equal([...within.matchAll(findPattern({ text, matchCase }))].length, times));
  }
});
