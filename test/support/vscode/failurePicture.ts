import { basename } from 'node:path';
import type { Context } from 'mocha';
import { failurePicture } from '../../../scripts/mocha.ts';
import { openWorkbenches } from './workbench.ts';

/** Longest text of a window that is printed, in UTF-16 code units. */
const maxPrinted = 2_000;

/** After a failed test: a screenshot of each open window, and its text with the states of its rows, for readers of the output alone. */
export const mochaHooks = {
  async afterEach(this: Context): Promise<void> {
    const test = this.currentTest;
    if (test?.state !== 'failed') return;
    const name = basename(failurePicture(test.fullTitle()), '.png');
    for (const [index, workbench] of [...openWorkbenches].entries()) {
      try {
        await workbench.screenshot(`${name}${index === 0 ? '' : `-${index}`}`);
        console.log(
          `      what the window says: ${(await workbench.page.locator('body').innerText()).replace(/\s+/g, ' ').slice(0, maxPrinted)}`,
        );
        const rows = await workbench.page
          .locator('.monaco-list-row[aria-label]:visible')
          .evaluateAll(all => all.map(row => row.getAttribute('aria-label')));
        if (rows.length > 0) console.log(`      its rows: ${rows.join(' | ').slice(0, maxPrinted)}`);
      } catch (error) {
        console.log(`      there is no picture: ${String(error)}`);
      }
    }
  },
};
