import * as assert from 'node:assert/strict';
import { english } from '../../../src/protocol/problem.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { syntaxProblems } from '../../../src/request/text/syntaxErrors.ts';
import { growsInProportion } from '../../support/cpuTime.ts';
import { covered, marked } from '../../support/request/marked.ts';

const inTemplate = /a quote ends it in the middle of its template\. Write '…' there, such as \{\{name \?\? 'x'\}\}, or \\"…\\"\./;

/** What is told of a text that is no JSON: the places between « and », a word of each message, and how many errors follow. */
const rows: readonly (readonly [text: string, messages: readonly RegExp[], others?: number])[] = [
  ['{"message":«"{{x ?? "y"}}»","a":1}', [inTemplate]],
  ['{"a":"{{x}}","message":«"a {{$base64 "y"}}» b"}', [inTemplate]],
  ['{"message":«"{{x ?? "y"}}»",\n"a":«?» 1}', [inTemplate, /not valid JSON: invalid symbol/]],
  ['{"message":"{{x ?? \\"y\\"}} {{x ?? \'y\'}}"}', []],
  // A quote that is in no template.
  ['{"message":"{{x}}" «"b"» }', [/comma expected/], 1],
  // Of several errors at one place the first says enough.
  ['{"a":[1,«»', [/value expected/]],
];

suite('syntax errors of request files', () => {
  for (const [source, messages, others = 0] of rows) {
    test(source, () => {
      const { text, ranges } = marked(source);
      const { syntaxErrors } = readRequestFile(text);
      assert.equal(syntaxErrors.length, messages.length + others, syntaxErrors.map(one => english(one.sentence)).join(' '));
      for (const [index, message] of messages.entries()) {
        const { range, sentence } = syntaxErrors[index]!;
        assert.deepEqual(covered(text, [range]), covered(text, [ranges[index]!]));
        assert.match(english(sentence), message);
      }
    });
  }

  test('every code of the parser has words that can be translated', () => {
    for (let error = 1; error <= 16; error++) {
      const [problem] = syntaxProblems([{ error, offset: 0, length: 1 }], '?');
      assert.equal(typeof problem?.sentence.args[0], 'object', String(error));
    }
  });

  test('many errors in a long line are told in time', async () => {
    const { holds, figures } = await growsInProportion(size => void readRequestFile(`{"a":[${'"{{x ?? "y" '.repeat(size)}]}`), 500);
    assert.ok(holds, figures);
  });
});
