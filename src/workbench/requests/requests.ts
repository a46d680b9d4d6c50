import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { DocumentDiagnostics } from '../platform/documentDiagnostics.ts';
import { comparableRequest } from './comparableRequest.ts';
import type { EveryInterfaceRequest } from './interfaceComparison.ts';
import { registerRequestLanguage } from './language/requestProviders.ts';
import { LanguageContexts } from './language/languageContexts.ts';
import { shownProblems } from './language/shownProblems.ts';
import type { PartFiles } from '../documents/partDocument.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { showFoldedLines } from './foldedLines.ts';
import { watchMarkdown } from './markdownContext.ts';
import { registerPasting } from './pasting.ts';
import { RequestLenses } from './requestLenses.ts';
import { RequestSender } from './sending/requestSender.ts';
import { RequestSessions, type RequestSession } from './session/requestSessions.ts';
import { isRequestDocument, requestTitle } from '../documents/requestDocuments.ts';
import { documentOf, requestOf } from './sending/requestTargets.ts';
import { ResponseDocuments } from './response/document.ts';
import { ResponsePreviews } from './response/previews.ts';
import { responseLenses, wireTab } from './response/lenses.ts';
import { closeOldPreviews } from './response/oldPreviews.ts';
import { responseScheme } from './response/responseScheme.ts';
import { RequestTests } from './testing/requestTests.ts';
import { defaultsDiagnostics } from './values/defaultsDocuments.ts';
import { environmentDiagnostics } from './values/environmentDocuments.ts';
import { EnvironmentStatus } from './sending/environmentStatus.ts';
import { FileEnvironments } from './values/fileEnvironments.ts';
import { ImportedFiles } from './values/importedFiles.ts';
import { watchPrivateFiles } from './values/privateFiles.ts';
import { SentRequests } from './sent/sentRequests.ts';
import { secretCommands, type Secrets } from './values/secrets.ts';
import { sendAllRequests } from './sending/sendAllRequests.ts';
import { copyCommands } from './requestCopies.ts';
import { environmentCommands } from './sending/environmentCommands.ts';
import { saveText } from '../documents/savedFile.ts';
import { keychainCommand, settingsCredentials } from './values/plainCredentials.ts';
import { settingsDiagnostics } from './values/settingsDocuments.ts';
import { newRequestFile } from './newRequestFile.ts';
import { pickAgent } from '../agents/agentCommands.ts';
import type { Node } from '../agentsView/agentNodes.ts';
import { importRequest, recordTest, requestFromTask } from './requestImports.ts';

/** Responses of a file that are kept in memory to be compared with later ones: how many, and the longest, in UTF-16 code units. */
const maxEarlier = { count: 20, length: 2_000_000 };

type RequestCommands = Pick<
  CommandHandlers,
  | 'a2a.newRequestFile'
  | 'a2a.moveToKeychain'
  | 'a2a.sendRequest'
  | 'a2a.sendLastRequest'
  | 'a2a.sendAllRequests'
  | 'a2a.stopRequest'
  | 'a2a.moreRequestActions'
  | 'a2a.showResponse'
  | 'a2a.previewResponse'
  | 'a2a.showSentRequests'
  | 'a2a.openRequestInChat'
  | 'a2a.compareResponses'
  | 'a2a.saveResponse'
  | 'a2a.chooseRequestAgent'
  | 'a2a.selectEnvironment'
  | 'a2a.newEnvironmentFile'
  | 'a2a.setSecret'
  | 'a2a.deleteSecret'
  | 'a2a.previewRequest'
  | 'a2a.copyRequest'
  | 'a2a.importRequest'
  | 'a2a.requestFromTask'
  | 'a2a.recordTest'
>;

/** Registers everything for `.a2a` files: language features, code lenses, values, responses, tests and commands. */
export function registerRequests({
  agents,
  contexts,
  documents,
  partFiles,
  state,
  secrets,
  secretOrigins,
  extensionUri,
  sentFolder,
  openChat,
  activeChat,
  selected,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  readonly partFiles: PartFiles;
  /** Workspace state. */
  readonly state: vscode.Memento;
  readonly secrets: Secrets;
  readonly secretOrigins: SecretOrigins;
  readonly extensionUri: vscode.Uri;
  /** Folder for the responses of sent requests. */
  readonly sentFolder: vscode.Uri;
  readonly openChat: (context: AgentContext) => Promise<{ readonly showExchange: (id: string | undefined) => void }>;
  /** The context of the active chat. */
  readonly activeChat: () => AgentContext | undefined;
  /** The selected row of the tree. */
  readonly selected: () => Node | undefined;
}): vscode.Disposable & {
  readonly commands: RequestCommands;
  /** A request to be sent on every interface of its agent; undefined if the person cancels. Rejects with a `Problem`. */
  readonly comparable: (file: unknown, key: unknown) => Promise<EveryInterfaceRequest | undefined>;
} {
  const sessions = new RequestSessions({ agents, contexts });
  const environments = new FileEnvironments(state);
  const imported = new ImportedFiles(environments);
  const languageContexts = new LanguageContexts({ agents, contexts, sessions, environments, imported, secrets });
  const sender = new RequestSender({ agents, sessions, imported, secrets, secretOrigins });
  const previews = new ResponsePreviews({ sessions, partFiles, extensionUri });
  const responses = new ResponseDocuments({
    sessions,
    exchange: id => contexts.exchange(id),
    partFiles,
    preview: session => previews.open(session),
    isPreviewInFront: session => previews.isInFront(session),
  });
  const openContext = async (contextKey: string | undefined) => {
    const context = contextKey === undefined ? undefined : contexts.get(contextKey);
    if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
    return openChat(context);
  };
  const sent = new SentRequests({
    sessions,
    responses,
    documents,
    state,
    folder: sentFolder,
    openInChat: async contextKey => void (await openContext(contextKey)),
  });
  const credentials = settingsCredentials(secrets, secretOrigins);
  const lenses = new RequestLenses({ sessions, agents, languageContexts, environments });
  const parts = vscode.Disposable.from(
    sessions,
    sent,
    environments,
    imported,
    languageContexts,
    responses,
    vscode.languages.registerCodeLensProvider(
      { scheme: responseScheme },
      {
        provideCodeLenses: async document => responseLenses(document, sessions, (session, run) => sent.hasBefore(session, run)),
      },
    ),
    closeOldPreviews(),
    new EnvironmentStatus(environments),
    lenses,
    new DocumentDiagnostics({
      includes: isRequestDocument,
      problems: document => shownProblems(languageContexts, document),
      onDidChange: languageContexts.onDidChange,
    }),
    environmentDiagnostics(environments),
    defaultsDiagnostics(),
    settingsDiagnostics(credentials),
    watchPrivateFiles(),
    watchMarkdown(),
    showFoldedLines(languageContexts),
    new RequestTests({ sender, languageContexts }),
    registerRequestLanguage(languageContexts),
    registerPasting(),
  );

  const previewScheme = 'a2a-preview';
  const copies = async () => copyCommands({ agents, sessions, languageContexts, imported, secrets, documents, previewScheme });
  documents.add(previewScheme, { extension: 'json', render: async key => (await copies()).preview(key) });
  const ofEnvironments = async () => environmentCommands(environments);

  const ran = async (file: unknown, key: unknown): Promise<{ session: RequestSession; key: string }> => {
    const { document, entry } = await requestOf(file, key, languageContexts);
    const session = sessions.peek(document.uri);
    if (session?.runs.get(entry.key) === undefined) {
      throw new Problem('not-sent', sentence('This request has not been sent yet.'), { nextStep: sentence('Send it first.') });
    }
    return { session, key: entry.key };
  };

  const keepEarlier = async (session: RequestSession, key: string): Promise<void> => {
    const run = session.runs.get(key);
    if (run === undefined || run.running) return;
    const text = await responses.textOf(run);
    session.earlier.delete(key);
    if (text.length > maxEarlier.length) return;
    session.earlier.set(key, text);
    for (const oldest of session.earlier.keys()) {
      if (session.earlier.size <= maxEarlier.count) break;
      session.earlier.delete(oldest);
    }
  };

  let last: { readonly session: RequestSession; readonly key: string } | undefined;
  const send = async (file: unknown, key: unknown): Promise<void> => {
    const { document, entry } = await requestOf(file, key, languageContexts);
    const prepared = await sender.prepare(document, one => one.key === entry.key);
    if (prepared === undefined) return;
    const { session, options } = prepared;
    last = { session, key: entry.key };
    await keepEarlier(session, entry.key);
    session.runs.send(prepared.entries[0]!, prepared.file, options);
    await responses.showSent(session, entry.key);
  };

  return {
    dispose: () => {
      parts.dispose();
      previews.dispose();
    },
    comparable: async (file, key) => comparableRequest(await requestOf(file, key, languageContexts), sender),
    commands: {
      'a2a.newEnvironmentFile': async (...given) => (await ofEnvironments())['a2a.newEnvironmentFile'](...given),
      'a2a.selectEnvironment': async (...given) => (await ofEnvironments())['a2a.selectEnvironment'](...given),
      ...secretCommands(secrets),
      ...keychainCommand(credentials, selected),
      'a2a.newRequestFile': argument => newRequestFile(agents, argument, given => pickAgent(agents, given)),
      'a2a.previewRequest': async (...given) => (await copies())['a2a.previewRequest'](...given),
      'a2a.copyRequest': async (...given) => (await copies())['a2a.copyRequest'](...given),
      'a2a.importRequest': given => importRequest(given),
      'a2a.requestFromTask': argument => requestFromTask(argument, { contexts, activeChat }),
      'a2a.recordTest': argument => recordTest(argument, { contexts, activeChat }),
      'a2a.sendRequest': send,
      'a2a.sendLastRequest': async () => {
        if (last === undefined)
          throw new Problem('not-sent', sentence('No request has been sent yet.'), { nextStep: sentence('Send one first.') });
        await send(last.session.uri.toString(), last.key);
      },
      'a2a.sendAllRequests': async file => {
        const document = await documentOf(file);
        if (sessions.peek(document.uri)?.sendingAll === true) return;
        const prepared = await sender.prepare(document);
        // It may have been chosen once more meanwhile.
        if (prepared === undefined || prepared.session.sendingAll) return;
        await sendAllRequests(prepared, { sessions, responses, keepEarlier });
      },
      'a2a.stopRequest': async (file, key) => {
        const session = sessions.peek((await documentOf(file)).uri);
        if (typeof key === 'string') return session?.runs.get(key)?.stop();
        session?.all?.abort();
        session?.runs.stop();
      },
      'a2a.moreRequestActions': async (file, key) => lenses.more(await documentOf(file), key),
      'a2a.showResponse': async (file, key) => {
        const found = await ran(file, key);
        await responses.show(found.session, found.key);
      },
      'a2a.previewResponse': async file => {
        const kept = sent.named(file);
        if (kept !== undefined) return previews.openKept(kept.id, await sent.previewOf(kept));
        previews.open(previews.sessionOf(file));
      },
      'a2a.showSentRequests': () => sent.pick(),
      'a2a.openRequestInChat': async (file, key, given) => {
        const kept = sent.named(file);
        const found = kept === undefined ? await ran(file, key) : undefined;
        const run = found?.session.runs.get(found.key);
        const chat = await openContext((kept ?? run)?.contextKey);
        if (given === wireTab) chat.showExchange(kept === undefined ? run?.outcome?.exchangeIds.at(-1) : kept.exchangeId);
      },
      'a2a.compareResponses': async (file, key) => {
        const kept = sent.named(file);
        if (kept !== undefined) return sent.compare(kept);
        const found = await ran(file, key);
        const now = found.session.runs.get(found.key);
        const before = now && (await sent.before(found.session, now));
        if (before === undefined) {
          throw new Problem('not-sent', sentence('There is no earlier response of this request.'), {
            nextStep: sentence('Send it again.'),
          });
        }
        await responses.compare(found.session, found.key, before);
      },
      'a2a.saveResponse': async (file, key) => {
        const kept = sent.named(file);
        if (kept !== undefined) {
          const response = await sent.kept.textOf(kept);
          if (response !== undefined) await saveText(kept.title, response);
          return;
        }
        const found = await ran(file, key);
        const run = found.session.runs.get(found.key);
        if (run !== undefined) await saveText(requestTitle(run.entry), await responses.textOf(run));
      },
      'a2a.chooseRequestAgent': async file => {
        await sender.chooseAgent(sessions.of((await documentOf(file)).uri));
      },
    },
  };
}
