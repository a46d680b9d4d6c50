import * as assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CardVerifier } from '../../../../src/client/card/signatures/cardVerifier.ts';
import type { SignatureReport } from '../../../../src/client/card/signatures/signatureReport.ts';
import { Http } from '../../../../src/client/http/http.ts';
import { loadObserver } from '../../../../src/conformance/rules/loadedRules.ts';
import { english, Problem } from '../../../../src/protocol/problem.ts';
import { cardSigner, fullCard, type CardSigner, signed } from '../../../support/client/cardSigner.ts';

/** A server on loopback that counts connections and requests. */
class KeyServer {
  connections = 0;
  requests = 0;
  /** Of each request: the headers that it came with. */
  readonly headers: Record<string, unknown>[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(answer: RequestListener) {
    this.#server = createServer((request, response) => {
      this.requests++;
      this.headers.push(request.headers);
      answer(request, response);
    }).on('connection', socket => {
      this.connections++;
      this.#sockets.add(socket);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks.json`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise(resolve => this.#server.close(resolve));
  }
}

const json =
  (value: () => unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value()));

const told = (report: SignatureReport | undefined): string =>
  report === undefined ? 'unsigned' : `${report.verdict}: ${english(report.message)}`;

suite('keys of signers', () => {
  const open: { stop(): Promise<void> }[] = [];
  let http: Http;
  let signer: CardSigner;
  suiteSetup(async () => {
    signer = await cardSigner();
  });
  setup(() => {
    http = new Http({ loadObserver });
  });
  teardown(async () => {
    await http.close();
    await Promise.all(open.splice(0).map(each => each.stop()));
  });
  const server = async (answer: RequestListener): Promise<{ readonly keys: KeyServer; readonly url: string }> => {
    const keys = new KeyServer(answer);
    open.push(keys);
    return { keys, url: await keys.start() };
  };
  const verifier = (trusted: unknown, options: object = {}): CardVerifier => new CardVerifier({ http, trusted: () => trusted, ...options });
  const verify = async (card: unknown, trusted: unknown, options: object = {}): Promise<SignatureReport | undefined> =>
    verifier(trusted, options).verify(JSON.stringify(card));

  test('an address that only the card names is never asked: no connection is opened', async () => {
    const { keys, url } = await server(json(() => ({ keys: [signer.jwk] })));
    const hostile = await server(json(() => ({ keys: [signer.jwk] })));
    for (const header of [
      { jku: url },
      { jku: url.replace('127.0.0.1', 'localhost') },
      { jku: `${url}#fragment` },
      { jku: url, x5u: url },
      { x5u: url },
      { jku: url, jwk: signer.jwk },
      { jku: `${hostile.url}?next=${encodeURIComponent(url)}` },
    ]) {
      const card = await signed(fullCard, signer, header);
      for (const trusted of [{}, undefined, { Other: { jwk: (await cardSigner('ES256', 'key-2')).jwk } }]) {
        const report = await verify(card, trusted);
        assert.ok(['untrusted-key', 'unknown-key'].includes(report?.verdict ?? ''), told(report));
      }
    }
    // Also not beside a good signature, nor in the unprotected header.
    const both = await signed(await signed(fullCard, signer), await cardSigner('ES256', 'key-2'), { jku: url });
    assert.equal((await verify(both, { Port: { jwk: signer.jwk } }))?.verdict, 'valid');
    const [plain] = (await signed(fullCard, signer)).signatures;
    await verify({ ...fullCard, signatures: [{ ...plain, header: { jku: url } }] }, {});
    assert.equal(keys.connections + hostile.keys.connections, 0);
  });

  test('an address that the person trusts is asked once, without credentials, and its keys verify', async () => {
    const { keys, url } = await server(json(() => ({ keys: [signer.jwk] })));
    const own = verifier({ Port: { jwks: url } });
    for (const jku of [url, undefined]) {
      const card = JSON.stringify(await signed(fullCard, signer, jku === undefined ? {} : { jku }));
      assert.equal(told(await own.verify(card)), `valid: Signed by Port, verified with the key key-1 (ES256) from ${url}.`);
    }
    assert.equal(keys.requests, 1);
    assert.deepEqual(
      ['authorization', 'cookie', 'a2a-version'].filter(name => name in keys.headers[0]!),
      [],
    );
    const changed = JSON.stringify({ ...(await signed(fullCard, signer, { jku: url })), name: 'x' });
    assert.equal((await own.verify(changed))?.verdict, 'invalid');
  });

  test('of several trusted addresses only that of the signature is asked', async () => {
    const [one, two] = [await server(json(() => ({ keys: [signer.jwk] }))), await server(json(() => ({ keys: [] })))];
    const trusted = { One: { jwks: one.url }, Two: { jwks: two.url } };
    assert.equal((await verify(await signed(fullCard, signer, { jku: one.url }), trusted))?.verdict, 'valid');
    assert.equal(two.keys.connections, 0);
    // A signature that names no address may be of any of them; that one of them has no keys hides nothing.
    assert.equal((await verify(await signed(fullCard, signer), trusted))?.verdict, 'valid');
    assert.equal(two.keys.requests, 1);
  });

  test('a signer that changes keys is asked again, but not for every card', async () => {
    const next = await cardSigner('ES256', 'key-2');
    let served: readonly unknown[] = [signer.jwk];
    let now = 1_000_000;
    const { keys, url } = await server(json(() => ({ keys: served })));
    const own = verifier({ Port: { jwks: url } }, { now: () => now });
    const [old, fresh] = [JSON.stringify(await signed(fullCard, signer)), JSON.stringify(await signed(fullCard, next))];
    assert.equal((await own.verify(old))?.verdict, 'valid');
    served = [next.jwk];
    assert.equal((await own.verify(fresh))?.verdict, 'unknown-key');
    assert.equal(keys.requests, 1);
    now += 31_000;
    assert.equal((await own.verify(fresh))?.verdict, 'valid');
    assert.equal(keys.requests, 2);
    assert.equal((await own.verify(old))?.verdict, 'unknown-key');
    assert.equal(keys.requests, 2);
    now += 5 * 60_000;
    await own.verify(fresh);
    assert.equal(keys.requests, 3);
    own.forget();
    await Promise.all([own.verify(fresh), own.verify(fresh), own.verify(fresh)]);
    assert.equal(keys.requests, 4);
  });

  test('redirects are refused, to the same origin too', async () => {
    const target = await server(json(() => ({ keys: [signer.jwk] })));
    for (const status of [301, 302, 303, 307, 308]) {
      const { keys, url } = await server((_, response) => void response.writeHead(status, { location: target.url }).end());
      const report = await verify(await signed(fullCard, signer, { jku: url }), { Port: { jwks: url } });
      assert.match(told(report), /^keys-unavailable: The keys of "Port" could not be read: .* redirects of keys are not followed\.$/);
      assert.equal(keys.requests, 1);
    }
    const same = await server((request, response) => {
      if (request.url === '/jwks.json') response.writeHead(302, { location: '/other.json' }).end();
      else response.end(JSON.stringify({ keys: [signer.jwk] }));
    });
    assert.equal((await verify(await signed(fullCard, signer), { Port: { jwks: same.url } }))?.verdict, 'keys-unavailable');
    assert.equal(target.keys.connections, 0);
  });

  test('10 MB of keys are not read', async () => {
    let sent = 0;
    const { url } = await server((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (sent < 10 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.byteLength;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end(JSON.stringify({ keys: [signer.jwk] }));
      };
      write();
    });
    const report = await verify(await signed(fullCard, signer), { Port: { jwks: url } });
    assert.match(told(report), /^keys-unavailable: .* sent more than 256 KiB of keys\.$/);
    assert.ok(sent < 10 * 1024 * 1024, `${sent} bytes`);
  });

  test('256 KiB of keys are read, and not a byte more', async () => {
    const bound = 256 * 1024;
    const card = await signed(fullCard, signer);
    for (const [bytes, verdict] of [
      [bound, 'valid'],
      [bound + 1, 'keys-unavailable'],
    ] as const) {
      const keys = JSON.stringify({ keys: [signer.jwk] });
      const { url } = await server((_, response) => void response.end(keys.padEnd(bytes)));
      assert.equal((await verify(card, { Port: { jwks: url } }))?.verdict, verdict, `${bytes} bytes`);
    }
  });

  test('keys that never end, and a server that never answers', async () => {
    const endless = await server((_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.writeHead(200).on('close', () => clearInterval(timer));
    });
    const silent = await server(() => {});
    const half = await server((_, response) => void response.writeHead(200).write('{"keys":'));
    for (const { url } of [endless, silent, half]) {
      const report = await verify(await signed(fullCard, signer), { Port: { jwks: url } }, { timeoutMs: 300, silenceMs: 200 });
      assert.equal(report?.verdict, 'keys-unavailable', told(report));
    }
  });

  test('other bad answers are told, and a failure is not repeated for each card', async () => {
    const rows: readonly (readonly [answer: RequestListener, what: RegExp])[] = [
      [(_, response) => void response.writeHead(404).end(), /answered with status 404/],
      [(_, response) => void response.writeHead(500).end(JSON.stringify({ keys: [signer.jwk] })), /answered with status 500/],
      [(_, response) => void response.end('<html>'), /neither PEM nor JSON/],
      [json(() => []), /not a JSON Web Key/],
      [json(() => ({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'key-1' }] })), /no key that can verify/],
      [(request, response) => void (response.destroy(), request.destroy()), /could not be read/],
    ];
    for (const [answer, what] of rows) {
      const { keys, url } = await server(answer);
      const own = verifier({ Port: { jwks: url } });
      const card = JSON.stringify(await signed(fullCard, signer));
      assert.match(told(await own.verify(card)), what);
      assert.equal((await own.verify(card))?.verdict, 'keys-unavailable');
      assert.equal(keys.requests, 1);
    }
  });

  suite('looking at the keys of a signer that is not trusted', () => {
    test('shows the key that made the signature', async () => {
      const stranger = await cardSigner('ES256', 'key-2');
      const { keys, url } = await server(json(() => ({ keys: [stranger.jwk, signer.jwk] })));
      const own = verifier({});
      const card = JSON.stringify(await signed(fullCard, signer, { jku: url }));
      const offered = await own.offeredKey(card);
      assert.deepEqual(offered, { url, keyId: 'key-1', thumbprint: signer.thumbprint, jwk: signer.jwk });
      assert.equal(keys.requests, 1);
      // To look is not to trust.
      assert.equal((await own.verify(card))?.verdict, 'untrusted-key');
      assert.equal((await verify(JSON.parse(card), { Port: { jwk: offered.jwk, from: offered.url } }))?.verdict, 'valid');
    });

    test('does not offer a key that did not make the signature, or a card that was changed', async () => {
      const stranger = await cardSigner();
      const { url } = await server(json(() => ({ keys: [stranger.jwk] })));
      const card = await signed(fullCard, signer, { jku: url });
      await assert.rejects(verifier({}).offeredKey(JSON.stringify(card)), isProblem('signer-key-differs'));
      const own = await server(json(() => ({ keys: [signer.jwk] })));
      const changed = { ...(await signed(fullCard, signer, { jku: own.url })), version: '9' };
      await assert.rejects(verifier({}).offeredKey(JSON.stringify(changed)), isProblem('signer-key-differs'));
      const expired = await server(json(() => ({ keys: [{ ...signer.jwk, exp: 1_000 }] })));
      await assert.rejects(
        verifier({}).offeredKey(JSON.stringify(await signed(fullCard, signer, { jku: expired.url }))),
        isProblem('signer-key-differs'),
      );
    });

    test('follows no redirect and needs an address that is not trusted yet', async () => {
      const target = await server(json(() => ({ keys: [signer.jwk] })));
      const { url } = await server((_, response) => void response.writeHead(302, { location: target.url }).end());
      await assert.rejects(
        verifier({}).offeredKey(JSON.stringify(await signed(fullCard, signer, { jku: url }))),
        isProblem('keys-redirected'),
      );
      assert.equal(target.keys.connections, 0);
      for (const jku of ['http://keys.example/', 'file:///etc/passwd'])
        await assert.rejects(
          verifier({}).offeredKey(JSON.stringify(await signed(fullCard, signer, { jku }))),
          isProblem('no-signer-address'),
        );
    });
  });
});

const isProblem =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.code === code;
