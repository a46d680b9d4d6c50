import * as assert from 'node:assert/strict';
import { resolveAgentCard } from '../../../../src/client/card/agentCardResolver.ts';
import { offeredInterfaces } from '../../../../src/client/interfaces/offeredInterface.ts';
import { minimalCard } from '../../../../src/mock/minimalCard.ts';
import type { AgentCard } from '../../../../src/protocol/card/agentCard.ts';
import { cpuTime } from '../../../support/cpuTime.ts';
import { OpenThings } from '../../../support/client/openThings.ts';

const many = <T>(count: number, of: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => of(index));

suite('how much of a card is read', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  test('a thousand interfaces, skills and schemes; the rest is said', async () => {
    const card = {
      ...(minimalCard('http://localhost:1/', '1.0') as object),
      supportedInterfaces: many(30_000, index => ({
        url: `http://localhost:1/${index}`,
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
      })),
      skills: many(2_000, index => ({ id: `s${index}`, name: 's', description: '', tags: [] })),
      securitySchemes: Object.fromEntries(many(1_500, index => [`s${index}`, { httpAuthSecurityScheme: { scheme: 'Bearer' } }])),
    };
    for (const body of [card, { jsonrpc: '2.0', id: 1, result: card }]) {
      const url = await open.web((_request, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
      const resolved = await resolveAgentCard(url, { http: open.http() });
      assert.deepEqual(
        [resolved.card.supportedInterfaces.length, resolved.card.skills.length, Object.keys(resolved.card.securitySchemes ?? {}).length],
        [1_000, 1_000, 1_000],
      );
      assert.deepEqual(
        resolved.findings.map(({ message }) => message).filter(message => message.includes('were read')),
        [
          'The card has 30000 of supportedInterfaces; the first 1000 were read.',
          'The card has 2000 of skills; the first 1000 were read.',
          'The card has 1500 of securitySchemes; the first 1000 were read.',
        ],
      );
    }
  });

  test('what its interfaces are is found out once, and in proportion', () => {
    const card = {
      supportedInterfaces: many(30_000, index => ({
        url: `http://localhost:1/${index}`,
        protocolBinding: 'JSONRPC',
        protocolVersion: `1.${index % 2}`,
      })),
    } as unknown as AgentCard;
    // In a square of them it took minutes.
    assert.ok(cpuTime(() => void offeredInterfaces(card, 'http://localhost:1/')) < 5_000);
    assert.equal(offeredInterfaces(card, 'http://localhost:1/'), offeredInterfaces(card, 'http://localhost:1/'));
    assert.notEqual(offeredInterfaces(card, 'http://localhost:2/'), offeredInterfaces(card, 'http://localhost:1/'));
  });
});
