import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Target, type TargetName, targets } from '../test/support/targets.ts';
import { runCommand } from './command.ts';
import { outcomeOf } from './stress/outcome.ts';
import { type Measured, type MeasuredTargets, pageOf } from './stress/page.ts';
import { runTests } from './stress/runTests.ts';

// Runs all reliability tests with their full counts and writes the results to docs/reliability.md: "npm run stress" runs all targets of
// test/support/targets.ts, which takes hours, "npm run stress -- F3 F15" some of them. Fails where a target is missed. "--page" runs
// nothing and writes the page from the stored results.

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs', 'reliability.md');
/** The results as JSON: keeps those of targets that are not run this time. */
const data = join(root, 'docs', 'reliability.json');

const table: Readonly<Record<string, Target>> = targets;
const words = process.argv.slice(2);
const names = words.filter(word => word !== '--page').map(name => name.toUpperCase());
const unknown = names.filter(name => table[name] === undefined);
if (unknown.length > 0) {
  console.error(`There is no target "${unknown.join('", "')}". There are: ${Object.keys(table).join(', ')}.`);
  process.exit(2);
}
const wanted = (names.length > 0 ? names : Object.keys(table)) as TargetName[];
const closed = wanted.filter(name => table[name]!.open !== undefined);
if (names.length > 0 && closed.length > 0) console.log(closed.map(name => `${name} is not measured: ${table[name]!.open}`).join('\n'));
const runs = words.includes('--page') ? [] : wanted.filter(name => table[name]!.open === undefined);

const { output: head } = await runCommand('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, output: 'collect' });
const commit = head.trim();

const cancelled = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => cancelled.abort());

// Temporary files of an aborted test are removed with this folder; see scripts/test.ts.
const temporary = platform() === 'darwin' ? undefined : await mkdtemp(join(tmpdir(), 'a2a-stress-'));
if (temporary !== undefined) Object.assign(process.env, { TMPDIR: temporary, TEMP: temporary, TMP: temporary });

try {
  if (runs.some(name => table[name]!.tests.some(({ file }) => file.startsWith('test/ui/')))) await build();
  for (const name of runs) if (!cancelled.signal.aborted) await measure(name);
} finally {
  if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
if (cancelled.signal.aborted) process.exitCode = 1;
if (words.includes('--page')) await writePage(await measuredBefore());

async function build(): Promise<void> {
  const { code } = await runCommand(process.execPath, [join(root, 'esbuild.mjs'), '--tests'], {
    cwd: root,
    output: 'inherit',
    signal: cancelled.signal,
  });
  if (code !== 0) throw new Error('The build failed; its own message is above.');
}

/** Runs a target's tests and writes the result at once, so that an aborted run keeps earlier results. */
async function measure(name: TargetName): Promise<void> {
  const target = table[name]!;
  console.log(`\n== ${name}: ${target.title}\n   ${target.aim}`);
  const begin = Date.now();
  const machine = machineText();
  const { ended, lines } = await runTests(name, target, cancelled.signal);
  if (cancelled.signal.aborted) return;
  const outcome = outcomeOf(target, lines, ended);
  const measured: Measured = {
    ...outcome,
    at: `${new Date(begin).toISOString().slice(0, 16)}Z`,
    minutes: Number(((Date.now() - begin) / 60_000).toFixed(1)),
    machine,
    node: process.versions.node,
    commit,
  };
  const before = await measuredBefore();
  const all = Object.fromEntries(
    Object.keys(table).flatMap(key =>
      key === name ? [[key, measured] as const] : before[key] === undefined ? [] : [[key, before[key]] as const],
    ),
  );
  await writeFile(data, `${JSON.stringify(all, null, 2)}\n`);
  await writePage(all);
  console.log(`-- ${name}: ${outcome.missed.length === 0 ? 'reached' : `MISSED\n   ${outcome.missed.join('\n   ')}`}`);
  if (outcome.missed.length > 0) process.exitCode = 1;
}

/** Times depend on it, and on what else the machine does. */
function machineText(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${arch()}, load ${loadavg()[0]!.toFixed(1)} at the start`;
}

async function measuredBefore(): Promise<MeasuredTargets> {
  return JSON.parse(await readFile(data, 'utf8')) as MeasuredTargets;
}

async function writePage(measured: MeasuredTargets): Promise<void> {
  await writeFile(page, pageOf(table, measured));
}
