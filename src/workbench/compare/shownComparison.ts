import * as vscode from 'vscode';
import type { ChosenNormalization, ComparisonView, ShownCell } from '../../chat/host/comparisonMessages.ts';
import type { Exchange } from '../../protocol/exchange.ts';
import type { Part } from '../../protocol/message/part.ts';
import type { Problem } from '../../protocol/problem.ts';
import type { ComparedRun } from '../../recording/compare/comparedRun.ts';
import { type ComparedCell, compareRuns } from '../../recording/compare/comparison.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { explain } from '../platform/report.ts';
import { secretsToMask } from '../platform/shownSecrets.ts';
import { oneLine, truncated } from '../platform/untrustedText.ts';

/** A run of the history with what its column says. */
export interface ReadRun {
  readonly run: ComparedRun;
  readonly agent: string;
  readonly title: string;
  readonly isRunning: boolean;
  /** Interface of its first message. */
  readonly interface?: Pick<Exchange, 'protocolBinding' | 'protocolVersion'>;
  readonly startedAt?: number;
  /** Why it cannot be read. */
  readonly problem?: Problem;
  readonly remark?: string;
}

/** Most turns on a page, the longest text and most artifacts of a cell, and the longest title. */
const [maxTurns, maxText, maxArtifacts, maxTitle] = [500, 600, 5, 80];

/** Interface and time of a run, which set it apart from others of its agent. */
export const runDetail = ({ interface: spoken, startedAt }: ReadRun): string =>
  [
    ...(spoken === undefined ? [] : [interfaceName(spoken)]),
    ...(startedAt === undefined ? [] : [new Date(startedAt).toLocaleTimeString(vscode.env.language)]),
  ].join(' · ');

export function shownComparison(contexts: readonly string[], runs: readonly ReadRun[], normalization: ChosenNormalization): ComparisonView {
  const rows = compareRuns(
    runs.map(({ run }) => run),
    normalization,
  );
  const hasTitles = new Set(runs.map(({ title }) => title)).size > 1;
  return {
    type: 'view',
    contexts,
    runs: runs.map(each => ({
      agent: oneLine(each.agent),
      ...(hasTitles && each.title !== '' && { title: truncated(oneLine(secretsToMask.mask(each.title)), maxTitle) }),
      detail: oneLine(runDetail(each)),
      isRunning: each.isRunning,
      ...(each.remark !== undefined && { remark: each.remark }),
      ...(each.problem !== undefined && { remark: explain(each.problem).message }),
    })),
    turns: rows.slice(0, maxTurns).map(({ said, cells, equal }) => ({
      said: beginning(said.parts),
      cells: cells.map(cell => cell && shownCell(cell)),
      equal,
    })),
    more: Math.max(0, rows.length - maxTurns),
    normalization,
    strings: vscode.l10n.bundle ?? {},
  };
}

function shownCell({ text, artifacts, problem, ...rest }: ComparedCell): ShownCell {
  const named = artifacts.slice(0, maxArtifacts).map(({ name, artifactId, parts }) => {
    const content = parts.some(part => 'text' in part) ? beginning(parts) : '';
    return truncated(content === '' ? (name ?? artifactId) : vscode.l10n.t('{0}: {1}', name ?? artifactId, content), maxText);
  });
  const further = artifacts.length - named.length;
  return {
    ...rest,
    text: cut(text),
    artifacts: further > 0 ? [...named.map(cut), vscode.l10n.t('{0} more', further)] : named.map(cut),
    ...(problem !== undefined && { problem: explain(problem).message }),
  };
}

const cut = (text: string): string => truncated(secretsToMask.mask(text.slice(0, maxText * 2)), maxText);

/** The beginning of the texts of parts; of other parts, their file name or kind. */
const beginning = (parts: readonly Part[]): string =>
  cut(
    parts
      .slice(0, 20)
      .map(part => ('text' in part ? part.text.slice(0, maxText * 2) : (part.filename ?? ('data' in part ? '{…}' : '…'))))
      .join(' '),
  );
