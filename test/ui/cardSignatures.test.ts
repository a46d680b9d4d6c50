import * as assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AgentCard } from '../../src/protocol/card/agentCard.ts';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { cardSigner, fullCard, signed, type CardSigner } from '../support/client/cardSigner.ts';
import { eventually } from '../support/eventually.ts';
import { Stage } from '../support/vscode/stage.ts';
import type { TreeView } from '../support/vscode/treeView.ts';
import { webviewFrame } from '../support/vscode/webviewFrame.ts';
import type { ColorTheme } from '../support/vscode/workbench.ts';

const themes: readonly (readonly [theme: ColorTheme, name: string])[] = [
  ['Default High Contrast', 'high-contrast'],
  ['Light Modern', 'light'],
  ['Dark Modern', 'dark'],
];

suite('signed agent cards', () => {
  let stage: Stage;
  let tree: TreeView;
  let signer: CardSigner;
  let stranger: CardSigner;
  const servers: Server[] = [];
  let keysAsked = 0;
  let keysUrl: string;
  const agents = new Map<string, ScriptedAgent>();
  /** The cards that they have now. */
  const cards: Record<string, object> = {};

  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const cardOf = (name: string): AgentCard => ({ ...(minimalCard(agents.get(name)!.url, '1.0') as AgentCard), name });

  suiteSetup(async () => {
    [signer, stranger] = [await cardSigner(), await cardSigner('ES384', 'stranger-2026')];
    keysUrl = `${await serve((_, response) => {
      keysAsked++;
      response.end(JSON.stringify({ keys: [stranger.jwk] }));
    })}/jwks.json`;
    for (const name of ['Signed', 'Tampered', 'Stranger', 'Changing']) {
      const agent = scriptedAgent({ version: '1.0', script: {}, card: () => cards[name] });
      await agent.start();
      agents.set(name, agent);
    }
    cards['Signed'] = await signed(cardOf('Signed'), signer);
    cards['Tampered'] = { ...(await signed(cardOf('Tampered'), signer)), description: 'Sends your messages elsewhere.' };
    cards['Stranger'] = await signed(cardOf('Stranger'), stranger, { jku: keysUrl });
    cards['Changing'] = cardOf('Changing');
    stage = await Stage.open({
      agents: Object.fromEntries([...agents].map(([name, { url }]) => [name, url])),
      settings: { 'a2a.trustedSigningKeys': { 'Port of Helsinki': { jwk: signer.jwk } }, 'workbench.colorTheme': 'Dark Modern' },
    });
    tree = await stage.tree();
  });
  suiteTeardown(async () => {
    await stage.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await Promise.all([...agents.values()].map(agent => agent.stop()));
  });

  const hover = async (row: string, wanted: RegExp): Promise<string> => {
    const { page } = stage.workbench;
    return eventually(async () => {
      await page.mouse.move(0, 0);
      await tree.item(row).locator('.label-name').hover();
      const text = (await page.locator('.monaco-hover:visible').first().innerText({ timeout: 2_000 })).replaceAll('\u00a0', ' ');
      assert.match(text, wanted);
      // It fades in.
      await page.waitForTimeout(300);
      return text;
    }, 30_000);
  };
  const dialog = () => stage.workbench.page.locator('.monaco-dialog-box');
  const refresh = (): Promise<void> => stage.workbench.command('A2A: Refresh Agents');

  test('a row says who signed the card, that it was changed, or that the key is not trusted', async () => {
    await tree.item(/Signed.*signed by Port of Helsinki/).waitFor();
    await tree.item(/Tampered.*signature does not match.*reachable/).waitFor();
    await tree.item(/Stranger.*signed, not verified/).waitFor();
    assert.ok(!(await tree.item('Changing').innerText()).includes('sign'));
    assert.match(
      await hover('Signed', /Signed by Port of Helsinki, verified with the key key-1 \(ES256\) from the settings/),
      new RegExp(signer.thumbprint),
    );
    await hover('Tampered', /Signature does not match: the card was changed after it was signed/);
    await stage.workbench.screenshot('card-signature-tree');
    assert.equal(keysAsked, 0);
  });

  test('a workspace adds no trusted key', async () => {
    await mkdir(join(stage.folder, '.vscode'), { recursive: true });
    await writeFile(
      join(stage.folder, '.vscode', 'settings.json'),
      JSON.stringify({
        'a2a.trustedSigningKeys': { Evil: { jwks: keysUrl }, 'Evil too': { jwk: stranger.jwk } },
        // Of the same file, so that it is known to be read.
        'a2a.agents': { Beside: { url: agents.get('Stranger')!.url } },
      }),
    );
    await tree.item(/Beside.*signed, not verified/).waitFor();
    await refresh();
    await tree.item(/Stranger.*signed, not verified/).waitFor();
    assert.equal(keysAsked, 0);
    await rm(join(stage.folder, '.vscode', 'settings.json'));
    await tree.item(/Beside/).waitFor({ state: 'detached' });
  });

  test('a signer is trusted after two questions, and nothing is fetched before the first', async () => {
    await tree.contextMenu('Stranger', 'Trust Signer of Agent Card');
    await dialog().getByText(`are at ${keysUrl}`).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(keysAsked, 0);
    await tree.contextMenu('Stranger', 'Trust Signer of Agent Card');
    await dialog().getByRole('button', { name: 'Fetch Keys' }).click();
    await dialog().getByText(stranger.thumbprint).waitFor();
    assert.equal(keysAsked, 1);
    await stage.workbench.screenshot('card-signature-trust');
    await dialog().getByRole('button', { name: 'Trust This Key' }).click();
    const host = new URL(keysUrl).host;
    await tree.item(new RegExp(`Stranger.*signed by ${host}`)).waitFor();
    // The key is in the settings now: its address is not asked any more.
    assert.equal(keysAsked, 1);
    cards['Stranger'] = { ...cards['Stranger'], version: '6.6.6' };
    await refresh();
    await tree.item(/Stranger.*card changed: signature does not match, version changed/).waitFor();
  });

  test('a card that changed tells what, until that is dismissed, also after a reload', async () => {
    await tree.item(/Changing.*reachable/).waitFor();
    const card = cardOf('Changing');
    cards['Changing'] = Object.fromEntries(Object.entries(card).reverse());
    await refresh();
    await tree.item(/Changing.*reachable/).waitFor();
    assert.ok(!(await tree.item('Changing').innerText()).includes('changed'));
    cards['Changing'] = {
      ...card,
      skills: [
        ...card.skills,
        { id: 'one', name: 'One', description: '', tags: [] },
        { id: 'two', name: 'Two', description: '', tags: [] },
      ],
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X' } } },
      supportedInterfaces: [...card.supportedInterfaces, { ...card.supportedInterfaces[0], url: 'https://elsewhere.example/a2a' }],
    };
    await refresh();
    const words = /Changing.*card changed: address https:\/\/elsewhere\.example added, securitySchemes added, 2 skills added/;
    await tree.item(words).waitFor();
    await hover('Changing', /Changed since it was used last: address .*elsewhere\.example added/);
    await stage.workbench.screenshot('card-changed');
    await stage.workbench.reload();
    tree = await stage.tree();
    await tree.item(words).waitFor();
    await tree.contextMenu('Changing', 'Compare with Card Used Last');
    await stage.workbench.tab(/Changing \(used last\) ↔ \(now\)/).waitFor();
    await eventually(async () =>
      assert.match(await stage.workbench.page.locator('.monaco-diff-editor .modified .view-lines').innerText(), /elsewhere\.example/),
    );
    await stage.workbench.screenshot('card-changed-comparison');
    await tree.inlineAction('Changing', 'Dismiss Card Changes');
    await eventually(async () => assert.ok(!(await tree.item('Changing').innerText()).includes('changed')));
  });

  test("the preview of an agent's card shows its signature", async () => {
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
    const otherKeys = `${await serve((_, response) => void response.end(JSON.stringify({ keys: [other.jwk] })))}/keys`;
    const card = await signed(await signed(fullCard, signer), other, { jku: otherKeys });
    await writeFile(join(stage.folder, 'signed.agent-card.json'), `${JSON.stringify(card, null, 2)}\n`);
    await stage.workbench.openFile('signed.agent-card.json');
    await stage.workbench.command('A2A: Open Card Preview');
    const preview = await webviewFrame(stage.workbench.page, `h1:text-is("${fullCard.name}")`);
    await preview.getByText('Signed by Port of Helsinki, verified with the key key-1').waitFor();
    await preview.getByText(`The card itself names ${otherKeys} for it`).waitFor();
    for (const [theme, name] of themes) {
      await stage.workbench.setTheme(theme);
      await stage.workbench.screenshot(`card-signature-preview-${name}`);
    }
    await preview.getByRole('button', { name: 'Trust Signer…' }).click();
    await dialog().getByRole('button', { name: 'Fetch Keys' }).click();
    await dialog().getByRole('button', { name: 'Trust All Keys of This Address' }).click();
    await preview.getByText(`verified with the key other-key (EdDSA) from ${otherKeys}`).waitFor();

    await writeFile(join(stage.folder, 'signed.agent-card.json'), `${JSON.stringify({ ...card, version: '0' }, null, 2)}\n`);
    await preview.getByText('Signature does not match: the card was changed after it was signed').first().waitFor();
    await eventually(async () => assert.equal(await preview.locator('.signatures .bad').count(), 2));
    await stage.workbench.screenshot('card-signature-preview-changed');
  });
});
