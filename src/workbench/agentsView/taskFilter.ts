import * as vscode from 'vscode';
import type { ShownState } from '../../protocol/message/taskState.ts';
import { oneLine } from '../platform/untrustedText.ts';
import { startOf, type Period } from './periods.ts';
import { statePresentation } from '../platform/stateIcons.ts';
import { translatedList } from '../platform/report.ts';

/** The person's filter of the tree. */
export interface TaskFilterValues {
  readonly text?: string;
  readonly states?: readonly ShownState[];
  readonly period?: Exclude<Period, 'older'>;
}

/** The filter in the form that the model takes. */
export interface TaskListFilter {
  readonly text?: string;
  readonly states?: readonly ShownState[];
  readonly since?: number;
}

export const sinceLabels: Readonly<Record<Exclude<Period, 'older'>, () => string>> = {
  today: () => vscode.l10n.t('since midnight'),
  yesterday: () => vscode.l10n.t('since yesterday'),
  week: () => vscode.l10n.t('in the last 7 days'),
  month: () => vscode.l10n.t('in the last 30 days'),
};

/** The filter of the tree; not kept when the window closes. */
export class TaskFilter implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  #choice: TaskFilterValues = {};

  readonly onDidChange = this.#changed.event;

  get choice(): TaskFilterValues {
    return this.#choice;
  }

  get active(): boolean {
    const { text, states, period } = this.#choice;
    return text !== undefined || states !== undefined || period !== undefined;
  }

  /** Replaces the whole filter; members that are missing or empty do not filter. */
  set({ text, states, period }: TaskFilterValues): void {
    this.#choice = {
      ...(text !== undefined && text.trim() !== '' && { text: text.trim() }),
      ...(states !== undefined && states.length > 0 && { states }),
      ...(period !== undefined && { period }),
    };
    this.#changed.fire();
  }

  toListFilter(now: number): TaskListFilter {
    const { text, states, period } = this.#choice;
    return { ...(text !== undefined && { text }), ...(states && { states }), ...(period && { since: startOf(period, now) }) };
  }

  /** The filter as a phrase; empty if it is off. */
  words(): string {
    const { text, states, period } = this.#choice;
    return [
      ...(text === undefined ? [] : [vscode.l10n.t('"{0}"', oneLine(text).slice(0, 60))]),
      ...(states === undefined ? [] : [translatedList(states.map(state => statePresentation[state].label()))]),
      ...(period === undefined ? [] : [sinceLabels[period]()]),
    ].join(' · ');
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
