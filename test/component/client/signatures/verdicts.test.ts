import * as assert from 'node:assert/strict';
import { createHmac, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CardVerifier } from '../../../../src/client/card/signatures/cardVerifier.ts';
import { signatureBounds } from '../../../../src/client/card/signatures/signatureBounds.ts';
import type { SignatureReport } from '../../../../src/client/card/signatures/signatureReport.ts';
import { Http } from '../../../../src/client/http/http.ts';
import { loadObserver } from '../../../../src/conformance/rules/loadedRules.ts';
import { english } from '../../../../src/protocol/problem.ts';
import {
  canonicalText,
  cardSigner,
  fullCard,
  type Algorithm,
  type CardSigner,
  signatureOver,
  signed,
} from '../../../support/client/cardSigner.ts';
import { changesOf } from '../../../support/client/tampering.ts';
import { selfSigned } from '../../../support/client/selfSigned.ts';

const trust = ({ jwk }: CardSigner): object => ({ Port: { jwk } });

async function verify(card: unknown, trusted: unknown, now?: number): Promise<SignatureReport | undefined> {
  const verifier = new CardVerifier({
    http: new Http({ loadObserver }),
    trusted: () => trusted,
    ...(now !== undefined && { now: () => now }),
  });
  return verifier.verify(typeof card === 'string' ? card : JSON.stringify(card));
}

const told = (report: SignatureReport | undefined): string =>
  report === undefined ? 'unsigned' : `${report.verdict}: ${english(report.message)}`;
const notes = (report: SignatureReport | undefined): string =>
  (report?.signatures ?? []).flatMap(each => each.notes.map(english)).join(' ');

const encoded = (header: unknown): string =>
  Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)).toString('base64url');

suite('verdicts on signatures of cards', () => {
  let signer: CardSigner;
  let other: CardSigner;
  suiteSetup(async () => {
    signer = await cardSigner();
    other = await cardSigner();
  });

  const algorithms: readonly Algorithm[] = ['ES256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA'];
  for (const algorithm of algorithms) {
    test(`${algorithm}: valid with the key, invalid when changed, and with another key of the same id`, async () => {
      const [own, stranger] = [await cardSigner(algorithm), await cardSigner(algorithm)];
      const card = await signed(fullCard, own);
      const report = await verify(card, trust(own));
      assert.equal(told(report), `valid: Signed by Port, verified with the key key-1 (${algorithm}) from the settings.`);
      assert.equal(report?.signatures[0]?.key?.thumbprint, own.thumbprint);
      assert.equal(notes(report), '');
      assert.equal((await verify({ ...card, name: 'Harbor master' }, trust(own)))?.verdict, 'invalid');
      assert.match(told(await verify(card, trust(stranger))), /^invalid: Signature does not match: .* the key key-1 of Port\.$/);
    });
  }

  test('formatting and the order of members change nothing', async () => {
    const { signatures, ...rest } = await signed(fullCard, signer);
    const shuffled = Object.fromEntries(Object.entries({ ...rest, signatures }).reverse());
    assert.equal((await verify(JSON.stringify(shuffled, null, 7), trust(signer)))?.verdict, 'valid');
    assert.equal((await verify(JSON.stringify(shuffled).replaceAll('ö', '\\u00f6'), trust(signer)))?.verdict, 'valid');
  });

  test('each member changed or removed once is told', async () => {
    const { signatures } = await signed(fullCard, signer);
    let count = 0;
    const missed: string[] = [];
    for (const [where, changed] of changesOf(fullCard)) {
      count++;
      const report = await verify({ ...(changed as object), signatures }, trust(signer));
      if (report?.verdict !== 'invalid') missed.push(`${where}: ${told(report)}`);
    }
    assert.deepEqual(missed, []);
    assert.ok(count > 130, `${count} changes`);
  });

  test('members that are added are told: as not covered where the form of the SDKs does not have them', async () => {
    const card = await signed(fullCard, signer);
    const added = { ...card, url: 'https://evil.example', capabilities: { ...card.capabilities, 'x/y': 1 } };
    assert.equal(
      told(await verify(added, trust(signer))),
      'partial: Signed in part by Port, verified with the key key-1 (ES256) from the settings. Not covered, so anyone could have added it: /capabilities/x~1y, /url.',
    );
    const demand = { ...card, securityRequirements: [...card.securityRequirements, { schemes: { key: { list: [] } } }] };
    assert.match(told(await verify(demand, trust(signer))), /^partial: .* \/securityRequirements\/1\.$/);
    const many = { ...card, ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1])) };
    assert.match(told(await verify(many, trust(signer))), /x19, …\.$/);
    assert.equal((await verify({ ...card, skills: [...card.skills, card.skills[0]] }, trust(signer)))?.verdict, 'invalid');
  });

  test('a card without signatures is unsigned', async () => {
    for (const signatures of [undefined, null, []]) assert.equal(await verify({ ...fullCard, signatures }, trust(signer)), undefined);
    assert.equal(await verify('{"signatures":', trust(signer)), undefined);
  });

  test('alg none is refused, also in other writings, with a signature and without', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      for (const signature of ['', 'AAAA']) {
        const report = await verify({ ...fullCard, signatures: [{ protected: encoded({ alg, kid: 'key-1' }), signature }] }, trust(signer));
        assert.notEqual(report?.verdict, 'valid');
        if (signature !== '') assert.match(told(report), /^unsupported: Its algorithm is none/);
      }
    }
  });

  test('HMAC with the public key as the secret is refused', async () => {
    const rsa = await cardSigner('RS256');
    for (const secret of [
      rsa.publicKey.export({ type: 'spki', format: 'pem' }),
      rsa.publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(rsa.jwk),
    ]) {
      const header = encoded({ alg: 'HS256', kid: 'key-1', typ: 'JOSE' });
      const payload = Buffer.from(canonicalText(fullCard)).toString('base64url');
      const signature = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url');
      const report = await verify({ ...fullCard, signatures: [{ protected: header, signature }] }, trust(rsa));
      assert.equal(told(report), 'unsupported: Its algorithm is HS256: anyone who can verify it can also sign.');
    }
  });

  test('an algorithm in the unprotected header does not count', async () => {
    const [signature] = (await signed(fullCard, signer)).signatures;
    const swapped = { ...signature, protected: encoded({ kid: 'key-1' }), header: { alg: 'ES256' } };
    assert.equal(
      told(await verify({ ...fullCard, signatures: [swapped] }, trust(signer))),
      'malformed: Its protected header names no algorithm.',
    );
    // What stands there is of no account for a signature that is good without it.
    const described = { ...signature, header: { alg: 'none', kid: 'x', jku: 'https://evil.example' } };
    assert.equal((await verify({ ...fullCard, signatures: [described] }, trust(signer)))?.verdict, 'valid');
  });

  test('a key for another algorithm is not used', async () => {
    const rsa = await cardSigner('RS256');
    const card = await signed(fullCard, signer);
    assert.match(told(await verify(card, trust(rsa))), /^invalid: .* the key key-1 of Port is not for ES256\.$/);
    const pss = await signed(fullCard, { ...rsa, algorithm: 'PS256' });
    assert.equal((await verify(pss, trust(rsa)))?.verdict, 'valid');
    assert.equal((await verify(pss, { Port: { jwk: { ...rsa.jwk, alg: 'RS256' } } }))?.verdict, 'invalid');
  });

  test('a key id that no trusted key has', async () => {
    const card = await signed(fullCard, { ...signer, jwk: { ...signer.jwk, kid: 'key-2' } });
    assert.equal(told(await verify(card, trust(signer))), 'unknown-key: Signed, but the key key-2 is not one that you trust.');
    const { kid: _, ...nameless } = signer.jwk;
    assert.equal((await verify(card, { Port: { jwk: nameless } }))?.verdict, 'valid');
  });

  // Gateways rewrite addresses of signed cards, as in agentgateway/agentgateway#2701; keys in PEM have no id.
  test('a changed card, and keys that have no id: it may be the card or the key', async () => {
    const { kid: _, ...nameless } = signer.jwk;
    const trusted = { Port: { jwk: nameless } };
    const behindGateway = {
      supportedInterfaces: [{ url: 'https://gate.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    const fits = /^unknown-key: Signed, but no key that you trust matches: the card was changed after it was signed, or /;
    const moved = { ...(await signed(fullCard, signer)), ...behindGateway };
    assert.match(told(await verify(moved, trusted)), fits);
    assert.match(told(await verify(moved, trusted)), /the key key-1 is not the one of Port\.$/);
    // A signature that names no key, with a key that has an id.
    const withoutId = await signed(fullCard, { ...signer, jwk: nameless as CardSigner['jwk'] });
    assert.equal((await verify(withoutId, trust(signer)))?.verdict, 'valid');
    assert.match(told(await verify({ ...withoutId, description: 'Changed.' }, trust(signer))), fits);
    // One that names an address for its keys, which is not asked.
    const addressed = { ...(await signed(fullCard, signer, { jku: 'https://keys.example/jwks.json' })), ...behindGateway };
    const report = await verify(addressed, trusted);
    assert.equal(report?.verdict, 'untrusted-key');
    assert.match(notes(report), /the card was changed after it was signed, or the key key-1 is not the one/);
    // A key of another kind cannot be the one.
    const { kid: __, ...rsa } = (await cardSigner('RS256')).jwk;
    assert.equal(told(await verify(moved, { Port: { jwk: rsa } })), 'unknown-key: Signed, but the key key-1 is not one that you trust.');
  });

  test('no trusted key at all, and a key or certificate in the signature itself', async () => {
    assert.equal(
      told(await verify(await signed(fullCard, signer), {})),
      'unknown-key: Signed, but the key key-1 is not one that you trust.',
    );
    for (const header of [{ jwk: other.jwk }, { x5c: [selfSigned().cert.replaceAll(/-----.*-----|\s/g, '')] }]) {
      const report = await verify(await signed(fullCard, other, header), {});
      assert.equal(report?.verdict, 'unknown-key');
      assert.match(notes(report), /a key or a certificate of its own, which proves nothing/);
    }
  });

  test('the keys of another signer with the same key id do not make a signature invalid', async () => {
    const card = await signed(fullCard, other, { jku: 'https://other.example/jwks.json' });
    const report = await verify(card, { Port: { jwk: signer.jwk, from: 'https://port.example/jwks.json' } });
    assert.equal(
      told(report),
      'untrusted-key: Signed, but the key is not trusted. The card itself names https://other.example/jwks.json for it, which was not fetched.',
    );
    assert.equal(report?.signatures[0]?.keysUrl, 'https://other.example/jwks.json');
    const own = { Port: { jwk: signer.jwk, from: 'https://other.example/jwks.json' } };
    assert.equal((await verify(card, own))?.verdict, 'invalid');
  });

  test('addresses of keys without TLS, with a password, or of no web server are not offered', async () => {
    for (const jku of [
      'http://keys.example/jwks.json',
      'https://me:secret@keys.example/',
      'file:///etc/passwd',
      'data:,{}',
      '//keys.example',
      '',
    ]) {
      const report = await verify(await signed(fullCard, signer, { jku }), {});
      assert.ok(['untrusted-key', 'unknown-key'].includes(report?.verdict ?? ''), told(report));
      assert.equal(report?.signatures[0]?.keysUrl, undefined, jku);
    }
  });

  test('of two signatures one that is good is enough, in any place', async () => {
    const good = (await signed(fullCard, signer)).signatures[0];
    const [bad] = (await signed({ ...fullCard, name: 'x' }, signer)).signatures;
    for (const signatures of [
      [good, bad],
      [bad, good],
      ['nonsense', good],
      [{ protected: encoded({ alg: 'none' }), signature: 'AA' }, good],
    ]) {
      const report = await verify({ ...fullCard, signatures }, trust(signer));
      assert.equal(report?.verdict, 'valid');
      assert.equal(report.signatures.filter(({ verdict }) => verdict === 'valid').length, 1);
    }
    const twice = await signed(await signed(fullCard, signer), { ...other, jwk: { ...other.jwk, kid: 'key-2' } });
    assert.equal(
      (await verify(twice, { Port: { jwk: signer.jwk }, Ships: { jwk: { ...other.jwk, kid: 'key-2' } } }))?.signatures.length,
      2,
    );
    assert.equal((await verify(twice, { Ships: { jwk: { ...other.jwk, kid: 'key-2' } } }))?.verdict, 'valid');
  });

  test('a signature over the card with its signatures is invalid, and told why', async () => {
    const [first] = (await signed(fullCard, signer)).signatures;
    const over = async (signatures: readonly unknown[]): Promise<unknown> => ({
      ...fullCard,
      signatures: [...signatures, await signatureOver(canonicalText({ ...fullCard, signatures }), signer)],
    });
    assert.match(told(await verify(await over([]), trust(signer))), /^invalid: .*Port signed the card with its member signatures/);
    const both = await verify(await over([first]), trust(signer));
    assert.equal(both?.verdict, 'valid');
    assert.match(english(both.signatures[1]!.message), /Port signed the card with its member signatures/);
  });

  test('expired, early and revoked keys', async () => {
    const card = await signed(fullCard, signer);
    const now = Date.UTC(2030, 5, 1);
    const at = (date: string): number => Date.parse(date) / 1_000;
    const withDates = (dates: object): object => ({ Port: { jwk: { ...signer.jwk, ...dates } } });
    assert.equal((await verify(card, withDates({ exp: at('2030-06-02'), nbf: at('2030-01-01') }), now))?.verdict, 'valid');
    assert.match(told(await verify(card, withDates({ exp: at('2030-05-31') }), now)), /^expired-key: .* has expired: 2030-05-31\.$/);
    assert.match(told(await verify(card, withDates({ nbf: at('2030-07-01') }), now)), /^expired-key: .* not valid before 2030-07-01\.$/);
    const revoked = withDates({ revoked: { revoked_at: at('2029-01-01') } });
    assert.match(told(await verify(card, revoked, now)), /^expired-key: .* was revoked\.$/);
    assert.equal((await verify({ ...card, name: 'x' }, revoked, now))?.verdict, 'invalid');
  });

  test('malformed entries are told and nothing is thrown', async () => {
    const [good] = (await signed(fullCard, signer)).signatures;
    assert.ok(good !== undefined);
    const rows: readonly (readonly [entry: unknown, what: RegExp])[] = [
      [null, /not an object/],
      ['x.y.z', /not an object/],
      [{}, /strings protected and signature/],
      [{ ...good, signature: 7 }, /strings protected and signature/],
      [{ ...good, signature: `${good.signature}=` }, /Its signature is not base64url without padding/],
      [{ ...good, protected: `${good.protected}=` }, /Its protected header is not base64url/],
      [{ ...good, signature: '' }, /Its signature is not base64url/],
      [{ protected: encoded({ alg: 'none' }), signature: '' }, /algorithm is none/],
      [{ ...good, signature: 'A'.repeat(5_000) }, /too long/],
      [{ ...good, protected: 'A'.repeat(20_000) }, /too long/],
      [{ ...good, protected: encoded('[]') }, /not a JSON object/],
      [{ ...good, protected: encoded('{"alg":') }, /not a JSON object/],
      [{ ...good, protected: encoded('{"alg":"none","alg":"ES256"}') }, /has alg twice/],
      [{ ...good, protected: encoded({ alg: 256 }) }, /names no algorithm/],
      [{ ...good, protected: encoded({ alg: 'ES256', kid: 7 }) }, /key id .* not a string/],
      [{ ...good, protected: encoded({ alg: 'ES256', jku: 'https://a.example/'.padEnd(3_000, 'x') }) }, /jku .* not a string/],
      [{ ...good, protected: encoded({ alg: 'ES256K', kid: 'key-1' }) }, /ES256K, which is not supported/],
      [{ ...good, protected: encoded({ alg: 'ES256', kid: 'key-1', crit: ['exp'], exp: 1 }) }, /extension of JWS/],
      [{ ...good, protected: encoded({ alg: 'ES256', kid: 'key-1', b64: false }) }, /extension of JWS/],
    ];
    for (const [entry, what] of rows) {
      const report = await verify({ ...fullCard, signatures: [entry] }, trust(signer));
      assert.match(told(report), what);
      assert.match(report?.verdict ?? '', /^(?:malformed|unsupported)$/);
    }
    const short = await verify({ ...fullCard, signatures: [{ ...good, signature: 'AAAA' }] }, trust(signer));
    assert.equal(short?.verdict, 'invalid');
  });

  test('cards that can be read in two ways are not valid', async () => {
    const card = await signed(fullCard, signer);
    const text = JSON.stringify(card);
    const rows: readonly (readonly [text: string, what: RegExp])[] = [
      [text.replace('"name":', '"name":"Evil","name":'), /has the member name twice/],
      [text.replace('"name":', '"n\\u0061me":"Evil","name":'), /has the member name twice/],
      [text.replace('"scheme":', '"scheme":"Basic","scheme":'), /has the member scheme twice/],
      [text.replace('Finds a berth', '\\ud800'), /not Unicode/],
      [JSON.stringify({ ...card, signatures: 'x' }), /signatures is not a list/],
      [JSON.stringify({ ...card, x: JSON.parse('['.repeat(300) + ']'.repeat(300)) as unknown }), /nested too deeply/],
      [JSON.stringify({ ...card, x: 'y'.repeat(1024 * 1024) }), /longer than 1024 KiB/],
    ];
    for (const [changed, what] of rows) assert.match(told(await verify(changed, trust(signer))), what);
    // The same name in two objects is no repetition, and neither is a text that looks like a member.
    const odd = await signed({ ...fullCard, description: '","name":"' }, signer);
    assert.equal((await verify(odd, trust(signer)))?.verdict, 'valid');
  });

  test('only so many signatures are looked at', async () => {
    const [bad] = (await signed({ ...fullCard, name: 'x' }, signer)).signatures;
    const [good] = (await signed(fullCard, signer)).signatures;
    const report = await verify({ ...fullCard, signatures: [...Array<unknown>(10).fill(bad), good] }, trust(signer));
    assert.equal(report?.verdict, 'invalid');
    assert.deepEqual(report.problems.map(english), ['The card has 11 signatures; the first 10 were checked.']);
  });

  test('many keys of one id cost no more than the budget', async () => {
    const keys = await Promise.all(Array.from({ length: 99 }, () => cardSigner()));
    const trusted = Object.fromEntries(keys.map(({ jwk }, index) => [`Signer ${index}`, { jwk }]));
    const [bad] = (await signed({ ...fullCard, name: 'x' }, signer)).signatures;
    const { verify: verifies } = crypto.subtle;
    let verifications = 0;
    crypto.subtle.verify = (...args) => {
      verifications++;
      return verifies.apply(crypto.subtle, args);
    };
    try {
      const report = await verify({ ...fullCard, extra: '', signatures: Array<unknown>(10).fill(bad) }, trusted);
      assert.equal(report?.signatures.length, 10);
      assert.equal(verifications, signatureBounds.verifications);
    } finally {
      crypto.subtle.verify = verifies;
    }
  });

  suite('trusted keys', () => {
    let folder: string;
    setup(() => {
      folder = mkdtempSync(join(tmpdir(), 'a2a-keys-'));
    });
    teardown(() => rmSync(folder, { recursive: true, force: true }));
    const file = (content: string | Buffer): object => {
      const path = join(folder, 'keys');
      writeFileSync(path, content);
      return { Port: { file: path } };
    };

    test('from files: PEM, certificates, a JWK, a set of them', async () => {
      const card = await signed(fullCard, signer);
      const pem = signer.publicKey.export({ type: 'spki', format: 'pem' }) as string;
      const stranger = other.publicKey.export({ type: 'spki', format: 'pem' }) as string;
      for (const content of [
        pem,
        `${stranger}\n${pem}`,
        JSON.stringify(signer.jwk),
        JSON.stringify({ keys: [other.jwk, { kty: 'oct', k: 'x' }, signer.jwk] }),
      ])
        assert.equal((await verify(card, file(content)))?.verdict, 'valid', content);
      const report = await verify(card, file(pem));
      assert.match(told(report), new RegExp(`verified with the key ${signer.thumbprint} \\(ES256\\) from .*keys\\.$`));
    });

    test('a certificate counts as long as it is valid', async () => {
      const { key, cert } = selfSigned();
      const certificate = new X509Certificate(cert);
      const jwk = createPublicKey(cert).export({ format: 'jwk' });
      const algorithm: Algorithm = jwk.kty === 'RSA' ? 'RS256' : 'ES256';
      const own = await cardSigner(algorithm);
      const { createPrivateKey } = await import('node:crypto');
      const card = await signed(fullCard, { ...own, privateKey: createPrivateKey(key) });
      const trusted = file(cert);
      assert.equal((await verify(card, trusted, certificate.validFromDate.getTime() + 1_000))?.verdict, 'valid');
      assert.equal((await verify(card, trusted, certificate.validToDate.getTime() + 1_000))?.verdict, 'expired-key');
    });

    test('what cannot be read is told, and hides no other key', async () => {
      const card = await signed(fullCard, signer);
      const rows: readonly (readonly [content: string | Buffer, what: RegExp])[] = [
        ['', /neither PEM nor JSON/],
        ['-----BEGIN PUBLIC KEY-----\nAAAA', /no end/],
        ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /not a public key/],
        ['{"keys":[]}', /no key that can verify/],
        ['{"kty":"oct","k":"AAAA"}', /shared secret/],
        ['{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}', /not a key of RSA/],
        ['{"kty":"RSA","n":"AA"}', /numbers are missing/],
        [JSON.stringify({ kty: 'RSA', e: 'AQAB', n: 'A'.repeat(2_000) }), /missing or too long/],
        [JSON.stringify({ ...signer.jwk, use: 'enc' }), /not a key for signatures/],
        [JSON.stringify({ ...signer.jwk, key_ops: ['deriveKey'] }), /not a key for signatures/],
        [JSON.stringify({ keys: Array(101).fill(signer.jwk) }), /101 keys; at most 100/],
        [Buffer.alloc(300 * 1024, 'x'), /more than 256 KiB/],
      ];
      for (const [content, what] of rows) {
        const trusted = file(content);
        const report = await verify(card, trusted);
        assert.equal(report?.verdict, 'keys-unavailable');
        assert.match(told(report), what);
        assert.equal((await verify(card, { ...trusted, Mine: { jwk: signer.jwk } }))?.verdict, 'valid');
      }
      for (const path of [join(folder, 'missing'), folder])
        assert.equal((await verify(card, { Port: { file: path } }))?.verdict, 'keys-unavailable');
    });

    test('entries of the setting that are wrong are told', async () => {
      const card = await signed(fullCard, signer);
      const wrong = [
        7,
        {},
        { jwks: 'http://keys.example/' },
        { jwks: 'https://a:b@keys.example/' },
        { jwks: 7 },
        { file: 'relative.pem' },
        { file: '../up.pem' },
        { file: 7 },
        { jwk: signer.jwk, file: '/x' },
      ];
      const report = await verify(card, {
        ...Object.fromEntries(wrong.map((entry, index) => [`Wrong ${index}`, entry])),
        ...trust(signer),
      });
      assert.equal(report?.verdict, 'valid');
      assert.equal(report.problems.length, wrong.length);
      assert.equal((await verify(card, 'nonsense'))?.verdict, 'unknown-key');
      assert.equal((await verify(card, undefined))?.verdict, 'unknown-key');
    });

    test('a weak or impossible key verifies nothing', async () => {
      const { generateKeyPairSync } = await import('node:crypto');
      const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const { createSign } = await import('node:crypto');
      const header = encoded({ alg: 'RS256', kid: 'key-1' });
      const payload = Buffer.from(canonicalText(fullCard)).toString('base64url');
      const signature = createSign('sha256').update(`${header}.${payload}`).sign(weak.privateKey, 'base64url');
      const trusted = { Port: { jwk: { ...weak.publicKey.export({ format: 'jwk' }), kid: 'key-1' } } };
      assert.equal((await verify({ ...fullCard, signatures: [{ protected: header, signature }] }, trusted))?.verdict, 'invalid');
      const offCurve = { Port: { jwk: { ...signer.jwk, x: other.jwk.x } } };
      assert.equal((await verify(await signed(fullCard, signer), offCurve))?.verdict, 'invalid');
    });

    test('a private key in the setting is used for its public part alone', async () => {
      const card = await signed(fullCard, signer);
      const report = await verify(card, { Port: { jwk: { ...signer.privateKey.export({ format: 'jwk' }), kid: 'key-1' } } });
      assert.equal(report?.verdict, 'valid');
      assert.ok(!JSON.stringify(report).includes(String(signer.privateKey.export({ format: 'jwk' }).d)));
    });
  });
});
