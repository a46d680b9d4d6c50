import * as assert from 'node:assert/strict';
import { isTrustedWith, wishName } from '../../../src/workbench/interfaceNames.ts';

suite('names of interfaces', () => {
  const agent = (url: string, ...origins: string[]) => ({ url, settings: { origins } });
  const rows: readonly (readonly [agent: ReturnType<typeof agent>, origin: string, trusted: boolean])[] = [
    [agent('http://localhost:9999'), 'http://localhost:9999', true],
    [agent('http://localhost:9999/a/.well-known/agent-card.json'), 'http://localhost:9999', true],
    [agent('localhost:9999'), 'http://localhost:9999', true],
    [agent('agents.example/one'), 'https://agents.example', true],
    [agent('http://localhost:9999'), 'http://localhost:9998', false],
    [agent('http://localhost:9999'), 'https://localhost:9999', false],
    [agent('http://localhost:9999', 'https://other.example'), 'https://other.example', true],
    [agent('http://localhost:9999', 'https://other.example'), 'https://another.example', false],
    [agent('http://['), 'https://other.example', false],
  ];
  for (const [known, origin, trusted] of rows) {
    test(`${known.url} ${trusted ? 'may' : 'may not'} be spoken to at ${origin}`, () => assert.equal(isTrustedWith(known, origin), trusted));
  }

  test('a wish is said in the words it has', () => {
    assert.deepEqual([wishName({ protocolVersion: '0.3' }), wishName({ url: 'http://a', protocolBinding: 'GRPC', protocolVersion: '1.0' })], ['0.3', 'GRPC 1.0 http://a']);
  });
});
