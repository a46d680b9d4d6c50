import * as assert from 'node:assert/strict';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { importRequest, requestOfCurl } = await import('../../../src/workbench/requests/requestImports.ts');
const { pasteEdits } = await import('../../../src/workbench/requests/pasting.ts');

suite('Import Request', () => {
  let back: readonly (() => void)[];
  let written: unknown[];
  let shown: (readonly string[])[];
  let run: (readonly unknown[])[];
  let choice: string | undefined;
  setup(() => {
    [written, shown, run, choice] = [[], [], [], undefined];
    const editor = {
      edit: async (work: (edit: object) => void) => work({ insert: (_: unknown, text: string) => void written.push(JSON.parse(text)) }),
    };
    back = [
      inPlaceOf('workspace', {
        workspaceFolders: undefined,
        textDocuments: [],
        fs: { stat: async () => Promise.reject(new Error('none')) },
        openTextDocument: async () => ({}),
      }),
      inPlaceOf('window', {
        showTextDocument: async () => editor,
        showInformationMessage: async (...words: readonly string[]) => (shown.push(words), choice),
      }),
      inPlaceOf('commands', { executeCommand: async (...given: readonly unknown[]) => void run.push(given) }),
    ];
  });
  teardown(() => back.forEach(each => each()));

  const command = (more = ''): string =>
    `curl http://localhost:9/rest/message:stream ${more} -d '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"Hi"}]}}'`;
  const params = { message: { messageId: 'm', parts: [{ text: 'Hi' }] } };
  const ann = (protocolVersion: string) => ({
    interfaceAt: (url: string) =>
      url === 'http://localhost:9/rest'
        ? {
            agent: { name: 'Ann' },
            offered: [
              {
                interface: { url, protocolBinding: 'HTTP+JSON', protocolVersion },
                wanted: { protocolBinding: 'HTTP+JSON', protocolVersion },
              },
            ],
          }
        : undefined,
  });

  test('names the agent whose interface was called, and pins the interface as the card has it', async () => {
    await importRequest(command(), ann('1.0') as never);
    assert.deepEqual(written, [{ agent: 'Ann', interface: 'HTTP+JSON 1.0', method: 'SendStreamingMessage', params }]);
    assert.deepEqual(shown, [['The request was imported.']]);
  });

  test('in another version than the card has, it is sent as it was', async () => {
    await importRequest(command(), ann('0.3') as never);
    assert.deepEqual(written, [
      { agent: 'Ann', interface: 'HTTP+JSON 1.0 http://localhost:9/rest', method: 'SendStreamingMessage', params },
    ]);
  });

  test('says in a short notification what it left out, and opens the setting where that belongs', async () => {
    choice = 'Open Settings';
    const names = Array.from({ length: 20 }, (_, index) => `-H 'X-Token-${index}: s3cret'`);
    await importRequest(command(`-H 'Authorization: Bearer s3cret' ${names.join(' ')}`), ann('1.0') as never);
    const [[words = '', ...actions] = []] = shown;
    assert.match(words, /^Left out: Authorization, X-Token-0, .*…\. Add them in the setting a2a\.agents\.$/);
    assert.ok(words.length <= 120, words);
    assert.deepEqual([actions, run], [['Open Settings'], [['workbench.action.openSettings', 'a2a.agents']]]);
  });

  test('a paste says in a comment what it left out, since it has no notification', async () => {
    const pastedInto = async (text: string, options: string) => {
      const edits = await pasteEdits(command(options), { getText: () => text } as never);
      return edits.map(({ insertText }) => String(insertText).replace(/\{[^]*/, '{'));
    };
    assert.deepEqual(await pastedInto('', "-H 'X-API-Key: s3cret'"), ['// Left out: X-API-Key. Add them in the setting a2a.agents.\n{']);
    assert.deepEqual(await pastedInto('{}', ''), ['{']);
  });

  for (const [address, wanted] of [
    ['http://localhost:9/rpc', 'JSONRPC 1.0 http://localhost:9/rpc'],
    ['http://localhost:9/rpc?api_key=masked', 'JSONRPC 1.0'],
  ] as const)
    test(`a recorded request to ${address} is sent over ${wanted}`, () => {
      const file: unknown = JSON.parse(requestOfCurl(`curl '${address}' -d '{"method":"GetTask","params":{"id":"t"}}'`, 'Ann'));
      assert.deepEqual(file, { agent: 'Ann', interface: wanted, method: 'GetTask', params: { id: 't' } });
    });
});
