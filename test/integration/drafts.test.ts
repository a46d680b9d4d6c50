import * as assert from 'node:assert/strict';
import { access, mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { emptyDraft } from '../support/emptyDraft.ts';
import type { Draft, DraftPart } from '../../src/chat/host/draft.ts';
import type { AgentContext } from '../../src/model/contexts/agentContext.ts';
import { ChatDraft } from '../../src/workbench/chat/drafts/chatDraft.ts';
import { readFiles } from '../../src/workbench/chat/drafts/chosenFiles.ts';
import { Drafts } from '../../src/workbench/chat/drafts/drafts.ts';

const draft = (text: string, version = 1): Draft => ({ ...emptyDraft, version, text });
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

suite('drafts on disk', () => {
  let temporary: string;
  let folder: vscode.Uri;
  setup(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'a2a-drafts-'));
    folder = vscode.Uri.joinPath(vscode.Uri.file(temporary), 'drafts');
  });
  teardown(() => rm(temporary, { recursive: true, force: true }));
  const open = (known: (context: string) => boolean = () => true): Drafts => new Drafts(folder, known);
  const folders = async (): Promise<number> => (await vscode.workspace.fs.readDirectory(folder)).length;

  test('what is kept is there in the next window, the last of many writes, and nothing where nothing was', async () => {
    const drafts = open();
    assert.equal(await drafts.read('a'), undefined);
    await Promise.all(Array.from({ length: 20 }, (_, index) => drafts.keep('a', draft(`words ${index}`, index))));
    await drafts.putFile('a', 'file-1', bytes('one'));
    const again = open();
    assert.deepEqual(await again.read('a'), draft('words 19', 19));
    assert.equal(Buffer.from(await again.file('a', 'file-1')).toString(), 'one');
    assert.equal(await again.read('../a'), undefined);
  });

  test('files go when they are not kept, and are said to be gone', async () => {
    const drafts = open();
    await drafts.keep('a', draft('words'));
    for (const id of ['one', 'two', 'three']) await drafts.putFile('a', id, bytes(id));
    await drafts.dropFilesBut('a', id => ['one', 'two'].includes(id));
    await drafts.dropFiles('a', ['two', 'never']);
    await assert.rejects(drafts.file('a', 'two'), { code: 'gone' });
    await assert.rejects(drafts.file('a', 'three'), { code: 'gone' });
    assert.equal((await drafts.file('a', 'one')).length, 3);
    assert.deepEqual(await drafts.read('a'), draft('words'));
  });

  test('files that come while the first draft of a page is kept stay', async () => {
    let attached: readonly DraftPart[] = [];
    const context: Pick<AgentContext, 'key' | 'agent'> = { key: 'a', agent: undefined };
    const chat = new ChatDraft(context as AgentContext, open(), parts => {
      attached = parts;
    });
    const names = Array.from({ length: 12 }, (_, index) => `${index}.png`);
    const { keepDraft, thumbnail } = chat.answers();
    await Promise.all([chat.attach(names.map(name => ({ name, bytes: bytes(name) }))), keepDraft(draft('words'))]);
    assert.deepEqual(
      await Promise.all(attached.map(async ({ id }) => Buffer.from((await thumbnail({ id }))?.raw ?? '', 'base64').toString())),
      names,
    );
  });

  test('drafts of contexts that are gone are deleted; a file that has just come is not', async () => {
    const drafts = open();
    for (const context of ['a', 'b']) await drafts.keep(context, draft(context));
    const later = open(context => context === 'b');
    await later.putFile('c', 'fresh', bytes('c'));
    assert.deepEqual([await later.read('a'), await later.read('b'), await folders()], [undefined, draft('b'), 2]);
    assert.equal((await later.file('c', 'fresh')).length, 1);
  });

  test('what cannot be read is no draft and stops nothing', async () => {
    await open().keep('a', draft('words'));
    const [[name]] = (await vscode.workspace.fs.readDirectory(folder)) as [[string, vscode.FileType]];
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name, 'draft.json'), bytes('{"context":"a","draft":{"text":'));
    const drafts = open();
    assert.equal(await drafts.read('a'), undefined);
    await drafts.keep('a', draft('more'));
    assert.deepEqual(await drafts.read('a'), draft('more'));
  });

  test('files stay where the process ended before their draft was written, or while it was; not for ever', async () => {
    await open().putFile('a', 'file-1', bytes('one'));
    const later = open();
    assert.equal(await later.read('a'), undefined);
    assert.equal(Buffer.from(await later.file('a', 'file-1')).toString(), 'one');
    const [[name]] = (await vscode.workspace.fs.readDirectory(folder)) as [[string, vscode.FileType]];
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    await utimes(vscode.Uri.joinPath(folder, name).fsPath, yesterday, yesterday);
    const muchLater = open();
    await muchLater.read('a');
    await assert.rejects(muchLater.file('a', 'file-1'), { code: 'gone' });
  });

  test('a draft that is written anew is never missing in between', async () => {
    const drafts = open();
    await drafts.keep('a', draft('words'));
    const [[name]] = (await vscode.workspace.fs.readDirectory(folder)) as [[string, vscode.FileType]];
    const path = vscode.Uri.joinPath(folder, name, 'draft.json').fsPath;
    let looks = 0;
    let writing = true;
    const look = async (): Promise<void> => {
      for (; writing; looks++) await access(path);
    };
    const looking = look();
    for (let version = 2; version < 60; version++) await drafts.keep('a', draft('words', version));
    writing = false;
    await looking;
    assert.ok(looks > 50, String(looks));
  });

  test('files are read with their names; folders, large ones and missing ones are told apart', async () => {
    const at = (name: string): vscode.Uri => vscode.Uri.joinPath(vscode.Uri.file(temporary), name);
    await vscode.workspace.fs.writeFile(at('notes 二.txt'), bytes('words'));
    await vscode.workspace.fs.writeFile(at('large.bin'), new Uint8Array(8 * 1024 * 1024 + 1));
    assert.deepEqual(
      (await readFiles([at('notes 二.txt')])).map(file => [file.name, file.bytes.length]),
      [['notes 二.txt', 5]],
    );
    await assert.rejects(readFiles([vscode.Uri.file(temporary)]), { code: 'no-file', message: /is a folder/ });
    await assert.rejects(readFiles([at('none')]), { code: 'no-file' });
    await assert.rejects(readFiles([at('large.bin')]), {
      code: 'file-too-large',
      message: 'large.bin has 8.1 MB; a file in a message can have at most 8 MB.',
    });
    await assert.rejects(readFiles(Array.from({ length: 21 }, () => at('none'))), { code: 'too-many-files' });
  });
});
