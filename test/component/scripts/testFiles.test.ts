import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { mochaArguments } from '../../../scripts/mocha.ts';
import { type FilesRun, type Outcome, runFiles } from '../../../scripts/testFiles.ts';
import { eventually } from '../../support/eventually.ts';

suite('test files that fail', () => {
  let folder: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'a2a-files-'));
  });
  teardown(() => rm(folder, { recursive: true, force: true }));

  /** As the report names it. */
  const named = (name: string): string => relative('.', join(folder, name)).replaceAll('\\', '/');

  /** Runs files with these sources as `npm test` does. */
  async function run(
    sources: Readonly<Record<string, string>>,
    { retry = true, jobs = 2, idleMs = 60_000 }: { readonly retry?: boolean; readonly jobs?: number; readonly idleMs?: number } = {},
  ): Promise<{ readonly outcome: Outcome; readonly runs: readonly string[] }> {
    for (const [name, source] of Object.entries(sources)) await writeFile(join(folder, name), source);
    const all = Object.keys(sources).map(name => join(folder, name));
    const runs: string[] = [];
    const options: FilesRun = {
      name: 'some',
      folder,
      mayBeEmpty: false,
      retry,
      idleMs,
      run: async (env, hangs, file) => {
        runs.push(file ?? 'all');
        const args = mochaArguments(file === undefined ? all : [file], { jobs: file === undefined ? jobs : undefined });
        const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env } });
        hangs.addEventListener('abort', () => child.kill());
        const [code] = (await once(child, 'exit')) as [number];
        return code;
      },
    };
    return { outcome: await runFiles(options), runs };
  }

  const passes = "suite('good', () => { test('passes', () => {}); });";
  const fails = "suite('bad', () => { test('fails', () => { throw new Error('no luck'); }); test('passes', () => {}); });";
  /** Fails when it runs for the first time. */
  const failsOnce = (marker: string): string =>
    `const { existsSync, writeFileSync } = require('node:fs');
     suite('odd', () => { test('is lucky', () => {
       if (existsSync(${JSON.stringify(marker)})) return;
       writeFileSync(${JSON.stringify(marker)}, '');
       throw new Error('no luck');
     }); });`;

  test('one that passes at its second try is flaky, and named with its first error', async () => {
    const { outcome, runs } = await run({ 'a.test.cjs': passes, 'b.test.cjs': failsOnce(join(folder, 'marker')) });
    assert.deepEqual([outcome.passed, outcome.failed, outcome.failures], [2, 0, []]);
    const [flaky, ...more] = outcome.flaky ?? [];
    assert.deepEqual([flaky?.file, flaky?.title, more], [named('b.test.cjs'), 'odd is lucky', []]);
    assert.match(flaky?.error ?? '', /^no luck/);
    assert.deepEqual(runs, ['all', named('b.test.cjs')]);
    assert.deepEqual(outcome.files?.map(([file]) => file).sort(), [named('a.test.cjs'), named('b.test.cjs')]);
  });

  test('one that fails twice has failed', async () => {
    const { outcome, runs } = await run({ 'a.test.cjs': passes, 'b.test.cjs': fails });
    assert.deepEqual([outcome.passed, outcome.failed, outcome.flaky, runs.length], [2, 1, [], 2]);
    assert.match(outcome.failures[0] ?? '', /^some: bad fails: no luck/);
  });

  test('there is no second try where none is wanted, nor where more files failed than chance explains', async () => {
    const once = await run({ 'b.test.cjs': failsOnce(join(folder, 'marker')) }, { retry: false });
    assert.deepEqual([once.outcome.failed, once.runs], [1, ['all']]);
    const many = Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [`${name}.test.cjs`, failsOnce(join(folder, `marker-${name}`))]));
    const all = await run(many);
    assert.deepEqual([all.outcome.failed, all.runs], [4, ['all']]);
  });

  test('a hook that fails is a failure of its file', async () => {
    const { outcome } = await run({
      'a.test.cjs': "suite('bad', () => { setup(() => { throw new Error('no'); }); test('x', () => {}); });",
    });
    assert.equal(outcome.failed, 1);
    assert.match(outcome.failures[0] ?? '', /"before each" hook for "x"/);
  });

  test('one that cannot be loaded, and a run without tests, are failures', async () => {
    assert.match((await run({ 'a.test.cjs': 'throw new Error("no")' })).outcome.failures.join(), /some: .*no/);
    assert.deepEqual((await run({ 'a.test.cjs': '' })).outcome.failures, ['some: there was no test']);
  });

  test('one that hangs is named when the run is ended, with what passed before, and its process is gone', async () => {
    const idleMs = 6_000;
    const running = run(
      {
        'a.test.cjs': passes,
        'b.test.cjs': "suite('bad', () => { test('hangs', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }); });",
      },
      { jobs: 1, idleMs },
    );
    const notes = join(folder, 'running', 'some');
    const hanging = await eventually(async () => {
      for (const pid of await readdir(notes)) if ((await readFile(join(notes, pid), 'utf8')).includes('› hangs')) return Number(pid);
      throw new Error('no test hangs yet');
    });
    const { outcome, runs } = await running;
    assert.deepEqual([outcome.passed, outcome.failed, runs], [1, 1, ['all']]);
    assert.match(outcome.failures[0] ?? '', /^some: the run broke off \(no test began or ended for 6 s\), while .*b\.test\.cjs › hangs$/);
    await eventually(() => assert.throws(() => process.kill(hanging, 0)));
  });
});
