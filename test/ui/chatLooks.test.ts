import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import { axeSays } from '../support/chatHarness/axe.ts';
import { ChatHarness, type HarnessOptions, themeNames } from '../support/chatHarness/chatHarness.ts';
import { busyDay, plainTalk, streaming, untouched } from '../support/chatHarness/stories.ts';

suite('chat panel: looks', () => {
  let browser: Browser;
  let panel: ChatHarness;
  suiteSetup(async () => { browser = await launchChromium(); });
  suiteTeardown(() => browser.close());
  teardown(() => panel.close());

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await ChatHarness.open(browser, options);
    return panel;
  };

  for (const theme of themeNames) {
    for (const [name, story] of Object.entries({ busyDay, streaming, plainTalk, untouched })) {
      test(`${name} in ${theme}: nothing refused by the policy, nothing for axe to say`, async () => {
        await open({ snapshot: story(), theme, height: 2400 });
        assert.deepEqual(await axeSays(panel.page), []);
        assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
      });
    }
  }
});
