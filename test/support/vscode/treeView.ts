import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A tree view in VS Code's side bar, handled as a person would: by the text of its rows. */
export class TreeView {
  readonly #page: Page;
  readonly #pane: Locator;

  /** @param title the view's title, as its heading says it. */
  constructor(page: Page, title: string) {
    this.#page = page;
    // A container's only view has its pane's title hidden, but keeps the label.
    this.#pane = page.locator('.part.sidebar .pane', { has: page.locator(`.pane-header[aria-label*="${title}"]`) });
  }

  /** The row whose text (label, then description) contains the words. */
  item(text: string | RegExp): Locator {
    return this.#pane.getByRole('treeitem').filter({ hasText: text }).first();
  }

  /** The texts of the rows that are on the screen, from the top, as label and description. */
  texts(): Promise<string[]> {
    return this.#pane.getByRole('treeitem').locator('.monaco-icon-label-container').allInnerTexts();
  }

  async expand(text: string | RegExp): Promise<void> {
    const item = this.item(text);
    await item.waitFor();
    const isExpanded = async (): Promise<boolean> => await item.getAttribute('aria-expanded') === 'true';
    // A refresh between the look and the click can take the row away or close it again, and a row that is slow to open is closed by the
    // next click: it has to stay open for a moment.
    for (const end = Date.now() + 60_000; ;) {
      try {
        if (!await isExpanded()) {
          await item.locator('.monaco-tl-twistie').click({ timeout: 2_000 });
          await item.and(this.#page.locator('[aria-expanded=true]')).waitFor({ timeout: 10_000 });
        }
        await this.#page.waitForTimeout(250);
        if (await isExpanded()) return;
        assert.ok(Date.now() < end, `${String(text)} closes again`);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  async select(text: string | RegExp): Promise<void> {
    await this.item(text).click();
  }

  /** Presses the button that shows in the row under the mouse. */
  async inlineAction(text: string | RegExp, action: string): Promise<void> {
    const item = this.item(text);
    const button = item.locator(`.monaco-action-bar .action-label[aria-label^="${action}"]`);
    // The button is there only while the mouse is on the row, and a refresh can move the row away from under it: follow the row.
    for (const end = Date.now() + 45_000; ;) {
      await item.hover();
      try {
        return await button.click({ timeout: 2_000 });
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }

  /** Picks an entry of the row's context menu. */
  async contextMenu(text: string | RegExp, entry: string): Promise<void> {
    const item = this.#page.locator('.context-view .monaco-menu .action-item', { has: this.#page.getByRole('menuitem', { name: entry }) });
    // Whatever takes the focus closes a menu: it is opened once more then.
    for (const end = Date.now() + 45_000; ;) {
      try {
        await this.item(text).click({ button: 'right' });
        await item.hover({ timeout: 5_000 });
        await item.and(this.#page.locator('.focused')).waitFor({ timeout: 5_000 });
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.#page.keyboard.press('Escape');
      }
    }
    // A menu takes no click in its first tenth of a second, so that the mouse that opened it does not pick something; a key it takes.
    await this.#page.keyboard.press('Enter');
    await item.waitFor({ state: 'detached' });
  }
}
