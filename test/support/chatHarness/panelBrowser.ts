import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../scripts/chromium.ts';
import { ChatHarness, type HarnessOptions } from './chatHarness.ts';

/** A browser for the tests of one suite, and what opens a panel in it; panels are closed after the test that opened them. To be called in the suite. */
export function panelBrowser(): (options: HarnessOptions) => Promise<ChatHarness> {
  let browser: Browser;
  const open = new Set<ChatHarness>();
  suiteSetup(async () => {
    browser = await launchChromium();
  });
  suiteTeardown(() => browser.close());
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
