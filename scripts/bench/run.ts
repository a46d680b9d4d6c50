import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import Dispatcher from 'undici/lib/dispatcher/agent.js';
import undici from 'undici/lib/api/index.js';
import { median, tell } from './measure.ts';

// Requests per second of `a2a run --parallel 16` over a file of 1,000 small requests, against the least a client can do: as many POSTs of
// the same body by undici, 16 at a time, their answers parsed. The start of the program is measured apart.

const count = 1000;
const parallel = 16;
const rounds = 5;

const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const agent = fork(join(import.meta.dirname, 'boatAgent.ts'), { stdio: 'inherit' });
const [url] = (await once(agent, 'message')) as [string];

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function run(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(folder, 'cli.cjs'), 'run', ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`a2a run ended with exit code ${String(code)}`);
}

async function bare(operation: 'SendMessage' | 'SendStreamingMessage'): Promise<void> {
  const dispatcher = new Dispatcher({ connections: parallel });
  const { origin, pathname: path } = new URL(url);
  const left = Array.from({ length: count }, (_, id) => id).values();
  const worker = async (): Promise<void> => {
    for (const id of left) {
      const message = { messageId: `m${id}`, role: 'ROLE_USER', parts: [{ text: `Boat ${id}` }] };
      const { body } = await undici.request.call(dispatcher, {
        origin,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method: operation, params: { message } }),
      });
      const text = await body.text();
      JSON.parse(operation === 'SendMessage' ? text : text.slice(text.indexOf('{')));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  await dispatcher.close();
}

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
    const times: Record<'run' | 'start' | 'bare', number[]> = { run: [], start: [], bare: [] };
    // In turns, so that both sides run under the same load; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const took = {
        start: await timed(() => run(one)),
        run: await timed(() => run(all, '--parallel', String(parallel))),
        bare: await timed(() => bare(operation)),
      };
      if (round > 0) for (const [name, ms] of Object.entries(took)) times[name as keyof typeof took].push(ms);
    }
    const [whole, start, least] = [median(times.run), median(times.start), median(times.bare)];
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
