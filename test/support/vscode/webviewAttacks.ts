import * as assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { play } from '../chatHarness/hostile/inPage.ts';
import { hitAt, hitOf } from '../chatHarness/hostile/vector.ts';
import { classes } from '../chatHarness/hostile/vectors/index.ts';
import { eventually } from '../eventually.ts';
import { full } from '../figure.ts';
import type { Stage } from './stage.ts';

const wanted = full ? 500 : 40;
/** Attacks in one answer of the agent, and in one of a build that they break. */
const [batch, smallBatch] = [20, 5];
/** Most attacks on a build that they break. */
const maxBroken = 40;

/** By turns one of each class, from all over it, until there are enough. */
const maxOfClass = full ? 36 : 3;
export const worst = Array.from({ length: maxOfClass }, (_, turn) =>
  Object.entries(classes).flatMap(([name, vectors]) => {
    const share = Math.min(maxOfClass, vectors.length);
    return turn < share ? [{ name, vector: vectors[Math.floor((turn * vectors.length) / share)]! }] : [];
  }),
)
  .flat()
  .slice(0, wanted);

/** What came of attacks. */
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

/** An agent that says the worst of the attacks, a batch in each answer, and what they do in the chat with it. */
export class WebviewAttacks {
  readonly #agent: ScriptedAgent;
  #first = 0;
  #size = batch;

  constructor() {
    let sent = 0;
    this.#agent = scriptedAgent({
      version: '1.0',
      script: {
        SendStreamingMessage: () => {
          const ids = { taskId: `t${(sent += 1)}`, contextId: 'c' };
          const texts = worst.slice(this.#first, this.#first + this.#size).map(({ vector }, index) => vector(hitOf(this.#first + index)));
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
  }

  get url(): string {
    return this.#agent.url;
  }

  start(): Promise<unknown> {
    return this.#agent.start();
  }

  stop(): Promise<unknown> {
    return this.#agent.stop();
  }

  /** Lets the agent say them all in a new chat with the agent of this name; `broken` where the build is expected to break. */
  async attack(stage: Stage, name: string, broken = false): Promise<Seen> {
    const seen: Seen = { scripts: [], requests: [], keys: [], foreign: [], commands: [] };
    const nameOf = (number: number): string => worst[number]?.name ?? 'an attack';
    const count = broken ? Math.min(worst.length, maxBroken) : worst.length;
    const each = broken ? smallBatch : batch;
    const { page } = stage.workbench;
    await page.exposeFunction('reportHit', (number: number) => {
      (number === -2 ? seen.keys : seen.scripts).push(nameOf(number));
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
    const chat = await stage.newChat(name);
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
    this.#size = each;
    for (this.#first = 0; this.#first < count; this.#first += each) {
      const done = this.#first / each + 1;
      await chat.send(`batch ${done}`);
      await chat.shows(new RegExp(`batch ${done}$`));
      await chat.idle().catch((error: unknown) => {
        if (!broken) throw error;
      });
      const frame: Frame = await chat.frame();
      const { foreign } = await frame
        .evaluate(play, { json: '[]', again: true })
        .catch((error: unknown) => ({ foreign: [`the page broke off: ${String(error).slice(0, 200)}`] }));
      seen.foreign.push(...foreign);
      const after = await layout();
      if (after !== before) seen.commands.push(`${before} became ${after}`);
      if (broken && seen.foreign.length > 0) break;
    }
    await stage.workbench.screenshot(`hostile-webview-${broken ? 'flawed' : 'sound'}`);
    if (!broken) {
      // What listens hears a script and a forged key.
      const [scripts, keys] = [seen.scripts.length, seen.keys.length];
      await (await chat.frame()).evaluate(() => {
        window.executions.push(7);
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F1', bubbles: true }));
      });
      await eventually(() => assert.ok(seen.scripts.length > scripts && seen.keys.length > keys));
      [seen.scripts.length, seen.keys.length] = [scripts, keys];
    }
    return seen;
  }
}
