import * as assert from 'node:assert/strict';
import type { Script } from '../../../src/mock/script.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { statusUpdate, task } from '../../support/client/says.ts';
import { TerminalFolder } from '../../support/cli/terminalFolder.ts';

/** A task that works until it is canceled; asked for, it is completed the third time. */
function worker(): Script {
  let asked = 0;
  return {
    SendStreamingMessage: [
      { event: { task: task('TASK_STATE_SUBMITTED') } },
      { event: statusUpdate('TASK_STATE_WORKING') },
      { stall: true },
    ],
    GetTask: () => [{ answer: task(++asked < 3 ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED') }],
    CancelTask: [{ answer: task('TASK_STATE_CANCELED') }],
  };
}

const id = { id: '{{start.task.id}}' };

suite('control of requests in a terminal', () => {
  const open = new OpenThings();
  let program: TerminalFolder;
  suiteSetup(async () => (program = await TerminalFolder.make()));
  suiteTeardown(() => program.remove());
  teardown(() => open.close());

  const results = (out: string) =>
    out
      .trim()
      .split('\n')
      .map(
        line =>
          JSON.parse(line) as { name?: string; verdict?: string; sent?: number; description?: string; failures?: { message: string }[] },
      )
      .filter(({ name }) => name !== undefined);

  test('waits for a state, asks until another, leaves out with the reason, and cleans up last', async () => {
    const agent = await open.agent(worker());
    const requests = [
      { name: 'stop', method: 'CancelTask', params: id, cleanup: true, expect: { state: 'canceled' } },
      { name: 'start', description: 'Begins the work', message: 'x', waitFor: 'working', expect: { states: ['submitted', 'working'] } },
      { name: 'ask', method: 'GetTask', params: id, tags: ['slow'], until: { expect: { state: 'completed' }, times: 5, delay: 1 } },
      {
        name: 'answered',
        method: 'GetTask',
        params: id,
        until: { expect: { status: { lt: 300 }, headers: { 'content-type': { contains: 'json' } } }, times: 2, delay: 1 },
      },
      { name: 'unanswered', method: 'GetTask', params: id, until: { expect: { status: 500 }, times: 2, delay: 1 } },
      { name: 'later', message: 'y', skip: 'not built yet', expect: {} },
      { name: 'never', message: 'z', waitFor: 'rejected', timeoutMs: 500 },
    ];
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests } });
    const came = await program.run(['run', 'x.a2a', '--json'], { cwd, env: { CI: '' } });
    assert.deepEqual(
      Object.fromEntries(results(came.out).map(({ name, verdict, sent, failures }) => [name, [verdict, sent, failures?.[0]?.message]])),
      {
        start: ['passed', undefined, undefined],
        ask: ['passed', 3, undefined],
        answered: ['passed', undefined, undefined],
        unanswered: ['failed', 2, 'The HTTP status is 200, not 500.'],
        later: ['left-out', undefined, 'Skipped: not built yet'],
        never: ['failed', undefined, results(came.out).find(({ name }) => name === 'never')?.failures?.[0]?.message],
        stop: ['passed', undefined, undefined],
      },
    );
    assert.equal(results(came.out).at(-1)?.name, 'stop');
    assert.equal(came.status, 1);
    // Nothing has a tag of that name, so nothing is left out for it.
    const without = await program.run(['run', 'x.a2a', '--json', '--tags', '!flaky', '--tags', 'slow'], { cwd });
    assert.deepEqual([without.status, without.err, results(without.out).map(({ name }) => name)], [0, '', ['start', 'ask', 'stop']]);
    const misspelt = await program.run(['run', 'x.a2a', '--tags', '!slwo'], { cwd });
    assert.match(misspelt.err, /^--tags !slwo: no request has that tag\. Did you mean slow\?/);
    assert.equal(misspelt.status, 2);
    const junit = await program.run(['run', 'x.a2a', '--reporter', 'junit', '--tags', 'slow'], { cwd });
    assert.match(junit.out, /<property name="description" value="Begins the work"\/>/);
    assert.match(junit.out, /<property name="tag" value="slow"\/>/);
    assert.doesNotMatch(junit.out, /name="later"|name="never"/);
    assert.match(junit.out, /name="stop"/);
    const spec = await program.run(['run', 'x.a2a'], { cwd, env: { CI: '' } });
    assert.match(spec.out, /- x\.a2a › later \(left out\)\n.*Skipped: not built yet/);
    assert.match(spec.out, /1 left out/);
  });

  test('only is counted, and refused in CI', async () => {
    const agent = await open.agent(worker());
    const requests = [
      { name: 'a', method: 'CancelTask', params: { id: 't-1' }, only: true, expect: {} },
      { name: 'b', method: 'CancelTask', params: { id: 't-1' }, expect: {} },
    ];
    const cwd = await program.workspace({ 'x.a2a': { agent: agent.url, requests } });
    const here = await program.run(['run', 'x.a2a'], { cwd, env: { CI: '' } });
    assert.match(here.out, /1 passed, 1 left out/);
    assert.match(here.err, /x\.a2a:\d+:\d+: warning: When all requests are sent [^\n]*"only" leaves out the others/);
    assert.equal(here.status, 0);
    const refused = await program.run(['run', 'x.a2a'], { cwd, env: { CI: 'true' } });
    assert.deepEqual([refused.status, agent.requests.filter(({ operation }) => operation === 'CancelTask').length], [2, 1]);
    assert.match(refused.err, /no request may say "only".*x\.a2a:\d+.*--allow-only/s);
    const allowed = await program.run(['run', 'x.a2a', '--allow-only'], { cwd, env: { CI: 'true' } });
    assert.equal(allowed.status, 0);
  });
});
