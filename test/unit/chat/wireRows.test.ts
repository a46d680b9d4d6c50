import * as assert from 'node:assert/strict';
import type { ListedExchange } from '../../../src/chat/host/messages.ts';
import type { ReadEvents } from '../../../src/chat/panel/wireLog.ts';
import { keyStep } from '../../../src/chat/wire/wireKeys.ts';
import { setStrings } from '../../../src/chat/text/strings.ts';
import { indexOfWanted, kindOf, noFilter, shownRows, type WireFilter, wireRows } from '../../../src/chat/wire/wireRows.ts';
import { cancelled } from '../../../src/client/http/connectionProblem.ts';
import { english, sentence } from '../../../src/protocol/problem.ts';
import { closedByClient, closedWithWindow, type WireEvent } from '../../../src/protocol/exchange.ts';

const exchange = (id: string, more: Partial<ListedExchange> = {}): ListedExchange => ({
  id,
  operation: 'SendStreamingMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  method: 'POST',
  url: 'http://127.0.0.1/rpc',
  startedAt: 1_000,
  frames: 0,
  findings: [],
  sent: { size: 10, type: 'SendStreamingMessage', preview: 'Draw a whale' },
  ...more,
});
const chunk = (seq: number, text = `word ${seq}`): WireEvent => ({
  seq,
  at: 1_100 + seq,
  size: 100,
  type: 'artifact +1',
  preview: text,
  alike: 'artifact t a',
});
const status = (seq: number): WireEvent => ({ seq, at: 1_100 + seq, size: 50, type: 'status ▸ working', preview: '', alike: 'status t w' });
const shown = (
  list: readonly ListedExchange[],
  events: ReadonlyMap<string, ReadEvents> = new Map(),
  filter: Partial<WireFilter> = {},
  open: string[] = [],
) => shownRows(wireRows(list, events), { ...noFilter, ...filter }, new Set(open));
const words = (rows: ReturnType<typeof shown>): string[] => rows.map(({ line, count, direction }) => `${direction} ${line.type} ×${count}`);

suite('rows of the wire', () => {
  const stream = exchange('s', { frames: 6, endedAt: 1_200, findings: [{ rule: 'DATA-01' }] });
  const read = new Map([['s', { events: [status(0), chunk(1), chunk(2), chunk(3), status(4), status(5)], more: false }]]);

  test('oldest first: the request, equal neighbours as one with a count and all their bytes, the end', () => {
    const rows = shown([exchange('later', { startedAt: 2_000 }), stream], read);
    assert.deepEqual(words(rows), [
      'out SendStreamingMessage ×1',
      'in status ▸ working ×1',
      'in artifact +1 ×3',
      'in status ▸ working ×2',
      'end end ×1',
      'out SendStreamingMessage ×1',
    ]);
    assert.deepEqual([rows[2]!.size, rows[2]!.gap], [300, 1]);
    assert.deepEqual(
      rows.map(({ number }) => number),
      ['1', '1.1', '1.2', '1.5', '1', '2'],
    );
    assert.equal(rows[4]!.findings, 1);
  });

  test('lines of streams at the same time stand in the order of their times, and keep their numbers when older exchanges are read', () => {
    const at = (times: readonly number[]): ReadEvents => ({ events: times.map((at, seq) => ({ ...chunk(seq), at })), more: false });
    const one = exchange('one', { startedAt: 1_000, endedAt: 1_350, frames: 2 });
    const two = exchange('two', { startedAt: 1_100, endedAt: 1_600, frames: 3 });
    const read = new Map([
      ['one', at([1_050, 1_300])],
      ['two', at([1_200, 1_400, 1_390])],
    ]);
    const lines = (list: readonly ListedExchange[], before?: number): string[] =>
      wireRows(list, read, before).map(({ number, direction, gap }) => `${number} ${direction} ${gap ?? '-'}`);
    const both = ['7 out -', '7.1 in 50', '8 out 50', '8.1 in 100', '7.2 in 100', '7 end 50', '8.2 in 50', '8.3 in 0', '8 end 200'];
    assert.deepEqual(lines([two, one], 6), both);
    const older = exchange('older', { startedAt: 500, frames: 0 });
    assert.deepEqual(lines([two, one, older], 5).slice(1), both.with(0, '7 out 500'));
  });

  test('an exchange that its window cut off says so, and has not failed', () => {
    const failureSentence = sentence('Cut off when the window closed.');
    const cut = exchange('s', { status: 200, endedAt: 1_300, failure: closedWithWindow, failureSentence });
    const end = shown([cut]).at(-1)!;
    assert.deepEqual([end.line.type, end.line.preview, end.isBad], ['closed', 'Cut off when the window closed.', false]);
  });

  test('the end of a stream whose task is not over says so; an end by this program, and one after the task, do not', () => {
    const ended = (active: boolean | undefined, more: Partial<ListedExchange> = {}): string | undefined => {
      const told: WireEvent[] = [{ ...status(0), ...(active !== undefined && { active }) }, chunk(1)];
      return shown([exchange('s', { frames: 2, endedAt: 1_200, ...more })], new Map([['s', { events: told, more: false }]])).at(-1)?.line
        .preview;
    };
    assert.equal(ended(true), 'The agent ended the stream before the task finished.');
    assert.equal(ended(false), '');
    assert.equal(ended(undefined), '');
    assert.equal(ended(true, { failure: closedByClient }), '');
    assert.equal(ended(true, { frames: 3 }), '', 'the last event is not read');
  });

  test('findings are counted at the event that they are about, the others at the end, and those of events to come at these', () => {
    const told = {
      findings: [
        { rule: 'DATA-02', frame: 2 },
        { rule: 'DATA-03', frame: 2 },
        { rule: 'DATA-02', frame: 3 },
        { rule: 'DATA-02', frame: 4 },
        { rule: 'DATA-03', frame: 5 },
        { rule: 'DATA-01' },
        { rule: 'DATA-01' },
      ],
    } as const;
    const perRow = (rows: ReturnType<typeof shown>): number[] => rows.map(row => row.findings);
    assert.deepEqual(perRow(shown([{ ...stream, ...told }], read)), [0, 0, 3, 2, 2]);
    assert.deepEqual(perRow(shown([{ ...stream, ...told }], read, {}, ['s event 1'])), [0, 0, 3, 0, 2, 1, 2, 2]);
    const repeated = { findings: [{ rule: 'DATA-04', frame: 0, times: 5, alsoIn: [2, 3, 5] }] } as const;
    assert.deepEqual(perRow(shown([{ ...stream, ...repeated }], read, {}, ['s event 1'])), [0, 2, 2, 0, 1, 1, 1, 0]);
    const beginning = new Map([['s', { events: [status(0), chunk(1), chunk(2)], more: true }]]);
    const rows = shown([{ ...stream, ...told }], beginning);
    assert.deepEqual([words(rows).at(3), perRow(rows)], ['more  ×1', [0, 0, 2, 3, 2]]);
  });

  test('a folded row opens to itself and each of its lines, once', () => {
    const rows = shown([stream], read, {}, ['s event 1']);
    assert.deepEqual(rows.map(({ folds, inside, line }) => [folds, inside, line.preview]).slice(2, 6), [
      ['open', false, 'word 1 → word 3'],
      [undefined, true, 'word 1'],
      [undefined, true, 'word 2'],
      [undefined, true, 'word 3'],
    ]);
    assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
  });

  test('a folded row has the first and the last text of its lines, or their kinds', () => {
    const said = (...texts: readonly string[]): string | undefined =>
      shown(
        [exchange('s', { frames: texts.length })],
        new Map([['s', { events: texts.map((text, seq) => chunk(seq, text)), more: false }]]),
      ).at(1)?.line.preview;
    assert.equal(said('Working on it', 'Still at it', 'Completed'), 'Working on it → Completed');
    assert.equal(said('Working on it', 'Working on it'), 'Working on it');
    assert.equal(said('{"statusUpdate":{"taskId":"t"}}', 'Completed'), '{"statusUpdate":{"taskId… → Completed');
    const push = (id: string, type: string): ListedExchange =>
      exchange(id, { received: { outcome: 'applied' }, sent: { size: 40, type, preview: '{}' }, status: 200 });
    const [pushes] = shown([push('b', 'status ▸ completed'), push('a', 'status ▸ working')]);
    assert.deepEqual([pushes?.count, pushes?.line.preview], [2, 'status ▸ working → status ▸ completed']);
  });

  test('events that are not read yet stand as one row with their number', () => {
    const rows = shown([exchange('s', { frames: 900, endedAt: 1_200 })], new Map([['s', { events: [chunk(0)], more: true }]]));
    assert.deepEqual([rows[2]!.direction, rows[2]!.line.preview], ['more', '899']);
  });

  test('an answer that is no stream is a row of its own; a failure and an error are marked', () => {
    const answered = { size: 5, type: 'task ▸ completed', preview: 'done' };
    const [, answer] = shown([exchange('a', { answered, status: 200, headersAt: 1_050, endedAt: 1_060 })]);
    assert.deepEqual([answer!.line.type, answer!.at, answer!.isBad], ['task ▸ completed', 1_050, false]);
    for (const bad of [{ failure: 'socket hang up' }, { status: 500, answered }, { error: 'Task not found', answered }])
      assert.equal(shown([exchange('a', { ...bad, endedAt: 1_060 })]).at(-1)!.isBad, true, JSON.stringify(bad));
  });

  test('a push notification and its answer are one row; neighbours with one outcome share it', () => {
    const push = (id: string, more: Partial<ListedExchange> = {}): ListedExchange =>
      exchange(id, {
        received: { outcome: 'applied' },
        sent: { size: 40, type: 'status ▸ working', preview: id },
        answered: { size: 0, type: 'answer', preview: '' },
        status: 200,
        endedAt: 1_001,
        ...more,
      });
    const list = [push('d'), push('c', { received: { outcome: 'refused' }, status: 401 }), push('b'), push('a')];
    const rows = wireRows(list, new Map());
    assert.deepEqual(
      rows.map(row => [row.direction, kindOf(row), row.isBad]),
      [
        ['in', 'request', false],
        ['in', 'request', false],
        ['in', 'request', true],
        ['in', 'request', false],
      ],
    );
    const folded = (open: readonly string[]): unknown =>
      shownRows(rows, noFilter, new Set(open)).map(({ line, count, size, inside }) => [line.preview, count, size, inside]);
    assert.deepEqual(folded([]), [
      ['a → b', 2, 80, false],
      ['c', 1, 40, false],
      ['d', 1, 40, false],
    ]);
    assert.deepEqual(folded([rows[0]!.key]), [
      ['a → b', 2, 80, false],
      ['a', 1, 40, true],
      ['b', 1, 40, true],
      ['c', 1, 40, false],
      ['d', 1, 40, false],
    ]);
  });

  test('filters by text, kind and findings, and folds what is left', () => {
    const whale = new Map([['s', { events: [chunk(0, 'a Whale'), chunk(1, 'a boat'), chunk(2, 'whales')], more: false }]]);
    const list = [
      exchange('other', { startedAt: 2_000, url: 'http://127.0.0.1/whale' }),
      exchange('s', { frames: 3, endedAt: 1_200, findings: [{ rule: 'DATA-02', frame: 1 }] }),
    ];
    assert.deepEqual(words(shown(list, whale, { text: ' WHALE ' })), [
      'out SendStreamingMessage ×1',
      'in artifact +1 ×2',
      'out SendStreamingMessage ×1',
    ]);
    assert.deepEqual(words(shown(list, whale, { kind: 'artifact' })), ['in artifact +1 ×3']);
    assert.deepEqual(words(shown(list, whale, { kind: 'end' })), ['end end ×1']);
    assert.deepEqual(
      shown(list, whale, { findings: true }).map(row => row.line.preview),
      ['a boat'],
    );
    const unread = new Map([['s', { events: [chunk(0)], more: true }]]);
    assert.deepEqual(words(shown(list, unread, { findings: true })), ['more  ×1']);
    assert.deepEqual(words(shown(list, whale, { kind: 'message' })), []);
  });

  test('a stream that this program closed has not failed, and ends after what was sent meanwhile', () => {
    const closed = exchange('s', { status: 200, frames: 1, endedAt: 1_300, failure: closedByClient });
    const cancel = exchange('c', {
      operation: 'CancelTask',
      startedAt: 1_200,
      endedAt: 1_250,
      sent: { size: 9, type: 'CancelTask', preview: '' },
      answered: { size: 9, type: 'task ▸ canceled', preview: '' },
    });
    const events = new Map([['s', { events: [status(0)], more: false }]]);
    const rows = shown([exchange('later', { startedAt: 2_000 }), cancel, closed], events);
    assert.deepEqual(words(rows), [
      'out SendStreamingMessage ×1',
      'in status ▸ working ×1',
      'out CancelTask ×1',
      'in task ▸ canceled ×1',
      'end closed ×1',
      'out SendStreamingMessage ×1',
    ]);
    assert.deepEqual(
      rows.map(({ isBad }) => isBad),
      rows.map(() => false),
    );
    const endOf = (failure: string): string | undefined => words(shown([exchange('b', { endedAt: 1_300, failure })])).at(-1);
    assert.deepEqual([endOf(english(cancelled('no').sentence)), endOf('Broke.')], ['end closed ×1', 'end failed ×1']);
    setStrings({ 'Broke.': '已中断。' });
    try {
      const broken = exchange('b', { endedAt: 1_300, failure: 'Broke.', failureSentence: sentence('Broke.') });
      assert.equal(shown([broken]).at(-1)?.line.preview, '已中断。');
    } finally {
      setStrings({});
    }
  });

  test('a wanted exchange is at its request, a wanted time at the event nearest to it', () => {
    const rows = shown([stream], read, {}, ['s event 1']);
    assert.deepEqual([indexOfWanted(rows, 's', undefined), indexOfWanted(rows, 's', 1_104.2), indexOfWanted(rows, 'x', 1)], [0, 6, -1]);
  });

  test('keys lead as in tables of browsers', () => {
    const at = { index: 5, length: 100, page: 10 };
    const to = (key: string, from = at): number | undefined => keyStep({ key }, from);
    assert.deepEqual(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'a', 'toString'].map(key => to(key)),
      [6, 4, 15, 0, 0, 99, undefined, undefined],
    );
    assert.deepEqual(
      [to('ArrowDown', { ...at, index: 99 }), to('ArrowUp', { ...at, index: -1 }), to('ArrowDown', { ...at, index: -1 })],
      [99, 99, 0],
    );
    assert.equal(to('Home', { index: -1, length: 0, page: 1 }), undefined);
  });
});
