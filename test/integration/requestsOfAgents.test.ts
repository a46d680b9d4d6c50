import * as assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../support/answering.ts';
import { guardedAgent, type GuardedAgent } from '../support/auth/guardedAgent.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';

const run = (command: string, ...args: unknown[]): Promise<unknown> => Promise.resolve(vscode.commands.executeCommand(command, ...args));

async function lenses(document: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
}
const titles = async (document: vscode.TextDocument): Promise<readonly string[]> =>
  (await lenses(document)).map(lens => lens.command?.title ?? '');
/** Waits for a lens with this text. */
const lens = (document: vscode.TextDocument, title: RegExp): Promise<vscode.Command> =>
  eventually(async () => {
    const found = (await lenses(document)).find(({ command }) => title.test(command?.title ?? ''))?.command;
    assert.ok(found !== undefined, `${title.source} in ${(await titles(document)).join(' | ')}`);
    return found;
  });
/** What is under "…" of a request; the one that is meant is chosen. */
async function more(document: vscode.TextDocument, meant?: RegExp): Promise<readonly string[]> {
  const { command, arguments: given = [] } = await lens(document, /^…$/);
  const { window } = vscode;
  const before = window.showQuickPick;
  const shown: string[] = [];
  Object.assign(window, {
    showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
      shown.push(...items.map(({ label }) => label));
      return items.find(({ label }) => meant?.test(label));
    },
  });
  try {
    await run(command, ...given);
  } finally {
    Object.assign(window, { showQuickPick: before });
  }
  return shown;
}
async function press(document: vscode.TextDocument, title: RegExp): Promise<void> {
  const { command, arguments: given = [] } = await lens(document, title);
  await run(command, ...given);
}

suite('requests for agents of the settings', () => {
  let samples: Awaited<ReturnType<typeof startSampleAgents>>;
  let guarded: GuardedAgent;
  suiteSetup(async () => {
    samples = await startSampleAgents();
    guarded = await guardedAgent(samples.urls.Currency, {
      challenge: 'ApiKey',
      security: {
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
      allows: ({ headers }) => headers['x-tool'] === 'c4nary',
    });
    const agents = { Live: { url: samples.urls.Currency }, Tool: { url: guarded.url } };
    await vscode.workspace.getConfiguration('a2a').update('agents', agents, vscode.ConfigurationTarget.Global);
  });
  suiteTeardown(async () => {
    await run('workbench.action.closeAllEditors');
    await vscode.workspace.getConfiguration('a2a').update('agents', undefined, vscode.ConfigurationTarget.Global);
    await Promise.all([guarded.close(), samples.stop()]);
  });
  setup(() => run('workbench.action.closeAllEditors'));

  const folder = (): vscode.Uri => (vscode.workspace.workspaceFolders?.[0] ?? assert.fail('no folder')).uri;
  async function open(name: string, file: unknown): Promise<vscode.TextDocument> {
    const uri = vscode.Uri.joinPath(folder(), name);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify(file, null, 2)));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    return document;
  }
  const response = (): Promise<vscode.TextDocument> =>
    eventually(() => {
      const shown = vscode.window.visibleTextEditors.map(({ document }) => document).find(({ uri }) => uri.scheme === 'a2a-response');
      assert.ok(shown !== undefined);
      return shown;
    });
  const tabs = (): readonly vscode.Tab[] => vscode.window.tabGroups.all.flatMap(group => group.tabs);
  const convert = { agent: 'Live', name: 'convert', message: 'Convert 10 USD to INR' };

  test('say which interface they were sent over, and lead to the choice', async () => {
    const document = await open('interface.a2a', convert);
    await press(document, /Send Request/);
    for (const title of [/completed/, /Open in Chat/]) await lens(document, title);
    for (const title of [/JSONRPC 1\.0/, /Send To…/]) assert.match((await more(document)).join(' | '), title);
    await eventually(async () =>
      assert.match((await response()).getText(), /"why": "Uses JSONRPC 1\.0 at [^"]*the interface the card prefers/),
    );
    const choice = await lens(await response(), /Choose Interface…$/);
    assert.deepEqual([choice.command, choice.arguments], ['a2a.chooseInterface', ['Live']]);
    const pick = async (label: RegExp): Promise<void> => {
      const { window } = vscode;
      const before = window.showQuickPick;
      Object.assign(window, {
        showQuickPick: async (items: readonly vscode.QuickPickItem[]) => items.find(item => label.test(item.label)),
      });
      try {
        await run('a2a.chooseInterface', 'Live');
      } finally {
        Object.assign(window, { showQuickPick: before });
      }
    };
    await pick(/JSONRPC 0\.3/);
    await press(document, /Send Request/);
    await eventually(async () => assert.match((await more(document)).join(' | '), /JSONRPC 0\.3/));
    const told = await answering('showInformationMessage', ['Undo'], async () => {
      await pick(/Follow the Card/);
      await eventually(() => {
        const { Live } = vscode.workspace.getConfiguration('a2a').get<Record<string, { readonly interface?: object }>>('agents') ?? {};
        assert.match(JSON.stringify(Live?.interface), /0\.3/);
      });
    });
    assert.match(String(told[0]?.[0]), /^"Live" now uses the interface its card prefers\./);
    await pick(/Follow the Card/);
  });

  test('are sent to every interface that is picked, and the runs are compared in a table', async () => {
    const document = await open('every.a2a', convert);
    await press(document, /Send Request/);
    await lens(document, /completed/);
    const { window } = vscode;
    const before = window.showQuickPick;
    let offered: readonly vscode.QuickPickItem[] = [];
    Object.assign(window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[], { canPickMany = false }: vscode.QuickPickOptions = {}) => {
        if (!canPickMany) return items.find(({ label }) => label === 'Send To…');
        offered = items;
        return items.filter(({ picked }) => picked === true);
      },
    });
    try {
      const { command, arguments: given = [] } = await lens(document, /^…$/);
      await run(command, ...given);
    } finally {
      Object.assign(window, { showQuickPick: before });
    }
    const picked = offered.filter(item => item.picked === true).map(({ label, description }) => `${label} ${description}`);
    assert.deepEqual([...picked].sort(), ['Live JSONRPC 0.3', 'Live JSONRPC 1.0']);
    await eventually(() => {
      const { label, input } = window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof vscode.TabInputWebview && input.viewType.endsWith('a2a.comparison'), label);
    });
  });

  test('that the agent refuses for want of a sign-in have it on their response', async () => {
    const document = await open('tool.a2a', { agent: 'Tool', message: 'hello' });
    await press(document, /Send Request/);
    const { command, arguments: given = [] } = await lens(await response(), /Sign In…/);
    assert.deepEqual([command, given], ['a2a.signIn', ['Tool']]);
    const asked = await answering('showInputBox', [undefined], () => run(command, ...given));
    assert.deepEqual([asked.length, (asked[0]?.[0] as vscode.InputBoxOptions).password], [1, true]);
  });

  test('open the preview of their response where the setting says so, beside, and the focus stays', async () => {
    const settings = vscode.workspace.getConfiguration();
    await settings.update('a2a.responsePreview', true, vscode.ConfigurationTarget.Workspace);
    try {
      await press(await open('previewed.a2a', convert), /Send Request/);
      await eventually(() =>
        assert.deepEqual(
          tabs()
            .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('a2a.responsePreview'))
            .map(({ label, group }) => [label, group.viewColumn]),
          [['Preview previewed.a2a', 2]],
        ),
      );
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'file');
    } finally {
      await settings.update('a2a.responsePreview', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  /** Chooses in the list of sent requests: a row, or a button of the list or of its first row. */
  async function inSentRequests(button?: string): Promise<readonly string[]> {
    const { window } = vscode;
    const before = window.createQuickPick;
    let shown: readonly string[] = [];
    Object.assign(window, {
      createQuickPick: () => {
        const heard: Record<string, (event: unknown) => void> = {};
        const on = (name: string) => (listener: (event: unknown) => void) => {
          heard[name] = listener;
          return { dispose: () => undefined };
        };
        const pick = {
          items: [] as readonly vscode.QuickPickItem[],
          buttons: [] as readonly vscode.QuickInputButton[],
          activeItems: [] as readonly vscode.QuickPickItem[],
          selectedItems: [] as readonly vscode.QuickPickItem[],
          onDidAccept: on('accept'),
          onDidTriggerButton: on('button'),
          onDidTriggerItemButton: on('item'),
          onDidHide: on('hide'),
          onDidChangeActive: on('active'),
          onDidChangeSelection: on('selection'),
          onDidChangeValue: on('value'),
          hide: () => heard['hide']?.(undefined),
          dispose: () => undefined,
          show: () => {
            shown = pick.items.map(({ label, description = '', detail = '' }) => `${label} ${description} ${detail}`);
            const [item] = pick.items;
            pick.selectedItems = item === undefined ? [] : [item];
            pick.activeItems = pick.selectedItems;
            const own = pick.buttons.find(({ tooltip }) => tooltip === button);
            const ofRow = item?.buttons?.find(({ tooltip }) => tooltip === button);
            if (button === undefined) heard['accept']?.(undefined);
            else if (own !== undefined) heard['button']?.(own);
            else if (ofRow !== undefined) heard['item']?.({ item, button: ofRow });
            else assert.fail(`no button "${button}"`);
          },
        };
        return pick;
      },
    });
    try {
      await run('a2a.showSentRequests');
    } finally {
      Object.assign(window, { createQuickPick: before });
    }
    return shown;
  }

  test('are listed when they were sent, opened, compared and sent again, until the list is cleared', async () => {
    const document = await open('sent.a2a', convert);
    for (let times = 0; times < 2; times++) {
      await press(document, /Send Request/);
      await eventually(async () => assert.match((await response()).getText(), /TASK_STATE_COMPLETED/));
      await lens(document, /completed/);
    }
    await lens(await response(), /Compare with Last/);
    const rows = await inSentRequests();
    assert.equal(rows.filter(row => row.includes('sent.a2a')).length, 2, rows.join(' | '));
    const kept = await eventually(() => {
      const shown = vscode.window.activeTextEditor?.document;
      assert.equal(shown?.uri.scheme, 'a2a-sent');
      return shown;
    });
    assert.match(kept.getText(), /TASK_STATE_COMPLETED/);
    for (const title of ['Send Again', 'Open in Chat', 'Show in Wire', 'Preview', 'Compare with Last', 'Save…'])
      await lens(kept, new RegExp(title));
    await press(kept, /Compare with Last/);
    await eventually(() =>
      assert.ok(tabs().some(({ input }) => input instanceof vscode.TabInputTextDiff && input.original.scheme === 'a2a-sent')),
    );
    await press(kept, /Preview/);
    await eventually(() =>
      assert.ok(tabs().some(({ label, input }) => input instanceof vscode.TabInputWebview && /^Preview convert /.test(label))),
    );
    await inSentRequests('Send Again');
    await eventually(async () => assert.equal((await response()).uri.path.includes('sent '), true));
    await lens(document, /completed/);
    await inSentRequests('Clear Sent Requests');
    const told = await answering('showErrorMessage', [], () => run('a2a.showSentRequests'));
    assert.match(String(told[0]?.[0]), /No request has been sent yet/);
  });

  test('of a folder of tricks are opened and previewed without a connection, and without a byte from outside', async () => {
    let connections = 0;
    const decoy: Server = createServer(socket => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>(resolve => decoy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(decoy.address() as AddressInfo).port}`;
    const outside = await mkdtemp(join(tmpdir(), 'a2a-outside-'));
    await writeFile(join(outside, 'outside.txt'), 'from-outside');
    await writeFile(join(outside, 'rows.json'), JSON.stringify([{ canary: 'from-outside' }]));
    const links = { 'link.txt': 'outside.txt', 'rows.json': 'rows.json', out: '' };
    for (const [link, to] of Object.entries(links)) await symlink(join(outside, to), vscode.Uri.joinPath(folder(), link).fsPath);
    const tricks: Readonly<Record<string, unknown>> = {
      'literal.a2a': { agent: url, message: 'hello' },
      'card.a2a': { agent: `${url}/.well-known/agent-card.json`, message: 'hello' },
      'schema.a2a': { $schema: `${url}/schema.json`, agent: url, message: 'hello' },
      'user.a2a': { agent: url.replace('http://', 'http://Desk@'), message: '{{$env HOME}}' },
      'grpc.a2a': { agent: url.replace('http:', 'grpc:'), message: 'hello' },
      'above.a2a': { agent: 'Live', message: `{{$file ${join(outside, 'outside.txt')}}}` },
      'linked.a2a': { agent: 'Live', message: '{{$file link.txt}}' },
      'folder.a2a': { agent: 'Live', message: '{{$file out/outside.txt}}' },
      'rows.a2a': { agent: 'Live', each: '{{$file rows.json}}', message: '{{canary}}' },
      'agent-card.json': { name: 'x', iconUrl: `${url}/icon.png`, documentationUrl: url, supportedInterfaces: [{ url }] },
    };
    try {
      for (const [name, file] of Object.entries(tricks)) {
        const document = await open(name, file);
        if (!name.endsWith('.a2a')) continue;
        await lens(document, /Send Request/);
        await answering('showErrorMessage', [], () => run('a2a.previewRequest', document.uri.toString()));
        for (const shown of vscode.workspace.textDocuments) assert.ok(!shown.getText().includes('from-outside'), name);
      }
      // The last one is asked of an agent, and so what was to come before has come.
      await press(await open('good.a2a', convert), /Send Request/);
      await eventually(async () => assert.match((await response()).getText(), /TASK_STATE_COMPLETED/));
      assert.equal(connections, 0);
    } finally {
      decoy.close();
      for (const link of Object.keys(links)) await rm(vscode.Uri.joinPath(folder(), link).fsPath);
      await rm(outside, { recursive: true });
    }
  });
});
