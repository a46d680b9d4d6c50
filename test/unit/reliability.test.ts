import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeOf } from '../../scripts/stress/outcome.ts';
import { type MeasuredTargets, pageOf, sectionOf } from '../../scripts/stress/page.ts';
import { type Target, targets } from '../support/targets.ts';

const root = join(import.meta.dirname, '../..');
const table: Readonly<Record<string, Target>> = targets;
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

suite('targets of reliability', () => {
  for (const [name, { tests, wants, decoys, open }] of Object.entries(table)) {
    test(`${name} has tests that hand in what it wants, or says why not`, () => {
      assert.notEqual(open === undefined, tests.length === 0);
      if (open !== undefined) return assert.deepEqual([wants, decoys], [{}, []]);
      for (const { file } of tests) assert.ok(existsSync(join(root, file)), file);
      // A suite may keep what hands in figures in a file beside it.
      const texts = tests
        .map(({ file }) => read(file))
        .join('\n')
        .replaceAll(/\(\s+/g, '(');
      assert.ok(texts.includes(`figure('${name}'`), `no test calls figure('${name}', …)`);
      for (const decoy of decoys)
        assert.ok(texts.includes(`caught('${name}'`) && texts.includes(decoy), `no test calls caught('${name}', '${decoy}')`);
      assert.ok(Object.keys(wants).length > 0);
    });
  }

  test('the page says what was measured last; "npm run stress -- --page" writes it', () => {
    const measured = JSON.parse(read('docs/reliability.json')) as MeasuredTargets;
    const page = read('docs/reliability.md');
    for (const [name, figures] of Object.entries(measured)) assert.ok(page.includes(sectionOf(name, table[name]!, figures)), name);
  });

  const target: Target = {
    title: 't',
    aim: 'a',
    tests: [{ file: 'x' }],
    decoys: ['a flaw'],
    wants: { tries: { atLeast: 10 }, lost: { atMost: 0 }, ms: { atMost: 50 } },
  };
  const good = { target: 'F1', counts: { tries: 6, lost: 0, ms: 30 }, said: 'six' } as const;
  const decoy = { target: 'F1', decoy: 'a flaw' } as const;
  const fine = { passed: 1, failures: [] };

  test('counts add up, and of what has an upper bound the largest stands', () => {
    const { counts, missed, caught, said } = outcomeOf(target, [good, good, decoy], fine);
    assert.deepEqual([counts, missed, caught, said], [{ tries: 12, lost: 0, ms: 30 }, [], ['a flaw'], ['six', 'six']]);
  });

  const misses: readonly (readonly [
    what: string,
    missed: RegExp,
    lines: Parameters<typeof outcomeOf>[1],
    ended: Parameters<typeof outcomeOf>[2],
  ])[] = [
    ['too few', /^tries: 6, wanted at least 10$/, [good, decoy], fine],
    ['too much', /^ms: 80, wanted at most 50$/, [good, good, { ...good, counts: { ms: 80 } }, decoy], fine],
    ['one lost of two runs', /^lost: 1, wanted none$/, [good, { ...good, counts: { ...good.counts, lost: 1 } }, decoy], fine],
    ['no number', /^ms: NaN, wanted at most 50$/, [good, { ...good, counts: { ...good.counts, ms: NaN } }, decoy], fine],
    ['a count that nobody handed in', /^no figure: ms$/, [{ ...good, counts: { tries: 20, lost: 0 } }, decoy], fine],
    ['a decoy that nobody caught', /^not caught: a flaw$/, [good, good], fine],
    ['a failed test', /^failed: x$/, [good, good, decoy], { passed: 3, failures: ['x'] }],
    ['no test', /^no test ran$/, [good, good, decoy], { passed: 0, failures: [] }],
  ];
  for (const [what, missed, lines, ended] of misses) {
    test(`a target is missed with ${what}`, () => {
      const outcome = outcomeOf(target, lines, ended);
      assert.equal(outcome.missed.length, 1, outcome.missed.join(' | '));
      assert.match(outcome.missed[0]!, missed);
      const page = pageOf({ F1: target }, { F1: { ...outcome, at: '2030-01-02T03:04Z', minutes: 1, machine: 'm', node: '1' } });
      assert.match(page, /\| F1 \| t \| \*\*missed\*\* \| 2030-01-02 \|/);
    });
  }
});
