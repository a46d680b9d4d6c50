import * as assert from 'node:assert/strict';
import type { Part } from '../../../src/protocol/message/part.ts';
import { joinStatuses, statusKind, statusText } from '../../../src/protocol/message/statusEntries.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';

type Row = readonly [
  text: string | undefined,
  more?: { readonly state?: TaskState; readonly taskId?: string; readonly part?: Partial<Part> },
];

const working: TaskState = 'TASK_STATE_WORKING';
const entriesOf = (rows: readonly Row[]): Entry[] =>
  rows.map(
    ([text, { state = working, taskId = 't', part = {} } = {}], seq): Entry => ({
      kind: 'status',
      seq,
      at: seq,
      taskId,
      state,
      ...(text !== undefined && { message: { messageId: String(seq), role: 'ROLE_AGENT', parts: [{ text, ...part } as Part] } }),
    }),
  );

/** What is left of entries: the seq of each, and what it says. */
const joined = (...rows: readonly Row[]): string[] =>
  joinStatuses(entriesOf(rows)).map(entry =>
    `${entry.seq} ${entry.kind === 'status' ? (statusText(entry.message?.parts ?? []) ?? '') : entry.kind}`.trim(),
  );

suite('statuses as entries', () => {
  test('pieces of one text are one entry, which is as the last of them is', () => {
    assert.deepEqual(joined(['The'], [' rate'], [' is'], [' high.']), ['3 The rate is high.']);
    assert.deepEqual(joined(['Searching…'], ['Reading…']), ['0 Searching…', '1 Reading…']);
  });

  test('a status without words keeps its place beside others, and takes none of a text from it', () => {
    assert.deepEqual(joined([undefined], ['The'], [' rate'], [undefined]), ['0', '2 The rate']);
  });

  test('two tasks say nothing together', () => {
    assert.deepEqual(joined(['The'], [' rate', { taskId: 'u' }], [' is', { taskId: 'u' }]), ['0 The', '2  rate is']);
  });

  test('a question is not joined to the progress before it', () => {
    assert.deepEqual(joined(['The'], [' rate'], [' of which day?', { state: 'TASK_STATE_INPUT_REQUIRED' }]), [
      '1 The rate',
      '2  of which day?',
    ]);
  });

  test('thoughts and the answer after them are two texts', () => {
    assert.deepEqual(
      joined(['The', { part: { metadata: { thought: 1 } } }], [' rate', { part: { metadata: { thought: 2 } } }], [' is'], [' high']),
      ['1 The rate', '3  is high'],
    );
  });

  test('only plain text and Markdown are texts; a file and more than one part are none', () => {
    const text = 'x';
    assert.deepEqual(
      [[{ text }], [{ text, mediaType: 'text/plain' }], [{ text, mediaType: 'text/markdown' }]].map(parts => statusText(parts)),
      [text, text, text],
    );
    const others: readonly (readonly Part[])[] = [
      [{ text, mediaType: 'text/html' }],
      [{ text, filename: 'a.txt' }],
      [{ text }, { text }],
      [{ data: {} }],
      [{ url: 'https://a.example' }],
    ];
    for (const parts of others) assert.equal(statusText(parts), null, JSON.stringify(parts));
    assert.equal(statusText([]), undefined);
  });

  test('names of metadata say which kind a text is, and their values do not', () => {
    const kind = (metadata: Record<string, unknown>): string => statusKind([{ text: 'x', metadata }]);
    assert.equal(kind({ b: 1, a: 2 }), kind({ a: 3, b: 4 }));
    assert.notEqual(kind({ a: 1 }), kind({ b: 1 }));
    assert.equal(statusKind([{ text: 'x' }]), statusKind([]));
  });
});
