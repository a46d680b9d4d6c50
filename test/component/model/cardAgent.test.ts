import * as assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../../src/client/http/http.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { CardAgent } from '../../../src/model/mocks/cardAgent.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';

suite('a mock agent that shows a card', () => {
  for (const generation of ['1.0', '0.3', '0.1']) {
    test(`repeats what it is told, in the version of the card: ${generation}`, async () => {
      let card: object = minimalCard('https://elsewhere.example/', generation);
      const agent = new CardAgent(
        () => card,
        error => {
          throw error;
        },
      );
      const http = new Http({ loadObserver });
      try {
        const url = await agent.start();
        const found = await resolveAgentCard(url, { http });
        const chosen = chooseInterface(found.card, found.cardUrl);
        assert.deepEqual([chosen.interface.url, chosen.version.protocolVersion], [url, generation]);
        const client = new AgentClient({ card: found.card, chosen, http, agentUrl: found.agentUrl });
        const message = () => ({ messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text: 'ahoy' }] });
        const { result } = await client.call('SendMessage', { message: message() });
        assert.ok('task' in result && result.task.status.state === 'TASK_STATE_COMPLETED');
        const { result: read } = await client.call('GetTask', { id: result.task.id });
        assert.deepEqual(read.artifacts?.[0]?.parts, [{ text: 'ahoy' }]);
        const kinds: string[] = [];
        for await (const { events } of client.stream('SendStreamingMessage', { message: message() }))
          kinds.push(...events.flatMap(event => Object.keys(event)));
        assert.equal(kinds.at(-1), 'statusUpdate');
        assert.ok(kinds.includes('artifactUpdate'));
        await assert.rejects(client.call('CancelTask', { id: result.task.id }), /TaskNotCancelable/);
        await assert.rejects(client.call('GetTask', { id: 'nobody' }), /TaskNotFound/);
        card = { ...card, name: 'Renamed' };
        assert.equal((await resolveAgentCard(url, { http })).card.name, 'Renamed');
      } finally {
        await agent.stop();
        await http.close();
      }
    });
  }
});
