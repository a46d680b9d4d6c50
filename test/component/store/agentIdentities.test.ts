import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ownPlace } from '../../../src/store/rows/agentIdentities.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { at, day, History } from './support/history.ts';

const mine = 'https://prod.example';
const evil = 'https://evil.example';

suite('whose history it is', () => {
  const history = History.ofEachTest();

  const user = (name: string, ...origins: string[]): string =>
    history.store.identities.claim({ name, place: ownPlace, label: '', origins }, at);
  const repository = (label: string, name: string, ...origins: string[]): string =>
    history.store.identities.claim({ name, place: `file:///${label}`, label, origins }, at);
  /** A context in which something was said, over the wire with that address where one is given. */
  function context(agent: string, url?: string): string {
    const key = randomUUID();
    history.store.putContext({ key, agent, at });
    history.store.own.putMessage(key, { messageId: key, role: 'ROLE_USER', parts: [{ text: 'hi' }] }, { at, owner: 'me' });
    if (url !== undefined) {
      history.store.putWire(key, {
        frames: new Map(),
        exchanges: [
          {
            id: randomUUID(),
            operation: 'SendMessage',
            protocolBinding: 'JSONRPC',
            protocolVersion: '1.0',
            startedAt: at,
            findings: [],
            request: { method: 'POST', url, headers: [], body: '{}' },
          },
        ],
      });
    }
    return key;
  }

  test("a repository's agent under the name of the person's has a history of its own", () => {
    assert.equal(user('Prod', mine), 'Prod');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(user('Prod', mine), 'Prod');
  });

  test("it has none of the person's when that is no longer in the settings", () => {
    user('Prod', mine);
    context('Prod');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
  });

  test("a repository may give the person's agent other headers, at origins that it had", () => {
    user('Prod', mine, 'https://alt.example');
    assert.equal(repository('repo', 'Prod', mine), 'Prod');
    assert.equal(repository('repo', 'Prod', 'https://alt.example'), 'Prod');
  });

  test('and nowhere beside them', () => {
    user('Prod', mine);
    assert.equal(repository('repo', 'Prod', mine, evil), 'Prod (repo)');
  });

  test("what was the person's agent once is not the repository's when it moves on", () => {
    user('Prod', mine);
    assert.equal(repository('repo', 'Prod', mine), 'Prod');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(user('Prod', mine), 'Prod');
    assert.equal(repository('other', 'Prod', evil), 'Prod (repo)');
  });

  test("the person's agent keeps its history wherever it moves, and is known there", () => {
    user('Dev', 'http://localhost:3000');
    assert.equal(user('Dev', 'http://localhost:4000'), 'Dev');
    assert.equal(repository('repo', 'Dev', 'http://localhost:3000'), 'Dev');
    assert.equal(repository('repo', 'Dev', 'http://localhost:4000'), 'Dev');
    assert.equal(repository('repo', 'Dev', 'http://localhost:5000'), 'Dev (repo)');
  });

  test("an origin that the person allows is the agent's", () => {
    user('Prod', mine);
    history.store.identities.join('Prod', ['https://alt.example']);
    assert.equal(repository('repo', 'Prod', mine, 'https://alt.example'), 'Prod');
  });

  test("a repository's own agent keeps its history at another port; that of another repository has its own", () => {
    assert.equal(repository('one', 'Local', 'http://localhost:3000'), 'Local');
    assert.equal(repository('one', 'Local', 'http://localhost:3001'), 'Local');
    assert.equal(repository('two', 'Local', 'http://localhost:9'), 'Local (two)');
    assert.equal(repository('one', 'Local', 'http://localhost:9999'), 'Local');
  });

  test('two folders of one name', () => {
    user('Local', mine);
    const claim = (place: string, origin: string): string =>
      history.store.identities.claim({ name: 'Local', place, label: 'app', origins: [origin] }, at);
    assert.deepEqual([claim('file:///1', 'http://a'), claim('file:///2', 'http://b')], ['Local (app)', 'Local (app) 2']);
  });

  test("the person's own always has the plain name: what was there goes on under another", () => {
    assert.equal(repository('repo', 'Prod', evil), 'Prod');
    const theirs = context('Prod');
    assert.equal(user('Prod', mine), 'Prod');
    assert.equal(history.store.context(theirs)?.agent, 'Prod (repo)');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(repository('repo', 'Prod', 'https://evil2.example'), 'Prod (repo)');
    assert.equal(user('Prod (repo)', 'https://third.example'), 'Prod (repo)');
    assert.equal(history.store.context(theirs)?.agent, 'Prod (repo) 2');
  });

  test("an agent that the person takes from the repository's settings into their own is the same", () => {
    assert.equal(repository('repo', 'Prod', mine), 'Prod');
    const key = context('Prod');
    assert.equal(user('Prod', mine), 'Prod');
    assert.equal(history.store.context(key)?.agent, 'Prod');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
  });

  test("a history of an earlier version is the person's, and a repository's where it was at its addresses alone", () => {
    context('Prod', `${mine}/rpc`);
    context('Old', `${mine}/rpc`);
    context('Lost');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(repository('other', 'Prod', mine), 'Prod');
    assert.equal(repository('other', 'Prod', mine, evil), 'Prod (other)');
    assert.equal(user('Old', 'https://elsewhere.example'), 'Old');
    assert.equal(repository('repo', 'Lost', evil), 'Lost (repo)');
  });

  test('an agent that is named by its address is the one there', () => {
    assert.equal(repository('repo', 'https://prod.example', evil), 'https://prod.example (repo)');
    assert.equal(repository('other', 'https://prod.example', mine), 'https://prod.example');
  });

  test('contexts go with a rename, and what is known of the agent', () => {
    user('Prod', mine);
    repository('repo', 'Prod', evil);
    const [own, theirs] = [context('Prod'), context('Prod (repo)')];
    history.store.identities.rename('Prod', 'Main');
    assert.deepEqual(
      [own, theirs].map(key => history.store.context(key)?.agent),
      ['Main', 'Prod (repo)'],
    );
    assert.equal(repository('repo', 'Main', evil), 'Main (repo)');
    assert.equal(repository('other', 'Main', mine), 'Main');
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    assert.equal(repository('third', 'Prod', mine), 'Prod');
  });

  test('what no window had for a month is forgotten, unless it has a history', () => {
    user('Prod', mine);
    user('Kept', mine);
    context('Kept');
    history.store.identities.sweep(at + 29 * day);
    assert.equal(repository('repo', 'Prod', evil), 'Prod (repo)');
    history.store.identities.sweep(at + 31 * day);
    assert.equal(repository('other', 'Prod', evil), 'Prod');
    assert.equal(repository('other', 'Kept', evil), 'Kept (other)');
  });

  test('at most 200 origins of an agent are remembered, the newest', () => {
    for (let port = 1; port <= 250; port++) user('Dev', `http://localhost:${port}`);
    assert.equal(repository('repo', 'Dev', 'http://localhost:51'), 'Dev');
    assert.equal(repository('repo', 'Dev', 'http://localhost:50'), 'Dev (repo)');
  });

  test('claiming what is known writes nothing', () => {
    user('Prod', mine);
    repository('repo', 'Prod', evil);
    repository('other', 'Prod', mine);
    const other = openStore(history.path);
    other.changedElsewhere();
    user('Prod', mine);
    repository('repo', 'Prod', evil);
    repository('other', 'Prod', mine);
    assert.equal(other.changedElsewhere(), false);
    other.close();
  });

  suite('of what a file brings', () => {
    const file = async (agent: string, more: object, key = randomUUID()): Promise<string | undefined> => {
      const line = JSON.stringify({
        format: 'a2a-workbench-history',
        version: 1,
        agent,
        context: { key, title: 'x', createdAt: at, updatedAt: at },
        entries: [{ seq: 1, at, kind: 'message', message: { messageId: key, role: 'ROLE_USER', parts: [{ text: 'imported' }] } }],
        ...more,
      });
      const { failed } = await history.store.import.lines([new TextEncoder().encode(`${line}\n`)], at, 'imported');
      assert.equal(failed, 0);
      return history.store.contexts().find(context => context.key === key)?.agent;
    };

    test('it joins the agent of that name which was asked there, and no other', async () => {
      user('Prod', mine, 'https://alt.example');
      assert.equal(await file('Prod', { origins: [mine] }), 'Prod');
      assert.equal(await file('Prod', { origins: [evil] }), 'Prod (imported)');
      assert.equal(await file('Prod', { origins: [mine, evil] }), 'Prod (imported) 2');
      assert.equal(await file('Prod', { origins: [evil] }), 'Prod (imported)');
    });

    test('a file that says no origin joins nobody; one with the wire says it by that', async () => {
      user('Prod', mine);
      const wire = (url: string): object => ({
        exchanges: [
          {
            frames: [],
            exchange: {
              id: randomUUID(),
              operation: 'SendMessage',
              protocolBinding: 'JSONRPC',
              protocolVersion: '1.0',
              startedAt: at,
              findings: [],
              request: { method: 'POST', url, headers: [], body: '{}' },
            },
          },
        ],
      });
      assert.equal(await file('Prod', {}), 'Prod (imported)');
      assert.equal(await file('Prod', {}), 'Prod (imported)');
      assert.equal(await file('Prod', wire(`${mine}/a2a`)), 'Prod');
      assert.equal(await file('Prod', wire(`${evil}/a2a`)), 'Prod (imported) 2');
    });

    test('a name that nobody has is free, until somebody has it who was never there', async () => {
      assert.equal(await file('Prod', { origins: [evil] }), 'Prod');
      assert.equal(await file('Test', { origins: [mine] }), 'Test');
      assert.equal(user('Prod', mine), 'Prod');
      assert.deepEqual(
        history.store
          .contexts()
          .map(({ agent }) => agent)
          .sort(),
        ['Prod (imported)', 'Test'],
      );
      assert.equal(user('Test', mine), 'Test');
      assert.deepEqual(
        history.store
          .contexts()
          .map(({ agent }) => agent)
          .sort(),
        ['Prod (imported)', 'Test'],
      );
    });

    test('what was exported here comes back to the same agent elsewhere', async () => {
      user('Prod', mine);
      const key = context('Prod');
      const lines = [...history.store.export.lines([{ context: key }])];
      assert.deepEqual((JSON.parse(lines[0]!) as { origins: unknown }).origins, [mine]);
      const other = new History();
      try {
        other.store.identities.claim({ name: 'Prod', place: ownPlace, label: '', origins: [mine] }, at);
        await other.store.import.lines(
          lines.map(line => new TextEncoder().encode(line)),
          at,
          'imported',
        );
        assert.deepEqual(
          other.store.contexts().map(({ agent }) => agent),
          ['Prod'],
        );
      } finally {
        other.close();
      }
    });
  });
});
