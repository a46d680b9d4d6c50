import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { openUntrustedLink } = await import('../../../src/workbench/platform/links.ts');

suite('links that an agent wrote', () => {
  let restore: (() => void)[];
  let asked: string[];
  let opened: string[];
  let answer: string | undefined;
  setup(() => {
    [asked, opened, answer] = [[], [], 'Open'];
    restore = [
      inPlaceOf('window', {
        showWarningMessage: async (_: string, { modal, detail }: { readonly modal: boolean; readonly detail: string }) => {
          assert.ok(modal);
          asked.push(detail);
          return answer;
        },
      }),
      inPlaceOf('env', { openExternal: async (uri: object) => opened.push(String(uri)) }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  const forbidden = [
    'command:workbench.action.terminal.new',
    'COMMAND:workbench.action.quit',
    ' command:a2a.deleteAll',
    'com\nmand:a2a.deleteAll',
    'vscode://publisher.extension/run',
    'vscode-insiders://x/y',
    'code-oss://x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'blob:https://a.example/1',
    'ms-msdt:/id',
    'ssh://a.example',
    'ftp://a.example/x',
    'view-source:https://a.example',
    'vscode-webview://x/index.html',
    'vscode-file://vscode-app/x',
  ];
  for (const url of forbidden) {
    test(`${JSON.stringify(url)} is refused before anybody is asked`, async () => {
      await assert.rejects(openUntrustedLink(url), { code: 'bad-link' });
      assert.deepEqual([asked, opened], [[], []]);
    });
  }

  test('what is not an address is refused', async () => {
    for (const url of ['', 'example.org', '//example.org', '/etc/passwd', 'https://'])
      await assert.rejects(openUntrustedLink(url), { code: 'bad-link' });
    assert.deepEqual([asked, opened], [[], []]);
  });

  test('web and mail addresses are opened as they were shown, names in ASCII', async () => {
    await openUntrustedLink('https://exаmple.org/receipts?x=1#y');
    await openUntrustedLink('http://example.org');
    await openUntrustedLink('mailto:someone@example.org');
    assert.deepEqual(asked, ['https://xn--exmple-4nf.org/receipts?x=1#y', 'http://example.org/', 'mailto:someone@example.org']);
    assert.deepEqual(opened, asked);
  });

  test('nothing is opened where the person does not agree', async () => {
    answer = undefined;
    await openUntrustedLink('https://example.org/');
    assert.deepEqual([asked, opened], [['https://example.org/'], []]);
  });
});
