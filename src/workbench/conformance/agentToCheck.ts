import * as vscode from 'vscode';
import type { Agent } from '../../model/agents/agent.ts';
import { isAgentAddress, type Agents } from '../../model/agents/agents.ts';
import { isConfigured } from '../platform/settings.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';

type Row = vscode.QuickPickItem & { readonly agent?: Agent };

/** Asks which agent is to be checked: one of the window, or any whose address is typed. Undefined where the person cancels. Rejects with `bad-url`. */
export async function agentToCheck(agents: Agents): Promise<Agent | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Which agent?');
  pick.placeholder = vscode.l10n.t('Select an agent, or enter a URL such as {0}', 'http://localhost:9999');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  const configured: readonly Row[] = agents.all
    .filter(({ name }) => isConfigured(name) || !isAgentAddress(name))
    .map(agent => ({
      label: escapeIcons(oneLine(agent.name)),
      description: escapeIcons(agent.url),
      detail: escapeIcons(oneLine(agent.card?.description ?? '')),
      agent,
    }));
  let typedRow: Row | undefined;
  /** True once VS Code has made the row of the typed text active: right after a key its active row is one of an earlier text. */
  let isShown = false;
  const show = (): void => {
    const typed = pick.value.trim();
    const isOther = isAgentAddress(typed) && agents.configuredAt(typed) === undefined;
    typedRow = isOther ? { label: `$(globe) ${vscode.l10n.t('Check {0}', escapeIcons(typed))}`, alwaysShow: true } : undefined;
    isShown = false;
    pick.items = [...(typedRow === undefined ? [] : [typedRow]), ...configured];
  };
  const { promise, resolve } = Promise.withResolvers<Agent | string | undefined>();
  pick.onDidChangeValue(show);
  pick.onDidChangeActive(([active]) => {
    isShown ||= active !== undefined && active === typedRow;
  });
  pick.onDidAccept(() => {
    const [active] = pick.activeItems;
    const isTyped = typedRow !== undefined && (!isShown || active === typedRow);
    const chosen = isTyped ? pick.value.trim() : active?.agent;
    if (chosen !== undefined) resolve(chosen);
  });
  pick.onDidHide(() => resolve(undefined));
  show();
  pick.show();
  const chosen = await promise.finally(() => pick.dispose());
  return typeof chosen === 'string' ? agents.find(chosen) : chosen;
}
