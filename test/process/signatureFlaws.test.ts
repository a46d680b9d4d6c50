import * as assert from 'node:assert/strict';
import { caught, sampleOf } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';

/** The suite of tampered cards has to fail with each of these. */
const flaws = {
  'a verifier that takes every signature of a known key': {
    file: 'src/client/card/signatures/keyMatch.ts',
    edits: [['error instanceof DOMException) return false;', 'error instanceof DOMException) return true;']],
  },
  'a verifier that takes a part for the whole': {
    file: 'src/client/card/signatures/checkSignature.ts',
    edits: [["return uncovered === ''", "return uncovered !== '/'"]],
  },
  'a verifier that asks the address in a card': {
    file: 'src/client/card/signatures/checkSignature.ts',
    edits: [
      [
        'await needs.keys.find(needs.signers, header);',
        "await needs.keys.find([...needs.signers, { name: 'x', source: { url: new URL(header.keysUrl ?? 'data:') } }], header);",
      ],
    ],
  },
} as const satisfies Record<string, Flaw>;

const broken: Readonly<Record<keyof typeof flaws, readonly RegExp[]>> = {
  'a verifier that takes every signature of a known key': [/every change is told/, /no forged signature is valid/],
  'a verifier that takes a part for the whole': [/every change is told/],
  'a verifier that asks the address in a card': [/no address that a card names is asked/],
};

suite('signatures of cards with a planted flaw', () => {
  for (const name of sampleOf(Object.keys(flaws) as (keyof typeof flaws)[])) {
    test(`${name} is caught`, async () => {
      const { counts, output } = await runFlawed(flaws[name], ['test/component/client/card/tamperedCards.test.ts'], { timeoutMs: 100_000 });
      const failures = counts?.failures ?? [];
      assert.equal(failures.length, broken[name].length, output);
      // What has nothing to do with the flaw holds, so that it is no program that does not run at all.
      assert.ok((counts?.passed ?? 0) >= 1, output);
      for (const [index, what] of broken[name].entries()) assert.match(failures[index] ?? '', what);
      caught('F20', name);
    });
  }
});
