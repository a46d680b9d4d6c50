import * as vscode from 'vscode';
import type { LocalAgent } from '../../client/card/localAgent.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { report } from '../platform/report.ts';
import { escapeIcons, oneLine } from '../platform/untrustedText.ts';
import { agentsInFiles, type AgentInFile } from './agentsInFiles.ts';
import { findRunningAgents, portRanges, portsToAsk } from './runningAgents.ts';

type Offer = vscode.QuickPickItem & { readonly url?: string };

/** Maximum number of agents offered beside the typed address. */
const maxOffers = 100;

/**
 * Asks for an address, and offers agents that run on this machine and those that files of the workspace name. Looks for them only while it
 * is open. Undefined where the person cancels.
 */
export async function askForAddress(agents: Agents): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Offer>();
  pick.title = vscode.l10n.t('Add Agent');
  pick.placeholder = vscode.l10n.t('Base URL of the agent, or the address of its agent card, such as {0}', 'http://localhost:9999');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.busy = true;
  const looking = new AbortController();
  const running: LocalAgent[] = [];
  let inFiles: readonly AgentInFile[] = [];
  let others: readonly Offer[] = [];
  const isNew = ({ url }: { readonly url: string }): boolean => agents.configuredAt(url) === undefined;
  const section = (label: string, offers: readonly Offer[]): Offer[] =>
    offers.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...offers.slice(0, maxOffers)];
  let asTyped: readonly Offer[] = [];
  let isAddress = false;
  /**
   * Whether VS Code has told that the typed address is the active row. Before that its active row is of the list of an earlier text: VS Code
   * filters that one at once, and gets ours a moment later.
   */
  let isShown = false;
  const show = (keepsChosen: boolean): void => {
    const typed = pick.value.trim();
    const chosen = keepsChosen && (isShown || !isAddress) ? pick.activeItems[0]?.url : undefined;
    asTyped = typed === '' ? [] : [{ label: `$(add) ${vscode.l10n.t('Add {0}', escapeIcons(typed))}`, alwaysShow: true }];
    // A word looks for a name; an address is one.
    isAddress = /[.:/]|^localhost/i.test(typed);
    isShown = false;
    const items: readonly Offer[] = [
      ...(isAddress ? asTyped : []),
      ...section(
        vscode.l10n.t('Running on this machine'),
        running.map(({ name, url }) => ({ label: `$(broadcast) ${escapeIcons(oneLine(name))}`, description: escapeIcons(url), url })),
      ),
      ...section(
        vscode.l10n.t('In the files of this workspace'),
        inFiles
          .filter(isNew)
          .filter(({ url }) => !running.some(other => other.url === url))
          .map(({ name, url, file }) => ({
            label: `$(file) ${escapeIcons(oneLine(name))}`,
            description: escapeIcons(url),
            detail: escapeIcons(vscode.workspace.asRelativePath(file)),
            url,
          })),
      ),
      ...(isAddress ? [] : asTyped),
      ...others,
    ];
    pick.items = items;
    const same = chosen === undefined ? undefined : items.find(({ url }) => url === chosen);
    if (same === undefined) return;
    pick.activeItems = [same];
    isShown = true;
  };
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  pick.onDidChangeValue(() => show(false));
  pick.onDidChangeActive(([active]) => {
    isShown ||= active !== undefined && active === asTyped[0];
  });
  pick.onDidAccept(() => {
    // The item is information only.
    if (others.includes(pick.activeItems[0]!) && (!isAddress || isShown)) return;
    resolve((isAddress && !isShown ? undefined : pick.activeItems[0]?.url) ?? pick.value.trim());
  });
  pick.onDidHide(() => resolve(undefined));
  show(false);
  pick.show();
  const askPorts = async (): Promise<void> => {
    const ports = await portsToAsk();
    if (looking.signal.aborted) return;
    others = section('', [
      {
        label: `$(info) ${vscode.l10n.t('Type the address of an agent at another port')}`,
        description: vscode.l10n.t('asked are usual ones, and those of terminals and debug sessions'),
        detail: portRanges(ports),
      },
    ]);
    show(true);
    await findRunningAgents(agents, ports, looking.signal, agent => {
      if (!isNew(agent) || running.some(({ url }) => url === agent.url)) return;
      running.push(agent);
      show(true);
    });
  };
  const search = Promise.all([
    askPorts(),
    agentsInFiles().then(named => {
      inFiles = named;
      if (!looking.signal.aborted) show(true);
    }),
  ]);
  search
    .finally(() => {
      if (!looking.signal.aborted) pick.busy = false;
    })
    .catch(report);
  return promise.finally(() => {
    looking.abort();
    pick.dispose();
  });
}
