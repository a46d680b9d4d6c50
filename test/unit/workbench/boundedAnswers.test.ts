import * as assert from 'node:assert/strict';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import { type LocalizedMessage, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { Task } from '../../../src/protocol/message/task.ts';
import { boundedAnswers } from '../../../src/workbench/requests/response/boundedAnswers.ts';
import { ResponsePageMessage } from '../../../src/chat/host/responseMessages.ts';
import { type Answer, answersOf as answersIn } from '../../../src/workbench/requests/response/responseAnswers.ts';

const run = (members: object): RequestRun => ({ rows: [], running: false, ...members }) as unknown as RequestRun;
const inWords = ({ template, args }: LocalizedMessage): string =>
  template.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)]));
const answersOf = (of: RequestRun) => answersIn(of, { explain: ({ sentence: what }) => ({ message: inWords(what) }), translate: inWords });
const said = (text: string, role = 'ROLE_AGENT') => ({ messageId: text, role, parts: [{ text }] });
const task = (members: object): Task => ({ id: 't', status: { state: 'TASK_STATE_COMPLETED' }, ...members }) as Task;
const contents = (answer: Answer | undefined) => (answer?.contents ?? []).map(({ kind, name, parts }) => ({ kind, name, parts }));

suite('the answers that the preview of a response shows', () => {
  test('artifacts with their texts joined, then the words of the status', () => {
    const over = task({
      status: { state: 'TASK_STATE_COMPLETED', message: said('done') },
      artifacts: [{ artifactId: 'a', name: 'Story', parts: [{ text: 'One ' }, { text: 'whale.' }, { raw: 'AAEC' }] }],
    });
    const [answer, ...others] = answersOf(run({ task: over, outcome: { task: over } }));
    assert.deepEqual(others, []);
    assert.equal(answer?.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual(contents(answer), [
      { kind: 'artifact', name: 'Story', parts: [{ text: 'One whale.' }, { raw: 'AAEC' }] },
      { kind: 'message', name: undefined, parts: [{ text: 'done' }] },
    ]);
  });

  test('what was said in the task where neither artifact nor status has words', () => {
    const over = task({ history: [said('?', 'ROLE_USER'), said('in the history')] });
    assert.deepEqual(contents(answersOf(run({ task: over }))[0]), [
      { kind: 'message', name: undefined, parts: [{ text: 'in the history' }] },
    ]);
  });

  test('a message, and the value of an operation that answers neither', () => {
    assert.deepEqual(contents(answersOf(run({ outcome: { message: said('hi') } }))[0])[0]?.parts, [{ text: 'hi' }]);
    assert.deepEqual(contents(answersOf(run({ outcome: { value: { tasks: [] } } }))[0])[0]?.parts, [{ data: { tasks: [] } }]);
  });

  test('each row that has begun, with the task under way for the last', () => {
    const rows = [
      { label: 'a', index: 0, outcome: { message: said('first') } },
      { label: 'b', index: 1 },
      { label: 'c', index: 2 },
    ];
    const answers = answersOf(run({ running: true, rows, task: task({ artifacts: [{ artifactId: 'x', parts: [{ text: 'so far' }] }] }) }));
    assert.deepEqual(
      answers.map(answer => [answer.row, contents(answer)[0]?.parts]),
      [
        ['a', [{ text: 'first' }]],
        ['b', [{ text: 'so far' }]],
      ],
    );
  });
});

suite('the expectations that the preview of a response shows', () => {
  const range = { offset: 0, length: 1 };
  const held = { kind: 'state', ok: true, range, message: sentence('{0} is as expected.', 'state') };
  const failed = { kind: 'text', ok: false, range, message: sentence('The text does not contain {0}.', 'x'), expected: 'x', actual: 'y' };
  const expectationsOf = (outcome: object) => answersOf(run({ outcome }))[0]?.expectations;

  test('those that failed, with what was expected and what came', () => {
    const outcome = { task: task({}), expectations: [held, failed] };
    assert.deepEqual(expectationsOf(outcome), {
      count: 2,
      failed: [{ message: 'The text does not contain x.', expected: 'x', actual: 'y' }],
      leftOut: 0,
    });
    assert.deepEqual(expectationsOf({ ...outcome, expectations: [held] }), { count: 1, failed: [], leftOut: 0 });
    assert.equal(expectationsOf({ task: task({}) }), undefined);
  });

  test('of each row its own', () => {
    const rows = [held, failed].map((each, index) => ({ label: `${index}`, index, outcome: { expectations: [each] } }));
    assert.deepEqual(
      answersOf(run({ rows })).map(({ expectations }) => expectations?.failed.length),
      [0, 1],
    );
  });

  test('not what the state or the problem says already', () => {
    const state = { kind: 'answer', ok: false, range, message: sentence('The task is {0}.', 'failed'), actual: 'failed' };
    const failing = task({ status: { state: 'TASK_STATE_FAILED' } });
    assert.equal(expectationsOf({ task: failing, expectations: [state] }), undefined);
    assert.equal(expectationsOf({ task: failing, expectations: [state, held] })?.failed.length, 0);
    const problem = new Problem('unreachable', sentence('No server is listening.'));
    const none = { kind: 'answer', ok: false, range, message: problem.sentence };
    assert.equal(expectationsOf({ problem, expectations: [none] }), undefined);
    const unreadable = { ...none, message: sentence('The expectation {0} is invalid: {1}', 'expect.x', 'y') };
    assert.equal(expectationsOf({ problem, expectations: [unreadable] })?.failed.length, 1);
  });

  test('no more than there is room for', () => {
    const long = { ...failed, actual: 'a'.repeat(10_000) };
    const told = expectationsOf({ expectations: Array.from({ length: 60 }, () => long) });
    assert.deepEqual([told?.count, told?.failed.length, told?.leftOut, told?.failed[0]?.actual?.length], [60, 50, 10, 2_001]);
  });
});

suite('what the page of a response is told', () => {
  const answer = (parts: readonly Part[], members: object = {}): Answer => ({ contents: [{ kind: 'artifact', parts, ...members }] });
  const partsOf = (bounded: ReturnType<typeof boundedAnswers>) =>
    bounded.answers.flatMap(each => each.contents.flatMap(({ parts }) => parts));

  test('what it has at the same place is only named', () => {
    const data = { a: 1 };
    const parts: readonly Part[] = [{ raw: 'AAEC', mediaType: 'image/png' }, { text: 'a' }, { data }, { url: 'https://a.example' }];
    const first = boundedAnswers([answer(parts)], []);
    assert.ok(partsOf(first).every(({ is }) => is === 'part'));
    const second = boundedAnswers([answer([{ ...parts[0]! }, { text: 'ab' }, { data }, { url: 'https://a.example' }])], first.known);
    assert.deepEqual(partsOf(second), [{ is: 'same' }, { is: 'part', part: { text: 'ab' } }, { is: 'same' }, { is: 'same' }]);
    const renamed = boundedAnswers([answer([{ raw: 'AAEC', mediaType: 'image/gif' }])], first.known);
    assert.deepEqual(partsOf(renamed), [{ is: 'part', part: { raw: 'AAEC', mediaType: 'image/gif' } }]);
  });

  test('what is too large is cut or told by its size, alone and together', () => {
    const bytes = 'A'.repeat(12_000_004);
    const [large, cut, data, url] = partsOf(
      boundedAnswers(
        [
          answer([
            { raw: bytes, filename: 'a.bin' },
            { text: 'b'.repeat(1_000_001) },
            { data: 'c'.repeat(1_000_001) },
            { url: `x:${bytes}` },
          ]),
        ],
        [],
      ),
    );
    assert.deepEqual(large, { is: 'large', filename: 'a.bin', bytes: 9_000_003 });
    assert.deepEqual(cut, { is: 'part', part: { text: 'b'.repeat(1_000_000) }, cut: true });
    assert.deepEqual([data?.is, url?.is], ['large', 'large']);
    const megabytes = Array.from({ length: 5 }, () => ({ raw: 'A'.repeat(12_000_000) }));
    assert.deepEqual(
      partsOf(boundedAnswers([answer(megabytes)], [])).map(({ is }) => is),
      ['part', 'part', 'part', 'large', 'large'],
    );
    const texts = Array.from({ length: 4 }, () => ({ text: 'd'.repeat(900_000), filename: 'd' }));
    const lengths = partsOf(boundedAnswers([answer(texts)], [])).map(sent =>
      sent.is === 'part' && 'text' in sent.part ? sent.part.text.length : 0,
    );
    assert.deepEqual(lengths, [900_000, 900_000, 900_000, 300_000]);
  });

  test('a part that was too large before is sent once it is not', () => {
    const large: readonly Part[] = [{ raw: 'A'.repeat(12_000_004) }];
    const { known } = boundedAnswers([answer(large)], []);
    assert.deepEqual(partsOf(boundedAnswers([answer([{ raw: 'AAEC' }])], known)), [{ is: 'part', part: { raw: 'AAEC' } }]);
  });

  test('more than a page holds is counted', () => {
    const many = boundedAnswers([answer(Array.from({ length: 203 }, () => ({ url: 'x:' })))], []);
    assert.equal(many.answers[0]?.contents[0]?.leftOut, 3);
    assert.equal(many.answers[0]?.contents[0]?.parts.length, 200);
    const contentsOfOne: Answer = { contents: Array.from({ length: 204 }, () => ({ kind: 'message' as const, parts: [] })) };
    assert.equal(boundedAnswers([contentsOfOne], []).leftOut, 4);
    assert.equal(
      boundedAnswers(
        Array.from({ length: 105 }, () => answer([])),
        [],
      ).leftOut,
      5,
    );
    const long = boundedAnswers([answer([], { name: 'n'.repeat(9_000), description: 'd'.repeat(9_000) })], []).answers[0]?.contents[0];
    assert.deepEqual([long?.name?.length, long?.description?.length], [2_000, 2_000]);
  });
});

test('the host takes messages of the page of a response in their shapes alone', () => {
  const place = { response: 1, content: 0, part: 2 };
  for (const good of [
    { type: 'ready' },
    { type: 'openLink', url: 'https://a.example' },
    { type: 'openPart', ...place },
    { type: 'savePart', ...place },
  ])
    assert.deepEqual(ResponsePageMessage.parse(good), good);
  for (const bad of [
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'run', command: 'x' },
    { type: 'openLink' },
    { type: 'openLink', url: ['https://a.example'] },
    { type: 'openLink', url: 'x'.repeat(100_001) },
    { type: 'openPart' },
    { type: 'openPart', ...place, part: -1 },
    { type: 'openPart', ...place, content: 0.5 },
    { type: 'savePart', ...place, response: '1' },
  ])
    assert.equal(ResponsePageMessage.safeParse(bad).success, false, JSON.stringify(bad)?.slice(0, 80));
  assert.deepEqual(ResponsePageMessage.parse({ type: 'ready', command: 'x' }), { type: 'ready' });
});
