import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

const card = {
  name: 'Harbour master',
  description: 'Finds a berth for every ship and tells the tides.',
  version: '2.4.0',
  provider: { organization: 'Port of Helsinki', url: 'https://port.example' },
  supportedInterfaces: [
    { url: 'https://harbour.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://harbour.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'north' },
    { url: 'https://harbour.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ],
  capabilities: {
    streaming: true,
    extensions: [{ uri: 'https://harbour.example/ext/tides/v1', description: 'Adds the tide to every answer.', required: true }],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Port-Key' } },
    login: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://login.example/authorize',
            tokenUrl: 'https://login.example/token',
            scopes: { berths: 'Books berths.' },
          },
        },
      },
    },
  },
  securityRequirements: [{ schemes: { key: {} } }, { schemes: { login: { list: ['berths'] } } }],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
  skills: [
    {
      id: 'berth',
      name: 'Book a berth',
      description: 'Finds and books a berth.',
      tags: ['berths', 'booking'],
      examples: ['A berth for 40 m from Friday to Sunday', 'Is the north quay free?'],
      outputModes: ['application/json'],
    },
    { id: 'tides', name: 'Tides', description: 'Tells high and low water.', tags: ['tides'] },
  ],
};

suite('agent card documents', () => {
  let stage: Stage;
  suiteSetup(async () => {
    stage = await Stage.open({ settings: { 'workbench.colorTheme': 'Dark Modern', 'editor.minimap.enabled': false } });
  });
  suiteTeardown(() => stage.close());

  const page = (name: string) => webviewFrame(stage.workbench.page, `h1:text-is("${name}")`);

  test('the preview shows the card, follows the text, keeps the last complete card, and leads into the text', async () => {
    await writeFile(join(stage.folder, 'harbour-master.agent-card.json'), `${JSON.stringify(card, null, 2)}\n`);
    await stage.workbench.openFile('harbour-master.agent-card.json');
    await stage.workbench.command('A2A: Open Card Preview');
    const preview = await page('Harbour master');
    await preview.getByRole('heading', { name: 'Book a berth' }).waitFor();
    await eventually(async () => assert.match(await preview.locator('main').innerText(), /A request needs key or login \(berths\)\./));
    for (const [theme, name] of themes) {
      await stage.workbench.setTheme(theme);
      await stage.workbench.screenshot(`card-preview-${name}`);
    }

    await preview.getByRole('button', { name: 'Tides' }).click();
    // What is typed before the text has the focus goes to the page.
    const line = JSON.stringify(card, null, 2)
      .split('\n')
      .findIndex(text => text.includes('"tides"'));
    await stage.workbench.page.locator('.statusbar-item', { hasText: `Ln ${line},` }).waitFor();
    await stage.workbench.page.keyboard.press('ArrowDown');
    await stage.workbench.page.keyboard.press('End');
    await stage.workbench.page.keyboard.type(' ,');
    await preview.getByText('not a complete card').waitFor();
    await preview.getByRole('heading', { name: 'Book a berth' }).waitFor();
    await stage.workbench.page.keyboard.press('Backspace');
    await stage.workbench.page.keyboard.press('Backspace');
    await preview.getByText('not a complete card').waitFor({ state: 'detached' });
  });

  const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
    ['Default High Contrast', 'high-contrast'],
    ['Light Modern', 'light'],
    ['Dark Modern', 'dark'],
  ];

  test('the page lists the problems of its card, and leads to them', async () => {
    // What is not in sight is not underlined.
    const { name, defaultInputModes: _, ...rest } = card;
    await writeFile(
      join(stage.folder, 'fix.agent-card.json'),
      `${JSON.stringify({ name, defaultInputModes: ['text'], ...rest }, null, 2)}\n`,
    );
    await stage.workbench.openFile('fix.agent-card.json');
    const mark = stage.workbench.squiggles('info').first();
    await mark.waitFor();
    await stage.workbench.command('A2A: Open Card Preview');
    // The preview of the test before has the same heading.
    const problem = await eventually(async () => {
      const button = (await page('Harbour master')).getByRole('button', { name: /"text" is the name/ });
      await button.waitFor({ timeout: 3_000 });
      return button;
    });
    await stage.workbench.screenshot('card-preview-problems');
    await problem.click();
    await stage.workbench.page.locator('.statusbar-item', { hasText: 'Ln 4,' }).waitFor();
  });

  test('the preview is there again after a reload', async () => {
    await stage.workbench.reload();
    const preview = await page('Harbour master');
    await preview.getByRole('heading', { name: 'Book a berth' }).waitFor();
  });
});
