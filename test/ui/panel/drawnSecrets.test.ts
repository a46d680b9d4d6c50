import * as assert from 'node:assert/strict';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { agentKey } from '../../../src/auth/agentKey.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { secretsOf } from '../../support/auth/canaries/canarySecrets.ts';
import { SecretFinder } from '../../support/auth/canaries/secretFinder.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { chatPanelHost } from '../../support/chatPanelHost.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { shownText } from '../../support/chatHarness/shownText.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { figure, full } from '../../support/figure.ts';
import { fast } from '../../support/model/world.ts';

/** Secrets that each way of saying one is tried with. */
const secretsEach = full ? 5 : 1;

/** What the panel puts together or decodes by itself, of what the host gives it. */
const said: Readonly<Record<string, (secret: string) => readonly object[]>> = {
  'a message': secret => [{ text: `It is ${secret}.` }],
  'Markdown and code': secret => [
    { text: `**${secret}** \`${secret}\` [x](https://a.example/${encodeURIComponent(secret)})\n\n\`\`\`js\nx("${secret}")\n\`\`\`` },
  ],
  'pieces that are read as one text': secret => (secret.match(/[^]{1,5}/gu) ?? []).map(text => ({ text })),
  'the bytes of a text file': secret => [{ raw: Buffer.from(secret).toString('base64'), mediaType: 'text/plain', filename: 'a.txt' }],
  'data, its names and its values': secret => [{ data: { [secret]: [secret, { deep: encodeURIComponent(secret) }] } }],
  'a link': secret => [{ url: `https://a.example/?t=${encodeURIComponent(secret)}`, filename: secret }],
};

suite('chat panel: secrets of a sign-in', () => {
  const open = new OpenThings();
  const panel = panelBrowser();
  teardown(() => open.close());

  test('are not in the page that is drawn of what an agent repeats', async () => {
    const cases = Object.entries(said);
    const secrets = cases.flatMap((_, index) => Array.from({ length: secretsEach }, (_, each) => secretsOf(index * 5 + each)));
    const url = await open.web((request, response) => {
      let body = '';
      request.on('data', chunk => (body += String(chunk)));
      request.on('end', () => {
        const index = Number(/case-(\d+)/.exec(request.url ?? '')?.[1]);
        const { id } = JSON.parse(body || '{}') as { id?: unknown };
        const parts = cases[Math.floor(index / secretsEach)]?.[1](secrets[index]!.token);
        const answer = { jsonrpc: '2.0', id, result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts } } };
        const card = minimalCard(`http://${request.headers.host}/case-${index}`, '1.0');
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(request.method === 'GET' ? card : answer));
      });
    });
    const keychain = new SharedSignIns();
    keychain.text = JSON.stringify({
      version: 1,
      agents: Object.fromEntries(
        secrets.map(({ token }, index) => [
          agentKey(`${url}case-${index}`),
          {
            origins: [new URL(url).origin],
            servers: [],
            current: 'default',
            identities: { default: { credentials: [{ kind: 'authorization', scheme: 's', type: 'Bearer', value: token }], at: 1 } },
          },
        ]),
      ),
    });
    const http = open.http();
    const fail = (error: unknown): void => assert.fail(String(error));
    const all = new SignIns({ http, store: keychain.window() });
    const agents = new Agents({
      http,
      onError: fail,
      signIns: new AgentSignIns({ isUsed: () => Promise.resolve(true), load: () => Promise.resolve(all), onError: fail }),
    });
    agents.configure(Object.fromEntries(secrets.map((_, index) => [`Agent ${index}`, { url: `${url}case-${index}` }])));
    const store = openStore(':memory:');
    const contexts = new AgentContexts({ store, agents, owner: 'test', timing: fast, onError: fail });
    const found: string[] = [];
    for (const [row, [what]] of cases.entries()) {
      const drawn: string[] = [];
      const finder = new SecretFinder();
      for (let index = row * secretsEach; index < (row + 1) * secretsEach; index++) {
        const context = contexts.create(`Agent ${index}`);
        await context.send({ parts: [{ text: 'hi' }], target: 'new-task' }).done;
        const drafts = { read: async () => undefined, keep: async () => {}, dropFilesBut: async () => {} };
        const host = chatPanelHost(context, { agents, drafts: drafts as never });
        const snapshot = await host.request('ready', null);
        const shown = await panel({ snapshot: snapshot! });
        const { page } = shown;
        await page.locator('.bubble').first().waitFor();
        await shown.drawn();
        drawn.push(await page.content(), await shownText(page.locator('body')));
        await shown.close();
        host.dispose();
        context.dispose();
        finder.add(secrets[index]!.token, `${what}: ${secrets[index]!.token}`);
      }
      assert.match(drawn.join('\n'), /•{6}/, `${what}: nothing was masked`);
      found.push(...finder.in(drawn.join('\n')));
    }
    contexts.dispose();
    agents.dispose();
    store.close();
    figure('F6', { cases: secrets.length, leaks: found.length }, `${secrets.length} secrets that agents repeat, in the page that is drawn`);
    assert.deepEqual(found, []);
  }).timeout(600_000);
});
