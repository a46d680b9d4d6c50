import * as assert from 'node:assert/strict';
import { caught, sampleOf } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';

/** The suite of forged deliveries has to fail with each of these. */
const flaws = {
  'a receiver that does not check the token': {
    file: 'src/receiver/deliveryVerdicts.ts',
    edits: [['sameText([told].flat().join(), token)', 'told !== undefined']],
  },
  'a receiver that applies replays': {
    file: 'src/receiver/deliveryReader.ts',
    edits: [['return !known;', 'return true || !known;']],
  },
  'a receiver that takes any host': {
    file: 'src/receiver/requestGuard.ts',
    edits: [['return isOwn(asked) ||', 'return true ||']],
  },
  'a receiver that waits for ever': {
    file: 'src/receiver/notificationReceiver.ts',
    edits: [
      ['headersTimeout: headMs,', 'headersTimeout: 0,'],
      ['requestTimeout: requestMs,', 'requestTimeout: 0,'],
    ],
  },
} as const satisfies Record<string, Flaw>;

const broken: Readonly<Record<keyof typeof flaws, RegExp>> = {
  'a receiver that does not check the token': /no forged delivery is accepted/,
  'a receiver that applies replays': /applied once/,
  'a receiver that takes any host': /no forged delivery is accepted/,
  'a receiver that waits for ever': /slow senders are cut/,
};

suite('receiver of push notifications with a planted flaw', function () {
  this.timeout(200_000);
  for (const name of sampleOf(Object.keys(flaws) as (keyof typeof flaws)[])) {
    test(`${name} is caught`, async () => {
      const { counts, output } = await runFlawed(flaws[name], ['test/component/receiver/forgedDeliveries.test.ts'], { timeoutMs: 180_000 });
      // What has nothing to do with the flaw holds, so that it is no program that does not run at all.
      assert.equal(counts?.passed, 2, output);
      assert.equal(counts.failures.length, 1, output);
      assert.match(counts.failures[0]!, broken[name]);
      caught('F19', name);
    });
  }
});
