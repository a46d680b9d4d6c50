import * as vscode from 'vscode';
import { now } from '../../../model/now.ts';
import type { RequestOutcome } from '../../../model/requests/requestOutcome.ts';
import type { RequestRun } from '../../../model/requests/requestRun.ts';
import { findingsIn } from '../../../protocol/finding.ts';
import { isActive } from '../../../protocol/message/taskState.ts';
import { explain } from '../../platform/report.ts';
import { statePresentation } from '../../platform/stateIcons.ts';

/** A duration for people: `85 ms`, `1.2 s`, `3:05 min`. */
function duration(ms: number): string {
  if (ms < 1000) return vscode.l10n.t('{0} ms', Math.round(ms));
  if (ms < 60_000) return vscode.l10n.t('{0} s', (ms / 1000).toFixed(1));
  const seconds = Math.round(ms / 1000);
  return vscode.l10n.t('{0} min', `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}

/** Time that a run has taken, in steps that are long enough for a lens to be pressed between them; empty for the first ten seconds. */
function soFar(ms: number): string {
  if (ms < 10_000) return '';
  return ms < 60_000 ? vscode.l10n.t('{0} s', Math.floor(ms / 10_000) * 10) : vscode.l10n.t('{0} min', Math.floor(ms / 60_000));
}

/** Status of a run in a few words: its task's state, or what went wrong. */
export function statusOf(run: RequestRun): { readonly icon: string; readonly text: string } {
  const { outcome, state } = run;
  if (outcome === undefined) {
    if (run.stopping) return { icon: 'sync~spin', text: vscode.l10n.t('stopping…') };
    const { pause } = run;
    if (pause !== undefined)
      return {
        icon: 'watch',
        text: vscode.l10n.t('waiting {0}…', duration(Math.max(0, pause.until - performance.timeOrigin - performance.now()))),
      };
    const label = state === undefined ? vscode.l10n.t('working') : statePresentation[state].label();
    const text = vscode.l10n.t('{0}…', label);
    const past = soFar(now() - run.startedAt);
    return { icon: 'sync~spin', text: past === '' ? text : `${text} ${past}` };
  }
  return outcomeStatus(outcome);
}

/** Result of a request, or of one of its rows, in a few words. */
export function outcomeStatus(outcome: RequestOutcome): { readonly icon: string; readonly text: string } {
  const state = outcome.task?.status.state;
  const { passed, failed } = countsOf(outcome);
  const deviations = findingsIn(outcome.findings ?? []);
  const counts = [passed > 0 && `✓${passed}`, failed > 0 && `✗${failed}`, deviations > 0 && `⚠${deviations}`].filter(Boolean);
  const held = counts.length === 0 ? '' : ` · ${counts.join(' ')}`;
  const took = duration(outcome.endedAt - outcome.startedAt);
  if (outcome.problem !== undefined && (failed > 0 || passed === 0)) return { icon: 'error', text: explain(outcome.problem).message };
  if (outcome.problem !== undefined) return { icon: 'pass', text: vscode.l10n.t('refused as expected · {0}', took) + held };
  if (state !== undefined) {
    // That of the expectations, where there are any. Not the spinning icon of an active state: the task is no longer followed.
    const ofState = isActive(state) ? 'arrow-right' : statePresentation[state].icon;
    const icon = failed > 0 ? 'error' : passed > 0 ? 'pass' : ofState;
    return { icon, text: vscode.l10n.t('{0} · {1}', statePresentation[state].label(), took) + held };
  }
  const what = outcome.message === undefined ? vscode.l10n.t('answered') : vscode.l10n.t('message');
  return { icon: failed > 0 ? 'error' : 'pass', text: vscode.l10n.t('{0} · {1}', what, took) + held };
}

function countsOf({ expectations = [] }: RequestOutcome): { readonly passed: number; readonly failed: number } {
  const passed = expectations.filter(({ ok }) => ok).length;
  return { passed, failed: expectations.length - passed };
}
