import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { runTests } from '@vscode/test-electron';
import { build } from '../../esbuild.mjs';
import { median, tell } from './measure.ts';

// What the extension costs whoever has it: bytes, and the time to activate it in a real extension host, its scripts read and compiled
// included, each time in a host of its own. `A2A_VSCODE` names a desktop VS Code; else it is VS Code's server.

const root = join(import.meta.dirname, '../..');
const rounds = 5;

await build({ production: true });
const sizes: readonly (readonly [what: string, files: readonly string[]])[] = [
  ['host', ['extension.cjs']], ['panel', ['chat.js']], ['panel with what it loads later', ['chat.js', 'chatCode.js']], ['page of cards', ['cardPage.js']], ['terminal', ['cli.cjs']],
];
for (const [what, files] of sizes) {
  const bytes = await Promise.all(files.map(async file => (await stat(join(root, 'dist', file))).size));
  tell({ name: `bundle: ${what}`, value: bytes.reduce((sum, each) => sum + each, 0) / 1000, unit: 'KB' });
}

const temporary = await mkdtemp(join(tmpdir(), 'a2a-bench-'));
const script = join(temporary, 'activate.cjs');
const desktop = process.env['A2A_VSCODE'];
try {
  const measured: { readonly took: number; readonly worked: number }[] = [];
  for (let round = 0; round < rounds; round++) measured.push(await activate(round));
  tell({ name: 'activation', value: median(measured.map(({ took }) => took)), unit: 'ms' });
  tell({ name: 'activation, processor time', value: median(measured.map(({ worked }) => worked)), unit: 'ms' });
} finally {
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
}

async function activate(round: number): Promise<{ took: number; worked: number }> {
  const place = (name: string): string => join(temporary, `${round}-${name}`);
  const report = place('report.json');
  // What it depends on is not its own cost, nor is the first call of VS Code's API.
  await writeFile(script, `exports.run = async () => {
    const vscode = require('vscode');
    await vscode.extensions.getExtension('vscode.json-language-features')?.activate();
    const extension = vscode.extensions.getExtension('a2a-workbench.a2a-workbench');
    if (extension.isActive) throw new Error('The extension was active before anybody looked.');
    const before = performance.now();
    const cpu = process.cpuUsage();
    await extension.activate();
    const took = performance.now() - before;
    const { user, system } = process.cpuUsage(cpu);
    require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify({ took, worked: (user + system) / 1000 }));
  };`);
  await mkdir(place('workspace'));
  const log = createWriteStream(place('log'));
  try {
    await runTests({
      vscodeExecutablePath: desktop ?? process.execPath,
      launchArgs: [
        ...(desktop === undefined ? [join(root, 'scripts', 'vscodeShim.ts')] : []), place('workspace'), `--user-data-dir=${place('user-data')}`, `--extensions-dir=${place('extensions')}`,
      ],
      extensionDevelopmentPath: root, extensionTestsPath: script, stdout: log, stderr: log,
    });
  } catch (error) {
    throw new Error(`VS Code did not run: ${(await readFile(place('log'), 'utf8')).slice(-2000)}`, { cause: error });
  } finally {
    log.end();
    await finished(log);
  }
  return JSON.parse(await readFile(report, 'utf8')) as { took: number; worked: number };
}
