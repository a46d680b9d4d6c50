import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';

const run = <T>(command: string, ...args: unknown[]): Promise<T> => Promise.resolve(vscode.commands.executeCommand<T>(command, ...args));

/** Answers what the window asks while the work lasts, in the order of the questions. */
async function answering<K extends 'showInputBox' | 'showWarningMessage' | 'showQuickPick'>(question: K, answers: readonly unknown[], work: () => Promise<unknown>): Promise<readonly unknown[][]> {
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = window[question];
  const asked: unknown[][] = [];
  const rest = answers.values();
  window[question] = async (...args: unknown[]) => {
    asked.push(args);
    return rest.next().value;
  };
  try {
    await work();
  } finally {
    window[question] = before;
  }
  return asked;
}

suite('values and tests of request files', () => {
  let agents: StartedSampleAgents;
  suiteSetup(async () => {
    agents = await startSampleAgents({ pace: 0 });
  });
  suiteTeardown(() => agents.stop());

  const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name);
  async function open(name: string, file: unknown): Promise<vscode.TextDocument> {
    await vscode.workspace.fs.writeFile(uriOf(name), Buffer.from(JSON.stringify(file, null, 2)));
    const document = await vscode.workspace.openTextDocument(uriOf(name));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    return document;
  }
  const lensShows = (document: vscode.TextDocument, ...wanted: readonly RegExp[]): Promise<void> => eventually(async () => {
    const found = (await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100)).map(({ command }) => command?.title ?? '');
    for (const title of wanted) assert.ok(found.some(one => title.test(one)), `${title.source} in ${found.join(' | ')}`);
  });

  test('a secret, a question and a file are put into a request', async () => {
    await answering('showInputBox', ['AMOUNT', '10'], () => run('a2a.setSecret'));
    await vscode.workspace.fs.writeFile(uriOf('currency.txt'), Buffer.from('EUR'));
    const document = await open('values.a2a', {
      agent: agents.urls.Currency,
      requests: [{ name: 'convert', message: 'Convert {{$secret AMOUNT}} {{$prompt Secret currency}} to {{$file currency.txt}}', expect: { state: 'completed', text: 'EUR' } }],
    });
    const asked = await answering('showInputBox', ['USD'], async () => {
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
      await lensShows(document, /completed · .* · ✓2/);
    });
    assert.equal(asked.length, 1);
    assert.equal((asked[0]?.[0] as vscode.InputBoxOptions).password, true);
    await answering('showQuickPick', ['AMOUNT'], () => run('a2a.deleteSecret'));
    await run('a2a.sendRequest', document.uri.toString(), 'convert');
    await lensShows(document, /\$secret AMOUNT\}\} has no value/);
  });

  test('nothing is sent in production, or of what is marked so, without a yes', async () => {
    await vscode.workspace.fs.writeFile(uriOf('a2a.env.json'), Buffer.from(JSON.stringify({ prod: { production: true, currency: 'EUR' } })));
    const document = await open('care.a2a', {
      agent: agents.urls.Currency, requests: [{ name: 'convert', message: 'Convert 10 USD to {{currency}}', confirm: 'Really?' }],
    });
    await run('a2a.selectEnvironment', document.uri.toString(), 'prod');
    const refused = await answering('showWarningMessage', [undefined], () => run('a2a.sendRequest', document.uri.toString(), 'convert'));
    assert.match(String(refused[0]?.[0]), /production/);
    await lensShows(document, /^▶ Send Request$/);
    const asked = await answering('showWarningMessage', ['Send', 'Send'], async () => {
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
      await lensShows(document, /completed/);
    });
    assert.deepEqual(asked.map(([question]) => question), ['Send in the environment "prod"? It is marked as production.', 'Really?']);
    await vscode.workspace.fs.delete(uriOf('a2a.env.json'));
  });

  test('requests run as tests, one after the other, with what they need before them', async () => {
    const document = await open('tests.a2a', {
      agent: agents.urls.Currency,
      requests: [
        { name: 'ask', message: 'How much is 10 USD?' },
        { name: 'answer', after: 'ask', message: 'EUR', expect: { state: 'completed', text: 'EUR' } },
        { name: 'wrong', message: 'Convert 10 USD to EUR', expect: { state: 'failed' } },
        { name: 'gone', method: 'GetTask', params: { id: 'none' }, expect: { error: 'TaskNotFoundError' } },
      ],
    });
    // VS Code hears of new tests a moment later, and runs those that it knows.
    await eventually(async () => {
      await run('testing.runCurrentFile');
      const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100);
      assert.ok(lenses.some(({ command }) => /[✓✗]/.test(command?.title ?? '')), 'no test has run');
    });
    await lensShows(document, /input.required · /, /completed · .* · ✓2/, /completed · .* · ✗1/, /refused as expected · .* · ✓1/);
    const response = async (key: string): Promise<string> => {
      await run('a2a.showResponse', document.uri.toString(), key);
      return eventually(() => {
        const shown = vscode.window.visibleTextEditors.map(editor => editor.document).find(({ uri }) => uri.scheme === 'a2a-response')?.getText() ?? '';
        assert.ok(shown.includes(`"request": "${key}"`));
        return shown;
      });
    };
    assert.match(await response('wrong'), /"expectations": \[\s*\{\s*"ok": false,\s*"kind": "state",[^]*"expected": "failed",\s*"actual": "completed"/);
  });
});
