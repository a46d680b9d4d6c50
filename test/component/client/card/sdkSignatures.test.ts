import * as assert from 'node:assert/strict';
import { AgentCard, generateAgentCardSignature, verifyAgentCardSignature } from '@a2a-js/sdk';
import { CardVerifier } from '../../../../src/client/card/signatures/cardVerifier.ts';
import type { SignatureReport } from '../../../../src/client/card/signatures/signatureReport.ts';
import { Http } from '../../../../src/client/http/http.ts';
import { loadObserver } from '../../../../src/conformance/rules/loadedRules.ts';
import { english } from '../../../../src/protocol/problem.ts';
import { cardSigner, fullCard, type CardSigner, signed } from '../../../support/client/cardSigner.ts';

/** A card with what the SDK does not sign: empty text, lists and objects, and members that it does not know. */
const sparseCard = {
  ...fullCard,
  description: '',
  documentationUrl: '',
  capabilities: { streaming: false, extensions: [{ uri: 'https://a.example/x', required: false, params: { n: 0, empty: '', none: {} } }] },
  securitySchemes: { token: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: '' } } },
  securityRequirements: [{ schemes: { token: { list: [] } } }],
  defaultInputModes: [],
  skills: [],
};

suite('cards signed by the JavaScript SDK', () => {
  let signer: CardSigner;
  suiteSetup(async () => {
    signer = await cardSigner();
  });

  const verify = (card: unknown): Promise<SignatureReport | undefined> =>
    new CardVerifier({ http: new Http({ loadObserver }), trusted: () => ({ Port: { jwk: signer.jwk } }) }).verify(JSON.stringify(card));
  const header = { alg: 'ES256', kid: 'key-1', typ: 'JOSE' };
  type Card = Record<string, unknown>;
  /** Its JSON, signed: the SDK takes that as well, though its types do not say so. */
  const json = async (card: object, more: object = {}): Promise<Card> => ({
    ...card,
    ...(await generateAgentCardSignature(signer.privateKey, { ...header, ...more })(card as AgentCard)),
  });
  /** An object of the SDK, signed and served. */
  const object = async (card: object): Promise<Card> =>
    AgentCard.toJSON(await generateAgentCardSignature(signer.privateKey, header)(AgentCard.fromJSON(card))) as Card;
  /** What the SDK itself says. */
  const sdkAccepts = (card: AgentCard): Promise<boolean> =>
    verifyAgentCardSignature(() => Promise.resolve(signer.publicKey))(card).then(
      () => true,
      () => false,
    );

  test('JSON without empty members is valid in the specified form, also when signed twice', async () => {
    const card = await json(fullCard);
    const report = await verify(card);
    assert.equal(report?.verdict, 'valid');
    assert.deepEqual(report.signatures[0]?.notes, []);
    const twice = await verify(await json(card, { jku: 'https://port.example/jwks.json' }));
    assert.deepEqual(
      twice?.signatures.map(({ verdict }) => verdict),
      ['valid', 'valid'],
    );
  });

  test('JSON with empty members is valid in the form of the SDKs, and what that does not cover is named', async () => {
    const report = await verify(await json(sparseCard));
    assert.equal(report?.verdict, 'partial');
    assert.match(english(report.message), /added it: \/capabilities\/extensions\/0\/params\/none, \/securityRequirements\.$/);
    assert.match(
      report.signatures[0]?.notes.map(english).join('') ?? '',
      /over what the official SDKs write.* not over the form that A2A 1\.0 §8\.4\.1/,
    );
    const { securityRequirements: _, capabilities: __, ...rest } = sparseCard;
    const without = { ...rest, capabilities: { streaming: false } };
    const plain = await verify(await json(without));
    assert.equal(plain?.verdict, 'valid');
    assert.equal(plain.signatures[0]?.notes.length, 1);
  });

  test('an object of the SDK is signed without its security schemes, which is told', async () => {
    for (const card of [fullCard, sparseCard]) {
      const served = await object(card);
      const report = await verify(served);
      assert.equal(report?.verdict, 'partial');
      assert.match(english(report.message), /added it: .*\/securitySchemes/);
      assert.match(report.signatures[0]?.notes.map(english).join('') ?? '', /over what the JavaScript SDK writes/);
      if (card === fullCard) assert.equal((await verify({ ...served, securitySchemes: {} }))?.verdict, 'valid');
      assert.equal((await verify({ ...served, name: 'x' }))?.verdict, 'invalid');
    }
    const { securitySchemes: _, securityRequirements: __, ...open } = fullCard;
    assert.equal((await verify(await object(open)))?.verdict, 'valid');
  });

  test('what the SDK accepts is valid, at least in part, and what it refuses is not', async () => {
    const changes: readonly object[] = [
      {},
      { name: 'x' },
      { description: 'x' },
      { version: '' },
      { skills: [{ id: 's', name: 's', description: '', tags: [] }] },
      { capabilities: { streaming: true } },
      { capabilities: {} },
      { securityRequirements: [] },
      { securityRequirements: [{ schemes: { token: { list: ['admin'] } } }] },
      { securitySchemes: {} },
      { defaultInputModes: ['text/plain'] },
      { url: 'https://evil.example' },
      { iconUrl: '' },
      { supportedInterfaces: [] },
    ];
    const ways = [
      [await json(sparseCard), (card: object) => card as AgentCard],
      [await object(sparseCard), (card: object) => AgentCard.fromJSON(card)],
    ] as const;
    let refused = 0;
    for (const [card, read] of ways) {
      for (const change of changes) {
        const changed = { ...card, ...change };
        const accepts = await sdkAccepts(read(changed));
        const verdict = (await verify(changed))?.verdict ?? '';
        if (!accepts) refused++;
        assert.equal(['valid', 'partial'].includes(verdict), accepts, `${JSON.stringify(change)}: ${verdict}`);
      }
    }
    assert.ok(refused >= 15, `${refused} refused`);
  });

  test('a card in the specified form is accepted by the SDK where it has no empty members', async () => {
    assert.ok(await sdkAccepts((await signed(fullCard, signer)) as unknown as AgentCard));
  });
});
