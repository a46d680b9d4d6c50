import * as assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Part } from '../../../src/protocol/message/part.ts';
import { Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { keepOutOfGit } = await import('../../../src/workbench/requests/values/gitignore.ts');
const { environmentCommands } = await import('../../../src/workbench/requests/sending/environmentCommands.ts');
const { chatParts } = await import('../../../src/workbench/chat/parts.ts');
const { savePart } = await import('../../../src/workbench/documents/partDocument.ts');

const posix = process.platform === 'win32' ? test.skip : test;

suite('files that a window writes', () => {
  let folder: string;
  let repo: string;
  let victim: string;
  const restores: (() => void)[] = [];
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-own-'));
    repo = join(folder, 'repo');
    victim = join(folder, 'victim');
    mkdirSync(join(repo, '.git'), { recursive: true });
    writeFileSync(victim, 'mine');
  });
  teardown(() => {
    for (const restore of restores.splice(0)) restore();
    rmSync(folder, { recursive: true });
  });

  posix('.gitignore is not written through a link that came while a person was asked', async () => {
    const path = join(repo, '.gitignore');
    const reports: unknown[] = [];
    restores.push(
      inPlaceOf('window', {
        showErrorMessage: (said: unknown) => Promise.resolve(void reports.push(said)),
        showInformationMessage: (_: string, add: string) => {
          symlinkSync(victim, path);
          return Promise.resolve(add);
        },
      }),
    );
    await keepOutOfGit(Uri.file(repo) as never, 'a2a.private.env.json');
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
    assert.match(String(reports[0]), /is outside/);
  });

  posix('.gitignore keeps what was written into it meanwhile', async () => {
    const path = join(repo, '.gitignore');
    restores.push(
      inPlaceOf('window', {
        showInformationMessage: (_: string, add: string) => {
          writeFileSync(path, 'dist\n');
          return Promise.resolve(add);
        },
      }),
    );
    await keepOutOfGit(Uri.file(repo) as never, 'a2a.private.env.json');
    assert.equal(readFileSync(path, 'utf8'), 'dist\na2a.private.env.json\n');
    assert.deepEqual(readdirSync(repo).toSorted(), ['.git', '.gitignore']);
  });

  test('an environment file that came there since it was looked for stays as it is', async () => {
    const path = join(repo, 'a2a.env.json');
    writeFileSync(path, 'mine');
    restores.push(
      inPlaceOf('workspace', {
        workspaceFolders: [{ uri: Uri.file(repo) }],
        fs: {
          stat: () => Promise.reject(new Error('none yet')),
          writeFile: ({ fsPath }: { fsPath: string }, bytes: Uint8Array) => Promise.resolve(writeFileSync(fsPath, bytes)),
        },
      }),
      inPlaceOf('window', { showTextDocument: () => Promise.resolve() }),
    );
    await assert.rejects(Promise.resolve(environmentCommands({} as never)['a2a.newEnvironmentFile']('shared')), { code: 'EEXIST' });
    assert.equal(readFileSync(path, 'utf8'), 'mine');
  });

  posix('an artifact that is saved takes the place of a link', async () => {
    const path = join(repo, 'x.txt');
    symlinkSync(victim, path);
    restores.push(
      inPlaceOf('window', { showSaveDialog: () => Promise.resolve(Uri.file(path)) }),
      inPlaceOf('workspace', { workspaceFolders: [] }),
    );
    await savePart({ text: 'of an agent' } as never, 'x.txt');
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
    assert.ok(lstatSync(path).isFile());
    assert.equal(readFileSync(path, 'utf8'), 'of an agent');
  });

  test('a data: URI is saved as its bytes; of a file by reference the address is told and nothing is written', async () => {
    const path = join(repo, 'x');
    const asked: unknown[] = [];
    restores.push(
      inPlaceOf('window', {
        showSaveDialog: ({ defaultUri }: { defaultUri: { path: string } }) => {
          asked.push(basename(defaultUri.path));
          return Promise.resolve(Uri.file(path));
        },
        showWarningMessage: (_: string, { detail }: { detail: string }) => Promise.resolve(void asked.push(detail)),
      }),
      inPlaceOf('workspace', { workspaceFolders: [] }),
    );
    const parts: readonly Part[] = [{ url: 'https://a.example/x.pdf' }, { url: 'data:text/csv,a%2Cb', filename: 'table' }];
    const entry = { kind: 'message', message: { messageId: 'm', role: 'ROLE_USER', parts } };
    const { savePart: save } = chatParts({ entry: () => entry } as never, {} as never);
    await save({ seq: 1, part: 0 });
    assert.equal(existsSync(path), false);
    await save({ seq: 1, part: 1 });
    assert.equal(readFileSync(path, 'utf8'), 'a,b');
    assert.deepEqual(asked, ['https://a.example/x.pdf', 'table.csv']);
  });
});
