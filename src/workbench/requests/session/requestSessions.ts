import * as vscode from 'vscode';
import type { AgentContexts } from '../../../model/contexts/agentContexts.ts';
import type { Agents } from '../../../model/agents/agents.ts';
import { gaveAnswer, RequestRuns } from '../../../model/requests/requestRuns.ts';
import { FileAgents } from './fileAgents.ts';
import { completeStep } from '../../platform/contextKeys.ts';
import { log } from '../../platform/log.ts';
import { oneLine, escapeLinks } from '../../platform/untrustedText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';

/** State of one request file, kept until the window closes. */
export interface RequestSession {
  /** The file's current URI. */
  uri: vscode.Uri;
  readonly runs: RequestRuns;
  /** The agents as the file means them. */
  readonly agents: FileAgents;
  /** The agent that the person chose for requests that name none. */
  agent?: string;
  /** Key of the request whose result is shown. */
  shown?: string;
  /** The text of the response before the last, by the key of its request. */
  readonly earlier: Map<string, string>;
  /** Set while all requests are being sent; aborting it stops after the current one. */
  all?: AbortController;
  readonly sendingAll: boolean;
}

/** The sessions of all request files by URI. They are kept when a file is closed, and follow it when it is renamed. */
export class RequestSessions implements vscode.Disposable {
  readonly #agents: Agents;
  readonly #contexts: AgentContexts;
  readonly #sessions = new Map<string, RequestSession>();
  readonly #changed = new vscode.EventEmitter<RequestSession>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor({ agents, contexts }: { readonly agents: Agents; readonly contexts: AgentContexts }) {
    this.#agents = agents;
    this.#contexts = contexts;
    this.#registration = vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) this.#rename(oldUri, newUri);
    });
  }

  /** The session of a file; undefined if nothing was sent from it. */
  peek(uri: vscode.Uri): RequestSession | undefined {
    return this.#sessions.get(uri.toString());
  }

  /** Sessions of all files from which something was sent. */
  get all(): readonly RequestSession[] {
    return [...this.#sessions.values()];
  }

  of(uri: vscode.Uri): RequestSession {
    const known = this.peek(uri);
    if (known !== undefined) return known;
    const agents = new FileAgents(this.#agents, () => session.uri);
    const runs = new RequestRuns({ agents, contexts: this.#contexts }, error => log.error(error instanceof Error ? error : String(error)));
    const session: RequestSession = {
      uri,
      runs,
      agents,
      earlier: new Map(),
      get sendingAll() {
        return this.all !== undefined;
      },
    };
    runs.onDidChange(({ outcome }) => {
      if (outcome !== undefined && gaveAnswer(outcome)) completeStep('a2a.requestAnswered');
      this.#changed.fire(session);
    });
    runs.onRefusal(
      ({ entry }) =>
        void vscode.window.showWarningMessage(
          escapeLinks(
            vscode.l10n.t('The agent did not cancel "{0}". Its reason is in the chat.', oneLine(requestTitle(entry)).slice(0, 80)),
          ),
        ),
    );
    this.#sessions.set(uri.toString(), session);
    return session;
  }

  /** Fires `onDidChange` for a change that the session's runs do not report. */
  changed(session: RequestSession): void {
    this.#changed.fire(session);
  }

  dispose(): void {
    this.#registration.dispose();
    for (const { runs } of this.#sessions.values()) runs.dispose();
    this.#changed.dispose();
  }

  /** `from` may be a folder. */
  #rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const [key, session] of [...this.#sessions]) {
      const rest = key === from.toString() ? '' : key.startsWith(`${from.toString()}/`) ? key.slice(from.toString().length) : undefined;
      if (rest === undefined) continue;
      session.uri = vscode.Uri.parse(to.toString() + rest, true);
      this.#sessions.delete(key);
      this.#sessions.set(session.uri.toString(), session);
    }
  }
}
