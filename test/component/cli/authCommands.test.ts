import * as assert from 'node:assert/strict';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { guardedAgent, type GuardedAgent } from '../../support/auth/guardedAgent.ts';
import { confidential, openOidcProvider, signInInBrowser, type OidcServer } from '../../support/auth/oidcProvider.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';
import type { Ended } from '../../support/cli/runTerminal.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

suite('sign-ins in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  let behind: ScriptedAgent;
  let server: OidcServer;
  let machine: GuardedAgent;
  let person: GuardedAgent;
  let keyed: GuardedAgent;
  let home: string;
  const key = 'c4nary-api-key-0f-a-terminal';

  suiteSetup(async () => {
    program = await TerminalFolder.make();
    behind = await open.agent({
      SendMessage: [{ answer: { message: says('Welcome') } }],
      SendStreamingMessage: [{ event: { message: says('Welcome') } }],
    });
    server = await openOidcProvider();
    const allows: GuardedAgent['allows'] = async ({ headers }) => {
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      const { AccessToken, ClientCredentials } = server.provider;
      return token !== '' && ((await AccessToken.find(token)) ?? (await ClientCredentials.find(token))) !== undefined;
    };
    const at = (path: string): string => `${server.issuer}${path}`;
    machine = await guardedAgent(behind.url, {
      allows,
      challenge: 'Bearer',
      security: {
        securitySchemes: {
          ci: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: at('/token'), scopes: { 'agents:use': '' } } } } },
        },
        securityRequirements: [{ schemes: { ci: { list: ['agents:use'] } } }],
      },
    });
    person = await guardedAgent(behind.url, {
      allows,
      challenge: 'Bearer',
      security: {
        securitySchemes: { login: { openIdConnectSecurityScheme: { openIdConnectUrl: at('/.well-known/openid-configuration') } } },
        securityRequirements: [{ schemes: { login: { list: [] } } }],
      },
    });
    keyed = await guardedAgent(behind.url, {
      allows: ({ url = '' }) => new URL(url, 'http://x').searchParams.get('k') === key,
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'query', name: 'k' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
    });
  });
  suiteTeardown(async () => {
    await Promise.all([machine, person, keyed, server].map(each => each?.close()));
    await open.close();
    await program.remove();
  });
  setup(async () => {
    home = await program.workspace({});
  });

  const path = (): string => join(home, 'a2a-workbench', 'sign-ins.json');
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
    program.run(args, { env: { XDG_CONFIG_HOME: home, APPDATA: home, ...env } });
  const program1 = { A2A_SECRET_CLIENT_ID: confidential.client_id, A2A_SECRET_CLIENT_SECRET: confidential.client_secret };

  test('a program signs in with client credentials and keeps that; later commands use it, and logout ends it', async () => {
    const at = ['--allow-origin', server.issuer];
    const login = await run(['auth', 'login', machine.url, ...at], program1);
    assert.deepEqual([login.status, login.err], [0, '']);
    assert.match(login.out, /^Signed in to http:\/\/127\.0\.0\.1:\d+\/: signed in, token until .+, then renewed\n$/);
    if (process.platform !== 'win32') assert.equal((await stat(path())).mode & 0o777, 0o600);
    const sent = await run(['send', machine.url, 'hello']);
    assert.deepEqual([sent.status, sent.out.trim()], [0, 'Welcome']);
    const status = await run(['auth', 'status', '--json']);
    assert.equal((JSON.parse(status.out) as { kind: string }).kind, 'signedIn');
    const none = await run(['send', machine.url, 'hello', '--identity', 'none']);
    assert.equal(none.status, 3);
    assert.match(none.err, /401.*\n.*a2a auth login/);
    assert.equal((await run(['auth', 'logout', machine.url])).status, 0);
    assert.equal((await run(['auth', 'status', machine.url])).status, 1);
    assert.equal((await run(['send', machine.url, 'hello'])).status, 3);
    assert.doesNotMatch(await readFile(path(), 'utf8'), /accessToken/);
  });

  test('a sign-in names an interface at another origin, which does not get the credential', async () => {
    const away = await guardedAgent(behind.url, {
      allows: () => true,
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'query', name: 'k' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
        supportedInterfaces: ['1.0', '0.3'].map(protocolVersion => ({ url: behind.url, protocolBinding: 'JSONRPC', protocolVersion })),
      },
    });
    const { origin } = new URL(behind.url);
    try {
      const login = await run(['auth', 'login', away.url], { A2A_SECRET_KEY: key });
      assert.equal(login.status, 0, login.err);
      const words = `The credential is for ${away.url}; the interface is at ${origin}, so it was not sent. If you trust that address, allow it with --allow-origin ${origin}`;
      assert.ok(login.err.startsWith(words), login.err);
      assert.equal(login.err.split('\n').length, 2);
      const allowed = await run(['auth', 'login', away.url, '--allow-origin', origin], { A2A_SECRET_KEY: key });
      assert.deepEqual([allowed.status, allowed.err], [0, '']);
    } finally {
      await away.close();
    }
  });

  test('a2a auth URL goes through the sign-in step by step, and says what is likely wrong', async () => {
    const fine = await run(['auth', machine.url, '--allow-origin', server.issuer], program1);
    assert.equal(fine.status, 0, fine.out + fine.err);
    assert.match(fine.out, /^request +ok +The agent refuses a request without credentials \(HTTP 401\)\.$/m);
    assert.match(fine.out, /^use +ok +The agent accepts the credentials\.$/m);
    const nobody = await run(['auth', machine.url, '--json']);
    const { steps, causes } = JSON.parse(nobody.out) as { steps: { step: string; verdict: string }[]; causes: { cause: string }[] };
    assert.equal(steps.find(({ step }) => step === 'token')?.verdict, 'skipped');
    assert.deepEqual(
      causes.map(({ cause }) => cause),
      ['noToken'],
    );
    const wrong = await run(['auth', machine.url, '--allow-origin', server.issuer], {
      ...program1,
      A2A_SECRET_CLIENT_SECRET: 'c4nary-wrong-secret',
    });
    assert.equal(wrong.status, 1, wrong.out + wrong.err);
    assert.match(wrong.out, /Likely causes, most likely first:\n1\. The authorization server does not accept the client/);
    assert.doesNotMatch(fine.out + nobody.out + wrong.out + wrong.err, new RegExp(`${confidential.client_secret}|c4nary`));
    const key1 = await run(['auth', keyed.url], { A2A_SECRET_KEY: key });
    assert.equal(key1.status, 0, key1.out + key1.err);
    assert.doesNotMatch(key1.out, new RegExp(key));
  });

  test('a credential that the agent refuses is told as one, with where it is from and how it is replaced', async () => {
    const wrong = 'c4nary-of-yesterday';
    const environment = await run(['send', keyed.url, 'hello'], { A2A_SECRET_KEY: wrong });
    assert.deepEqual(
      [environment.status, environment.err],
      [
        3,
        'The agent refused the credential that was sent (HTTP 401): API key k (query) from A2A_SECRET_KEY. It answered: ApiKey\n' +
          'Correct the value of A2A_SECRET_KEY, or see each step with: a2a auth URL\n',
      ],
    );
    assert.equal((await run(['auth', 'login', keyed.url, '--identity', 'bob'], { A2A_SECRET_KEY: wrong })).status, 0);
    const kept = await run(['send', keyed.url, 'hello']);
    assert.deepEqual(
      [kept.status, kept.err],
      [
        3,
        'The agent refused the credential that was sent (HTTP 401): API key k (query) of the sign-in "bob". It answered: ApiKey\n' +
          'Replace it with: a2a auth login URL --identity bob\n',
      ],
    );
    const header = await run(['send', machine.url, 'hello', '--header', `Authorization: Bearer ${wrong}`]);
    assert.match(
      header.err,
      /^The agent refused the credential that was sent \(HTTP 401\): the header Authorization\. .*\nCorrect its value: in --header/,
    );
    const explained = await run(['auth', keyed.url]);
    assert.equal(explained.status, 1, explained.out);
    assert.match(
      explained.out,
      /^use +FAILED +The agent refused the credential that was sent \(HTTP 401\): API key k \(query\) of the sign-in "bob"\./m,
    );
    assert.match(explained.out, /^1\. The agent refused the credential that was sent as "tool"/m);
    const nobody = await run(['auth', keyed.url, '--identity', 'none']);
    assert.match(nobody.out, /^use +– +You are not signed in/m);
    assert.doesNotMatch(explained.out + header.err + nobody.out, /c4nary/);
    const file = join(home, 'refused.a2a');
    await writeFile(file, JSON.stringify({ agent: keyed.url, message: 'one' }));
    const ran = await run(['run', file, '--reporter', 'junit']);
    assert.equal(ran.status, 3);
    assert.match(ran.out, /refused the credential that was sent \(HTTP 401\): API key k \(query\) of the sign-in &quot;bob&quot;/);
  });

  test('what --header gives is not part of the request without credentials', async () => {
    const explained = await run(['auth', keyed.url, '--header', 'Authorization: Bearer c4nary-beside']);
    assert.match(explained.out, /^request +ok +The agent refuses a request without credentials/m);
    const open = await guardedAgent(behind.url, {
      allows: ({ headers }) => headers['x-api-key'] === key,
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
    });
    const given = await run(['auth', open.url, '--header', `X-API-Key: ${key}`]);
    await open.close();
    assert.deepEqual([given.status, given.err], [0, '']);
    assert.match(given.out, /^request +ok +The agent refuses a request without credentials \(HTTP 401\)\.$/m);
    assert.match(given.out, /^use +ok +The agent accepts the credentials\.$/m);
  });

  test('an agent that answers with messages, and has no tasks, is explained as one that takes the credentials', async () => {
    const talker = await open.web((request, response) => {
      const { authorization } = request.headers;
      response.setHeader('Content-Type', 'application/json');
      if (request.method === 'GET') {
        const card = minimalCard(`http://${request.headers.host}/`, '1.0');
        response.end(
          JSON.stringify({
            ...card,
            securitySchemes: {
              ci: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${server.issuer}/token`, scopes: {} } } } },
            },
            securityRequirements: [{ schemes: { ci: { list: [] } } }],
          }),
        );
        return;
      }
      request.resume();
      if (authorization === undefined) response.writeHead(401, { 'WWW-Authenticate': 'Bearer' }).end();
      else response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { message: says('I know no tasks') } }));
    });
    const at = ['--allow-origin', server.issuer];
    const none = await run(['auth', talker, '--renew', ...at]);
    assert.match(none.err, /^Nothing was renewed: no sign-in is kept for this agent\./);
    assert.equal((await run(['auth', 'login', talker, ...at], program1)).status, 0);
    const renewed = await run(['auth', talker, '--renew', ...at]);
    assert.equal(renewed.status, 0, renewed.out + renewed.err);
    assert.match(renewed.out, /^use +ok +The agent accepts the credentials\.$/m);
    assert.match(renewed.out, /A task that does not exist was requested\./);
    assert.match(renewed.out, /^refresh +ok +The token was renewed\.$/m);
  });

  test('a2a auth URL --renew renews what is kept, and says so', async () => {
    assert.equal((await run(['auth', 'login', machine.url, '--allow-origin', server.issuer], program1)).status, 0);
    const tokenIn = async (): Promise<string> => /"accessToken": ?"([^"]+)"/.exec(await readFile(path(), 'utf8'))![1]!;
    const [before, grants] = [await tokenIn(), server.grants.length];
    const looked = await run(['auth', machine.url]);
    assert.match(looked.out, /^use +ok +The agent accepts the credentials\.$/m);
    assert.doesNotMatch(looked.out, /^refresh/m);
    assert.equal(await tokenIn(), before);
    const renewed = await run(['auth', machine.url, '--renew']);
    assert.equal(renewed.status, 0, renewed.out + renewed.err);
    assert.match(renewed.out, /^refresh +ok +The token was renewed\.$/m);
    assert.notEqual(await tokenIn(), before);
    assert.deepEqual(server.grants.slice(grants), ['client_credentials']);
    assert.equal(renewed.out.includes(before) || renewed.out.includes(await tokenIn()), false);
  });

  test('an explanation fetches documents from where --allow-origin or an earlier sign-in says, and tells from where', async () => {
    const refused = await run(['auth', person.url]);
    assert.equal(refused.status, 1, refused.out + refused.err);
    assert.match(refused.out, new RegExp(`^server +FAILED +Nothing was fetched from ${server.issuer}:`, 'm'));
    assert.match(refused.out, /--allow-origin/);
    assert.doesNotMatch(refused.out, new RegExp(`Documents were fetched[^\\n]*${server.issuer}`));
    const allowed = await run(['auth', person.url, '--allow-origin', server.issuer]);
    assert.match(allowed.out, /^server +ok /m);
    assert.match(allowed.out, new RegExp(`^Documents were fetched without credentials from: .*${server.issuer}`, 'm'));
  });

  test('an authorization server elsewhere is not used unless it is allowed', async () => {
    const login = await run(['auth', 'login', machine.url], program1);
    assert.equal(login.status, 3);
    assert.match(login.err, /Credentials were not sent to http:\/\/127\.0\.0\.1:\d+/);
    assert.doesNotMatch(login.out + login.err, new RegExp(confidential.client_secret));
  });

  test('a2a run signs in by the environment, for every request of the run, and keeps nothing', async () => {
    const before = server.grants.length;
    const file = join(home, 'x.a2a');
    await writeFile(file, JSON.stringify({ agent: machine.url, requests: [{ message: 'one' }, { message: 'two' }] }));
    const ran = await run(['run', file, '--allow-origin', server.issuer], program1);
    assert.equal(ran.status, 0, ran.out + ran.err);
    assert.deepEqual(server.grants.slice(before), ['client_credentials']);
    await assert.rejects(stat(path()), { code: 'ENOENT' });
    const without = await run(['run', file]);
    assert.equal(without.status, 3);
  });

  test('a2a run gives a key of the environment to the first agent of a file, and to no other unless it is allowed', async () => {
    const stranger = await guardedAgent(behind.url, {
      allows: () => true,
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'query', name: 'k' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
    });
    const file = join(home, 'two.a2a');
    await writeFile(
      file,
      JSON.stringify({
        requests: [
          { agent: keyed.url, message: 'one' },
          { agent: stranger.url, message: 'two' },
        ],
      }),
    );
    const ran = await run(['run', file], { A2A_SECRET_KEY: key });
    assert.notEqual(ran.status, 0);
    assert.match(ran.out + ran.err, /A2A_SECRET_KEY was first sent elsewhere/);
    assert.equal(stranger.seen.length, 0);
    const allowed = await run(['run', file, '--allow-origin', stranger.url], { A2A_SECRET_KEY: key });
    assert.equal(allowed.status, 0, allowed.out + allowed.err);
    assert.ok(stranger.seen.every(({ url }) => url.includes(encodeURIComponent(key))) && stranger.seen.length > 0);
    assert.ok(!`${ran.out}${ran.err}${allowed.out}${allowed.err}`.includes(key));
    await stranger.close();
  });

  test('a key in the query comes from the environment, and is printed nowhere', async () => {
    for (const args of [
      ['send', keyed.url, 'hello'],
      ['send', keyed.url, 'hello', '--json'],
      ['send', keyed.url, 'hello', '--raw'],
    ]) {
      const sent = await run(args, { A2A_SECRET_KEY: key });
      assert.equal(sent.status, 0, sent.err);
      assert.doesNotMatch(sent.out + sent.err, new RegExp(key));
    }
    assert.ok(keyed.seen.some(({ authorized }) => authorized));
  });

  test('a person signs in in the browser', async () => {
    const came = await program.run(['auth', 'login', person.url, '--allow-origin', server.issuer], {
      env: { XDG_CONFIG_HOME: home, APPDATA: home },
      onErr: text => {
        const address = /^http\S+$/m.exec(text)?.[0];
        if (address !== undefined) void signInInBrowser(address, { until: new URL(address).searchParams.get('redirect_uri')! });
      },
    });
    assert.equal(came.status, 0);
    assert.match(came.out, /signed in as alice/);
    const sent = await run(['send', person.url, 'hello']);
    assert.deepEqual([sent.status, sent.out.trim()], [0, 'Welcome']);
  });

  test('a file that others can read is refused', async function () {
    if (process.platform === 'win32') this.skip();
    await mkdir(dirname(path()), { recursive: true });
    await writeFile(path(), '{"version":1,"agents":{}}');
    await chmod(path(), 0o644);
    const sent = await run(['send', machine.url, 'hello']);
    assert.equal(sent.status, 3);
    assert.match(sent.err, /Others can read the file of your sign-ins/);
  });

  test('what is needed and is not there is named by its variable', async () => {
    const login = await run(['auth', 'login', keyed.url]);
    assert.deepEqual(
      [login.status, login.err],
      [2, 'API Key is needed, and there is no terminal to ask in.\nSet the environment variable A2A_SECRET_KEY.\n'],
    );
    const carol = await run(['auth', keyed.url, '--identity', 'carol']);
    assert.match(carol.out, /^use +FAILED +You are not signed in as "carol" at this agent\.$/m);
    assert.match(carol.out, /^1\. You are not signed in/m);
    for (const command of [
      ['send', keyed.url, 'x'],
      ['check', keyed.url],
      ['task', 'get', keyed.url, 't'],
    ]) {
      const asCarol = await run([...command, '--identity', 'carol']);
      assert.equal(asCarol.status, 2, command.join(' '));
      assert.equal(
        asCarol.err.replace(/^.*--allow-work\.\n/, ''),
        'You are not signed in as "carol" at this agent.\nSign in with: a2a auth login URL --identity carol\n',
      );
    }
  });
});
