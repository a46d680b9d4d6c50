import * as assert from 'node:assert/strict';
import { AgentHeaders, missingSecretOf, originsOfHeaders, type AgentValueSources } from '../../../src/model/agents/agentHeaders.ts';
import type { AgentSettings } from '../../../src/model/agents/agentSettings.ts';
import { SecretOrigins, type SecretQuestion } from '../../../src/model/agents/secretOrigins.ts';

const url = 'https://agent.example/';

interface Given {
  readonly settings?: Partial<AgentSettings>;
  readonly secrets?: Map<string, string>;
  readonly answer?: string;
  readonly allows?: boolean;
}

function headersOf({ settings = {}, secrets = new Map(), answer, allows = false }: Given) {
  const asked: string[] = [];
  const questions: SecretQuestion[] = [];
  const used: (readonly [string, string, boolean])[] = [];
  const sources: AgentValueSources = {
    env: name => ({ TEAM: 'harbour', EMPTY: '' })[name],
    secret: async name => secrets.get(name),
    askForSecret: async name => {
      asked.push(name);
      if (answer !== undefined) secrets.set(name, answer);
    },
    onUse: (...all) => void used.push(all),
    origins: new SecretOrigins({
      isNamed: () => false,
      ask: async question => {
        questions.push(question);
        return allows;
      },
    }),
    file: async () => new Uint8Array(),
  };
  return { headers: new AgentHeaders('Ann', { url, ...settings }, sources), asked, questions, used, secrets };
}

suite('headers of an agent', () => {
  test('secrets and variables are filled in for each request, and masked before', async () => {
    const { headers, used, secrets } = headersOf({
      settings: { headers: { Authorization: 'Bearer {{$secret KEY}}', 'X-Team': '{{$env TEAM}}', Plain: 'a \\{{b}}' } },
      secrets: new Map([['KEY', 'one']]),
    });
    assert.deepEqual(await headers.configured.to(new URL(url)), { Authorization: 'Bearer one', 'X-Team': 'harbour', Plain: 'a {{b}}' });
    secrets.set('KEY', 'two');
    assert.equal((await headers.configured.to(new URL(url)))['Authorization'], 'Bearer two');
    assert.ok(used.some(([name, value, secret]) => name === 'KEY' && value === 'two' && secret));
    assert.ok(used.some(([name, value, secret]) => name === 'Authorization' && value === 'Bearer two' && !secret));
    assert.equal(headers.configured.secret.isCertain?.('authorization'), true);
    assert.equal(headers.configured.secret.isCertain?.('x-team'), false);
    assert.equal(headers.configured.secret.has('plain'), true);
  });

  test('what is missing is said by its name, and the person is asked once', async () => {
    const settings = { headers: { A: '{{$secret KEY}}', B: '{{$secret KEY}}' } };
    const none = headersOf({ settings });
    await none.headers.ask(() => [url]);
    assert.deepEqual(none.asked, ['KEY']);
    await assert.rejects(none.headers.configured.to(new URL(url)), error => missingSecretOf(error) === 'KEY');
    const given = headersOf({ settings, answer: 'now' });
    await given.headers.ask(() => [url]);
    await given.headers.ask(() => [url]);
    assert.deepEqual(given.asked, ['KEY']);
    assert.deepEqual(await given.headers.configured.to(new URL(url)), { A: 'now', B: 'now' });
    for (const name of ['EMPTY', 'GONE'])
      await assert.rejects(headersOf({ settings: { headers: { A: `{{$env ${name}}}` } } }).headers.configured.to(new URL(url)), {
        code: 'variable-missing',
      });
  });

  test('for an agent of a workspace the person decides, and nobody is asked while nobody waits', async () => {
    const given = {
      settings: { ofWorkspace: true, headers: { A: '{{$secret KEY}}', B: '{{$env TEAM}}' } },
      secrets: new Map([['KEY', 'one']]),
    };
    const refusing = headersOf(given);
    await assert.rejects(refusing.headers.configured.to(new URL(url)), { code: 'secret-elsewhere' });
    assert.deepEqual(refusing.questions, []);
    await refusing.headers.ask(() => [url]);
    assert.deepEqual(
      refusing.questions.map(({ names, origin, unsent }) => [names, origin, unsent]),
      [[['KEY', '$env TEAM'], 'https://agent.example', true]],
    );
    await assert.rejects(refusing.headers.configured.to(new URL(url)), { code: 'secret-elsewhere' });
    const allowing = headersOf({ ...given, allows: true });
    await allowing.headers.ask(() => [url]);
    assert.deepEqual(await allowing.headers.configured.to(new URL(url)), { A: 'one', B: 'harbour' });
    // Allowed there, and nowhere else.
    await assert.rejects(allowing.headers.configured.to(new URL('https://other.example/')), { code: 'secret-elsewhere' });
    const own = headersOf({ ...given, settings: { ...given.settings, ofWorkspace: false } });
    assert.deepEqual(await own.headers.configured.to(new URL(url)), { A: 'one', B: 'harbour' });
    assert.deepEqual(own.questions, []);
  });

  test('the origins that have them are those that the settings name', () => {
    assert.deepEqual(originsOfHeaders({ url: 'agent.example/card.json', origins: ['https://b.example/x', 'nothing at all://'] }), [
      'https://agent.example',
      'https://b.example',
    ]);
    assert.deepEqual(originsOfHeaders({ url: 'http://127.0.0.1:9/', interface: { url: 'http://localhost:8/rpc' } }), [
      'http://127.0.0.1:9',
      'http://localhost:8',
    ]);
  });
});
