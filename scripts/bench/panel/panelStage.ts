import { createServer, type Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as esbuild from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import type { WebviewPanel } from 'vscode';
import { WebSocketServer, type WebSocket } from 'ws';
import { productBundles } from '../../../esbuild.mjs';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { openStore } from '../../../src/store/openStore.ts';
import type { TaskStore } from '../../../src/store/taskStore.ts';
import type { ChatPanel as ChatPanelType } from '../../../src/workbench/chat/panel.ts';
import { launchChromium } from '../../chromium.ts';
import { EventEmitter, Uri } from '../../../test/support/fakeVscode.ts';
import '../../../test/support/shimmedVscode.ts';

// The shipped page of the panel in a cross-origin frame, as in VS Code, with the real host side and a real history. A page around the frame
// forwards messages, as the workbench does.

declare global {
  interface Window {
    painted: (selector: string, text: string) => Promise<number>;
    firstPaint: Promise<number>;
    countFrames: () => () => { drawn: number; dropped: number; longest: number };
  }
}

const { ChatPanel } = await import('../../../src/workbench/chat/panel.ts');

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript', ttf: 'font/ttf' };

const outer = `<!DOCTYPE html><style>body, iframe { margin: 0; border: 0; width: 100%; height: 100vh; display: block }</style><script>
const host = new WebSocket('ws://' + location.host);
let frame;
host.onmessage = ({ data }) => {
  const { open, message } = JSON.parse(data);
  if (open === undefined) frame.contentWindow.postMessage(message, '*');
  else {
    frame?.remove();
    frame = document.createElement('iframe');
    frame.src = open;
    document.body.append(frame);
  }
};
onmessage = ({ data }) => host.send(JSON.stringify(data));
</script>`;

/** Runs before the panel's scripts: provides `acquireVsCodeApi` and records when elements are painted. */
function inPage(): void {
  const kept = { state: undefined as unknown };
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => parent.postMessage(message, '*'),
      getState: () => kept.state,
      setState: (state: unknown) => {
        kept.state = state;
      },
    }),
    /** Resolves with the time, in milliseconds since the epoch, of the first paint of a matching element. */
    painted: (selector: string, text: string) =>
      new Promise<number>(resolve => {
        const look = (): void => {
          const found = [...document.querySelectorAll(selector)].some(element => element.textContent?.includes(text));
          if (!found) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
            channel.port2.postMessage(null);
          });
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { childList: true, subtree: true, characterData: true });
        look();
      }),
    /** When the awaited element was painted. */
    firstPaint: undefined as Promise<number> | undefined,
    /** Starts counting frames: drawn ones, and those due. */
    countFrames: () => {
      const counted = { drawn: 0, dropped: 0, longest: 0 };
      let last = performance.now();
      let going = true;
      const next = (now: number): void => {
        counted.drawn++;
        counted.dropped += Math.max(0, Math.round((now - last) / (1000 / 60)) - 1);
        counted.longest = Math.max(counted.longest, now - last);
        last = now;
        if (going) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      return () => {
        going = false;
        return counted;
      };
    },
  });
  if (location.hash !== '') {
    const [selector, text] = JSON.parse(decodeURIComponent(location.hash.slice(1))) as [string, string];
    window.firstPaint = window.painted(selector, text);
  }
}

/** A window with one panel, an agent and a history. */
export class PanelStage {
  readonly store: TaskStore;
  readonly contexts: AgentContexts;
  readonly page: Page;
  readonly #agents: Agents;
  readonly #http = new Http({ loadObserver });
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #folder: string;
  #socket: WebSocket | undefined;
  #received = new EventEmitter<unknown>();
  #html = '';
  #open: ChatPanelType | undefined;

  private constructor(browser: Browser, page: Page, server: Server, agentUrl: string) {
    this.#browser = browser;
    this.page = page;
    this.#server = server;
    this.#folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
    const fail = (error: unknown): void => {
      throw error;
    };
    this.store = openStore(join(this.#folder, 'history.db'));
    this.#agents = new Agents({ http: this.#http, onError: fail });
    this.#agents.configure({ Replay: { url: agentUrl } });
    this.contexts = new AgentContexts({ store: this.store, agents: this.#agents, owner: randomUUID(), onError: fail });
  }

  static async open(agentUrl: string): Promise<PanelStage> {
    const files = await builtFiles();
    const place: { stage?: PanelStage } = {};
    const server = createServer((request, response) => {
      const name = (request.url ?? '/').slice(1);
      const body = name === '' ? outer : name.startsWith('panel.html') ? place.stage?.html : files.get(name);
      response
        .writeHead(body === undefined ? 404 : 200, {
          'content-type': types[name.split(/[.?]/)[1] ?? 'html'] ?? 'text/html',
          'access-control-allow-origin': '*',
        })
        .end(body);
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const sockets = new WebSocketServer({ server });
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 900, height: 1000 } });
    await page.addInitScript(inPage);
    const stage = new PanelStage(browser, page, server, agentUrl);
    place.stage = stage;
    const connected = new Promise<void>(resolve => {
      sockets.on('connection', socket => {
        stage.#socket = socket;
        socket.on('message', data => stage.#received.fire(JSON.parse(String(data))));
        resolve();
      });
    });
    await page.goto(`http://127.0.0.1:${port}/`);
    await connected;
    return stage;
  }

  /** The page as VS Code would show it, with local resources. */
  get html(): string {
    return this.#html;
  }

  /** Opens the context in the panel; returns the page, and when a matching element was painted. */
  async show(context: AgentContext, selector: string, text: string): Promise<{ readonly frame: Frame; readonly painted: number }> {
    const id = randomUUID();
    this.#open?.dispose();
    this.#received = new EventEmitter<unknown>();
    const origin = `http://localhost:${(this.#server.address() as AddressInfo).port}`;
    const send = (message: unknown): boolean => {
      this.#socket?.send(JSON.stringify(message));
      return true;
    };
    const stage = this;
    const panel = {
      title: '',
      visible: true,
      active: true,
      reveal: () => undefined,
      dispose: () => undefined,
      onDidDispose: new EventEmitter<void>().event,
      onDidChangeViewState: new EventEmitter<unknown>().event,
      webview: {
        options: {},
        cspSource: origin,
        asWebviewUri: ({ path }: { path: string }) => `${origin}/${basename(path)}`,
        onDidReceiveMessage: this.#received.event,
        postMessage: async (message: unknown) => send({ message }),
        set html(html: string) {
          stage.#html = html;
          send({ open: `${origin}/panel.html?${id}#${encodeURIComponent(JSON.stringify([selector, text]))}` });
        },
      },
    };
    // There is no draft.
    const drafts = { read: async () => undefined, keep: async () => undefined };
    const needs = {
      drafts,
      agents: this.#agents,
      extensionUri: Uri.file('/'),
      partFiles: {},
      sendInNewContext: () => undefined,
      openExchange: async () => undefined,
    };
    const attached = this.page.waitForEvent('framenavigated', frame => frame.url().includes(id));
    this.#open = new ChatPanel(panel as unknown as WebviewPanel, context, needs as never);
    const frame = await attached;
    return { frame, painted: await frame.evaluate(() => window.firstPaint) };
  }

  /** Shows an entry, as the tree does. */
  reveal(seq: number): void {
    this.#open?.revealEntry(seq);
  }

  async close(): Promise<void> {
    this.#open?.dispose();
    await this.#browser.close();
    this.#server.close();
    this.#server.closeAllConnections();
    this.contexts.dispose();
    this.#agents.dispose();
    await this.#http.close();
    this.store.close();
    rmSync(this.#folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function builtFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const [, pages] = productBundles(true);
  const { outputFiles = [] } = await esbuild.build({ ...pages, write: false });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const icons = join(import.meta.dirname, '../../../node_modules/@vscode/codicons/dist');
  for (const name of ['codicon.css', 'codicon.ttf']) files.set(name, await readFile(join(icons, name)));
  return files;
}
