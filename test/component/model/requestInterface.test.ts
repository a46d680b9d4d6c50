import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { scriptedAgent, type ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import { startWorld, task, taskOf } from '../../support/model/world.ts';

const script = {
  SendStreamingMessage: [task('COMPLETED', { id: 'answer' })],
  GetTask: [{ answer: taskOf('COMPLETED', { id: 'shared' }) }],
};

suite('the interface of a request', () => {
  test('a request that asks for an interface goes there, and so do the questions after it', async () => {
    const older = scriptedAgent({ version: '0.3', script });
    await older.start();
    const world = await startWorld({
      version: '1.0',
      script,
      card: url => ({
        ...minimalCard(url, '1.0'),
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: older.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        ],
      }),
    });
    try {
      const window = world.open();
      window.agents.configure({ Ann: { url: world.agent.url, origins: [new URL(older.url).origin] } });
      const file = readRequestFile(
        JSON.stringify({
          agent: 'Ann',
          interface: '0.3',
          requests: [
            { name: 'a', message: 'hi' },
            { name: 'b', interface: { protocolVersion: '1.0' }, message: 'hi' },
            { name: 'c', method: 'GetTask', params: { id: 'shared' } },
          ],
        }),
      );
      const runs = new RequestRuns(window, error => assert.fail(String(error)));
      for (const entry of file.requests) assert.equal((await runs.send(entry, file).done).problem, undefined);
      const operations = (agent: ScriptedAgent): unknown[] =>
        agent.requests.filter(({ method }) => method === 'POST').map(({ operation }) => operation);
      assert.deepEqual([operations(older), operations(world.agent)], [['SendStreamingMessage', 'GetTask'], ['SendStreamingMessage']]);
    } finally {
      await world.close();
      await older.stop();
    }
  });
});
