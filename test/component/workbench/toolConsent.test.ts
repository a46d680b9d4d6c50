import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Action } from '../../../src/assistant/world.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { extensionsWithAccess, ToolConsent } = await import('../../../src/workbench/assistant/toolConsent.ts');

const ann = { name: 'Ann', origin: 'http://127.0.0.1:1' };
const bob = { name: 'Bob', origin: 'http://127.0.0.1:2' };
const sending = (more: Partial<Action> = {}): Action => ({ kind: 'send', agents: [ann], payload: 'Draw a sailboat', ...more });

suite('consent to tools', () => {
  let stored: Record<string, unknown>;
  /** Answers of the person, in turn; undefined for Escape. */
  let presses: (string | undefined)[];
  /** Questions with their details. */
  let asked: string[];
  const state = {
    keys: () => Object.keys(stored),
    get: (key: string, fallback: unknown) => stored[key] ?? fallback,
    update: async (key: string, value: unknown) => void (stored[key] = value),
  } as unknown as vscode.Memento;
  const consentOf = (extension?: string) => new ToolConsent(state, extension);
  let consent: InstanceType<typeof ToolConsent>;
  let restore: () => void;
  setup(() => {
    [stored, presses, asked] = [{}, [], []];
    consent = consentOf();
    restore = inPlaceOf('window', {
      showWarningMessage: async (message: string, { modal, detail }: vscode.MessageOptions, ...buttons: string[]) => {
        assert.ok(modal);
        asked.push([message, detail, buttons.join(' | ')].join('\n'));
        return presses.shift();
      },
    });
  });
  teardown(() => restore());

  test('reading is asked for once in a workspace, and again after a no', async () => {
    presses = [undefined, 'Allow in This Workspace'];
    await assert.rejects(consent.mayRead(), { code: 'tool-refused' });
    await consent.mayRead();
    await consent.mayRead();
    await consentOf().mayRead();
    assert.equal(asked.length, 2);
  });

  test('questions come one at a time, and one yes answers those that wait for the same', async () => {
    presses = ['Allow in This Workspace'];
    await Promise.all([consent.mayRead(), consent.mayRead(), consent.mayRead()]);
    assert.equal(asked.length, 1);
  });

  test('sending is asked for each time with agent, origin and message, until it is remembered', async () => {
    presses = ['Send', undefined, 'Always Send to This Agent'];
    await consent.mayAct(sending());
    await assert.rejects(consent.mayAct(sending()), { code: 'tool-refused' });
    await consent.mayAct(sending());
    await consent.mayAct(sending({ payload: 'Another' }));
    await consentOf().mayAct(sending());
    assert.equal(asked.length, 3);
    assert.equal(
      asked[0],
      'Let a language model send this message to “Ann”?\nhttp://127.0.0.1:1\n\nDraw a sailboat\nSend | Always Send to This Agent',
    );
  });

  test('what is remembered holds for this action, agent and origin alone', async () => {
    presses = ['Always Send to This Agent'];
    await consent.mayAct(sending());
    for (const other of [
      sending({ agents: [{ ...ann, origin: 'http://127.0.0.1:3' }] }),
      sending({ agents: [{ ...ann, name: 'Anna' }] }),
      sending({ agents: [ann, bob] }),
      sending({ isOpen: true }),
      sending({ kind: 'cancel' }),
      sending({ kind: 'run', agents: [] }),
    ])
      await assert.rejects(consent.mayAct(other), { code: 'tool-refused' });
    // What is open, or has no agent, cannot be remembered.
    assert.deepEqual(
      asked.slice(1).map(question => / \| Always /.test(question)),
      [true, true, true, false, true, false],
    );
    await assert.rejects(consent.mayRead(), { code: 'tool-refused' });
  });

  test("a send after reading another's words asks again, though remembered, and names whose", async () => {
    presses = ['Always Send to This Agent', 'Send'];
    await consent.mayAct(sending());
    consent.hasRead(new Set(['Ann']));
    await consent.mayAct(sending());
    assert.equal(asked.length, 1);
    consent.hasRead(new Set(['Bob']));
    await consent.mayAct(sending());
    assert.match(asked[1]!, /It has read text of “Bob” since, which may be the reason/);
    // Once allowed, those words count no more; new ones do.
    await consent.mayAct(sending());
    assert.equal(asked.length, 2);
    consent.hasRead(new Set(['Bob']));
    await assert.rejects(consent.mayAct(sending()), { code: 'tool-refused' });
  });

  test('what is remembered can be forgotten', async () => {
    presses = ['Allow in This Workspace', 'Always Send to This Agent', 'Always Send to This Agent'];
    await consent.mayRead();
    await consent.mayAct(sending());
    await consent.mayAct(sending({ agents: [bob] }));
    assert.deepEqual(
      consent.kept.map(({ label, description }) => [label, description]),
      [
        ['Read cards and history', "of this workspace's agents"],
        ['Send messages: Ann', ann.origin],
        ['Send messages: Bob', bob.origin],
      ],
    );
    await consent.kept[1]!.forget();
    await consent.kept[0]!.forget();
    assert.deepEqual(
      consent.kept.map(({ label }) => label),
      ['Send messages: Bob'],
    );
    await assert.rejects(consent.mayRead(), { code: 'tool-refused' });
    await assert.rejects(consent.mayAct(sending()), { code: 'tool-refused' });
    await consent.mayAct(sending({ agents: [bob] }));
  });

  test('another extension is asked for by the id that it gives, and shares nothing that is remembered', async () => {
    presses = ['Allow in This Workspace', 'Always Send to This Agent'];
    await consent.mayRead();
    await consent.mayAct(sending());
    const extension = consentOf('some.extension');
    await assert.rejects(extension.mayRead(), { code: 'tool-refused' });
    await assert.rejects(extension.mayAct(sending()), { code: 'tool-refused' });
    assert.match(
      asked[2]!,
      /^Let the extension some\.extension read about the agents.*\nThe extension gives its name itself: VS Code does not/,
    );
    assert.match(
      asked[3]!,
      /^Let the extension some\.extension send this message to “Ann”\?\nThe extension gives its name itself.*Draw a sailboat/s,
    );
    assert.deepEqual(extensionsWithAccess(state), []);
    presses = ['Allow in This Workspace', 'Always Send to This Agent'];
    await extension.mayRead();
    await extension.mayAct(sending());
    assert.equal(extension.mayStillRead, true);
    assert.deepEqual(extensionsWithAccess(state), ['some.extension']);
    assert.deepEqual(
      extension.kept.map(({ label }) => label),
      ['some.extension: Read cards and history', 'some.extension: Send messages: Ann'],
    );
    await extension.kept[0]!.forget();
    assert.equal(extension.mayStillRead, false);
    await assert.rejects(consentOf('other.extension').mayAct(sending()), { code: 'tool-refused' });
  });

  test('a long message is cut in the question, which says by how much', async () => {
    await assert.rejects(consent.mayAct(sending({ payload: 'x'.repeat(5000) })), { code: 'tool-refused' });
    assert.match(asked[0]!, /\n4200 more characters\n/);
    await assert.rejects(consent.mayAct(sending({ payload: 'line\n'.repeat(100) })), { code: 'tool-refused' });
    assert.ok(asked[1]!.split('\n').length < 30);
  });

  test('in Restricted Mode nothing is asked and nothing allowed, whatever is remembered', async () => {
    presses = ['Allow in This Workspace', 'Always Send to This Agent'];
    await consent.mayRead();
    await consent.mayAct(sending());
    const trusting = inPlaceOf('workspace', { isTrusted: false });
    try {
      await assert.rejects(consent.mayRead(), /Restricted Mode/);
      await assert.rejects(consent.mayAct(sending()), /Restricted Mode/);
    } finally {
      trusting();
    }
    assert.equal(asked.length, 2);
  });

  test('where VS Code shows no dialog, that is a no', async () => {
    const silent = inPlaceOf('window', {
      showWarningMessage: async () => {
        throw new Error('DialogService: refused to show dialog in tests.');
      },
    });
    try {
      await assert.rejects(consent.mayRead(), { code: 'tool-refused' });
      await assert.rejects(consent.mayAct(sending()), { code: 'tool-refused' });
    } finally {
      silent();
    }
  });
});
