import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';

const scheme = 'a2a-agent';

type Diagnosis = Agent['diagnosis'];

/** Of what does not fit between agents and their cards, that which somebody should look at. */
export const problemsOf = (diagnosis: Diagnosis): Diagnosis => diagnosis.filter(({ severity }) => severity !== 'information');

/** How many problems, in words; empty where there are none. */
export function problemWords(diagnosis: Diagnosis): string {
  const { length } = problemsOf(diagnosis);
  if (length === 0) return '';
  return length === 1 ? vscode.l10n.t('1 problem with its card') : vscode.l10n.t('{0} problems with its card', length);
}

/** How many members of its settings nobody reads, in words; empty where there are none. */
export function settingsWords(warnings = 0): string {
  if (warnings === 0) return '';
  return warnings === 1 ? vscode.l10n.t('1 problem with its settings') : vscode.l10n.t('{0} problems with its settings', warnings);
}

/** The address under which an agent's row is decorated. It says how many problems there are, so that a change of them is a new address. */
export function decorationUri(name: string, diagnosis: Diagnosis, warnings = 0): vscode.Uri | undefined {
  const problems = problemsOf(diagnosis);
  if (problems.length === 0 && warnings === 0) return undefined;
  const worst = problems.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
  return vscode.Uri.from({
    scheme,
    path: `/${name.replaceAll('/', '∕')}`,
    query: `${worst}&${[problemWords(diagnosis), settingsWords(warnings)].filter(Boolean).join(', ')}`,
  });
}

/** Marks agents that do not fit their cards, as VS Code marks files that have problems. */
export class AgentDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #registration = vscode.window.registerFileDecorationProvider(this);

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    const [worst = '', words = ''] = uri.query.split('&');
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
