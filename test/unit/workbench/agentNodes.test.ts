import * as assert from 'node:assert/strict';
import {
  type AgentNode,
  type ContextNode,
  selectedHistoryNodes,
  itemOf,
  type Node,
  nodeId,
  type TaskNode,
} from '../../../src/workbench/agentsView/agentNodes.ts';

const agent: AgentNode = { kind: 'agent', name: 'Ann', agent: undefined };
const context = (key: string): ContextNode => ({
  kind: 'context',
  parent: agent,
  context: { key, agent: 'Ann', title: key, createdAt: 0, updatedAt: 0, tasks: 1, waiting: 0, madeBy: 'person' },
});
const task = (key: string, taskId: string): TaskNode => ({
  kind: 'task',
  parent: context(key),
  task: { taskId, context: key, state: 'TASK_STATE_COMPLETED', title: '', createdAt: 0, updatedAt: 0 },
});

suite('rows of the tree', () => {
  const calls: readonly (readonly [what: string, argument: unknown, rows: unknown, selection: readonly Node[], expected: unknown])[] = [
    ['one row', context('a'), undefined, [context('b')], [{ context: 'a' }]],
    ['all selected rows', context('a'), [context('a'), task('b', 't')], [], [{ context: 'a' }, { context: 'b', taskId: 't' }]],
    [
      'a task goes with its context',
      task('a', 't'),
      [task('a', 't'), context('a'), task('b', 't')],
      [],
      [{ context: 'a' }, { context: 'b', taskId: 't' }],
    ],
    ['the selection, from a keybinding', undefined, undefined, [agent, task('a', 't')], [{ context: 'a', taskId: 't' }]],
    ['what is no row', 'a', 'b', [context('c')], []],
    ['nothing', undefined, undefined, [], []],
  ];
  for (const [what, argument, rows, selection, expected] of calls) {
    test(`meant by a command: ${what}`, () => assert.deepEqual(selectedHistoryNodes(argument, rows, selection).map(itemOf), expected));
  }

  test('have ids of their own, the two ways to load more as well', () => {
    const nodes: Node[] = [
      agent,
      context('a'),
      task('a', 't'),
      { kind: 'period', parent: agent, period: 'today' },
      { kind: 'more', parent: agent },
      { kind: 'more', parent: agent, remote: true },
    ];
    assert.equal(new Set(nodes.map(nodeId)).size, nodes.length);
  });
});
