import * as assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CardVerifier } from '../../../../src/client/card/signatures/cardVerifier.ts';
import { Http } from '../../../../src/client/http/http.ts';
import { loadObserver } from '../../../../src/conformance/rules/loadedRules.ts';
import {
  type Algorithm,
  canonicalText,
  cardSigner,
  type CardSigner,
  fullCard,
  type Signature,
  signed,
} from '../../../support/client/cardSigner.ts';
import { changesOf } from '../../../support/client/tampering.ts';
import { figure, full } from '../../../support/figure.ts';

const algorithms: readonly Algorithm[] = full ? ['ES256', 'ES384', 'ES512', 'RS256', 'PS256', 'EdDSA'] : ['ES256', 'EdDSA'];
const encoded = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
const flipped = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at % bytes.length]! ^= 1 << (at % 8);
  return bytes.toString('base64url');
};

suite('cards that are not what was signed', () => {
  let http: Http;
  setup(() => {
    http = new Http({ loadObserver });
  });
  teardown(() => http.close());
  const verdictOf = async (card: object, trusted: unknown): Promise<string> =>
    (await new CardVerifier({ http, trusted: () => trusted }).verify(JSON.stringify(card)))?.verdict ?? 'unsigned';

  test('every change is told, and nothing else', async () => {
    let tampered = 0;
    const [accepted, refused]: [string[], string[]] = [[], []];
    for (const algorithm of algorithms) {
      const signer = await cardSigner(algorithm);
      const trusted = { Port: { jwk: signer.jwk } };
      const card = await signed(fullCard, signer);
      const { signatures } = card;
      for (const right of [card, Object.fromEntries(Object.entries(card).reverse()), await signed(card, signer)])
        if ((await verdictOf(right, trusted)) !== 'valid') refused.push(algorithm);
      for (const [where, changed] of changesOf(fullCard)) {
        tampered++;
        if ((await verdictOf({ ...(changed as object), signatures }, trusted)) !== 'invalid') accepted.push(`${algorithm} ${where}`);
      }
      // What the SDKs do not sign may be added to such a card: it is named, and the card is not valid as a whole.
      for (const added of [
        { url: 'https://evil.example' },
        { securityRequirements: [...card.securityRequirements, { schemes: {} }] },
        { x: '' },
      ]) {
        tampered++;
        if ((await verdictOf({ ...card, ...added }, trusted)) !== 'partial') accepted.push(`${algorithm} ${JSON.stringify(added)}`);
      }
    }
    figure(
      'F20',
      { 'tampered cards': tampered, 'tampered cards taken': accepted.length, 'right cards refused': refused.length },
      `${tampered} tampered cards, ${accepted.length} taken`,
    );
    assert.deepEqual([accepted, refused], [[], []]);
  });

  test('no forged signature is valid', async () => {
    let forged = 0;
    const accepted: string[] = [];
    for (const algorithm of algorithms) {
      const [signer, stranger] = [await cardSigner(algorithm), await cardSigner(algorithm)];
      const trusted = { Port: { jwk: signer.jwk } };
      const [good] = (await signed(fullCard, signer)).signatures as readonly [Signature];
      const other = (await signed({ ...fullCard, name: 'Other' }, signer)).signatures[0]!;
      const byStranger = async (header: object): Promise<Signature> => (await signed(fullCard, stranger, header)).signatures[0]!;
      const secret = signer.publicKey.export({ type: 'spki', format: 'pem' });
      const hmac = encoded({ alg: 'HS256', kid: 'key-1' });
      const payload = Buffer.from(canonicalText(fullCard)).toString('base64url');
      const length = Buffer.from(good.signature, 'base64url').length;
      const rows: readonly (readonly [what: string, signature: unknown])[] = [
        ['another key of the same id', await byStranger({})],
        ['another key, brought along', await byStranger({ jwk: stranger.jwk })],
        ['another key and another id', await byStranger({ kid: 'mine' })],
        ['that of another card', other],
        ['the bytes of another card', { ...good, signature: other.signature }],
        ['the header of another signature', { ...good, protected: encoded({ alg: algorithm, kid: 'key-1', typ: 'other' }) }],
        ['alg none', { protected: encoded({ alg: 'none', kid: 'key-1' }), signature: good.signature }],
        ['alg none, empty', { protected: encoded({ alg: 'none', kid: 'key-1' }), signature: '' }],
        ['HMAC', { protected: hmac, signature: createHmac('sha256', secret).update(`${hmac}.${payload}`).digest('base64url') }],
        ['half of it', { ...good, signature: good.signature.slice(0, good.signature.length / 2) }],
        ['twice', { ...good, signature: good.signature + good.signature }],
        ['zeros', { ...good, signature: Buffer.alloc(length).toString('base64url') }],
        ['no header', { signature: good.signature }],
        ['the header unprotected', { header: { alg: algorithm, kid: 'key-1' }, signature: good.signature }],
        ...Array.from(
          { length: full ? length : 8 },
          (_, at) => [`bit ${at}`, { ...good, signature: flipped(good.signature, at) }] as const,
        ),
      ];
      for (const [what, signature] of rows) {
        forged++;
        const verdict = await verdictOf({ ...fullCard, signatures: [signature] }, trusted);
        if (verdict === 'valid' || verdict === 'partial') accepted.push(`${algorithm}: ${what}`);
      }
    }
    figure(
      'F20',
      { 'forged signatures': forged, 'forged signatures taken': accepted.length },
      `${forged} forged signatures, ${accepted.length} taken`,
    );
    assert.deepEqual(accepted, []);
  });

  test('no address that a card names is asked', async () => {
    let connections = 0;
    const stranger: CardSigner = await cardSigner();
    const server: Server = createServer((_, response) => response.end(JSON.stringify({ keys: [stranger.jwk] }))).on(
      'connection',
      () => connections++,
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let cards = 0;
    const taken: string[] = [];
    try {
      for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '0.0.0.0', '[::ffff:127.0.0.1]'])
        for (const name of ['jku', 'x5u', 'iss', 'JKU'])
          for (const trusted of [{}, { Port: { jwk: stranger.jwk, from: 'https://port.example/jwks.json' } }]) {
            cards++;
            // With the key of the signer, but of another address: the signature is good, and that is known without asking.
            const verdict = await verdictOf(await signed(fullCard, stranger, { [name]: `http://${host}:${port}/jwks.json` }), trusted);
            if (verdict === 'valid' && !('Port' in trusted)) taken.push(`${name} at ${host}`);
          }
    } finally {
      server.closeAllConnections();
      server.close();
    }
    figure(
      'F20',
      { 'addresses in cards': cards, 'connections to them': connections },
      `${cards} cards with addresses of keys, ${connections} connections to them`,
    );
    assert.deepEqual([connections, taken], [0, []]);
  });
});
