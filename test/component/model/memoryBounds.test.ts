import * as assert from 'node:assert/strict';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import type { Script, Step } from '../../../src/mock/script.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { MemoryContexts } from '../../../src/model/memory/memoryContexts.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { Artifact, Task } from '../../../src/protocol/message/task.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { chunk, fast, first, says, task, taskOf, until } from '../../support/model/world.ts';

const KiB = 1024;
const bounds = { task: 512 * KiB, exchanges: 256 * KiB, results: 256 * KiB };
const piece = 'x'.repeat(8 * KiB);
const artifact = (length: number): Artifact => ({ artifactId: 'a', parts: [{ text: 'y'.repeat(length) }] });
const fail = (error: unknown): void => {
  throw error;
};

suite('what a run without a history keeps', () => {
  let agent: ScriptedAgent;
  let http: Http;
  let contexts: MemoryContexts;
  let made = 0;

  async function begin(script: Script): Promise<RequestRuns> {
    made = 0;
    agent = scriptedAgent({ version: '1.0', script });
    await agent.start();
    http = new Http({ loadObserver });
    const agents = new Agents({ http, onError: fail });
    agents.configure({ A: { url: agent.url } });
    contexts = new MemoryContexts({ agents, timing: fast, onError: fail, bounds });
    return new RequestRuns({ agents, contexts }, fail);
  }
  teardown(async () => {
    contexts.dispose();
    await http.close();
    await agent.stop();
  });

  const fresh = (rest: Partial<Task> = {}): Task => ({ ...taskOf('COMPLETED', rest), id: `t${++made}`, contextId: `c${made}` });
  async function sendAll(script: Script, ...requests: object[]): Promise<readonly RequestOutcome[]> {
    const runs = await begin(script);
    return runs.sendAll(readRequestFile(JSON.stringify({ agent: 'A', requests })));
  }
  const codes = ({ rows = [] }: RequestOutcome): (string | undefined)[] => rows.map(({ outcome }) => outcome.problem?.code);
  const asked = (operation: string): number => agent.requests.filter(request => request.operation === operation).length;

  test('a task without end is left at the bound', async () => {
    const endless = async function* (): AsyncGenerator<Step> {
      yield task('WORKING');
      for (;;) {
        yield chunk(piece, first);
        yield { delay: 1 };
      }
    };
    const [outcome] = await sendAll({ SendStreamingMessage: endless, SubscribeToTask: endless }, { name: 'a', message: 'x' });
    assert.equal(outcome?.problem?.code, 'task-too-large');
    await until(() => agent.requests.every(({ signal }) => signal.aborted));
  });

  const answers: Readonly<Record<string, Script>> = {
    'tasks in one answer': { SendStreamingMessage: () => [{ answer: { task: fresh({ artifacts: [artifact(100 * KiB)] }) } }] },
    'tasks of streams': {
      SendStreamingMessage: () => {
        const own = fresh();
        const ids = { taskId: own.id, contextId: own.contextId! };
        return [
          { event: { task: { ...own, status: { state: 'TASK_STATE_WORKING' } } } },
          { event: { artifactUpdate: { ...ids, artifact: artifact(100 * KiB) } } },
          { event: { statusUpdate: { ...ids, status: own.status } } },
        ];
      },
    },
    messages: { SendStreamingMessage: () => [{ event: { message: says(`m${++made}`, 'z'.repeat(100 * KiB)) } }] },
  };
  for (const [what, script] of Object.entries(answers)) {
    test(`${what}: nothing more is sent once their results are too much, but what cleans up`, async () => {
      const outcomes = await sendAll(
        { ...script, CancelTask: [{ answer: taskOf('CANCELED') }] },
        { name: 'a', message: 'x', repeat: 6 },
        { name: 'b', method: 'CancelTask', params: { id: 't' }, cleanup: true },
      );
      const full = 'results-too-large';
      assert.deepEqual(codes(outcomes[0]!), [undefined, undefined, undefined, full, full, full]);
      assert.equal(asked('SendStreamingMessage'), 3);
      assert.equal(outcomes[1]?.task?.status.state, 'TASK_STATE_CANCELED');
    });
  }

  test('the same task as it is read again and again counts once', async () => {
    const [outcome] = await sendAll(
      { GetTask: () => [{ answer: taskOf(++made < 8 ? 'WORKING' : 'COMPLETED', { artifacts: [artifact(100 * KiB)] }) }] },
      { name: 'a', method: 'GetTask', params: { id: 't' }, until: { expect: { state: 'completed' }, delay: 1 } },
    );
    assert.equal(outcome?.problem, undefined);
    assert.equal(outcome?.sent, 8);
  });

  test('a task that is begun again and again counts each time', async () => {
    const [outcome] = await sendAll(
      { SendStreamingMessage: () => [{ answer: { task: fresh({ artifacts: [artifact(100 * KiB)] }) } }] },
      { name: 'a', message: 'x', until: { expect: { text: 'never' }, delay: 1 } },
    );
    assert.equal(outcome?.problem?.code, 'results-too-large');
    assert.equal(asked('SendStreamingMessage'), 3);
  });
});
