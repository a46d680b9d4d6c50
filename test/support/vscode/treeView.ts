import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** A tree view in VS Code's side bar, handled as a person would: by the text of its rows. */
export class TreeView {
  readonly #page: Page;
  readonly #pane: Locator;

  /** @param title the view's title in its heading */
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

  /** WCAG contrast of the text and icon of each visible row with its background, from 1 to 21. */
  contrasts(): Promise<{ readonly text: string; readonly words: number; readonly icon: number }[]> {
    return this.#pane.getByRole('treeitem').evaluateAll(rows => {
      type Color = readonly [red: number, green: number, blue: number, alpha: number];
      const colorOf = (css: string): Color => {
        const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
        return [red, green, blue, alpha];
      };
      const over = (one: Color, other: Color): Color =>
        [0, 1, 2].map(at => one[at]! * one[3] + other[at]! * (1 - one[3])).concat(1) as unknown as Color;
      const behind = (element: Element | null): Color => {
        if (element === null) return [255, 255, 255, 1];
        const own = colorOf(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, behind(element.parentElement));
      };
      const light = (color: Color): number => {
        const [red, green, blue] = color
          .slice(0, 3)
          .map(each => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      const contrast = (element: Element | null): number => {
        if (element === null) return 1;
        const under = behind(element);
        const [one, other] = [light(over(colorOf(getComputedStyle(element).color), under)), light(under)];
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      };
      return rows.map(row => ({
        text: row.textContent ?? '',
        words: contrast(row.querySelector('.label-name')),
        icon: contrast(row.querySelector('.custom-view-tree-node-item-icon')),
      }));
    });
  }

  async expand(text: string | RegExp): Promise<void> {
    const item = this.item(text);
    await item.waitFor();
    const isExpanded = async (): Promise<boolean> => (await item.getAttribute('aria-expanded')) === 'true';
    // A refresh between the look and the click can take the row away or close it again, and a row that is slow to open is closed by the
    // next click: it has to stay open for a moment.
    for (const end = Date.now() + 60_000; ; ) {
      try {
        if (!(await isExpanded())) {
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

  /**
   * Resolves when the rows are at rest: none is being loaded, and none changes for a moment. VS Code tells no row to a command that is pressed while
   * the tree is made anew.
   */
  async atRest(): Promise<void> {
    // A hover over another row would lie over this one.
    await this.#page.mouse.move(0, 0);
    const loading = this.#pane.locator('.monaco-progress-container.active');
    const rows = this.#pane.getByRole('treeitem');
    const look = async (): Promise<string> => ((await loading.count()) > 0 ? '' : (await rows.allInnerTexts()).join('\n'));
    let before = await look();
    for (const end = Date.now() + 45_000; Date.now() < end; ) {
      await this.#page.waitForTimeout(400);
      const now = await look();
      if (now !== '' && now === before) return;
      before = now;
    }
    throw new Error(`the rows do not come to rest: ${before}`);
  }

  /** Presses the button that shows in the row under the mouse. */
  async inlineAction(text: string | RegExp, action: string): Promise<void> {
    const item = this.item(text);
    const button = item.locator(`.monaco-action-bar .action-label[aria-label^="${action}"]`);
    await item.waitFor();
    await this.atRest();
    // The button is there only while the mouse is on the row, and a refresh can move the row away from under it: follow the row.
    for (const end = Date.now() + 60_000; ; ) {
      try {
        await item.hover({ timeout: 5_000 });
        return await button.click({ timeout: 5_000 });
      } catch (error) {
        if (Date.now() > end) throw error;
        // What shows about the row that the mouse is on by now lies over this one.
        await this.#page.mouse.move(0, 0);
      }
    }
  }

  /** Picks an entry of the row's context menu. */
  async contextMenu(text: string | RegExp, entry: string): Promise<void> {
    const item = this.#page.locator('.context-view .monaco-menu .action-item', { has: this.#page.getByRole('menuitem', { name: entry }) });
    await this.item(text).waitFor();
    await this.atRest();
    // Whatever takes the focus closes a menu: it is opened once more then.
    for (const end = Date.now() + 45_000; ; ) {
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
