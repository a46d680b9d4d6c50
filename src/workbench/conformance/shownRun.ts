import * as vscode from 'vscode';
import type { ShownCounts, ShownResult, ShownResume, ShownRun } from '../../chat/host/conformanceMessages.ts';
import type { CheckReport } from '../../conformance/checkReport.ts';
import { sentence } from '../../protocol/problem.ts';
import { levelWord } from '../../protocol/finding.ts';
import { translate } from '../platform/report.ts';
import type { Conformance } from './conformanceParts.ts';

/** Start of a run, in VS Code's display language. */
export const timeOf = (at: number): string =>
  new Date(at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });

/** A report as the page shows it. @param before the run that it is compared with */
export function shownRun(id: number, report: CheckReport, before: CheckReport | undefined, parts: Conformance): ShownRun {
  const { interfaces, results, startedAt } = report;
  const summary = parts.summaryOf(report);
  const silent = parts.unanswered(report);
  const comparison = before === undefined ? undefined : parts.compareChecks(before, report);
  const changes = new Map(comparison?.changes.map(change => [change.result, change]));
  const familyTitle = (key: string): string => translate(parts.familyWords[key] ?? sentence('{0}', key));
  const rows = <Key extends string>(
    list: readonly { readonly key: Key; readonly counts: ShownCounts['counts'] }[],
    titled: (key: Key) => string,
  ) => list.map(({ key, counts }) => ({ key, title: titled(key), counts }));
  return {
    id,
    when: timeOf(startedAt),
    remarks: [
      ...parts.checkRemarks(report).map(translate),
      ...interfaces.flatMap(entry => {
        const about = entry.obstacle ?? entry.remark;
        return about === undefined ? [] : [translate(sentence('{0}: {1}', parts.interfaceTitle(entry), about))];
      }),
    ],
    ...(comparison !== undefined && {
      comparison: vscode.l10n.t('{0} since {1}', translate(parts.comparisonSentence(comparison)), timeOf(comparison.with)),
    }),
    interfaces: interfaces.map(entry => ({
      title: parts.interfaceTitle(entry),
      short: `${entry.protocolBinding} ${entry.protocolVersion}`,
    })),
    counts: summary.counts,
    levels: rows(summary.byLevel, level => translate(levelWord(level))),
    families: rows(summary.byFamily, familyTitle),
    ...(report.resume !== undefined && {
      resume: parts.resumeSections(report).map(
        (section): ShownResume => ({
          interface: section.interface,
          columns: parts.resumeColumns.map(translate),
          rows: section.rows.map(({ after, how, outcome, details, verdict }) => ({
            after,
            how: translate(how),
            outcome: translate(outcome),
            ...(details !== undefined && { details: translate(details) }),
            verdict,
          })),
          remarks: section.remarks.map(translate),
        }),
      ),
    }),
    results: results.map((result): ShownResult => {
      const change = changes.get(result);
      return {
        rule: result.rule,
        title: translate(sentence(result.title)),
        level: translate(levelWord(result.level)),
        section: result.section,
        family: parts.familyOf(result.rule),
        interface: result.interface,
        verdict: result.verdict,
        why: translate(result.why),
        ...(result.remedy !== undefined && { remedy: translate(result.remedy) }),
        ...(change !== undefined && { change: change.kind, before: change.before }),
        hasExchange: result.exchangeId !== undefined,
        ...(silent.has(result) && { isUnanswered: true }),
      };
    }),
  };
}
