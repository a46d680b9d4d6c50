import * as assert from 'node:assert/strict';
import { SecretOrigins } from '../../../src/model/secretOrigins.ts';
import type { Drawn } from '../../../src/request/drawn.ts';

const drawn = { secrets: new Map([['k', { kind: 'secret', key: 'k', name: 'token', value: 'canary-1' }]]), answers: false } as unknown as Drawn;
const target = (url: string): { agent: string; urls: string[]; chosenByAnswer: boolean } => ({ agent: 'Ann', urls: [url], chosenByAnswer: false });

suite('origins of secrets', () => {
  for (const [first, other] of [
    ['http://localhost:9/a', 'http://127.0.0.1:9/a'], ['http://127.0.0.1:9/', 'http://[::1]:9/'], ['http://127.0.0.1:9/', 'http://127.0.0.2:9/'],
    ['http://localhost:9/', 'http://one.localhost:9/'], ['https://agent.example/', 'https://agent.example:444/'],
  ] as const) {
    test(`a secret that went to ${first} goes to ${other} only where that is allowed`, async () => {
      const origins = new SecretOrigins();
      await origins.release(drawn, {}, target(first));
      await origins.release(drawn, {}, target(`${first}b`));
      await assert.rejects(origins.release(drawn, {}, target(other)), { code: 'secret-elsewhere' });
      const allowing = new SecretOrigins({ allowed: [new URL(other).origin] });
      await allowing.release(drawn, {}, target(first));
      await allowing.release(drawn, {}, target(other));
    });
  }
});
