import * as assert from 'node:assert/strict';
import { symlinkSync, mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentKey } from '../../../src/auth/agentKey.ts';
import { SignIns } from '../../../src/auth/signIns/signIns.ts';
import { AgentSignIns } from '../../../src/model/agents/agentSignIns.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { readEnvironments } from '../../../src/request/environment/environments.ts';
import { environmentHeaders, withEnvironment } from '../../../src/request/file/environmentHeaders.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { SharedSignIns } from '../../support/auth/memoryStore.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { fast } from '../../support/model/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { readDefaults } from '../../../src/request/check/folderDefaults.ts';
import { type Addresses, cardTricks, fileTricks, settingsTricks, type Trick } from './workspaceTricks/tricks.ts';

const { configuredAgents } = await import('../../../src/workbench/platform/settings.ts');
const { agentValues } = await import('../../../src/workbench/requests/values/agentValues.ts');
const { secretOriginsIn } = await import('../../../src/workbench/requests/values/secretBindings.ts');
const { Secrets } = await import('../../../src/workbench/requests/values/secrets.ts');
const { RequestSender } = await import('../../../src/workbench/requests/sending/requestSender.ts');
const { ImportedFiles } = await import('../../../src/workbench/requests/values/importedFiles.ts');
const { FileAgents } = await import('../../../src/workbench/requests/session/fileAgents.ts');

/** What belongs to the user: none of it may come to anybody else. */
const canaries = {
  header: 'c4nary-of-the-header-1',
  secret: 'c4nary-of-the-secret-2',
  other: 'c4nary-of-the-other-3',
  variable: 'c4nary-of-the-variable-4',
  file: 'c4nary-of-the-file-5',
  signIn: 'c4nary-of-the-sign-in-6',
  admin: 'c4nary-of-the-admin-7',
  access: 'c4nary-of-the-access-8',
  refresh: 'c4nary-of-the-refresh-9',
  clientSecret: 'c4nary-of-the-client-10',
};

interface Outcome {
  /** Requests that came to somebody else, whole. */
  readonly evil: readonly string[];
  /** Requests that came to the user's own agent. */
  readonly prod: readonly string[];
  /** Names of variables that were read and belong to the test. */
  readonly variables: readonly string[];
  readonly questions: readonly string[];
}

/** Where the workspace's settings are: its only folder, or one of several. */
type Place = 'workspace' | 'folder';

suite('a malicious workspace', () => {
  const open = new OpenThings();
  const outer = mkdtempSync(join(tmpdir(), 'a2a-tricks-'));
  const root = join(outer, 'workspace');
  mkdirSync(root);
  writeFileSync(join(outer, 'outside.txt'), canaries.file);
  writeFileSync(join(outer, 'rows.json'), JSON.stringify([{ own: canaries.file }]));
  writeFileSync(join(outer, 'outside.a2a'), JSON.stringify({ message: 'x', variables: { own: canaries.file } }));
  symlinkSync(outer, join(root, 'link'));
  let at: Addresses;
  let trick: Trick;
  let evil: string[] = [];
  let prod: string[] = [];
  suiteSetup(async () => {
    const told = (request: IncomingMessage, body: string): string => [request.method, request.url, ...request.rawHeaders, body].join('\n');
    const json = (response: ServerResponse, value: unknown): void =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const server = (isEvil: boolean) => async (request: IncomingMessage, response: ServerResponse) => {
      const bytes: Uint8Array[] = [];
      for await (const chunk of request) bytes.push(chunk as Uint8Array);
      const body = Buffer.concat(bytes).toString();
      (isEvil ? evil : prod).push(told(request, body));
      const url = isEvil ? at.evil : at.prod;
      const isCard = request.method === 'GET';
      const kind = isCard ? 'card' : request.url === '/token' ? 'renewal' : 'message';
      const { redirect } = trick;
      if (!isEvil && redirect?.of === kind) {
        response.writeHead(redirect.status, { Location: redirect.to(at) }).end();
        return;
      }
      if (isCard) {
        const own = isEvil ? undefined : trick.card?.(at);
        json(response, own ?? { ...(cardTricks[1]!.card!({ prod: url, evil: url }) as object) });
        return;
      }
      if (kind === 'renewal') {
        json(response, { access_token: `${canaries.access}-2`, token_type: 'Bearer', expires_in: 600, refresh_token: canaries.refresh });
        return;
      }
      // An agent that repeats what it was told.
      const { id, params } = JSON.parse(body || '{}') as { id?: unknown; params?: { message?: { parts?: unknown } } };
      json(response, {
        jsonrpc: '2.0',
        id,
        result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: params?.message?.parts ?? [{ text: 'x' }] } },
      });
    };
    at = {
      prod: (await open.web((request, response) => void server(false)(request, response))).replace(/\/$/, ''),
      evil: (await open.web((request, response) => void server(true)(request, response))).replace(/\/$/, ''),
    };
  });
  suiteTeardown(async () => {
    await open.close();
    rmSync(outer, { recursive: true });
  });

  /** Sign-ins at the user's own agent: by a key, as somebody else, and one whose token is over. */
  const keptSignIns = (): string => {
    const oauth = {
      kind: 'oauth',
      scheme: 'login',
      flow: 'authorizationCode',
      tokens: {
        accessToken: canaries.access,
        tokenType: 'Bearer',
        refreshToken: canaries.refresh,
        expiresAt: 1,
        scopes: [],
        issuer: at.prod,
        tokenEndpoint: `${at.prod}/token`,
        client: { id: 'client', secret: canaries.clientSecret, authentication: 'client_secret_post', origin: 'given' },
      },
    };
    const key = { kind: 'apiKey', scheme: 'key', location: 'header', name: 'X-Signed', value: canaries.signIn };
    const admin = { kind: 'authorization', scheme: 'admin', type: 'Bearer', value: canaries.admin };
    const identities = Object.fromEntries(
      Object.entries({ default: key, admin, renewing: oauth }).map(([name, each]) => [name, { credentials: [each], at: 1 }]),
    );
    return JSON.stringify({
      version: 1,
      agents: { [agentKey(at.prod)]: { origins: [at.prod], servers: [at.prod], current: 'default', identities } },
    });
  };

  /** A window in which the tree is looked at, each agent is opened and written to, and the file is sent; every question is declined. */
  async function lives(given: Trick, trusted: boolean, place: Place): Promise<Outcome> {
    [trick, evil, prod] = [given, [], []];
    const questions: string[] = [];
    const variables: string[] = [];
    const env = process.env;
    process.env = new Proxy(env, {
      get: (variable, name) => {
        if (typeof name === 'string' && name.startsWith('A2A_CANARY')) {
          variables.push(name);
          return canaries.variable;
        }
        return Reflect.get(variable, name) as unknown;
      },
    });
    const theirs = given.agents?.(at);
    const uri = { scheme: 'file', fsPath: join(root, 'trick.a2a'), path: '/trick.a2a', toString: () => 'file:///trick.a2a' };
    const folder = { uri: { scheme: 'file', fsPath: root, path: root, toString: () => `file://${root}` }, name: 'theirs', index: 0 };
    const inspected = {
      globalValue: {
        Prod: {
          url: at.prod,
          headers: { Authorization: 'Bearer {{$secret PROD}}', 'X-Api-Key': canaries.header, 'X-V': '{{$env A2A_CANARY}}' },
        },
      },
      ...(place === 'workspace' ? { workspaceValue: theirs } : { workspaceFolderValue: theirs }),
    };
    const decline = async (question: string): Promise<undefined> => void questions.push(question);
    const restore = [
      inPlaceOf('window', {
        showInputBox: async ({ prompt = '' }: { prompt?: string }) => decline(prompt),
        showWarningMessage: decline,
        showErrorMessage: async () => undefined,
      }),
      inPlaceOf('workspace', {
        isTrusted: trusted,
        workspaceFolders: [folder],
        ...(place === 'folder' && { workspaceFile: { path: '/x.code-workspace', toString: () => 'file:///x.code-workspace' } }),
        getWorkspaceFolder: () => folder,
        getConfiguration: () => ({ get: () => undefined, inspect: () => inspected }),
      }),
    ];
    const state = new Map<string, unknown>();
    const memento = { get: (key: string) => state.get(key), update: async (key: string, value: unknown) => void state.set(key, value) };
    const kept = new Map([
      ['requests.secret.PROD', canaries.secret],
      ['requests.secret.OTHER', canaries.other],
    ]);
    const secrets = new Secrets({
      get: async (key: string) => kept.get(key),
      keys: async () => [...kept.keys()],
      onDidChange: () => ({ dispose: () => {} }),
    } as never);
    const origins = secretOriginsIn(memento as never);
    const http = new Http({ loadObserver });
    const defects: unknown[] = [];
    const onError = (error: unknown): void => void defects.push(error);
    const keychain = new SharedSignIns();
    keychain.text = keptSignIns();
    const all = new SignIns({ http, store: keychain.window() });
    const signIns = new AgentSignIns({ isUsed: () => Promise.resolve(true), load: () => Promise.resolve(all), onError });
    const agents: Agents = new Agents({
      http,
      onError,
      signIns,
      values: agentValues(secrets, origins, name => agents.get(name) !== undefined),
    });
    const store = openStore(':memory:');
    const contexts = new AgentContexts({ store, agents, owner: 'test', timing: fast, onError });
    try {
      agents.configure(configuredAgents().agents);
      // The tree is looked at, by nobody in particular; then each agent is opened and written to.
      await signIns.refresh();
      for (const agent of agents.all) await agent.check();
      for (const agent of agents.all) {
        await agent.prepare().catch(ignoreProblems);
        const context = contexts.create(agent.name);
        await context.send({ parts: [{ text: 'hello' }], target: 'new-task' }).done.catch(ignoreProblems);
      }
      if (given.file !== undefined || given.fences !== undefined)
        await sends(given, uri, { agents, contexts, secrets, origins, onError }).catch(ignoreProblems);
      assert.deepEqual(defects, [], given.name);
      return { evil, prod, variables, questions };
    } finally {
      contexts.dispose();
      store.close();
      agents.dispose();
      await http.close();
      for (const back of restore) back();
      process.env = env;
    }
  }

  async function sends(
    { file, fences, defaults, beside, environment: chosen }: Trick,
    uri: unknown,
    needs: {
      readonly agents: Agents;
      readonly contexts: AgentContexts;
      readonly secrets: InstanceType<typeof Secrets>;
      readonly origins: ReturnType<typeof secretOriginsIn>;
      readonly onError: (error: unknown) => void;
    },
  ): Promise<void> {
    const around = readDefaults(defaults === undefined ? [] : [{ path: 'a2a.defaults.json', text: JSON.stringify(defaults(at)) }]);
    const fileAgents = new FileAgents(needs.agents, () => uri as never);
    const runs = new RequestRuns({ agents: fileAgents, contexts: needs.contexts }, needs.onError);
    const environments = readEnvironments([{ path: 'a2a.env.json', private: false, text: JSON.stringify(chosen?.(at) ?? {}) }]);
    const headers = environmentHeaders(environments, 'dev', path => path);
    const environment = {
      names: [],
      production: false,
      values: environments.values('dev'),
      headers,
      defaults: withEnvironment(around, headers),
    };
    const given = { read: async () => environment, of: () => environment };
    for (const [path, value] of Object.entries(beside?.(at) ?? {})) writeFileSync(join(root, path), JSON.stringify(value));
    const imported = new ImportedFiles(given as never);
    const sender = new RequestSender({
      agents: needs.agents,
      sessions: { of: () => ({ agents: fileAgents, runs }), changed: () => {} },
      imported,
      secrets: needs.secrets,
      secretOrigins: needs.origins,
    } as never);
    const text =
      fences === undefined
        ? JSON.stringify(file!(at))
        : fences(at)
            .map(one => `\`\`\`a2a\n${JSON.stringify(one)}\n\`\`\`\n`)
            .join('text\n');
    const languageId = fences === undefined ? 'a2a' : 'markdown';
    const document = { uri, languageId, version: 1, getText: () => text };
    const prepared = await sender.prepare(document as never).finally(() => imported.dispose());
    assert.ok(
      prepared === undefined || prepared.file.problems.every(({ severity, code }) => severity !== 'error' || code === 'bad-import'),
    );
    if (prepared !== undefined) await runs.sendAll(prepared.file, prepared.options);
  }

  const tricks: readonly (readonly [what: string, place: Place, trick: Trick])[] = [
    ...settingsTricks.map(each => ['settings', 'workspace', each] as const),
    ...settingsTricks.map(each => ['settings', 'folder', each] as const),
    ...cardTricks.map(each => ['card', 'workspace', each] as const),
    ...fileTricks.map(each => ['request file', 'workspace', each] as const),
  ];

  for (const trusted of [false, true]) {
    test(`gets nothing of the user in a window that ${trusted ? 'trusts' : 'does not trust'} it`, async () => {
      let asked = 0;
      let signedIn = 0;
      const leaks: string[] = [];
      for (const [what, place, each] of tricks) {
        const { evil: got, prod: own, variables, questions } = await lives(each, trusted, place);
        asked += questions.length;
        if (own.some(request => request.includes(canaries.signIn))) signedIn++;
        const title = `${what} (${place}): ${each.name}`;
        const told = got.join('\n');
        for (const [name, canary] of Object.entries(canaries)) if (told.includes(canary)) leaks.push(`${title}: ${name}`);
        if (own.join('\n').includes(canaries.file)) leaks.push(`${title}: file to the user's own agent`);
        // A card may lead a window there that asks for nothing; nothing of the workspace may, before it is trusted.
        if (!trusted && what !== 'card' && got.length > 0) leaks.push(`${title}: connected`);
        if (!trusted && questions.length > 0) leaks.push(`${title}: asked`);
        // Another than that which the user uses is the user's to choose, in settings and in what they send.
        if (!trusted && [canaries.admin, canaries.access].some(canary => own.join('\n').includes(canary)))
          leaks.push(`${title}: chose the sign-in`);
        if (each.keepsSignIn === true && trusted && own.join('\n').includes(canaries.signIn)) leaks.push(`${title}: sent a sign-in`);
        // The variable of the user's own settings is read for the user's own agent alone.
        const forProd = own.filter(request => request.includes(canaries.variable)).length;
        if (!trusted && variables.length > 0 && forProd === 0) leaks.push(`${title}: read a variable`);
        // It would show nothing if the user's own agent got nothing either.
        if (given(each) && !own.some(request => request.includes(canaries.secret) && request.includes(canaries.header)))
          leaks.push(`${title}: the user's own agent got no headers`);
      }
      console.log(
        `      ${tricks.length} tricks in a window that is ${trusted ? '' : 'not '}trusted: ${leaks.length} leaks, ${asked} questions`,
      );
      assert.ok(tricks.length >= 60);
      assert.ok(signedIn > tricks.length / 4, `the user is signed in: ${signedIn}`);
      if (trusted) assert.ok(asked > 20, 'the user is asked');
      assert.deepEqual(leaks, []);
    });
  }

  /** Whether the user's own agent is still the one that is asked. */
  const given = (each: Trick): boolean => each.agents === undefined && each.redirect?.of !== 'card';
});

function ignoreProblems(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}
