import * as assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type * as vscode from 'vscode';
import { EventEmitter, Uri } from '../../support/fakeVscode.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { offerMcpServer } = await import('../../../src/workbench/assistant/mcpServer.ts');
const { addTerminalLauncher } = await import('../../../src/workbench/platform/terminalLauncher.ts');

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly contributes: {
    readonly mcpServerDefinitionProviders: readonly { readonly id: string; readonly when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, object>> };
  };
};

suite('a2a mcp for assistants in VS Code', () => {
  let home: string;
  let restore: (() => void)[];
  let given: { readonly id: string; readonly provider: vscode.McpServerDefinitionProvider };
  let settings: Record<string, unknown>;
  const [settingsChanged, trusted] = [new EventEmitter<object>(), new EventEmitter<void>()];
  let changes: number;
  let offer: vscode.Disposable;
  const extension = () => ({
    extension: { packageJSON: { version: '1.2.3' } },
    extensionUri: Uri.file(join(home, 'extension')),
    globalStorageUri: Uri.file(join(home, 'storage')),
    storageUri: Uri.file(join(home, 'workspace')),
    environmentVariableCollection: { append: () => {} },
  });
  const offered = () => given.provider.provideMcpServerDefinitions(undefined as never) as vscode.McpStdioServerDefinition[];

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'a2a-mcp-'));
    [settings, changes] = [{ 'a2a.mcpServer': true }, 0];
    restore = [
      inPlaceOf('env', { uriScheme: 'code-oss' }),
      inPlaceOf('lm', {
        registerMcpServerDefinitionProvider: (id: string, provider: vscode.McpServerDefinitionProvider) => {
          given = { id, provider };
          return { dispose: () => {} };
        },
      }),
      inPlaceOf('workspace', {
        isTrusted: true,
        getConfiguration: () => ({ get: (name: string) => settings[name] }),
        onDidChangeConfiguration: settingsChanged.event,
        onDidGrantWorkspaceTrust: trusted.event,
        workspaceFolders: [{ uri: Uri.file(home) }],
      }),
    ];
    offer = offerMcpServer(extension() as never, join(home, 'history.db'));
    given.provider.onDidChangeMcpServerDefinitions!(() => changes++);
  });
  teardown(() => {
    offer.dispose();
    restore.forEach(undo => undo());
    rmSync(home, { recursive: true });
  });

  test('is offered under the id and the setting of the manifest', () => {
    const { mcpServerDefinitionProviders, configuration } = manifest.contributes;
    assert.deepEqual(
      mcpServerDefinitionProviders.map(({ id, when }) => [id, when]),
      [[given.id, 'config.a2a.mcpServer']],
    );
    assert.ok('a2a.mcpServer' in configuration.properties);
  });

  test('runs the launcher with the history and the agents of the window, for reading alone', async () => {
    const program = join(home, 'extension', 'dist');
    mkdirSync(program, { recursive: true });
    writeFileSync(
      join(program, 'cli.cjs'),
      'console.log(JSON.stringify([process.argv.slice(2), process.env.A2A_WINDOW_AGENTS, process.env.A2A_EDITOR, process.cwd()]))',
    );
    await addTerminalLauncher(extension() as never);
    const [definition, ...others] = offered();
    assert.deepEqual([definition?.label, definition?.version, others], ['A2A Workbench', '1.2.3', []]);
    const { command, args, env, cwd } = definition!;
    const { stdout } = await promisify(execFile)(command, args, { env: env as Record<string, string>, cwd: cwd!.fsPath });
    assert.deepEqual(JSON.parse(stdout), [
      ['mcp', '--history', join(home, 'history.db')],
      join(home, 'workspace', 'agents.json'),
      'code-oss',
      home,
    ]);
  });

  test('is not offered in Restricted Mode, nor unless the person has turned it on', () => {
    restore.push(inPlaceOf('workspace', { isTrusted: false }));
    assert.deepEqual(offered(), []);
    restore.push(inPlaceOf('workspace', { isTrusted: true }));
    trusted.fire();
    assert.deepEqual([changes, offered().length], [1, 1]);
    settings = {};
    assert.deepEqual(offered(), []);
    settingsChanged.fire({ affectsConfiguration: (name: string) => name === 'a2a.mcpServer' });
    settingsChanged.fire({ affectsConfiguration: () => false });
    assert.equal(changes, 2);
  });
});
