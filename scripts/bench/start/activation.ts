import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { runTests } from '@vscode/test-electron';

/** In milliseconds. */
export interface Activation {
  /** As in VS Code's "Startup Performance": loading the code, calling `activate`, and awaiting its promise. */
  readonly load: number;
  readonly call: number;
  readonly resolve: number;
  /** Elapsed time and the extension host's processor time of `Extension.activate()`. */
  readonly took: number;
  readonly worked: number;
  /** The same until the history is open and everything is registered; equal where that is part of the activation. */
  readonly openedAfter: number;
  readonly openedWork: number;
}

const root = join(import.meta.dirname, '../../..');
const id = 'a2a-workbench.a2a-workbench';
const desktop = process.env['A2A_VSCODE'];

/** Activates the extension in an extension host of its own, including reading and compiling its scripts. */
export async function activateOnce(): Promise<Activation> {
  const temporary = await mkdtemp(join(tmpdir(), 'a2a-activation-'));
  const place = (name: string): string => join(temporary, name);
  const log = createWriteStream(place('log'));
  try {
    // Runs in the extension host. Loading dependencies and the first call of the VS Code API are not counted.
    await writeFile(
      place('activate.cjs'),
      `exports.run = async () => {
      const vscode = require('vscode');
      await vscode.extensions.getExtension('vscode.json-language-features')?.activate();
      const extension = vscode.extensions.getExtension('${id}');
      if (extension.isActive) throw new Error('The extension was active before anybody looked.');
      const before = performance.now();
      const cpu = process.cpuUsage();
      const since = () => {
        const { user, system } = process.cpuUsage(cpu);
        return [performance.now() - before, (user + system) / 1000];
      };
      const exported = await extension.activate();
      const activated = since();
      await exported?.opened;
      const opened = since();
      await vscode.commands.executeCommand('perfview.show');
      const row = () => vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'perf')
        .flatMap(document => document.getText().split('\\n')).find(line => line.includes('${id}') && /\\|.*\\|/.test(line));
      for (const end = Date.now() + 60_000; row() === undefined && Date.now() < end;) await new Promise(resolve => setTimeout(resolve, 200));
      require('node:fs').writeFileSync(${JSON.stringify(place('report.json'))}, JSON.stringify({ activated, opened, row: row() ?? '' }));
    };`,
    );
    await mkdir(place('workspace'));
    await runTests({
      vscodeExecutablePath: desktop ?? process.execPath,
      launchArgs: [
        ...(desktop === undefined ? [join(root, 'scripts', 'vscodeShim.ts')] : []),
        place('workspace'),
        `--user-data-dir=${place('user-data')}`,
        `--extensions-dir=${place('extensions')}`,
      ],
      extensionDevelopmentPath: root,
      extensionTestsPath: place('activate.cjs'),
      stdout: log,
      stderr: log,
    }).catch(async (error: unknown) => {
      throw new Error(`VS Code did not run: ${(await readFile(place('log'), 'utf8')).slice(-2000)}`, { cause: error });
    });
    return read(await readFile(place('report.json'), 'utf8'));
  } finally {
    log.end();
    await finished(log);
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

function read(report: string): Activation {
  const {
    activated: [took, worked],
    opened: [openedAfter, openedWork],
    row,
  } = JSON.parse(report) as {
    readonly activated: readonly [number, number];
    readonly opened: readonly [number, number];
    readonly row: string;
  };
  // Extension | Eager | Load Code | Call Activate | Finish Activate | Event | By
  const [, , load, call, resolve] = row
    .split('|')
    .map(cell => cell.trim())
    .filter((cell, index) => index > 0 || cell !== '')
    .map(Number);
  if (load === undefined || call === undefined || resolve === undefined || Number.isNaN(load + call + resolve)) {
    throw new Error(`VS Code's "Startup Performance" does not say how long the activation took: "${row}"`);
  }
  return { load, call, resolve, took, worked, openedAfter, openedWork };
}
