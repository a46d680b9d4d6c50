import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, errors, type Frame, type Locator, type Page } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { startVscodeServer, type VscodeServer } from '../../../scripts/vscodeServer.ts';
import { keybindings, pressKeysOf } from './commandKeys.ts';
import { TreeView } from './treeView.ts';
import { webviewFrame } from './webviewFrame.ts';

const root = resolve(import.meta.dirname, '../../..');

export interface WorkbenchOptions {
  /** The folder to open, an absolute path; none for an empty window. */
  readonly folder?: string;
  /** A workspace file to open instead, an absolute path. */
  readonly workspace?: string;
  /** User settings, over those that keep the window quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packed extensions to install. */
  readonly vsix?: readonly string[];
  /** The folder of the extension, used from where it is; this project's unless a `vsix` is given. */
  readonly extension?: string;
  /** Kept after {@link Workbench.close}, for a second window on the same state; otherwise each launch has its own. */
  readonly userDataDir?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly env?: Readonly<Record<string, string>>;
  /** A language other than English, such as `zh-cn`. VS Code's own words stay English: its language packs are not here. */
  readonly language?: string;
  /** Folder names of VS Code's own extensions that are left out. */
  readonly withoutBuiltins?: readonly string[];
}

export type ColorTheme = 'Dark Modern' | 'Light Modern' | 'Default High Contrast' | 'Default High Contrast Light';

const themeClass: Readonly<Record<ColorTheme, string>> = {
  'Dark Modern': 'vs-dark',
  'Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};

/** Windows that this process has open. */
export const openWorkbenches = new Set<Workbench>();

/** Opens a VS Code window with the extension in it. Returns when its commands can be picked. */
export async function launchWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const started = performance.now();
  const temporary = await mkdtemp(join(tmpdir(), 'a2a-workbench-'));
  const userDataDir = options.userDataDir ?? join(temporary, 'user-data');
  let server: VscodeServer | undefined;
  let browser: Browser | undefined;
  try {
    if (options.language !== undefined) await installLanguage(options.language, userDataDir);
    [server, browser] = await Promise.all([
      startVscodeServer({
        userDataDir,
        extensionsDir: join(temporary, 'extensions'),
        // A webview that is drawn late takes the focus, which closes lists that are open beside it.
        settings: { 'workbench.quickOpen.closeOnFocusLost': false, ...options.settings },
        keybindings,
        vsix: options.vsix,
        extension: options.extension ?? (options.vsix === undefined ? root : undefined),
        env: options.env,
        language: options.language,
        withoutBuiltins: options.withoutBuiltins,
      }),
      launchChromium(),
    ]);
    // A window as large as its screen counts as full screen and hides parts of itself.
    const page = await browser.newPage({
      locale: options.language,
      viewport: options.viewport ?? { width: 1280, height: 800 },
      screen: { width: 2560, height: 1440 },
    });
    const workbench = new Workbench(page, { browser, server, temporary, userDataDir, folder: options.folder });
    openWorkbenches.add(workbench);
    await page.goto(windowUrl(server.url, options));
    await workbench.usable();
    console.log(`      VS Code usable after ${Math.round(performance.now() - started)} ms`);
    return workbench;
  } catch (error) {
    await browser?.close();
    await server?.stop();
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** What VS Code's server writes for an installed language pack, of one without any words. */
async function installLanguage(language: string, userDataDir: string): Promise<void> {
  const words = join(userDataDir, 'words.i18n.json');
  await mkdir(userDataDir, { recursive: true });
  await writeFile(words, JSON.stringify({ contents: {} }));
  await writeFile(
    join(userDataDir, 'languagepacks.json'),
    JSON.stringify({
      [language]: {
        hash: language,
        label: language,
        extensions: [{ extensionIdentifier: { id: 'test.language-pack' }, version: '1.0.0' }],
        translations: { vscode: words },
      },
    }),
  );
}

function windowUrl(base: string, { folder, workspace }: WorkbenchOptions): string {
  const url = new URL(base);
  if (workspace !== undefined) url.searchParams.set('workspace', pathToFileURL(workspace).pathname);
  else if (folder === undefined) url.searchParams.set('ew', 'true');
  else url.searchParams.set('folder', pathToFileURL(folder).pathname);
  return url.href;
}

interface Parts {
  readonly browser: Browser;
  readonly server: VscodeServer;
  readonly temporary: string;
  readonly userDataDir: string;
  readonly folder: string | undefined;
}

/** A VS Code window, used as a person uses it. Every method waits for what it is about to touch. */
export class Workbench {
  readonly page: Page;
  readonly #parts: Parts;
  readonly #machineSettings: Record<string, unknown> = {};

  constructor(page: Page, parts: Parts) {
    this.page = page;
    this.#parts = parts;
    // Deadlines are for what never comes: a busy machine takes 20 s to load a window.
    page.setDefaultTimeout(45_000);
    // Leaving a page with unsaved editors asks; VS Code keeps their content, so leave.
    page.on('dialog', dialog => void dialog.accept());
  }

  /** Resolves when the window is drawn and the extensions' commands, views and languages are known. */
  async usable(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor();
    await this.page.waitForFunction(() => performance.getEntriesByName('code/didLoadExtensions').length > 0);
    // A view that is asked for before VS Code has shown the one of last time is replaced by it.
    if (this.#parts.folder !== undefined) await this.page.locator('.part.sidebar .composite.title').waitFor();
  }

  /** Opens one more window on the same folder, with an extension host of its own. It is closed with this one. */
  async anotherWindow(): Promise<Workbench> {
    const page = await this.#parts.browser.newPage({ viewport: this.page.viewportSize(), screen: { width: 2560, height: 1440 } });
    const window = new Workbench(page, this.#parts);
    await page.goto(this.page.url());
    await window.usable();
    return window;
  }

  /**
   * Runs a command by its title in the Command Palette, such as `A2A: Add Agent…`, by the keys that it has in a test window. What was asked before is
   * closed, as the Command Palette would close it.
   */
  async command(title: string): Promise<void> {
    // What shows where the mouse was left may lie over what is pressed next.
    await this.page.mouse.move(0, 0);
    await this.#closeQuickInput();
    await this.#pressKeys(title);
  }

  /** Picks a command in the Command Palette, by the title that it has there in the window's language. */
  async pickCommand(title: string): Promise<void> {
    await this.#quickPick('Show All Commands', `>${title}`, () => this.pick(title, 10_000));
  }

  /** Presses the keys of a command until VS Code takes them: it reads its keybindings after the window is drawn. */
  async #pressKeys(title: string): Promise<void> {
    for (const end = Date.now() + 45_000; !(await pressKeysOf(this.page, title)); await this.page.waitForTimeout(100))
      if (Date.now() > end) throw new Error(`VS Code does not take the keys of "${title}"`);
  }

  async #closeQuickInput(): Promise<void> {
    const input = this.quickInput();
    for (const end = Date.now() + 45_000; await input.isVisible(); await this.page.waitForTimeout(50)) {
      if (Date.now() > end) throw new Error('what is asked stays open');
      await input.press('Escape', { timeout: 1_000 }).catch((error: unknown) => {
        if (!(error instanceof errors.TimeoutError)) throw error;
      });
    }
  }

  /** Opens the quick input by a command, fills it and picks; once more where something else has taken the focus, which closes it. */
  async #quickPick(title: string, text: string, pick: () => Promise<void>): Promise<void> {
    for (const end = Date.now() + 45_000; ; ) {
      await this.#pressKeys(title);
      try {
        await this.write(text, 5_000);
        return await pick();
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /**
   * Fills the quick input. Its value is set, as typing would, but without the focus: an editor or webview that gets the focus late, such as one that
   * comes to the front behind a closed one, would get the words that Playwright types, and keep them. Such a one may also take them away from the
   * input: they are written again then.
   */
  async write(text: string, timeout?: number): Promise<void> {
    const input = this.quickInput();
    // A command that asks for something uses the same field as the Command Palette, which may still be open.
    if (!text.startsWith('>')) await this.#afterPalette(timeout);
    do await setValue(input, text, timeout);
    while ((await input.inputValue({ timeout })) !== text);
  }

  /** Resolves when an input is open that is not that of the Command Palette. */
  async #afterPalette(timeout?: number): Promise<void> {
    const input = this.quickInput();
    for (const end = Date.now() + (timeout ?? 45_000); Date.now() < end; await this.page.waitForTimeout(50)) {
      const isPalette = await input.evaluate(node => (node as HTMLInputElement).value.startsWith('>'), undefined, { timeout });
      if (!isPalette) return;
    }
    throw new Error('the Command Palette stays open');
  }

  /** The text field of the open palette, quick pick or input box. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input[type=text], .quick-input-widget:visible input[type=password]').first();
  }

  /** Picks the entry with exactly this label in the open quick pick. */
  async pick(label: string, timeout?: number): Promise<void> {
    const rows = this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
    await rows
      .filter({
        has: this.page.locator('.quick-input-list-label .label-name', { hasText: new RegExp(`^\\s*${escapeRegExp(label)}\\s*$`) }),
      })
      .first()
      .click({ timeout });
  }

  /** Fills the open input box and accepts. */
  async answer(text: string): Promise<void> {
    await this.write(text);
    await this.quickInput().press('Enter');
  }

  /** Writes a path into the open file dialog and accepts it: the dialog may still be reading the folder, hides meanwhile, and takes no key. */
  async answerPath(path: string): Promise<void> {
    const input = this.quickInput();
    let accepted = false;
    for (const end = Date.now() + 45_000; Date.now() < end; await this.page.waitForTimeout(500)) {
      if (!(await input.isVisible())) {
        if (accepted) return;
      } else if ((await input.inputValue({ timeout: 1_000 }).catch(() => '')) === path) {
        await this.page.keyboard.press('Enter');
        accepted = true;
      } else if (!accepted) {
        await setValue(input, path);
      }
    }
    throw new Error(`the file dialog does not take ${path}`);
  }

  /** Shows a view container by the title of its icon in the activity bar, and gives one of its views. */
  async view(container: string, view: string): Promise<TreeView> {
    const icon = this.page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${escapeRegExp(container)}( |$)`) });
    if ((await icon.getAttribute('aria-selected')) !== 'true') await icon.click();
    await this.page.locator('.part.sidebar .composite.title', { hasText: new RegExp(escapeRegExp(container), 'i') }).waitFor();
    return new TreeView(this.page, view);
  }

  /** Moves the keyboard to the tree of agents, whatever webview had it. */
  async focusAgents(): Promise<void> {
    await this.command('A2A: Focus on Agents View');
    await this.page.locator('.part.sidebar .monaco-list:focus-within').waitFor();
  }

  /** Opens a file of the folder by its path in it. */
  async openFile(path: string): Promise<void> {
    const { folder } = this.#parts;
    if (folder === undefined) throw new Error('the window has no folder');
    await this.openPath(join(folder, path));
  }

  /** Opens a file by its absolute path. */
  async openPath(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    // The whole name: until the path itself is found, the list has what was open before, and "folderLink.a2a" contains "link.a2a".
    const named = { has: this.page.locator('.label-name', { hasText: new RegExp(`^\\s*${escapeRegExp(name)}\\s*$`) }) };
    // An editor that is being closed gives the focus to the next one, which closes the list.
    await this.#quickPick('Go to File…', path, () =>
      this.page.locator('.quick-input-list .monaco-list-row').filter(named).first().click({ timeout: 10_000 }),
    );
    await this.quickInput().waitFor({ state: 'hidden' });
    await this.tab(name).waitFor();
    // The tab is there before the text is: until then the editor has, and commands mean, the file that was open before.
    await this.page
      .locator(`.editor-group-container.active .monaco-editor[data-uri$=${JSON.stringify(`/${name}`)}] .view-line`)
      .first()
      .waitFor();
  }

  /**
   * Clicks what is in a text editor: a text, a line, a lens. Whatever lies over it for a moment, such as a list that is still closing, is waited for.
   * Playwright's own click scrolls at the third try, and then the line stays below the lines that VS Code keeps at the top of a scrolled editor.
   */
  async press(inEditor: Locator, options: { readonly timeout?: number } = {}): Promise<void> {
    await scrollIntoSight(inEditor, options);
    await inEditor.click({ ...options, scroll: 'none' });
  }

  /** A word, name or value in the text of the active editor, as VS Code colours it. */
  text(text: string | RegExp): Locator {
    return this.editor().locator('.view-line span span').filter({ hasText: text }).first();
  }

  /** A lens of the text editors by its words. */
  lens(text: string | RegExp): Locator {
    return this.page.locator('.editor-group-container .codelens-decoration a').filter({ hasText: text });
  }

  /**
   * Presses a lens and waits for what it does. VS Code lets go of a lens's command when it asks for lenses twice in short time: one that is pressed in that
   * moment says that there is no command. One that is drawn anew between the press and the release of the mouse does nothing. Both are pressed once more.
   */
  async pressLens(lens: Locator, effect: Locator): Promise<void> {
    const refused = this.notification('Actual command not found');
    const end = Date.now() + 60_000;
    do {
      await this.#drawn(lens.first(), end);
      await this.press(lens.first());
      await this.#anyOf([effect, refused], 15_000);
      if (await effect.first().isVisible()) return;
      if (await refused.first().isVisible()) await this.command('Notifications: Clear All Notifications');
      // One that was pressed after all has another title by now.
      await this.#anyOf([effect, lens], 15_000);
      if (await effect.first().isVisible()) return;
    } while (Date.now() < end);
    throw new Error('the lens does nothing');
  }

  /** Resolves when one of these is visible, or after that time. They may be in several frames, which `Locator.or` refuses. */
  async #anyOf(places: readonly Locator[], longestMs: number): Promise<void> {
    for (const end = Date.now() + longestMs; Date.now() < end; ) {
      const visible = await Promise.all(places.map(place => place.first().isVisible()));
      if (visible.includes(true)) return;
      await this.page.waitForTimeout(50);
    }
  }

  /** Resolves when a lens has not been drawn anew for a moment: VS Code makes other elements each time that it asks for lenses. */
  async #drawn(lens: Locator, end: number): Promise<void> {
    do {
      const before = await lens.elementHandle();
      await this.page.waitForTimeout(300);
      if (await before?.evaluate(element => element.isConnected)) return;
    } while (Date.now() < end);
  }

  /** An editor's tab by its title. */
  tab(title: string | RegExp): Locator {
    return this.page.locator('.part.editor .tab').filter({ hasText: title }).first();
  }

  /** The code editor that was used last. */
  editor(): Locator {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  }

  /** What shows when the mouse rests on a text of the active editor. */
  async hover(text: string | RegExp): Promise<string> {
    // Not that of a button or title, on which the mouse may have been left.
    const popup = this.page.locator('.monaco-hover:not(.workbench-hover):visible .monaco-hover-content').first();
    await scrollIntoSight(this.text(text));
    await this.text(text).hover({ scroll: 'none' });
    await popup.waitFor();
    return popup.innerText();
  }

  /**
   * Goes to the next problem of the active editor and picks one of its quick fixes. The list of fixes is empty where the file's checks come to an end
   * in that moment, and whatever takes the focus closes it: it is asked for once more then.
   */
  async quickFix(title: string): Promise<void> {
    const entry = this.page.locator('.action-widget').getByText(title).first();
    for (const end = Date.now() + 45_000; ; ) {
      await this.page.keyboard.press('F8');
      await this.page.keyboard.press('Control+.');
      try {
        return await entry.click({ timeout: 5_000 });
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.keyboard.press('Escape');
        await this.press(this.editor().locator('.view-line').first());
      }
    }
  }

  /** The messages in the Problems panel for the file, once there are any. */
  async problems(): Promise<string[]> {
    await this.command('Problems: Focus on Problems View');
    const rows = this.page.locator('.markers-panel [role=treeitem] .marker-message-details-container');
    await rows.first().waitFor();
    return rows.allInnerTexts();
  }

  /** The squiggles below the text of the active editor. */
  squiggles(severity: 'error' | 'warning' | 'info' = 'error'): Locator {
    return this.editor().locator(`.squiggly-${severity}`);
  }

  /** The document of the visible chat panel of an agent. */
  chatFrame(agent: string, timeoutMs?: number): Promise<Frame> {
    return webviewFrame(this.page, `#root .header-agent:text-is(${JSON.stringify(agent)})`, timeoutMs);
  }

  /** The notifications that show; narrow it by their text, wait for it, press its buttons. */
  notification(text: string | RegExp = ''): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  /**
   * Waits for a notification with this text and returns it. A notification is visible for seconds only, so past ones are searched as well.
   */
  async notified(text: string | RegExp): Promise<Locator> {
    const past = this.page.locator('.notifications-center .notification-list-item').filter({ hasText: text });
    const told = this.notification(text).or(past).first();
    for (const end = Date.now() + 45_000; ; ) {
      try {
        await told.waitFor({ timeout: 8_000 });
        return told;
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.command('Notifications: Show Notifications');
      }
    }
  }

  /**
   * Loads the window anew by VS Code's own command, which writes down the open editors first. The browser's reload does not wait for
   * that: what was opened in the last seconds is then gone.
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.command('Developer: Reload Window');
    await loaded;
    await this.usable();
  }

  /**
   * Changes settings while the window is open. They are written as those of the machine, because this server notices changes from
   * outside in that file only; they win over the user's, so this is not for a setting that the extension itself writes.
   */
  async setSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.#machineSettings, changes);
    const folder = join(this.#parts.userDataDir, 'Machine');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.json'), JSON.stringify(this.#machineSettings));
  }

  async setTheme(theme: ColorTheme): Promise<void> {
    await this.setSettings({ 'workbench.colorTheme': theme });
    await this.page.locator(`.monaco-workbench.${themeClass[theme]}`).waitFor();
  }

  /** Saves what the window shows as `test-output/screenshots/NAME.png`. */
  async screenshot(name: string): Promise<void> {
    const folder = join(root, 'test-output', 'screenshots');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`) });
  }

  /** What VS Code's server and its extension hosts have written, for a failing test's message. */
  serverLog(): string {
    return this.#parts.server.log();
  }

  /** The process ids of the extension hosts that run. */
  extensionHosts(): number[] {
    const launched = [...this.serverLog().matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, pid]) => Number(pid));
    return launched.filter(isRunning);
  }

  async close(): Promise<void> {
    const { browser, server, temporary } = this.#parts;
    openWorkbenches.delete(this);
    await browser.close();
    await server.stop();
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What typing into an input does. Playwright's `fill` types into whatever has the focus by then. */
async function setValue(input: Locator, text: string, timeout?: number): Promise<void> {
  await input.waitFor({ timeout });
  await input.evaluate(
    (node, value) => {
      (node as HTMLInputElement).value = value;
      node.dispatchEvent(new Event('input', { bubbles: true }));
    },
    text,
    { timeout },
  );
}

/** Scrolls only where it is needed, and does nothing to an element that is drawn anew in that moment, as lenses are. */
async function scrollIntoSight(element: Locator, options: { readonly timeout?: number } = {}): Promise<void> {
  await element.evaluate(
    (node: Element & { readonly scrollIntoViewIfNeeded?: () => void }) => node.scrollIntoViewIfNeeded?.(),
    undefined,
    options,
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
