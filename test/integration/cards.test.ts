import * as assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents } from '../support/sampleAgents.ts';

const card = {
  name: 'Harbour',
  description: 'Knows the berths.',
  version: '1.0.0',
  capabilities: { streaming: true },
  supportedInterfaces: [{ url: 'http://127.0.0.1:9999', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'berths', name: 'Berths', description: 'Lists free berths.', tags: ['harbour'] }],
};

async function open(name: string, content: unknown): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder !== undefined);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content, null, 2)));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

const ours = (document: vscode.TextDocument): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'a2a');

suite('agent card documents', () => {
  teardown(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  test('what the schema cannot see is underlined, and its fix mends it', async () => {
    const document = await open('fixable.agent-card.json', { ...card, securityRequirements: [{ schemes: { key: {} } }] });
    assert.equal(document.languageId, 'a2a-card');
    const [problem] = await eventually(() => {
      const found = ours(document);
      assert.equal(found.length, 1, JSON.stringify(vscode.languages.getDiagnostics(document.uri)));
      return found;
    });
    assert.equal(document.getText(problem!.range), '"key"');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem!.range,
    );
    const fix = actions.find(({ title }) => title.includes('bearer'));
    assert.ok(fix?.edit !== undefined, actions.map(({ title }) => title).join('\n'));
    await vscode.workspace.applyEdit(fix.edit);
    await eventually(() => assert.deepEqual(ours(document), []));
    assert.deepEqual((JSON.parse(document.getText()) as { securitySchemes: unknown }).securitySchemes, {
      key: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    });
  });

  test('a card of any name is recognised by its content, and checked once the person says so', async () => {
    // Nothing else in this window may have needed the extension yet.
    await vscode.extensions.getExtension('a2a-workbench.a2a-workbench')!.activate();
    const { description: _, ...incomplete } = card;
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'card.json');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ ...incomplete, iconURl: 'https://harbour.example/icon.png' })));
    const shown = () => vscode.workspace.textDocuments.find(each => each.uri.toString() === uri.toString());
    // A document that is opened by the API stays open for minutes after its editor is closed.
    const show = async () => {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      return eventually(() => {
        assert.ok(shown() !== undefined);
        return shown()!;
      });
    };
    const close = async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await eventually(() => assert.equal(shown(), undefined));
    };
    const document = await show();
    assert.equal(document.languageId, 'json');
    const lensesOf = (of: vscode.Uri) => vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', of, 10);
    const [lens] = await eventually(async () => {
      const found = await lensesOf(uri);
      assert.deepEqual(
        found.map(({ command }) => command?.title),
        ['This looks like an agent card: Check It'],
      );
      return found;
    });
    const other = await open('package.json', { name: 'harbour', url: 'https://harbour.example' });
    assert.deepEqual(await lensesOf(other.uri), []);
    assert.deepEqual(ours(document), []);

    await vscode.commands.executeCommand(lens!.command!.command, ...(lens!.command!.arguments ?? []));
    await eventually(() => {
      assert.equal(shown()?.languageId, 'a2a-card');
      assert.deepEqual(
        ours(shown()!).map(({ code }) => code),
        ['misspelt-member', 'missing-key'],
      );
    });

    // The next time it is opened it is a card, until the person chooses another language.
    await close();
    await show();
    await eventually(() => assert.equal(shown()?.languageId, 'a2a-card'));
    await vscode.languages.setTextDocumentLanguage(shown()!, 'json');
    await close();
    await show();
    await eventually(async () => assert.equal((await lensesOf(uri)).length, 1));
  });

  test("an agent's card shows its problems where it is opened", async () => {
    const server = createServer((_, response) => {
      const { description: _description, ...incomplete } = card;
      const skills = [...card.skills, ...card.skills];
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...incomplete, skills }));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = vscode.workspace.getConfiguration('a2a');
    await settings.update('agents', { Faulty: { url, origins: [card.supportedInterfaces[0]!.url] } }, vscode.ConfigurationTarget.Global);
    try {
      await vscode.commands.executeCommand('a2a.openAgentCard', 'Faulty');
      await eventually(() => {
        const shown = vscode.window.activeTextEditor?.document;
        assert.equal(shown?.uri.scheme, 'a2a-card');
        assert.deepEqual(
          ours(shown).map(({ code }) => code),
          ['duplicate-skill', 'missing-key'],
        );
      });
    } finally {
      await settings.update('agents', undefined, vscode.ConfigurationTarget.Global);
      server.close();
    }
  });

  test('a 1.0 card is written as 0.3', async () => {
    const document = await open('convert.agent-card.json', card);
    await vscode.commands.executeCommand('a2a.convertAgentCard', document.uri);
    const converted = await eventually(() => {
      const found = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'untitled' && uri.path.includes('/a2a-0.3'));
      assert.ok(found !== undefined && found.getText().includes('"protocolVersion": "0.3.0"'));
      return found;
    });
    assert.equal(converted.languageId, 'a2a-card');
    assert.equal((JSON.parse(converted.getText()) as { url: string }).url, 'http://127.0.0.1:9999');
  });

  test('a mock agent shows the card, as it is now, and answers', async () => {
    const document = await open('served.agent-card.json', card);
    await vscode.commands.executeCommand('a2a.serveAgentCard', document.uri);
    const request = await open('ahoy.a2a', { agent: 'Harbour (mock)', requests: [{ name: 'a', message: 'ahoy' }] });
    const [send] = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', request.uri, 10);
      const sending = found.filter(({ command }) => /Send Request/.test(command?.title ?? ''));
      assert.equal(sending.length, 1);
      return sending;
    });
    await vscode.commands.executeCommand(send!.command!.command, ...(send!.command!.arguments ?? []));
    await eventually(() =>
      assert.ok(
        vscode.workspace.textDocuments.some(shown =>
          /TASK_STATE_COMPLETED[\s\S]*ahoy|ahoy[\s\S]*TASK_STATE_COMPLETED/.test(shown.getText()),
        ),
      ),
    );
    await vscode.commands.executeCommand('a2a.serveAgentCard', document.uri);
  });

  test('a mock agent plays a recording while it is open', async () => {
    const line = (value: object): string => `${JSON.stringify(value)}\n`;
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'ahoy' }] };
    const answer = { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'recorded long ago' }] } };
    const head = { binding: 'JSONRPC', version: '1.0', method: 'POST', url: 'http://harbour.example/', headers: [] };
    const body = (more: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });
    const document = await open(
      'ahoy.a2a-recording.jsonl',
      [
        { format: 'a2a-workbench-recording', version: 1, recordedAt: '2026-01-01T00:00:00.000Z', agent: { name: 'Pier', url: head.url } },
        { request: 1, at: 0, operation: 'SendMessage', ...head, body: body({ method: 'SendMessage', params: { message } }) },
        { answer: 1, at: 5, status: 200, headers: [], body: body({ result: answer }) },
        { end: 1, at: 5 },
      ]
        .map(line)
        .join(''),
    );
    await vscode.commands.executeCommand('a2a.serveAgentCard', document.uri);
    const request = await open('play.a2a', { agent: 'Pier (mock)', requests: [{ name: 'a', message: 'ahoy' }] });
    const [send] = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', request.uri, 10);
      const sending = found.filter(({ command }) => /Send Request/.test(command?.title ?? ''));
      assert.equal(sending.length, 1);
      return sending;
    });
    await vscode.commands.executeCommand(send!.command!.command, ...(send!.command!.arguments ?? []));
    await eventually(() =>
      assert.ok(vscode.workspace.textDocuments.some(shown => shown.uri.scheme !== 'file' && shown.getText().includes('recorded long ago'))),
    );
    await vscode.commands.executeCommand('a2a.serveAgentCard', document.uri);
  });

  test('a card is compared with the live one, member by member', async () => {
    const samples = await startSampleAgents();
    try {
      const live = (await (
        await fetch(new URL('/.well-known/agent-card.json', samples.urls.Currency), { headers: { 'A2A-Version': '1.0' } })
      ).json()) as Record<string, unknown>;
      // Another order is no difference.
      const document = await open('live.agent-card.json', Object.fromEntries(Object.entries(live).reverse()));
      await vscode.workspace
        .getConfiguration('a2a')
        .update('agents', { Live: { url: samples.urls.Currency } }, vscode.ConfigurationTarget.Workspace);
      await vscode.commands.executeCommand('a2a.compareCard', document.uri);
      const diff = await eventually(() => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        assert.ok(input instanceof vscode.TabInputTextDiff);
        return input;
      });
      const left = await vscode.workspace.openTextDocument(diff.original);
      assert.equal(left.getText().trim(), document.getText().trim());
    } finally {
      await vscode.workspace.getConfiguration('a2a').update('agents', undefined, vscode.ConfigurationTarget.Workspace);
      await samples.stop();
    }
  });
});
