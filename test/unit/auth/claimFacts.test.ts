import * as assert from 'node:assert/strict';
import { claimFacts } from '../../../src/auth/doctor/claimFacts.ts';
import { english } from '../../../src/protocol/problem.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const at = (secondsFromNow: number): number => now / 1000 + secondsFromNow;
const said = (claims: Readonly<Record<string, unknown>>): readonly string[] => claimFacts(claims, now).map(english);

suite('claims of a token in words', () => {
  test('times are told by their distance and their date', () => {
    assert.deepEqual(said({ iat: at(-90), nbf: at(-90), exp: at(600) }), [
      'Issued 90 s ago (iat, 2026-05-01T11:58:30.000Z).',
      'Valid since 90 s (nbf, 2026-05-01T11:58:30.000Z).',
      'Expires 10 min from now (exp, 2026-05-01T12:10:00.000Z).',
    ]);
    assert.deepEqual(said({ iat: at(7_200), nbf: at(3 * 3_600), exp: at(-5 * 86_400) }), [
      'Issued 2 h from now (iat, 2026-05-01T14:00:00.000Z).',
      'Valid only 3 h from now (nbf, 2026-05-01T15:00:00.000Z).',
      'Expired 5 days ago (exp, 2026-04-26T12:00:00.000Z).',
    ]);
  });

  for (const [seconds, words] of [
    [0, '0 s'],
    [119, '119 s'],
    [120, '2 min'],
    [119 * 60, '119 min'],
    [2 * 3_600, '2 h'],
    [47 * 3_600, '47 h'],
    [48 * 3_600, '2 days'],
    [400 * 86_400, '400 days'],
  ] as const)
    test(`${seconds} seconds are ${words}`, () => assert.match(said({ exp: at(-seconds) })[0]!, new RegExp(`^Expired ${words} ago `)));

  test('whom and what it is for stands first, each claim cut at its bound; others are not shown', () => {
    const facts = said({ secret: 'c4nary', exp: at(60), scope: 'a b', aud: ['https://a.example', 'x'], iss: 'i'.repeat(1_000) });
    assert.equal(facts[0]!.length, 'iss: '.length + 300);
    assert.deepEqual(facts.slice(1, 3), ['aud: ["https://a.example","x"]', 'scope: "a b"']);
    assert.equal(facts.length, 4);
    assert.doesNotMatch(facts.join('\n'), /c4nary/);
  });

  test('a time beyond all dates is told as its number, and what is no number is none', () => {
    assert.match(said({ exp: 1e15 })[0]!, /^Expires \d+ days from now \(exp, 1000000000000000\)\.$/);
    assert.deepEqual(said({ exp: 'soon', iat: null, nbf: {} }), []);
  });
});
