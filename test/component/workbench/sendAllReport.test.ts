import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';

const { failedRequests, reportFailed } = await import('../../../src/workbench/requests/sending/sendAllReport.ts');
const fail = (error: unknown): void => {
  throw error;
};

suite('what came of all requests of a file', () => {
  let restore: () => void = () => {};
  teardown(() => restore());

  const rows: readonly (readonly [title: string, requests: readonly object[], told: RegExp | undefined])[] = [
    [
      'nothing is said where all is well',
      [
        { name: 'a', message: 'x', expect: { state: 'completed' } },
        { name: 'b', message: 'y' },
      ],
      undefined,
    ],
    [
      'expectations that do not hold',
      [
        { name: 'a', message: 'x' },
        { name: 'b', message: 'y', expect: { state: 'failed' } },
      ],
      /^1 of 2 requests failed: b$/,
    ],
    [
      'a task that failed',
      [{ name: 'a', message: 'fail' }, { message: 'fail' }, { name: 'c', message: 'y' }],
      /^2 of 3 requests failed: a, Request 2$/,
    ],
    [
      'an agent that is not there, and what needs it',
      [
        { name: 'a', agent: 'Dead', message: 'x' },
        { name: 'b', after: 'a', message: 'y' },
      ],
      /^2 of 2 requests failed: a, b$/,
    ],
    [
      'more than there is room for',
      Array.from({ length: 7 }, (_, index) => ({ name: `r${index}`, message: 'fail' })),
      /^7 of 7 requests failed: r0, r1, r2, r3, r4, …$/,
    ],
    ['a name that looks like a link', [{ name: '[a](command:x)', message: 'fail' }], /^1 of 1 requests failed: \[a\][^(]+\(command:x\)$/],
  ];
  for (const [title, requests, told] of rows) {
    test(title, async () => {
      const said: string[] = [];
      const shown: string[] = [];
      restore = inPlaceOf('window', {
        showErrorMessage: async (text: string, button: string) => {
          said.push(text);
          return button;
        },
      });
      const model = new FakeModel();
      model.answer = (words, context) => ({ task: model.task(words === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_COMPLETED', context) });
      const runs = new RequestRuns(model, fail);
      const file = readRequestFile(JSON.stringify({ agent: 'A', requests }));
      await runs.sendAll(file);
      await reportFailed(failedRequests(file, runs), file, async key => void shown.push(key));
      assert.equal(said.length, told === undefined ? 0 : 1);
      if (told === undefined) return;
      assert.match(said[0]!, told);
      assert.equal(shown.length, 1, 'the button opens what came of the first');
    });
  }
});
