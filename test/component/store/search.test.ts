import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import type { Part } from '../../../src/protocol/message/part.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import type { SearchOptions } from '../../../src/store/search/search.ts';
import { clean, fold, termsOf } from '../../../src/store/search/searchText.ts';
import { append, artifact, at, History, is, said } from './support/history.ts';

suite('search', () => {
  const history = History.ofEachTest();

  const find = (text: string, options: Partial<SearchOptions> = {}) => history.store.search.find({ text, ...options });
  /** What was found, marked. */
  const marked = (text: string): string[] =>
    find(text).hits.map(({ snippet }) =>
      snippet.matches.reduceRight(
        (marks, [from, to]) => `${marks.slice(0, from)}[${marks.slice(from, to)}]${marks.slice(to)}`,
        snippet.text,
      ),
    );

  const found: readonly (readonly [what: string, part: string | Part, query: string, shown: string])[] = [
    ['a word', 'Draw a sailboat, please', 'sailboat', 'Draw a [sailboat], please'],
    ['a part of a word', 'Draw a sailboat', 'ilbo', 'Draw a sa[ilbo]at'],
    ['in any case', 'Draw a SailBoat', 'sAILb', 'Draw a [SailB]oat'],
    ['all words, anywhere', 'Draw a sailboat', 'boat draw', '[Draw] a sail[boat]'],
    ['two letters', 'ok then', 'ok', '[ok] then'],
    ['two letters at the end', 'then ok', 'ok', 'then [ok]'],
    ['one letter', 'x', 'X', '[x]'],
    ['Chinese', '今天赫尔辛基的天气怎么样', '赫尔辛基', '今天[赫尔辛基]的天气怎么样'],
    ['a Chinese word of two characters', '今天天气', '天气', '今天[天气]'],
    ['one Chinese character', '今天天气', '气', '今天天[气]'],
    ['Japanese', 'ヘルシンキの天気は晴れです', '天気は晴れ', 'ヘルシンキの[天気は晴れ]です'],
    ['Korean', '헬싱키 날씨', '날씨', '헬싱키 [날씨]'],
    ['Korean that came in pieces', '날씨'.normalize('NFD'), '날씨', '[날씨]'],
    ['Cyrillic', 'Погода в Хельсинки', 'ПОГОДА', '[Погода] в Хельсинки'],
    ['Greek, with its last letter', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'.replace('ύ', 'υ'), '[ΟΔΥΣΣΕΥΣ]'],
    ['Turkish', 'İstanbul', 'istanbul', '[İstanbul]'],
    ['Thai', 'อากาศวันนี้', 'วันนี้', 'อากาศ[วันนี้]'],
    ['emoji', 'a ⛵🌊 trip', '⛵🌊', 'a [⛵🌊] trip'],
    ['accents', 'café crème', 'CAFÉ', '[café] crème'],
    ['text between quotation marks', 'say a c and c b a', '"b a"', 'say a c and c [b a]'],
    ['data by value', { data: { city: 'Helsinki', days: [1, 'two\nlines'] } }, 'helsinki', 'city: [Helsinki] days: 1 two lines'],
    ['data by key', { data: { temperature: 4 } }, '"temperature: 4"', '[temperature: 4]'],
    ['data as a text', { data: 'plain "text"' }, 'plain', '[plain] "text"'],
    ['a file name', { raw: 'AAAA', filename: 'boat.png' }, 'boat.png', '[boat.png]'],
    ['an address', { url: 'https://example.com/boat' }, 'example.com/boat', 'https://[example.com/boat]'],
    ['text with a NUL', 'before\0behind', 'behind', 'before [behind]'],
    ['half a character', 'x\ud800y sail', 'sail', 'x\ufffdy [sail]'],
  ];
  for (const [what, part, query, shown] of found) {
    test(`finds ${what}`, () => {
      history.saying('something else');
      history.saying(part);
      assert.deepEqual(marked(query), [shown]);
    });
  }

  const hostile = [
    '"',
    '""',
    '"""',
    'a" OR "b',
    'NEAR(a b)',
    'text:boat',
    '-boat',
    'boat*',
    '^boat',
    '(boat',
    'AND',
    'NOT x',
    '{text}: x',
    '%',
    '_',
    '*',
    "'; DROP TABLE entries; --",
    '\\',
    '\0',
    '\ud800',
    '🌊'.repeat(400),
    'NULL',
    'a\nb',
    '$(x)',
    '%s%n',
    '\u202etxt',
    '‮',
    '"a',
    'a"',
    '\ufeff',
  ];
  test('a query is text and nothing else', () => {
    for (const text of hostile) history.saying(`<${text}>`);
    history.saying('boat');
    for (const text of hostile) {
      const terms = termsOf(text);
      const expected =
        terms.length === 0
          ? []
          : [...hostile.map(other => `<${other}>`), 'boat'].filter(other => terms.every(term => fold(clean(other)).includes(term)));
      const { hits } = find(text, { limit: 200 });
      assert.equal(hits.length, expected.length, JSON.stringify(text));
    }
    assert.throws(() => find('x'.repeat(1001)), { code: 'search-too-long' });
    assert.deepEqual(find(' \n\t').hits, []);
  });

  test('finds what an oracle finds, whatever the letters', () => {
    const letters = ['a', 'B', 'ß', 'İ', '世', '界', '한', 'é', 'e\u0301', ' ', '"', '\n', '🌊', 'ς', '-', '0'];
    let random = 7;
    const next = (below: number): number => (random = (random * 48271) % 2147483647) % below;
    const word = (length: number): string => Array.from({ length }, () => letters[next(letters.length)]).join('');
    const texts = Array.from({ length: 200 }, () => word(1 + next(12)));
    const key = history.context();
    history.record(
      key,
      texts.map((text, index) => ({ kind: 'message', message: said(`m${index}`, text) })),
    );
    for (let round = 0; round < 300; round++) {
      const query = word(1 + next(4));
      const terms = termsOf(query);
      const expected = terms.length === 0 ? 0 : texts.filter(text => terms.every(term => fold(clean(text)).includes(term))).length;
      assert.equal(find(query, { limit: 200 }).hits.length, expected, JSON.stringify(query));
    }
  });

  test('folding keeps every code unit in its place', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = clean(String.fromCodePoint(code));
      if (fold(character).length !== character.length) assert.fail(`U+${code.toString(16)}`);
    }
  });

  test('finds nothing in the bytes of a data: URI', () => {
    history.saying({ url: 'data:;base64,c2FpbGJvYXQ=', filename: 'boat' });
    assert.deepEqual([marked('c2FpbGJvYXQ'), marked('boat')], [[], ['[boat]']]);
  });

  test('says where it was found', () => {
    const key = history.context('Bob');
    history.record(key, [is('t', 'WORKING', said('w', 'looking for boats')), artifact('t', 'a', 'a boat'), is('t', 'COMPLETED')]);
    const [first, second] = find('boat').hits;
    assert.deepEqual(
      { ...first, seq: 0 },
      {
        seq: 0,
        kind: 'artifact',
        at,
        context: key,
        agent: 'Bob',
        taskId: 't',
        state: 'TASK_STATE_COMPLETED',
        snippet: { text: 'a boat', matches: [[2, 6]] },
      },
    );
    assert.equal(second?.kind, 'status');
    assert.equal(history.store.transcript.entry(first?.seq ?? 0)?.kind, 'artifact');
  });

  test('a long text is shown around its first match', () => {
    history.saying(`${'word '.repeat(1000)}needle ${'word '.repeat(1000)}`);
    const [hit] = find('needle').hits;
    assert.match(hit?.snippet.text ?? '', /^…(.{40})needle .*…$/);
    assert.deepEqual(hit?.snippet.matches, [[41, 47]]);
  });

  test('a word that came in two chunks is one word', () => {
    const key = history.context();
    history.record(key, [artifact('t', 'a', 'a sail', false)]);
    assert.deepEqual(marked('sailboat'), []);
    history.record(key, [append('t', 'a', 'boat')]);
    assert.deepEqual(marked('sailboat'), ['a [sailboat]']);
    history.record(key, [artifact('t', 'a', 'a canoe')]);
    assert.deepEqual(marked('sailboat'), []);
    assert.deepEqual(marked('canoe'), ['a [canoe]']);
  });

  test('an artifact that still grows is left for later, unless somebody searches', () => {
    const key = history.context();
    history.record(key, [artifact('t', 'a', 'growing', false)]);
    history.store.indexing.step({ settled: true });
    const waiting = (): number => {
      const raw = new DatabaseSync(history.path);
      const { n } = raw.prepare(`SELECT count(*) AS n FROM unindexed WHERE kind = 'entry'`).get() as { n: number };
      raw.close();
      return n;
    };
    assert.equal(waiting(), 1);
    assert.equal(marked('growing').length, 1);
    assert.equal(waiting(), 0);
  });

  test('filters by agent, state and time', () => {
    for (const [index, [agent, state]] of (
      [
        ['Ann', 'WORKING'],
        ['Ann', 'COMPLETED'],
        ['Bob', 'COMPLETED'],
      ] as const
    ).entries()) {
      history.record(history.context(agent), [is(`t${index}`, state, said(`m${index}`, 'boat'))], at + index);
    }
    history.saying('boat');
    const tasks = (options: Partial<SearchOptions>): (string | undefined)[] => find('boat', options).hits.map(hit => hit.taskId);
    assert.deepEqual(tasks({}), [undefined, 't2', 't1', 't0']);
    assert.deepEqual(tasks({ agent: 'Bob' }), ['t2']);
    assert.deepEqual(tasks({ states: ['TASK_STATE_COMPLETED'] }), ['t2', 't1']);
    assert.deepEqual(tasks({ agent: 'Ann', states: ['TASK_STATE_COMPLETED', 'TASK_STATE_WORKING'] }), ['t1', 't0']);
    assert.deepEqual(tasks({ since: at + 1 }), ['t2', 't1']);
    assert.deepEqual(tasks({ until: at + 1 }), [undefined, 't0']);
  });

  test('pages do not overlap and miss nothing', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 100 }, (_, index) => is(`t${index}`, 'WORKING', said(`m${index}`, index % 2 === 0 ? 'boat' : 'x'))),
    );
    for (const filter of [{}, { states: ['TASK_STATE_WORKING'] }, { states: ['TASK_STATE_WORKING'], agent: 'Ann' }] as const) {
      const seen: number[] = [];
      for (let before: number | undefined; ; ) {
        const page = find('boat', { ...filter, before, limit: 7 });
        seen.push(...page.hits.map(hit => hit.seq));
        before = page.next;
        if (before === undefined) break;
      }
      assert.equal(seen.length, 50);
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((one, other) => other - one),
      );
    }
  });

  test('what was deleted is not found, nor in the index', () => {
    const key = history.saying('a secret boat');
    const kept = history.saying('a known boat');
    assert.equal(find('boat').hits.length, 2);
    history.store.deleteContext(key);
    assert.deepEqual(
      find('boat').hits.map(hit => hit.context),
      [kept],
    );
    history.store.close();
    const raw = new DatabaseSync(history.path);
    assert.equal(raw.prepare('SELECT count(*) AS n FROM entry_words WHERE entry_words MATCH \'"sec"\'').get()?.['n'], 0);
    assert.equal(raw.prepare('SELECT count(*) AS n FROM entry_words WHERE entry_words MATCH \'"boa"\'').get()?.['n'], 1);
    raw.close();
  });

  test('a history of before there was a search is indexed in steps, the newest first', () => {
    const key = history.context();
    history.record(
      key,
      Array.from({ length: 1500 }, (_, index) => ({ kind: 'message', message: said(`m${index}`, `boat ${index}`) })),
    );
    const first = find('boat', { limit: 200 });
    assert.equal(first.complete, false);
    assert.match(first.hits[0]?.snippet.text ?? '', /1499/);
    while (history.store.indexing.step());
    assert.equal(find('boat').complete, true);
    assert.match(find('"boat 17"').hits.at(-1)?.snippet.text ?? '', /^boat 17$/);
  });

  test('another window that writes does not keep anybody from searching', () => {
    history.saying('boat');
    find('boat');
    const { indexing } = history.store;
    indexing.step = () => {
      throw new Problem('history-busy', sentence('Another window kept the task history busy for too long.'));
    };
    assert.deepEqual([find('boat').hits.length, find('boat').complete], [1, false]);
    indexing.step = () => {
      throw new Error('a defect');
    };
    assert.throws(() => find('boat'), /a defect/);
  });
});
