import * as assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { answering } from '../support/answering.ts';
import { ForwardProxy } from '../support/client/forwardProxy.ts';
import { eventually } from '../support/eventually.ts';

interface Listener {
  readonly url: string;
  readonly requests: IncomingHttpHeaders[];
  readonly server: Server;
}

/** A server that keeps the headers of what it is asked and knows nothing. */
async function listen(): Promise<Listener> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    response.writeHead(404).end();
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

suite('settings', () => {
  const run = (command: string, ...args: unknown[]): Promise<unknown> => Promise.resolve(vscode.commands.executeCommand(command, ...args));
  const write = (agents: unknown, target: vscode.ConfigurationTarget): Thenable<void> =>
    vscode.workspace.getConfiguration('a2a').update('agents', agents, target);
  let mine: Listener;
  let theirs: Listener;
  setup(async () => {
    [mine, theirs] = await Promise.all([listen(), listen()]);
  });
  teardown(async () => {
    for (const target of [vscode.ConfigurationTarget.Workspace, vscode.ConfigurationTarget.Global]) await write(undefined, target);
    for (const { server } of [mine, theirs]) server.close();
  });

  test('a workspace that redirects an agent does not get the headers of the user', async () => {
    await write({ Probe: { url: mine.url, headers: { 'X-Secret': 'hunter2' } } }, vscode.ConfigurationTarget.Global);
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refresh', 'Probe');
      assert.equal(mine.requests.at(-1)?.['x-secret'], 'hunter2');
    });
    await write({ Probe: { url: theirs.url } }, vscode.ConfigurationTarget.Workspace);
    const merged = vscode.workspace.getConfiguration('a2a').get<Record<string, { headers?: unknown }>>('agents');
    assert.ok(merged?.['Probe']?.headers !== undefined, 'VS Code merges the two: that is what this test is about');
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refresh', 'Probe');
      assert.ok(theirs.requests.length > 0);
    });
    assert.deepEqual(
      theirs.requests.filter(headers => headers['x-secret'] !== undefined),
      [],
    );
    // Only the person's own goes by the name that its history has.
    await write(undefined, vscode.ConfigurationTarget.Workspace);
    const before = [mine.requests.length, theirs.requests.length] as const;
    await eventually(async () => {
      await vscode.commands.executeCommand('a2a.refresh', 'Probe');
      assert.ok(mine.requests.length > before[0]);
    });
  });
  test('a secret that is missing is asked for once, and nothing is sent without it', async () => {
    const headers = { Authorization: 'Bearer {{$secret SAFE_TOKEN}}', 'X-Home': '{{$env HOME}}' };
    await write({ Safe: { url: mine.url, headers } }, vscode.ConfigurationTarget.Global);
    await eventually(async () => assert.equal((await answering('showInputBox', [], () => run('a2a.refresh', 'Safe'))).length, 1));
    assert.deepEqual(mine.requests, []);
    const asked = await answering('showInputBox', ['c4nary-of-the-keychain'], async () => {
      await run('a2a.refresh', 'Safe');
      await run('a2a.refresh', 'Safe');
    });
    const [first, ...more] = asked;
    const box = first?.[0] as vscode.InputBoxOptions | undefined;
    assert.deepEqual([box?.password, more], [true, []]);
    assert.match(`${box?.title} ${box?.prompt}`, /SAFE_TOKEN.*"Safe"|"Safe".*SAFE_TOKEN/);
    assert.ok(mine.requests.length >= 2);
    for (const { authorization, 'x-home': home } of mine.requests)
      assert.deepEqual([authorization, home], ['Bearer c4nary-of-the-keychain', process.env['HOME']]);
  });

  test('a credential in plain text is moved to the keychain, and everything else of the file stays', async () => {
    const plain = 'pl4in-credential-of-a-workspace';
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    const before = `{
  // Tabs are a matter of taste.
  "editor.tabSize": 3,
  "a2a.agents": {
    /* the old one */
    "Old": {
      "url": "${mine.url}", // on this machine
      "headers": { "Authorization": "Bearer ${plain}", "X-Color": "red" }
    }
  }
}
`;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(before));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const found = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'plain-credential');
    await eventually(() => assert.equal(found().length, 1));
    const fixes = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, found()[0]!.range);
    const fix = fixes.find(({ title }) => title === 'Move to the Keychain')?.command;
    assert.ok(fix !== undefined);
    await run(fix.command, ...(fix.arguments ?? []));
    await eventually(async () => {
      const after = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
      assert.equal(after, before.replace(plain, '{{$secret OLD_AUTHORIZATION}}'));
    });
    await eventually(() => assert.deepEqual(found(), []));
    // It goes where it went before, and nobody is asked.
    const [known, asked] = [mine.requests.length, [] as unknown[]];
    await eventually(async () => {
      asked.push(...(await answering('showInputBox', [], () => run('a2a.refresh', 'Old'))));
      assert.ok(mine.requests.length > known);
    });
    assert.deepEqual(asked, []);
    for (const { authorization, 'x-color': color } of mine.requests) assert.deepEqual([authorization, color], [`Bearer ${plain}`, 'red']);
    // By VS Code, which writes no settings while it has an older text of their file.
    await vscode.workspace.getConfiguration('editor').update('tabSize', undefined, vscode.ConfigurationTarget.Workspace);
  });

  for (const target of [vscode.ConfigurationTarget.Global, vscode.ConfigurationTarget.Workspace]) {
    test(`of an agent open at their mistake, in the settings of the ${target === vscode.ConfigurationTarget.Global ? 'user' : 'workspace'}`, async () => {
      await write({ Headers: { url: 'http://localhost:1', headers: { 'X-Key': 7 } } }, target);
      await run('workbench.action.closeAllEditors');
      await eventually(async () => {
        await run('a2a.openAgentSettings', 'Headers');
        const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('no editor');
        assert.match(document.lineAt(selection.start.line).text, /"X-Key": 7/);
      });
      await run('workbench.action.closeAllEditors');
    });
  }

  test('a proxy that is set while the window is open leads to the agents, and turned off it does no longer', async () => {
    // VS Code never leads addresses of this machine through a proxy; this name is known to the test's proxy alone.
    const remote = mine.url.replace('127.0.0.1', 'agent.test');
    const proxy = new ForwardProxy({ credentials: 'alice:proxy-canary' });
    const address = await proxy.start();
    const http = async (name: string, value: string | undefined): Promise<void> =>
      vscode.workspace.getConfiguration('http').update(name, value, vscode.ConfigurationTarget.Global);
    try {
      await write({ Remote: { url: remote } }, vscode.ConfigurationTarget.Global);
      await http('proxy', `http://127.0.0.1:${proxy.port}`);
      await eventually(async () => {
        await run('a2a.refresh', 'Remote');
        assert.ok(proxy.authorizations.length > 0);
      });
      assert.deepEqual([proxy.forwarded, mine.requests], [[], []]);
      await http('proxy', address);
      await eventually(async () => {
        await run('a2a.refresh', 'Remote');
        assert.ok(mine.requests.length > 0);
      });
      assert.ok(proxy.forwarded.every(forwarded => forwarded.startsWith(remote)));
      assert.ok(mine.requests.every(headers => headers['proxy-authorization'] === undefined));
      await http('proxySupport', 'off');
      await eventually(async () => {
        const before = proxy.forwarded.length;
        await run('a2a.refresh', 'Remote');
        assert.equal(proxy.forwarded.length, before);
      });
      await http('proxySupport', 'fallback');
      const before = proxy.forwarded.length;
      await eventually(async () => {
        await run('a2a.refresh', 'Remote');
        assert.ok(proxy.forwarded.length > before);
      });
    } finally {
      for (const name of ['proxy', 'proxySupport']) await http(name, undefined);
      await proxy.stop();
    }
  });
  test('an agent is renamed, removed, and brought back by the button of what is told', async () => {
    await write({ Probe: { url: mine.url, headers: { 'X-Color': 'red' } } }, vscode.ConfigurationTarget.Global);
    const agents = (): unknown => vscode.workspace.getConfiguration('a2a').inspect('agents')?.globalValue;
    await answering('showInputBox', ['Exchange'], () => run('a2a.rename', 'Probe'));
    const renamed = { Exchange: { url: mine.url, headers: { 'X-Color': 'red' } } };
    await eventually(() => assert.deepEqual(agents(), renamed));
    const told = await answering('showInformationMessage', ['Undo'], async () => {
      await run('a2a.removeAgent', 'Exchange');
      await eventually(() => assert.deepEqual(agents(), renamed));
    });
    assert.match(String(told[0]?.[0]), /^Removed the agent "Exchange"\./);
    // Once the button is gone, by the command.
    await run('a2a.removeAgent', 'Exchange');
    await eventually(() => assert.notDeepEqual(agents(), renamed));
    await run('a2a.undoDelete');
    await eventually(() => assert.deepEqual(agents(), renamed));
  });
});
