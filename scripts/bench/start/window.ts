import { existsSync, readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { startSampleAgents } from '../../../test/support/sampleAgents.ts';
import { launchWorkbench, type Workbench } from '../../../test/support/vscode/workbench.ts';

/** In milliseconds: elapsed time, and the extension host's processor time where the system reports it. */
export interface Wait {
  readonly took: number;
  readonly worked: number | undefined;
}

/** From the press on the view's icon, which activates the extension, to the first row of the tree; measured in the window per frame. */
export const untilRows = (): Promise<Wait> =>
  inFreshWindow(async ({ page }) => {
    const took = page.evaluate(
      () =>
        new Promise<number>(resolve => {
          addEventListener(
            'pointerdown',
            () => {
              const pressed = performance.now();
              const look = (): void => {
                const there = [...document.querySelectorAll('.part.sidebar .pane [role=treeitem]')].some(row => row.checkVisibility());
                if (there) resolve(performance.now() - pressed);
                else requestAnimationFrame(look);
              };
              look();
            },
            { capture: true, once: true },
          );
        }),
    );
    await page.locator('.part.activitybar').getByRole('tab', { name: /^A2A/ }).click();
    return took;
  });

/** From the choice of "New Chat" in the palette, which activates the extension, through the choice of an agent, to the text box. */
export const untilTyping = (): Promise<Wait> =>
  inFreshWindow(
    async workbench => {
      const started = performance.now();
      await workbench.page.keyboard.press('Enter');
      await focusedRow(workbench, 'Currency').waitFor();
      await workbench.page.keyboard.press('Enter');
      const frame = await workbench.chatFrame('Currency');
      await frame.getByRole('textbox').and(frame.locator(':enabled')).waitFor();
      return performance.now() - started;
    },
    async workbench => {
      const title = 'A2A: New Chat…';
      await workbench.page.keyboard.press('F1');
      await workbench.write(`>${title}`);
      await focusedRow(workbench, title).waitFor();
    },
  );

const focusedRow = ({ page }: Workbench, text: string): Locator =>
  page.locator('.quick-input-widget .quick-input-list .monaco-list-row.focused', { hasText: text });

/** A new window of VS Code with one agent configured and the extension not activated. `wait` is the time that it took. */
async function inFreshWindow(
  wait: (workbench: Workbench) => Promise<number>,
  before?: (workbench: Workbench) => Promise<void>,
): Promise<Wait> {
  const agents = await startSampleAgents();
  const workbench = await launchWorkbench({ settings: { 'a2a.agents': { Currency: { url: agents.urls.Currency } } } });
  try {
    await before?.(workbench);
    await quiet(workbench);
    const work = processorTime(workbench);
    const took = await wait(workbench);
    const worked = processorTime(workbench);
    return { took, worked: work === undefined || worked === undefined ? undefined : worked - work };
  } finally {
    await workbench.close();
    await agents.stop();
  }
}

/** Resolves when VS Code and its own extensions are idle after their start. */
async function quiet(workbench: Workbench): Promise<void> {
  let before = processorTime(workbench);
  for (let second = 0; second < 30; second++) {
    await workbench.page.waitForTimeout(1_000);
    const now = processorTime(workbench);
    if (second >= 2 && (now ?? 0) - (before ?? 0) <= 10) return;
    before = now;
  }
}

/** Processor time of the extension hosts so far, in units of 10 ms; available on Linux only. */
function processorTime(workbench: Workbench): number | undefined {
  const times = workbench
    .extensionHosts()
    .map(pid => `/proc/${pid}/stat`)
    .filter(file => existsSync(file))
    .map(file => {
      // The name in parentheses may contain spaces; user and system time are the 12th and 13th field after it.
      const fields = readFileSync(file, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    });
  return times.length === 0 ? undefined : times.reduce((sum, each) => sum + each, 0);
}
