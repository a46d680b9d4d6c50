import * as assert from 'node:assert/strict';
import type { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import type { Finding } from '../../../src/protocol/finding.ts';
import { loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import '../../support/shimmedVscode.ts';

const { shownDeviations } = await import('../../../src/workbench/agentsView/shownDeviations.ts');

suite('what ordinary traffic shows of conformance', () => {
  suiteSetup(() => loadRules());

  const finding = (rule: Finding['rule'], more: Partial<Finding> = {}): Finding => ({
    rule,
    pointer: '/x',
    message: `of ${rule}`,
    ...more,
  });
  const shown = (exchanges: readonly (readonly [id: string, startedAt: number, findings: readonly Finding[]])[]) =>
    shownDeviations(
      {
        history: {
          deviations: (agent: string) =>
            agent === 'Ann'
              ? exchanges.map(([exchangeId, startedAt, findings]) => ({ exchangeId, startedAt, operation: 'GetTask', findings }))
              : [],
        },
      } as unknown as AgentContexts,
      'Ann',
    );

  test('deviations group by rule, with a count and the last exchange', () => {
    const rows = shown([
      ['b', 20, [finding('DATA-04', { times: 3, message: 'newest' })]],
      ['a', 10, [finding('DATA-04'), finding('RPC-02')]],
      ['c', 15, [finding('RPC-02', { message: 'later' })]],
    ]);
    assert.deepEqual(
      rows.map(({ rule, count, exchangeId, message, level }) => [rule, count, exchangeId, message, level]),
      [
        ['DATA-04', 4, 'b', 'newest', 'MUST'],
        ['RPC-02', 2, 'c', 'later', 'MUST'],
      ],
    );
    assert.equal(rows[0]?.title, 'Timestamps are ISO 8601 in UTC');
  });

  test('what the official texts disagree on is held against no agent', () => {
    assert.deepEqual(shown([['a', 1, [finding('CORE-09', { disputed: true })]]]), []);
  });
});
