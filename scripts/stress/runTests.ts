import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Counts, totalOf } from '../../test/support/countsReporter.ts';
import type { FigureLine } from '../../test/support/figure.ts';
import type { Target, TargetTests } from '../../test/support/targets.ts';
import { runCommand } from '../command.ts';
import { mochaArguments, uiTimeoutMs } from '../mocha.ts';
import type { Ended } from './outcome.ts';

const root = join(import.meta.dirname, '..', '..');
const output = join(root, 'test-output', 'stress');

/** Runs a target's tests with full counts, one file at a time; returns how they ended and the figures that they reported. */
export async function runTests(name: string, target: Target, signal: AbortSignal): Promise<{ ended: Ended; lines: readonly FigureLine[] }> {
  await mkdir(output, { recursive: true });
  const figures = join(output, `${name}.jsonl`);
  await rm(figures, { force: true });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout((target.minutes ?? 60) * 60_000)]);
  const all: Ended[] = [];
  for (const tests of target.tests) all.push(await runFile(tests, figures, deadline));
  const text = await readFile(figures, 'utf8').catch(() => '');
  const lines = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as FigureLine)
    .filter(line => line.target === name);
  return { ended: { passed: all.reduce((sum, { passed }) => sum + passed, 0), failures: all.flatMap(({ failures }) => failures) }, lines };
}

async function runFile({ file, grep }: TargetTests, figures: string, signal: AbortSignal): Promise<Ended> {
  const counts = join(output, 'counts.json');
  await rm(counts, { force: true });
  const ui = file.startsWith('test/ui/');
  const args = mochaArguments([join(root, file)], { timeoutMs: ui ? uiTimeoutMs : undefined, grep, ui });
  const { code } = await runCommand(process.execPath, args, {
    cwd: root,
    output: 'inherit',
    signal,
    env: { ...process.env, A2A_STRESS: 'full', A2A_FIGURES: figures, A2A_COUNTS: counts },
  });
  const text = await readFile(counts, 'utf8').catch(() => '{"complete":false,"files":{}}');
  const counted = JSON.parse(text) as Counts;
  const { passed, pending, failures } = totalOf(counted);
  if (!counted.complete) return { passed, failures: [...failures, `${file}: the run broke off (exit code ${code})`] };
  if (failures.length === 0 && code !== 0) return { passed, failures: [`${file}: the run ended with exit code ${code}`] };
  if (passed + failures.length === 0) return { passed, failures: [`${file}: there was no test`] };
  return { passed, failures: [...failures, ...(pending > 0 ? [`${file}: ${pending} skipped`] : [])] };
}
