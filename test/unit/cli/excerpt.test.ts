import * as assert from 'node:assert/strict';
import { excerpt } from '../../../src/cli/terminal/excerpt.ts';

const rows: readonly (readonly [text: string, shown: string])[] = [
  ['plain words\nand more', 'plain words\nand more'],
  ['{"error":"<html>"}', '{"error":"<html>"}'],
  [
    '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title><style>p { color: red }</style></head><body><h1>Sorry</h1>\n<p>we are <b>down</b></p></body></html>',
    'An HTML page, "502 Bad Gateway": Sorry we are down',
  ],
  ['<html><head><title>404 Not Found</title></head><body>404 Not Found</body></html>', 'An HTML page, "404 Not Found"'],
  ['<html></html>', 'An HTML page'],
  ['  <HTML><script>alert(1)', 'An HTML page'],
  [`<html><body>${'a'.repeat(1_000)}`, `An HTML page: ${'a'.repeat(300)}…`],
];

suite('what a terminal shows of an HTML page', () => {
  for (const [text, shown] of rows) test(JSON.stringify(text.slice(0, 40)), () => assert.equal(excerpt(text), shown));

  test('of a long one in time that grows with its length alone', () => {
    assert.ok(excerpt(`<html>${'<head '.repeat(100_000)}`).length < 400);
  });
});
