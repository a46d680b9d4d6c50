import * as vscode from 'vscode';
import type { Agent } from '../../../model/agents/agent.ts';
import type { Agents } from '../../../model/agents/agents.ts';
import type { SendRequestOptions, Confirmation } from '../../../model/requests/sendContext.ts';
import { SnapshotFile } from '../../../model/snapshotFile.ts';
import type { SecretOrigins } from '../../../model/agents/secretOrigins.ts';
import type { UsedValue } from '../../../request/resolve/usedValues.ts';
import type { RequestEntry } from '../../../request/file/requestEntry.ts';
import { agentsOf } from '../../../request/file/matrix.ts';
import { withNeeded } from '../../../request/file/imports.ts';
import type { RequestFile } from '../../../request/file/requestFile.ts';
import { pickAgent } from '../../agents/agentCommands.ts';
import { confirmExtensions } from '../../agents/requiredExtensions.ts';
import type { RequestSession, RequestSessions } from '../session/requestSessions.ts';
import { noRequest, requireTrust } from './requestTargets.ts';
import { secretsToMask } from '../../platform/shownSecrets.ts';
import type { ImportedFiles } from '../values/importedFiles.ts';
import type { Secrets } from '../values/secrets.ts';
import { functionHostFor } from '../values/workbenchValueSources.ts';
import { escapeLinks } from '../../platform/untrustedText.ts';
import { requestTitle } from '../../documents/requestDocuments.ts';
import { foldersOf, type FileEnvironment } from '../values/fileEnvironments.ts';

const isYes = async (question: string): Promise<boolean> => {
  const send = vscode.l10n.t('Send');
  return (await vscode.window.showWarningMessage(escapeLinks(question), { modal: true }, send)) === send;
};

/** Asks the question of a request with `confirm`. */
const confirmRequest = ({ entry, question }: Confirmation): Promise<boolean> =>
  isYes(question ?? vscode.l10n.t('Send "{0}"?', requestTitle(entry)));

/** Asks before anything is sent with an environment that is marked as production. */
async function confirmEnvironment({ name, production }: FileEnvironment): Promise<boolean> {
  return !production || isYes(vscode.l10n.t('Send in the environment "{0}"? It is marked as production.', name ?? ''));
}

/** Snapshots of a document that is a file on disk. */
function snapshotsBeside(uri: vscode.Uri, writes: SnapshotFile['options']['writes']): Pick<SendRequestOptions, 'snapshots'> {
  const folders = uri.scheme === 'file' ? foldersOf(uri) : undefined;
  return folders === undefined ? {} : { snapshots: new SnapshotFile(uri.fsPath, { root: folders.root, writes, secrets: secretsToMask }) };
}

/** Requests of a document with everything needed to send them. */
export interface PreparedRequests {
  readonly session: RequestSession;
  readonly file: RequestFile;
  /** The requests to send; never empty. */
  readonly entries: readonly RequestEntry[];
  readonly options: SendRequestOptions;
}

/** Sending that a language model asks for. */
interface GivenSending {
  /** Instead of the environment that the person has chosen. */
  readonly environment?: string | undefined;
  /** Called before anything else is asked. Rejects with a `Problem` if they may not be sent. */
  readonly consent: (entries: readonly RequestEntry[], session: RequestSession, environment: FileEnvironment) => Promise<void>;
}

interface RequestSenderNeeds {
  readonly agents: Agents;
  readonly sessions: RequestSessions;
  readonly imported: ImportedFiles;
  readonly secrets: Secrets;
  readonly secretOrigins: SecretOrigins;
}

/**
 * Prepares requests for sending: reads the environment, and asks for the agent if none is named and for the person's consent where needed.
 */
export class RequestSender {
  readonly #needs: RequestSenderNeeds;

  constructor(needs: RequestSenderNeeds) {
    this.#needs = needs;
  }

  /**
   * Prepares the requests for which `wanted` is true; undefined if the person cancels. Rejects with a `Problem`.
   * @param given where they are not sent by the person
   */
  async prepare(
    document: vscode.TextDocument,
    wanted: (entry: RequestEntry) => boolean = () => true,
    given?: GivenSending,
  ): Promise<PreparedRequests | undefined> {
    requireTrust();
    const { environment, file } = await this.#needs.imported.read(document, given?.environment);
    const entries = file.requests.filter(wanted);
    if (entries.length === 0) throw noRequest();
    const session = this.#needs.sessions.of(document.uri);
    const all = withNeeded(entries, file);
    await given?.consent(all, session, environment);
    if (all.some(({ agent }) => agent === undefined) && session.agent === undefined && !(await this.chooseAgent(session))) return undefined;
    if (!(await confirmExtensions(this.agentsOf(all, session)))) return undefined;
    if (!(await confirmEnvironment(environment))) return undefined;
    return {
      session,
      file,
      entries,
      options: {
        agent: session.agent,
        values: environment.values,
        host: functionHostFor(document.uri, this.#needs.secrets, { ask: true }),
        confirm: confirmRequest,
        secretOrigins: this.#needs.secretOrigins,
        // What is expected stays the person's choice.
        ...snapshotsBeside(document.uri, given === undefined ? 'new' : 'none'),
        onDraw: draw => this.#noteSecret(draw),
      },
    };
  }

  /** Masks the secret from now on, unless it is the name of a configured agent: masking would hide that name everywhere. */
  #noteSecret(draw: UsedValue): void {
    if (
      draw.kind === 'secret' &&
      draw.isShown !== true &&
      !(typeof draw.value === 'string' && this.#needs.agents.get(draw.value) !== undefined)
    )
      secretsToMask.add(draw.value);
  }

  /** Asks for the agent of those requests of a file that name none; false if the person picks none. */
  async chooseAgent(session: RequestSession): Promise<boolean> {
    const agent = await pickAgent(this.#needs.agents, undefined);
    if (agent === undefined) return false;
    session.agent = agent.name;
    this.#needs.sessions.changed(session);
    return true;
  }

  /** The configured agents to which the requests go, as far as that is known before templates are resolved. */
  agentsOf(entries: readonly RequestEntry[], session: RequestSession): readonly Agent[] {
    const names = new Set(
      entries.flatMap(entry => (entry.agent === undefined ? session.agent : agentsOf(entry).map(({ value }) => value))),
    );
    return [...names].flatMap(name => (name === undefined ? [] : (session.agents.known(name) ?? [])));
  }
}
