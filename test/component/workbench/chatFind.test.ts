import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { entryOfExchange } from '../../../src/workbench/chat/entryOf.ts';
import { findInContext, lineOfMatch } from '../../../src/workbench/chat/find.ts';
import { pageBefore } from '../../../src/workbench/chat/entryPages.ts';
import { append, artifact, at, History, is, owner, said } from '../store/support/history.ts';

suite('find in a conversation', () => {
  let history: History;
  let key: string;
  suiteSetup(() => {
    history = new History();
  });
  suiteTeardown(() => history.close());
  setup(() => {
    key = history.context();
  });

  const pages: Parameters<typeof findInContext>[0] = {
    entries: ({ before: end, limit = 50 } = {}) => {
      const items = history.store.transcript.entries({ context: key, before: end, limit: limit + 1 });
      return { items: items.slice(-limit), more: items.length > limit };
    },
  };
  const find = (text: string, matchCase = false, before?: number, patience?: number): ReturnType<typeof findInContext> =>
    findInContext(pages, { text, matchCase, before }, ({ template, args }) => `übersetzt ${template} ${args.join(' ')}`, patience);
  const times = (text: string, matchCase = false): number[] => find(text, matchCase).found.map(found => found.times);

  const told: readonly (readonly [what: string, parts: readonly Part[], text: string, times: number])[] = [
    ['words', [{ text: 'A red sailboat, and a RED sail.' }], 'red', 2],
    ['any script', [{ text: '赫尔辛基的天气很好。天气!' }], '天气', 2],
    ['across marks', [{ text: 'A **red** `sail`_boat_ and [a link](https://agent.example/x).' }], 'red sailboat and a link.', 1],
    ['marks where they are shown', [{ text: 'call snake_case(**args)' }], 'snake_case(**args)', 1],
    ['across lines', [{ text: 'a red\n  sailboat' }], 'red sailboat', 1],
    ['data', [{ data: { hull: { colour: 'red', length: 12 }, list: ['redder'] } }], 'red', 2],
    ['names of data', [{ data: { hull: 1 } }], 'hull', 1],
    ['names of files', [{ raw: 'cmVk', filename: 'red.png' }], 'red', 1],
    ['addresses', [{ url: 'https://agent.example/red.png' }], 'agent.example', 1],
    ['nothing in bytes', [{ raw: 'cmVk' }], 'cmVk', 0],
    ['nothing in a data: URI', [{ url: 'data:;base64,cmVk' }], 'cmVk', 0],
  ];
  for (const [what, parts, text, count] of told) {
    test(what, () => {
      history.record(key, [{ kind: 'message', message: said('m', ...parts) }]);
      assert.deepEqual(times(text), count === 0 ? [] : [count]);
    });
  }

  const placed: readonly (readonly [what: string, parts: readonly Part[], nth: number, place: object | undefined])[] = [
    ['a text', [{ text: `${'x\n'.repeat(7_776)}red` }], 0, { part: 0, line: 7_777 }],
    ['the second one', [{ text: 'red\n\nRED' }], 1, { part: 0, line: 3 }],
    ['a later part', [{ text: 'red' }, { text: 'a\nred' }], 1, { part: 1, line: 2 }],
    ['data, in its JSON', [{ data: { hull: 1, colour: 'red' } }], 0, { part: 0, line: 3 }],
    ['across marks', [{ text: 'a\n**r**ed' }], 0, { part: 0, line: 2 }],
    ['the name of a file', [{ raw: 'eA==', filename: 'red.png' }], 0, undefined],
    ['one that is not there', [{ text: 'red' }], 1, undefined],
  ];
  for (const [what, parts, nth, place] of placed) {
    test(`the line of an occurrence in its document: ${what}`, () => {
      history.record(key, [{ kind: 'message', message: said('m', ...parts) }]);
      const [entry] = history.store.transcript.entries({ context: key, limit: 1 });
      assert.deepEqual(lineOfMatch(entry!, nth, { text: 'red', matchCase: false }), place);
    });
  }

  test('across the statuses that tell a text token by token, however many', () => {
    const tokens = ['The', ' red', ' boat', ...Array.from({ length: 700 }, (_, index) => ` n${index}`), ' needle', ' work'];
    history.record(key, [is('t', 'SUBMITTED'), ...tokens.map((token, index) => is('t', 'WORKING', said(`m${index}`, token)))]);
    assert.deepEqual(times('the red boat'), [1]);
    assert.deepEqual(times('needle work'), [1]);
    const { items, more } = pageBefore(pages, { limit: 80 });
    assert.deepEqual([items.length, more], [tokens.length + 1, false], 'a page begins where its text begins');
    const rest = pageBefore(pages, { before: items.at(-1)!.seq, limit: 5 });
    assert.equal(rest.items.length, tokens.length);
  });

  test('what is shown of every kind of entry', () => {
    history.store.own.putMessage(key, { messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'needle' }] }, { at, owner });
    history.record(key, [is('t', 'WORKING', said('w', 'needle')), artifact('t', 'a', 'nee', false), append('t', 'a', 'dle needle', true)]);
    history.store.own.putProblem(key, new Problem('x', { template: 'needle {0}', args: ['needle'] }), { at });
    assert.deepEqual(times('needle'), [1, 1, 2, 2]);
    assert.deepEqual(times('übersetzt'), [1]);
    assert.deepEqual(times('Needle', true), []);
  });

  test('all of a long context, in answers that leave room for other things between them', () => {
    for (let from = 0; from < 3000; from += 500) {
      history.record(
        key,
        Array.from({ length: 500 }, (_, index) => ({
          kind: 'message',
          message: said(`m${from + index}`, `${'words '.repeat(10)}${(from + index) % 1000 === 7 ? 'needle' : ''}`),
        })),
      );
    }
    let answers = 0;
    const found: number[] = [];
    for (let before: number | undefined, more = true; more; answers++) {
      const answer = find('needle', false, before, 0);
      found.unshift(...answer.found.map(({ seq }) => seq));
      before = answer.next;
      more = before !== undefined;
    }
    assert.equal(found.length, 3);
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
    );
    assert.equal(answers, 15);
  });

  test('the first entry of an exchange is found, however far back', () => {
    const exchange = { id: 'x', startedAt: at + 1000 };
    assert.equal(entryOfExchange(pages, exchange), undefined);
    history.record(key, [{ kind: 'message', message: said('before', 'no') }], at);
    history.store.record(
      key,
      [
        { kind: 'message', message: said('one', 'yes') },
        { kind: 'message', message: said('two', 'yes') },
      ],
      { at: at + 2000, owner, exchangeId: 'x' },
    );
    history.record(
      key,
      Array.from({ length: 450 }, (_, index) => ({ kind: 'message', message: said(`m${index}`, 'no') })),
      at + 3000,
    );
    const seq = entryOfExchange(pages, exchange);
    const entry = history.store.transcript.entry(seq ?? -1);
    assert.equal(entry?.kind === 'message' && entry.message.messageId, 'one');
    assert.equal(entryOfExchange(pages, { id: 'y', startedAt: at }), undefined);
  });
});
