import * as assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Frame } from 'playwright-core';
import { scriptedAgent, type ScriptedAgent } from '../../src/mock/scriptedAgent.ts';
import { withHtml } from '../support/chatHarness/hostile/brokenBuilds.ts';
import { play } from '../support/chatHarness/hostile/inPage.ts';
import { hitAt, hitOf } from '../support/chatHarness/hostile/vector.ts';
import { classes } from '../support/chatHarness/hostile/vectors/index.ts';
import { buildPages } from '../support/chatHarness/pageFiles.ts';
import { eventually } from '../support/eventually.ts';
import { caught, figure, full } from '../support/figure.ts';
import { Stage } from '../support/vscode/stage.ts';

const root = resolve(import.meta.dirname, '../..');
const wanted = full ? 500 : 40;
/** Attacks in one answer of the agent, and in one of a build that they break. */
const [batch, smallBatch] = [20, 5];

/** By turns one of each class, from all over it, until there are enough. */
const maxOfClass = full ? 36 : 3;
const worst = Array.from({ length: maxOfClass }, (_, turn) =>
  Object.entries(classes).flatMap(([name, vectors]) => {
    const share = Math.min(maxOfClass, vectors.length);
    return turn < share ? [{ name, vector: vectors[Math.floor((turn * vectors.length) / share)]! }] : [];
  }),
)
  .flat()
  .slice(0, wanted);

interface Seen {
  readonly scripts: string[];
  readonly requests: string[];
  readonly keys: string[];
  readonly foreign: string[];
  /** What of VS Code is not as it was: views and editors that open or close, dialogs. */
  readonly commands: string[];
}

/** Runs in every frame that is loaded from now on, and once more in the chat's: VS Code writes that document anew, which takes all listeners away. */
function listening(): void {
  window.executions = { push: number => window.reportHit(number) };
  window.alert = window.print = () => window.reportHit(-1);
  for (const type of ['keydown', 'keyup', 'keypress']) {
    window.addEventListener(
      type,
      event => {
        if (!event.isTrusted) window.reportHit(-2);
      },
      true,
    );
  }
  // Our own links ask the host, which asks the person, about each: that is tried elsewhere.
  window.addEventListener(
    'click',
    event => {
      if (!event.isTrusted && event.target instanceof Element && event.target.closest('[role=link]:not([href])') !== null)
        event.stopImmediatePropagation();
    },
    true,
  );
}

suite('hostile text in the webview of a real VS Code', function () {
  this.timeout(full ? 3_600_000 : 300_000);
  let agent: ScriptedAgent;
  let first = 0;
  let size = batch;

  suiteSetup(async () => {
    let sent = 0;
    agent = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: () => {
          const ids = { taskId: `t${(sent += 1)}`, contextId: 'c' };
          const texts = worst.slice(first, first + size).map(({ vector }, index) => vector(hitOf(first + index)));
          return [
            { event: { task: { id: ids.taskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } } },
            ...texts.map((text, index) => ({
              event: {
                artifactUpdate: {
                  ...ids,
                  artifact: {
                    artifactId: `a${index}`,
                    name: text,
                    description: text,
                    parts: [
                      { text, mediaType: 'text/markdown' },
                      { data: { [text]: [text] } },
                      { raw: 'AAAA', filename: text, mediaType: text },
                      { url: `https://example.invalid/${encodeURIComponent(text)}`, filename: text },
                    ],
                  },
                  lastChunk: true,
                },
              },
            })),
            {
              event: {
                statusUpdate: {
                  ...ids,
                  status: {
                    state: 'TASK_STATE_COMPLETED',
                    message: { messageId: `m${sent}`, role: 'ROLE_AGENT', parts: texts.map(text => ({ text })) },
                  },
                },
              },
            },
          ];
        },
      },
    });
    await agent.start();
  });
  suiteTeardown(() => agent.stop());

  /** Lets the agent say them all, in its batches, and tells what came of it. */
  async function attacked(count: number, each: number, extension?: string): Promise<Seen> {
    const seen: Seen = { scripts: [], requests: [], keys: [], foreign: [], commands: [] };
    const name = (number: number): string => worst[number]?.name ?? 'an attack';
    const stage = await Stage.open({ agents: { Hostile: agent.url }, ...(extension !== undefined && { extension }) });
    try {
      const { page } = stage.workbench;
      await page.exposeFunction('reportHit', (number: number) => {
        (number === -2 ? seen.keys : seen.scripts).push(name(number));
      });
      await page.addInitScript({ content: `(${listening.toString()})();` });
      page.on('request', request => {
        const { protocol, hostname } = new URL(request.url());
        if (
          hitAt(request.url()) !== undefined ||
          (/^(https?|wss?):$/.test(protocol) && !['127.0.0.1', 'localhost'].includes(hostname) && !hostname.endsWith('.vscode-cdn.net'))
        )
          seen.requests.push(request.url());
      });
      page.on('dialog', dialog => seen.scripts.push(dialog.message()));
      const chat = await stage.newChat('Hostile');
      await (await chat.frame()).evaluate(listening);
      const layout = async (): Promise<string> =>
        JSON.stringify({
          tabs: await page.locator('.part.editor .tab').count(),
          sidebar: await page.locator('.part.sidebar').isVisible(),
          panel: await page.locator('.part.panel').isVisible(),
          dialogs: await page.locator('.monaco-dialog-box').count(),
          pick: await page.locator('.quick-input-widget:visible').count(),
        });
      const before = await layout();
      size = each;
      for (first = 0; first < count; first += each) {
        const done = first / each + 1;
        await chat.send(`batch ${done}`);
        await chat.shows(new RegExp(`batch ${done}$`));
        await chat.idle().catch((error: unknown) => {
          if (extension === undefined) throw error;
        });
        const frame: Frame = await chat.frame();
        const { foreign } = await frame
          .evaluate(play, { json: '[]', again: true })
          .catch((error: unknown) => ({ foreign: [`the page broke off: ${String(error).slice(0, 200)}`] }));
        seen.foreign.push(...foreign);
        const after = await layout();
        if (after !== before) seen.commands.push(`${before} became ${after}`);
        if (extension !== undefined && seen.foreign.length > 0) break;
      }
      await stage.workbench.screenshot(`hostile-webview-${extension === undefined ? 'sound' : 'flawed'}`);
      if (extension === undefined) {
        // What listens hears a script and a forged key.
        const [scripts, keys] = [seen.scripts.length, seen.keys.length];
        await (await chat.frame()).evaluate(() => {
          window.executions.push(7);
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F1', bubbles: true }));
        });
        await eventually(() => assert.ok(seen.scripts.length > scripts && seen.keys.length > keys));
        [seen.scripts.length, seen.keys.length] = [scripts, keys];
        caught('F5', 'a page that runs a script and forges a key');
      }
    } finally {
      await stage.close();
    }
    return seen;
  }

  test(`${worst.length} attacks run, load, press and open nothing`, async () => {
    const { scripts, requests, keys, foreign, commands } = await attacked(worst.length, batch);
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
  (full ? test : test.skip)('a build in which HTML is HTML is caught', async () => {
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
      const { scripts, requests, foreign, commands } = await attacked(Math.min(worst.length, 40), smallBatch, extension);
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
