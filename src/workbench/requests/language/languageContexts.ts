import * as vscode from 'vscode';
import type { AgentContexts } from '../../../model/contexts/agentContexts.ts';
import type { Agents } from '../../../model/agents/agents.ts';
import type { KnownId, LanguageContext } from '../../../request/language/languageContext.ts';
import type { RequestFile } from '../../../request/file/requestFile.ts';
import { FileAgents } from '../session/fileAgents.ts';
import { isRequestDocument } from '../../documents/requestDocuments.ts';
import type { RequestSessions } from '../session/requestSessions.ts';
import { throttled } from '../../platform/throttled.ts';
import type { FileEnvironments } from '../values/fileEnvironments.ts';
import type { ImportedFiles } from '../values/importedFiles.ts';
import type { Secrets } from '../values/secrets.ts';

/** Maximum number of contexts that are searched for ids to suggest, and of suggested ids. */
const maxContexts = 20;
const maxIds = 100;
/** Shortest time between two events, in milliseconds: streams change tasks many times a second. */
const changeMs = 300;

interface LanguageContextsNeeds {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly sessions: RequestSessions;
  readonly environments: FileEnvironments;
  readonly imported: ImportedFiles;
  readonly secrets: Secrets;
}

/** Context of completion and checks besides the text of a request file: environments, agents with their cards, history, last results. */
export class LanguageContexts implements vscode.Disposable {
  readonly #needs: LanguageContextsNeeds;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #change = throttled(changeMs, () => this.#changed.fire());
  readonly #registration: vscode.Disposable;
  /** Fires when problems can have changed: agents or environments did. */
  readonly onDidChange = this.#changed.event;

  constructor(needs: LanguageContextsNeeds) {
    this.#needs = needs;
    const { agents, environments, imported } = needs;
    this.#registration = vscode.Disposable.from(
      agents.onDidChange(this.#change),
      environments.onDidChange(this.#change),
      imported.onDidChange(this.#change),
    );
  }

  /** The parsed document, with the variables of its environment and what it imports. */
  fileOf(document: vscode.TextDocument): RequestFile {
    return this.#needs.imported.parse(document);
  }

  /** The parsed document, once its imports are read. Rejects with a `Problem` where something around the file is wrong. */
  async read(document: vscode.TextDocument): Promise<RequestFile> {
    return (await this.#needs.imported.read(document)).file;
  }

  /** The parsed document and its context; undefined if it is not a request file. */
  of(document: vscode.TextDocument): { readonly file: RequestFile; readonly context: LanguageContext } | undefined {
    return isRequestDocument(document) ? { file: this.fileOf(document), context: this.#contextOf(document.uri) } : undefined;
  }

  dispose(): void {
    this.#change.dispose();
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #contextOf(uri: vscode.Uri): LanguageContext {
    const agents = new FileAgents(this.#needs.agents, () => uri);
    return {
      agents: agents.all.map(({ name, agent: { url, card } }) => ({ name, url, card })),
      contexts: name =>
        this.#page(name, agents).flatMap(({ contextId, title }): KnownId[] => (contextId === undefined ? [] : [{ id: contextId, title }])),
      tasks: name =>
        this.#page(name, agents)
          .flatMap(({ key }) => this.#needs.contexts.get(key)?.tasks({ limit: maxContexts }) ?? [])
          .slice(0, maxIds)
          .map(({ taskId, title, state }): KnownId => ({ id: taskId, title, state })),
      values: this.#needs.environments.of(uri).values,
      secrets: this.#needs.secrets.names,
      result: key => this.#needs.sessions.peek(uri)?.runs.get(key)?.outcome,
    };
  }

  #page(nameOrUrl: string, agents: FileAgents) {
    return this.#needs.contexts.page({ agent: agents.known(nameOrUrl)?.name ?? nameOrUrl, limit: maxContexts }).items;
  }
}
