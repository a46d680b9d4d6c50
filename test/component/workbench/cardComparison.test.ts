import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { cardComparison } = await import('../../../src/workbench/agentCards/cardComparison.ts');

suite('comparing the card of an agent', () => {
  let asked: string[][];
  let compared: unknown[];
  let restores: (() => void)[];
  setup(() => {
    [asked, compared] = [[], []];
    restores = [
      inPlaceOf('window', {
        activeTextEditor: undefined,
        showQuickPick: async (items: readonly { readonly label: string }[]) => {
          asked.push(items.map(({ label }) => label));
          return items[0];
        },
      }),
      inPlaceOf('workspace', { openTextDocument: async () => ({ languageId: 'a2a-card', getText: () => '{}', uri: {} }) }),
      inPlaceOf('commands', { executeCommand: async (...given: unknown[]) => void compared.push(given.at(-1)) }),
    ];
  });
  teardown(() => {
    for (const restore of restores) restore();
  });

  const changes = { before: '{}', phrases: [] };
  const extended = { kind: 'found', source: '{}' };
  const compare = async (agent: object): Promise<unknown> =>
    cardComparison({
      agents: { get: () => ({ name: 'Ann', cardSource: '{}', review: {}, ...agent }) },
      documents: { add: () => undefined, uri: () => ({ path: '/x' }), refresh: () => undefined },
      selected: () => undefined,
    } as never)['a2a.compareCard']('Ann');

  test('asks which other card is meant only where there are several', async () => {
    await compare({ extendedCard: extended });
    assert.deepEqual([asked, compared], [[], ['Ann (public) ↔ (extended)']]);
    await compare({ review: { changes }, extendedCard: extended });
    assert.deepEqual(asked, [['Previous Card', 'Extended Card']]);
    assert.equal(compared.at(-1), 'Ann (previous) ↔ (current)');
  });

  test('says where there is no other one, or why it cannot be shown', async () => {
    await assert.rejects(compare({}), { code: 'no-other-card' });
    await assert.rejects(compare({ review: { changes: { phrases: [] } } }), { code: 'card-not-kept' });
    assert.deepEqual(compared, []);
  });
});
