import * as assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../support/eventually.ts';
import { figure, full, seed } from '../../support/figure.ts';
import { Random } from '../../support/protocol/random.ts';
import { openReceiver, update, type OpenReceiver } from '../../support/receiver/openReceiver.ts';
import { post, type Posting } from '../../support/receiver/post.ts';
import { Signer } from '../../support/receiver/signer.ts';
import type { Webhook } from '../../../src/receiver/webhook.ts';

const forgeries = full ? 10_000 : 400;
const replays = full ? 1_000 : 60;
const slowSenders = full ? 500 : 40;

/** One way to send what is not from the agent. Each is told apart from a right delivery by this alone. */
type Forgery = (right: Posting, random: Random, webhook: Webhook) => Posting;

const secret = (random: Random): string => Buffer.from(random.list(32, () => random.below(256), 32)).toString('base64url');
const tokenIs =
  (made: (token: string, random: Random) => string): Forgery =>
  (right, random, { token = '' }) => ({
    ...right,
    headers: { ...right.headers, 'x-a2a-notification-token': made(token, random) },
  });
const headerIs =
  (name: string, ...values: readonly string[]): Forgery =>
  (right, random) => ({
    ...right,
    headers: { ...right.headers, [name]: random.pick(values) },
  });
const pathIs =
  (made: (path: string, random: Random) => string): Forgery =>
  (right, random, { path }) => ({ ...right, path: made(path, random) });

const withToken: readonly Forgery[] = [
  tokenIs((_, random) => secret(random)),
  tokenIs(token => token.slice(0, -1)),
  tokenIs(token => `${token}x`),
  tokenIs(token => token.toUpperCase() + token.toLowerCase()),
  tokenIs((token, random) => {
    const at = random.below(token.length);
    return `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
  }),
  tokenIs(() => ''),
  tokenIs(token => `Bearer ${token}`),
  (right, random, { token = '' }) => ({ ...right, headers: { ...right.headers, 'x-a2a-notification-token': [token, secret(random)] } }),
  ({ headers: { 'x-a2a-notification-token': _, ...headers } = {}, ...right }) => ({ ...right, headers }),
  ({ headers: { 'x-a2a-notification-token': token = '', ...headers } = {}, ...right }) => ({
    ...right,
    headers: { ...headers, 'x-token': token },
  }),
  pathIs((_, random) => `/${secret(random)}`),
  pathIs(path => path.slice(0, -1)),
  pathIs(path => `${path}/`),
  pathIs(path => `/.${path}`),
  pathIs(path => `${path}?a=1`),
  pathIs(path => `/x/..${path}`),
  pathIs(path => path.replace('/', '/%2e%2e/')),
  pathIs((_, random) => random.pick(['/', '/hook', '/webhook', '/a2a', '/moved', '/.well-known/agent-card.json'])),
  headerIs(
    'host',
    'evil.example',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost',
    'localhost.evil.example',
    '0.0.0.0',
    '[::]',
    '127.1',
    '169.254.169.254',
  ),
  headerIs('origin', 'null', 'http://127.0.0.1', 'http://localhost:3000', 'https://evil.example', 'vscode-webview://x', ''),
  headerIs(
    'content-type',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/html',
    'application/jsonx',
    '',
  ),
  headerIs('content-encoding', 'gzip', 'br', 'deflate', 'zstd'),
  (right, random) => ({ ...right, method: random.pick(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE']) }),
  (right, random) => ({ ...right, body: update(random.pick(['other', '', 'T', 't ', '__proto__']), 'x') }),
];

const right = (webhook: Webhook, text: string): Posting => ({
  headers: { 'x-a2a-notification-token': webhook.token ?? '' },
  body: update('t', text),
});

suite('deliveries that are not from the agent', function () {
  this.timeout(full ? 600_000 : 60_000);
  let open: OpenReceiver;
  let agent: Agent;
  setup(async () => {
    open = await openReceiver();
    agent = new Agent({ keepAlive: true, maxSockets: 8 });
  });
  teardown(async () => {
    agent.destroy();
    await open.receiver.stop();
  });

  /** Sends them, some at a time; gives how many were answered with success. */
  async function successes(url: string, postings: readonly Posting[]): Promise<number> {
    let count = 0;
    const rest = postings.values();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const posting of rest) if ((await post(url, posting, agent)).status === 200) count++;
      }),
    );
    return count;
  }

  test('no forged delivery is accepted, and every right one is', async () => {
    const random = new Random(seed);
    const signer = new Signer();
    const stranger = new Signer();
    const webhook = open.receiver.open();
    webhook.taskIds.add('t');
    const signed = open.receiver.open({ token: null, jwt: { verify: signer.verify, issuer: 'agent', audience: 'me' } });
    const claims = { iss: 'agent', aud: 'me', taskId: 't' };
    const seconds = Math.floor(Date.now() / 1000);
    const jwts: readonly ((body: string) => string)[] = [
      body => stranger.jwt(body, claims),
      body => signer.jwt(body, claims, { alg: 'none' }),
      body => signer.jwt(body, claims, { alg: 'HS256' }),
      body => signer.jwt(`${body} `, claims),
      body => signer.jwt(body, { ...claims, iat: seconds - 600 }),
      body => signer.jwt(body, { ...claims, iat: undefined }),
      body => signer.jwt(body, { ...claims, exp: seconds - 600 }),
      body => signer.jwt(body, { ...claims, iss: 'other' }),
      body => signer.jwt(body, { ...claims, aud: 'other' }),
      body => signer.jwt(body, { ...claims, taskId: 'other' }),
      body => signer.jwt(body, claims).slice(0, -8),
      () => secret(random),
    ];
    const forged: Posting[] = [];
    const forgedJwts: Posting[] = [];
    for (let index = 0; index < forgeries; index++) {
      const isSigned = index % 5 === 4;
      const body = update('t', `forged ${index}`);
      if (isSigned) forgedJwts.push({ headers: { authorization: `Bearer ${jwts[forgedJwts.length % jwts.length]!(body)}` }, body });
      else forged.push(withToken[forged.length % withToken.length]!(right(webhook, `forged ${index}`), random, webhook));
    }
    const rightOnes = Array.from({ length: 100 }, (_, index) => right(webhook, `right ${index}`));
    const accepted = (await successes(webhook.url, forged)) + (await successes(signed.url, forgedJwts));
    const applied = open.deliveries.filter(({ isApplied }) => isApplied).length;
    const refusedRight = rightOnes.length - (await successes(webhook.url, rightOnes));
    figure(
      'F19',
      { forged: forged.length + forgedJwts.length, accepted: accepted + applied, 'right ones refused': refusedRight },
      `${forgeries} forged deliveries of ${withToken.length + jwts.length} kinds, ${accepted + applied} accepted (seed ${seed})`,
    );
    assert.deepEqual([accepted, applied, refusedRight], [0, 0, 0]);
    // So that each was refused for what is forged in it, and not for something else.
    assert.ok(open.deliveries.length >= forgeries / 4, String(open.deliveries.length));
  });

  test('what is sent again is applied once', async () => {
    const webhook = open.receiver.open();
    const first = Array.from({ length: 20 }, (_, index) => right(webhook, `right ${index}`));
    const again = Array.from({ length: replays }, (_, index) => first[index % first.length]!);
    assert.equal(await successes(webhook.url, [...first, ...again]), first.length + again.length);
    const applied = open.deliveries.filter(({ isApplied }) => isApplied).length;
    figure(
      'F19',
      { replays: again.length, 'applied twice': applied - first.length },
      `${again.length} replays, ${applied - first.length} of them applied`,
    );
    assert.equal(applied, first.length);
  });

  test('slow senders are cut, and a right delivery comes through beside them', async () => {
    await open.receiver.stop();
    open = await openReceiver({ headMs: 600, requestMs: 900 });
    const webhook = open.receiver.open();
    const { port } = open.receiver;
    const slow = Array.from({ length: slowSenders }, (_, index) => dripping(port, webhook.path, index));
    await eventually(async () => assert.equal((await post(webhook.url, right(webhook, 'right'))).status, 200));
    // How many are left is the figure.
    await eventually(() => assert.ok(slow.every(({ destroyed }) => destroyed)), 20_000).catch(() => {});
    const left = slow.filter(({ destroyed }) => !destroyed).length;
    for (const socket of slow) socket.destroy();
    figure(
      'F19',
      { 'slow senders': slow.length, 'slow senders left': left },
      `${slow.length} senders of a byte at a time, ${left} not cut`,
    );
    assert.equal(left, 0);
    assert.equal(open.deliveries.filter(({ isApplied }) => isApplied).length, 1);
  });
});

/** Sends a request a byte at a time: one in two its head, the others its body. */
function dripping(port: number, path: string, index: number): Socket {
  const socket = connect(port, '127.0.0.1');
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n`;
  socket.write(index % 2 === 0 ? head : `${head}\r\n`);
  const timer = setInterval(() => socket.write('x'), 50);
  return socket
    .on('error', () => {})
    .once('close', () => clearInterval(timer))
    .resume();
}
