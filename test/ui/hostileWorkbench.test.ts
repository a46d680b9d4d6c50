import * as assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { withHtml } from '../support/chatHarness/hostile/brokenBuilds.ts';
import { classes } from '../support/chatHarness/hostile/vectors/index.ts';
import { buildPages } from '../support/chatHarness/pageFiles.ts';
import { eventually } from '../support/eventually.ts';
import { caught, figure, full } from '../support/figure.ts';
import { Stage } from '../support/vscode/stage.ts';
import { WebviewAttacks, worst } from '../support/vscode/webviewAttacks.ts';

const root = resolve(import.meta.dirname, '../..');

/** An icon, text that turns the rest around, a sequence for terminals, a link that runs a command, one to a page, HTML, and a line of its own. */
const hostile =
  '$(shield) Payback\u202egnp.exe\u2066\u001b[31m [Sign in](command:workbench.action.toggleSidebarVisibility) <a href="https://evil.example">x</a> **bold**\nURL: https://bank.example';

/** VS Code's own surfaces, which the suites of the panel do not see: what an agent wrote is text in all of them. Last, the panel in a real webview. */
suite('a hostile agent in the workbench', () => {
  let stage: Stage;
  let agent: ScriptedAgent;
  const attacks = new WebviewAttacks();
  suiteSetup(async () => {
    let sent = 0;
    agent = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: () => {
          const ids = { taskId: `t${(sent += 1)}`, contextId: 'c' };
          return [
            { event: { task: { id: ids.taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
            {
              event: {
                artifactUpdate: {
                  ...ids,
                  artifact: {
                    artifactId: 'a',
                    name: hostile,
                    description: hostile,
                    parts: [{ text: `${hostile} ${sent}` }],
                    // The second one is a version of the first.
                    ...(sent > 1 && { metadata: { referenceArtifacts: [{ artifactId: 'a', taskId: `t${sent - 1}` }] } }),
                  },
                  lastChunk: true,
                },
              },
            },
            {
              event: {
                statusUpdate: {
                  ...ids,
                  status: {
                    state: 'TASK_STATE_COMPLETED',
                    message: { messageId: `m${sent}`, role: 'ROLE_AGENT', parts: [{ text: hostile }] },
                  },
                },
              },
            },
          ];
        },
        GetTask: [{ error: { code: -32603, message: hostile } }],
      },
      card: url => ({
        ...minimalCard(url, '1.0'),
        name: hostile,
        description: hostile,
        version: hostile,
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url, protocolBinding: hostile, protocolVersion: hostile },
        ],
        capabilities: { streaming: true, extensions: [{ uri: 'https://example.org/ext/one', description: hostile }] },
        skills: [{ id: 's', name: hostile, description: hostile, tags: [hostile] }],
      }),
    });
    await Promise.all([agent.start(), attacks.start()]);
    stage = await Stage.open({ agents: { Hostile: agent.url, Attacker: attacks.url } });
    await stage.workbench.command('View: Close All Editors');
    const chat = await stage.newChat('Hostile');
    for (const text of ['one', 'two']) {
      await chat.send(text);
      await chat.idle();
    }
    const tree = await stage.tree();
    await tree.expand('Hostile');
    await tree.expand(/^\s*one/);
    await tree.expand(/^\s*two.*completed/);
  });
  suiteTeardown(async () => {
    await stage.close();
    await Promise.all([agent.stop(), attacks.stop()]);
  });

  /** Waits until the agent's words are on show there; then they are no more than words. */
  async function isText(place: Locator, name: string): Promise<void> {
    const shown = place.filter({ hasText: 'Payback' }).first();
    await shown.waitFor();
    const { text, labels, icons, links, elements } = await shown.evaluate(element => ({
      text: element.textContent ?? '',
      labels: [element, ...element.querySelectorAll('*')].flatMap(one => [
        one.getAttribute('aria-label') ?? '',
        one.getAttribute('title') ?? '',
      ]),
      icons: element.querySelectorAll('.codicon-shield').length,
      links: [...element.querySelectorAll('a, [data-href]')].map(
        one => `${one.getAttribute('href') ?? ''} ${one.getAttribute('data-href') ?? ''}`,
      ),
      elements: [...element.querySelectorAll('strong')].map(one => one.textContent ?? ''),
    }));
    for (const said of [text, ...labels]) {
      assert.doesNotMatch(said, /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, `${name}: ${JSON.stringify(said)}`);
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      assert.doesNotMatch(said, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, `${name}: ${JSON.stringify(said)}`);
    }
    assert.equal(icons, 0, name);
    assert.ok(!links.some(link => /command:|evil\.example|bank\.example/.test(link)), `${name}: ${links.join(' | ')}`);
    assert.ok(!elements.some(words => words === 'bold'), name);
  }
  const popup = (): Locator => stage.workbench.page.locator('.monaco-hover:visible');
  /** What is under the mouse already shows nothing; a refresh of the tree can take the tooltip away. */
  const hoverRow = async (row: string, wanted = /Payback/): Promise<void> => {
    const tree = await stage.tree();
    await eventually(async () => {
      await stage.workbench.page.mouse.move(700, 400);
      await tree.item(row).locator('.label-name').hover();
      await popup().filter({ hasText: wanted }).first().waitFor({ timeout: 4_000 });
    });
  };
  const rows = (): Locator => stage.workbench.page.locator('.quick-input-widget:visible .monaco-list-row');
  const escape = async (): Promise<void> => {
    await stage.workbench.page.keyboard.press('Escape');
    await stage.workbench.page
      .locator('.quick-input-widget:visible')
      .waitFor({ state: 'detached' })
      .catch(() => undefined);
  };

  test('rows of the tree and their tooltips', async () => {
    await hoverRow('Hostile');
    await isText(popup(), 'agent-tooltip');
    await isText(stage.workbench.page.locator('.part.sidebar [role=treeitem]'), 'artifact-row');
    await hoverRow('Payback', /Description:/);
    await isText(popup(), 'artifact-tooltip');
    await stage.workbench.page.mouse.move(0, 0);
  });

  test('quick picks: interfaces, extensions, what a search finds', async () => {
    const tree = await stage.tree();
    await tree.contextMenu('Hostile', 'Choose Interface…');
    await isText(rows(), 'interface-pick');
    await escape();
    await tree.contextMenu('Hostile', 'Choose Extensions…');
    await isText(rows(), 'extension-pick');
    await escape();
    await stage.workbench.command('A2A: Search History…');
    await stage.workbench.write('Payback');
    await isText(rows(), 'search-pick');
    await escape();
  });

  test('the title of a comparison', async () => {
    const tree = await stage.tree();
    await tree.contextMenu('Payback', 'Compare Artifact…');
    await isText(stage.workbench.page.locator('.tabs-container .tab', { hasText: '↔' }), 'diff-title');
  });

  test('lenses, and the list of sent requests', async () => {
    await writeFile(join(stage.folder, 'hostile.a2a'), '{ "agent": "Hostile", "method": "GetTask", "params": { "id": "x" } }\n');
    await stage.workbench.openFile('hostile.a2a');
    await stage.workbench.command('A2A: Send Request');
    await isText(stage.workbench.page.locator('.codelens-decoration'), 'lens');
    await stage.workbench.command('A2A: Show Sent Requests');
    await isText(rows(), 'sent-pick');
    await escape();
  });

  test('notifications: an error of the agent, a name that is added', async () => {
    const tree = await stage.tree();
    await tree.contextMenu(/^\s*two.*completed/, 'Refresh');
    await stage.workbench.notified(/Payback/);
    await isText(stage.workbench.page.locator('.notification-list-item'), 'error-notification');
    await stage.workbench.command('Notifications: Clear All Notifications');
    await stage.workbench.command('A2A: Add Agent…');
    await stage.workbench.answer(`${agent.url}?second`);
    await isText(stage.workbench.page.locator('.part.sidebar [role=treeitem]', { hasText: /Payback.*A2A|reachable/ }), 'agent-row');
  });

  test(`${worst.length} attacks run, load, press and open nothing in the webview of a chat`, async function () {
    this.timeout(full ? 3_600_000 : 300_000);
    await stage.workbench.command('View: Close All Editors');
    const { scripts, requests, keys, foreign, commands } = await attacks.attack(stage, 'Attacker');
    caught('F5', 'a page that runs a script and forges a key');
    figure(
      'F5',
      {
        attacks: worst.length,
        scripts: scripts.length,
        requests: requests.length,
        'forged keys': keys.length,
        'VS Code commands': commands.length,
        'elements of others': foreign.length,
      },
      `${worst.length} attacks of ${Object.keys(classes).length} classes as text, name, description, data, file name and media type: ${scripts.length} scripts, ${requests.length} requests, ${keys.length} forged keys, ${commands.length} commands`,
    );
    assert.deepEqual(
      { scripts, requests, keys, foreign: foreign.slice(0, 5), commands },
      { scripts: [], requests: [], keys: [], foreign: [], commands: [] },
    );
  });

  // The panel's page alone has the like in every run (panel/hostile).
  (full ? test : test.skip)('a build in which HTML is HTML is caught by attacks', async function () {
    this.timeout(3_600_000);
    const extension = await mkdtemp(join(tmpdir(), 'a2a-flawed-'));
    try {
      for (const part of ['package.json', 'package.nls.json', 'dist', 'media', 'l10n'])
        await cp(join(root, part), join(extension, part), { recursive: true });
      for (const [file, content] of await buildPages([withHtml]))
        if (file.endsWith('.js')) await writeFile(join(extension, 'dist', file), content);
      // The policy of the page would not let HTML in; without this wall the other has to be seen to be gone.
      const policy = /require-trusted-types-for 'script'|trusted-types 'none'/g;
      let removed = 0;
      for (const file of globSync('*.js', { cwd: join(extension, 'dist') })) {
        const host = join(extension, 'dist', file);
        const text = await readFile(host, 'utf8');
        if (text.includes('require-trusted-types-for'))
          await writeFile(
            host,
            text.replaceAll(policy, () => (removed++, '')),
          );
      }
      assert.ok(removed >= 2);
      const flawed = await Stage.open({ agents: { Attacker: attacks.url }, extension });
      const { scripts, requests, foreign, commands } = await attacks.attack(flawed, 'Attacker', true).finally(() => flawed.close());
      console.log(
        `      ${foreign.length} elements of others, ${scripts.length} scripts, ${requests.length} requests, ${commands.length} commands`,
      );
      assert.ok(foreign.length > 0);
      caught('F5', 'a build in which HTML is HTML');
    } finally {
      await rm(extension, { recursive: true, force: true });
    }
  });
});
