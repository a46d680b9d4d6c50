import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';

export interface FailedTest {
  /** The full title; that of a hook where a hook failed. */
  readonly title: string;
  /** The beginning of the error, and where it was thrown. */
  readonly error: string;
}

/** What came of the tests of one file. */
interface FileCounts {
  readonly passed: number;
  readonly pending: number;
  /** Time of its tests and hooks, in milliseconds. */
  readonly ms: number;
  readonly failed: readonly FailedTest[];
}

/** What a mocha run came to. */
export interface Counts {
  /** False where the run broke off: then only files that were over by then are here. */
  readonly complete: boolean;
  /** By path from the root of the project, with slashes. */
  readonly files: Readonly<Record<string, FileCounts>>;
}

/** The counts of all files together; failures as one line each. */
export function totalOf({ files }: Counts): { passed: number; pending: number; failures: string[] } {
  const all = Object.values(files);
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    pending: all.reduce((sum, { pending }) => sum + pending, 0),
    failures: all.flatMap(({ failed }) => failed.map(({ title, error }) => `${title}: ${error}`)),
  };
}

const root = process.cwd();

/** Mocha's `spec` reporter that also writes its {@link Counts} as JSON to the file named by `A2A_COUNTS`: every two seconds, so that a run that breaks off has some. */
export default class CountsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const path = process.env['A2A_COUNTS'];
    if (path === undefined) return;
    const { EVENT_HOOK_END, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_SUITE_END, EVENT_RUN_END } = Mocha.Runner.constants;
    const files: Record<string, { passed: number; pending: number; ms: number; failed: FailedTest[] }> = {};
    const fileOf = ({ file = 'a hook of all tests', duration = 0 }: Mocha.Runnable): (typeof files)[string] => {
      const counts = (files[relative(root, file).replaceAll(sep, '/')] ??= { passed: 0, pending: 0, ms: 0, failed: [] });
      counts.ms += duration;
      return counts;
    };
    let written = 0;
    const write = (complete: boolean): void => {
      writeFileSync(path, JSON.stringify({ complete, files } satisfies Counts));
      written = Date.now();
    };
    mkdirSync(dirname(path), { recursive: true });
    runner.on(EVENT_HOOK_END, hook => {
      if (hook.file !== undefined) fileOf(hook);
    });
    runner.on(EVENT_TEST_PASS, test => {
      fileOf(test).passed += 1;
    });
    runner.on(EVENT_TEST_PENDING, test => {
      fileOf(test).pending += 1;
    });
    runner.on(EVENT_TEST_FAIL, (test, error: Error) => fileOf(test).failed.push({ title: test.fullTitle(), error: wordsOf(error) }));

    runner.on(EVENT_SUITE_END, () => {
      if (Date.now() - written > 2_000) write(false);
    });
    runner.on(EVENT_RUN_END, () => write(true));
  }
}

/** Longest error of a failure that is counted, in UTF-16 code units. */
const maxWords = 300;

function wordsOf({ message, stack = '' }: Error): string {
  const [place] = /[^/\\\s(]+\.test\.tsx?:\d+/.exec(stack) ?? [];
  const words = stripVTControlCharacters(message).replaceAll(/\s+/g, ' ').trim().slice(0, maxWords);
  return place === undefined ? words : `${words} (${place})`;
}
