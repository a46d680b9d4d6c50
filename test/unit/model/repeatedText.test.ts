import * as assert from 'node:assert/strict';
import { repeatedLength } from '../../../src/model/fold/repeatedText.ts';
import type { Part } from '../../../src/protocol/message/part.ts';

const texts = (...all: readonly string[]): Part[] => all.map(text => ({ text }));
const pieces = ['The harbour lies in the north of the town, ', 'behind the old customs house, ', 'and has forty berths.'];
const whole = pieces.join('');
const line = 'Still working, please wait a little longer.\n';
const chorus = 'Roll on, roll on, you harbour bell, roll on,\n';

suite('text of an artifact that is sent again', () => {
  const rows: Readonly<Record<string, readonly [known: readonly Part[], chunk: readonly Part[], length: number | undefined]>> = {
    'all of it': [texts(...pieces), texts(whole), 94],
    'all of it in several parts': [texts(...pieces), texts(...pieces), 94],
    'all of it, and more': [texts(...pieces.slice(0, 2)), texts(whole), 73],
    'a first chunk without text': [texts('', ...pieces), texts(whole), 94],
    'long text': [texts('A beginning of its own. ', 'x'.repeat(10_000)), texts(`A beginning of its own. ${'x'.repeat(10_000)}`), 10_024],

    'the next piece': [texts(...pieces.slice(0, 2)), texts(pieces[2]!), undefined],
    'the last piece again': [texts(...pieces), texts(pieces[2]!), undefined],
    'all but the end of it': [texts(...pieces), texts(whole.slice(0, -1)), undefined],
    'all of it, in other words': [texts(...pieces), texts(whole.replace('forty', 'thirty')), undefined],
    'all of it after a quotation mark': [texts(...pieces), texts(`"${whole}"`), undefined],
    'ha, ha, ha': [texts('ha', 'ha'), texts('haha'), undefined],
    'ha, very often': [texts('ha'.repeat(30), 'ha'.repeat(30)), texts('ha'.repeat(60)), undefined],
    'a rule of dashes': [texts('-'.repeat(40), '\n'), texts(`${'-'.repeat(40)}\n`), undefined],
    'a line that was the first chunk': [texts(line), texts(line), undefined],
    'lines that are alike': [texts(line, line), texts(line + line), undefined],
    'lines that are alike, and half of one': [texts(line, line, line.slice(0, 20)), texts(line + line + line), undefined],
    'a chorus': [texts(chorus, chorus, 'The fog is rising.\n'), texts(`${chorus}${chorus}The tide is falling.\n`), undefined],
    'a short text': [texts('Good ', 'morning'), texts('Good morning'), undefined],
    'a short text, and much more': [texts('Good ', 'morning'), texts(`Good morning ${'to all of you '.repeat(5)}`), undefined],
    'code that begins alike': [
      texts('```ts\n', 'const one = readTheWholeOfTheFile(1);\n```\n'),
      texts('```ts\nconst two = readTheWholeOfTheFile(1);\n```\n'),
      undefined,
    ],
    'no text': [texts(...pieces), [{ data: { whole } }], undefined],
    'text after a picture': [[{ raw: 'AAAA', mediaType: 'image/png' }, ...texts(...pieces)], texts(whole), undefined],
    nothing: [[], texts(whole), undefined],
  };
  for (const [name, [known, chunk, length]] of Object.entries(rows)) test(name, () => assert.equal(repeatedLength(known, chunk), length));

  test('no more of the text is read than a chunk is long', () => {
    let reads = 0;
    const counted = (text: string): Part => ({
      get text() {
        reads++;
        return text;
      },
    });
    const readsOf = (known: readonly Part[], chunk: string): number => {
      reads = 0;
      repeatedLength(known, texts(chunk));
      return reads;
    };
    const words = Array.from({ length: 10_000 }, (_, at) => counted(`word ${at} `));
    assert.ok(readsOf(words, 'Another sentence that begins with other words.') <= 2);
    assert.ok(readsOf(words, `word 0 ${'x'.repeat(20_000)}`) <= 4);
    assert.equal(
      readsOf(
        Array.from({ length: 10_000 }, () => counted('')),
        'x'.repeat(100),
      ),
      0,
    );
  });
});
