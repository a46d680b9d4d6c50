import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { environmentProblems } from '../../../src/request/check/environmentProblems.ts';
import { covered, marked } from '../../support/request/marked.ts';

/** What is underlined stands between « and »; codes in order. `outer` is a variable of `dev` in another file. */
const rows: readonly (readonly [text: string, codes: readonly string[], words?: RegExp])[] = [
  ['{}', []],
  ['// mine\n{ "$shared": { "a": 1 }, "dev": { "b": "{{a}} {{outer}} \\\\{{x", "production": true, "c": "{{$env HOME}}" }, }', []],
  ['{ "dev": { "b": "{{a}}" }, "$shared": { "a": "x" } }', []],
  ['{ "dev": { "b": "x «{{a}}»" }, "prod": { "a": 1 } }', ['unknown-name'], /no variable "a"/],
  ['{ "prod": { "b": "«{{outer}}»" } }', ['unknown-name']],
  ['{ "$shared": { "b": "«{{color}}»" }, "dev": { "color": "red" } }', ['unknown-name']],
  ['{ "dev": { "b": "«{{$uudi}}»", "c": ["\\u00e9 «{{$env}}»"] } }', ['unknown-function', 'missing-argument']],
  ['{ "dev": { "a": "{{b}}", "b": { "x": "«{{a.y}}»" } } }', ['variable-circle'], /a → b → a/],
  ['{ "dev": { "a": "x «{{»" } }', ['unclosed-template']],
  ['{ "prod": { "production": «"true"» } }', ['no-mark'], /true or false/],
  ['{ "dev": { "headers": { "X-A": "{{a}} {{$secret K}}", "x-b": "" }, "a": 1 } }', []],
  ['{ "dev": { "headers": «"x"» } }', ['no-headers'], /an ordinary variable/],
  ['{ "dev": { "headers": { «"a b"»: "x", "c": «1» } } }', ['bad-header', 'bad-header'], /"a b" cannot be the name/],
  ['{ "dev": { "headers": { "a": "«{{nothing}}»", "b": "«{{$no}}» «{{»" } } }', ['unknown-name', 'unknown-function', 'unclosed-template']],
  ['{ "dev": { "headers": { "a": "x" }, "b": "«{{headers}}»" } }', ['unknown-name'], /no variable "headers"/],
  ['«[»]', ['bad-environment']],
  ['{ "dev": «1» }', ['bad-environment'], /"dev" is not an object/],
  ['{ "dev": { }«»', ['bad-environment']],
  ['', ['bad-environment']],
];

suite('problems of environment files', () => {
  const elsewhere = (name: string): ReadonlySet<string> => new Set(name === 'dev' ? ['outer'] : []);
  for (const [source, codes, words] of rows) {
    test(source.slice(0, 80) || 'an empty text', () => {
      const { text, ranges } = marked(source);
      const found = environmentProblems(text, elsewhere);
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
      );
      if (ranges.length > 0)
        assert.deepEqual(
          covered(
            text,
            found.map(({ range }) => range),
          ),
          covered(text, ranges),
        );
      if (words !== undefined) assert.match(english(found[0]!.sentence), words);
    });
  }

  test('what JSON itself says is not said twice', () => {
    assert.deepEqual(
      environmentProblems('{ "dev": 1, "x": { "a": "{{$no}}" } }', elsewhere).map(({ inSchema }) => inSchema === true),
      [true, false],
    );
  });

  test('where other files were not read, no name is unknown', () => {
    assert.deepEqual(
      environmentProblems('{ "dev": { "a": "{{b}}" } }', () => undefined),
      [],
    );
  });

  test('every prefix is read, and every range lies in it', () => {
    const whole = marked(rows[1]![0]).text;
    for (let end = 0; end <= whole.length; end += 1) {
      for (const { range } of environmentProblems(whole.slice(0, end), elsewhere))
        assert.ok(range.offset + range.length <= end, String(end));
    }
  });
});
