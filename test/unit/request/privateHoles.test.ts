import * as assert from 'node:assert/strict';
import { withPlaceholders } from '../../../src/request/export/placeholder.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { Pieced } from '../../../src/request/text/pieced.ts';
import type { Value } from '../../../src/request/text/value.ts';

/** The variables that stand in a copy for private values, each with a path. */
function variables(given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const collect = (path: string, value: unknown): void => {
    if (value instanceof Pieced) {
      const [piece] = value.pieces;
      found[path] = piece !== undefined && 'variable' in piece ? piece.variable : '';
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(`${path}/${name}`, inner);
  };
  const values = new Map<string, Value>(Object.entries(given).map(([name, value]) => [name, { value, source: 'private', literal: false }]));
  const functions = { now: () => new Date(0), uuid: () => 'u' };
  const scope = withPlaceholders({ file: readRequestFile('{}'), values, functions, result: () => undefined });
  for (const [name, { value }] of scope.values ?? []) collect(name, value);
  return found;
}

suite('private values in copies of a request', () => {
  for (const [what, given, wanted] of [
    ['alone', { login: { user: 'ann', pins: [1, 2] }, on: true }, ['LOGIN_USER', 'LOGIN_PINS_0', 'LOGIN_PINS_1', 'ON']],
    ['names that differ in a sign', { 'a.b': 'x', a_b: 'y', 'a-b': 1 }, ['A_B', 'A_B_2', 'A_B_3']],
    ['names that differ in case', { token: 'x', Token: 'y' }, ['TOKEN', 'TOKEN_2']],
    ['a member and a name', { login: { user: 'x' }, login_user: 'y' }, ['LOGIN_USER', 'LOGIN_USER_2']],
    ['an item and a name', { list: [true], list_0: 'y' }, ['LIST_0', 'LIST_0_2']],
    ['a name like a number that is given', { 'a.b': 'x', a_b: 'y', a_b_2: 'z' }, ['A_B', 'A_B_2', 'A_B_2_2']],
  ] as const)
    test(`each has a variable of its own: ${what}`, () =>
      assert.deepEqual(
        Object.values(variables(given)),
        wanted.map(name => `A2A_SECRET_${name}`),
      ));
});
