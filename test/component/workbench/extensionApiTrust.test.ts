import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { registerAssistant } = await import('../../../src/workbench/assistant/register.ts');

suite('the API for other extensions', () => {
  test('opens no conversation in Restricted Mode', async () => {
    const opened: string[] = [];
    const key = 'k-1';
    const context = { key, agentName: 'Ann' };
    const state = { keys: () => [], get: (_: string, other: unknown) => other, update: async () => {} } as unknown as vscode.Memento;
    const restore = [
      inPlaceOf('window', { registerUriHandler: () => ({ dispose: () => {} }) }),
      inPlaceOf('extensions', { getExtension: (id: string) => ({ id }) }),
      inPlaceOf('workspace', { isTrusted: false }),
    ];
    const { api } = registerAssistant({
      agents: { all: [{ name: 'Ann' }] } as never,
      contexts: { get: (wanted: string) => (wanted === key ? context : undefined) } as unknown as AgentContexts,
      check: () => assert.fail(),
      run: () => assert.fail(),
      runOf: () => undefined,
      toolNames: [],
      workspaceState: state,
      revealAgent: () => assert.fail(),
      openChat: async ({ key: wanted }) => opened.push(wanted),
      openExchange: () => assert.fail(),
    });
    try {
      const own = await api('test.other');
      await assert.rejects(own.openContext(key), /in Restricted Mode/);
      assert.deepEqual(opened, []);
      restore.push(inPlaceOf('workspace', { isTrusted: true }));
      await own.openContext(key);
      assert.deepEqual(opened, [key]);
    } finally {
      for (const undo of restore.reverse()) undo();
    }
  });
});
