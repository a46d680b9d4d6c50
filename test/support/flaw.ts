import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../scripts/command.ts';
import { mochaArguments } from '../../scripts/mocha.ts';
import { type Counts, totalOf } from './countsReporter.ts';

const root = join(import.meta.dirname, '../..');

/** A change to a source file in one or more places: replaces a text that occurs once, or the range between two positions. */
export interface Flaw {
  /** From the root of the project. */
  readonly file: string;
  readonly edits: readonly (
    | readonly [from: string, to: string]
    | { readonly start: number; readonly end: number; readonly text: string }
  )[];
}

export interface FlawedRun {
  /** Undefined where the run broke off. */
  readonly counts: ReturnType<typeof totalOf> | undefined;
  readonly output: string;
}

/** Runs tests in a process of their own in which a source is flawed. It is ended after so long, in milliseconds. */
export async function runFlawed(
  flaw: Flaw,
  files: readonly string[],
  { grep, timeoutMs, bail = false }: { readonly grep?: string; readonly timeoutMs: number; readonly bail?: boolean },
): Promise<FlawedRun> {
  const folder = await mkdtemp(join(tmpdir(), 'a2a-flaw-'));
  const path = join(folder, 'counts.json');
  const { A2A_STRESS: _full, A2A_FIGURES: _figures, A2A_RUNNING: _running, ...env } = process.env;
  const args = [
    '--no-warnings',
    '--import',
    join(root, 'test/support/plantFlaw.ts'),
    ...mochaArguments(
      files.map(file => join(root, file)),
      { grep },
    ),
    ...(bail ? ['--bail'] : []),
  ];
  const { output } = await runCommand(process.execPath, args, {
    cwd: root,
    output: 'collect',
    signal: AbortSignal.timeout(timeoutMs),
    env: { ...env, A2A_COUNTS: path, A2A_FLAW: JSON.stringify(flaw) },
  });
  const text = await readFile(path, 'utf8').catch(() => '{"complete":false,"files":{}}');
  await rm(folder, { recursive: true, force: true });
  const counts = JSON.parse(text) as Counts;
  return { counts: counts.complete ? totalOf(counts) : undefined, output };
}
