import * as assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minimalCard } from '../../src/mock/minimalCard.ts';
import { answer, attacks, json } from '../support/auth/canaries/canaryAttacks.ts';
import { type Flow, flows } from '../support/auth/canaries/canaryFlows.ts';
import { idTokenOf, secretsOf } from '../support/auth/canaries/canarySecrets.ts';
import { SecretFinder } from '../support/auth/canaries/secretFinder.ts';
import { hostileServer, type HostileServer } from '../support/auth/hostileServer.ts';
import { TerminalFolder } from '../support/cli/terminalFolder.ts';
import { CertificateAuthority, pfx } from '../support/client/certificates.ts';
import { OpenThings } from '../support/client/openThings.ts';
import { caught, figure, full } from '../support/figure.ts';
import { TerminalProgram } from './support/terminalProgram.ts';

/** Those of an answer to a message: the message says which, by its index. */
const quotes = Object.entries(attacks).filter(
  ([name]) => /^(?:an? |the body)/.test(name) && !/card|metadata|refusal|server|page/.test(name),
);
const reporters = ['spec', 'junit', 'json', 'github', 'latency'] as const;
/** In a sample that of OpenID Connect, which has the most secrets. */
const sampled = full ? flows : flows.slice(-1);

/** What came of commands that sign in with each flow and then have every secret quoted to them. */
interface Printed {
  readonly outputs: number;
  /** Of each flow. */
  readonly texts: readonly string[];
  /** Secrets that are printed, and those that agents and servers were sent, by flow and kind. */
  readonly found: ReadonlySet<string>;
  readonly sent: ReadonlySet<string>;
}

suite('secrets of sign-ins in what a2a prints', function () {
  this.timeout(full ? 1_200_000 : 240_000);
  const open = new OpenThings();
  const folder = mkdtempSync(join(tmpdir(), 'a2a-printed-'));
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(async () => {
    await open.close();
    await program.remove();
    rmSync(folder, { recursive: true });
  });

  async function printedWith(tried: readonly Flow[], program: TerminalFolder): Promise<Printed> {
    const all = tried.map((_, index) => secretsOf(index));
    const bases: string[] = [];
    /** Requests of those that are signed in, so that it is known that the secrets were used. */
    const here: string[] = [];
    const homes = tried.map(() => mkdtempSync(join(folder, 'home-')));
    const kept = (index: number): string => readFileSync(join(homes[index]!, 'a2a-workbench', 'sign-ins.json'), 'utf8');
    const cardOf = (index: number): object => ({
      ...minimalCard(`${bases[index]!}a`, '1.0'),
      capabilities: { streaming: true },
      securitySchemes: { main: tried[index]!.scheme(`${server.url}/case-${index}`) },
      securityRequirements: [{ schemes: { main: { list: [] } } }],
    });
    const server: HostileServer = await hostileServer(open, index =>
      tried[index] === undefined
        ? undefined
        : {
            secrets: {
              accessToken: all[index]!.access,
              refreshToken: all[index]!.refresh,
              deviceCode: all[index]!.device,
              ...(tried[index].openId === true && {
                idToken: nonce => (all[index]!.id = idTokenOf(index, `${server.url}/case-${index}`, nonce)),
              }),
            },
          },
    );
    const answers = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const index = Number(/^\/case-(\d+)\//.exec(request.url ?? '')?.[1] ?? -1);
      if (tried[index] === undefined) return void response.writeHead(404).end();
      here[index] = `${here[index] ?? ''}${request.url} ${request.rawHeaders.join('\n')}\n`;
      if (request.method === 'GET') return void json(response, cardOf(index));
      const { id, method } = JSON.parse(body) as { id: unknown; method: string };
      const [, which] = /#(\d+)#/.exec(body) ?? [];
      const quote = which === undefined ? undefined : quotes[Number(which)];
      // A stream is asked for as such.
      if (quote === undefined || (method === 'SendMessage' && quote[0].startsWith('a stream')))
        return void json(response, answer(id, 'fine'));
      quote[1]({
        place: 'message',
        request,
        response,
        secrets: all[index]!,
        // What is over and what was never given is kept nowhere: a later command does not know it.
        sent: tried[index].sent.filter(kind => kind === 'password' || kept(index).includes(JSON.stringify(all[index]![kind]))),
        base: `${bases[index]!}a`,
        there: server.url,
        id,
        card: cardOf(index),
      });
    };
    const agentUrl = await open.web((request, response) => void answers(request, response));
    tried.forEach((_, index) => (bases[index] = `${agentUrl}case-${index}/`));

    let cases = 0;
    const printed: string[] = [];
    const goes = async (index: number): Promise<void> => {
      const flow = tried[index]!;
      const secrets = all[index]!;
      const home = homes[index]!;
      const env = {
        XDG_CONFIG_HOME: home,
        APPDATA: home,
        A2A_SECRET_CLIENT_ID: 'client',
        A2A_SECRET_USER: 'ann',
        A2A_SECRET_CLIENT_SECRET: flow.confidential === true ? secrets['client-secret'] : '',
        A2A_SECRET_PASSWORD: secrets.password,
        A2A_SECRET_TOKEN: secrets.token,
        A2A_SECRET_KEY: secrets.key,
      };
      /** In later commands, what is kept is used, and nothing of the environment. */
      const { XDG_CONFIG_HOME, APPDATA } = env;
      const tell = (text: string): void => void (printed[index] = `${printed[index] ?? ''}\n${text}`);
      const run = async (args: readonly string[]): Promise<number | null> => {
        cases++;
        const { status, out, err } = await program.run(args, { cwd: home, env: { XDG_CONFIG_HOME, APPDATA } });
        tell(`${out}\n${err}`);
        return status;
      };
      const device = flow.sent.includes('device') ? ['--device'] : [];
      const { status, out, err } = await program.run(['auth', 'login', bases[index]!, '--allow-origin', server.url, ...device], {
        cwd: home,
        env,
        // The browser.
        onErr: text => {
          const address = /http:\/\/\S+\/authorize\?\S+/.exec(text)?.[0];
          if (address !== undefined) void fetch(address).catch(() => {});
        },
      });
      tell(`${out}\n${err}`);
      assert.equal(status, 0, `${flow.name}: ${out}${err}`);
      writeFileSync(
        join(home, 'all.a2a'),
        JSON.stringify({
          agent: bases[index]!,
          requests: quotes.map((_, which) => ({ name: `q${which}`, message: `quote #${which}#`, expect: { text: 'nowhere' } })),
        }),
      );
      const written = reporters.flatMap(reporter => ['--reporter', `${reporter}=${join(home, `${reporter}.txt`)}`]);
      assert.equal(
        await run(['run', 'all.a2a', '--parallel', '10', '--timeout', '5s', '--verbose', '--output', join(home, 'answers'), ...written]),
        1,
      );
      for (const reporter of reporters) tell(readFileSync(join(home, `${reporter}.txt`), 'utf8'));
      for (const file of readdirSync(join(home, 'answers'), { recursive: true, encoding: 'utf8' }))
        if (file.includes('.')) tell(readFileSync(join(home, 'answers', file), 'utf8'));
      cases += quotes.length * (reporters.length + 1);
      for (const options of [['--json'], ['--raw'], ['--stream', '--json'], ['--stream', '--raw']])
        await run([
          'send',
          bases[index]!,
          'quote #' + String(quotes.findIndex(([name]) => name === 'an answer, in base64')) + '#',
          ...options,
        ]);
      await run([
        'send',
        bases[index]!,
        'quote #' + String(quotes.findIndex(([name]) => name === 'a stream in pieces, as it is')) + '#',
        '--stream',
        '--json',
      ]);
      await run(['send', bases[index]!, 'quote #' + String(quotes.findIndex(([name]) => name === 'an error, as it is')) + '#']);
      await run(['auth', 'status', bases[index]!, '--json']);
      await run(['auth', bases[index]!, '--json', '--allow-origin', server.url]);
    };
    const waiting = tried.map((_, index) => index);
    await Promise.all(
      [1, 2, 3].map(async () => {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await goes(index);
      }),
    );
    const finder = new SecretFinder();
    tried.forEach(({ name, sent }, index) => {
      for (const kind of sent) if (all[index]![kind] !== '') finder.add(all[index]![kind], `${name}: ${kind}`);
    });
    const used = finder.in(here.join('\n'));
    const sent = tried.flatMap(({ name, sent: kinds }, index) => [
      ...kinds.map(kind => `${name}: ${kind}`).filter(title => used.has(title)),
      ...(here[index]!.includes(Buffer.from(`ann:${all[index]!.password}`).toString('base64')) ? [`${name}: password`] : []),
    ]);
    return { outputs: cases, texts: printed, found: finder.in(printed.join('\n')), sent: new Set(sent) };
  }

  test('no reporter, no --json, --raw or --stream and no explanation prints one', async () => {
    const { outputs, texts, found, sent } = await printedWith(sampled, program);
    figure(
      'F30',
      { outputs, 'with a secret': found.size },
      `${outputs} outputs of a2a for ${sampled.length} flows of sign-ins, ${found.size} with a secret`,
    );
    assert.deepEqual([...found], []);
    assert.ok(outputs >= 50 * sampled.length, String(outputs));
    // Nothing can be found where nothing was printed, or where nobody had a secret to repeat.
    for (const [index, { name }] of sampled.entries()) {
      assert.match(texts[index]!, /••••••/, name);
      assert.ok(
        [...sent].some(title => title.startsWith(`${name}: `)),
        name,
      );
    }
  });

  if (full)
    test('a client and a terminal that mask nothing are caught', async () => {
      // What the one forgets the other masks.
      const flawed = await TerminalProgram.build(
        {
          file: 'src/client/wireLog/sentCredentials.ts',
          from: 'if (hits.length === 0) return text;',
          to: 'if (hits.length >= 0) return text;',
        },
        {
          file: 'src/protocol/secrets/secretValues.ts',
          from: 'if (this.#values.size === 0) return text;',
          to: 'if (this.#values.size >= 0) return text;',
        },
      );
      const { found, texts } = await printedWith(
        flows.filter(({ name }) => name === 'bearer'),
        flawed,
      );
      await flawed.remove();
      assert.deepEqual([...found], ['bearer: token'], texts.join('\n').slice(0, 5_000));
      caught('F30', 'a client and a terminal that mask nothing');
    });

  test('the passphrase of a PFX file is printed by nothing, whether it fits or not', async () => {
    const passphrase = 'Kz9/pass"phrase+<of>& a PFX';
    const authority = new CertificateAuthority('ours');
    const [server, alice] = [authority.issue('server'), authority.issue('alice')];
    const home = mkdtempSync(join(folder, 'pfx-'));
    for (const [name, bytes] of Object.entries({
      'ca.pem': authority.cert,
      'alice.p12': pfx(alice, passphrase),
      'other.p12': pfx(alice, 'another'),
    }))
      writeFileSync(join(home, name), bytes);
    // It has learned the passphrase, whoever told it.
    const said = [passphrase, encodeURIComponent(passphrase), Buffer.from(passphrase).toString('base64')].join(' ');
    let front = '';
    const behind = await open.web((request, response) => {
      request.resume();
      if (request.method === 'GET')
        json(response, {
          ...minimalCard(front, '1.0'),
          capabilities: { streaming: true },
          securitySchemes: { staff: { mtlsSecurityScheme: {} } },
          securityRequirements: [{ schemes: { staff: { list: [] } } }],
        });
      else json(response, answer(1, said));
    });
    const tls = await open.tls(behind.slice(0, -1), {
      key: server.key,
      cert: server.cert,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: true,
    });
    front = tls.url;
    const env = { XDG_CONFIG_HOME: home, APPDATA: home, A2A_TLS_PASSPHRASE: passphrase };
    const printed: string[] = [];
    const run = async (args: readonly string[], file = 'alice.p12'): Promise<number | null> => {
      const { status, out, err } = await program.run([...args, '--ca', 'ca.pem', '--pfx', file], { cwd: home, env });
      printed.push(out, err);
      return status;
    };
    writeFileSync(join(home, 'x.a2a'), JSON.stringify({ agent: front, message: 'hi', expect: { text: 'nowhere' } }));
    for (const command of [
      ['auth', 'login', front],
      ...(full ? [[], ['--json'], ['--raw'], ['--stream', '--raw']] : [['--stream', '--raw']]).map(each => ['send', front, 'hi', ...each]),
    ]) {
      assert.equal(await run(command), 0, printed.join('\n'));
      assert.notEqual(await run(command, 'other.p12'), 0);
    }
    const written = reporters.flatMap(reporter => ['--reporter', `${reporter}=${reporter}.txt`]);
    assert.equal(await run(['run', 'x.a2a', '--verbose', ...written]), 1, printed.join('\n'));
    for (const reporter of reporters) printed.push(readFileSync(join(home, `${reporter}.txt`), 'utf8'));
    await run(['auth', front, '--json']);
    assert.equal(tls.clients.at(-1), 'alice');
    assert.match(printed.join('\n'), /Wrong passphrase for the PFX file/);
    const finder = new SecretFinder();
    finder.add(passphrase, 'passphrase');
    assert.deepEqual([...finder.in(printed.join('\n') + readFileSync(join(home, 'a2a-workbench', 'sign-ins.json'), 'utf8'))], []);
  });
});
