import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { answering } from '../support/answering.ts';
import { eventually } from '../support/eventually.ts';
import { startSampleAgents, type StartedSampleAgents } from '../support/sampleAgents.ts';

const run = <T>(command: string, ...args: unknown[]): Promise<T> => Promise.resolve(vscode.commands.executeCommand<T>(command, ...args));

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
  const lensShows = (document: vscode.TextDocument, ...wanted: readonly RegExp[]): Promise<void> =>
    eventually(async () => {
      const found = (await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100)).map(
        ({ command }) => command?.title ?? '',
      );
      for (const title of wanted)
        assert.ok(
          found.some(one => title.test(one)),
          `${title.source} in ${found.join(' | ')}`,
        );
    });

  test('a secret, a question and a file are put into a request', async () => {
    await answering('showInputBox', ['AMOUNT', '10'], () => run('a2a.setSecret'));
    await vscode.workspace.fs.writeFile(uriOf('currency.txt'), Buffer.from('EUR'));
    const document = await open('values.a2a', {
      agent: agents.urls.Currency,
      requests: [
        {
          name: 'convert',
          message: 'Convert {{$secret AMOUNT}} {{$prompt Secret currency}} to {{$file currency.txt}}',
          expect: { state: 'completed', text: 'EUR' },
        },
      ],
    });
    let questions: readonly unknown[][] = [];
    const asked = await answering('showInputBox', ['USD'], async () => {
      questions = await answering('showWarningMessage', ['Allow'], async () => {
        await run('a2a.sendRequest', document.uri.toString(), 'convert');
        await lensShows(document, /completed · .* · ✓2/);
      });
    });
    // The file alone names the agent, and not the settings of the user.
    assert.deepEqual(
      questions.map(([question]) => question),
      [`Send the secret AMOUNT to ${new URL(agents.urls.Currency).origin}?`],
    );
    assert.equal(asked.length, 1);
    assert.equal((asked[0]?.[0] as vscode.InputBoxOptions).password, true);
    await answering('showQuickPick', ['AMOUNT'], () => run('a2a.deleteSecret'));
    // A secret that is missing is asked for; without an answer nothing is sent.
    const missing = await answering('showInputBox', [undefined], async () => {
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
      await lensShows(document, /\$secret AMOUNT\}\} has no value/);
    });
    const [box] = missing[0] as [vscode.InputBoxOptions];
    assert.deepEqual([box.title, box.password], ['Set Secret', true]);
    assert.match(String(box.prompt), /AMOUNT/);
    // What is answered is kept, so that it is asked for once.
    const given = await answering('showInputBox', ['20', 'USD', 'USD'], async () => {
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
      await lensShows(document, /completed · .* · ✓2/);
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
    });
    assert.deepEqual(
      given.map(([options]) => (options as vscode.InputBoxOptions).title),
      ['Set Secret', 'Send Request', 'Send Request'],
    );
    await answering('showQuickPick', ['AMOUNT'], () => run('a2a.deleteSecret'));
  });

  test('nothing is sent in production, or of what is marked so, without a yes', async () => {
    await vscode.workspace.fs.writeFile(
      uriOf('a2a.env.json'),
      Buffer.from(JSON.stringify({ prod: { production: true, currency: 'EUR' } })),
    );
    const document = await open('care.a2a', {
      agent: agents.urls.Currency,
      requests: [{ name: 'convert', message: 'Convert 10 USD to {{currency}}', confirm: 'Really?' }],
    });
    await run('a2a.selectEnvironment', document.uri.toString(), 'prod');
    const refused = await answering('showWarningMessage', [undefined], () => run('a2a.sendRequest', document.uri.toString(), 'convert'));
    assert.match(String(refused[0]?.[0]), /production/);
    await lensShows(document, /^▶ Send Request$/);
    const asked = await answering('showWarningMessage', ['Send', 'Send'], async () => {
      await run('a2a.sendRequest', document.uri.toString(), 'convert');
      await lensShows(document, /completed/);
    });
    assert.deepEqual(
      asked.map(([question]) => question),
      ['Send in the environment "prod"? It is marked as production.', 'Really?'],
    );
    await vscode.workspace.fs.delete(uriOf('a2a.env.json'));
  });

  test('a private environment file is offered to .gitignore where there is a repository, once', async () => {
    const ignored = async (): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(uriOf('.gitignore'))).toString();
    await vscode.workspace.fs.writeFile(uriOf('.gitignore'), Buffer.from('node_modules'));
    await vscode.workspace.fs.createDirectory(uriOf('.git'));
    const asked = await answering('showInformationMessage', ['Add to .gitignore'], async () => {
      await run('a2a.newEnvironmentFile', 'private');
      await eventually(async () => assert.equal(await ignored(), 'node_modules\na2a.private.env.json\n'));
    });
    assert.match(String(asked[0]?.[0]), /a2a\.private\.env\.json contains private values/);
    for (const name of ['.gitignore', '.git', 'a2a.private.env.json']) await vscode.workspace.fs.delete(uriOf(name), { recursive: true });
  });

  (process.platform === 'win32' ? test.skip : test)(
    'a pipe in the place of a request file or an environment file is told, and not waited for',
    async () => {
      const document = await open('beside-pipe.a2a', { agent: agents.urls.Currency, message: 'x' });
      for (const name of ['pipe.a2a', 'a2a.env.json']) {
        execFileSync('mkfifo', [uriOf(name).fsPath]);
        try {
          const sent = name === 'pipe.a2a' ? uriOf(name) : document.uri;
          const told = await answering('showErrorMessage', [], () => run('a2a.sendRequest', sent.toString()));
          assert.match(String(told[0]?.[0]), /is not a regular file, so it was not read/, name);
        } finally {
          await rm(uriOf(name).fsPath);
        }
      }
    },
  );

  test('an environment file says where it is wrong', async () => {
    await vscode.workspace.fs.writeFile(
      uriOf('a2a.env.json'),
      Buffer.from('{\n  // comments may be in it\n  "dev": { "a": "{{b}} {{c}}", "c": 1 },\n  "prod": 5\n}\n'),
    );
    const document = await vscode.workspace.openTextDocument(uriOf('a2a.env.json'));
    await vscode.window.showTextDocument(document);
    await eventually(() => {
      const found = vscode.languages.getDiagnostics(document.uri).map(({ range, message }) => `${document.getText(range)} | ${message}`);
      assert.equal(found.length, 2, found.join('\n'));
      assert.ok(
        found.some(text => text.startsWith('{{b}} | This environment has no variable "b"')),
        found.join('\n'),
      );
      assert.ok(
        found.some(text => /^5 \| .*object/.test(text)),
        found.join('\n'),
      );
    });
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
      assert.ok(
        lenses.some(({ command }) => /[✓✗]/.test(command?.title ?? '')),
        'no test has run',
      );
    });
    await lensShows(document, /input.required · /, /completed · .* · ✓2/, /completed · .* · ✗1/, /refused as expected · .* · ✓1/);
    const response = async (key: string): Promise<string> => {
      await run('a2a.showResponse', document.uri.toString(), key);
      return eventually(() => {
        const shown =
          vscode.window.visibleTextEditors
            .map(editor => editor.document)
            .find(({ uri }) => uri.scheme === 'a2a-response')
            ?.getText() ?? '';
        assert.ok(shown.includes(`"request": "${key}"`));
        return shown;
      });
    };
    assert.match(
      await response('wrong'),
      /"expectations": \[\s*\{\s*"ok": false,\s*"kind": "state",[^]*"expected": "failed",\s*"actual": "completed"/,
    );
  });
});
