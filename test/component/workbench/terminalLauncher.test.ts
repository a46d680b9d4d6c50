import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import '../../support/shimmedVscode.ts';

const { addTerminalAgents, addTerminalLauncher, batchLauncher } = await import('../../../src/workbench/platform/terminalLauncher.ts');

suite('the command a2a in terminals of VS Code', () => {
  let home: string;
  setup(() => (home = mkdtempSync(join(tmpdir(), "a2a launcher's "))));
  teardown(() => rmSync(home, { recursive: true, force: true }));

  /** An extension of that version, whose program prints its version and its arguments. */
  const extensionOf = (version: string): string => {
    const folder = join(home, version);
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'cli.cjs'), `console.log(${JSON.stringify(version)}, ...process.argv.slice(2))`);
    return folder;
  };
  const appended: [string, string][] = [];
  const add = async (extension: string, storage = join(home, 'storage')): Promise<string> => {
    appended.length = 0;
    await addTerminalLauncher({
      environmentVariableCollection: { append: (...change: [string, string]) => void appended.push(change) },
      extensionUri: Uri.file(extension),
      globalStorageUri: Uri.file(storage),
    } as never);
    return join(storage, 'bin', 'a2a');
  };
  const run = async (...args: readonly string[]): Promise<string> => {
    const PATH = `${process.env['PATH']}${appended[0]![1]}`;
    return (await promisify(execFile)('a2a', args, { env: { PATH } })).stdout;
  };

  test('is the program of the extension, with its arguments, from a folder at the end of the PATH', async () => {
    const launcher = await add(extensionOf('1'));
    assert.deepEqual(appended, [['PATH', `${delimiter}${join(launcher, '..')}`]]);
    assert.equal(await run('send', 'two words', '$HOME'), '1 send two words $HOME\n');
  });

  test('is written anew for another version of the extension, and only then', async () => {
    await add(extensionOf('1'));
    const { ino } = statSync(await add(extensionOf('1')));
    const launcher = await add(extensionOf('1'));
    assert.equal(statSync(launcher).ino, ino);
    await add(extensionOf('2'));
    rmSync(join(home, '1'), { recursive: true });
    assert.equal(await run('card'), '2 card\n');
  });

  test('is not on the PATH where it cannot be written', async () => {
    writeFileSync(join(home, 'file'), '');
    await assert.rejects(add(extensionOf('1'), join(home, 'file')));
    assert.deepEqual(appended, []);
  });

  test('knows the agents of the window, as they are now, without credentials in plain text', async () => {
    const set: [string, string][] = [];
    const storage = join(home, 'workspace');
    const extension = {
      environmentVariableCollection: { replace: (...change: [string, string]) => void set.push(change) },
      globalStorageUri: Uri.file(join(home, 'storage')),
      storageUri: Uri.file(storage),
    };
    const changed = new EventEmitter<undefined>();
    const url = 'http://127.0.0.1:9';
    const headers = { Authorization: 'Bearer s3cret', 'X-Key': '{{$secret KEY}}', 'X-Team': 'docs' };
    const agents: { all: unknown[]; onDidChange: unknown } = { all: [], onDidChange: changed.event };
    const added = addTerminalAgents(extension as never, agents as never, error => assert.fail(String(error)));
    agents.all = [{ name: 'Ann', settings: { url, headers, tls: { ca: '/ca.pem', passphrase: 's3cret' } } }];
    changed.fire(undefined);
    const path = join(storage, 'agents.json');
    assert.deepEqual(set, [['A2A_WINDOW_AGENTS', path]]);
    await eventually(() => {
      assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
        Ann: { url, headers: { 'X-Key': '{{$secret KEY}}', 'X-Team': 'docs' }, tls: { ca: '/ca.pem' } },
      });
    });
    added.dispose();
  });

  test('is a batch file on Windows, without the name of the user', () => {
    assert.equal(
      batchLauncher({
        folder: String.raw`C:\Users\Jörg\AppData\Roaming\Code\User\globalStorage\a2a\bin`,
        node: String.raw`D:\100% Code\Code.exe`,
        program: String.raw`C:\Users\Jörg\.vscode\extensions\a2a\dist\cli.cjs`,
      }),
      [
        '@echo off',
        'setlocal',
        'set ELECTRON_RUN_AS_NODE=1',
        String.raw`"D:\100%% Code\Code.exe" "%~dp0..\..\..\..\..\..\..\.vscode\extensions\a2a\dist\cli.cjs" %*`,
        '',
      ].join('\r\n'),
    );
  });
});
