import * as assert from 'node:assert/strict';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { FakeModel } from '../../support/request/fakeModel.ts';
import '../../support/shimmedVscode.ts';

const { statusOf } = await import('../../../src/workbench/requests/session/requestStatus.ts');

suite('the status of a request', () => {
  const rows: readonly (readonly [title: string, state: 'COMPLETED' | 'FAILED', expect: object | undefined, icon: string, text: RegExp])[] =
    [
      ['a failure that was expected', 'FAILED', { state: 'failed' }, 'pass', /^failed · .* · ✓1$/],
      ['an end that was not expected', 'COMPLETED', { state: 'failed' }, 'error', /^completed · .* · ✗1$/],
      ['an end that was expected', 'COMPLETED', { state: 'completed' }, 'pass', /^completed · .* · ✓1$/],
      ['no expectation', 'FAILED', undefined, 'error', /^failed · /],
    ];
  for (const [title, state, expect, icon, text] of rows)
    test(title, async () => {
      const model = new FakeModel();
      model.answer = (_, context) => ({ task: model.task(`TASK_STATE_${state}`, context) });
      const runs = new RequestRuns(model, error => assert.fail(String(error)));
      const file = readRequestFile(JSON.stringify({ agent: 'A', message: 'x', ...(expect && { expect }) }));
      const run = runs.send(file.requests[0]!, file);
      await run.done;
      assert.equal(statusOf(run).icon, icon);
      assert.match(statusOf(run).text, text);
    });
});
