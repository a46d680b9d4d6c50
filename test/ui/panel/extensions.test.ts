import * as assert from 'node:assert/strict';
import type { ChatState } from '../../../src/chat/host/chatState.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { plainTalk } from '../../support/chatHarness/stories.ts';
import { eventually } from '../../support/eventually.ts';

suite('chat panel: interface and extensions', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: HarnessOptions): Promise<ChatHarness> => {
    panel = await openPanel(options);
    return panel;
  };
  const composer = (): ReturnType<ChatHarness['page']['locator']> => panel.page.getByRole('textbox');

  const idle = (state: Partial<ChatState>): HarnessOptions => ({ snapshot: { ...plainTalk(), state: { ...plainTalk().state, ...state } } });
  const missing = { known: 2, on: 1, missing: ['https://example.org/ext/signed'] };

  test('the sentence leads to the choice, for an agent that can be changed', async () => {
    await open(idle({ extensions: { known: 2, on: 1, missing: [] } }));
    await panel.page.getByRole('button', { name: /Choose Another Interface/ }).click();
    await panel.page.getByRole('button', { name: '1 extension on' }).click();
    await eventually(async () =>
      assert.deepEqual((await panel.sent()).map(({ name }) => name).slice(1), ['chooseInterface', 'chooseExtensions']),
    );
    await panel.state({ ...plainTalk().state, configured: false });
    assert.equal(await panel.page.locator('.choice').count(), 0);
    await panel.page.getByText('the first interface of the card').waitFor();
  });

  test('a required extension that is off is asked about before anything is sent', async () => {
    await open(idle({ extensions: missing }));
    await composer().fill('one');
    await composer().press('Enter');
    const alert = panel.page.getByRole('alert').filter({ hasText: 'https://example.org/ext/signed' });
    await alert.waitFor();
    assert.deepEqual(await panel.sent('send'), []);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await composer().inputValue(), 'one');
    await composer().press('Enter');
    await alert.getByRole('button', { name: 'Turn On and Send' }).click();
    await eventually(async () => assert.deepEqual((await panel.sent()).map(({ name }) => name).slice(1), ['turnOnExtensions', 'send']));
  });

  test('what is sent anyway is asked about once; other extensions are asked about again', async () => {
    await open(idle({ extensions: missing }));
    await composer().fill('one');
    await composer().press('Enter');
    await panel.page.getByRole('button', { name: 'Send Anyway' }).click();
    await eventually(async () => assert.equal((await panel.sent('send')).length, 1));
    await composer().fill('two');
    await composer().press('Enter');
    await eventually(async () => assert.equal((await panel.sent('send')).length, 2));
    await panel.state({ ...plainTalk().state, extensions: { ...missing, missing: ['https://example.org/ext/other'] } });
    await composer().fill('three');
    await composer().press('Enter');
    await panel.page.getByRole('button', { name: 'Send Anyway' }).waitFor();
    assert.equal((await panel.sent('send')).length, 2);
  });

  test('what cannot be turned on stays asked about, with the error', async () => {
    await open(idle({ extensions: missing }));
    await panel.answer({ turnOnExtensions: { error: { message: 'The settings could not be written.' } } });
    await composer().fill('one');
    await composer().press('Enter');
    await panel.page.getByRole('button', { name: 'Turn On and Send' }).click();
    await panel.page.getByRole('alert').getByText('The settings could not be written.').waitFor();
    assert.deepEqual([(await panel.sent('send')).length, await composer().inputValue()], [0, 'one']);
  });
});
