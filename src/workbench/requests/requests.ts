import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { SecretOrigins } from '../../model/agents/secretOrigins.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { DocumentDiagnostics } from '../platform/documentDiagnostics.ts';
import { assistantRuns } from './assistantRuns.ts';
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
import { RequestSessions } from './session/requestSessions.ts';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { documentOf, requestOf } from './sending/requestTargets.ts';
import { ResponseDocuments } from './response/document.ts';
import { closeOldPreviews, ResponsePreviews } from './response/previews.ts';
import { responseLenses } from './response/lenses.ts';
import { responseScheme } from './response/responseScheme.ts';
import { registerRequestTests } from './testing/requestTests.ts';
import { defaultsDiagnostics, environmentDiagnostics } from './values/valueDiagnostics.ts';
import { EnvironmentStatus } from './sending/environmentStatus.ts';
import { FileEnvironments } from './values/fileEnvironments.ts';
import { ImportedFiles } from './values/importedFiles.ts';
import { watchPrivateFiles } from './values/gitignore.ts';
import { SentRequests } from './sent/sentRequests.ts';
import { secretCommands, type Secrets } from './values/secrets.ts';
import { responseCommands } from './responseCommands.ts';
import { sendCommands } from './sendCommands.ts';
import { copyCommands } from './requestCopies.ts';
import { environmentCommands } from './sending/environmentCommands.ts';
import { keychainCommand, settingsDiagnostics } from './values/plainCredentials.ts';
import { newRequestFile } from './newRequestFile.ts';
import { pickAgent } from '../agents/agentCommands.ts';
import type { Node } from '../agentsView/agentNodes.ts';

/** Commands that make requests of something else, loaded when one is called. */
const imports = () => import('./requestImports.ts');

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
  onFirstTest,
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
  /** Called when there is a first test. */
  readonly onFirstTest: () => void;
  /** The context of the active chat. */
  readonly activeChat: () => AgentContext | undefined;
  /** The selected row of the tree. */
  readonly selected: () => Node | undefined;
}) {
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
    settingsDiagnostics(),
    watchPrivateFiles(),
    watchMarkdown(),
    showFoldedLines(languageContexts),
    registerRequestTests({ sender, languageContexts, onFirst: onFirstTest }),
    registerRequestLanguage(languageContexts),
    registerPasting(),
  );

  const previewScheme = 'a2a-preview';
  const copies = copyCommands({ agents, sessions, languageContexts, imported, secrets, documents, previewScheme });
  documents.add(previewScheme, { extension: 'json', render: copies.preview });

  return {
    dispose: (): void => {
      parts.dispose();
      previews.dispose();
    },
    /** Sends requests for a language model. */
    assistantRuns: assistantRuns(sender),
    /** The last run of the request of a test, or of that whose row the test is. */
    runOf: ({ id, uri, parent }: vscode.TestItem) => uri && sessions.peek(uri)?.runs.get(parent?.parent === undefined ? id : parent.id),
    /** See `RequestRuns.message`; undefined if the person cancels. Rejects with a `Problem`. */
    messageOf: async (file: unknown, key: unknown, choose: (agent: string) => Promise<readonly string[] | undefined>) => {
      const { document, entry } = await requestOf(file, key, languageContexts);
      const prepared = await sender.prepare(document, one => one.key === entry.key);
      return prepared?.session.runs.message(prepared.entries[0]!, prepared.file, prepared.options, choose);
    },
    commands: {
      ...environmentCommands(environments),
      ...secretCommands(secrets),
      ...keychainCommand({ secrets, origins: secretOrigins }, selected),
      'a2a.newRequestFile': argument => newRequestFile(agents, argument, given => pickAgent(agents, given)),
      ...copies.commands,
      'a2a.importRequest': async given => (await imports()).importRequest(given, agents),
      'a2a.requestFromTask': async argument => (await imports()).requestFromTask(argument, { contexts, activeChat }),
      'a2a.recordTest': async argument => (await imports()).recordTest(argument, { contexts, activeChat }),
      ...sendCommands({ sessions, languageContexts, sender, responses }),
      ...responseCommands({ sessions, languageContexts, responses, previews, sent, openContext }),
      'a2a.moreRequestActions': async (file, key) => lenses.more(await documentOf(file), key),
      'a2a.showSentRequests': () => sent.pick(),
      'a2a.chooseRequestAgent': async file => {
        await sender.chooseAgent(sessions.of((await documentOf(file)).uri));
      },
    } satisfies Partial<CommandHandlers>,
  };
}
