import * as vscode from 'vscode';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { DocumentDiagnostics } from '../platform/documentDiagnostics.ts';
import { comparableRequest } from './comparableRequest.ts';
import type { EveryInterfaceRequest } from './interfaceComparison.ts';
import { registerRequestLanguage } from './language/requestProviders.ts';
import { LanguageContexts } from './language/languageContexts.ts';
import { shownProblems } from './language/shownProblems.ts';
import type { ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { copyCommands } from './requestCopies.ts';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { registerPasting } from './pasting.ts';
import { RequestLenses } from './requestLenses.ts';
import { RequestSender } from './sending/requestSender.ts';
import { RequestSessions, type RequestSession } from './session/requestSessions.ts';
import { documentOf, requestOf } from './sending/requestTargets.ts';
import { ResponseDocuments } from './response/document.ts';
import { ResponseLenses } from './response/lenses.ts';
import { pickSentRequest } from './sentRequests.ts';
import { report } from '../platform/report.ts';
import { reportFailed } from './sendAllReport.ts';
import { RequestTests } from './testing/requestTests.ts';
import { environmentCommands } from './sending/environmentCommands.ts';
import { environmentDiagnostics } from './values/environmentDocuments.ts';
import { EnvironmentStatus } from './sending/environmentStatus.ts';
import { FileEnvironments } from './values/fileEnvironments.ts';
import { offerGitignoreEntry } from './values/gitignore.ts';
import { secretOriginsIn } from './values/secretBindings.ts';
import { secretCommands, Secrets } from './values/secrets.ts';

type RequestCommands = Pick<
  CommandHandlers,
  | 'a2a.sendRequest'
  | 'a2a.sendLastRequest'
  | 'a2a.sendAllRequests'
  | 'a2a.stopRequest'
  | 'a2a.showResponse'
  | 'a2a.showSentRequests'
  | 'a2a.openRequestInChat'
  | 'a2a.chooseRequestAgent'
  | 'a2a.selectEnvironment'
  | 'a2a.newEnvironmentFile'
  | 'a2a.setSecret'
  | 'a2a.deleteSecret'
  | 'a2a.previewRequest'
  | 'a2a.copyAsCurl'
  | 'a2a.copyAsCode'
  | 'a2a.importRequest'
  | 'a2a.requestFromTask'
>;

/** Registers everything for `.a2a` files: language features, code lenses, values, responses, tests and commands. */
export function registerRequests({
  agents,
  contexts,
  documents,
  state,
  globalState,
  secretStorage,
  openChat,
  activeChat,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  /** Workspace state. */
  readonly state: vscode.Memento;
  /** State shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly secretStorage: vscode.SecretStorage;
  readonly openChat: (context: AgentContext) => Promise<unknown>;
  /** The context of the active chat. */
  readonly activeChat: () => AgentContext | undefined;
}): vscode.Disposable & {
  readonly commands: RequestCommands;
  /** A request to be sent on every interface of its agent; undefined if the person cancels. Rejects with a `Problem`. */
  readonly comparable: (file: unknown, key: unknown) => Promise<EveryInterfaceRequest | undefined>;
} {
  const sessions = new RequestSessions({ agents, contexts });
  const environments = new FileEnvironments(state);
  const secrets = new Secrets(secretStorage);
  const worlds = new LanguageContexts({ agents, contexts, sessions, environments, secrets });
  const sender = new RequestSender({ agents, sessions, environments, secrets, secretOrigins: secretOriginsIn(globalState) });
  const responses = new ResponseDocuments(sessions, id => contexts.exchange(id));
  const parts = vscode.Disposable.from(
    sessions,
    environments,
    secrets,
    worlds,
    responses,
    new ResponseLenses(sessions),
    new EnvironmentStatus(environments),
    new RequestLenses({ sessions, agents, worlds, environments }),
    new DocumentDiagnostics({
      includes: isRequestDocument,
      problems: document => shownProblems(worlds, document),
      onDidChange: worlds.onDidChange,
    }),
    environmentDiagnostics(environments),
    offerGitignoreEntry(),
    new RequestTests({ sender, worlds }),
    registerRequestLanguage(worlds),
    registerPasting(),
  );

  const ran = async (file: unknown, key: unknown): Promise<{ session: RequestSession; key: string }> => {
    const { document, entry } = await requestOf(file, key, worlds);
    const session = sessions.peek(document.uri);
    if (session?.runs.get(entry.key) === undefined) {
      throw new Problem('not-sent', sentence('This request has not been sent yet.'), { nextStep: sentence('Send it first.') });
    }
    return { session, key: entry.key };
  };

  let last: { readonly session: RequestSession; readonly key: string } | undefined;
  const send = async (file: unknown, key: unknown): Promise<void> => {
    const { document, entry } = await requestOf(file, key, worlds);
    const prepared = await sender.prepare(document, one => one.key === entry.key);
    if (prepared === undefined) return;
    const { session, options } = prepared;
    last = { session, key: entry.key };
    session.runs.send(prepared.entries[0]!, prepared.file, options);
    await responses.show(session, entry.key);
  };

  return {
    dispose: () => parts.dispose(),
    comparable: async (file, key) => comparableRequest(await requestOf(file, key, worlds), sender),
    commands: {
      ...environmentCommands(environments),
      ...secretCommands(secrets),
      ...copyCommands({ agents, sessions, worlds, environments, secrets, documents }),
      'a2a.importRequest': async given => (await import('./requestImports.ts')).importRequest(given),
      'a2a.requestFromTask': async argument => (await import('./requestImports.ts')).requestFromTask(argument, { contexts, activeChat }),
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
        if (prepared === undefined) return;
        const { session, options } = prepared;
        const { signal } = (session.all = new AbortController());
        sessions.changed(session);
        try {
          await session.runs.sendAll(prepared.file, options, signal);
          // Requests that the person stopped did not fail.
          if (!signal.aborted) void reportFailed(prepared.file, session.runs, key => responses.show(session, key)).catch(report);
        } finally {
          session.all = undefined;
          sessions.changed(session);
        }
      },
      'a2a.stopRequest': async (file, key) => {
        const { uri } = await documentOf(file);
        const session = sessions.peek(uri);
        if (typeof key === 'string') {
          session?.runs.get(key)?.stop();
          return;
        }
        session?.all?.abort();
        session?.runs.stop();
      },
      'a2a.showResponse': async (file, key) => {
        const found = await ran(file, key);
        await responses.show(found.session, found.key);
      },
      'a2a.showSentRequests': async () => {
        const picked = await pickSentRequest(sessions);
        if (picked !== undefined) await responses.show(picked.session, picked.key);
      },
      'a2a.openRequestInChat': async (file, key) => {
        const found = await ran(file, key);
        const contextKey = found.session.runs.get(found.key)?.contextKey;
        const context = contextKey === undefined ? undefined : contexts.get(contextKey);
        if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
        await openChat(context);
      },
      'a2a.chooseRequestAgent': async file => {
        await sender.chooseAgent(sessions.of((await documentOf(file)).uri));
      },
    },
  };
}
