import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { ChatHarness, type HarnessOptions } from './chatHarness.ts';

/** That of a worker of Mocha, which goes on with the next file: it ends with the process. */
let ofWorker: Promise<Browser> | undefined;

/** A browser for the tests of one suite, and what opens a panel in it; panels are closed after the test that opened them. To be called in the suite. */
export function panelBrowser(): (options: HarnessOptions) => Promise<ChatHarness> {
  let browser: Browser;
  const open = new Set<ChatHarness>();
  const isKept = process.env['MOCHA_WORKER_ID'] !== undefined;
  suiteSetup(async () => {
    browser = await (isKept ? (ofWorker ??= launchChromium()) : launchChromium());
  });
  suiteTeardown(async () => {
    if (!isKept) await browser.close();
  });
  teardown(async () => {
    await Promise.all([...open].map(panel => panel.close()));
    open.clear();
  });
  return async options => {
    const panel = await ChatHarness.open(browser, options);
    open.add(panel);
    return panel;
  };
}
