import * as assert from 'node:assert/strict';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import type { UsedValues } from '../../../src/request/resolve/usedValues.ts';

const drawn = {
  secrets: new Map([['k', { kind: 'secret', key: 'k', name: 'token', value: 'canary-1' }]]),
  answers: false,
} as unknown as UsedValues;
const target = (url: string): { agent: string; urls: string[]; chosenByAnswer: boolean } => ({
  agent: 'Ann',
  urls: [url],
  chosenByAnswer: false,
});

suite('origins of secrets', () => {
  for (const [first, other] of [
    ['http://localhost:9/a', 'http://127.0.0.1:9/a'],
    ['http://127.0.0.1:9/', 'http://[::1]:9/'],
    ['http://127.0.0.1:9/', 'http://127.0.0.2:9/'],
    ['http://localhost:9/', 'http://one.localhost:9/'],
    ['https://agent.example/', 'https://agent.example:444/'],
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

  test('what an answer chose as the address gets no secret that has not been there, not even the first time', async () => {
    const chosen = { ...target('https://agent.example/'), chosenByAnswer: true };
    await assert.rejects(new SecretOrigins().release(drawn, {}, chosen), { code: 'secret-elsewhere' });
    const origins = new SecretOrigins();
    await origins.release(drawn, {}, target('https://agent.example/'));
    await origins.release(drawn, {}, chosen);
  });

  test('a secret that an answer repeats is one, in every way in which it may be written', async () => {
    const origins = new SecretOrigins();
    await origins.release(drawn, {}, target('https://agent.example/'));
    const quoting = { secrets: new Map(), answers: true } as unknown as UsedValues;
    for (const text of ['x canary-1 y', encodeURIComponent('canary-1'), Buffer.from('canary-1').toString('base64')]) {
      await assert.rejects(
        origins.release(quoting, { message: { parts: [{ text }] } }, target('https://other.example/')),
        { code: 'secret-elsewhere' },
        text,
      );
    }
    await origins.release(quoting, { text: 'canary' }, target('https://other.example/'));
    await origins.release(quoting, { text: 'canary-1' }, target('https://agent.example/'));
  });

  test('what is allowed for one run alone is not where the secret belongs from then on', async () => {
    const kept = new Map<string, readonly string[]>();
    const memory = {
      get: (key: string) => kept.get(key) ?? [],
      put: (key: string, origins: readonly string[]) => void kept.set(key, origins),
    };
    await new SecretOrigins({ memory }).release(drawn, {}, target('https://agent.example/'));
    await new SecretOrigins({ memory, allowed: ['https://other.example'] }).release(drawn, {}, target('https://other.example/'));
    assert.deepEqual([...kept.values()], [['https://agent.example']]);
    await assert.rejects(new SecretOrigins({ memory }).release(drawn, {}, target('https://other.example/')), { code: 'secret-elsewhere' });
    await new SecretOrigins({ memory, ask: async () => true }).release(drawn, {}, target('https://third.example/'));
    assert.deepEqual([...kept.values()], [['https://agent.example', 'https://third.example']]);
  });
});
