import { createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { runTests } from '@vscode/test-electron';
import { printFailure } from './failure.ts';

// Runs dist/test/integration.js inside VS Code's extension host: the desktop VS Code named by A2A_VSCODE, else VS Code's server.
//
//     integrationTests.ts LOGFILE      what VS Code prints goes to the file

const root = join(import.meta.dirname, '..');
const [logFile = join(root, 'test-output', 'integration-vscode.log')] = process.argv.slice(2);
const desktop = process.env['A2A_VSCODE'];
const log = createWriteStream(logFile);
const temporary = await mkdtemp(join(tmpdir(), 'a2a-integration-'));
const workspace = join(temporary, 'workspace');
await mkdir(workspace);
const example = join(root, 'examples', 'workspace');
// A folder with request files would activate the extension before the tests check when it activates.
if (existsSync(example)) await cp(example, workspace, { recursive: true, filter: path => !path.endsWith('.a2a') });

try {
  await runTests({
    vscodeExecutablePath: desktop ?? process.execPath,
    launchArgs: [
      ...(desktop === undefined ? [join(root, 'scripts', 'vscodeShim.ts')] : []),
      workspace,
      `--user-data-dir=${join(temporary, 'user-data')}`,
      `--extensions-dir=${join(temporary, 'extensions')}`,
    ],
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, 'dist', 'test', 'integration.js'),
    stdout: log,
    stderr: log,
  });
} catch (error) {
  // A failed test is in the report already; other output is printed.
  if (!(error instanceof Error && error.message.startsWith('Test run'))) printFailure(error);
  process.exitCode = 1;
} finally {
  log.end();
  await finished(log);
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
}
