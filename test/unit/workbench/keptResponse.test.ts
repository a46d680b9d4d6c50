import * as assert from 'node:assert/strict';
import type { RequestRun } from '../../../src/model/requests/requestRun.ts';
import { english, Problem, sentence } from '../../../src/protocol/problem.ts';
import { keptResponse } from '../../../src/workbench/requests/response/keptResponse.ts';
import { answersOf } from '../../../src/workbench/requests/response/responseAnswers.ts';
import { responseText } from '../../../src/workbench/requests/response/text.ts';

const explain = ({ sentence: what, nextStep }: Problem) => ({
  message: english(what),
  ...(nextStep !== undefined && { nextStep: english(nextStep) }),
});
const words = { explain, translate: english };
const said = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'All ' }, { text: '*told*.' }] };
const range = { offset: 0, length: 1 };

/** A run that is over, of one request. */
const over = (outcome: { readonly task?: unknown; readonly [name: string]: unknown }, members: object = {}): RequestRun =>
  ({
    entry: { name: 'tides', index: 0 },
    rows: [],
    running: false,
    startedAt: 1_000,
    task: outcome.task,
    outcome: { startedAt: 1_000, endedAt: 1_010, exchangeIds: [], ...outcome },
    ...members,
  }) as unknown as RequestRun;
const documentOf = (run: RequestRun): string => responseText('tides', run, { exchange: () => undefined, explain, translate: english });

suite('the preview of a response that was kept', () => {
  const task = {
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_COMPLETED', message: said },
    artifacts: [
      {
        artifactId: 'a',
        name: 'Report',
        description: 'Today',
        parts: [{ text: '# One ' }, { text: 'two' }, { raw: 'AAEC', filename: 'a.png' }],
      },
      { artifactId: 'b', parts: [{ data: { depth: 7.4, é: [1, null] } }, { url: 'http://127.0.0.1/x' }] },
    ],
    history: [{ ...said, role: 'ROLE_USER' }],
  };
  const held = { kind: 'state', ok: true, range, message: sentence('{0} is as expected.', 'state') };
  const failed = { kind: 'text', ok: false, range, message: sentence('It lacks {0}.', 'x'), expected: 'x', actual: 'y' };
  const problem = new Problem('unreachable', sentence('No server.'), { nextStep: sentence('Start one.') });

  for (const [what, run] of Object.entries({
    'a task with artifacts': over({ task }),
    'a task whose words are in its history alone': over({ task: { id: 't', status: { state: 'TASK_STATE_FAILED' }, history: [said] } }),
    'a message': over({ message: said }),
    'what another operation brought': over({ value: { tasks: [], nextPageToken: '' } }),
    'a list': over({ value: [1, 'two'] }),
    'expectations that do not hold': over({ task, expectations: [failed, held] }),
    'a problem': over({ problem, expectations: [{ kind: 'answer', ok: false, range, message: problem.sentence }] }),
  }))
    test(`shows ${what} as while it was there`, () => assert.deepEqual(keptResponse(documentOf(run))?.answers, answersOf(run, words)));

  test('is not offered where what is kept does not have all', () => {
    const rows = ['a', 'b'].map((label, index) => ({
      label,
      index,
      outcome: { startedAt: 1, endedAt: 2, exchangeIds: [], message: said },
    }));
    assert.equal(keptResponse(documentOf(over({ message: said, rows }, { rows }))), undefined);
    assert.ok(keptResponse(documentOf(over({ message: said, rows: rows.slice(1) }, { rows: rows.slice(1) })))?.answers[0]?.row === 'b');
    for (const text of ['', '{', '[]', '1', '{}', '{"request":"a"}', '{"problem":{"message":1},"rows":{}}'])
      assert.equal(keptResponse(text), undefined, text);
  });

  test('takes what is broken in a document for data', () => {
    const [answer] =
      keptResponse('{"result":{"task":{"id":1}},"expectations":[1,{"kind":"text","ok":false,"actual":2},{"ok":true}]}')?.answers ?? [];
    assert.deepEqual(answer, {
      expectations: { count: 1, failed: [{ message: 'text' }], leftOut: 0 },
      contents: [{ kind: 'message', parts: [{ data: { task: { id: 1 } } }] }],
    });
  });
});
