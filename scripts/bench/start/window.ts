import { existsSync, readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { startSampleAgents } from '../../../test/support/sampleAgents.ts';
import { launchWorkbench, type Workbench } from '../../../test/support/vscode/workbench.ts';

/** In milliseconds: as the person sees it, and the processor time of the extension host meanwhile, where the system tells that. */
export interface Wait {
  readonly took: number;
  readonly worked: number | undefined;
}

/** From the press on the view's icon, which activates the extension, until the tree has its first row. */
export const untilRows = (): Promise<Wait> => inFreshWindow(async ({ page }) => {
  await page.locator('.part.activitybar').getByRole('tab', { name: /^A2A/ }).click();
  await page.locator('.part.sidebar .pane [role=treeitem]').first().waitFor();
});

/** From the choice of "New Chat" in the palette, which activates the extension, over its question which agent, until there is a text box. */
export const untilTyping = (): Promise<Wait> => inFreshWindow(async workbench => {
  await workbench.page.keyboard.press('Enter');
  await focusedRow(workbench, 'Currency').waitFor();
  await workbench.page.keyboard.press('Enter');
  const frame = await workbench.chatFrame('Currency');
  await frame.getByRole('textbox').and(frame.locator(':enabled')).waitFor();
}, async workbench => {
  const title = 'A2A: New Chat…';
  await workbench.page.keyboard.press('F1');
  await workbench.quickInput().fill(`>${title}`);
  await focusedRow(workbench, title).waitFor();
});

const focusedRow = ({ page }: Workbench, text: string): Locator => page.locator('.quick-input-widget .quick-input-list .monaco-list-row.focused', { hasText: text });

/** A window of VS Code in which nobody has looked at the extension yet, with one agent configured. */
async function inFreshWindow(wait: (workbench: Workbench) => Promise<void>, before?: (workbench: Workbench) => Promise<void>): Promise<Wait> {
  const agents = await startSampleAgents();
  const workbench = await launchWorkbench({ settings: { 'a2a.agents': { Currency: { url: agents.urls.Currency } } } });
  try {
    await before?.(workbench);
    // What VS Code and its own extensions do at their start is not what is asked about.
    await workbench.page.waitForTimeout(3_000);
    const work = processorTime(workbench);
    const started = performance.now();
    await wait(workbench);
    const took = performance.now() - started;
    const worked = processorTime(workbench);
    return { took, worked: work === undefined || worked === undefined ? undefined : worked - work };
  } finally {
    await workbench.close();
    await agents.stop();
  }
}

/** Of the extension hosts so far, in steps of ten milliseconds; Linux alone has it in a file. */
function processorTime(workbench: Workbench): number | undefined {
  const times = workbench.extensionHosts().map(pid => `/proc/${pid}/stat`).filter(file => existsSync(file)).map(file => {
    // The name in parentheses may hold spaces; user and system time are the 12th and 13th field after it.
    const fields = readFileSync(file, 'utf8').replace(/^.*\) /s, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  });
  return times.length === 0 ? undefined : times.reduce((sum, each) => sum + each, 0);
}
