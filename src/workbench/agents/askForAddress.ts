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

/** Asks for an address; undefined where the person cancels. */
export const askForAddress = (agents: Agents): Promise<string | undefined> => new AddressPick(agents).ask();

/**
 * A quick pick for the address of an agent that offers agents running on this machine and those named in files of the workspace. It looks
 * for them only while it is open.
 */
class AddressPick {
  readonly #agents: Agents;
  readonly #pick = vscode.window.createQuickPick<Offer>();
  /** Ends the search when the pick is closed. */
  readonly #closed = new AbortController();
  readonly #running: LocalAgent[] = [];
  #inFiles: readonly AgentInFile[] = [];
  /** The item with the ports that are asked. */
  #portsItem: readonly Offer[] = [];
  #ports: Parameters<typeof portRanges>[0] = [];
  #isDone = false;
  #asTyped: readonly Offer[] = [];
  #isAddress = false;
  /**
   * True once VS Code has made the typed address the active row. Before that its active row is of the list of an earlier text: VS Code
   * filters that one at once, and gets ours a moment later.
   */
  #isShown = false;

  constructor(agents: Agents) {
    this.#agents = agents;
    this.#pick.title = vscode.l10n.t('Add Agent');
    this.#pick.placeholder = vscode.l10n.t('Base URL of the agent, or the address of its agent card, such as {0}', 'http://localhost:9999');
    this.#pick.ignoreFocusOut = true;
    this.#pick.matchOnDescription = true;
    this.#pick.busy = true;
  }

  ask(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#pick.onDidChangeValue(() => this.#show(false));
    this.#pick.onDidChangeActive(([active]) => {
      this.#isShown ||= active !== undefined && active === this.#asTyped[0];
    });
    this.#pick.onDidAccept(() => {
      const active = this.#pick.activeItems[0];
      if (active !== undefined && this.#portsItem.includes(active) && (!this.#isAddress || this.#isShown)) return;
      resolve((this.#isAddress && !this.#isShown ? undefined : active?.url) ?? this.#pick.value.trim());
    });
    this.#pick.onDidHide(() => resolve(undefined));
    this.#show(false);
    this.#pick.show();
    Promise.all([this.#askPorts(), this.#readFiles()])
      .finally(() => {
        if (this.#closed.signal.aborted) return;
        this.#isDone = true;
        this.#pick.busy = false;
        this.#showPorts();
      })
      .catch(report);
    return promise.finally(() => {
      this.#closed.abort();
      this.#pick.dispose();
    });
  }

  async #askPorts(): Promise<void> {
    const ports = await portsToAsk();
    if (this.#closed.signal.aborted) return;
    this.#ports = ports;
    this.#showPorts();
    await findRunningAgents(this.#agents, ports, this.#closed.signal, agent => {
      if (!this.#isNew(agent) || this.#running.some(({ url }) => url === agent.url)) return;
      this.#running.push(agent);
      this.#show(true);
    });
  }

  #showPorts(): void {
    const isEmpty = this.#isDone && this.#running.length === 0 && this.#inFiles.length === 0;
    this.#portsItem = section('', [
      {
        label: `$(info) ${isEmpty ? vscode.l10n.t('No agent found on common ports. Enter a URL.') : vscode.l10n.t('For an agent on another port, enter its URL')}`,
        detail: vscode.l10n.t('Searched ports: {0}', portRanges(this.#ports)),
      },
    ]);
    this.#show(true);
  }

  async #readFiles(): Promise<void> {
    this.#inFiles = await agentsInFiles();
    if (!this.#closed.signal.aborted) this.#show(true);
  }

  #isNew({ url }: { readonly url: string }): boolean {
    return this.#agents.configuredAt(url) === undefined;
  }

  #show(keepsChosen: boolean): void {
    const typed = this.#pick.value.trim();
    const chosen = keepsChosen && (this.#isShown || !this.#isAddress) ? this.#pick.activeItems[0]?.url : undefined;
    this.#asTyped = typed === '' ? [] : [{ label: `$(add) ${vscode.l10n.t('Add {0}', escapeIcons(typed))}`, alwaysShow: true }];
    // A word looks for a name; an address is one.
    this.#isAddress = /[.:/]|^localhost/i.test(typed);
    this.#isShown = false;
    const items = this.#offers();
    this.#pick.items = items;
    const same = chosen === undefined ? undefined : items.find(({ url }) => url === chosen);
    if (same === undefined) return;
    this.#pick.activeItems = [same];
    this.#isShown = true;
  }

  #offers(): readonly Offer[] {
    return [
      ...(this.#isAddress ? this.#asTyped : []),
      ...section(
        vscode.l10n.t('Running on this machine'),
        this.#running.map(({ name, url }) => ({
          label: `$(broadcast) ${escapeIcons(oneLine(name))}`,
          description: escapeIcons(url),
          url,
        })),
      ),
      ...section(
        vscode.l10n.t('In the files of this workspace'),
        this.#inFiles
          .filter(agent => this.#isNew(agent))
          .filter(({ url }) => !this.#running.some(other => other.url === url))
          .map(({ name, url, file }) => ({
            label: `$(file) ${escapeIcons(oneLine(name))}`,
            description: escapeIcons(url),
            detail: escapeIcons(vscode.workspace.asRelativePath(file)),
            url,
          })),
      ),
      ...(this.#isAddress ? [] : this.#asTyped),
      ...this.#portsItem,
    ];
  }
}

const section = (label: string, offers: readonly Offer[]): Offer[] =>
  offers.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...offers.slice(0, maxOffers)];
