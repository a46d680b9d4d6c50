import * as assert from 'node:assert/strict';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk, streaming, untouched } from '../../support/chatHarness/stories.ts';

suite('chat panel: looks', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };

  for (const [name, story] of Object.entries({ busyDay, streaming, plainTalk, untouched })) {
    test(`${name} in every theme: nothing refused by the policy, nothing for axe to say`, async () => {
      await open({ snapshot: story(), height: 2400 });
      assert.deepEqual(await axeSaysInEveryTheme(panel), []);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  test('a panel of 280 px keeps the name of its agent, whatever stands beside it', async () => {
    const story = busyDay();
    const name = 'Travel booking assistant';
    await open({
      snapshot: { ...story, state: { ...story.state, agent: name, unchecked: true, title: 'From Helsinki to Stockholm by boat' } },
      width: 280,
    });
    const heading = panel.page.getByRole('heading', { name });
    const { cut, right } = await heading.evaluate(element => ({
      cut: element.scrollWidth > element.clientWidth,
      right: element.getBoundingClientRect().right,
    }));
    assert.deepEqual([cut, right <= 280], [false, true]);
    // Beside it, where there is room, it gives way to the title.
    await panel.page.setViewportSize({ width: 900, height: 900 });
    assert.ok(await panel.page.locator('.header-title').isVisible());
    assert.ok(await panel.page.getByText('certificate not checked').isVisible());
  });
});
