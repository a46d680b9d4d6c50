import * as assert from 'node:assert/strict';
import { compareChecks } from '../../../src/conformance/checkComparison.ts';
import type { CheckReport } from '../../../src/conformance/checkReport.ts';
import { isUndecided } from '../../../src/conformance/checkReport.ts';
import { brokenMusts } from '../../../src/conformance/checkSummary.ts';
import type { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import type { CheckRun } from '../../../src/store/rows/checkRuns.ts';
import type { Conformance } from '../../../src/workbench/conformance/conformanceParts.ts';
import { keepRun } from '../../../src/workbench/conformance/keptRuns.ts';

const parts = { compareChecks, brokenMusts, isUndecided } as unknown as Conformance;

function report(verdicts: Readonly<Record<string, string>>, more: Partial<CheckReport> = {}): CheckReport {
  return {
    format: 1,
    startedAt: 1,
    end: 'complete',
    interfaces: [{ url: 'http://127.0.0.1:1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    results: Object.entries(verdicts).map(([rule, verdict]) => ({ rule, verdict, interface: 0, level: 'MUST' })),
    ...more,
  } as unknown as CheckReport;
}

/** Contexts that keep runs, newest first, as the history does. */
function keeping(): { readonly contexts: AgentContexts; readonly runs: (CheckRun & { readonly report: object })[] } {
  const runs: (CheckRun & { readonly report: object })[] = [];
  const checks = {
    of: () => runs,
    report: (_agent: string, id: number) => runs.find(run => run.id === id)?.report,
    add: (_agent: string, run: Omit<CheckRun, 'id'>, kept: object) => runs.unshift({ ...run, id: runs.length, report: kept }),
  };
  return { contexts: { history: { checks }, patiently: async (work: () => unknown) => work() } as unknown as AgentContexts, runs };
}

suite('runs of conformance checks that are kept', () => {
  for (const [name, now, whole] of [
    ['one that asks everything again takes the place of the last', report({ 'CORE-11': 'pass', 'CORE-12': 'fail' }), 1],
    ['one that left out what failed does not', report({ 'CORE-11': 'not-testable', 'CORE-12': 'pass' }), 0],
    ['one that left out what passed does', report({ 'CORE-11': 'fail', 'CORE-12': 'not-testable' }), 1],
    ['one that was stopped does not', report({ 'CORE-11': 'pass' }, { end: 'stopped' }), 0],
  ] as const)
    test(name, async () => {
      const { contexts, runs } = keeping();
      await keepRun(contexts, 'Ann', report({ 'CORE-11': 'fail', 'CORE-12': 'pass' }), parts);
      await keepRun(contexts, 'Ann', now, parts);
      assert.deepEqual(
        runs.map(run => run.whole),
        [whole, 1],
      );
    });

  test('a rule that is broken over two interfaces is one', async () => {
    const { contexts, runs } = keeping();
    const once = report({ 'CORE-11': 'fail', 'CORE-12': 'warn' });
    const again = once.results.map(result => ({ ...result, interface: 1 }));
    await keepRun(contexts, 'Ann', { ...once, results: [...once.results, ...again] }, parts);
    assert.deepEqual([runs[0]?.failed, runs[0]?.warned], [1, 1]);
  });

  test('a run in a form of another version is compared with nothing', async () => {
    const { contexts, runs } = keeping();
    await keepRun(contexts, 'Ann', { ...report({ 'CORE-11': 'fail' }), format: 2 } as unknown as CheckReport, parts);
    await keepRun(contexts, 'Ann', report({ 'CORE-11': 'not-testable' }), parts);
    assert.equal(runs[0]?.whole, 1);
  });
});
