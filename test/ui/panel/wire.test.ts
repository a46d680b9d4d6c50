import * as assert from 'node:assert/strict';
import { wireEvent } from '../../../src/model/wire/wireLines.ts';
import type { Frame } from '../../../src/protocol/exchange.ts';
import { axeSaysInEveryTheme } from '../../support/chatHarness/axe.ts';
import type { ChatHarness, HarnessOptions } from '../../support/chatHarness/chatHarness.ts';
import { panelBrowser } from '../../support/chatHarness/panelBrowser.ts';
import { busyDay, plainTalk } from '../../support/chatHarness/stories.ts';
import { eventAnswers, exchangeOf, wireAnswers } from '../../support/chatHarness/wire.ts';
import { eventually } from '../../support/eventually.ts';
import { shownText, shownTexts } from '../../support/chatHarness/shownText.ts';

suite('chat panel: the wire', () => {
  const openPanel = panelBrowser();
  let panel: ChatHarness;

  const open = async (options: Partial<HarnessOptions> = {}): Promise<void> => {
    panel = await openPanel({ snapshot: plainTalk(), answers: wireAnswers('exchange-1'), ...options });
  };
  type Found = ReturnType<ChatHarness['page']['locator']>;
  const tab = (name: string): Found => panel.page.getByRole('tab', { name });
  const rows = (): Found => panel.page.locator('.wire-drawn > .wire-row');
  const row = (text: string | RegExp): Found => rows().filter({ hasText: text });
  const detail = (): Found => panel.page.locator('.wire-detail');
  const grid = (): Found => panel.page.getByRole('treegrid');
  const press = (key: string): Promise<void> => panel.page.keyboard.press(key);

  /** A stream of so many chunks, with a status at each end; the host answers in pages, as the real one. */
  const longStream = async (chunks: number): Promise<void> => {
    const { shown, summary } = exchangeOf('long');
    const event = (seq: number, result: object): Frame => ({
      seq,
      at: shown.exchange.startedAt + 10 * seq,
      data: JSON.stringify({ result }),
    });
    const status = (state: string): object => ({ statusUpdate: { taskId: 't', contextId: 'c', status: { state } } });
    const frames = [
      event(0, status('TASK_STATE_WORKING')),
      ...Array.from({ length: chunks }, (_, index) =>
        event(index + 1, {
          // Two artifacts in turn, so that no two neighbours are alike.
          artifactUpdate: {
            taskId: 't',
            contextId: 'c',
            artifact: { artifactId: `a-${index % 2}`, parts: [{ text: `chunk ${index}` }] },
            append: true,
          },
        }),
      ),
      event(chunks + 1, status('TASK_STATE_COMPLETED')),
    ];
    const events = frames.map(frame => wireEvent(frame, shown.exchange));
    const pages: [string, unknown][] = [];
    for (let first = 0; first < events.length; first += 500) {
      const params = first === 0 ? { exchangeId: 'long' } : { exchangeId: 'long', after: first - 1 };
      pages.push([
        `wireEvents ${JSON.stringify(params)}`,
        { result: { events: events.slice(first, first + 500), more: first + 500 < events.length } },
      ]);
    }
    await open({
      answers: {
        exchanges: { result: { exchanges: [{ ...summary, frames: frames.length }], more: false } },
        exchange: { result: shown },
        wireEvent: { result: { frame: frames[5_000] ?? frames[0]!, text: 'data: {}\n', cut: false } },
        ...Object.fromEntries(pages),
      },
    });
  };

  test('the wire in every theme: nothing for axe to say', async () => {
    await open();
    await tab('Wire').click();
    await row('SendStreamingMessage').click();
    await detail().getByText('"method"').waitFor();
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    // Before the first event, where every row of the stream is still to come; everything of the bar is in sight, however narrow it is.
    await panel.answer({
      replay: { result: { updates: [], first: 500 } },
      older: { result: { entries: [], more: false } },
    });
    await detail().getByRole('button', { name: 'Step Through the Stream' }).click();
    const bar = panel.page.getByRole('toolbar', { name: 'Step Through the Stream' });
    await bar.getByText('Event 0 of 2').waitFor();
    assert.ok((await panel.page.locator('.wire-row.ahead').count()) > 0);
    assert.deepEqual(await axeSaysInEveryTheme(panel), []);
    for (const width of [1_000, 480, 280]) {
      await panel.page.setViewportSize({ width, height: 600 });
      for (const part of await bar.locator('button, input, select, .replay-count').all()) {
        const box = await part.boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, `${JSON.stringify(box)} of ${width}`);
      }
    }
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  test('each line has its number, time, gap, direction, type, size and preview; it opens as JSON, with the raw text one switch away', async () => {
    const { summary } = exchangeOf('exchange-1');
    const old = { ...summary, sent: { ...summary.sent, method: 'message/stream' } };
    await open({ answers: { ...wireAnswers('exchange-1'), exchanges: { result: { exchanges: [old], more: false } } } });
    await tab('Wire').click();
    await rows().nth(3).waitFor();
    assert.deepEqual(
      (await shownTexts(rows())).map(text =>
        text
          .replaceAll(/\s+/g, ' ')
          .replace(/\d\d:\d\d:\d\d\.\d\d\d/, 'TIME')
          .trim(),
      ),
      [
        '1 TIME SendStreamingMessage 1.2 KB agent.example',
        '1.1 TIME +120 ms event 35 B {"result":{"task":"agent.example"}}',
        '1.2 TIME +251 ms not JSON 13 B agent.example',
        '1 TIME +530 ms stream ended 200 1',
      ],
    );
    await row('SendStreamingMessage').click();
    assert.equal(await rows().first().getByTitle('SendStreamingMessage · message/stream').count(), 1);
    assert.match(await shownText(detail()), /SendStreamingMessage\s+message\/stream/);
    await detail().getByText('"method": "SendStreamingMessage"').waitFor();
    assert.match(await shownText(detail()), /authorization: ••••/);
    await row('event').first().click();
    await detail().getByText('"task": "agent.example"').waitFor();
    await detail().getByRole('button', { name: 'Raw' }).click();
    await detail().getByText('data: {"result":{"task":"agent.example"}}', { exact: true }).waitFor();
    await row('stream ended').click();
    for (const wanted of ['Response headers after 40.0 ms', 'HTTP 200', 'finished in 900 ms']) await detail().getByText(wanted).waitFor();
    await detail().getByRole('button', { name: 'Copy as cURL' }).click();
    await detail().getByRole('button', { name: 'Copy as Request File' }).click();
    await eventually(async () =>
      assert.deepEqual(
        (await panel.sent('copyExchange')).map(({ params }) => params),
        [
          { exchangeId: 'exchange-1', form: 'curl' },
          { exchangeId: 'exchange-1', form: 'a2a' },
        ],
      ),
    );
  });

  test('a member that an object has twice is shown twice', async () => {
    const { shown } = exchangeOf('exchange-1');
    const frame: Frame = { seq: 0, at: shown.exchange.startedAt, data: '{"result":{"task":"a","task":"b"}}' };
    await open({ answers: { ...wireAnswers('exchange-1'), ...eventAnswers(shown.exchange, [frame, { ...frame, seq: 1 }]) } });
    await tab('Wire').click();
    await row('event').first().click();
    await detail().getByText('{"result":{"task":"a","task":"b"}}', { exact: true }).waitFor();
  });

  test('bytes that were no text are shown as a table of digits', async () => {
    const { shown } = exchangeOf('exchange-1');
    const frame: Frame = {
      seq: 0,
      at: shown.exchange.startedAt,
      data: '{"task":{}}',
      bytes: Buffer.from('\n\u0004whale').toString('base64'),
    };
    await open({ answers: { ...wireAnswers('exchange-1'), ...eventAnswers(shown.exchange, [frame, { ...frame, seq: 1 }]) } });
    await tab('Wire').click();
    await row('event').first().click();
    await detail().getByRole('button', { name: 'Raw' }).click();
    await detail().getByText('000000  0a 04 77 68 61 6c 65').waitFor();
    assert.match(await shownText(detail()), /\.\.whale/);
  });

  test('a call that failed says why in its row, in the words of its connection or of its answer', async () => {
    const { summary } = exchangeOf('e-1');
    const answered = { size: 9, type: 'error -32001', preview: 'Task not found' };
    const exchanges = [
      { ...summary, id: 'e-1', frames: 0, failure: 'socket hang up' },
      { ...summary, id: 'e-2', frames: 0, error: 'Task not found', answered },
      { ...summary, id: 'e-3', frames: 0 },
    ];
    await open({ answers: { ...wireAnswers('e-1'), exchanges: { result: { exchanges, more: false } } } });
    await tab('Wire').click();
    await rows().first().waitFor();
    assert.deepEqual(await shownTexts(panel.page.locator('.wire-row.bad .wire-preview')), ['Task not found', 'socket hang up']);
  });

  test('an entry leads to its event, and the event back to the entry', async () => {
    await open({ snapshot: busyDay() });
    await panel.answer({
      exchanges: { result: { exchanges: [exchangeOf('exchange-6').summary], more: false } },
      exchange: { result: exchangeOf('exchange-6').shown },
      ...eventAnswers(exchangeOf('exchange-6').shown.exchange, exchangeOf('exchange-6').frames),
    });
    const entry = panel.page.locator('article', { has: panel.page.locator('.findings-mark') }).first();
    const seq = Number(await entry.locator('xpath=ancestor-or-self::*[@data-row]').first().getAttribute('data-row'));
    await panel.answer({ entryOf: { result: { seq } } });
    await entry.getByRole('button', { name: 'Show in Wire' }).click();
    await detail().waitFor();
    assert.equal(await panel.page.locator('.scroller').isVisible(), false);
    assert.equal(await grid().evaluate(element => element === document.activeElement), true);
    await detail().getByRole('button', { name: 'Show in Conversation' }).click();
    await panel.page.locator('.scroller').waitFor();
    await eventually(async () => assert.equal(await entry.evaluate(element => element === document.activeElement), true));
  });

  test('an exchange leads to an entry that is far back, or says that it has none', async () => {
    const busy = busyDay();
    await open({
      snapshot: { ...plainTalk(), more: true },
      answers: {
        ...wireAnswers('exchange-6'),
        entryOf: { result: { seq: busy.entries[5]!.seq } },
        around: { result: { entries: busy.entries, older: false, newer: true } },
      },
    });
    await tab('Wire').click();
    await row('SendStreamingMessage').click();
    await detail().getByRole('button', { name: 'Show in Conversation' }).click();
    await eventually(async () => assert.equal(await panel.page.evaluate(() => document.activeElement?.tagName), 'ARTICLE'));
    await panel.answer({ entryOf: { result: null }, exchanges: { result: { exchanges: [exchangeOf('unheard').summary], more: false } } });
    await tab('Wire').click();
    await row('SendStreamingMessage').last().click();
    await detail().getByRole('button', { name: 'Show in Conversation' }).click();
    await eventually(async () => assert.match(await shownText(panel.page.getByRole('alert').first()), /belongs to this exchange/));
  });

  test('older exchanges are read a page at a time', async () => {
    await open({
      answers: { ...wireAnswers('exchange-1'), exchanges: { result: { exchanges: [exchangeOf('exchange-1').summary], more: true } } },
    });
    await tab('Wire').press('Enter');
    await rows().first().waitFor();
    const shown = panel.page.locator('.wire-shown');
    await eventually(async () => assert.match(await shownText(shown), /^\d+\+ rows$/));
    await panel.answer({ exchanges: { result: { exchanges: [exchangeOf('exchange-0').summary], more: false } } });
    await panel.page.getByRole('button', { name: 'Show Older Exchanges' }).click();
    await eventually(async () => assert.equal(await row('SendStreamingMessage').count(), 2));
    assert.deepEqual((await panel.sent('exchanges')).at(-1)?.params, { before: 'exchange-1' });
    assert.match(await shownText(shown), /^\d+ rows$/);
  });

  test('10,000 events: as many rows are drawn as fit, wherever one scrolls, by keys too', async () => {
    await longStream(10_000);
    await tab('Wire').click();
    await eventually(async () => assert.match(await shownText(panel.page.locator('.wire-shown')), /^1[0-9]{4} rows$/));
    const most = async (): Promise<number> => Math.ceil((await grid().evaluate(element => element.clientHeight)) / 24) + 24;
    // Rows of before go with the frame after the one that scrolls.
    const count = (): Promise<void> =>
      eventually(async () => {
        const drawn = await rows().count();
        assert.ok(drawn > 10 && drawn <= (await most()), `${drawn} rows are drawn`);
      });
    await count();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      await grid().evaluate((element, at) => {
        element.scrollTop = at * (element.scrollHeight - element.clientHeight);
      }, share);
      await panel.drawn();
      await count();
      // The rows in sight are those of this place, and not blank: drawn with the frame after the one that scrolls.
      await eventually(async () => {
        const [first, last] = await grid().evaluate(element => {
          const { top, bottom, left } = element.getBoundingClientRect();
          return [top + 40, bottom - 30].map(y =>
            document
              .elementFromPoint(left + 200, y)
              ?.closest('.wire-row')
              ?.getAttribute('aria-rowindex'),
          );
        });
        assert.ok(Number(last) > Number(first) && Number(first) > 9_950 * share - 100, `${first} to ${last} at ${share}`);
      });
    }
    await grid().focus();
    await press('Home');
    assert.equal(await panel.page.locator('.wire-row.active').getAttribute('aria-rowindex'), '2');
    await press('End');
    await eventually(async () => assert.match(await shownText(panel.page.locator('.wire-row.active')), /stream ended/));
    await press('ArrowUp');
    await press('Enter');
    await detail().waitFor();
    await press('PageUp');
    await count();
    await press('Escape');
    assert.equal(await detail().count(), 0);
  });

  test('neighbours that are alike are one row with a count, which the keyboard opens and closes', async () => {
    const { shown, summary } = exchangeOf('exchange-1');
    const frames: Frame[] = Array.from({ length: 118 }, (_, seq) => ({
      seq,
      at: shown.exchange.startedAt + seq,
      data: JSON.stringify({
        result: {
          artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text: `word ${seq}` }] }, append: true },
        },
      }),
    }));
    await open({
      answers: {
        ...wireAnswers('exchange-1'),
        exchanges: { result: { exchanges: [{ ...summary, frames: 118 }], more: false } },
        ...eventAnswers(shown.exchange, frames),
      },
    });
    await tab('Wire').click();
    const folded = row('artifact +1').first();
    await eventually(async () => assert.match((await shownText(folded)).replaceAll(/\s+/g, ' '), /artifact \+1 ×118/));
    await folded.click();
    await grid().focus();
    assert.equal(await folded.getAttribute('aria-expanded'), 'false');
    await press('ArrowRight');
    const shows = (words: RegExp): Promise<void> =>
      eventually(async () => assert.match(await shownText(panel.page.locator('.wire-shown')), words));
    await eventually(async () => assert.equal(await folded.getAttribute('aria-expanded'), 'true'));
    await shows(/^120 rows$/);
    // From a row of the group to the group, then folded.
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await press(key);
    await panel.page.locator('.wire-row.active', { hasText: '×118' }).waitFor();
    await press('ArrowLeft');
    await eventually(async () => assert.equal(await folded.getAttribute('aria-expanded'), 'false'));
    await shows(/^120 rows$/);

    // Ctrl+F leads into the filter, Enter back into the rows, Escape takes the filter away.
    await press('Control+f');
    await panel.page.keyboard.type('word 7');
    await eventually(async () => assert.match((await shownText(folded)).replaceAll(/\s+/g, ' '), /×11/));
    await press('Enter');
    await press('Escape');
    await press('Escape');
    await shows(/^120 rows$/);
    await panel.page.getByRole('combobox', { name: 'Type' }).selectOption('request');
    await shows(/^1 row$/);
    await panel.page.getByRole('combobox', { name: 'Type' }).selectOption('message');
    await panel.page.getByText('Nothing matches the filter.').waitFor();
    await panel.page.getByRole('button', { name: 'Show All' }).click();

    // A selection is exported, or all of the context.
    await row('SendStreamingMessage').click();
    await panel.page.keyboard.down('Shift');
    await row('stream ended').click();
    await panel.page.keyboard.up('Shift');
    const exported = panel.page.getByRole('button', { name: 'Export as HAR…' });
    await exported.click();
    await panel.page.getByRole('menuitem', { name: 'Export This Exchange…' }).click();
    await exported.click();
    await panel.page.getByRole('menuitem', { name: 'Export All of This Context…' }).click();
    assert.deepEqual(
      (await panel.sent('exportHar')).map(({ params }) => params),
      [{ exchangeIds: ['exchange-1'] }, {}],
    );
  });

  test('a stream that is over is stepped through, the conversation and the wire in step', async () => {
    const { entries } = plainTalk();
    const put = (seq: number, text: string): object => ({
      type: 'put',
      entry: {
        seq,
        at: 1,
        kind: 'message',
        taskId: 't',
        exchangeId: 'exchange-1',
        message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] },
      },
    });
    const replay = (params: object): string => `replay ${JSON.stringify(params)}`;
    const id = { exchangeId: 'exchange-1' };
    await open({
      answers: {
        ...wireAnswers('exchange-1'),
        older: { result: { entries: entries.slice(0, 1), more: false } },
        ...({
          [replay({ ...id, to: 0 })]: { result: { updates: [], first: 500 } },
          [replay({ ...id, from: 0, to: 1 })]: { result: { updates: [put(500, 'the first event')], first: 500 } },
          [replay({ ...id, from: 1, to: 2 })]: { result: { updates: [put(501, 'the second event')], first: 500 } },
          [replay({ ...id, to: 1 })]: { result: { updates: [put(500, 'the first event')], first: 500 } },
        } as object),
      },
    });
    await tab('Wire').click();
    await row('SendStreamingMessage').click();
    await detail().getByRole('button', { name: 'Step Through the Stream' }).click();
    const bar = panel.page.getByRole('toolbar', { name: 'Step Through the Stream' });
    const count = bar.locator('.replay-count');
    await count.getByText('Event 0 of 2').waitFor();
    assert.equal(await panel.page.locator('.wire-row.ahead').count(), 3);
    await bar.getByRole('button', { name: 'Next Event' }).click();
    await count.getByText('Event 1 of 2').waitFor();
    await eventually(async () => assert.equal(await panel.page.locator('.wire-row.active').getAttribute('aria-rowindex'), '3'));
    await tab('Conversation').click();
    await panel.page.getByText('the first event').waitFor();
    assert.equal(await panel.page.getByText('the second event').count(), 0);
    // What comes meanwhile waits; playing goes to the end by itself, and back is back.
    await panel.update({ type: 'put', entry: { ...entries[0]!, seq: 900 } });
    await bar.getByRole('combobox', { name: 'Speed' }).selectOption('20');
    await bar.getByRole('button', { name: 'Play' }).click();
    await panel.page.getByText('the second event').waitFor();
    await count.getByText('Event 2 of 2').waitFor();
    await bar.getByRole('button', { name: 'Previous Event' }).click();
    await count.getByText('Event 1 of 2').waitFor();
    assert.equal(await panel.page.getByText('the second event').count(), 0);
    await panel.answer({ older: { result: { entries, more: false } } });
    await bar.getByRole('button', { name: 'Close (Escape)' }).click();
    await bar.waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await panel.page.getByText('the first event').count(), 0));
    assert.deepEqual(panel.complaints, []);
  });

  test('the keyboard goes from one tab to the next', async () => {
    await open();
    await tab('Conversation').focus();
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await tab('Tasks').getAttribute('aria-selected'), 'true');
    await panel.page.keyboard.press('ArrowRight');
    assert.equal(await tab('Wire').getAttribute('aria-selected'), 'true');
    assert.equal(await tab('Wire').evaluate(element => element === document.activeElement), true);
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.locator('.scroller').waitFor();
  });

  test('what deviates stands on the event that it is about, and in its details alone', async () => {
    const { summary, shown } = exchangeOf('exchange-1');
    const line = { rule: 'STRM-03', title: 'Nothing follows a terminal state', level: 'MUST', pointer: '', message: 'late' } as const;
    const lines = [{ ...line, section: '3.1.2', finding: 0, times: 1, events: [1] }];
    await open({
      snapshot: {
        ...plainTalk(),
        findings: [{ exchangeId: 'exchange-1', operation: 'SendStreamingMessage', startedAt: shown.exchange.startedAt, lines }],
      },
      answers: {
        ...wireAnswers('exchange-1'),
        exchanges: { result: { exchanges: [{ ...summary, findings: [{ rule: 'STRM-03', frame: 1 }] }], more: false } },
      },
    });
    await tab('Wire').click();
    await rows().nth(3).waitFor();
    assert.deepEqual(await rows().evaluateAll(all => all.map(each => each.querySelectorAll('.wire-finding').length)), [0, 0, 1, 0]);
    const findings = detail().locator('.wire-findings', { hasText: 'STRM-03' });
    await rows().nth(2).click();
    await findings.waitFor();
    await rows().nth(1).click();
    await eventually(async () => assert.equal(await findings.count(), 0));
  });
  test('in a low editor and at 400 % the page scrolls: the text box lies over neither filter nor rows, and comes into sight with the focus', async () => {
    const boxOf = (selector: string): Promise<DOMRect> =>
      panel.page.locator(selector).evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect);
    for (const [width, height] of [
      [640, 260],
      [320, 225],
    ] as const) {
      await open({ width, height });
      for (const [name, view] of [
        ['Wire', '.wire'],
        ['Tasks', '.tasks'],
        ['Conversation', '.transcript'],
      ] as const) {
        await tab(name).click();
        const [header, shown, composer] = [await boxOf('.header'), await boxOf(view), await boxOf('.composer')];
        const place = `${name} in ${width} × ${height}: ${JSON.stringify([header, shown, composer])}`;
        assert.ok(header.bottom <= shown.top && shown.bottom <= composer.top && shown.height >= 90, place);
        await panel.page.getByRole('textbox', { name: /Message to/ }).evaluate(box => {
          box.blur();
          box.focus();
        });
        const { bottom } = await boxOf('.composer-box');
        assert.ok(bottom <= height, `${place}, text box down to ${bottom}`);
      }
      await tab('Wire').click();
      await row('SendStreamingMessage').click();
      await detail().waitFor();
      const [table, side, composer] = [await boxOf('.wire-table'), await boxOf('.wire-detail-body'), await boxOf('.composer')];
      assert.ok(table.height >= 90 && side.height >= 40 && side.bottom <= composer.top, JSON.stringify([table, side, composer]));
      await panel.close();
    }
  });

  test('a gap of minutes or hours is not cut', async () => {
    const { summary } = exchangeOf('first');
    const { startedAt } = summary;
    const later = [0, 3_599_000, 86_340_000, 172_740_000].map((ms, index) => ({
      ...summary,
      id: `exchange-${index}`,
      frames: 0,
      startedAt: startedAt + ms,
      endedAt: startedAt + ms,
    }));
    await open({ width: 900, answers: { exchanges: { result: { exchanges: later.toReversed(), more: false } } } });
    await tab('Wire').click();
    await rows().nth(6).waitFor();
    const gaps = await rows().evaluateAll(all =>
      all.map(each => each.children[2] as HTMLElement).map(cell => [cell.textContent, cell.scrollWidth - cell.clientWidth]),
    );
    assert.deepEqual(
      gaps.map(([, over]) => over),
      gaps.map(() => 0),
      JSON.stringify(gaps),
    );
    assert.match(JSON.stringify(gaps), /59 min 59 s.*22 h 59 min/);
  });

  test('what lies in a selected row has the colour of the selection, whatever it is elsewhere, and no text is marked', async () => {
    const { summary } = exchangeOf('exchange-1', 'socket hang up');
    await open({
      theme: 'Light Modern',
      answers: {
        ...wireAnswers('exchange-1'),
        exchanges: { result: { exchanges: [{ ...summary, frames: 0, status: 500 }], more: false } },
      },
    });
    await tab('Wire').click();
    await row('socket hang up').first().click();
    await rows()
      .last()
      .click({ modifiers: ['Shift'] });
    const colours = await rows()
      .last()
      .evaluate(each => [...new Set([...each.querySelectorAll('span')].map(span => getComputedStyle(span).color))]);
    assert.equal(colours.length, 1, colours.join(' '));
    assert.equal(await panel.page.evaluate(() => getSelection()?.toString() ?? ''), '');
  });

  test('a push notification says in its row what became of it, and in its details what was checked', async () => {
    const { summary, shown } = exchangeOf('exchange-1');
    const received = { outcome: 'applied', verdicts: [] } as const;
    const exchange = {
      ...shown.exchange,
      received,
      request: { ...shown.exchange.request, headers: [['x-a2a-notification-token', '••••']] },
    } as const;
    const notes = ['The task was updated.', 'The token matches the configuration.'];
    await open({
      answers: {
        ...wireAnswers('exchange-1'),
        exchanges: { result: { exchanges: [{ ...summary, frames: 0, received }], more: false } },
        exchange: { result: { exchange, cut: false, notes } },
      },
    });
    await tab('Wire').click();
    await row(/Push · applied/)
      .first()
      .click();
    for (const note of notes) await detail().getByText(note).waitFor();
    await detail().getByText('Request of the Agent').waitFor();
    await detail().getByText('Our Answer').waitFor();
    assert.match(await shownText(detail()), /x-a2a-notification-token\s*:?\s*••••/);
  });
});
