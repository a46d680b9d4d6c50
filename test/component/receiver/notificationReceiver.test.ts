import * as assert from 'node:assert/strict';
import { connect } from 'node:net';
import { english } from '../../../src/protocol/problem.ts';
import type { Delivery } from '../../../src/receiver/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { openReceiver, update, type OpenReceiver } from '../../support/receiver/openReceiver.ts';
import { post, type Posted } from '../../support/receiver/post.ts';
import { Signer } from '../../support/receiver/signer.ts';

const outcomes = ({ verdicts }: Delivery): string[] => verdicts.map(({ of, outcome }) => `${of} ${outcome}`);

suite('receiver of push notifications', () => {
  let open: OpenReceiver;
  setup(async () => {
    open = await openReceiver();
  });
  teardown(() => open.receiver.stop());

  const withToken = (token: string | undefined): Record<string, string> => ({ 'x-a2a-notification-token': token ?? '' });
  const send = (url: string, token: string | undefined, body: string): Promise<Posted> => post(url, { headers: withToken(token), body });

  test('a delivery with its token is taken, with its bytes, its content and what was checked; secrets in it are masked', async () => {
    const webhook = open.receiver.open({ authentication: { scheme: 'Bearer', credentials: 'abc-credentials' } });
    webhook.taskIds.add('t');
    assert.match(webhook.url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
    assert.match(webhook.token!, /^[\w-]{43}$/);
    const body = update('t', `my token is ${webhook.token}`);
    const headers = { ...withToken(webhook.token), authorization: 'bearer abc-credentials', 'content-type': 'application/a2a+json' };
    const answered = await post(webhook.url, { headers, body });
    assert.deepEqual([answered.status, answered.body], [200, '']);
    const [delivery] = open.deliveries;
    assert.deepEqual(outcomes(delivery!), ['token passed', 'task passed', 'authorization passed']);
    assert.deepEqual([delivery!.isApplied, delivery!.taskId, delivery!.protocolVersion, delivery!.findings], [true, 't', '1.0', []]);
    assert.ok(delivery!.content !== undefined && 'statusUpdate' in delivery!.content);
    const shown = JSON.stringify(delivery!.headers) + Buffer.from(delivery!.body).toString();
    assert.ok(!shown.includes(webhook.token!) && !shown.includes('abc-credentials'));
    assert.match(shown, /my token is ••••••/);
    assert.deepEqual(open.receiver.deliveries, open.deliveries);
  });

  test('one of token and Authorization is enough, a wrong one of them is not', async () => {
    const webhook = open.receiver.open({ authentication: { scheme: 'Basic', credentials: 'eDp5' } });
    const tries: readonly (readonly [headers: Record<string, string>, status: number, said: string])[] = [
      [withToken(webhook.token), 200, 'token passed, authorization absent'],
      [{ 'a2a-notification-token': webhook.token! }, 200, 'token passed, authorization absent'],
      [{ authorization: 'Basic eDp5' }, 200, 'token absent, authorization passed'],
      [{}, 401, 'token absent, authorization absent'],
      [{ ...withToken(webhook.token), authorization: 'Basic eDp6' }, 401, 'token passed, authorization failed'],
      [{ ...withToken('x'), authorization: 'Basic eDp5' }, 401, 'token failed, authorization passed'],
      [{ authorization: 'Bearer eDp5' }, 401, 'token absent, authorization failed'],
    ];
    for (const [index, [headers, status, said]] of tries.entries()) {
      const answered = await post(webhook.url, { headers, body: update('t', String(index)) });
      assert.deepEqual([answered.status, outcomes(open.deliveries[index]!).join(', ')], [status, said]);
      assert.equal(open.deliveries[index]!.isApplied, status === 200);
    }
  });

  test('what is sent again is answered with success and applied once', async () => {
    const webhook = open.receiver.open();
    for (const _ of [1, 2, 3]) assert.equal((await send(webhook.url, webhook.token, update('t', 'same'))).status, 200);
    assert.equal((await send(webhook.url, webhook.token, update('t', 'other'))).status, 200);
    assert.deepEqual(
      open.deliveries.map(({ isApplied, isRepeated }) => [isApplied, isRepeated]),
      [
        [true, false],
        [false, true],
        [false, true],
        [true, false],
      ],
    );
  });

  test('another task than that of the configuration is refused', async () => {
    const webhook = open.receiver.open();
    webhook.taskIds.add('t');
    assert.equal((await send(webhook.url, webhook.token, update('other', 'x'))).status, 401);
    assert.deepEqual(outcomes(open.deliveries[0]!), ['token passed', 'task failed']);
  });

  const refused: Readonly<Record<string, readonly [status: number, change: Parameters<typeof post>[1]]>> = {
    'another host': [403, { headers: { host: 'evil.example' } }],
    'a host that points here': [403, { headers: { host: 'localhost.evil.example:80' } }],
    'any origin': [403, { headers: { origin: 'null' } }],
    'another path': [404, { path: '/' }],
    'the path with a query': [404, { path: '/x?y' }],
    'a question': [405, { method: 'GET' }],
    'a preflight': [405, { method: 'OPTIONS' }],
    'a form': [415, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    'a text': [415, { headers: { 'content-type': 'text/plain' } }],
    'what is compressed': [415, { headers: { 'content-encoding': 'gzip' } }],
    'a body that is too large': [413, { body: ' '.repeat(1024 * 1024 + 1) }],
  };
  for (const [title, [status, change]] of Object.entries(refused)) {
    test(`${title} is refused with HTTP ${status}, without a word`, async () => {
      const webhook = open.receiver.open();
      const answered = await post(webhook.url, { body: '{}', ...change, headers: { ...withToken(webhook.token), ...change.headers } });
      assert.ok(answered.status === status || (status === 413 && answered.status === 0), String(answered.status));
      assert.equal(answered.body, '');
      assert.equal(answered.headers['access-control-allow-origin'], undefined);
      assert.equal(open.deliveries.length, 0);
      assert.equal(open.refusals.length, 1);
    });
  }

  test('what is not JSON, or no notification, is kept and refused', async () => {
    const webhook = open.receiver.open();
    assert.equal((await send(webhook.url, webhook.token, '{"a":')).status, 400);
    assert.equal((await send(webhook.url, webhook.token, '{"a":1}')).status, 400);
    assert.equal((await send(webhook.url, webhook.token, '['.repeat(100_000) + ']'.repeat(100_000))).status, 400);
    assert.deepEqual(
      open.deliveries.map(({ problem, isApplied }) => [problem?.code, isApplied]),
      [
        ['not-json', false],
        ['unreadable-answer', false],
        ['nested-too-deeply', false],
      ],
    );
    assert.match(open.deliveries[1]?.problem?.message ?? '', /^The notification is not a readable task/);
  });

  test('a webhook that was closed, and a receiver that was stopped, take nothing', async () => {
    const webhook = open.receiver.open();
    const { url, token } = webhook;
    open.receiver.close(webhook);
    assert.equal((await send(url, token, update('t', 'x'))).status, 404);
    await open.receiver.stop();
    assert.equal((await send(url, token, update('t', 'x'))).status, 0);
    assert.equal(open.deliveries.length, 0);
  });

  test('an address that is forwarded to it is named in configurations, and its host accepted', async () => {
    open.receiver.setPublicAddress('https://window.example/proxy/4711/');
    const webhook = open.receiver.open();
    assert.equal(webhook.config.url, `https://window.example/proxy/4711${webhook.path}`);
    const at = `http://127.0.0.1:${open.receiver.port}${webhook.path}`;
    const headers = { ...withToken(webhook.token), host: 'window.example' };
    assert.equal((await post(at, { headers, body: update('t', 'x') })).status, 200);
    open.receiver.setPublicAddress(undefined);
    assert.equal((await post(at, { headers, body: update('t', 'y') })).status, 403);
  });

  suite('signed deliveries', () => {
    const body = update('t', 'x');
    /** In seconds, from when the test runs. */
    const at = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
    for (const algorithm of ['RS256', 'ES256'] as const) {
      const signer = new Signer(algorithm);
      const other = new Signer(algorithm);
      const right = { iss: 'agent', aud: ['me'], taskId: 't' };
      const tries: Readonly<Record<string, readonly [jwt: () => string, failed: string | undefined]>> = {
        'what is right': [() => signer.jwt(body, right), undefined],
        'the hash of the JSON without spaces': [() => signer.jwt(JSON.stringify(JSON.parse(body)), right), undefined],
        'another key': [() => other.jwt(body, right), 'signature'],
        'no signature': [() => signer.jwt(body, right, { alg: 'none' }), 'signature'],
        'a public key as a shared secret': [() => signer.jwt(body, right, { alg: 'HS256' }), 'signature'],
        'another issuer': [() => signer.jwt(body, { ...right, iss: 'x' }), 'issuer'],
        'another audience': [() => signer.jwt(body, { ...right, aud: 'x' }), 'audience'],
        'no time': [() => signer.jwt(body, { ...right, iat: undefined }), 'time'],
        'a time long ago': [() => signer.jwt(body, { ...right, iat: at(-400) }), 'time'],
        'a time to come': [() => signer.jwt(body, { ...right, iat: at(400) }), 'time'],
        'an end that is over': [() => signer.jwt(body, { ...right, exp: at(-60) }), 'time'],
        'a beginning to come': [() => signer.jwt(body, { ...right, nbf: at(60) }), 'time'],
        'an end and a beginning within what clocks are off': [() => signer.jwt(body, { ...right, exp: at(-10), nbf: at(10) }), undefined],
        'another task': [() => signer.jwt(body, { ...right, taskId: 'x' }), 'task'],
        'another body': [() => signer.jwt(`${body} `, right), 'body'],
      };
      for (const [title, [jwt, failed]] of Object.entries(tries)) {
        test(`${algorithm}: ${title} is ${failed === undefined ? 'accepted' : 'refused'}`, async () => {
          const webhook = open.receiver.open({ token: null, jwt: { verify: signer.verify, issuer: 'agent', audience: 'me' } });
          const { status } = await post(webhook.url, { headers: { authorization: `Bearer ${jwt()}` }, body });
          const wrong = open.deliveries[0]!.verdicts.filter(({ outcome }) => outcome !== 'passed');
          assert.deepEqual([status, wrong.map(({ of }) => of)], failed === undefined ? [200, []] : [401, [failed]]);
          for (const { sentence } of open.deliveries[0]!.verdicts) assert.doesNotMatch(english(sentence), /\{\d\}/);
        });
      }

      test(`${algorithm}: a token without a signature is not enough, and one id is applied once`, async () => {
        const webhook = open.receiver.open({ jwt: { verify: signer.verify } });
        assert.equal((await send(webhook.url, webhook.token, body)).status, 401);
        const later = update('t', 'another text');
        for (const text of [body, later])
          await post(webhook.url, {
            headers: { ...withToken(webhook.token), authorization: `Bearer ${signer.jwt(text, { jti: 'one' })}` },
            body: text,
          });
        assert.deepEqual(
          open.deliveries.map(({ isApplied }) => isApplied),
          [false, true, false],
        );
      });
    }
  });

  suite('rehearsals', () => {
    test('HTTP 500 so many times, then success; what was answered with an error is applied when it comes again', async () => {
      const webhook = open.receiver.open({ rehearsal: { kind: 'error', times: 2 } });
      const statuses = [];
      for (const _ of [1, 2, 3]) statuses.push((await send(webhook.url, webhook.token, update('t', 'x'))).status);
      assert.deepEqual(statuses, [500, 500, 200]);
      assert.deepEqual(
        open.deliveries.map(({ isApplied }) => isApplied),
        [false, false, true],
      );
    });

    test('a redirect leads to where nothing is', async () => {
      const webhook = open.receiver.open({ rehearsal: { kind: 'redirect' } });
      const { status, headers } = await send(webhook.url, webhook.token, update('t', 'x'));
      assert.deepEqual([status, headers['location']], [307, '/moved']);
      assert.equal((await post(webhook.url, { path: '/moved', body: '{}' })).status, 404);
      assert.equal(open.deliveries[0]!.isApplied, false);
    });

    test('silence lasts until the agent gives up', async () => {
      const webhook = open.receiver.open({ rehearsal: { kind: 'silent' } });
      const answered = send(webhook.url, webhook.token, update('t', 'x'));
      await eventually(() => assert.equal(open.deliveries.length, 1));
      assert.deepEqual([open.deliveries[0]!.isApplied, open.deliveries[0]!.status], [false, 0]);
      await open.receiver.stop();
      assert.equal((await answered).status, 0);
    });

    test('slowness is success after a while', async () => {
      const webhook = open.receiver.open({ rehearsal: { kind: 'slow', ms: 50 } });
      const started = performance.now();
      assert.equal((await send(webhook.url, webhook.token, update('t', 'x'))).status, 200);
      assert.ok(performance.now() - started >= 45);
      assert.equal(open.deliveries[0]!.isApplied, true);
    });

    test('what is forged is refused all the same', async () => {
      const webhook = open.receiver.open({ rehearsal: { kind: 'silent' } });
      assert.equal((await send(webhook.url, 'x', update('t', 'x'))).status, 401);
    });
  });

  test('only so many deliveries are kept', async () => {
    await open.receiver.stop();
    open = await openReceiver({ kept: 3 });
    const webhook = open.receiver.open();
    for (const text of ['a', 'b', 'c', 'd', 'e']) await send(webhook.url, webhook.token, update('t', text));
    assert.deepEqual(
      open.receiver.deliveries.map(({ id }) => id),
      [2, 3, 4],
    );
  });

  test('what is no HTTP is cut off', async () => {
    const socket = connect(open.receiver.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('\x16\x03\x01 hello\r\n\r\n');
    await new Promise(resolve => socket.once('close', resolve));
    assert.deepEqual(open.refusals, ['malformed']);
  });
});
