import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DraftContent, Recalled } from '../../../src/chat/host/draft.ts';
import { eventually } from '../../support/eventually.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { composing, draftOf, facts, picture, report, selection } from '../../support/chatHarness/drafts.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { plainTalk } from '../../support/chatHarness/stories.ts';
import { sailboat } from '../../support/chatHarness/story.ts';
import { shownTexts } from '../../support/chatHarness/shownText.ts';

const content = (text: string): DraftContent => ({ text, textAt: 0, parts: [], references: [], metadata: '' });
const recalled = (seq: number, text: string, more: Partial<DraftContent> = {}): Recalled => ({ seq, ...content(text), ...more });

suite('chat panel: composing', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({
      snapshot: plainTalk(),
      ...options,
      answers: { thumbnail: { result: { raw: sailboat(true) } }, ...options.answers },
    });
  };
  const composer = (): Locator => panel.page.getByRole('textbox', { name: /^Message to/ });
  const chips = (): Locator => panel.page.locator('.draft-part');
  const names = (): Promise<string[]> => shownTexts(panel.page.locator('.draft-part .chip-words'));
  const button = (name: string | RegExp): Locator => panel.page.getByRole('button', { name });
  const sent = async (): Promise<unknown> => (await panel.sent('send')).map(({ params }) => params);
  const more = async (item: string): Promise<void> => {
    await button('More Actions').click();
    await panel.page.getByRole('menuitem', { name: item }).click();
  };
  /** Drops or pastes, in the page: files by name, type and size; texts by their type. */
  const bring = (
    kind: 'drop' | 'paste',
    files: readonly (readonly [name: string, type: string, size: number])[],
    texts: Readonly<Record<string, string>> = {},
  ): Promise<void> =>
    composer().evaluate(
      (box, given) => {
        const data = new DataTransfer();
        for (const [name, type, size] of given.files) data.items.add(new File([new Uint8Array(size).fill(65)], name, { type }));
        for (const [type, text] of Object.entries(given.texts)) data.setData(type, text);
        const options = { bubbles: true, cancelable: true };
        if (given.kind === 'drop') {
          box.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: data }));
          box.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }));
        } else box.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
      },
      { kind, files, texts },
    );

  test('a message of many parts in every theme: nothing for axe to say, nothing refused by the policy', async () => {
    await open({ snapshot: composing(), answers: { checkMode: { result: "The agent's card lists text/plain." } } });
    await panel.page.locator('.thumbnail').waitFor();
    await panel.post({
      type: 'event',
      name: 'attached',
      value: [{ ...report, id: 'other', refused: "The agent's card lists text/plain." }],
    });
    await more('Add Data Part…');
    await panel.page.getByLabel('JSON value').fill('{');
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    await panel.page.getByLabel('JSON value').fill('{}');
    await panel.page.locator('.draft-editor').getByRole('button', { name: 'Attach' }).click();
    await panel.page.locator('.field-doubt .codicon').waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('everything is sent in its order, and is gone when the host has taken it; the wanted output stays', async () => {
    await open({ snapshot: { ...composing(), state: { ...plainTalk().state } } });
    await composer().press('Enter');
    await eventually(async () => assert.equal(await composer().inputValue(), ''));
    assert.deepEqual(await sent(), [
      {
        text: 'Is this what the storm looked like? The report says otherwise.',
        textAt: 1,
        parts: [picture, report, facts, selection],
        metadata: '{"trace":7}',
        outputModes: ['image/png'],
      },
    ]);
    assert.deepEqual(await names(), ['Answer: image/png']);
  });

  test('parts without text can be sent; what the host does not take stays', async () => {
    await open({
      snapshot: { ...plainTalk(), draft: draftOf({ parts: [picture] }) },
      answers: { send: { error: { message: 'An attached file is no longer there.' } } },
    });
    await button('Send (Enter)').click();
    await panel.page.getByText('An attached file is no longer there.').waitFor();
    assert.deepEqual([await sent(), await names()], [[{ text: '', parts: [picture], textAt: 0 }], ['Text', 'sailboat.png']]);
  });

  test('a file that is dropped goes to the host with its name and size, and comes back as what it is attached as', async () => {
    await open({ answers: { attach: { result: { ...picture, id: 'x' } } } });
    await bring('drop', [['sailboat.png', 'image/png', 5]]);
    await eventually(async () => assert.deepEqual(await names(), ['Text', 'sailboat.png']));
    const [{ params } = { params: undefined }] = await panel.sent('attach');
    const { id, ...piece } = params as Record<string, unknown>;
    assert.match(String(id), /^[\w-]{8,64}$/);
    assert.deepEqual(piece, { name: 'sailboat.png', mediaType: 'image/png', size: 5, at: 0, bytes: 'QUFBQUE=' });
    await panel.page.locator('.thumbnail').waitFor();
    await eventually(async () =>
      assert.deepEqual(((await panel.kept()) as { draft: { parts: unknown } }).draft.parts, [{ ...picture, id: 'x' }]),
    );
  });

  test('a picture that is pasted is attached; a text with a picture of itself stays a text', async () => {
    await open({ answers: { attach: { result: picture } } });
    await bring('paste', [['image.png', 'image/png', 9]], { 'text/plain': 'cells', 'text/html': '<table>' });
    await bring('paste', [], { 'text/plain': 'words' });
    assert.deepEqual(await panel.sent('attach'), []);
    await bring('paste', [['image.png', 'image/png', 9]], { 'text/html': '<img>' });
    await eventually(async () => assert.equal((await panel.sent('attach')).length, 1));
  });

  test('what is dropped from the explorer is named to the host alone, which asks', async () => {
    await open();
    await bring('drop', [], { 'text/uri-list': '# files\r\nfile:///w/a.png\r\nfile:///w/b.png' });
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('attachDropped')).map(({ params }) => params),
        [{ uris: ['file:///w/a.png', 'file:///w/b.png'] }],
      ),
    );
    assert.deepEqual(await names(), []);
    await bring('drop', [], { 'text/plain': 'words' });
    assert.equal((await panel.sent()).length, 2);
  });

  test('a file that is too large is refused with the sizes, before a byte of it is read', async () => {
    await open();
    await bring('drop', [
      ['film.mp4', 'video/mp4', 8 * 1024 * 1024 + 1],
      ['b.txt', 'text/plain', 1],
    ]);
    await panel.page
      .getByRole('alert')
      .getByText(/film\.mp4 has 8\.0 MB; a file in a message can have at most 8\.0 MB|b\.txt was not accepted/)
      .waitFor();
    assert.deepEqual(
      (await panel.sent('attach')).map(({ params }) => (params as { name: string }).name).filter(name => name === 'film.mp4'),
      [],
    );
  });

  test("what the agent is not likely to take waits for a word of the person's", async () => {
    await open();
    const refused = { ...report, refused: "The agent's card lists text/plain, but no application/pdf." };
    await panel.post({ type: 'event', name: 'attached', value: [refused] });
    await panel.page
      .getByRole('alert')
      .getByText("storm report (final).pdf is not attached yet. The agent's card lists text/plain, but no application/pdf.")
      .waitFor();
    await button('Dismiss').click();
    assert.deepEqual(await names(), []);
    await panel.post({ type: 'event', name: 'attached', value: [refused] });
    await button('Attach Anyway').click();
    assert.deepEqual(await names(), ['Text', 'storm report (final).pdf']);
    assert.equal(await chips().locator('.codicon-warning').count(), 1);
  });

  test('the button asks the host, and what it attaches twice is there once', async () => {
    await open();
    await button(/^Attach Files/).click();
    assert.equal((await panel.sent('pickFiles')).length, 1);
    for (let times = 0; times < 2; times++) await panel.post({ type: 'event', name: 'attached', value: [picture] });
    assert.deepEqual(await names(), ['Text', 'sailboat.png']);
  });

  test('the keyboard moves parts and removes them, and keeps its place', async () => {
    await open({ snapshot: { ...plainTalk(), draft: draftOf({ text: 'a', parts: [picture, facts] }) } });
    const focused = (): Promise<string> =>
      panel.page.evaluate(
        () => document.activeElement?.closest('[data-part]')?.getAttribute('data-part') ?? document.activeElement?.tagName ?? '',
      );
    await chips().nth(1).getByRole('button').first().focus();
    await panel.page.keyboard.press('Alt+ArrowUp');
    await eventually(async () => assert.deepEqual([await names(), await focused()], [['sailboat.png', 'Text', 'Data'], 'picture']));
    await panel.page.keyboard.press('Alt+ArrowUp');
    await panel.page.keyboard.press('Alt+ArrowDown');
    await panel.page.keyboard.press('Alt+ArrowDown');
    await eventually(async () => assert.deepEqual([await names(), await focused()], [['Text', 'Data', 'sailboat.png'], 'picture']));
    await panel.page.keyboard.press('Delete');
    await eventually(async () => assert.deepEqual([await names(), await focused()], [['Text', 'Data'], 'facts']));
    await panel.page.keyboard.press('Enter');
    await panel.page.getByRole('menuitem', { name: 'Move Earlier' }).click();
    await eventually(async () => assert.deepEqual(await names(), ['Data', 'Text']));
    await button('Remove Data').click();
    await eventually(async () => assert.deepEqual([await names(), await focused()], [[], 'TEXTAREA']));
  });

  test('a data part is checked as one types, added, changed, and sent', async () => {
    await open({ answers: { checkMode: { result: null } } });
    await more('Add Data Part…');
    const json = panel.page.getByLabel('JSON value');
    await json.fill('{ "a": ');
    assert.equal(await json.getAttribute('aria-invalid'), 'true');
    await json.press('Control+Enter');
    assert.deepEqual(await names(), []);
    await json.fill('{ "a": 1 }');
    await panel.page.getByLabel(/^Media type/).fill('application/x+json');
    await json.press('Control+Enter');
    await eventually(async () => assert.deepEqual(await names(), ['Text', 'Data']));
    await chips().nth(1).getByRole('button').first().click();
    await panel.page.getByRole('menuitem', { name: 'Edit…' }).click();
    await json.fill('[1]');
    await json.press('Control+Enter');
    await json.waitFor({ state: 'detached' });
    await composer().press('Enter');
    await eventually(async () => assert.equal((await panel.sent('send')).length, 1));
    const [
      {
        parts: [part],
      },
    ] = (await sent()) as [{ parts: [Record<string, unknown>] }];
    assert.deepEqual([part['kind'], part['json'], part['mediaType']], ['data', '[1]', 'application/x+json']);
  });

  test('data that the agent is not likely to take is said to be so once', async () => {
    await open({ answers: { checkMode: { result: "The agent's card lists text/plain, but no application/json." } } });
    await more('Add Data Part…');
    await panel.page.getByLabel('JSON value').fill('1');
    await panel.page.getByLabel('JSON value').press('Control+Enter');
    await panel.page.getByText('but no application/json').waitFor();
    await button('Attach Anyway').click();
    await eventually(async () => assert.deepEqual(await names(), ['Text', 'Data']));
  });

  test('what is being edited when the message is sent goes along, or the message waits until it is right', async () => {
    await open({ snapshot: plainTalk() });
    await composer().fill('a');
    await more('Message Metadata…');
    const json = panel.page.getByLabel('JSON object');
    await json.fill('{"user":');
    await composer().press('Enter');
    await panel.page.getByText('This is not JSON').waitFor();
    assert.equal(await json.evaluate(element => element === document.activeElement), true);
    assert.deepEqual([await sent(), await composer().inputValue()], [[], 'a']);
    await json.fill('{"user":7}');
    await more('Add Data Part…');
    await panel.page.getByLabel('JSON value').fill('{"x":1}');
    await composer().press('Enter');
    await eventually(async () =>
      assert.deepEqual(
        ((await sent()) as readonly { readonly metadata?: string; readonly parts?: readonly { readonly json?: string }[] }[]).map(
          ({ metadata, parts }) => [metadata, parts?.map(part => part.json)],
        ),
        [['{"user":7}', ['{"x":1}']]],
      ),
    );
    assert.equal(await panel.page.locator('.draft-editor').count(), 0);
  });

  test('what was typed a moment before the message is sent goes along, however late the next paint is', async () => {
    await open({ snapshot: plainTalk() });
    await composer().fill('a');
    await more('Message Metadata…');
    await panel.page.getByLabel('JSON object').waitFor();
    // Both events within one task of the page, so that nothing is painted in between.
    await composer().evaluate(async box => {
      const json = document.querySelector<HTMLTextAreaElement>('#draft-json')!;
      json.value = '{"user":7}';
      json.dispatchEvent(new InputEvent('input', { bubbles: true }));
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await eventually(async () => assert.deepEqual(await sent(), [{ text: 'a', metadata: '{"user":7}' }]));
  });

  test('metadata is a JSON object; output modes are chosen among those of the card', async () => {
    await open({ snapshot: { ...plainTalk(), state: { ...plainTalk().state, outputModes: ['text/plain', 'image/png'] } } });
    await composer().fill('a');
    await more('Message Metadata…');
    const json = panel.page.getByLabel('JSON object');
    await json.fill('[1]');
    await panel.page.getByText('Message metadata must be a JSON object.').waitFor();
    await button('Apply').click();
    await json.fill('{"user":7}');
    await button('Apply').click();
    await more('Accepted Output Modes…');
    await panel.page.getByLabel('image/png').check();
    await button('Apply').click();
    assert.deepEqual(await names(), ['Metadata', 'Answer: image/png']);
    await more('Message Metadata…');
    await json.fill('{"user":8}');
    await json.press('Escape');
    await composer().press('Enter');
    await eventually(async () => assert.deepEqual(await sent(), [{ text: 'a', metadata: '{"user":7}', outputModes: ['image/png'] }]));
    await eventually(async () => assert.deepEqual(await names(), ['Answer: image/png']));
    await button('Accept any output').click();
    assert.deepEqual(await names(), []);
  });

  test('how a message is sent is chosen for the next one alone, or until that is changed', async () => {
    await open({ snapshot: plainTalk() });
    const send = async (text: string): Promise<unknown> => {
      await composer().fill(text);
      await composer().press('Enter');
      let params: { readonly text?: string; readonly sending?: unknown } | undefined;
      await eventually(async () => {
        params = (await panel.sent('send')).at(-1)?.params as typeof params;
        assert.equal(params?.text, text);
      });
      return params?.sending;
    };
    await more('Sending Options…');
    await panel.page.getByLabel('Return immediately').check();
    await panel.page.getByLabel('History length').fill('-2x');
    await panel.page.getByLabel('For the next message only').check();
    await button('Apply').click();
    assert.deepEqual(await names(), ['Return immediately · History length 2 · next message only']);
    assert.deepEqual(await send('a'), { streaming: false, returnImmediately: true, historyLength: 2, once: true });
    await eventually(async () => assert.deepEqual(await names(), []));
    await more('Sending Options…');
    await panel.page.getByLabel('Without streaming').check();
    await button('Apply').click();
    for (const text of ['b', 'c']) assert.deepEqual(await send(text), { streaming: false });
    await button('Send as the Card Declares').click();
    assert.equal(await send('d'), undefined);
  });

  test('Up at the beginning leads to earlier messages, Down back to the draft', async () => {
    await open({ answers: { recall: { result: recalled(9, 'nine') } } });
    await composer().fill('my draft');
    await composer().press('ArrowUp');
    assert.deepEqual(await panel.sent('recall'), []);
    await composer().press('Home');
    await composer().press('ArrowUp');
    await eventually(async () => assert.equal(await composer().inputValue(), 'nine'));
    await panel.answer({ recall: { result: recalled(4, 'four\nlines', { parts: [{ ...picture, id: 'sent-4-1' }] }) } });
    await composer().press('ArrowUp');
    await eventually(async () => assert.equal(await composer().inputValue(), 'four\nlines'));
    assert.deepEqual(await names(), ['Text', 'sailboat.png']);
    await panel.answer({ recall: { result: null } });
    await composer().press('ArrowUp');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('recall')).map(({ params }) => params),
        [{}, { before: 9 }, { before: 4 }],
      ),
    );
    await composer().press('Control+End');
    await composer().press('ArrowDown');
    await eventually(async () => assert.equal(await composer().inputValue(), 'nine'));
    await composer().press('ArrowDown');
    await eventually(async () => assert.equal(await composer().inputValue(), 'my draft'));
    assert.deepEqual(await names(), []);
  });

  test('a message is written anew with its parts, and sent; the draft that waited is there again', async () => {
    const parts = [{ ...picture, id: 'sent-1-1' }];
    await open({ answers: { recall: { result: recalled(1, 'Hello!', { parts, metadata: '{"a":1}' }) } } });
    await composer().fill('half a thought');
    await panel.page.locator('.row.mine').first().hover();
    await button('Edit and Resend').first().click();
    await eventually(async () => assert.equal(await composer().inputValue(), 'Hello!'));
    assert.deepEqual(
      [(await panel.sent('recall')).map(({ params }) => params), await names()],
      [[{ seq: 1 }], ['Text', 'sailboat.png', 'Metadata']],
    );
    await composer().fill('Hello again!');
    await composer().press('Enter');
    await eventually(async () => assert.equal(await composer().inputValue(), 'half a thought'));
    assert.deepEqual([await sent(), await names()], [[{ text: 'Hello again!', parts, textAt: 0, metadata: '{"a":1}' }], []]);
  });

  test('the draft that waits outlives the page, too', async () => {
    await open({ answers: { recall: { result: recalled(1, 'Hello!') } } });
    await composer().fill('half a thought');
    await composer().press('Home');
    await composer().press('ArrowUp');
    await eventually(async () => assert.equal(await composer().inputValue(), 'Hello!'));
    const kept = await panel.kept();
    await panel.close();
    await open({ kept });
    assert.equal(await composer().inputValue(), 'Hello!');
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('keepDraft')).map(({ params }) => (params as { waiting?: DraftContent }).waiting?.text),
        ['half a thought'],
      ),
    );
    await composer().press('ArrowDown');
    assert.equal(await composer().inputValue(), 'half a thought');
  });

  test('what an earlier page kept goes to the host, and what the host answers with is shown', async () => {
    const kept = { context: 'context-1', draft: draftOf({ version: 3, text: 'of the page' }) };
    await open({ snapshot: { ...plainTalk(), draft: draftOf({ version: 4, text: 'of the host' }) }, kept });
    assert.equal(await composer().inputValue(), 'of the host');
    assert.deepEqual(
      (await panel.sent('ready')).map(({ params }) => params),
      [kept],
    );
  });
});
