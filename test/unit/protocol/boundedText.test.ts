import * as assert from 'node:assert/strict';
import { boundedText, type TextBounds } from '../../../src/protocol/boundedText.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { problemsInContext } from '../../../src/request/language/contextProblems.ts';
import { growsInProportion } from '../../support/cpuTime.ts';

const all: TextBounds = { items: Infinity, depth: Infinity, values: Infinity, characters: Infinity };
const read = (text: string, bounds: Partial<TextBounds>): unknown => JSON.parse(boundedText(text, { ...all, ...bounds }).text);

suite('Bounded text', () => {
  test('is the text itself where nothing is too much', () => {
    const text = '{"a":[1,2,{"b":"x,]}\\""}], // ,\n "c":3}';
    assert.deepEqual(boundedText(text, { items: 3, depth: Infinity, values: 100, characters: 1000 }), { text, omitted: [] });
  });

  test('leaves out the rest of long lists, at every depth that is asked for, and keeps all offsets', () => {
    const text = '{"a":[1,[4,5,[6,7,8],9],{"x":1,"y":2,"z":3},2],"b":[1,2,3],"c":true}';
    assert.deepEqual(read(text, { items: 2 }), { a: [1, [4, 5]], b: [1, 2] });
    assert.deepEqual(read(text, { items: 3, depth: 2 }), { a: [1, [4, 5, [6, 7, 8], 9], { x: 1, y: 2, z: 3 }], b: [1, 2, 3], c: true });
    const bounded = boundedText(text, { ...all, items: 3 });
    assert.equal(bounded.text.length, text.length);
    assert.equal(bounded.text.indexOf('"c"'), text.indexOf('"c"'));
    assert.deepEqual(
      bounded.omitted.map(({ offset, length }) => text.slice(offset, offset + length)),
      [',9', ',2'],
    );
  });

  test('ends before the member that is too much, with everything closed', () => {
    const text = '{"a":[1,2,{"b":["}","]",5,6]}],"c":{"d":1}}';
    for (let characters = 0; characters <= text.length; characters++) {
      const bounded = boundedText(text, { ...all, characters });
      if (bounded.text !== '') JSON.parse(bounded.text);
      assert.equal(bounded.omitted.length, characters < text.length ? 1 : 0, String(characters));
    }
    for (let values = 1; values < 20; values++) {
      const bounded = boundedText(text, { ...all, values });
      if (bounded.text !== '') JSON.parse(bounded.text);
    }
    assert.deepEqual(read(text, { characters: text.indexOf('6') }), { a: [1, 2, { b: ['}', ']', 5] }] });
    assert.deepEqual(read(text, { depth: 1, characters: text.length - 2 }), { a: [1, 2, { b: ['}', ']', 5, 6] }] });
  });

  test('takes a list that was cut already as it was cut', () => {
    const text = `{"a":[1,2,${'3,'.repeat(100)}4]}`;
    assert.deepEqual(read(text, { items: 2, characters: 100 }), { a: [1, 2] });
  });

  test('counts templates, of which one string may have any number', () => {
    const text = JSON.stringify({ a: 1, b: '{{x}}'.repeat(500), c: 2 });
    assert.deepEqual(read(text, { values: 100 }), { a: 1 });
  });
});

suite('A request file in the editor', () => {
  const file = (requests: number): string =>
    JSON.stringify({
      agent: 'http://127.0.0.1:1',
      requests: Array.from({ length: requests }, (_, index) => ({
        name: `r${index}`,
        message: `hi {{x${index}}}`,
        expect: { state: 'completed' },
      })),
      variables: { v: 1 },
    });

  test('is read to 1,000 requests of 1,200, says so once, and tells 200 problems of a kind', () => {
    const text = file(1_200);
    const { requests, problems } = readRequestFile(text, { bounded: true });
    assert.equal(requests.length, 1_000);
    assert.equal(requests.at(-1)?.name, 'r999');
    assert.deepEqual(
      problems.filter(({ code }) => code === 'not-read').map(({ range }) => text.slice(range.offset - 3, range.offset + 10)),
      ['"}},{"name":"'],
    );
    assert.equal(problems.filter(({ code }) => code === 'unknown-name').length, 200);
    assert.ok(
      problemsInContext(readRequestFile(text, { bounded: true }), {
        agents: [],
        contexts: () => [],
        tasks: () => [],
        values: new Map(),
        secrets: [],
        result: () => undefined,
      }).length < 1_000,
    );
  });

  test('is read whole elsewhere', () => {
    assert.equal(readRequestFile(file(1_200)).requests.length, 1_200);
  });

  test('has each request whole or not at all', () => {
    const numbers = Array.from({ length: 3_000 }, (_, index) => index);
    const text = JSON.stringify({ agent: 'a', requests: Array.from({ length: 50 }, () => ({ message: { parts: [{ data: numbers }] } })) });
    const { requests } = readRequestFile(text, { bounded: true });
    assert.ok(requests.length > 20 && requests.length < 50, String(requests.length));
    for (const { range } of requests)
      assert.deepEqual(JSON.parse(text.slice(range.offset, range.offset + range.length)), { message: { parts: [{ data: numbers }] } });
  });

  test('takes time in proportion to its templates, escapes or not', async () => {
    const { holds, figures } = await growsInProportion(
      size => void readRequestFile(JSON.stringify({ message: '{{x}}\n'.repeat(size), variables: { x: 1 } })),
      2_000,
    );
    assert.ok(holds, figures);
  });
});
