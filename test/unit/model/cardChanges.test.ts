import * as assert from 'node:assert/strict';
import { cardChanges, type ComparedCard } from '../../../src/model/agents/cardChanges.ts';
import { english } from '../../../src/protocol/problem.ts';
import { fullCard } from '../../support/client/cardSigner.ts';

const told = (
  before: unknown,
  after: unknown,
  more: Partial<Record<'before' | 'after', Partial<ComparedCard>>> = {},
): readonly string[] => {
  const compared = (card: unknown, extra: Partial<ComparedCard> = {}): ComparedCard => ({
    source: typeof card === 'string' ? card : JSON.stringify(card),
    verdict: 'unsigned',
    ...extra,
  });
  return cardChanges(compared(before, more.before), compared(after, more.after)).map(english);
};

suite('what changed in a card', () => {
  const [skill] = fullCard.skills;
  const [first, second] = fullCard.supportedInterfaces;

  test('formatting, the order of members and of texts in a list, and null are no change', () => {
    const shuffled = Object.fromEntries(Object.entries(fullCard).reverse());
    assert.deepEqual(told(fullCard, JSON.stringify(shuffled, null, 4)), []);
    assert.deepEqual(told(fullCard, { ...fullCard, defaultInputModes: fullCard.defaultInputModes.toReversed(), url: null }), []);
    assert.deepEqual(told(fullCard, { jsonrpc: '2.0', id: 1, result: fullCard }), []);
    assert.deepEqual(told({ ...fullCard, signatures: ['a'] }, { ...fullCard, signatures: ['b'] }), []);
  });

  const rows: readonly (readonly [change: object, phrases: readonly string[]])[] = [
    [{ version: '3' }, ['version changed']],
    [{ name: 'x', description: 'y' }, ['name changed', 'description changed']],
    [{ iconUrl: undefined }, ['iconUrl removed']],
    [{ 'x-own': 1 }, ['x-own added']],
    [{ capabilities: {} }, ['capabilities changed']],
    [{ supportedInterfaces: [first] }, ['supportedInterfaces changed']],
    [{ supportedInterfaces: [second, first] }, ['supportedInterfaces changed']],
    [{ supportedInterfaces: [{ ...first, url: 'https://evil.example/a2a' }, second] }, ['address https://evil.example added']],
    [
      { supportedInterfaces: [{ ...first, url: 'https://harbour.example:8443/a2a' }] },
      ['address https://harbour.example:8443 instead of https://harbour.example'],
    ],
    [
      { supportedInterfaces: [{ ...first, url: 'http://harbour.example/a2a' }] },
      ['address http://harbour.example instead of https://harbour.example'],
    ],
    [{ url: 'grpcs://evil.example' }, ['address grpcs://evil.example added']],
    [{ url: 'https://harbour.example/a2a' }, ['url added']],
    [{ securitySchemes: {} }, ['securitySchemes changed']],
    [{ securityRequirements: undefined }, ['securityRequirements removed']],
    [{ security: [] }, ['security added']],
    [{ skills: [] }, ['1 skill removed']],
    [{ skills: [skill, { id: 'a' }, { id: 'b' }] }, ['2 skills added']],
    [{ skills: [{ ...skill, name: 'x' }] }, ['1 skill changed']],
    [{ skills: [{ ...skill, securityRequirements: [] }] }, ['security of the skill berth changed']],
    [{ skills: [{ ...skill, tags: skill.tags.toReversed() }] }, []],
    [{ skills: [{ ...skill, id: 'other' }] }, ['1 skill added', '1 skill removed']],
    [{ skills: 'none' }, ['1 skill removed']],
  ];
  for (const [change, phrases] of rows)
    test(phrases.join(', ') || JSON.stringify(change).slice(0, 60), () =>
      assert.deepEqual(told(fullCard, { ...fullCard, ...change }), phrases),
    );

  test('signatures, addresses and security come first', () => {
    const after = {
      ...fullCard,
      name: 'x',
      skills: [],
      securitySchemes: {},
      supportedInterfaces: [{ ...first, url: 'https://evil.example' }],
    };
    assert.deepEqual(told(fullCard, after, { before: { verdict: 'valid', thumbprint: 'a' } }), [
      'signature removed',
      'address https://evil.example instead of https://harbour.example',
      'securitySchemes changed',
      '1 skill removed',
      'name changed',
    ]);
  });

  const valid = { verdict: 'valid', thumbprint: 'a' } as const;
  const verdicts: readonly (readonly [before: Partial<ComparedCard>, after: Partial<ComparedCard>, phrases: readonly string[]])[] = [
    [valid, valid, []],
    [valid, { verdict: 'valid', thumbprint: 'b' }, ['signed with another key']],
    [valid, { verdict: 'partial', thumbprint: 'a' }, ['signature covers only a part']],
    [valid, { verdict: 'invalid' }, ['signature does not match']],
    [valid, { verdict: 'expired-key', thumbprint: 'a' }, ['signed with a key that is expired or revoked']],
    [valid, { verdict: 'untrusted-key' }, ['signed with a key that is not trusted']],
    [valid, { verdict: 'unknown-key' }, ['signed with a key that is not trusted']],
    [valid, { verdict: 'malformed' }, ['signed with a key that is not trusted']],
    [valid, { verdict: 'keys-unavailable' }, []],
    [valid, {}, ['signature removed']],
    [{ verdict: 'unknown-key' }, {}, ['signature removed']],
    [{ verdict: 'unknown-key' }, { verdict: 'invalid' }, ['signature does not match']],
    [{ verdict: 'unknown-key' }, valid, []],
    [{}, { verdict: 'unknown-key' }, ['signature added']],
    [{}, { verdict: 'invalid' }, ['signature does not match']],
    [{}, {}, []],
  ];
  for (const [before, after, phrases] of verdicts) {
    test(`${before.verdict ?? 'unsigned'}, then ${after.verdict ?? 'unsigned'}: ${phrases.join() || 'nothing'}`, () => {
      assert.deepEqual(told(fullCard, { ...fullCard, version: 'next' }, { before, after }), [...phrases, 'version changed']);
    });
  }

  test('text that is not a card is told as another content', () => {
    assert.deepEqual(told('x', 'x'), []);
    assert.deepEqual(told('x', 'y'), ['content changed']);
    assert.deepEqual(told('[1]', '{}'), ['content changed']);
  });

  test('only so many changes are told', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
    assert.equal(told(fullCard, { ...fullCard, ...many }).length, 30);
  });
});
