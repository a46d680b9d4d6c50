import * as assert from 'node:assert/strict';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { scriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { headersWithoutCredentials } from '../../../src/request/template/headerTemplate.ts';

const headers = {
  'X-Api-Key': 'k3y-of-the-settings',
  'X-Team': '{{$secret TEAM}}',
  Authorization: 'Bearer abc',
  'X-Trace': 'on',
  'X-Stage': '{{$env STAGE}}',
};

suite('requests without credentials', () => {
  test('have of the settings what is neither named like a credential nor a stored secret', () => {
    assert.deepEqual(headersWithoutCredentials(headers), { 'X-Trace': 'on', 'X-Stage': '{{$env STAGE}}' });
  });

  test('have these headers alone, and ask for no secret', async () => {
    const http = new Http({ loadObserver });
    const server = scriptedAgent({ version: '1.0', script: { GetTask: [{ error: { code: -32001, message: 'no such task' } }] } });
    await server.start();
    const asked: string[] = [];
    const agents = new Agents({
      http,
      onError: error => assert.fail(String(error)),
      values: {
        env: () => 'test',
        secret: name => Promise.resolve((asked.push(name), 'secret-team')),
        onUse: () => {},
        origins: { release: () => Promise.resolve() },
        file: () => assert.fail('no file'),
      },
    });
    try {
      agents.configure({ Guarded: { url: server.url, headers } });
      const agent = agents.get('Guarded')!;
      const sent = async (wanted: object): Promise<Readonly<Record<string, unknown>>> => {
        const client = await agent.connect({ wanted });
        asked.length = 0;
        await assert.rejects(client.call('GetTask', { id: 'none' }));
        const received = server.requests.findLast(({ operation }) => operation === 'GetTask')!.headers;
        return Object.fromEntries(Object.keys(headers).map(name => [name, received[name.toLowerCase()]]));
      };
      const nothing = { 'X-Api-Key': undefined, 'X-Team': undefined, Authorization: undefined };
      assert.deepEqual(await sent({ identity: 'none', withoutCredentials: true }), { ...nothing, 'X-Trace': 'on', 'X-Stage': 'test' });
      assert.deepEqual(asked, []);
      // Who has no sign-in has the headers all the same, also after that.
      assert.deepEqual(await sent({ identity: 'none' }), { ...headers, 'X-Team': 'secret-team', 'X-Stage': 'test' });
      assert.deepEqual(asked, ['TEAM']);
    } finally {
      agents.dispose();
      await server.stop();
      await http.close();
    }
  });
});
