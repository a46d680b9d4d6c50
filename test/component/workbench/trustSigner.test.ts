import * as assert from 'node:assert/strict';
import { CardVerifier } from '../../../src/client/card/signatures/cardVerifier.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { type CardSigner, cardSigner, signed } from '../../support/client/cardSigner.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { trustSigner } = await import('../../../src/workbench/agentCards/trustSigner.ts');
const { trustedSigners } = await import('../../../src/workbench/agentCards/trustedSigners.ts');

suite('the signer of a card', () => {
  const open = new OpenThings();
  let stranger: CardSigner;
  let keysUrl: string;
  let keysAsked: number;
  let text: string;
  let kept: unknown;
  let asked: string[];
  let answers: (string | undefined)[];
  let restore: (() => void)[];
  setup(async () => {
    [kept, keysAsked, asked] = [undefined, 0, []];
    stranger = await cardSigner('ES384', 'stranger-2026');
    keysUrl = `${await open.web((_, response) => {
      keysAsked++;
      response.end(JSON.stringify({ keys: [stranger.jwk] }));
    })}jwks.json`;
    text = JSON.stringify(await signed(minimalCard('http://127.0.0.1:9/', '1.0') as object, stranger, { jku: keysUrl }));
    restore = [
      inPlaceOf('window', {
        showWarningMessage: async (question: string, { detail }: { readonly detail: string }) => {
          asked.push(`${question} ${detail}`);
          return answers.shift();
        },
        showInformationMessage: async () => undefined,
        withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
      }),
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          // A workspace cannot say whom a person trusts.
          inspect: () => ({
            globalValue: kept,
            workspaceValue: { Evil: { jwks: keysUrl } },
            workspaceFolderValue: { Evil: { jwks: keysUrl } },
          }),
          update: async (_: string, value: unknown) => {
            kept = value;
          },
        }),
      }),
    ];
  });
  teardown(async () => {
    restore.forEach(back => back());
    await open.close();
  });

  test('is trusted after two questions; nothing is fetched before the first, and nothing kept before the second', async () => {
    const verifier = new CardVerifier({ http: open.http(), trusted: trustedSigners });
    const trust = async (...given: (string | undefined)[]): Promise<void> => {
      answers = given;
      await trustSigner(verifier, 'Stranger', text);
      assert.deepEqual(answers, []);
    };
    assert.equal(trustedSigners(), undefined);
    assert.equal((await verifier.verify(text))?.verdict, 'untrusted-key');
    await trust(undefined);
    assert.ok(asked[0]?.includes(`are at ${keysUrl}. Fetch them?`), asked[0]);
    assert.deepEqual([keysAsked, kept], [0, undefined]);
    await trust('Fetch Keys', undefined);
    assert.ok(asked.at(-1)?.includes(stranger.thumbprint), asked.at(-1));
    assert.deepEqual([keysAsked, kept], [1, undefined]);
    await trust('Fetch Keys', 'Trust This Key');
    const { host } = new URL(keysUrl);
    assert.deepEqual(Object.keys(kept as object), [host]);
    const before = keysAsked;
    // The key is in the settings now: its address is not asked any more.
    const report = await verifier.verify(text);
    assert.deepEqual([report?.verdict, report?.signatures[0]?.key?.signer, keysAsked], ['valid', host, before]);
  });
});
