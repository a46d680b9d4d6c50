import * as assert from 'node:assert/strict';
import { caught, sampleOf } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';

/** The canaries of sign-ins have to be found where each of these puts them. */
const flaws = {
  'a client that follows redirects to other origins': {
    flaw: { file: 'src/client/http/redirects.ts', edits: [['target.origin === request.url.origin &&', "target.origin !== '' &&"]] },
    where: /[1-9]\d* at another origin/,
  },
  'a wire log with the headers as they are': {
    flaw: {
      file: 'src/client/wireLog/exchangeRecord.ts',
      edits: [['maskedHeaders(request.headers, request.secret)', 'maskedHeaders([], request.secret).concat(request.headers)']],
    },
    where: /[1-9]\d* exported/,
  },
  'a history that keeps the tokens that agents quote': {
    flaw: {
      file: 'src/client/wireLog/sentCredentials.ts',
      edits: [['if (hits.length === 0) return text;', 'if (hits.length >= 0) return text;']],
    },
    where: /[1-9]\d* in the history, [1-9]\d* in a draft, [1-9]\d* in a panel, [1-9]\d* in a response document/,
  },
  'a crash that tells what it was about': {
    flaw: {
      file: 'src/workbench/platform/report.ts',
      edits: [
        [
          'secretsToMask.mask(error instanceof Error ? error.message : String(error))',
          'error instanceof Error ? error.message : String(error)',
        ],
      ],
    },
    where: /[1-9]\d* in a crash or the log/,
  },
} as const satisfies Record<string, { readonly flaw: Flaw; readonly where: RegExp }>;

suite('credentials of sign-ins with a planted flaw', function () {
  this.timeout(200_000);
  for (const name of sampleOf(Object.keys(flaws) as (keyof typeof flaws)[])) {
    test(`${name} is caught`, async () => {
      const { flaw, where } = flaws[name];
      const { counts, output } = await runFlawed(flaw, ['test/component/auth/signInCanaries.test.ts'], {
        grep: 'in a sample',
        timeoutMs: 180_000,
      });
      assert.deepEqual([counts?.passed, counts?.failures.length], [0, 1], output);
      assert.match(output, where);
      caught('F6', name);
    });
  }
});
