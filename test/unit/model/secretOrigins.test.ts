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

  suite('variables of the environment', () => {
    const variable = (name: string, value: string, isShown = true): UsedValues =>
      ({
        secrets: new Map([
          [`env ${name}`, { kind: 'secret', key: `env ${name}`, name: `$env ${name}`, value, ...(isShown && { isShown }) }],
        ]),
        answers: false,
      }) as unknown as UsedValues;
    test('those of a file go anywhere first; those of settings only where the person has agents', async () => {
      const origins = new SecretOrigins({ isNamed: () => false });
      const agent = target('https://agent.example/');
      await assert.rejects(origins.release(variable('STAGE', 'prod'), {}, agent), { code: 'secret-elsewhere' });
      await origins.release(variable('STAGE', 'prod'), {}, { ...agent, ofFile: true });
      await assert.rejects(origins.release(variable('STAGE', 'prod'), {}, { ...target('https://other.example/'), ofFile: true }), {
        code: 'secret-elsewhere',
      });
    });

    test("what may be any word is nobody's because an answer has it", async () => {
      const quoting = { secrets: new Map(), answers: true } as unknown as UsedValues;
      for (const [isShown, refused] of [
        [true, false],
        [false, true],
      ] as const) {
        const origins = new SecretOrigins();
        await origins.release(variable('STAGE', 'production', isShown), {}, { ...target('https://agent.example/'), ofFile: true });
        const sent = origins.release(quoting, { text: 'in production' }, { ...target('https://other.example/'), ofFile: true });
        if (refused) await assert.rejects(sent, { code: 'secret-elsewhere' });
        else await sent;
      }
    });

    test('addresses that the person typed get all of them but credentials', async () => {
      const origins = new SecretOrigins({ typed: ['https://other.example'] });
      for (const isShown of [true, false]) {
        const one = variable(`X${isShown}`, 'of-the-environment', isShown);
        await origins.release(one, {}, { ...target('https://agent.example/'), ofFile: true });
        const sent = origins.release(one, {}, { ...target('https://other.example/'), ofFile: true });
        if (isShown) await sent;
        else await assert.rejects(sent, { code: 'secret-elsewhere' });
      }
    });

    test('one value under two names is one secret', async () => {
      const origins = new SecretOrigins();
      await origins.release(drawn, {}, target('https://agent.example/'));
      const again = variable('COPY', 'canary-1', false);
      await assert.rejects(origins.release(again, {}, { ...target('https://other.example/'), ofFile: true }), { code: 'secret-elsewhere' });
      await origins.release(again, {}, { ...target('https://agent.example/'), ofFile: true });
      // As words they may be equal by chance.
      await origins.release(variable('WORD', 'canary-1'), {}, { ...target('https://other.example/'), ofFile: true });
    });
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
