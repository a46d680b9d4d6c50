import * as assert from 'node:assert/strict';
import { memberNames } from '../../../src/protocol/card/checks/memberNames.ts';
import { camelCase } from '../../../src/protocol/card/checks/spelling.ts';
import type { Names } from '../../../src/protocol/protoNames.ts';

const notedIn = (card: Readonly<Record<string, unknown>>): readonly string[] =>
  [...camelCase({ card, form: '1.0' })].filter(({ code }) => code === 'snake-case').map(({ path }) => `/${path.join('/')}`);

const namesIn = (names: Names): string[] => Object.entries(names).flatMap(([name, inner]) => [name, ...(inner ? namesIn(inner) : [])]);

suite('names of card members', () => {
  test('every member of several words is noted in snake_case', () => {
    const written = [...new Set(namesIn(memberNames))]
      .filter(name => /[a-z\d][A-Z]/.test(name))
      .map(name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
    assert.ok(written.length > 25);
    assert.deepEqual(
      written.filter(name => notedIn({ [name]: '' }).length !== 1),
      [],
    );
    assert.deepEqual(notedIn({ skills: [{ id: 'a', input_modes: [] }] }), ['/skills/0/input_modes']);
  });

  test("an author's own members are named as the author likes", () => {
    assert.deepEqual(notedIn({ my_vendor: 1, x_build_info: { build_number: 7 }, securitySchemes: { my_key: {} } }), []);
  });
});
