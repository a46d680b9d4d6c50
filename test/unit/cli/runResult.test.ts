import * as assert from 'node:assert/strict';
import { countsOf, isBad, type Verdict } from '../../../src/cli/run/reporters/verdict.ts';
import { notRun, resultsOf, withoutResult } from '../../../src/cli/run/reporters/runResult.ts';
import type { RunFile } from '../../../src/cli/run/runFiles.ts';
import { ConnectionProblem } from '../../../src/client/http/connectionProblem.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { A2AError } from '../../../src/protocol/errors.ts';
import { hint, Problem, sentence } from '../../../src/protocol/problem.ts';
import type { Part } from '../../../src/protocol/message/part.ts';
import type { TaskState } from '../../../src/protocol/message/taskState.ts';
import { checkExpectations } from '../../../src/request/expect/expectations.ts';
import { valueOf } from '../../../src/request/text/jsonNode.ts';
import { positionsIn } from '../../../src/request/text/textPosition.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';

const problem = (code: string, cause?: unknown): Problem =>
  new Problem(code, sentence('Nothing came.'), { nextStep: hint(sentence('Click.'), 'Type.'), cause });
const noBoats = new A2AError(-32004, 'no boats');
const unreachable = new ConnectionProblem('unreachable', sentence('Nothing listens.'), 'no');
const inState = (state: TaskState): Partial<RequestOutcome> => ({ task: { id: 't1', status: { state } } });

const runOf = (expect: string | undefined): RunFile => {
  const text = `{ "agent": "A", "requests": [\n  { "name": "one", "message": "x"${expect === undefined ? '' : `,\n    "expect": ${expect}`} },\n  { "message": "y" }\n] }`;
  return { path: 'sub/x.a2a', file: readRequestFile(text), positionAt: positionsIn(text) } as RunFile;
};

function resultOf(expect: string | undefined, came: Partial<RequestOutcome>) {
  const run = runOf(expect);
  const [entry] = run.file.requests;
  const outcome: RequestOutcome = { startedAt: 1000, endedAt: 1500.6, exchangeIds: [], ...came };
  const node = entry!.members.get('expect')?.value;
  const [result, ...others] = resultsOf(
    run,
    entry!,
    node === undefined ? outcome : { ...outcome, expectations: checkExpectations(entry!, valueOf(node), outcome) },
  );
  assert.deepEqual(others, []);
  return result!;
}

const completed = inState('TASK_STATE_COMPLETED');
const rows: readonly (readonly [
  title: string,
  expect: string | undefined,
  came: Partial<RequestOutcome>,
  verdict: Verdict,
  agentFailed?: true,
])[] = [
  ['a task that is done', undefined, completed, 'sent'],
  ['one that waits', undefined, inState('TASK_STATE_INPUT_REQUIRED'), 'sent'],
  ['an answer that has no task', undefined, {}, 'sent'],
  ['a task that failed', undefined, inState('TASK_STATE_FAILED'), 'failed'],
  ['one that was canceled', undefined, inState('TASK_STATE_CANCELED'), 'failed'],
  ['what is expected', '{ "state": "completed" }', completed, 'passed'],
  ['any answer is expected', '{}', completed, 'passed'],
  ['a failure that is expected', '{ "state": "failed" }', inState('TASK_STATE_FAILED'), 'passed'],
  ['another state', '{ "state": "failed" }', completed, 'failed'],
  ['any answer is expected, and the task failed', '{}', inState('TASK_STATE_FAILED'), 'failed'],
  ['an error of the agent', undefined, { problem: noBoats }, 'error', true],
  ['and another state was expected', '{ "state": "completed" }', { problem: noBoats }, 'error', true],
  // The agent was heard: what it said is not what was expected.
  ['the error that is expected', '{ "error": -32004 }', { problem: noBoats }, 'passed'],
  ['another error than that', '{ "error": -32001 }', { problem: noBoats }, 'failed'],
  ['no error where one is expected', '{ "error": -32001 }', completed, 'failed'],
  ['an agent that is not there', undefined, { problem: unreachable }, 'error', true],
  ['a request that cannot be made', undefined, { problem: problem('bad-data') }, 'error'],
  ['a request that took too long', undefined, { problem: problem('time-limit') }, 'failed'],
  ['and something is expected', '{ "text": "x" }', { problem: problem('time-limit') }, 'failed'],
  ['one that was stopped', undefined, { problem: problem('stopped') }, 'not-run'],
  ['and something is expected', '{ "text": "x" }', { problem: problem('stopped') }, 'not-run'],
  ['one whose need failed at the agent', undefined, { problem: problem('needed-failed', noBoats) }, 'skipped', true],
  ['one whose need could not be made', undefined, { problem: problem('needed-failed', problem('bad-data')) }, 'skipped'],
  [
    'one whose need needed what failed',
    undefined,
    { problem: problem('needed-failed', problem('needed-failed', unreachable)) },
    'skipped',
    true,
  ],
  ...['http-error', 'unauthorized', 'not-json', 'stream-ended', 'lost-contact', 'no-card'].map(
    code => [`${code} is the agent's`, undefined, { problem: problem(code) }, 'error', true] as const,
  ),
  ...['not-confirmed', 'secret-elsewhere', 'foreign-origin', 'defect'].map(
    code => [`${code} is not`, undefined, { problem: problem(code) }, 'error'] as const,
  ),
];

suite('results of a run', () => {
  for (const [title, expect, came, verdict, agentFailed = false] of rows) {
    test(`${title}: ${verdict}`, () => {
      const result = resultOf(expect, came);
      assert.deepEqual(
        [result.verdict, result.agentFailed, result.failures.length > 0],
        [verdict, agentFailed, !['sent', 'passed'].includes(verdict)],
      );
    });
  }

  test('where it is, how long it took, what came', () => {
    const { failures, ...result } = resultOf('{ "state": "failed" }', completed);
    assert.deepEqual(result, {
      file: 'sub/x.a2a',
      name: 'one',
      verdict: 'failed',
      line: 2,
      column: 13,
      ms: 500.6,
      state: 'completed',
      taskId: 't1',
      agentFailed: false,
    });
    assert.deepEqual(failures, [
      {
        kind: 'state',
        message: 'The task is completed, not failed.',
        nextStep: undefined,
        expected: 'failed',
        actual: 'completed',
        line: 3,
        column: 26,
      },
    ]);
  });

  test('what there is to do is said as for a terminal, only where nothing came', () => {
    assert.deepEqual(
      resultOf('{ "state": "completed" }', { problem: problem('http-error') }).failures.map(({ kind, message, nextStep, line }) => [
        kind,
        message,
        nextStep,
        line,
      ]),
      [['http-error', 'Nothing came.', 'Type.', 3]],
    );
    assert.deepEqual(
      resultOf('{ "error": -32001 }', { problem: noBoats }).failures.map(({ kind, nextStep }) => [kind, nextStep]),
      [['error', undefined]],
    );
  });

  test('each row of data is a result of its own, each with its own verdict', () => {
    const run = runOf('{ "state": "completed" }');
    const [entry] = run.file.requests;
    const outcomes = [completed, inState('TASK_STATE_FAILED'), { problem: noBoats }].map((came): RequestOutcome => {
      const outcome = { startedAt: 0, endedAt: 1, exchangeIds: [], ...came };
      return { ...outcome, expectations: checkExpectations(entry!, { state: 'completed' }, outcome) };
    });
    const found = resultsOf(run, entry!, {
      ...outcomes[2]!,
      rows: outcomes.map((outcome, index) => ({ label: `row ${index}`, index, outcome })),
    });
    assert.deepEqual(
      found.map(({ name, verdict, agentFailed }) => [name, verdict, agentFailed]),
      [
        ['one [row 0]', 'passed', false],
        ['one [row 1]', 'failed', false],
        ['one [row 2]', 'error', true],
      ],
    );
  });

  test('one that had no turn, and one that nobody waited for to its end', () => {
    const run = runOf(undefined);
    const place = { file: 'sub/x.a2a', name: 'Request 2', line: 3, column: 5, agentFailed: false };
    assert.deepEqual(notRun(run, run.file.requests[1]!), { ...place, verdict: 'not-run', ms: 0, failures: [] });
    assert.deepEqual(withoutResult(run, run.file.requests[1]!, { problem: problem('defect'), ms: 7.6 }), {
      ...place,
      verdict: 'error',
      ms: 7.6,
      failures: [{ kind: 'defect', message: 'Nothing came.', nextStep: 'Type.', line: 3, column: 5 }],
    });
  });

  test("what a run was interrupted in is nobody's fault, unless it was over by then", () => {
    const run = runOf('{ "state": "completed" }');
    const [entry] = run.file.requests;
    const rows: readonly (readonly [came: Partial<RequestOutcome>, verdict: Verdict, words: RegExp])[] = [
      [inState('TASK_STATE_CANCELED'), 'interrupted', /^The run ended before this request had a result\.$/],
      [{ problem: problem('lost-contact') }, 'interrupted', /^The run ended/],
      [{ problem: unreachable }, 'interrupted', /^The run ended/],
      [{ problem: problem('stop-unknown') }, 'interrupted', /^The run ended[^]*\nNothing came\.$/],
      [{ problem: problem('needed-failed', problem('stopped')) }, 'not-run', /^$/],
      [completed, 'passed', /^$/],
      [{ ...inState('TASK_STATE_FAILED'), endedAt: 1400 }, 'failed', /The task is failed/],
    ];
    for (const [came, verdict, words] of rows) {
      const outcome = { startedAt: 1000, endedAt: 1500, exchangeIds: [], ...came };
      const [result] = resultsOf(
        run,
        entry!,
        { ...outcome, expectations: checkExpectations(entry!, { state: 'completed' }, outcome) },
        1450,
      );
      assert.deepEqual([result!.verdict, result!.agentFailed], [verdict, false]);
      assert.match(result!.failures.map(({ message }) => message).join('\n'), words);
    }
    assert.equal(withoutResult(run, entry!, { problem: problem('stopped'), ms: 1 }).verdict, 'interrupted');
  });

  test("why a request did not succeed is said in the agent's words, where they do not stand there already", () => {
    const saying = (state: TaskState, ...parts: readonly Part[]): Partial<RequestOutcome> => ({
      task: { id: 't1', status: { state, message: { messageId: 'm', role: 'ROLE_AGENT', parts: [...parts] } } },
    });
    const full = { text: 'Disk full.' };
    const rows: readonly (readonly [expect: string | undefined, came: Partial<RequestOutcome>, said: string | undefined])[] = [
      [undefined, saying('TASK_STATE_FAILED', full), 'Disk full.'],
      ['{ "state": "completed" }', saying('TASK_STATE_REJECTED', full, { data: { sector: 9 } }), 'Disk full.\n{\n  "sector": 9\n}'],
      ['{ "state": "failed" }', saying('TASK_STATE_FAILED', full), undefined],
      ['{ "text": "x" }', saying('TASK_STATE_COMPLETED', full), undefined],
      ['{ "text": "x", "state": "failed" }', saying('TASK_STATE_FAILED', full), undefined],
      [undefined, inState('TASK_STATE_FAILED'), undefined],
      [
        '{ "error": -32001 }',
        { problem: new A2AError(-32004, 'no boats', [{ reason: 'low tide' }]) },
        '[\n  {\n    "reason": "low tide"\n  }\n]',
      ],
      [undefined, { problem: new A2AError(-32004, 'no boats', [{ reason: 'low tide' }]) }, undefined],
      [undefined, saying('TASK_STATE_FAILED', { text: 'x'.repeat(5_000) }), `${'x'.repeat(4_000)}…`],
    ];
    for (const [expect, came, said] of rows) assert.equal(resultOf(expect, came).agentSaid, said, JSON.stringify(came).slice(0, 200));
  });

  test('all are counted, each once, and what is bad ends a run with --bail', () => {
    const all: readonly Verdict[] = ['sent', 'passed', 'failed', 'error', 'skipped', 'not-run', 'interrupted', 'left-out'];
    assert.deepEqual(countsOf(all.flatMap((verdict, index) => Array<Verdict>(index + 1).fill(verdict))), {
      sent: 1,
      passed: 2,
      failed: 3 + 4,
      skipped: 5,
      notRun: 6 + 7,
      leftOut: 8,
    });
    assert.deepEqual(all.filter(isBad), ['failed', 'error', 'skipped']);
  });
});
