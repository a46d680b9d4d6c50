import * as assert from 'node:assert/strict';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { AgentSession } = await import('../../../src/workbench/debug/agentSession.ts');

suite('the session of a launch configuration', () => {
  test('a line of its program is no link in a notification', async () => {
    const shown: string[] = [];
    const restore = inPlaceOf('window', { showErrorMessage: async (message: string) => void shown.push(message) });
    try {
      const agents = {
        cardAt: async () => {
          throw new Problem('not-found', sentence('No card yet.'));
        },
      };
      const session = new AgentSession(
        {} as never,
        { agents } as never,
        () => {},
        () => {},
      );
      const command = `${JSON.stringify(process.execPath)} -e "console.log('[Sign in](command:workbench.action.quit)'); process.exit(1)"`;
      const start = { command, cwd: process.cwd(), env: {} };
      await session.start({ agents: [{ url: 'http://127.0.0.1:1/', start }], open: false });
      await eventually(() => assert.equal(shown.length, 1));
      assert.match(shown[0]!, /Sign in/);
      assert.doesNotMatch(shown[0]!, /\]\(command:/);
    } finally {
      restore();
    }
  });
});
