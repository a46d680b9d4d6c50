import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { median, tell } from './measure.ts';

// Requests per second of `a2a run --parallel 16` over a file of 1,000 small requests, against the least a client can do: as many POSTs of
// the same body by undici, 16 at a time, their answers parsed. Both are processes of their own; their start is measured apart.

const count = 1000;
const parallel = 16;
const rounds = 3;

const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const agent = fork(join(import.meta.dirname, 'boatAgent.ts'), { stdio: 'inherit' });
const [url] = (await once(agent, 'message')) as [string];

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

const run = (...args: string[]): Promise<void> => program(join(folder, 'cli.cjs'), 'run', ...args);

const bare = (operation: string, requests: number): Promise<void> =>
  program(join(folder, 'bare.mjs'), url, operation, String(requests), String(parallel));

try {
  const outfile = join(folder, 'cli.cjs');
  const entry = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
  });
  await build({
    entryPoints: [join(import.meta.dirname, 'bareClient.ts')],
    outfile: join(folder, 'bare.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const requests = (operation: string, length: number): string => {
    const path = join(folder, `${operation}-${length}.a2a`);
    writeFileSync(
      path,
      JSON.stringify({
        agent: url,
        requests: Array.from({ length }, (_, index) => ({ name: `r${index}`, method: operation, message: `Boat ${index}` })),
      }),
    );
    return path;
  };
  for (const operation of ['SendMessage', 'SendStreamingMessage'] as const) {
    const [all, one] = [requests(operation, count), requests(operation, 1)];
    const times: Record<'run' | 'start' | 'bare' | 'bareStart', number[]> = { run: [], start: [], bare: [], bareStart: [] };
    // In turns, so that both sides run under the same load; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const took = {
        start: await timed(() => run(one)),
        run: await timed(() => run(all, '--parallel', String(parallel))),
        bareStart: await timed(() => bare(operation, 1)),
        bare: await timed(() => bare(operation, count)),
      };
      if (round > 0) for (const [name, ms] of Object.entries(took)) times[name as keyof typeof took].push(ms);
    }
    const [whole, start] = [median(times.run), median(times.start)];
    const least = median(times.bare) - median(times.bareStart);
    tell({
      name: `a2a run, ${count} × ${operation}, ${parallel} at a time`,
      value: (count / (whole - start)) * 1000,
      unit: 'requests/s',
      against: 'bare undici',
      ratio: least / (whole - start),
    });
    tell({ name: `a2a run, one ${operation}: start to end`, value: start, unit: 'ms' });
  }
} finally {
  agent.disconnect();
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}
