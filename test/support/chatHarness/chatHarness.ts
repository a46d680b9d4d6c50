import { posted } from '../../../src/protocol/json/exactJson.ts';
import type { Browser, ConsoleMessage, Disposable, Frame, Page } from 'playwright-core';
import type { KeptState } from '../../../src/chat/host/keptState.ts';
import type { ChatSnapshot, Requests } from '../../../src/chat/host/messages.ts';
import type { ChatState } from '../../../src/chat/host/chatState.ts';
import type { EntryUpdate } from '../../../src/protocol/message/transcript.ts';
import { fakeHost } from './fakeHost.ts';
import { origin, page as pageOf, type PageName, themeKinds } from './page.ts';
import { contentType, type PageFiles, pageFiles } from './pageFiles.ts';
import themes from './themes.json' with { type: 'json' };

export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as readonly Theme[];

export interface HarnessOptions {
  readonly snapshot: ChatSnapshot;
  /** Another page than the chat: what it is told and what it asks are in other messages. */
  readonly page?: PageName;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** What a page before this one kept. */
  readonly kept?: KeptState;
  /** False leaves the content security policy out, so that a test sees what the panel does by itself. */
  readonly guarded?: boolean;
  /** What the first question gets, where that is not the snapshot. */
  readonly ready?: Answer<ChatSnapshot>;
  /** What the other questions get from the start. */
  readonly answers?: Answers;
  /** Those of another build than the product's. */
  readonly files?: PageFiles;
  /** False where nothing may come of the page. */
  readonly drawn?: boolean;
}

/** What the host answers, several one after the other; a request without a row gets `null`. */
export type Answers = {
  readonly [Name in keyof Requests]?: Answer<Requests[Name]['result']> | readonly Answer<Requests[Name]['result']>[];
};
type Answer<Result> = { readonly result: Result } | { readonly error: { readonly message: string; readonly nextStep?: string } } | 'never';

/** A request as the panel sent it. */
export interface SentRequest {
  readonly type: 'request';
  readonly id: number;
  readonly name: keyof Requests;
  readonly params: unknown;
}

/** Pages whose panel was closed: a new page costs a second of a processor, a panel in one that is there a third of that. */
const freePages = new WeakMap<Browser, Page[]>();

/**
 * The panel in a plain Chromium page with the policy of the real one, and a host that a test plays. Nothing is on the network: every
 * request is answered from memory or recorded in `strayRequests` and refused.
 */
export class ChatHarness {
  readonly page: Page;
  /** Requests for anything but the panel's own files. */
  readonly strayRequests: string[] = [];
  /** Navigations after the first. */
  readonly navigations: string[] = [];
  /** Errors and warnings of the page: what threw, what its policy refused. */
  readonly complaints: string[] = [];
  /** What the page can load, by the path of its address. */
  readonly #files: Map<string, Buffer>;
  /** What a page of the product's own build goes back to; another build may have stopped it for good. */
  readonly #free: Page[] | undefined;
  #host: Disposable | undefined;
  #theme: Theme;
  #isClosed = false;

  private constructor(page: Page, free: Page[] | undefined, files: Map<string, Buffer>, theme: Theme) {
    this.page = page;
    this.#free = free;
    this.#files = files;
    this.#theme = theme;
  }

  get theme(): Theme {
    return this.#theme;
  }

  static async open(
    browser: Browser,
    {
      snapshot,
      page: pageName = 'chat',
      theme = 'Dark Modern',
      width = 820,
      height = 900,
      kept,
      guarded = true,
      // As the host does: what an earlier page kept is handed back, unless there is a newer draft.
      ready = { result: { draft: kept?.draft, forms: kept?.forms, ...snapshot } },
      answers = {},
      files: own,
      drawn = true,
    }: HarnessOptions,
  ): Promise<ChatHarness> {
    const context = browser.contexts()[0] ?? (await browser.newContext());
    const free = freePages.get(browser) ?? [];
    freePages.set(browser, free);
    const page = free.pop() ?? (await context.newPage());
    await page.setViewportSize({ width, height });
    const files = new Map(own ?? (await pageFiles()));
    const harness = new ChatHarness(page, own === undefined ? free : undefined, files, theme);
    files.set('chat.html', Buffer.from(pageOf(pageName, theme, guarded)));
    files.set('theme.css', Buffer.from(themeCss(theme)));
    await page.route('**', async route => {
      const url = new URL(route.request().url());
      const name = url.pathname.slice(1);
      const body = url.origin === origin ? files.get(name) : undefined;
      if (body !== undefined) return route.fulfill({ body, contentType: contentType(name) });
      harness.strayRequests.push(url.href);
      return route.abort();
    });
    harness.#host = await page.addInitScript(fakeHost, { answers: { ...answers, ready }, kept });
    page.on('pageerror', harness.#onError);
    page.on('console', harness.#onMessage);
    await page.goto(`${origin}/chat.html`);
    page.on('framenavigated', harness.#onNavigation);
    if (drawn) await page.locator('#root > *').waitFor();
    return harness;
  }

  /** Tells the panel about entries, as the host does, and waits until they are drawn. */
  async update(...updates: readonly EntryUpdate[]): Promise<void> {
    await this.post(posted({ type: 'event', name: 'updates', value: updates }));
  }

  /** Tells the panel everything a snapshot holds, as changes. */
  async change({ entries, state }: ChatSnapshot): Promise<void> {
    const value = entries.map(entry => ({ type: 'put', entry }));
    await this.page.evaluate(updates => window.postMessage({ type: 'event', name: 'updates', value: updates }), value);
    await this.state(state);
  }

  async state(value: ChatState): Promise<void> {
    await this.page.evaluate(state => window.postMessage({ type: 'event', name: 'state', value: state }), value);
    await this.drawn();
  }

  /** Any message at all, also one that is none. */
  async post(message: unknown): Promise<void> {
    await this.page.evaluate(data => window.postMessage(data), message);
    await this.drawn();
  }

  /** What the host answers from now on. */
  async answer(answers: Answers): Promise<void> {
    await this.page.evaluate(
      rows => {
        window.fakeHost.answers = { ...window.fakeHost.answers, ...rows };
      },
      answers as Record<string, unknown>,
    );
  }

  /** What the panel asked so far; without a name, all but the drafts that it has kept by itself. */
  sent(name?: keyof Requests): Promise<readonly SentRequest[]> {
    return this.page.evaluate(
      wanted => window.fakeHost.sent.filter(request => (wanted === undefined ? request.name !== 'keepDraft' : request.name === wanted)),
      name,
    );
  }

  /** Changes the theme of the page that is there, as VS Code does. */
  async setTheme(theme: Theme): Promise<void> {
    this.#files.set('theme.css', Buffer.from(themeCss(theme)));
    await this.page.evaluate(
      ({ theme, kind }) =>
        new Promise<void>((done, failed) => {
          const sheet = document.querySelector<HTMLLinkElement>('link[href^="/theme.css"]');
          if (sheet === null) throw new Error('no theme');
          sheet.onload = () => done();
          sheet.onerror = () => failed(new Error('the theme is not there'));
          sheet.href = `/theme.css?${encodeURIComponent(theme)}`;
          document.body.className = kind;
        }),
      { theme, kind: themeKinds[theme] },
    );
    this.#theme = theme;
  }

  /** What the panel keeps for a page after this one. */
  kept(): Promise<KeptState> {
    return this.page.evaluate(() => window.fakeHost.kept as KeptState);
  }

  /** Resolves when the page has nothing left to do: every frame it asked for is drawn, every short timer has run. */
  async drawn(): Promise<void> {
    // A message posted before this arrives first: both are tasks of the same page.
    await this.page.evaluate(
      () =>
        new Promise<void>(done => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done();
          channel.port2.postMessage(null);
        }),
    );
    await this.page.waitForFunction(() => window.fakeHost.pending.size === 0, undefined, { polling: 10 });
  }

  /** Frees the page for the next panel, with the mouse outside. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { page } = this;
    if (this.#free === undefined) return page.close();
    page.off('pageerror', this.#onError);
    page.off('console', this.#onMessage);
    page.off('framenavigated', this.#onNavigation);
    await page.mouse.move(-1, -1);
    await page.goto('about:blank');
    await Promise.all([page.unrouteAll(), this.#host?.dispose()]);
    this.#free.push(page);
  }

  readonly #onError = (error: Error): void => {
    this.complaints.push(String(error));
  };
  readonly #onMessage = (message: ConsoleMessage): void => {
    if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
  };
  readonly #onNavigation = (frame: Frame): void => {
    this.navigations.push(frame.url());
  };
}

/** What VS Code styles in every webview, as far as the panel has such elements: the panel's own rules have to stand against it. */
const webviewDefaults = `@layer vscode-default {
  body { margin: 0; padding: 0 20px; background-color: transparent; color: var(--vscode-foreground); }
  img { max-width: 100%; max-height: 100%; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
}
`;

export function themeCss(theme: Theme): string {
  const fonts = {
    '--vscode-font-family': 'system-ui, Ubuntu, "Droid Sans", sans-serif',
    '--vscode-font-size': '13px',
    '--vscode-font-weight': 'normal',
    '--vscode-editor-font-family': '"Droid Sans Mono", monospace',
    '--vscode-editor-font-size': '14px',
  };
  const variables = Object.entries({ ...fonts, ...themes[theme] }).map(([name, value]) => `${name}: ${value};`);
  return `:root { ${variables.join(' ')} }\n${webviewDefaults}`;
}
