import * as assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import type { Agent } from '../../../src/model/agents/agent.ts';
import type { AgentContext } from '../../../src/model/contexts/agentContext.ts';
import type { TaskConnection } from '../../../src/model/run/taskConnection.ts';
import type { TaskSummary } from '../../../src/protocol/message/transcript.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';

const shim = new URL('../../support/fakeVscode.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => (specifier === 'vscode' ? { url: shim, shortCircuit: true } : next(specifier, context)),
});
const { chatConnection, panelConnections } = await import('../../../src/workbench/chat/connection.ts');

suite('how the agent is heard of, as the chat panel is told', () => {
  const now = 1_000_000;
  const tried: string[] = [];
  setup(() => {
    tried.length = 0;
  });

  function context(connections: Readonly<Record<string, TaskConnection | undefined>>, more: Partial<AgentContext> = {}): AgentContext {
    const tasks = Object.keys(connections).map(taskId => ({ taskId, state: 'TASK_STATE_WORKING' }) as TaskSummary);
    return {
      tasks: () => tasks,
      connectionOf: (taskId: string) => connections[taskId],
      tryNow: (taskId: string) => tried.push(taskId),
      running: false,
      connection: undefined,
      agent: {
        prepare: async () => {},
        check: async () => {
          tried.push('card');
        },
      },
      ...more,
    } as unknown as AgentContext;
  }

  test('times are told as how long ago they were', () => {
    const lost: TaskConnection = {
      kind: 'lost',
      since: now - 3_000,
      lastReceivedAt: now - 13_000,
      reason: { template: 'Connection refused: no server is listening at {0}.', args: ['x'] },
      attempt: 3,
      retryAt: now + 4_000,
    };
    assert.deepEqual(
      panelConnections(
        context({
          a: lost,
          b: { kind: 'quiet', since: now - 9_000 },
          c: { kind: 'elsewhere' },
          g: { kind: 'open', since: now, polled: true },
          h: { kind: 'open', since: now, polled: true, reason: { template: 'y', args: [] } },
          f: { kind: 'full' },
          d: undefined,
          e: { kind: 'lost', since: now, reason: { template: 'x', args: [] }, attempt: 1 },
        }),
        now,
      ),
      [
        {
          taskId: 'a',
          kind: 'lost',
          lasts: 3_000,
          silent: 13_000,
          attempt: 3,
          reason: 'Connection refused: no server is listening at x.',
          retryIn: 4_000,
        },
        { taskId: 'b', kind: 'quiet', lasts: 9_000 },
        { taskId: 'c', kind: 'elsewhere' },
        { taskId: 'g', kind: 'open', lasts: 0, polled: true },
        { taskId: 'h', kind: 'open', lasts: 0, polled: true, reason: 'y' },
        { taskId: 'f', kind: 'full' },
        { taskId: 'e', kind: 'lost', lasts: 0, attempt: 1, reason: 'x' },
      ],
    );
  });

  test('the answer to a message that has named no task is told of, too', () => {
    const quiet: TaskConnection = { kind: 'quiet', since: now - 5_000 };
    assert.deepEqual(
      panelConnections(context({ a: { kind: 'elsewhere' } }, { running: true, connection: quiet }), now).map(({ taskId, kind }) => [
        taskId,
        kind,
      ]),
      [
        [undefined, 'quiet'],
        ['a', 'elsewhere'],
      ],
    );
    assert.deepEqual(
      panelConnections(context({ a: quiet }, { running: true, connection: quiet }), now).map(({ taskId }) => taskId),
      ['a'],
    );
  });

  test('Try Now is for what is lost or has no listener, and for the card otherwise', async () => {
    await chatConnection(
      context({
        a: { kind: 'open', since: 0 },
        b: { kind: 'lost', since: 0, attempt: 1, reason: { template: 'x', args: [] } },
        c: { kind: 'none' },
      }),
    ).tryNow(null);
    assert.deepEqual(tried.splice(0), ['b', 'c']);
    await chatConnection(context({})).tryNow(null);
    assert.deepEqual(tried.splice(0), ['card']);
  });

  test('Reload Card is for the card, whatever is lost', async () => {
    await chatConnection(context({ c: { kind: 'none' } })).reloadCard(null);
    assert.deepEqual(tried, ['card']);
  });

  test('Reload Card of an agent that cannot be reached says why', async () => {
    const problem = new Problem('unreachable', sentence('Connection refused: no server is listening at {0}.', 'x'));
    const agent = { prepare: async () => {}, check: async () => {}, problem } as unknown as Agent;
    await assert.rejects(Promise.resolve(chatConnection(context({}, { agent })).reloadCard(null)), problem);
  });
});
