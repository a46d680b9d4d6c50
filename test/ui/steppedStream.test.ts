import * as assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { shownText } from '../support/chatHarness/shownText.ts';
import { Stage } from '../support/vscode/stage.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
  ['Default High Contrast', 'high-contrast'],
  ['Light Modern', 'light'],
  ['Dark Modern', 'dark'],
];

suite('the wire of a real agent', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ settings: { 'workbench.colorTheme': 'Dark Modern' }, viewport: { width: 1280, height: 900 } });
  });
  suiteTeardown(() => stage.close());

  test('is a table, and a stream that is over is stepped through, on and back, with the conversation', async () => {
    const { workbench } = stage;
    const chat = await stage.newChat('Sailboat');
    await chat.send('Generate an image of a sailboat on the ocean.');
    await chat.shows(/completed/i);
    await chat.idle();
    const frame = await chat.frame();
    await frame.getByRole('tab', { name: 'Wire' }).click();
    const row = frame.locator('.wire-row').filter({ hasText: 'SendStreamingMessage' }).first();
    await row.click();
    await frame.locator('.wire-detail').getByText('"method"').first().waitFor();
    for (const [theme, name] of themes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`wire-${name}`);
    }
    await frame.locator('.wire-detail').getByRole('button', { name: 'Step Through the Stream' }).click();
    const bar = frame.getByRole('toolbar', { name: 'Step Through the Stream' });
    const count = bar.locator('.replay-count');
    await eventually(async () => assert.match(await shownText(count), /^Event 0 of \d+$/));
    const total = Number((await shownText(count)).split(' ').at(-1));
    assert.ok(total >= 2, String(total));
    await frame.getByRole('tab', { name: 'Conversation' }).click();
    assert.doesNotMatch(await chat.text(), /completed/i);
    await bar.getByRole('button', { name: 'One Event On' }).click();
    await eventually(async () => assert.match(await shownText(count), /^Event 1 of/));
    // The task repeats the person's message in its history.
    assert.equal((await chat.text()).split('Generate an image of a sailboat').length - 1, 1);
    await workbench.screenshot('stepped-stream');
    await bar.getByRole('combobox', { name: 'Speed' }).selectOption('20');
    await bar.getByRole('button', { name: 'Play' }).click();
    await eventually(async () => assert.equal(await shownText(count), `Event ${total} of ${total}`));
    await eventually(async () => assert.match(await chat.text(), /completed/i));
    await bar.getByRole('button', { name: 'One Event Back' }).click();
    await eventually(async () => assert.equal(await shownText(count), `Event ${total - 1} of ${total}`));
    await bar.getByRole('button', { name: 'Close (Escape)' }).click();
    await bar.waitFor({ state: 'detached' });
    await eventually(async () => assert.match(await chat.text(), /completed/i));
  });
});
