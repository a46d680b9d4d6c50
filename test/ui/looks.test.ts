import * as assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { picture } from '../support/vscode/picture.ts';
import { Stage } from '../support/vscode/stage.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

type Violations = readonly { readonly id: string; readonly impact: string | null; readonly nodes: readonly { readonly html: string }[] }[];

suite('looks', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false } });
  });
  suiteTeardown(() => stage.close());

  test('a drawn and refined sailboat', async () => {
    const chat = await stage.newChat('Sailboat');
    await chat.send('Generate an image of a sailboat on the ocean.');
    await chat.shows(/completed/i);
    await chat.idle();
    await chat.send('Please modify the sailboat to be red.');
    await chat.shows(/red sailboat/);
    await chat.idle();
    const widths = await (await chat.locator('img')).evaluateAll(images => images.map(image => (image as HTMLImageElement).naturalWidth));
    assert.deepEqual([widths.length, widths.every(width => width > 100)], [2, true], widths.join(' '));
    const tree = await stage.tree();
    await tree.expand('Sailboat');
    await tree.expand(/Generate/);
    await tree.expand(/Please/);
    await tree.item('sailboat_image.png').waitFor();
  });

  const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
    ['Default High Contrast', 'chat-high-contrast'],
    ['Dark Modern', 'chat-dark'],
  ];
  for (const [theme, name] of themes) {
    test(`the panel in ${theme}: nothing serious for people who need more contrast, a keyboard or a screen reader`, async () => {
      await stage.workbench.setTheme(theme);
      const frame = await stage.chat('Sailboat').frame();
      await frame.locator('img').first().waitFor();
      await picture(stage.workbench, name);
      const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      // The panel's policy lets no script in, so axe comes in through the debugger and not through the page.
      const violations = (await frame.evaluate(
        `(async () => { const module = undefined; ${axe}; return (await window.axe.run(document, { resultTypes: ['violations'] })).violations; })()`,
      )) as Violations;
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
      );
    });
  }

  test('words are found with the keyboard, code on the wire is highlighted', async () => {
    const frame = await stage.chat('Sailboat').frame();
    const message = frame.getByRole('textbox', { name: /Message/ });
    await message.click();
    await stage.workbench.page.keyboard.press('Control+f');
    await frame.getByRole('textbox', { name: 'Find' }).fill('sailboat');
    const count = frame.locator('.find-count');
    await count.filter({ hasText: /^\? of \d+$/ }).waitFor();
    await stage.workbench.page.keyboard.press('Enter');
    await count.filter({ hasText: /^(\d+) of \1$/ }).waitFor();
    await stage.workbench.page.keyboard.press('Shift+Enter');
    await picture(stage.workbench, 'find');
    await stage.workbench.page.keyboard.press('Escape');
    await frame.locator('.find-bar').waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await message.evaluate(element => element === document.activeElement), true));
    await frame.getByRole('tab', { name: 'Wire' }).click();
    await frame.locator('.wire-row', { hasText: 'SendStreamingMessage' }).first().click();
    await frame.locator('.hljs-attr').first().waitFor();
    await frame.getByRole('tab', { name: 'Conversation' }).click();
  });

  test('a request file with its response beside', async () => {
    await stage.workbench.setTheme('Light Modern');
    await stage.workbench.openFile('currency.a2a');
    await stage.workbench.pressLens(stage.workbench.lens('Send Request'), stage.workbench.lens(/input required/));
    const { page } = stage.workbench;
    // The first screen is the answer: what is below it is folded.
    await page.locator('.view-line', { hasText: '"timings"' }).first().waitFor();
    await page.locator('.view-line', { hasText: '"exchanges"' }).first().waitFor();
    await eventually(async () => assert.equal(await page.locator('.view-line', { hasText: 'totalMs' }).count(), 0));
    for (const lens of ['Open in Chat', 'Show in Wire', 'Save…'])
      await page.locator('.codelens-decoration a', { hasText: lens }).last().waitFor();
    await picture(stage.workbench, 'request-light');
  });
});
