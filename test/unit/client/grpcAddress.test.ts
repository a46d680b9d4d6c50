import * as assert from 'node:assert/strict';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { ignoreFindings } from '../../../src/protocol/finding.ts';
import { readAgentCard } from '../../../src/protocol/versions/index.ts';

const near = 'http://127.0.0.1:4000/card.json';
const far = 'https://agent.example/card.json';

/** What a card may write, and where it leads. */
const addresses: readonly (readonly [written: string, cardUrl: string, url: string])[] = [
  ['localhost:50051', far, 'http://localhost:50051/'],
  ['127.0.0.1:50051', far, 'http://127.0.0.1:50051/'],
  ['[::1]:50051', far, 'http://[::1]:50051/'],
  ['agent.example:50051', near, 'https://agent.example:50051/'],
  ['agent.example', near, 'https://agent.example/'],
  ['10.0.0.7:443', near, 'https://10.0.0.7/'],
  ['0.0.0.0:50051', near, 'http://127.0.0.1:50051/'],
  ['0.0.0.0:50051', far, 'https://agent.example:50051/'],
  ['dns:///agent.example:50051', near, 'https://agent.example:50051/'],
  ['dns:///localhost:50051', far, 'http://localhost:50051/'],
  ['grpc://agent.example:50051', near, 'http://agent.example:50051/'],
  ['GRPCS://localhost:50051', near, 'https://localhost:50051/'],
  ['https://agent.example/grpc', near, 'https://agent.example/grpc'],
  ['http://agent.example:50051', near, 'http://agent.example:50051/'],
  ['/grpc', far, 'https://agent.example/grpc'],
  ['', far, 'https://agent.example/card.json'],
];

suite('gRPC address', () => {
  for (const [written, cardUrl, url] of addresses) {
    test(`${written || '(empty)'} in a card at ${cardUrl}`, () => {
      const entry = { url: written, protocolBinding: 'GRPC', protocolVersion: '1.0' };
      const card = { ...readAgentCard({ ...minimalCard('/', '1.0') }, ignoreFindings), supportedInterfaces: [entry] };
      assert.equal(chooseInterface(card, cardUrl).interface.url, url);
      // The same in the settings finds the card's interface.
      assert.equal(chooseInterface(card, cardUrl, { url: written }).interface.url, url);
    });
  }

  test('host:port in the settings where the card has no such interface', () => {
    const card = readAgentCard({ ...minimalCard('/', '1.0') }, ignoreFindings);
    const { interface: chosen, transport } = chooseInterface(card, far, { url: 'localhost:50051', protocolBinding: 'grpc' });
    assert.deepEqual([chosen.url, transport.protocolBinding], ['http://localhost:50051/', 'GRPC']);
  });
});
