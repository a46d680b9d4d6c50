import * as vscode from 'vscode';
import type { CheckReport, CheckResult } from '../../conformance/checkReport.ts';
import { listOf, Problem, sentence } from '../../protocol/problem.ts';
import { ruleIds, type RuleId } from '../../protocol/ruleId.ts';
import { levelWord } from '../../protocol/finding.ts';
import { loadRules, ruleOf } from '../../conformance/rules/loadedRules.ts';
import { fixableMessage } from '../platform/contextValues.ts';
import { explain, inARow, translate } from '../platform/report.ts';
import { escapeControls } from '../platform/untrustedText.ts';
import { AgentCheck, waiting } from './agentCheck.ts';
import type { Conformance } from './conformanceParts.ts';
import { keepRun } from './keptRuns.ts';
import type { ConformanceTestsNeeds } from './conformanceTests.ts';
import { askForWork } from './workQuestion.ts';

/** The rules as test items, under their subjects. Ids are those of the rules, and of their families. */
export async function ruleItems(controller: vscode.TestController, parts: Conformance): Promise<readonly vscode.TestItem[]> {
  await loadRules();
  const families = Map.groupBy(ruleIds, parts.familyOf);
  return [...families].map(([family, ids], index) => {
    const suite = controller.createTestItem(family, translate(parts.familyWords[family] ?? sentence('{0}', family)));
    suite.sortText = String(index).padStart(3, '0');
    suite.children.replace(
      ids.map(id => {
        const rule = ruleOf(id);
        const item = controller.createTestItem(id, rule === undefined ? id : `${id} ${translate(sentence(rule.title))}`);
        if (rule !== undefined) item.description = translate(levelWord(rule.level));
        item.sortText = id;
        return item;
      }),
    );
    return suite;
  });
}

const rulesIn = (item: vscode.TestItem): readonly vscode.TestItem[] =>
  item.children.size === 0 ? [item] : [...item.children].flatMap(([, child]) => rulesIn(child));

/** Checks the agents of the items that are chosen, one after the other, for the rules that are chosen. */
export async function runConformanceTests({
  agents,
  contexts,
  parts: load,
  push,
  onChecked,
  controller,
  request,
  token,
  chosen,
  mayWork,
}: ConformanceTestsNeeds & {
  readonly controller: vscode.TestController;
  readonly request: vscode.TestRunRequest;
  readonly token: vscode.CancellationToken;
  /** Items of agents. */
  readonly chosen: readonly vscode.TestItem[];
  readonly mayWork: boolean;
}): Promise<void> {
  const parts = await load();
  const run = controller.createTestRun(request);
  const left = new Set((request.exclude ?? []).flatMap(rulesIn));
  try {
    for (const item of chosen) {
      if (token.isCancellationRequested) return;
      const all = rulesIn(item);
      const own = (request.include ?? chosen).flatMap(rulesIn).filter(each => all.includes(each) && !left.has(each));
      const agent = agents.get(item.id);
      if (agent === undefined) continue;
      for (const each of own) run.enqueued(each);
      const check = new AgentCheck(agent, { parts, push, contexts }, () => {});
      token.onCancellationRequested(() => check.stop());
      if (parts.checkTurns.isTaken(agent.name)) run.appendOutput(`${escapeControls(waiting(agent.name))}\r\n`);
      try {
        const isWhole = own.length === all.length;
        const checked = await check.prepare(isWhole ? undefined : new Set(own.map(({ id }) => id as RuleId)));
        const answer = mayWork
          ? await askForWork(agent, checked, check.token, true)
          : { allowWork: false, prompts: agent.settings.check ?? {} };
        if (answer === undefined) {
          for (const each of own) run.skipped(each);
          continue;
        }
        for (const each of own) run.started(each);
        const report = await check.run(checked, answer, vscode.ProgressLocation.Window);
        for (const each of own) addResult(run, each, report, parts);
        const ended = parts.endRemark(report);
        if (ended !== undefined) run.appendOutput(`${escapeControls(translate(ended))}\r\n`);
        if (isWhole && report.end === 'complete') {
          await keepRun(contexts, agent.name, report, parts);
          onChecked(agent.name);
        }
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { message, nextStep } = explain(error);
        for (const each of own)
          if (token.isCancellationRequested) run.skipped(each);
          else run.errored(each, new vscode.TestMessage(inARow(message, nextStep)));
      } finally {
        check.end();
      }
    }
  } finally {
    run.end();
  }
}

/** A MUST that is broken fails its test; a recommendation that is not followed is output of one that passed. */
function addResult(run: vscode.TestRun, item: vscode.TestItem, report: CheckReport, parts: Conformance): void {
  const results = report.results.filter(({ rule }) => rule === item.id);
  for (const result of results) run.appendOutput(`${linesOf(report, result, parts).join('\r\n')}\r\n`, undefined, item);
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  if (failed.length > 0)
    run.failed(
      item,
      failed.map(result => {
        const message = new vscode.TestMessage(linesOf(report, result, parts).join('\n'));
        message.contextValue = fixableMessage;
        return message;
      }),
    );
  else if (
    results.some(({ verdict }) => verdict === 'pass' || verdict === 'warn') &&
    !results.some(({ verdict }) => verdict === 'inconclusive')
  )
    run.passed(item);
  else run.skipped(item);
}

function linesOf(report: CheckReport, result: CheckResult, parts: Conformance): readonly string[] {
  const { rule, verdict, why, remedy, interface: index, clause } = result;
  const evidence = parts.evidenceFor(report, result);
  return [
    translate(sentence('{0}: {1}', listOf([rule, parts.interfaceTitle(report.interfaces[index]!)]), parts.verdictWords[verdict])),
    translate(why),
    ...(verdict === 'pass' || evidence?.marked === undefined
      ? []
      : [vscode.l10n.t('bytes {0} to {1}: {2}', ...evidence.marked.bytes, evidence.marked.marked)]),
    ...(remedy === undefined ? [] : [translate(remedy), clause]),
  ].map(line => escapeControls(line));
}
