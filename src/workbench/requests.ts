import * as vscode from 'vscode';
import type { AgentContext } from '../model/agentContext.ts';
import type { AgentContexts } from '../model/agentContexts.ts';
import type { Agent } from '../model/agent.ts';
import type { Agents } from '../model/agents.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { RequestEntry } from '../request/requestEntry.ts';
import { pickAgent } from './agentCommands.ts';
import type { CommandHandlers } from './commands.ts';
import { DocumentDiagnostics } from './documentDiagnostics.ts';
import { confirmOrigins } from './foreignOrigin.ts';
import { confirmExtensions } from './extensionCommands.ts';
import type { Comparable } from './interfaceComparison.ts';
import { isRequestDocument, requestAt, requestFileOf } from './requestDocuments.ts';
import { RequestLenses } from './requestLenses.ts';
import { RequestSessions, type RequestSession } from './requestSessions.ts';
import { ResponseDocuments } from './responseDocument.ts';
import { ResponseLenses } from './responseLenses.ts';

type RequestCommands = Pick<CommandHandlers,
  'a2a.sendRequest' | 'a2a.sendAllRequests' | 'a2a.stopRequest' | 'a2a.showResponse' | 'a2a.openRequestInChat'>;

/** Everything that makes `.a2a` files more than JSON: lenses, diagnostics, responses, and the commands behind them. */
export function registerRequests({ agents, contexts, openChat }: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly openChat: (context: AgentContext) => void;
}): vscode.Disposable & {
  readonly commands: RequestCommands;
  /** A request for every interface of its agent; undefined where the person chose not to send it. Rejects with a `Problem`. */
  readonly comparable: (file: unknown, key: unknown) => Promise<Comparable | undefined>;
} {
  const sessions = new RequestSessions({ agents, contexts });
  const responses = new ResponseDocuments(sessions, id => contexts.exchange(id));
  const diagnostics = new DocumentDiagnostics({
    includes: isRequestDocument,
    problems: document => requestFileOf(document).problems.filter(({ inSchema }) => inSchema !== true),
  });
  const parts = vscode.Disposable.from(sessions, responses, new RequestLenses(sessions, agents), new ResponseLenses(sessions), diagnostics);

  const ran = async (file: unknown, key: unknown): Promise<{ session: RequestSession; key: string }> => {
    const { document, entry } = await requestOf(file, key);
    const session = sessions.peek(document.uri);
    if (session?.runs.get(entry.key) === undefined) {
      throw new Problem('not-sent', sentence('This request has not been sent yet.'), { nextStep: sentence('Send it first.') });
    }
    return { session, key: entry.key };
  };

  return {
    dispose: () => parts.dispose(),
    comparable: async (file, key) => {
      refuseUntrusted();
      const { document, entry } = await requestOf(file, key);
      const session = sessions.of(document.uri);
      if (entry.agent === undefined && !await chooseAgent(session, agents)) return undefined;
      if (!await confirmExtensions(agentsOf([entry], session, agents))) return undefined;
      for (const agent of agentsOf([entry], session, agents)) {
        if (!await confirmOrigins(agent)) return undefined;
      }
      return {
        agent: entry.agent?.value ?? session.agent ?? '',
        outcomes: signal => session.runs.sendOnEveryInterface(entry, requestFileOf(document), { agent: session.agent }, signal),
      };
    },
    commands: {
      'a2a.sendRequest': async (file, key) => {
        refuseUntrusted();
        const { document, entry } = await requestOf(file, key);
        const session = sessions.of(document.uri);
        if (entry.agent === undefined && !await chooseAgent(session, agents)) return;
        if (!await confirmExtensions(agentsOf([entry], session, agents))) return;
        session.runs.send(entry, requestFileOf(document), { agent: session.agent });
        await responses.show(session, entry.key);
      },
      'a2a.sendAllRequests': async file => {
        refuseUntrusted();
        const document = await documentOf(file);
        const session = sessions.of(document.uri);
        if (session.sendingAll) return;
        const requests = requestFileOf(document);
        if (requests.requests.length === 0) throw noRequest();
        if (requests.requests.some(({ agent }) => agent === undefined) && !await chooseAgent(session, agents)) return;
        if (!await confirmExtensions(agentsOf(requests.requests, session, agents))) return;
        session.all = new AbortController();
        sessions.changed(session);
        try {
          await session.runs.sendAll(requests, { agent: session.agent }, session.all.signal);
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
      'a2a.openRequestInChat': async (file, key) => {
        const found = await ran(file, key);
        const contextKey = found.session.runs.get(found.key)?.contextKey;
        const context = contextKey === undefined ? undefined : contexts.get(contextKey);
        if (context === undefined) throw new Problem('gone', sentence('This context is no longer in the history.'));
        openChat(context);
      },
    },
  };
}

/** Nothing leaves the machine from a workspace that is not trusted: its files name addresses and texts that nobody has looked at. */
function refuseUntrusted(): void {
  if (!vscode.workspace.isTrusted) {
    throw new Problem('untrusted', sentence('Nothing was sent, because this workspace is not trusted.'), {
      nextStep: sentence('Look at the request files, then trust the workspace with "Workspaces: Manage Workspace Trust".'),
    });
  }
}

/** Lenses give the URI as text, menus as a `Uri`, keys and the palette give nothing and mean the active editor. */
async function documentOf(file: unknown): Promise<vscode.TextDocument> {
  const uri = typeof file === 'string' ? vscode.Uri.parse(file, true) : file instanceof vscode.Uri ? file : vscode.window.activeTextEditor?.document.uri;
  const document = uri === undefined ? undefined : await vscode.workspace.openTextDocument(uri);
  if (document === undefined || !isRequestDocument(document)) {
    throw new Problem('no-request-file', sentence('This is no request file.'), { nextStep: sentence('Open an .a2a file.') });
  }
  return document;
}

/** The request of that key, or the one at the cursor. */
async function requestOf(file: unknown, key: unknown): Promise<{ document: vscode.TextDocument; entry: RequestEntry }> {
  const document = await documentOf(file);
  const requests = requestFileOf(document);
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(shown => shown?.document === document);
  const entry = typeof key === 'string'
    ? requests.requests.find(request => request.key === key)
    : requestAt(requests, editor === undefined ? 0 : document.offsetAt(editor.selection.active));
  if (entry === undefined) throw noRequest();
  return { document, entry };
}

const noRequest = (): Problem => new Problem('no-request', sentence('There is no request here that could be sent.'), {
  nextStep: sentence('Write one: an agent and a message are enough.'),
});

/** The agents in the list that requests go to, as far as that can be said before their templates are filled in. */
function agentsOf(entries: readonly RequestEntry[], session: RequestSession, agents: Agents): readonly Agent[] {
  const names = new Set(entries.map(({ agent }) => agent?.value ?? session.agent));
  return [...names].flatMap(name => (name === undefined ? [] : agents.get(name) ?? agents.configuredAt(name) ?? []));
}

/** Asks once for each file; false where the person chose none. */
async function chooseAgent(session: RequestSession, agents: Agents): Promise<boolean> {
  session.agent ??= (await pickAgent(agents, undefined))?.name;
  return session.agent !== undefined;
}
