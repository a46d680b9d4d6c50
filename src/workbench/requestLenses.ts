import * as vscode from 'vscode';
import type { Agents } from '../model/agents.ts';
import type { RequestRun } from '../model/requestRun.ts';
import { isTerminal } from '../protocol/taskState.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { interfaceName } from './interfaceNames.ts';
import { isRequestDocument, requestFileOf, requestLanguage } from './requestDocuments.ts';
import type { RequestSessions } from './requestSessions.ts';
import { statusOf } from './requestStatus.ts';
import { isConfigured } from './settings.ts';
import { throttled } from './throttled.ts';
import type { CommandId } from './commands.ts';

const longestText = 100;
const updateMs = 200;

/** The lenses of a request file: send, and what came of it; on each request, and on top for all of them. */
export class RequestLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #sessions: RequestSessions;
  readonly #agents: Agents;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #update = throttled(updateMs, () => this.#changed.fire());
  readonly #registration: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(sessions: RequestSessions, agents: Agents) {
    this.#sessions = sessions;
    this.#agents = agents;
    this.#registration = vscode.Disposable.from(
      sessions.onDidChange(this.#update),
      vscode.languages.registerCodeLensProvider({ language: requestLanguage }, this),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isRequestDocument(document)) return [];
    const { requests } = requestFileOf(document);
    const session = this.#sessions.peek(document.uri);
    const uri = document.uri.toString();
    const lenses = requests.flatMap(entry => {
      const at = document.positionAt(entry.range.offset);
      const run = session?.runs.get(entry.key);
      return [...lensesOf(run), ...targetLens(entry, uri, name => session?.runs.get(name)), ...interfaceLens(run, this.#agents)].map(([title, command, given]) =>
        new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [...given ?? [uri, entry.key]] }));
    });
    if (requests.length > 1) {
      const top = new vscode.Range(0, 0, 0, 0);
      lenses.unshift(new vscode.CodeLens(top, session?.sendingAll === true
        ? { title: withIcon('debug-stop', vscode.l10n.t('Stop All')), command: 'a2a.stopRequest' satisfies CommandId, arguments: [uri] }
        : { title: vscode.l10n.t('▶ Send All'), command: 'a2a.sendAllRequests' satisfies CommandId, arguments: [uri] }));
    }
    return lenses;
  }

  dispose(): void {
    this.#update.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

/** Without arguments of its own a command gets the file and the request. */
type Lens = readonly [title: string, command: CommandId, given?: readonly unknown[]];

function lensesOf(run: RequestRun | undefined): readonly Lens[] {
  const send: Lens = [vscode.l10n.t('▶ Send Request'), 'a2a.sendRequest'];
  if (run === undefined) return [send];
  const { icon, text } = statusOf(run);
  const status: Lens = [withIcon(icon, oneLine(text)), 'a2a.showResponse'];
  const chat: readonly Lens[] = run.contextKey === undefined ? [] : [[vscode.l10n.t('Open in Chat'), 'a2a.openRequestInChat']];
  if (run.running) return [status, [withIcon('debug-stop', vscode.l10n.t('Stop')), 'a2a.stopRequest'], ...chat];
  return [send, status, ...chat];
}

/** Where a request that continues another one goes, by how that one's task stands now; it leads to what came of it. */
function targetLens({ after }: RequestEntry, document: string, runOf: (name: string) => RequestRun | undefined): readonly Lens[] {
  if (after === undefined) return [];
  const name = oneLine(after.value);
  const earlier = runOf(after.value);
  if (earlier === undefined || earlier.running) return [];
  const { state } = earlier;
  const where = state === undefined ? vscode.l10n.t('goes into the context of {0}', name)
    : isTerminal(state) ? vscode.l10n.t('new task that follows {0}', name) : vscode.l10n.t('goes into the task of {0}', name);
  return [[withIcon('reply', where), 'a2a.showResponse', [document, after.value]]];
}

/** What the request was sent over, where its agent offers something else. */
function interfaceLens(run: RequestRun | undefined, agents: Agents): readonly Lens[] {
  const agent = run?.agent === undefined ? undefined : agents.get(run.agent.name);
  if (run?.chosen === undefined || agent === undefined || agent.interfaces.offered.length < 2 || !isConfigured(agent.name)) return [];
  const every: readonly Lens[] = agent.interfaces.offered.filter(({ spoken }) => spoken).length < 2 ? []
    : [[vscode.l10n.t('Send on Every Interface'), 'a2a.sendOnEveryInterface']];
  return [[withIcon('plug', oneLine(interfaceName(run.chosen.interface))), 'a2a.chooseInterface', [agent.name]], ...every];
}

/** A plain space after the icon would not be drawn. */
const withIcon = (icon: string, text: string): string => `$(${icon})\u00a0${text}`;

/** A lens is one line, and `$(…)` in it would become an icon: an agent's words must not. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('$(', '$\u200b(').trim();
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1).trimEnd()}…`;
}
