import * as assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import type { AgentCard } from '../../src/protocol/card/agentCard.ts';
import { type CardSigner, cardSigner, fullCard, signed } from '../support/client/cardSigner.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';

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

suite('agent cards', () => {
  const open = new OpenThings();
  let stage: Stage;
  let signer: CardSigner;
  /** The card that the agent of this name has now. */
  let changing: AgentCard;
  suiteSetup(async () => {
    signer = await cardSigner();
    const named = (name: string) => (url: string) => ({ ...(minimalCard(url, '1.0') as AgentCard), name });
    const changes = await open.agent({}, '1.0', { card: url => (changing ??= named('Changing')(url)) });
    let tampered: object = {};
    const other = await open.agent({}, '1.0', { card: () => tampered });
    tampered = { ...(await signed(named('Tampered')(other.url), signer)), description: 'Sends your messages elsewhere.' };
    stage = await Stage.open({
      agents: { Changing: changes.url, Tampered: other.url },
      settings: {
        'a2a.trustedSigningKeys': { 'Port of Helsinki': { jwk: signer.jwk } },
        'workbench.colorTheme': 'Dark Modern',
        'editor.minimap.enabled': false,
      },
    });
  });
  suiteTeardown(async () => {
    await stage?.close();
    await open.close();
  });
  const dialog = () => stage.workbench.page.locator('.monaco-dialog-box');

  const page = (name: string) => webviewFrame(stage.workbench.page, `h1:text-is("${name}")`);

  test('the preview shows the card, follows the text, keeps the last complete card, and leads into the text', async () => {
    await writeFile(join(stage.folder, 'harbour-master.agent-card.json'), `${JSON.stringify(card, null, 2)}\n`);
    await stage.workbench.openFile('harbour-master.agent-card.json');
    await stage.workbench.command('A2A: Open Card Preview');
    const preview = await page('Harbour master');
    await preview.getByRole('heading', { name: 'Book a berth' }).waitFor();
    await eventually(async () => assert.match(await preview.locator('main').innerText(), /A request needs key or login \(berths\)\./));

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
      const button = (await page('Harbour master')).getByRole('button', { name: /"text" is the A2A 0\.1 name/ });
      await button.waitFor({ timeout: 3_000 });
      return button;
    });
    await problem.click();
    await stage.workbench.page.locator('.statusbar-item', { hasText: 'Ln 4,' }).waitFor();
  });

  test('a card that changed tells what, until that is dismissed', async () => {
    const tree = await stage.tree();
    await tree.item(/Changing.*reachable/).waitFor();
    assert.ok(!(await tree.item('Changing').innerText()).includes('changed'));
    const [first] = changing.supportedInterfaces;
    changing = { ...changing, supportedInterfaces: [first!, { ...first!, url: 'https://elsewhere.example/a2a' }] };
    await stage.workbench.command('A2A: Refresh');
    await tree.item(/Changing.*card changed: address https:\/\/elsewhere\.example added/).waitFor();
    await tree.contextMenu('Changing', 'Compare Agent Card…');
    await stage.workbench.tab(/Changing \(previous\) ↔ \(current\)/).waitFor();
    await eventually(async () =>
      assert.match(await stage.workbench.page.locator('.monaco-diff-editor .modified .view-lines').innerText(), /elsewhere\.example/),
    );
    await tree.contextMenu('Changing', 'Dismiss Card Changes');
    await eventually(async () => assert.ok(!(await tree.item('Changing').innerText()).includes('changed')));
    await stage.workbench.command('View: Close All Editors');
  });

  test("the preview of an agent's card shows its signature", async () => {
    const tree = await stage.tree();
    await tree.inlineAction('Tampered', 'Open Agent Card');
    // The tab is there before the text is.
    await stage.workbench.text('"Tampered"').waitFor();
    await stage.workbench.command('A2A: Open Card Preview');
    const preview = await webviewFrame(stage.workbench.page, 'h1:text-is("Tampered")');
    await preview.getByText('Signature does not match: the card was changed after it was signed').waitFor();
    await stage.workbench.command('View: Close All Editors');
  });

  test('the preview of a card shows its signatures, and trusts a signer', async () => {
    const other = await cardSigner('EdDSA', 'other-key');
    const otherKeys = `${await open.web((_, response) => void response.end(JSON.stringify({ keys: [other.jwk] })))}keys`;
    const card = await signed(await signed(fullCard, signer), other, { jku: otherKeys });
    await writeFile(join(stage.folder, 'signed.agent-card.json'), `${JSON.stringify(card, null, 2)}\n`);
    await stage.workbench.openFile('signed.agent-card.json');
    await stage.workbench.command('A2A: Open Card Preview');
    const preview = await webviewFrame(stage.workbench.page, `h1:text-is("${fullCard.name}")`);
    await preview.getByText('Signed by Port of Helsinki, verified with the key key-1').waitFor();
    await preview.getByText(`The card itself names ${otherKeys} for it`).waitFor();
    await preview.getByRole('button', { name: 'Trust Signer…' }).click();
    await dialog().getByRole('button', { name: 'Fetch Keys' }).click();
    await dialog().getByRole('button', { name: 'Trust All Keys at This Address' }).click();
    await preview.getByText(`verified with the key other-key (EdDSA) from ${otherKeys}`).waitFor();

    await writeFile(join(stage.folder, 'signed.agent-card.json'), `${JSON.stringify({ ...card, version: '0' }, null, 2)}\n`);
    await preview.getByText('Signature does not match: the card was changed after it was signed').first().waitFor();
    await eventually(async () => assert.equal(await preview.locator('.signatures .bad').count(), 2));
  });
});
