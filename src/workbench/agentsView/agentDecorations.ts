import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { translatedList } from '../platform/report.ts';

const scheme = 'a2a-agent';

type Diagnosis = Agent['diagnosis'];

/** The diagnoses that a person should look at: errors and warnings. */
export const problemsOf = (diagnosis: Diagnosis): Diagnosis => diagnosis.filter(({ severity }) => severity !== 'information');

/** The number of problems as a phrase; empty if there are none. */
export function problemCountText(diagnosis: Diagnosis): string {
  const { length } = problemsOf(diagnosis);
  if (length === 0) return '';
  return length === 1 ? vscode.l10n.t('1 problem with its card') : vscode.l10n.t('{0} problems with its card', length);
}

/** The number of warnings about the agent's settings as a phrase; empty if there are none. */
export function warningCountText(warnings = 0): string {
  if (warnings === 0) return '';
  return warnings === 1 ? vscode.l10n.t('1 problem with its settings') : vscode.l10n.t('{0} problems with its settings', warnings);
}

/** Other marks of a row. */
interface RowMarks {
  /** The number of warnings about the agent's settings. */
  readonly settings: number;
  /** Notices about the agent's card, as phrases. */
  readonly card: readonly string[];
  /** Severity of the card's notices. */
  readonly worst: 'error' | 'warning';
}

/**
 * The URI by which an agent's row is decorated; undefined for no decoration. It contains the decoration's text, since VS Code asks again
 * only for a new URI.
 */
export function decorationUri(name: string, diagnosis: Diagnosis, { settings, card, worst }: RowMarks): vscode.Uri | undefined {
  const problems = problemsOf(diagnosis);
  if (problems.length === 0 && settings === 0 && card.length === 0) return undefined;
  const isError = problems.some(({ severity }) => severity === 'error') || (card.length > 0 && worst === 'error');
  return vscode.Uri.from({
    scheme,
    path: `/${name.replaceAll('/', '∕')}`,
    query: `${isError ? 'error' : 'warning'}&${translatedList([...card, problemCountText(diagnosis), warningCountText(settings)].filter(Boolean))}`,
  });
}

/** Decorates agents that do not match their cards, whose cards have changed, or whose settings have warnings, as VS Code decorates files with problems. */
export class AgentDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #registration = vscode.window.registerFileDecorationProvider(this);

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    const [, worst = '', words = ''] = /^(\w*)&(.*)$/s.exec(uri.query) ?? [];
    return {
      badge: '!',
      tooltip: words,
      color: new vscode.ThemeColor(worst === 'error' ? 'list.errorForeground' : 'list.warningForeground'),
    };
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
