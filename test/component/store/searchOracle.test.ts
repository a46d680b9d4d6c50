import * as assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { clean, fold, termsOf } from '../../../src/store/search/searchText.ts';
import { caught, figure, full } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';
import { History, said } from './support/history.ts';

const searches = full ? 100_000 : 1_500;
/** As many as one page of hits can have, so that all that is found is counted. */
const texts = 200;

/** Words of query languages, of shells, of SQL and of scripts, letters that fold in odd ways, and halves of letters. */
const pieces = [
  '"',
  '""',
  "'",
  '*',
  '^',
  '(',
  ')',
  '{',
  '}',
  ':',
  '-',
  '+',
  ',',
  '.',
  '\\',
  '/',
  '%',
  '_',
  ';',
  '--',
  '\0',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\u202e',
  '\u200b',
  '\n',
  '\t',
  ' ',
  ' ',
  'AND',
  'OR',
  'NOT',
  'NEAR(',
  'NEAR/2',
  'text:',
  'rowid',
  'NULL',
  'undefined',
  '$(x)',
  '`x`',
  '%s',
  '<b>',
  "' OR 1=1 --",
  '; DROP TABLE entries',
  '1e999',
  '0x10',
  '[a-z]',
  '\\u0000',
  '${x}',
  '{{x}}',
  'boat',
  'sail',
  'Boat',
  'a',
  'B',
  'ß',
  'İ',
  'ı',
  'ς',
  'Σ',
  'é',
  'e\u0301',
  '世',
  '界',
  '赫尔辛基',
  '天',
  '한',
  '날씨'.normalize('NFD'),
  'ไทย',
  'العربية',
  '🌊',
  '👩‍🚀',
  '🇫🇮',
  'ﬁ',
  'Ǆ',
  '𝔘',
];

suite('search against an oracle', function () {
  this.timeout(full ? 3_600_000 : 120_000);
  const history = History.ofEachTest();

  const wordOf = (random: Random, most: number): string => random.list(most, () => random.pick(pieces), 1).join('');

  /** Writes the texts and returns them as the search sees them. */
  function written(): readonly string[] {
    const random = new Random(1);
    const all = Array.from({ length: texts }, () => wordOf(random, 12));
    const key = history.context();
    history.record(
      key,
      all.map((text, index) => ({ kind: 'message', message: said(`m${index}`, text) })),
    );
    while (history.store.indexing.step());
    return all.map(text => fold(clean(text)));
  }

  test('any text is a search, and finds what it stands in', () => {
    const folded = written();
    const threw: string[] = [];
    const wrong: string[] = [];
    let found = 0;
    for (let seed = 1; seed <= searches; seed++) {
      const query = wordOf(new Random(seed), 4);
      const terms = termsOf(query);
      const expected = terms.length === 0 ? 0 : folded.filter(text => terms.every(term => text.includes(term))).length;
      try {
        const { length } = history.store.search.find({ text: query, limit: texts }).hits;
        found += length;
        if (length !== expected) wrong.push(`seed ${seed}, ${JSON.stringify(query)}: ${length} and not ${expected}`);
      } catch (error) {
        threw.push(`seed ${seed}, ${JSON.stringify(query)}: ${String(error)}`);
      }
    }
    figure(
      'F11',
      { searches, threw: threw.length, wrong: wrong.length, hits: found },
      `${searches} texts made at random (seeds 1 to ${searches}) as a search over ${texts} texts: ${threw.length} errors, ${wrong.length} other than the oracle`,
    );
    assert.deepEqual([threw.slice(0, 5), wrong.slice(0, 5)], [[], []]);
    assert.ok(found > searches / 10, `${found} found, so that next to nothing was compared`);
  });

  test('a search that hands the text to SQLite as it is is caught', () => {
    written();
    history.store.close();
    const raw = new DatabaseSync(history.path);
    const find = raw.prepare('SELECT count(*) AS hits FROM entry_words WHERE entry_words MATCH ?');
    let threw = 0;
    for (let seed = 1; seed <= 500; seed++) {
      try {
        find.get(wordOf(new Random(seed), 4));
      } catch {
        threw++;
      }
    }
    raw.close();
    history.reopen();
    assert.ok(threw > 100, String(threw));
    caught('F11', 'a search that hands the text to SQLite as it is');
  });
});
