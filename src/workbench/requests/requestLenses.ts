import * as vscode from 'vscode';
import type { Agents } from '../../model/agents/agents.ts';
import type { RequestRun } from '../../model/requests/requestRun.ts';
import { isAcceptable } from '../../model/requests/snapshotResult.ts';
import type { RequestFile } from '../../request/file/requestFile.ts';
import { isTerminal } from '../../protocol/message/taskState.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { FileAgents } from './session/fileAgents.ts';
import { interfaceName } from '../platform/interfaceNames.ts';
import { oneLine, escapeIcons, truncated } from '../platform/untrustedText.ts';
import { requestNamed } from '../../request/file/imports.ts';
import { textOfValue } from '../../request/language/languageContext.ts';
import { isRequestDocument, requestSelector } from '../documents/requestDocuments.ts';
import type { LanguageContexts } from './language/languageContexts.ts';
import type { RequestSession, RequestSessions } from './session/requestSessions.ts';
import { statusOf } from './session/requestStatus.ts';
import { isConfigured } from '../platform/settings.ts';
import { translate } from '../platform/report.ts';
import { throttled } from '../platform/throttled.ts';
import type { CommandId } from '../platform/commands.ts';
import { environmentTitle } from './sending/environmentTitle.ts';
import type { FileEnvironments } from './values/fileEnvironments.ts';

const maxTextLength = 100;
/** Maximum number of lenses of a request, besides the one that leads to the rest. */
const most = 3;
const updateMs = 200;
const clockMs = 1000;

interface RequestLensesNeeds {
  readonly sessions: RequestSessions;
  readonly agents: Agents;
  readonly languageContexts: LanguageContexts;
  readonly environments: FileEnvironments;
}

/** The code lenses of a request file: on each request to send it and for its result, and at the top for all requests. */
export class RequestLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #needs: RequestLensesNeeds;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #update = throttled(updateMs, () => this.#refresh());
  /** Content of a document's lenses when VS Code last requested them, by its URI. */
  readonly #knownContent = new Map<string, string>();
  /** Identifies the last list of lenses that was returned for each document. */
  readonly #answers = new WeakMap<vscode.TextDocument, object>();
  readonly #askAgain = throttled(updateMs, () => this.#changed.fire());
  /** Set while a request is under way: the time that it has taken is shown. */
  #clock: NodeJS.Timeout | undefined;
  readonly #registration: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(needs: RequestLensesNeeds) {
    this.#needs = needs;
    const { sessions, languageContexts } = needs;
    this.#registration = vscode.Disposable.from(
      sessions.onDidChange(this.#update),
      languageContexts.onDidChange(this.#update),
      vscode.languages.registerCodeLensProvider(requestSelector, this),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const answer = {};
    const lenses = this.#lensesOf(document, answer);
    this.#answers.set(document, answer);
    this.#knownContent.set(document.uri.toString(), contentOf(lenses));
    return lenses;
  }

  #lensesOf(document: vscode.TextDocument, answer: object = {}): vscode.CodeLens[] {
    if (!isRequestDocument(document)) return [];
    const file = this.#needs.languageContexts.fileOf(document);
    const session = this.#needs.sessions.peek(document.uri);
    const uri = document.uri.toString();
    const lenses = file.requests.flatMap(entry => {
      const at = document.positionAt(entry.range.offset);
      const range = new vscode.Range(at, at);
      const all = this.#ofRequest(entry, file, session, uri);
      const shown: readonly Lens[] = all.length <= most ? all : [...all.slice(0, most), ['…', 'a2a.moreRequestActions']];
      return shown.map(
        ([title, command, given]) =>
          new RequestLens(range, { title, command, arguments: [...(given ?? [uri, entry.key])] }, document, answer),
      );
    });
    const [section] = file.sections;
    // In Markdown above the first fence.
    const first = file.markdown && section !== undefined ? Math.max(0, document.positionAt(section.range.offset).line - 1) : 0;
    const top = new vscode.Range(first, 0, first, 0);
    return [
      ...this.#ofFile(file, session, document.uri).map(
        ([title, command, given]) => new vscode.CodeLens(top, { title, command, arguments: [...(given ?? [uri])] }),
      ),
      ...lenses,
    ];
  }

  #ofRequest(entry: RequestEntry, file: RequestFile, session: RequestSession | undefined, uri: string): readonly Lens[] {
    const run = session?.runs.get(entry.key);
    return [
      ...lensesOf(run, [uri, entry.key]),
      ...targetLens(entry, uri, name => session?.runs.get(requestNamed(file, name)?.key ?? name)),
      ...interfaceLens(run, this.#needs.agents),
    ];
  }

  /** Lets the person choose among the lenses of a request that have no room on its line. */
  async more(document: vscode.TextDocument, key: unknown): Promise<void> {
    const file = this.#needs.languageContexts.fileOf(document);
    const entry = file.requests.find(one => one.key === key);
    if (entry === undefined) return;
    const uri = document.uri.toString();
    const rest = this.#ofRequest(entry, file, this.#needs.sessions.peek(document.uri), uri).slice(most);
    const chosen = await vscode.window.showQuickPick(
      rest.map(([label, command, given]) => ({ label, command, given: given ?? [uri, entry.key] })),
      { title: lensText(entry.name ?? '') },
    );
    if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command, ...chosen.given);
  }

  /**
   * VS Code puts the command resolved for a lens of an earlier list on the lens that is now at the same index (1.139,
   * `CodeLensWidget.updateCommands`), and keeps it. So if the list is outdated, VS Code is made to request lenses again.
   */
  resolveCodeLens(lens: vscode.CodeLens): vscode.CodeLens {
    if (!(lens instanceof RequestLens)) return lens;
    if (this.#answers.get(lens.document) !== lens.answer) this.#askAgain();
    lens.command = lens.wanted;
    return lens;
  }

  /**
   * VS Code drops the commands of all lenses when it requests new ones, and a click in that moment does nothing. So new ones are requested
   * only if their content changed.
   */
  #refresh(): void {
    clearTimeout(this.#clock);
    const isRunning = this.#needs.sessions.all.some(({ runs }) => runs.running);
    this.#clock = isRunning ? setTimeout(() => this.#refresh(), clockMs) : undefined;
    const open = new Map(vscode.workspace.textDocuments.map(document => [document.uri.toString(), document]));
    // VS Code drops its request if the editor loses the focus directly after it opened (1.139); a run started from the command palette
    // would never appear. So documents whose lenses were never requested count as changed.
    let differ = vscode.window.visibleTextEditors.some(
      ({ document }) => isRequestDocument(document) && !this.#knownContent.has(document.uri.toString()),
    );
    for (const [uri, previous] of this.#knownContent) {
      const document = open.get(uri);
      const current = document === undefined ? undefined : contentOf(this.#lensesOf(document));
      if (current === undefined) this.#knownContent.delete(uri);
      else if (current !== previous) {
        // Stored now: if VS Code is slow, the next comparison comes before its request, and would announce the same change again.
        this.#knownContent.set(uri, current);
        differ = true;
      }
    }
    if (differ) this.#changed.fire();
  }

  #ofFile({ requests, agent }: RequestFile, session: RequestSession | undefined, uri: vscode.Uri): readonly Lens[] {
    const lenses: Lens[] = [];
    if (requests.length > 1) {
      lenses.push(
        session?.sendingAll === true
          ? [withIcon('debug-stop', vscode.l10n.t('Stop All')), 'a2a.stopRequest']
          : [vscode.l10n.t('▶ Send All'), 'a2a.sendAllRequests'],
      );
    }
    const environment = this.#needs.environments.of(uri);
    if (environment.names.length > 0)
      lenses.push([
        withIcon(environment.production ? 'warning' : 'server-environment', lensText(environmentTitle(environment))),
        'a2a.selectEnvironment',
      ]);
    const configured = agent === undefined ? undefined : new FileAgents(this.#needs.agents, () => uri).known(textOfValue(agent.value));
    if (configured !== undefined) lenses.push([withIcon('hubot', lensText(configured.name)), 'a2a.openAgentCard', [configured.name]]);
    else if (requests.some(one => one.agent === undefined)) {
      lenses.push([
        withIcon('hubot', session?.agent === undefined ? vscode.l10n.t('Choose Agent…') : lensText(session.agent)),
        'a2a.chooseRequestAgent',
      ]);
    }
    return lenses;
  }

  dispose(): void {
    clearTimeout(this.#clock);
    this.#update.dispose();
    this.#askAgain.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

const contentOf = (lenses: readonly vscode.CodeLens[]): string =>
  JSON.stringify(lenses.map(lens => [lens.range.start.line, lens instanceof RequestLens ? lens.wanted : lens.command]));

/** Gets its command only when it becomes visible: VS Code keeps every command that it gets, and a file can have thousands of requests. */
class RequestLens extends vscode.CodeLens {
  readonly wanted: vscode.Command;
  readonly document: vscode.TextDocument;
  /** The list of lenses that it was returned in. */
  readonly answer: object;

  constructor(range: vscode.Range, wanted: vscode.Command, document: vscode.TextDocument, answer: object) {
    super(range);
    this.wanted = wanted;
    this.document = document;
    this.answer = answer;
  }
}

/** `given` are the command's arguments; by default they are the file's URI and the request's key. */
type Lens = readonly [title: string, command: CommandId, given?: readonly unknown[]];

/** @param request the URI of its file and its key */
function lensesOf(run: RequestRun | undefined, request: readonly unknown[]): readonly Lens[] {
  const send: Lens = [vscode.l10n.t('▶ Send Request'), 'a2a.sendRequest'];
  const copy: Lens = [vscode.l10n.t('Copy as cURL'), 'a2a.copyRequest', [...request, 'curl']];
  if (run === undefined) return [send, copy];
  const { icon, text } = statusOf(run);
  const status: Lens = [withIcon(icon, lensText(text)), 'a2a.showResponse'];
  const chat: readonly Lens[] = run.contextKey === undefined ? [] : [[vscode.l10n.t('Open in Chat'), 'a2a.openRequestInChat']];
  if (run.running) {
    const polling: readonly Lens[] =
      run.polling === undefined ? [] : [[withIcon('warning', lensText(translate(run.polling))), 'a2a.showResponse']];
    return [status, [withIcon('debug-stop', vscode.l10n.t('Stop')), 'a2a.stopRequest'], ...polling, ...chat];
  }
  const snapshot: readonly Lens[] =
    run.outcome !== undefined && isAcceptable(run.outcome) ? [[vscode.l10n.t('Update Snapshot'), 'a2a.updateSnapshots']] : [];
  return [send, status, ...snapshot, ...chat, copy];
}

/**
 * Lens with the target of a request with `after`, depending on the current state of the earlier request's task. Opens the earlier response.
 */
function targetLens({ after }: RequestEntry, document: string, runOf: (name: string) => RequestRun | undefined): readonly Lens[] {
  if (after === undefined) return [];
  const name = lensText(after.value);
  const earlier = runOf(after.value);
  if (earlier === undefined || earlier.running) return [];
  const { state } = earlier;
  const where =
    state === undefined
      ? vscode.l10n.t('continues the context of {0}', name)
      : isTerminal(state)
        ? vscode.l10n.t('new task that follows {0}', name)
        : vscode.l10n.t('continues the task of {0}', name);
  return [[withIcon('reply', where), 'a2a.showResponse', [document, earlier.entry.key]]];
}

/** The interface that the request was sent on, if its agent offers others. */
function interfaceLens(run: RequestRun | undefined, agents: Agents): readonly Lens[] {
  const agent = run?.agent === undefined ? undefined : agents.get(run.agent.name);
  if (run?.chosen === undefined || agent === undefined || agent.interfaces.offered.length < 2 || !isConfigured(agent.name)) return [];
  const every: readonly Lens[] =
    agent.interfaces.offered.filter(({ isSupported }) => isSupported).length < 2 ? [] : [[vscode.l10n.t('Send To…'), 'a2a.sendTo']];
  return [[withIcon('plug', lensText(interfaceName(run.chosen.interface))), 'a2a.chooseInterface', [agent.name]], ...every];
}

/** The icon and text with a no-break space between them: VS Code trims a plain space there. */
const withIcon = (icon: string, text: string): string => `$(${icon})\u00a0${text}`;

/** One line of at most `maxTextLength` characters. */
const lensText = (text: string): string => escapeIcons(truncated(oneLine(text), maxTextLength));
