import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { caught, figure, full, seed } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';
import { mutatedModules } from '../support/mutants/mutatedModules.ts';
import { mutantsOf } from '../support/mutants/mutantsOf.ts';
import { Random } from '../support/protocol/random.ts';

const root = join(import.meta.dirname, '../..');
/** In a sample, so many of the first module. */
const sample = 3;
/** For a mutant that never comes to an end. */
const maxMs = 240_000;

interface Tried {
  readonly title: string;
  readonly flaw: Flaw;
  readonly tests: readonly string[];
}

const mutants = (file: string, tests: readonly string[]): Tried[] =>
  mutantsOf(readFileSync(join(root, file), 'utf8')).map(({ title, ...edit }) => ({
    title: `${file}:${title}`,
    flaw: { file, edits: [edit] },
    tests,
  }));

/** Which of them no test notices. A run that breaks off, or never ends, has noticed. */
async function survivors(all: readonly Tried[]): Promise<string[]> {
  const left = [...all];
  const alive: string[] = [];
  await Promise.all(
    Array.from({ length: Math.max(1, availableParallelism()) }, async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const { counts } = await runFlawed(one.flaw, one.tests, { timeoutMs: maxMs, bail: true });
        if (counts !== undefined && counts.failures.length === 0 && counts.passed > 0) alive.push(one.title);
      }
    }),
  );
  return alive.sort();
}

suite('mutants of what keeps secrets and what recovers', function () {
  this.timeout(full ? 7_200_000 : 600_000);

  test('every kind of mistake is made', () => {
    const source =
      "export function f(a: number, b: boolean): number {\n  if (a === 1 && b) g();\n  while (!b) return;\n  throw new Error(sentence('1 < 2'));\n}\n";
    assert.deepEqual(
      mutantsOf(source).map(({ title }) => title),
      [
        '2: not a === 1 && b',
        '2: && becomes ||',
        '2: === becomes !==',
        '2: 1 becomes one more',
        '2: without g();',
        '3: not !b',
        '3: without ! before b',
        '3: without return',
        "4: without throw new Error(sentence('1 < 2'));",
      ],
    );
  });

  test('the tests hold without a mistake', async () => {
    const first = mutatedModules.slice(0, full ? mutatedModules.length : 1);
    assert.deepEqual(
      await survivors(first.map(({ file, tests }) => ({ title: file, flaw: { file, edits: [] }, tests }))),
      first.map(({ file }) => file).sort(),
    );
  });

  test('they fail with most mistakes', async () => {
    const random = new Random(seed);
    const [first] = mutatedModules;
    const all = full
      ? mutatedModules.flatMap(({ file, tests }) => mutants(file, tests))
      : mutants(first!.file, first!.tests)
          .map(one => [random.next(), one] as const)
          .sort(([one], [other]) => one - other)
          .slice(0, sample)
          .map(([, one]) => one);
    const alive = await survivors(all);
    const killed = all.length - alive.length;
    const percent = Math.floor((killed / all.length) * 1000) / 10;
    figure(
      'F22',
      { mutants: all.length, 'percent killed': percent },
      `${killed} of ${all.length} mutants of ${full ? mutatedModules.length : 1} modules killed (${percent} %)${full ? `; alive: ${alive.join(', ')}` : ''}`,
    );
    assert.ok(percent >= (full ? 85 : 50), alive.join('\n'));
  });

  test('tests that look at something else notice nothing', async () => {
    const { file } = mutatedModules[0]!;
    const some = mutants(file, ['test/unit/protocol/joinText.test.ts']).slice(0, full ? 2 : 1);
    assert.equal((await survivors(some)).length, some.length);
    caught('F22', 'tests that look at something else');
  });
});
