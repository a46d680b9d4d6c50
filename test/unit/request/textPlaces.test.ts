import * as assert from 'node:assert/strict';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { fileInstead, pastedLines, textInstead, textPlaceAt } from '../../../src/request/language/textPlaces.ts';
import type { Edit } from '../../../src/request/language/rename.ts';
import { marked } from '../../support/request/marked.ts';

const applied = (text: string, { range: { offset, length }, text: inserted }: Edit): string =>
  text.slice(0, offset) + inserted + text.slice(offset + length);
const place = (source: string, markdown = false) => {
  const { text, caret } = marked(source);
  return { text, found: textPlaceAt(text, markdown, caret) };
};
/** No problem of the file is an error, and its syntax is right. */
function isRight(text: string): boolean {
  const { problems, syntaxErrors } = readRequestFile(text);
  return syntaxErrors.length === 0 && problems.every(({ severity }) => severity !== 'error');
}

const moves: readonly (readonly [title: string, text: string, moved: string, back: string])[] = [
  [
    'a message',
    '{ "agent": "A", "message": "a\\n‸b" }',
    '{ "agent": "A", "message": "{{$file p.md}}" }',
    '{ "agent": "A", "message": [{ "lines": [\n  "a",\n  "b"\n] }] }',
  ],
  [
    'a message of one line',
    '{ "agent": "A", "message": "a‸b" }',
    '{ "agent": "A", "message": "{{$file p.md}}" }',
    '{ "agent": "A", "message": "ab" }',
  ],
  [
    'an item',
    '{ "agent": "A", "message": ["x", "a\\n‸b"] }',
    '{ "agent": "A", "message": ["x", "{{$file p.md}}"] }',
    '{ "agent": "A", "message": ["x", { "lines": [\n  "a",\n  "b"\n] }] }',
  ],
  [
    'the text of a part',
    '{ "agent": "A", "requests": [\n    { "message": [{ "text": "a\\nb‸", "mediaType": "x/y" }] }] }',
    '{ "agent": "A", "requests": [\n    { "message": [{ "text": "{{$file p.md}}", "mediaType": "x/y" }] }] }',
    '{ "agent": "A", "requests": [\n    { "message": [{ "lines": [\n      "a",\n      "b"\n    ], "mediaType": "x/y" }] }] }',
  ],
  [
    'lines in params',
    '{ "agent": "A", "params": { "message": { "parts": [{ "lines": ["a", "‸b"] }] } } }',
    '{ "agent": "A", "params": { "message": { "parts": [{ "text": "{{$file p.md}}" }] } } }',
    '{ "agent": "A", "params": { "message": { "parts": [{ "lines": [\n  "a",\n  "b"\n] }] } } }',
  ],
];

suite('texts of messages that move', () => {
  for (const [title, source, moved, back] of moves) {
    test(title, () => {
      const { text, found } = place(source);
      assert.equal(found?.text, title.endsWith('one line') ? 'ab' : 'a\nb');
      const withFile = applied(text, fileInstead(found!, 'p.md'));
      assert.equal(withFile, moved);
      assert.ok(isRight(withFile));
      const there = textPlaceAt(withFile, false, withFile.indexOf('$file'))!;
      assert.equal(there.file, 'p.md');
      const again = applied(withFile, textInstead(there, found!.text, withFile));
      assert.equal(again, back);
      assert.ok(isRight(again));
    });
  }

  test('templates, braces as text, and files that are no text', () => {
    assert.equal(place('{ "agent": "A", "message": "a {{x}}‸" }').found?.hasTemplates, true);
    const braces = place('{ "agent": "A", "message": "a \\\\{{x}}‸" }').found!;
    assert.deepEqual([braces.hasTemplates, braces.text], [false, 'a {{x}}']);
    assert.equal(textInstead(braces, 'a {{x}}', '').text, '"a \\\\{{x}}"');
    assert.equal(place('{ "agent": "A", "message": "{{$file a.png as part}}‸" }').found?.file, undefined);
    assert.equal(place('{ "agent": "A", "message": "{{$file a b.md as text}}‸" }').found?.file, 'a b.md');
    assert.equal(place('{ "agent": "A", "message": "see {{$file a.md}}‸" }').found?.file, undefined);
  });

  test('elsewhere there is no text of a message', () => {
    for (const source of ['{ "name": "x‸", "message": "" }', '{ "mess‸age": "x" }', '{ "expect": { "text": "x‸" } }', '‸', 'text ‸'])
      assert.equal(place(source).found, undefined, source);
    assert.equal(place('"message": "x‸"\n```a2a\n{ "message": "y" }\n```', true).found, undefined);
    assert.equal(place('# T\n```a2a\n{ "message": "y‸" }\n```', true).found?.text, 'y');
  });
});

const pastes: readonly (readonly [title: string, text: string, pasted: string, expected: string | undefined])[] = [
  ['into an empty message', '{ "message": "‸" }', 'a\nb "c"', '{ "message": [{ "lines": [\n  "a",\n  "b \\"c\\""\n] }] }'],
  [
    'in the middle of a text',
    '{ "message": "x‸y {{z}}" }',
    'a\r\n{{b}}',
    '{ "message": [{ "lines": [\n  "xa",\n  "\\\\{{b}}y {{z}}"\n] }] }',
  ],
  ['into a part', '{ "message": [{ "text": "‸" }] }', 'a\nb', '{ "message": [{ "lines": [\n  "a",\n  "b"\n] }] }'],
  ['into a name', '{ "name": "‸", "message": "" }', 'a\nb', undefined],
  ['into a line', '{ "message": [{ "lines": ["‸"] }] }', 'a\nb', undefined],
  ['outside of the quotes', '{ "message": ‸"x" }', 'a\nb', undefined],
];

suite('several lines that are pasted into a message', () => {
  for (const [title, source, pasted, expected] of pastes)
    test(title, () => {
      const { text, caret } = marked(source);
      const edit = pastedLines(text, false, { offset: caret, length: 0 }, pasted);
      assert.equal(edit && applied(text, edit), expected);
    });
});
