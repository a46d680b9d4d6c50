import { askUser } from '../terminal/ask.ts';
import { refuseOldNode } from '../terminal/nodeVersion.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage.ts';
import { findRunFiles, standardInput } from './runFiles.ts';
import { runOnce } from './runOnce.ts';
import { runPlan } from './runPlan.ts';
import { watchRuns } from './watch.ts';

/** Sends the requests of files, each once and after the ones it needs, and checks the answers against their expectations. */
export async function run(terminal: Terminal, patterns: readonly string[]): Promise<number> {
  const { host, output, signal } = terminal;
  refuseOldNode('run');
  const plan = runPlan(terminal);
  const ask = askUser(terminal);
  const find = () => findRunFiles(patterns, host.cwd());
  const { files } = plan;
  if (files === undefined) return runOnce(terminal, plan, find(), ask);
  if (patterns.includes(standardInput)) throw new UsageError('--watch needs files: standard input does not change.');
  return watchRuns({
    host,
    output,
    signal,
    files,
    find: () => find().map(({ path }) => path),
    run: () => runOnce(terminal, plan, find(), ask),
  });
}
