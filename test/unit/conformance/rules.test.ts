import * as assert from 'node:assert/strict';
import { ruleIds } from '../../../src/protocol/ruleId.ts';
import { clauseOf } from '../../../src/conformance/rules/rule/rule.ts';
import { rules } from '../../../src/conformance/rules/index.ts';
import { bytePlace, jsonPlace } from '../../../src/conformance/rules/rule/jsonPlace.ts';

suite('rules of conformance', () => {
  test('every rule can be checked in some way', () => {
    assert.deepEqual(
      ruleIds.filter(id => (rules[id].passive ?? rules[id].whileReading ?? rules[id].probe) === undefined),
      [],
    );
  });

  test('every rule links to a clause of each version that it holds for', () => {
    for (const id of ruleIds) {
      for (const version of rules[id].versions) {
        assert.match(clauseOf(rules[id], version), /^https:\/\/a2a-protocol\.org\/v(?:1\.0\.1|0\.3\.0)\/specification\/#\d[\w-]+$/, id);
      }
    }
  });

  test('no requirement of the official kit stands twice with one rule, and 120 of its 129 are named', () => {
    for (const id of ruleIds) assert.equal(new Set(rules[id].kit).size, rules[id].kit.length, id);
    assert.equal(new Set(ruleIds.flatMap(id => rules[id].kit)).size, 120);
  });
});

suite('places in JSON texts', () => {
  const text = ' {"a" : [1, {"b/c": "ü\\"}", "~": {}}], "a2": null, "last": "x", "last": -1.5e3 } ';
  for (const [pointer, value] of [
    ['/a/0', '1'],
    ['/a/1/b~1c', '"ü\\"}"'],
    ['/a/1/~0', '{}'],
    ['/a2', 'null'],
    ['/last', '-1.5e3'],
    ['', text.trim()],
  ] as const) {
    test(`${pointer} is found as the value it is`, () => {
      const place = jsonPlace(text, pointer);
      assert.equal(text.slice(...place!), value);
      assert.equal(
        Buffer.from(text)
          .subarray(...bytePlace(text, place!))
          .toString(),
        value,
      );
    });
  }

  test('what is not there is not found, nor anything in a text that is no JSON', () => {
    for (const pointer of ['/b', '/a/2', '/a/x', '/a/0/x', '/a2/0']) assert.equal(jsonPlace(text, pointer), undefined, pointer);
    for (const broken of ['', '{', '{"a"', '{"a":', '[1', '{"a":"', '[[[', '{a:1}', '"'])
      assert.equal(jsonPlace(broken, '/a/0'), undefined, broken);
    assert.equal(jsonPlace('['.repeat(1_000_000), '/0/0'), undefined);
  });

  test('bytes are those of UTF-8, whatever the characters are', () => {
    for (const value of ['a', 'ü', '€', '🚢', 'a🚢€b']) {
      const json = JSON.stringify([value, value]);
      const place = bytePlace(json, jsonPlace(json, '/1')!);
      assert.equal(
        Buffer.from(json)
          .subarray(...place)
          .toString(),
        JSON.stringify(value),
      );
    }
  });
});
