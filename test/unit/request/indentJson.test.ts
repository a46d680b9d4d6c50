import * as assert from 'node:assert/strict';
import { indentJson, Verbatim, writeJson } from '../../../src/request/text/indentJson.ts';

suite('indent JSON', () => {
  for (const value of [
    {},
    [],
    { a: [] },
    { a: {}, b: [1, { c: null }] },
    [[[]], [true, 'x"\\ \u2028']],
    'x',
    5,
    null,
    { '': ' {[,:]} ' },
  ]) {
    test(`like JSON.stringify: ${JSON.stringify(value)}`, () => {
      assert.equal(indentJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
      assert.equal(indentJson(` ${JSON.stringify(value, null, '\t')}\r\n`), JSON.stringify(value, null, 2));
      assert.equal(writeJson(value), JSON.stringify(value, null, 2));
    });
  }

  test('every token stays as it was', () => {
    assert.equal(
      indentJson('{"n":1.0e+2,"n":12345678901234567890,"s":"\\u0041\\/"}'),
      '{\n  "n": 1.0e+2,\n  "n": 12345678901234567890,\n  "s": "\\u0041\\/"\n}',
    );
  });

  test('verbatim JSON inside a value', () => {
    const raw = Verbatim.of('{"a":[1.0],"a":{}}');
    assert.equal(
      writeJson({ body: raw, none: undefined, list: [undefined, raw] }),
      '{\n  "body": {\n    "a": [\n      1.0\n    ],\n    "a": {}\n  },\n  "list": [\n    null,\n    {\n      "a": [\n        1.0\n      ],\n      "a": {}\n    }\n  ]\n}',
    );
  });

  test('what is not JSON is not verbatim', () => assert.equal(Verbatim.of('{"a":'), undefined));

  test('deep nesting costs neither stack nor room', () => {
    const nested = '['.repeat(50_000) + ']'.repeat(50_000);
    const indented = indentJson(nested);
    assert.equal(indented.replaceAll(/\s/g, ''), nested);
    assert.ok(indented.length < 200_000, String(indented.length));
    assert.ok(JSON.parse(writeJson(JSON.parse(nested))) !== undefined);
  });
});
