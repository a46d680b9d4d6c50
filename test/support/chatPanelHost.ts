import type { WebviewPanel } from 'vscode';
import type { Requests } from '../../src/chat/host/messages.ts';
import type { Agents } from '../../src/model/agents/agents.ts';
import type { AgentContext } from '../../src/model/contexts/agentContext.ts';
import type { Drafts } from '../../src/workbench/chat/drafts/drafts.ts';
import type { ChatPanelOptions } from '../../src/workbench/chat/panel.ts';
import { EventEmitter, Uri } from './fakeVscode.ts';
import './shimmedVscode.ts';

const { ChatPanel } = await import('../../src/workbench/chat/panel.ts');

/** The chat panel's host with a page that a test plays. */
export interface PanelHost {
  /** Everything that VS Code gets for the tab and its page: title, HTML, and messages as JSON. */
  readonly told: () => string;
  /** Asks as the page does. Undefined where the host answers with an error, which is in `told`; rejects where that is a defect of ours. */
  request<Name extends keyof Requests>(name: Name, params: Requests[Name]['params']): Promise<Requests[Name]['result'] | undefined>;
  /** Whether the tab was closed by the host. */
  readonly isClosed: () => boolean;
  dispose(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Needed extends Partial<ChatPanelOptions> {
  readonly agents: Agents;
  readonly drafts: Drafts;
}

export function chatPanelHost(context: AgentContext, needed: Needed): PanelHost {
  const messages: string[] = [];
  let isClosed = false;
  const waiting = new Map<number, (answer: Answer) => void>();
  const received = new EventEmitter<unknown>();
  const view = {
    title: '',
    visible: true,
    active: true,
    reveal: () => undefined,
    dispose: () => {
      isClosed = true;
    },
    onDidDispose: new EventEmitter<void>().event,
    onDidChangeViewState: new EventEmitter<unknown>().event,
    webview: {
      options: {},
      cspSource: 'x:',
      html: '',
      asWebviewUri: ({ path }: { readonly path: string }) => path,
      onDidReceiveMessage: received.event,
      postMessage: async (message: Answer) => {
        messages.push(JSON.stringify(message));
        if (message.id !== undefined) waiting.get(message.id)?.(message);
        return true;
      },
    },
  };
  const needs = { ...needed, extensionUri: Uri.file('/'), partFiles: {} };
  const panel = new ChatPanel(view as unknown as WebviewPanel, context, needs as never);
  let last = 0;
  return {
    told: () => [view.title, view.webview.html, ...messages].join('\n'),
    request: (name, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ result, error }) => {
          if (error?.message.startsWith('Internal error in') === true) reject(new Error(`${name}: ${error.message}`));
          else resolve(result as Requests[typeof name]['result']);
        });
        received.fire({ type: 'request', id, name, params });
      }),
    isClosed: () => isClosed,
    dispose: () => panel.dispose(),
  };
}
