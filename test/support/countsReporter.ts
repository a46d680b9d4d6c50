import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';

/** What a mocha run came to; the file named by `A2A_COUNTS` holds it as JSON once the run is over. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  /** The full titles of what failed, hooks included, each with the beginning of its error and where that was thrown. */
  readonly failures: readonly string[];
}

/** Mocha's `spec` reporter that also writes its counts to a file, so that an aborted run is not taken for one that passed. */
export default class CountsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const path = process.env['A2A_COUNTS'];
    if (path === undefined) return;
    const { EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_RUN_END } = Mocha.Runner.constants;
    let passed = 0;
    let pending = 0;
    const failures: string[] = [];
    runner.on(EVENT_TEST_PASS, () => {
      passed += 1;
    });
    runner.on(EVENT_TEST_PENDING, () => {
      pending += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test, error: Error) => failures.push(`${test.fullTitle()}: ${wordsOf(error)}`));
    runner.on(EVENT_RUN_END, () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ passed, failed: failures.length, pending, failures } satisfies Counts));
    });
  }
}

/** Longest error of a failure that is counted, in UTF-16 code units. */
const maxWords = 300;

function wordsOf({ message, stack = '' }: Error): string {
  const [place] = /[^/\\\s(]+\.test\.tsx?:\d+/.exec(stack) ?? [];
  const words = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim().slice(0, maxWords);
  return place === undefined ? words : `${words} (${place})`;
}
