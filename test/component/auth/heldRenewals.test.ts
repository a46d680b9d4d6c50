import * as assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exclusiveBy } from '../../../src/auth/exclusiveFile.ts';
import type { SignInStore } from '../../../src/auth/signInStore.ts';
import { signInPlan } from '../../../src/auth/signIns/planOf.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { signInFile } from '../../../src/cli/auth/signInFile.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { caught, figure } from '../../support/figure.ts';

const [slow, quick] = ['http://127.0.0.1:4711/slow', 'http://127.0.0.1:4711/quick'];

suite('renewals of which the token endpoint does not answer', () => {
  let http: Http;
  let server: Server;
  let base: string;
  let folder: string;
  /** Requests at the endpoint that does not answer until the test does. */
  let held: ServerResponse[];
  let asked: string[];
  setup(async () => {
    http = new Http({ loadObserver });
    [held, asked] = [[], []];
    folder = await mkdtemp(join(tmpdir(), 'a2a-renewals-'));
    server = createServer((request, response) => {
      asked.push(request.url!);
      if (request.url === '/held') held.push(response);
      else answer(response, 'quick');
      server.emit('asked');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  teardown(async () => {
    server.closeAllConnections();
    await http.close();
    server.close();
    await rm(folder, { recursive: true });
  });

  const answer = (response: ServerResponse, token: string): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: `${token}-next` }));
  const signIn = (path: string) => ({
    at: 1,
    credentials: [
      {
        kind: 'oauth',
        scheme: 'main',
        flow: 'authorizationCode',
        tokens: {
          accessToken: 'old',
          tokenType: 'Bearer',
          refreshToken: 'old-next',
          expiresAt: 1,
          scopes: [],
          tokenEndpoint: `${base}${path}`,
          client: { id: 'c', authentication: 'none', origin: 'given' },
        },
      },
    ],
  });
  const agent = (identities: Readonly<Record<string, string>>) => ({
    origins: ['http://127.0.0.1:4711'],
    servers: [],
    current: Object.keys(identities)[0],
    identities: Object.fromEntries(Object.entries(identities).map(([name, path]) => [name, signIn(path)])),
  });
  const text = (): string =>
    JSON.stringify({ version: 1, agents: { [slow]: agent({ default: '/held', other: '/quick' }), [quick]: agent({ default: '/quick' }) } });
  const signInsOf = (store: SignInStore): SignIns => new SignIns({ http, store });
  const token = async (all: SignIns, url: string, { identity, signal }: { identity?: string; signal?: AbortSignal } = {}) =>
    (await all.credentialsFor(url, { ...(identity !== undefined && { identity }) }, new URL(url), signal))?.headers['Authorization'];
  const isHeld = async (): Promise<void> => {
    while (held.length === 0) await once(server, 'asked');
  };

  /** Others than the one that waits get their tokens, over two stores of the same sign-ins. */
  async function othersGo(one: SignInStore, other: SignInStore, signal?: AbortSignal): Promise<void> {
    const [mine, theirs] = [signInsOf(one), signInsOf(other)];
    const waiting = token(mine, slow);
    await isHeld();
    try {
      const options = { ...(signal !== undefined && { signal }) };
      assert.equal(await token(mine, quick, options), 'Bearer quick');
      assert.equal(await token(theirs, slow, { identity: 'other', ...options }), 'Bearer quick');
      await theirs.use(slow, 'other');
    } finally {
      answer(held[0]!, 'late');
      await waiting;
    }
    assert.equal(await waiting, 'Bearer late');
    assert.deepEqual(asked, ['/held', '/quick', '/quick']);
  }

  const files = async (): Promise<readonly [SignInStore, SignInStore]> => {
    const path = join(folder, 'sign-ins.json');
    await writeFile(path, text(), { mode: 0o600 });
    return [signInFile(path), signInFile(path)];
  };

  test('another agent and another identity are not held up, in this process and in another', async () => {
    const shared = new SharedSignIns();
    shared.text = text();
    await othersGo(shared.window(), shared.window());
    asked.length = held.length = 0;
    await othersGo(...(await files()));
    figure('F38', { 'renewals beside a held one': 4, 'held up': 0 }, '4 renewals beside a token endpoint that does not answer');

    // As it was: one lock for all, over the network.
    const one = new SharedSignIns();
    one.text = text();
    const store = one.window();
    const wide: SignInStore = { ...store, exclusively: (work, about) => (about === undefined ? work() : store.exclusively(work)) };
    asked.length = held.length = 0;
    await assert.rejects(othersGo(wide, wide, AbortSignal.timeout(200)), { code: 'cancelled' });
    caught('F38', 'one lock over the network');
  });

  test('two processes use a refresh token once', async () => {
    const [one, other] = (await files()).map(signInsOf) as [SignIns, SignIns];
    const both = [token(one, slow), token(other, slow)];
    await isHeld();
    answer(held[0]!, 'late');
    assert.deepEqual(await Promise.all(both), ['Bearer late', 'Bearer late']);
    assert.deepEqual(asked, ['/held']);
  });

  test('who signs out meanwhile stays signed out', async () => {
    const [one, other] = (await files()).map(signInsOf) as [SignIns, SignIns];
    const waiting = token(one, slow);
    await isHeld();
    await other.signOut(slow, 'default');
    answer(held[0]!, 'late');
    await waiting;
    assert.deepEqual(await signInsOf(signInFile(join(folder, 'sign-ins.json'))).identities(slow), ['other']);
  });

  test('who signs in anew meanwhile keeps the new sign-in, also where the old one is refused', async () => {
    for (const refused of [false, true]) {
      held.length = 0;
      const [one, other] = (await files()).map(signInsOf) as [SignIns, SignIns];
      const waiting = token(one, slow);
      await isHeld();
      await other.signIn(slow, {
        plan: signInPlan({
          securitySchemes: { main: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
          securityRequirements: [{ schemes: { main: { list: [] } } }],
        }),
        prompts: {
          chooseOption: ([first]) => Promise.resolve(first),
          chooseFlow: (_scheme, [first]) => Promise.resolve(first),
          type: () => Promise.resolve('typed'),
          approve: () => Promise.resolve(true),
          certificate: () => Promise.resolve(true),
          openBrowser: () => Promise.resolve(true),
          showDeviceCode: () => Promise.resolve(),
          redirects: () => assert.fail('no redirect'),
        },
      });
      if (refused) held[0]!.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
      else answer(held[0]!, 'late');
      assert.equal(await waiting, 'Bearer typed');
      assert.equal((await other.state(slow)).kind, 'signedIn');
    }
  });

  test('the first who waits may leave; who came later gets the tokens', async () => {
    const [store] = await files();
    const all = signInsOf(store);
    const first = new AbortController();
    const left = token(all, slow, { signal: first.signal });
    const stays = token(all, slow);
    await isHeld();
    first.abort();
    await assert.rejects(left, { code: 'cancelled' });
    answer(held[0]!, 'late');
    assert.equal(await stays, 'Bearer late');
  });

  test('a file left behind is taken over; its late owner does not take away the next one', async () => {
    const path = join(folder, 'x.lock');
    const [one, other] = [exclusiveBy(path), exclusiveBy(path)];
    let ends = (): void => {};
    await one(async () => {
      await utimes(path, 1, 1);
      await new Promise<void>(began => {
        void other(() => {
          began();
          return new Promise<void>(resolve => (ends = resolve));
        });
      });
    });
    const owner = await readFile(path, 'utf8');
    assert.ok((await stat(path)).size > 0 && owner.length > 0);
    ends();
  });
});
