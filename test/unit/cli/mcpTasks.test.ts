import * as assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { McpTasks } from '../../../src/cli/mcp/mcpTasks.ts';

suite('tasks of a2a mcp', () => {
  test('of many calls at once a hundred become tasks, and the others are waited for', async () => {
    const tasks = new McpTasks();
    const { promise: finished, resolve: finish } = Promise.withResolvers<CallToolResult>();
    const isTask = (result: CallToolResult): boolean => result['resultType'] === 'task';
    const calls = Array.from({ length: 150 }, () => tasks.call(() => finished, new AbortController().signal));
    // Fires after those of all calls, which began before it and are as long.
    await sleep(1_000);
    finish({ content: [] });
    assert.equal((await Promise.all(calls)).filter(isTask).length, 100);
    tasks.dispose();
  });
});
