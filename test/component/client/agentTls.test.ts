import * as assert from 'node:assert/strict';
import { createCipheriv, createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { ConfiguredHeaders } from '../../../src/client/http/configuredHeaders.ts';
import type { AgentTls } from '../../../src/client/http/agentTls.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { openTaskSocket } from '../../../src/client/taskRest/taskSocket.ts';
import { WebSocketServer } from '../../../src/mock/webSocketServer.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import type { TlsSettings } from '../../../src/model/agents/agentSettings.ts';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { Problem } from '../../../src/protocol/problem.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';
import { settingsFile } from '../../../src/request/values/settingsFile.ts';
import { CertificateAuthority, encryptedKey, pfx } from '../../support/client/certificates.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { serveGrpcAgent } from '../../support/client/grpcAgents.ts';
import { asks, says } from '../../support/client/says.ts';
import type { TlsInFront } from '../../support/client/tlsInFront.ts';

const script = {
  SendMessage: [{ answer: { message: says('Hi') } }],
  SendStreamingMessage: [{ event: { message: says('Hi') } }],
} as const;

/** An encrypted key as a wrong passphrase sees it once in 256 times: it decrypts, and is no key. */
function garbledKey(passphrase: string): string {
  const iv = Buffer.alloc(16, 7);
  const key = createHash('md5').update(passphrase).update(iv.subarray(0, 8)).digest();
  const cipher = createCipheriv('aes-128-cbc', key, iv);
  const body = Buffer.concat([cipher.update('no key at all'), cipher.final()]).toString('base64');
  const info = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${iv.toString('hex').toUpperCase()}`;
  return `-----BEGIN RSA PRIVATE KEY-----\n${info}\n\n${body}\n-----END RSA PRIVATE KEY-----\n`;
}

suite('TLS of one agent', () => {
  const open = new OpenThings();
  const servers: { stop(): Promise<void> }[] = [];
  const ours = new CertificateAuthority('ours');
  const theirs = new CertificateAuthority('theirs');
  const server = ours.issue('server');
  const alice = ours.issue('alice');
  const bob = ours.issue('bob');
  const stranger = theirs.issue('stranger');
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tls-'));
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = {
    ca: file('ca.pem', ours.cert),
    alice: { certificate: file('alice.pem', alice.cert), key: file('alice.key', alice.key) },
    locked: file('locked.key', encryptedKey(alice.privateKey, 'open sesame')),
    garbled: file('garbled.key', garbledKey('wrong')),
    pfx: file('alice.p12', pfx(alice, 'open sesame')),
    bobKey: file('bob.key', bob.key),
    bob: file('bob.pem', bob.cert),
    stranger: { certificate: file('stranger.pem', stranger.cert), key: file('stranger.key', stranger.key) },
    text: file('text.txt', 'hello'),
  };
  suiteTeardown(() => rmSync(folder, { recursive: true }));
  teardown(async () => {
    await open.close();
    await Promise.all(servers.splice(0).map(server => server.stop()));
  });

  function front(target: string, wantsCertificate = true): Promise<TlsInFront> {
    return open.tls(target, {
      key: server.key,
      cert: server.cert,
      ca: ours.cert,
      requestCert: true,
      rejectUnauthorized: wantsCertificate,
    });
  }

  /** The address of an agent without TLS. */
  async function agentOf(binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC'): Promise<string> {
    if (binding !== 'GRPC') return (await open.agent(script, '1.0', { binding })).url;
    const agent = await serveGrpcAgent('1.0');
    servers.push(agent);
    return `http://${agent.address}`;
  }

  const bytes = (text: string): Uint8Array => Buffer.from(text);
  const asAlice: AgentTls = async () => ({ certificate: bytes(alice.cert), key: bytes(alice.key), ca: bytes(ours.cert) });
  const asBob: AgentTls = async () => ({ certificate: bytes(bob.cert), key: bytes(bob.key), ca: bytes(ours.cert) });
  const secured = (tls: AgentTls): ConfiguredHeaders => new ConfiguredHeaders([], async () => ({}), { tls });

  for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const) {
    test(`a client certificate over ${binding}, and each agent its own`, async () => {
      const { url, clients } = await front(await agentOf(binding));
      const http = open.http();
      const card = readAgentCard(minimalCard(url, '1.0', binding), ignoreFindings);
      const chosen = chooseInterface(card, url);
      const client = (headers?: ConfiguredHeaders): AgentClient =>
        new AgentClient({ card, chosen, http, agentUrl: url, ...(headers && { headers }) });
      for (const tls of [asAlice, asBob, asAlice]) {
        const { result } = await client(secured(tls)).call('SendMessage', asks('hello'));
        assert.ok('message' in result);
      }
      assert.deepEqual(new Set(clients), new Set(['alice', 'bob']));
      assert.equal(clients[1], 'bob');
      // Without them, nobody is let in, although connections of the others are open.
      await assert.rejects(client().call('SendMessage', asks('hello')), Problem);
      assert.deepEqual(new Set(clients), new Set(['alice', 'bob']));
      const events = [];
      for await (const batch of client(secured(asBob)).stream('SendStreamingMessage', asks('hello'))) events.push(...batch.events);
      assert.equal(events.length, 1);
    });
  }

  test('a client certificate for a WebSocket', async () => {
    const web = createServer({ key: server.key, cert: server.cert, ca: ours.cert, requestCert: true, rejectUnauthorized: true });
    const names: unknown[] = [];
    const sockets = new WebSocketServer({ server: web });
    sockets.on('connection', (socket, request) => {
      names.push((request.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate().subject.CN);
      socket.close();
    });
    await new Promise<void>(resolve => void web.listen(0, '127.0.0.1', resolve));
    try {
      const url = new URL(`https://127.0.0.1:${(web.address() as AddressInfo).port}`);
      const opened = async (tls?: AgentTls): Promise<boolean> => {
        const headers = new ConfiguredHeaders([], async () => ({}), { tls });
        const subject = { operation: 'SubscribeToTask', protocolBinding: 'task-rest', protocolVersion: 'task-rest' } as const;
        const peer = { url, headers, http: open.http() } as unknown as Parameters<typeof openTaskSocket>[0];
        return (await openTaskSocket(peer, subject, { opening: 5_000, maxPayload: 1_000 }, {})) !== undefined;
      };
      assert.equal(await opened(asAlice), true);
      assert.deepEqual(names, ['alice']);
      assert.equal(await opened(), false);
      assert.equal(await opened(async () => ({ ca: bytes(ours.cert) })), false);
      assert.deepEqual(names, ['alice']);
    } finally {
      sockets.close();
      web.close();
    }
  });

  /** An agent of the user's settings with these files, and what comes of looking for its card. */
  async function looked(
    url: string,
    tls: TlsSettings | undefined,
    secrets: Readonly<Record<string, string>> = {},
    more: object = {},
  ): Promise<Problem | undefined> {
    const values = {
      env: () => undefined,
      secret: async (name: string) => secrets[name],
      onUse: () => {},
      origins: new SecretOrigins(),
      file: settingsFile,
    };
    const agents = new Agents({ http: open.http(), values });
    agents.configure({ A: { url, ...(tls && { tls }), ...more } });
    const agent = agents.get('A')!;
    await agent.check();
    agents.dispose();
    return agent.problem;
  }

  const passphrase = '{{$secret KEY}}';
  const right = { KEY: 'open sesame' };
  const works: Readonly<Record<string, readonly [tls: TlsSettings, secrets?: Readonly<Record<string, string>>]>> = {
    'a certificate and its key': [{ ...files.alice, ca: files.ca }],
    'a key with a passphrase': [{ certificate: files.alice.certificate, key: files.locked, passphrase, ca: files.ca }, right],
    'a PFX file with a passphrase': [{ pfx: files.pfx, passphrase, ca: files.ca }, right],
    'a server that is not checked': [{ ...files.alice, rejectUnauthorized: false }],
  };
  for (const [name, [tls, secrets]] of Object.entries(works)) {
    test(`${name}: the server lets it in`, async () => {
      const { url, clients } = await front((await open.agent(script)).url);
      assert.equal(
        (await looked(url, tls, secrets, { interface: { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' } }))?.message,
        undefined,
      );
      assert.deepEqual(new Set(clients), new Set(['alice']));
    });
  }

  interface Failure {
    readonly tls?: TlsSettings;
    readonly secrets?: Readonly<Record<string, string>>;
    readonly more?: object;
    readonly code: string;
    readonly says: RegExp;
    readonly step: RegExp;
  }
  const fails: Readonly<Record<string, Failure>> = {
    'a file that is missing': { tls: { ca: join(folder, 'nowhere.pem') }, code: 'tls-files', says: /nowhere\.pem/, step: /path/ },
    'a path without a folder': { tls: { ca: 'ca.pem' }, code: 'tls-files', says: /ca\.pem.*relative/, step: /path/ },
    'a workspace that names a file outside': {
      tls: { ...files.alice },
      more: { ofWorkspace: true, base: join(folder, 'inner') },
      code: 'tls-files',
      says: /alice/,
      step: /path/,
    },
    'a workspace that is in no folder': {
      tls: { ca: files.ca },
      more: { ofWorkspace: true },
      code: 'tls-files',
      says: /folder/,
      step: /path/,
    },
    'a wrong passphrase of a key': {
      tls: { certificate: files.alice.certificate, key: files.locked, passphrase },
      secrets: { KEY: 'wrong' },
      code: 'tls-files',
      says: /Wrong passphrase for the private key/,
      step: /secret/,
    },
    'a wrong passphrase of a key that it decrypts to something': {
      tls: { certificate: files.alice.certificate, key: files.garbled, passphrase },
      secrets: { KEY: 'wrong' },
      code: 'tls-files',
      says: /Wrong passphrase for the private key/,
      step: /secret/,
    },
    'no passphrase of a key': {
      tls: { certificate: files.alice.certificate, key: files.locked },
      code: 'tls-files',
      says: /protected by a passphrase/,
      step: /"passphrase": "\{\{\$secret NAME\}\}"/,
    },
    'a wrong passphrase of a PFX file': {
      tls: { pfx: files.pfx, passphrase },
      secrets: { KEY: 'wrong' },
      code: 'tls-files',
      says: /Wrong passphrase for the PFX file/,
      step: /secret/,
    },
    'no passphrase of a PFX file': { tls: { pfx: files.pfx }, code: 'tls-files', says: /PFX file is protected/, step: /passphrase/ },
    'a secret that is not set': {
      tls: { pfx: files.pfx, passphrase },
      code: 'secret-missing',
      says: /needs the secret KEY/,
      step: /Set Secret/,
    },
    'a key of another certificate': {
      tls: { certificate: files.alice.certificate, key: files.bobKey },
      code: 'tls-files',
      says: /does not belong to the client certificate/,
      step: /"key"/,
    },
    'a PFX file that is none': { tls: { pfx: files.text }, code: 'tls-files', says: /not a PFX file/, step: /\.p12/ },
    'a certificate that is none': {
      tls: { certificate: files.text, key: files.text },
      code: 'tls-files',
      says: /cannot be read/,
      step: /PEM/,
    },
    'an authority that is none': { tls: { ca: files.text }, code: 'tls-files', says: /no certificate in PEM/, step: /BEGIN CERTIFICATE/ },
    'a server of an unknown authority': { code: 'tls', says: /authority that is not known here|self-signed/, step: /"ca" in "tls"/ },
    'a server of an unknown authority, for an agent with a client certificate': {
      tls: files.alice,
      code: 'tls',
      says: /authority that is not known here|self-signed/,
      step: /"ca" in "tls"/,
    },
    'a server that wants a certificate': {
      tls: { ca: files.ca },
      code: 'unreachable',
      says: /closed the connection|certificate/,
      step: /client certificate/,
    },
    'a server that takes another certificate': {
      tls: { ...files.stranger, ca: files.ca },
      code: 'unreachable',
      says: /closed the connection|certificate/,
      step: /./,
    },
  };
  for (const [name, { tls, secrets, more, code, says: words, step }] of Object.entries(fails)) {
    test(`${name}: one sentence, and what to do`, async () => {
      const { url, clients } = await front((await open.agent(script)).url);
      const problem = await looked(url, tls, secrets, more);
      assert.ok(problem !== undefined);
      assert.equal(problem.code, code, problem.message);
      assert.match(problem.message, words);
      assert.match(problem.nextStep?.template.replaceAll('{0}', String(problem.nextStep.args[0])) ?? '', step);
      assert.doesNotMatch(`${problem.message} ${problem.details ?? ''}`, /open sesame|wrong"/);
      assert.deepEqual(clients, []);
    });
  }

  test('a certificate is for approved origins alone', async () => {
    const { url: own, clients: atOwn } = await front((await open.agent(script)).url, false);
    const other = await front((await open.agent(script)).url, false);
    const redirecting = await open.web(
      (_request, response) => void response.writeHead(302, { Location: `${other.url}/.well-known/agent-card.json` }).end(),
    );
    const away = await front(redirecting.replace(/\/$/, ''), false);
    const all = { ...files.alice, ca: files.ca };
    // Redirected to another origin, the machine's own settings count: its certificate is not trusted there.
    assert.equal((await looked(away.url, all))?.code, 'tls');
    assert.deepEqual(other.clients, []);
    assert.deepEqual(new Set(away.clients), new Set(['alice']));
    assert.equal(
      (await looked(own, all, {}, { interface: { url: other.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' } }))?.message,
      undefined,
    );
    assert.deepEqual(new Set(atOwn), new Set(['alice']));
  });
});
