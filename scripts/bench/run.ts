import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { build as buildProduct } from '../../esbuild.mjs';
import { median, tell } from './measure.ts';

// Requests per second of `a2a run --parallel 16`, as it is shipped, over a file of 1,000 small requests, against the least a client can do:
// as many POSTs of the same body by undici, 16 at a time, their answers parsed. Both are processes of their own; their start is measured
// apart. The agent answers at once, as no agent does, and then after 10 ms.

const count = 1000;
const parallel = 16;
const rounds = 3;

const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.cjs');

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function program(...words: string[]): Promise<void> {
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with exit code ${String(code)}`);
}

const run = (...args: string[]): Promise<void> => program(cli, 'run', ...args);

type Operation = 'SendMessage' | 'SendStreamingMessage';

function requestFile(url: string, operation: Operation, length: number): string {
  const path = join(folder, `${operation}-${length}.a2a`);
  const requests = Array.from({ length }, (_, index) => ({ name: `r${index}`, method: operation, message: `Boat ${index}` }));
  writeFileSync(path, JSON.stringify({ agent: url, requests }));
  return path;
}

/** Measures both against an agent that takes so many milliseconds. */
async function measure(operation: Operation, takes: number): Promise<void> {
  const agent = fork(join(import.meta.dirname, 'boatAgent.ts'), [String(takes)], { stdio: 'inherit' });
  try {
    const [url] = (await once(agent, 'message')) as [string];
    const bare = (requests: number): Promise<void> => program(join(folder, 'bare.mjs'), url, operation, String(requests), String(parallel));
    const [all, one] = [requestFile(url, operation, count), requestFile(url, operation, 1)];
    const times: Record<'run' | 'start' | 'bare' | 'bareStart', number[]> = { run: [], start: [], bare: [], bareStart: [] };
    // In turns, so that both sides run under the same load; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const took = {
        start: await timed(() => run(one)),
        run: await timed(() => run(all, '--parallel', String(parallel))),
        bareStart: await timed(() => bare(1)),
        bare: await timed(() => bare(count)),
      };
      if (round > 0) for (const [name, ms] of Object.entries(took)) times[name as keyof typeof took].push(ms);
    }
    const [whole, start] = [median(times.run), median(times.start)];
    const least = median(times.bare) - median(times.bareStart);
    const answer = takes === 0 ? 'at once' : `in ${takes} ms`;
    tell({
      name: `a2a run --parallel ${parallel}, ${operation}, answered ${answer}`,
      value: (count / (whole - start)) * 1000,
      unit: 'requests/s',
      against: 'bare undici',
      ratio: least / (whole - start),
    });
    if (takes === 0) tell({ name: `a2a run, one ${operation}: start to end`, value: start, unit: 'ms' });
  } finally {
    agent.disconnect();
  }
}

try {
  await buildProduct({ production: true });
  await build({
    entryPoints: [join(import.meta.dirname, 'bareClient.ts')],
    outfile: join(folder, 'bare.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  for (const takes of [0, 10]) {
    await measure('SendMessage', takes);
    await measure('SendStreamingMessage', takes);
  }
} finally {
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}
