import * as assert from 'node:assert/strict';
import type { Finding } from '../../../src/protocol/finding.ts';
import { english } from '../../../src/protocol/problem.ts';
import { loadRules } from '../../../src/conformance/rules/loadedRules.ts';
import type { Entry } from '../../../src/protocol/message/transcript.ts';
import { deviationsOf, exchangeNumberPattern, taskText } from '../../../src/workbench/documents/taskText.ts';

const at = 1_700_000_000_000;
const facts = (seq: number, ms: number, exchangeId?: string) => ({
  seq,
  at: at + ms,
  taskId: 't',
  ...(exchangeId !== undefined && { exchangeId }),
});
const says = (text: string, role: 'ROLE_USER' | 'ROLE_AGENT' = 'ROLE_AGENT') => ({ messageId: text, role, parts: [{ text }] });

const entries: readonly Entry[] = [
  { kind: 'message', delivery: 'sent', message: says('Draw', 'ROLE_USER'), ...facts(1, 0, 'e1') },
  { kind: 'status', state: 'TASK_STATE_WORKING', message: says('Sketching\n── Timeline ──\n⇄9'), ...facts(2, 250, 'e1') },
  { kind: 'gap', reason: { template: 'Cut', args: [] }, ...facts(3, 300) },
  {
    kind: 'artifact',
    artifact: { artifactId: 'a', name: 'boat\n.png', parts: [{ raw: 'AAAA', mediaType: 'image/png', filename: 'boat.png' }] },
    complete: true,
    chunks: 3,
    ...facts(4, 61_300, 'e2'),
  },
  {
    kind: 'problem',
    code: 'p',
    sentence: { template: 'It broke.', args: [] },
    nextStep: { template: 'Mend it.', args: [] },
    ...facts(5, 61_301, 'e2'),
  },
  { kind: 'status', state: 'TASK_STATE_COMPLETED', ...facts(6, 61_400, 'e1') },
];
const task = { id: 't', contextId: 'c\nd', status: { state: 'TASK_STATE_COMPLETED' as const } };
const written = (more = false) => taskText({ agent: 'Ann', task, entries, more, deviations: [] }, english);

suite('task document', () => {
  suiteSetup(() => loadRules());

  test('says who the task is of, how it stands and how long it took', () => {
    assert.equal(
      written().text.split('\n').slice(0, 6).join('\n'),
      [
        'Agent     Ann',
        'Task      t',
        'Context   c d',
        'State     completed',
        'Started   2023-11-14T22:13:20.000Z',
        'Duration  61.400 s',
      ].join('\n'),
    );
  });

  test('says no start and no duration of a task whose start is not known', () => {
    const { text } = taskText(
      { agent: 'Ann', task, entries: [{ ...entries[0]!, untimed: true }, ...entries.slice(1)], more: false, deviations: [] },
      english,
    );
    assert.doesNotMatch(text, /Started|Duration/);
  });

  test('has a line for each thing that happened, with its time, the gap before it and its exchange', () => {
    const { text, timelineEnd } = written();
    const timeline = text.split('\n').slice(9, timelineEnd - 1);
    const indent = ' '.repeat(36);
    assert.deepEqual(timeline, [
      '    0.000 s               ⇄1      You',
      `${indent}Draw`,
      '    0.250 s     +0.250 s  ⇄1      Status: working',
      `${indent}Sketching`,
      `${indent}── Timeline ──`,
      `${indent}⇄9`,
      '    0.300 s     +0.050 s          Interruption',
      `${indent}Cut`,
      '   61.300 s    +61.000 s  ⇄2      Artifact boat .png in 3 updates',
      `${indent}File boat.png`,
      '   61.301 s     +0.001 s  ⇄2      Problem',
      `${indent}It broke.`,
      `${indent}Mend it.`,
      '   61.400 s     +0.099 s  ⇄1      Status: completed',
    ]);
    assert.deepEqual(
      JSON.parse(
        text
          .split('\n')
          .slice(timelineEnd + 1)
          .join('\n'),
      ),
      task,
    );
  });

  test('numbers of exchanges stand where they are found, and an agent cannot write one', () => {
    const { text, exchanges } = written();
    assert.deepEqual(
      text
        .split('\n')
        .flatMap(line => exchangeNumberPattern.exec(line)?.[1] ?? [])
        .map(number => exchanges[Number(number) - 1]),
      ['e1', 'e1', 'e2', 'e2', 'e1'],
    );
  });

  test('names every departure from the protocol with the exchange that has it', () => {
    const wiped: Finding = { rule: 'STRM-08', pointer: '', message: 'It\nshrank.' };
    const fromElsewhere: Finding = { rule: 'CORE-02', pointer: '', message: 'Began again.' };
    const untold: Finding = { rule: 'DATA-07', pointer: '/history/1', message: 'Not the same.' };
    const deviations = deviationsOf(
      entries,
      [
        { exchangeId: 'e2', findings: [wiped, wiped, untold] },
        { exchangeId: 'of another task', findings: [fromElsewhere] },
      ],
      [wiped, fromElsewhere],
    );
    const { text, timelineEnd } = taskText({ agent: 'Ann', task, entries, more: false, deviations }, english);
    const lines = text.split('\n').slice(0, timelineEnd);
    const from = lines.indexOf('── Protocol findings ──');
    assert.deepEqual(lines.slice(from + 2, -1), [
      `${' '.repeat(26)}⇄2      STRM-08 · A replaced artifact loses no content · It shrank. (×2)`,
      `${' '.repeat(26)}⇄2      DATA-07 · A task's history and its status have the same message · /history/1 Not the same.`,
      `${' '.repeat(34)}CORE-02 · A message to a finished task is refused · Began again.`,
    ]);
    assert.equal(exchangeNumberPattern.exec(lines[from + 2]!)?.[1], '2');
  });

  test('says where there is more, and cuts what is long', () => {
    assert.match(written(true).text, /There is more in the chat/);
    const long = taskText(
      {
        agent: 'Ann',
        task,
        entries: [{ kind: 'message', message: says('x'.repeat(10_000)), ...facts(1, 0) }],
        more: false,
        deviations: [],
      },
      english,
    ).text;
    assert.ok(long.length < 3000);
  });
  test('has each push notification at its time, with the answer, what became of it and its bytes', () => {
    const received = {
      exchangeId: 'e3',
      at: at + 280,
      body: '{"task":\n{}}',
      status: 200,
      received: { outcome: 'applied', verdicts: [], rehearsed: { kind: 'slow', ms: 2_000 } },
    } as const;
    const { text, exchanges } = taskText({ agent: 'Ann', task, entries, more: false, deviations: [], received: [received] }, english);
    const indent = ' '.repeat(36);
    const lines = [
      '    0.280 s     +0.030 s  ⇄2      Push notification, answered HTTP 200',
      `${indent}The task was updated. Simulated failure: answered 2 s late.`,
      `${indent}{"task": {}}`,
      '    0.300 s     +0.020 s          Interruption',
    ];
    assert.ok(text.includes(lines.join('\n')), text);
    assert.deepEqual(exchanges, ['e1', 'e3', 'e2']);
  });
});
