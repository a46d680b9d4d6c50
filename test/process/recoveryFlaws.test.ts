import * as assert from 'node:assert/strict';
import { caught, sampleOf } from '../support/figure.ts';
import { type Flaw, runFlawed } from '../support/flaw.ts';

/** The suite of recovery has to fail with each of these, and with no more than it has to. */
const flaws = {
  'a client that sends the message again': {
    file: 'src/model/run/run.ts',
    edits: [
      [
        `      fault = error;
    }
    return`,
        `      fault = error;
    }
    if (fault instanceof ConnectionProblem && this.#watch.updates.answered) {
      const again = await stream.connect();
      fault = await this.#watch.listen(options => again.stream('SendStreamingMessage', { ...params, message }, { ...options, unchecked }));
    }
    return`,
      ],
    ],
  },
  'a client that appends a snapshot': {
    file: 'src/model/fold/artifactReducer.ts',
    edits: [['const rest = parts.slice(before.length);', 'const rest = parts;']],
  },
  'a client that takes the end of a stream for the end of its task': {
    file: 'src/model/run/run.ts',
    edits: [
      [
        'const recovers = !left && this.#canRecover(takesOver);',
        'const recovers = !left && fault !== undefined && this.#canRecover(takesOver);',
      ],
    ],
  },
} as const satisfies Record<string, Flaw>;

const broken: Readonly<Record<keyof typeof flaws, string>> = {
  'a client that sends the message again': 'reset between events',
  'a client that appends a snapshot': 'reset between events',
  'a client that takes the end of a stream for the end of its task': 'ended between events',
};

suite('recovery with a planted flaw', function () {
  this.timeout(400_000);
  for (const name of sampleOf(Object.keys(flaws) as (keyof typeof flaws)[])) {
    test(`${name} is caught`, async () => {
      const title = broken[name];
      const { counts, output } = await runFlawed(flaws[name], ['test/process/recovery.test.ts'], {
        grep: `spoilt on their way 1\\.0 JSONRPC (${title}|byte by byte)`,
        timeoutMs: 300_000,
      });
      // What has nothing to do with the flaw holds, so that it is no program that does not run at all.
      assert.equal(counts?.passed, 1, output);
      assert.equal(counts.failures.length, 1, output);
      assert.match(counts.failures[0]!, new RegExp(title));
      assert.doesNotMatch(output, /Timeout of/);
      caught('F3', name);
    });
  }
});
