import * as assert from 'node:assert/strict';
import { readDefaults } from '../../../src/request/check/folderDefaults.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { emptyLanguageContext } from '../../../src/request/language/languageContext.ts';

const many = 1_000;
/** Every name of the file is looked through for a suggestion: where each of many had one, the time would grow with the square. */
const most = 100;

suite('suggestions for many mistyped names of a file', () => {
  const requests = (of: (index: number) => object): object => ({
    agent: 'A',
    requests: Array.from({ length: many }, (_, index) => of(index)),
  });

  /** How many problems there are, and how many have a suggestion. */
  function told(file: object, options: Parameters<typeof readRequestFile>[1] = {}): readonly [problems: number, suggestions: number] {
    const { problems } = readRequestFile(JSON.stringify(file), options);
    const unknown = problems.filter(({ code }) => code.startsWith('unknown-'));
    return [unknown.length, unknown.filter(({ sentence }) => sentence.template.includes('Did you mean')).length];
  }
  /** Names that count how often they are looked through. */
  class Counted extends Set<string> {
    looks = 0;
    override keys() {
      this.looks++;
      return super.keys();
    }
  }

  for (const [what, wrong] of [
    ['letters that are swapped', (index: number) => `reqeust-${index}`],
    ['a letter too many at the end', (index: number) => (index === 0 ? 'request-00' : `request-0${'0'.repeat(120)}${index}`)],
  ] as const)
    test(`requests that others come after: ${what}`, () => {
      const [problems, suggestions] = told(requests(index => ({ name: `request-${index}`, message: 'x', after: wrong(index) })));
      assert.equal(problems, many);
      assert.ok(suggestions >= 1 && suggestions <= most, String(suggestions));
    });

  test('agents that are known, each of which another is like', () => {
    const file = readRequestFile(JSON.stringify(requests(index => ({ agent: `Agnet ${index}`, message: 'x' }))));
    const agents = Array.from({ length: many }, (_, index) => ({ name: `Agent ${index}`, url: 'http://a' }));
    const problems = problemsInContext(file, { ...emptyLanguageContext, agents }).filter(({ code }) => code === 'unknown-agent');
    assert.equal(problems.length, many);
    assert.equal(problems.filter(({ sentence }) => sentence.template.includes('Did you mean')).length, most);
  });

  test('names in templates', () => {
    const names = new Counted(['token']);
    assert.deepEqual(
      told(
        requests(index => ({ name: `r${index}`, message: `{{tokne}} {{tokn${index}}}` })),
        { names },
      ),
      [2 * many, most / 2],
    );
    assert.equal(names.looks, most);
  });

  test('a name in the headers of defaults, which every request has', () => {
    const names = new Counted(['token']);
    const defaults = readDefaults([{ path: 'a2a.defaults.json', text: '{ "headers": { "X": "{{tokne}}" } }' }]);
    assert.deepEqual(
      told(
        requests(index => ({ name: `r${index}`, message: 'x' })),
        { names, defaults },
      ),
      [1, 0],
    );
    assert.equal(names.looks, most);
  });
});
