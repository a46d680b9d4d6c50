import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazyCardVerifier } from '../../../src/client/card/signatures/lazyCardVerifier.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver, loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Agent } from '../../../src/model/agents/agent.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { CardReviews } from '../../../src/model/agents/cardReviews.ts';
import { english } from '../../../src/protocol/problem.ts';
import { cardSigner, signed, type CardSigner } from '../../support/client/cardSigner.ts';

suite('cards that are fetched', () => {
  let folder: string;
  let http: Http;
  let server: ScriptedAgent;
  let agents: Agents;
  let trusted: Record<string, unknown>;
  let signer: CardSigner;
  let verified: number;
  let card: (url: string) => unknown;
  const errors: unknown[] = [];
  suiteSetup(async () => {
    signer = await cardSigner();
  });
  setup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-cards-'));
    http = new Http({ loadObserver });
    trusted = { Port: { jwk: signer.jwk } };
    verified = 0;
    card = url => minimalCard(url, '1.0');
    server = scriptedAgent({ version: '1.0', script: {}, card: url => card(url) });
    await server.start();
    agents = open();
  });
  teardown(async () => {
    agents.dispose();
    await http.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(errors.splice(0), []);
  });

  /** As a window that was opened: nothing is known but what is in the folder. */
  const open = (): Agents => {
    const verifier = lazyCardVerifier({ http, trusted: () => trusted });
    const verify = (text: string): ReturnType<typeof verifier.verify> => {
      verified++;
      return verifier.verify(text);
    };
    const opened = new Agents({
      http,
      reviewer: new CardReviews({
        verify,
        folder: join(folder, 'cards'),
        brokenRules: async (text, url) => (await loadRules()).cardFindings(text, url),
      }),
      onError: error => errors.push(error),
    });
    opened.configure({ Ann: { url: server.url } });
    return opened;
  };
  const fetched = async (from = agents): Promise<Agent> => {
    const agent = from.get('Ann')!;
    await agent.check();
    await agent.reviewed;
    return agent;
  };
  const phrases = (agent: Agent): readonly string[] => agent.review.changes?.phrases.map(english) ?? [];
  const kept = (): readonly string[] => readdirSync(join(folder, 'cards'));

  test('the first card is kept, and the same card is no change, in this window and the next', async () => {
    assert.deepEqual((await fetched()).review, {});
    assert.equal(kept().length, 1);
    assert.equal(statSync(join(folder, 'cards', kept()[0]!)).mode & 0o077, 0);
    card = url => Object.fromEntries(Object.entries(minimalCard(url, '1.0') as object).reverse());
    assert.deepEqual((await fetched()).review, {});
    assert.deepEqual((await fetched(open())).review, {});
    assert.equal(verified, 0);
  });

  test('another card is told until it is dismissed, also after a reload, and not once it is as before', async () => {
    await fetched();
    card = url => ({ ...(minimalCard(url, '1.0') as object), version: '9', iconUrl: 'https://a.example/i.png' });
    const agent = await fetched();
    assert.deepEqual(phrases(agent), ['version changed', 'iconUrl added']);
    assert.deepEqual(JSON.parse(agent.review.changes?.before ?? ''), minimalCard(server.url, '1.0'));
    assert.deepEqual(phrases(await fetched(open())), ['version changed', 'iconUrl added']);
    const before = card;
    card = url => minimalCard(url, '1.0');
    assert.deepEqual(phrases(await fetched()), []);
    card = before;
    assert.deepEqual(phrases(await fetched()), ['version changed', 'iconUrl added']);
    let told = 0;
    agent.onDidChange(() => told++);
    await agent.acceptCard();
    assert.deepEqual(phrases(agent), []);
    assert.equal(told, 1);
    assert.deepEqual(phrases(await fetched()), []);
    assert.deepEqual(phrases(await fetched(open())), []);
  });

  test('the faults of a card are those met while it was read and the rules that it breaks, without its signatures', async () => {
    const skill = { id: 'a', name: 'A', tags: ['a'] };
    card = url => ({
      ...(minimalCard(url, '1.0') as object),
      skills: [skill, { ...skill, description: 'B.' }],
      signatures: [{ protected: '', signature: '' }],
    });
    const { review } = await fetched();
    assert.deepEqual(
      review.findings?.map(({ rule, pointer }) => `${rule} ${pointer}`),
      ['CARD-03 /skills/0/description', 'CARD-17 /skills/1/id'],
    );
  });

  test('the faults that break a MUST come first', async () => {
    card = url => {
      const minimal = minimalCard(url, '1.0') as { readonly supportedInterfaces: readonly object[] };
      const custom = { url, protocolBinding: 'custom', protocolVersion: '1.0' };
      return {
        ...minimal,
        supportedInterfaces: [...minimal.supportedInterfaces, custom],
        securityRequirements: [{ schemes: { missing: { list: [] } } }],
      };
    };
    const { review } = await fetched();
    assert.deepEqual(
      review.findings?.map(({ rule }) => rule),
      ['CARD-12', 'CARD-10'],
    );
  });

  test('what stands in for a card that is gone is not compared with it', async () => {
    agents.configure({ Ann: { url: server.url, interface: { url: server.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' } } });
    await fetched();
    card = () => ({ moved: true });
    const agent = await fetched();
    assert.deepEqual([agent.reachability, agent.noCard?.code, agent.card, agent.review], ['reachable', 'not-a-card', undefined, {}]);
    assert.equal(kept().length, 1);
    card = url => minimalCard(url, '1.0');
    assert.deepEqual([(await fetched()).review, agent.noCard], [{}, undefined]);
  });

  test('a signature is verified, and again when the person trusts other keys', async () => {
    const own = (await signed(minimalCard(server.url, '1.0') as object, signer)) as object;
    card = () => own;
    const agent = await fetched();
    assert.equal(agent.review.signature?.verdict, 'valid');
    trusted = {};
    agents.reviewAgain();
    await agent.reviewed;
    assert.equal(agent.review.signature?.verdict, 'unknown-key');
    // What the person trusts is not what the agent changed.
    assert.deepEqual(phrases(agent), []);
    trusted = { Port: { jwk: signer.jwk } };
    agents.reviewAgain();
    await agent.reviewed;
    assert.equal(agent.review.signature?.verdict, 'valid');
  });

  test('a card that was changed after it was signed tells that first, also where the keys of before are known from a window before', async () => {
    const own = (await signed(minimalCard(server.url, '1.0') as object, signer)) as object;
    card = () => own;
    await fetched();
    card = () => ({ ...own, name: 'Evil' });
    const agent = await fetched(open());
    assert.equal(agent.review.signature?.verdict, 'invalid');
    assert.deepEqual(phrases(agent), ['signature does not match', 'name changed']);
    card = () => ({ ...own, signatures: undefined });
    assert.deepEqual(phrases(await fetched()), ['signature removed']);
    // Signed anew with the same key is no change.
    const again = (await signed(minimalCard(server.url, '1.0') as object, signer)) as object;
    card = () => again;
    assert.deepEqual(phrases(await fetched()), []);
  });

  test('a signature over text in which the agent repeats a credential is verified over what was sent', async () => {
    const secret = 'Bearer s3cr3t-of-the-person-0123456789';
    const own = (await signed({ ...(minimalCard(server.url, '1.0') as object), description: `Sent: ${secret}` }, signer)) as object;
    card = () => own;
    agents.configure({ Ann: { url: server.url, headers: { Authorization: secret } } });
    const agent = await fetched();
    assert.equal(agent.review.signature?.verdict, 'valid');
    assert.ok(!(agent.cardSource ?? '').includes('s3cr3t'));
    assert.ok(!readFileSync(join(folder, 'cards', kept()[0]!), 'utf8').includes('s3cr3t'));
  });

  test('each agent at each address has a card of its own', async () => {
    await fetched();
    agents.configure({ Ann: { url: `${server.url}/` }, Bob: { url: server.url } });
    card = url => ({ ...(minimalCard(url, '1.0') as object), version: '9' });
    assert.deepEqual(phrases(await fetched()), []);
    const bob = agents.get('Bob')!;
    await bob.check();
    await bob.reviewed;
    assert.deepEqual(phrases(bob), []);
    assert.equal(kept().length, 3);
  });

  test('a card that is too long is told to have changed, without a comparison', async () => {
    card = url => ({ ...(minimalCard(url, '1.0') as object), more: 'x'.repeat(600_000) });
    await fetched();
    card = url => ({ ...(minimalCard(url, '1.0') as object), more: 'y'.repeat(600_000) });
    const agent = await fetched();
    assert.deepEqual(phrases(agent), ['content changed']);
    assert.equal(agent.review.changes?.before, undefined);
    await agent.acceptCard();
    assert.deepEqual(phrases(await fetched()), []);
  });

  test('a file that is damaged counts as none, and the oldest files go', async () => {
    await fetched();
    const [name = ''] = kept();
    for (const content of ['', '{', '[]', '{"digest":1}', '{"digest":"x"}']) {
      writeFileSync(join(folder, 'cards', name), content);
      assert.deepEqual(phrases(await fetched(open())), []);
    }
    for (let index = 0; index < 510; index++) {
      const old = join(folder, 'cards', `${index}.card.json`);
      writeFileSync(old, '{}');
      utimesSync(old, 1_000 + index, 1_000 + index);
    }
    agents.configure({ Ann: { url: `${server.url}/` } });
    await fetched(agents);
    const reopened = open();
    reopened.configure({ Ann: { url: `${server.url}/?x` } });
    await fetched(reopened);
    assert.equal(kept().length, 500);
    assert.ok(!kept().includes('0.card.json') && kept().includes('509.card.json') && kept().includes(name));
  });
});
