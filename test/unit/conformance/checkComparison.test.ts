import * as assert from 'node:assert/strict';
import { compareChecks, comparisonSentence } from '../../../src/conformance/checkComparison.ts';
import type { CheckReport, CheckResult } from '../../../src/conformance/checkReport.ts';
import { brokenMusts, inconclusiveMusts, matrixOf, summaryOf } from '../../../src/conformance/checkSummary.ts';
import { badgeText } from '../../../src/conformance/reports/checkBadge.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import type { RuleId } from '../../../src/protocol/ruleId.ts';
import type { Verdict } from '../../../src/conformance/rules/rule/verdict.ts';

const why = sentence('Because.');

function report(
  verdicts: Readonly<Partial<Record<RuleId, Verdict>>>,
  more: Partial<CheckReport> & { readonly port?: number } = {},
): CheckReport {
  const { port = 1, ...rest } = more;
  return {
    format: 1,
    agent: { name: 'A', version: '1', url: `http://localhost:${port}/`, cardUrl: `http://localhost:${port}/card` },
    startedAt: 1_000,
    endedAt: 2_000,
    end: 'complete',
    allowWork: false,
    interfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0', url: `http://localhost:${port}/rpc` }],
    results: Object.entries(verdicts).map(
      ([rule, verdict]): CheckResult => ({
        rule: rule as RuleId,
        interface: 0,
        level: rule.startsWith('CARD') ? 'SHOULD' : 'MUST',
        section: '1',
        clause: 'https://a2a-protocol.org/',
        title: 'T',
        verdict,
        why,
      }),
    ),
    exchanges: [],
    ...rest,
  };
}

suite('reports of conformance', () => {
  test('two runs compare: what is fixed, what is new, what is another verdict', () => {
    const before = report({
      'CORE-11': 'fail',
      'CARD-14': 'warn',
      'CORE-12': 'pass',
      'RPC-04': 'fail',
      'RPC-05': 'not-testable',
      'STRM-01': 'fail',
    });
    const now = report(
      {
        'CORE-11': 'pass',
        'CARD-14': 'pass',
        'CORE-12': 'fail',
        'RPC-04': 'inconclusive',
        'RPC-05': 'pass',
        'STRM-01': 'fail',
        'PUSH-01': 'fail',
      },
      { port: 2 },
    );
    const compared = compareChecks(before, now);
    assert.deepEqual(
      compared.changes.map(({ kind, result, before: then }) => [kind, result.rule, then]),
      [
        ['fixed', 'CORE-11', 'fail'],
        ['fixed', 'CARD-14', 'warn'],
        ['new', 'CORE-12', 'pass'],
        ['other', 'RPC-04', 'fail'],
        ['other', 'RPC-05', 'not-testable'],
      ],
    );
    assert.equal(english(comparisonSentence(compared)), '2 fixed, 1 new; failures not rechecked: 1');
    assert.equal(english(comparisonSentence(compareChecks(now, now))), 'No change');
  });

  test('a failure that cannot be asked any more is not fixed', () => {
    for (const verdict of ['inconclusive', 'not-testable', 'not-applicable', 'disputed'] as const)
      assert.equal(compareChecks(report({ 'CORE-11': 'fail' }), report({ 'CORE-11': verdict })).fixed, 0, verdict);
    const part = compareChecks(report({ 'CORE-11': 'fail', 'CORE-12': 'warn' }), report({ 'CORE-11': 'not-testable', 'CORE-12': 'warn' }));
    assert.equal(english(comparisonSentence(part)), 'No change; failures not rechecked: 1');
  });

  test('a failure of what was not asked before is no new one', () => {
    for (const verdict of ['inconclusive', 'not-testable', 'not-applicable'] as const)
      assert.equal(compareChecks(report({ 'CORE-11': verdict }), report({ 'CORE-11': 'fail' })).new, 0, verdict);
    const found = compareChecks(report({ 'CORE-11': 'inconclusive' }), report({ 'CORE-11': 'fail' }));
    assert.equal(english(comparisonSentence(found)), '0 fixed, 0 new; failures not checked before: 1');
    assert.equal(compareChecks(report({ 'CORE-11': 'pass' }), report({ 'CORE-11': 'fail' })).new, 1);
  });

  test('a run is counted by level and family, with a row for each rule', () => {
    const run = report({ 'CARD-14': 'warn', 'CORE-11': 'fail', 'CORE-12': 'pass' });
    const { counts, byLevel, byFamily } = summaryOf(run);
    assert.deepEqual([counts.fail, counts.warn, counts.pass, counts.disputed], [1, 1, 1, 0]);
    assert.deepEqual(
      byLevel.map(({ key, counts: own }) => [key, own.fail, own.warn, own.pass]),
      [
        ['MUST', 1, 0, 1],
        ['SHOULD', 0, 1, 0],
      ],
    );
    assert.deepEqual(
      byFamily.map(({ key }) => key),
      ['CARD', 'CORE'],
    );
    assert.deepEqual(
      matrixOf(run).map(({ rule, cells }) => [rule, cells.map(cell => cell?.verdict)]),
      [
        ['CARD-14', ['warn']],
        ['CORE-11', ['fail']],
        ['CORE-12', ['pass']],
      ],
    );
    assert.deepEqual(
      brokenMusts(run).map(({ rule }) => rule),
      ['CORE-11'],
    );
  });

  test('what is counted are rules, over however many interfaces', () => {
    const over = (run: CheckReport, index: number): CheckReport['results'] => run.results.map(result => ({ ...result, interface: index }));
    const mixed = report({ 'CORE-11': 'fail', 'CORE-12': 'pass', 'RPC-04': 'inconclusive' });
    const other = report({ 'CORE-11': 'fail', 'CORE-12': 'fail', 'RPC-04': 'inconclusive' });
    const run = { ...mixed, interfaces: [...mixed.interfaces, ...mixed.interfaces], results: [...over(mixed, 0), ...over(other, 1)] };
    const { counts, byLevel } = summaryOf(run);
    assert.deepEqual([counts.fail, counts.pass, counts.inconclusive, byLevel[0]?.counts.fail], [2, 1, 1, 2]);
    assert.equal(inconclusiveMusts(run), 1);
    assert.equal(badgeText(run).text, '1.0: 0 of 2 MUST (incomplete)');
    const mended = report({ 'CORE-11': 'pass', 'CORE-12': 'pass' });
    assert.equal(compareChecks(run, { ...run, results: [...over(mended, 0), ...over(mended, 1)] }).fixed, 2);
  });

  test('a badge counts what was decided, and says where a run is not complete', () => {
    assert.equal(
      badgeText(report({ 'CORE-11': 'fail', 'CORE-12': 'pass', 'RPC-04': 'not-testable', 'CARD-14': 'warn' })).text,
      '1.0: 1 of 2 MUST',
    );
    const [whole, part] = [report({ 'CORE-12': 'pass' }), report({ 'CORE-12': 'pass' }, { end: 'stopped' })].map(badgeText);
    assert.equal(part?.text, '1.0: 1 of 1 MUST (incomplete)');
    assert.notEqual(whole?.color, part?.color);
    const unknown = badgeText(report({ 'CORE-12': 'pass', 'RPC-04': 'inconclusive' }));
    assert.deepEqual(unknown, part);
    assert.equal(badgeText(report({ 'CORE-12': 'fail', 'RPC-04': 'inconclusive' })).text, '1.0: 0 of 1 MUST (incomplete)');
    assert.deepEqual(badgeText(report({ 'CORE-12': 'pass', 'CARD-14': 'inconclusive' })), whole);
  });

  test('a badge names versions, whatever a card has for them', () => {
    const run = report({ 'CORE-12': 'pass' });
    for (const [written, named] of [
      ['1.0.999</text><text>A2A certified', '1.0'],
      ['1.0.7', '1.0'],
      [`0.3.${'9'.repeat(10_000)}`, '0.3'],
      ['1.0.x\n::error::owned', '1.0'],
    ] as const) {
      const interfaces = run.interfaces.map(each => ({ ...each, protocolVersion: written }));
      assert.equal(badgeText({ ...run, interfaces }).text, `${named}: 1 of 1 MUST`);
    }
    const twice = [...run.interfaces, ...run.interfaces.map(each => ({ ...each, protocolVersion: '1.0.2' }))];
    assert.equal(badgeText({ ...run, interfaces: twice }).text, '1.0: 1 of 1 MUST');
  });
});
