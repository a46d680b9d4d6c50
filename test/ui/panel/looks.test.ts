import * as assert from 'node:assert/strict';
import { axeSays } from '../../support/chatHarness/axe.ts';
import { type ChatHarness, type HarnessOptions, themeNames } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk, streaming, untouched } from '../../support/chatHarness/stories.ts';

suite('chat panel: looks', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
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
