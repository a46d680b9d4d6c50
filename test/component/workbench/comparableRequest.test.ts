import * as assert from 'node:assert/strict';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { comparableRequest } = await import('../../../src/workbench/requests/comparableRequest.ts');
const { lastMessage } = await import('../../../src/workbench/chat/lastMessage.ts');
const { InterfaceComparison } = await import('../../../src/workbench/requests/interfaceComparison.ts');
const { RequestSender } = await import('../../../src/workbench/requests/sending/requestSender.ts');

const text = '{ "requests": [{ "name": "one", "agent": "Ann", "message": "x" }, { "name": "two", "agent": "Bob", "message": "y" }] }';

suite('a request of a file for every interface', () => {
  let restore: (() => void)[];
  let asked: string[];
  let answer: string | undefined;
  let sendsAgain: string | undefined;
  let sent: (string | undefined)[];
  setup(() => {
    [asked, answer, sendsAgain, sent] = [[], undefined, undefined, []];
    const settings = Object.fromEntries(['Ann', 'Bob'].map(name => [name, { url: 'https://a.example/' }]));
    restore = [
      inPlaceOf('window', {
        showWarningMessage: async (question: string, { detail }: { readonly detail: string }) => {
          asked.push(`${question} ${detail.split('\n')[0]}`);
          return question.startsWith('Send the last message') ? sendsAgain : answer;
        },
      }),
      inPlaceOf('workspace', {
        isTrusted: true,
        getWorkspaceFolder: () => undefined,
        getConfiguration: () => ({ inspect: () => ({ globalValue: settings }), update: async () => {} }),
      }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  /** An agent whose card is read when it is connected to; it has an interface at another address. */
  const agentOf = (name: string): object => {
    let card: object | undefined;
    return {
      name,
      extensions: [],
      trusts: ({ origin }: URL) => origin === 'https://a.example',
      get card() {
        return card;
      },
      prepare: async () => {},
      connect: async () => {
        card = { capabilities: {} };
      },
      interfaces: {
        get offered() {
          return card === undefined
            ? []
            : ['https://a.example/', `https://${name.toLowerCase()}.example/`].map(url => ({ isSupported: true, interface: { url } }));
        },
      },
    };
  };
  async function comparable(name: string) {
    const agents = new Map(['Ann', 'Bob'].map(each => [each, agentOf(each)]));
    const runs = {
      sendOnEveryInterface: (entry: { readonly name?: string }) => {
        sent.push(entry.name);
        return [];
      },
    };
    const sender = new RequestSender({
      agents: { get: (each: string) => agents.get(each) },
      sessions: { of: () => ({ agent: undefined, runs, agents: { known: (each: string) => agents.get(each) } }) },
      imported: {
        read: async () => ({ environment: { name: 'test', production: false, values: new Map() }, file: readRequestFile(text) }),
      },
      secrets: {},
      secretOrigins: {},
    } as never);
    const document = { uri: { scheme: 'file', fsPath: '/nowhere/x.a2a' }, version: 1, getText: () => text };
    return comparableRequest({ document: document as never, entry: readRequestFile(text).byName.get(name)! }, sender);
  }

  test('is not sent where the person closes the question about the addresses that the card names', async () => {
    assert.equal(await comparable('one'), undefined);
    assert.deepEqual(asked, ['Interfaces of "Ann" are at other addresses. Allow them? https://ann.example']);
  });

  for (const said of ['Allow', 'Leave Them Out']) {
    test(`goes on with "${said}", and sends that request alone`, async () => {
      answer = said;
      const found = await comparable('two');
      assert.deepEqual(asked, ['Interfaces of "Bob" are at other addresses. Allow them? https://bob.example']);
      assert.equal(found?.agent, 'Bob');
      assert.deepEqual(sent, []);
      found.outcomes(new AbortController().signal);
      assert.deepEqual(sent, ['two']);
    });
  }

  test('so does the last message of a chat ask before it goes to other addresses', async () => {
    const entry = { kind: 'message', message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } };
    const context = { agent: agentOf('Ann'), agentName: 'Ann', entries: () => ({ items: [entry], more: false }) } as never;
    assert.equal(await lastMessage(context, {} as never), undefined);
    assert.deepEqual(asked, ['Interfaces of "Ann" are at other addresses. Allow them? https://ann.example']);
    answer = 'Leave Them Out';
    // It may order something, so it is shown first.
    assert.equal(await lastMessage(context, {} as never), undefined);
    assert.equal(asked.at(-1), 'Send the last message again, on every interface of "Ann"? Hello');
    sendsAgain = 'Send Again';
    assert.equal((await lastMessage(context, {} as never))?.agent, 'Ann');
  });
});

suite('answers of several interfaces', () => {
  let restore: (() => void)[];
  let told: string[];
  let opened: unknown[][];
  setup(() => {
    [told, opened] = [[], []];
    restore = [
      inPlaceOf('window', {
        withProgress: (_: unknown, task: (progress: object, token: object) => unknown) =>
          task({ report: () => {} }, { onCancellationRequested: () => {} }),
        showInformationMessage: async (words: string) => void told.push(words),
      }),
      inPlaceOf('workspace', { openTextDocument: async (uri: string) => ({ uri, languageId: 'json', getText: () => '{}' }) }),
      inPlaceOf('commands', { executeCommand: async (...command: unknown[]) => void opened.push(command) }),
    ];
  });
  teardown(() => restore.forEach(back => back()));

  /** Shows what each interface, by its version, answered. */
  async function compare(answers: Readonly<Record<string, string>>): Promise<void> {
    const documents = { uri: (_: string, name: string) => name };
    await new InterfaceComparison(documents as never).run({
      agent: 'Ann',
      async *outcomes() {
        for (const [protocolVersion, text] of Object.entries(answers))
          yield {
            offered: { interface: { url: 'https://a.example/', protocolBinding: 'JSONRPC', protocolVersion } },
            text,
            startedAt: 0,
            endedAt: 5,
            findings: [],
          } as never;
      },
    });
  }

  test('two that differ are side by side, each further one is beside the first', async () => {
    await compare({ '1.0': 'yes', '0.3': 'no' });
    assert.deepEqual(opened.splice(0), [['vscode.diff', 'JSONRPC 1.0', 'JSONRPC 0.3', 'Ann: JSONRPC 1.0 ↔ JSONRPC 0.3']]);
    await compare({ '1.0': 'yes', '0.3': 'no', '0.2': 'no' });
    const beside = (version: string): string[] => [`JSONRPC ${version}`, 'JSONRPC 1.0', `JSONRPC ${version}`];
    assert.deepEqual(opened, [['vscode.changes', 'Ann: JSONRPC 1.0 and others', [beside('0.3'), beside('0.2')]]]);
    assert.match(told.join('|'), /^"Ann" gets different answers on 2 interfaces\. [^|]*\|"Ann" gets different answers on 3 interfaces\. /);
  });
});
