import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { Recording } from '../../../src/recording/recording.ts';
import { playedCard } from '../../../src/recording/playedCard.ts';

const url = 'http://127.0.0.1:1/';
const secret = { type: 'apiKey', in: 'header', name: 'X' };
/** What the played agent does not ask for, nor vouch for. */
const closed = {
  securitySchemes: { key: secret },
  security: [{ key: [] }],
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  signatures: [{ protected: 'e30', signature: 'x' }],
};

suite('the card of a played agent', () => {
  for (const recorded of ['1.0', '0.3'])
    for (const generation of ['1.0', '0.3', '0.1'])
      test(`recorded in ${recorded} and played in ${generation}: without sign-ins and signatures, at its own address`, () => {
        const own = { ...minimalCard('https://agent.test/', recorded, 'JSONRPC'), name: 'Ann', ...closed };
        const recording = { card: own, agent: { url: 'https://agent.test/' } } as unknown as Recording;
        const card = playedCard(recording, url, { generation, binding: 'JSONRPC', index: undefined }) as Record<string, unknown>;
        assert.equal(card['name'], 'Ann');
        assert.deepEqual(
          Object.keys(closed).filter(name => name in card),
          [],
        );
        assert.ok(!JSON.stringify(card).includes('agent.test') && JSON.stringify(card).includes(url));
      });
});
