import * as assert from 'node:assert/strict';
import type { ReceivedRequest, Script } from '../../../src/mock/script.ts';
import { AgentContexts } from '../../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { RequestRuns } from '../../../src/model/requests/requestRuns.ts';
import type { RequestOutcome } from '../../../src/model/requests/requestOutcome.ts';
import { Problem, sentence } from '../../../src/protocol/problem.ts';
import { systemHost } from '../../../src/request/template/functions.ts';
import { readRequestFile } from '../../../src/request/check/readRequestFile.ts';
import type { Values } from '../../../src/request/text/value.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { says } from '../../support/client/says.ts';

const { secretOriginsIn } = await import('../../../src/workbench/requests/values/secretBindings.ts');
const { secretsToMask } = await import('../../../src/workbench/platform/shownSecrets.ts');
const { explain, report } = await import('../../../src/workbench/platform/report.ts');
const { responseText } = await import('../../../src/workbench/requests/response/text.ts');
const { log } = await import('../../../src/workbench/platform/log.ts');
const { verdictOf } = await import('../../../src/workbench/requests/testing/testMessages.ts');
const { escapeIcons, escapeLinks } = await import('../../../src/workbench/platform/untrustedText.ts');
const { configuredAgents } = await import('../../../src/workbench/platform/settings.ts');

const canary = 'c4n"ry<&sécret/of one+';
const privateValue = 'c4nary-private-two';
const pieces = [canary, privateValue].flatMap(value => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64').slice(0, -4),
]);
const noCanary = (text: string): void =>
  assert.deepEqual(
    pieces.filter(piece => text.includes(piece)),
    [],
    text,
  );

const echo: Script = { SendStreamingMessage: ({ params }) => [{ event: { message: says(JSON.stringify(params?.message.parts)) } }] };
const got = ({ requests }: { readonly requests: readonly ReceivedRequest[] }): boolean => requests.some(({ body }) => body.includes('c4n'));

class Memento {
  readonly #values = new Map<string, unknown>();
  readonly keys = (): readonly string[] => [...this.#values.keys()];
  get<T>(key: string): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, JSON.parse(JSON.stringify(value)));
  }
}

suite('secrets of request files in the workbench', () => {
  const open = new OpenThings();
  let close: (() => void)[];
  let asked: string[];
  let answer: string | undefined;
  let state: Memento;
  /** Addresses of agents of the user's own settings. */
  let mine: readonly string[];
  setup(() => {
    [asked, answer, state, mine] = [[], undefined, new Memento(), []];
    close = [
      inPlaceOf('workspace', {
        getConfiguration: () => ({ inspect: () => ({ globalValue: Object.fromEntries(mine.map(url => [url, { url }])) }) }),
      }),
      inPlaceOf('window', {
        showWarningMessage: async (question: string, { detail }: { readonly detail: string }) => {
          asked.push(`${question} ${detail}`);
          return answer;
        },
      }),
    ];
  });
  teardown(async () => {
    close.forEach(each => each());
    await open.close();
  });

  /** The requests of a file, sent one by one as the editor sends them. */
  async function send(
    requests: readonly object[],
    secret = canary,
  ): Promise<{ readonly outcomes: readonly RequestOutcome[]; readonly runs: RequestRuns }> {
    const fail = (error: unknown): void => {
      throw error;
    };
    const store = openStore(':memory:');
    const agents = new Agents({ http: open.http(), onError: fail });
    const contexts = new AgentContexts({ store, agents, owner: 'test', onError: fail });
    close.push(() => {
      contexts.dispose();
      agents.dispose();
      store.close();
    });
    const values: Values = new Map([['key', { value: privateValue, source: 'private', literal: false }]]);
    const file = readRequestFile(JSON.stringify({ requests }), { names: new Set(['key']) });
    const runs = new RequestRuns({ agents, contexts }, fail);
    const reach = {
      env: () => undefined,
      secret: async () => secret,
      prompt: async () => undefined,
      file: () => Promise.reject(new Error('none')),
    };
    const outcomes = await runs.sendAll(file, {
      values,
      host: { ...systemHost, sources: reach },
      secretOrigins: secretOriginsIn(state as never),
      onDraw: draw => {
        if (draw.kind === 'secret') secretsToMask.add(draw.value);
      },
    });
    return { outcomes, runs };
  }

  test('another origin asks, and a no sends nothing', async () => {
    const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
    const requests = [
      { agent: first.url, message: '{{$secret token}} {{key}}' },
      { agent: second.url, message: '{{$secret token}} {{key}}' },
    ];
    mine = [first.url];
    const { outcomes } = await send(requests);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, 'secret-elsewhere'],
    );
    assert.equal(asked.length, 1);
    assert.match(asked[0]!, /^Send the secret token, key to http:\/\/127\.0\.0\.1:\d+\?/);
    assert.ok(asked[0]!.includes(new URL(second.url).origin));
    assert.deepEqual([got(first), got(second)], [true, false]);
    // What is allowed is remembered, also by the next window.
    answer = 'Allow';
    assert.deepEqual(
      (await send(requests)).outcomes.map(({ problem }) => problem),
      [undefined, undefined],
    );
    assert.deepEqual([asked.length, got(second)], [2, true]);
    assert.deepEqual(
      (await send(requests)).outcomes.map(({ problem }) => problem),
      [undefined, undefined],
    );
    assert.equal(asked.length, 2);
    noCanary(JSON.stringify(state.get('requests.secretOrigins')));
  });

  test("a stored secret goes to no agent that is not the user's own before that is allowed, a private value does", async () => {
    const other = await open.agent(echo);
    const { outcomes } = await send([
      { agent: other.url, message: '{{key}}' },
      { agent: other.url, message: '{{$secret token}}' },
    ]);
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, 'secret-elsewhere'],
    );
    assert.match(asked.join(), /^Send the secret token to .*which is not in your user settings/);
    answer = 'Allow';
    assert.equal((await send([{ agent: other.url, message: '{{$secret token}}' }])).outcomes[0]?.problem, undefined);
  });

  test('an address that an answer chose asks, also for a secret that went nowhere before', async () => {
    const other = await open.agent(echo);
    const first = await open.agent({ SendStreamingMessage: [{ event: { message: says(other.url) } }] });
    const { outcomes } = await send([
      { name: 'one', agent: first.url, message: 'where?' },
      { agent: '{{one.message.parts[0].text}}', message: '{{$secret token}}' },
    ]);
    assert.equal(outcomes[1]?.problem?.code, 'secret-elsewhere');
    assert.match(asked.join(), /comes from the answer of an agent/);
    assert.equal(got(other), false);
  });

  test('one in an address is not told to the host of that address before somebody allowed it', async () => {
    const [first, second] = await Promise.all([open.agent(echo), open.agent(echo)]);
    const { outcomes } = await send([
      { agent: first.url, message: '{{key}}' },
      { agent: `${second.url}{{key}}`, message: 'x' },
    ]);
    assert.equal(outcomes[1]?.problem?.code, 'secret-elsewhere');
    assert.equal(second.requests.length, 0);
  });

  for (const address of [
    'http://{{$secret token}}.localhost:1/',
    'http://a.{{$secret token}}:1/',
    '{{$secret token}}.localhost:1',
    'http://x@{{$secret token}}.localhost/',
    'http:{{$secret token}}.localhost',
    'http://127.0.0.1:{{$secret token}}/',
  ]) {
    test(`one in the host of an address is refused before anybody looks that up: ${address}`, async () => {
      for (const value of [canary, 'c4nary', 'c4n.ary-7']) {
        const { outcomes } = await send([{ agent: address, message: 'x' }], value);
        assert.equal(outcomes[0]?.problem?.code, 'secret-in-host');
        assert.ok(!JSON.stringify([outcomes[0].problem, outcomes[0].problem.message]).includes('c4n'));
      }
    });
  }

  test('a private value may be a part of a host, and a secret a whole address or the beginning of one', async () => {
    const agent = await open.agent(echo);
    mine = [agent.url];
    const { outcomes } = await send(
      [
        { agent: '{{$secret token}}', message: 'x' },
        { agent: '{{$secret token}}x/..', message: 'x' },
        { agent: 'http://{{key}}.localhost:1/', message: 'x' },
      ],
      agent.url,
    );
    assert.deepEqual(
      outcomes.map(({ problem }) => problem?.code),
      [undefined, undefined, 'unreachable'],
    );
  });

  test('one that an answer repeats goes into no address, whose host would be looked up', async () => {
    const first = await open.agent({
      SendStreamingMessage: ({ params }) => [
        { event: { message: says(`http://${(params?.message.parts[0] as { text: string }).text}.localhost:1/`) } },
      ],
    });
    mine = [first.url];
    const { outcomes } = await send(
      [
        { name: 'one', agent: first.url, message: '{{$secret token}}' },
        { agent: '{{one.message.parts[0].text}}', message: 'x' },
      ],
      'c4nary-token',
    );
    assert.equal(outcomes[1]?.problem?.code, 'secret-elsewhere');
    assert.match(asked.join(), /comes from the answer of an agent/);
  });

  test('a header of the settings is shown by no notification, log line or title, whatever became of its agent', async () => {
    const [token, password, key, broken] = ['s3ttings-token', 'w0rd of:Ann', 'k3y-', 'm1staken-token'];
    const said: string[] = [];
    const note = (...all: unknown[]): void => void said.push(...all.map(String));
    const { warn } = log;
    const agents = {
      'key-agent': {
        url: 'http://localhost:1',
        headers: { Authorization: `Bearer ${token}`, 'X-Key': key, 'X-Tenant': 'acme', 'X-Auth-Agent': 'key-agent', Accept: 'text/words' },
      },
      basic: { url: 'http://localhost:2', headers: { Authorization: `Basic ${btoa(`Ann:${password}`)}` }, origins: [token] },
      mistaken: { url: 7, headers: { 'X-Token': broken, 'X-Number': 4711 } },
    };
    close.push(
      inPlaceOf('workspace', {
        isTrusted: true,
        workspaceFolders: undefined,
        getConfiguration: () => ({ inspect: () => ({ globalValue: agents }) }),
      }),
    );
    Object.assign(log, { warn: note });
    try {
      assert.deepEqual(Object.keys(configuredAgents().agents), ['key-agent', 'basic']);
    } finally {
      Object.assign(log, { warn });
    }
    assert.equal(said.length, 2);
    close.push(inPlaceOf('window', { showErrorMessage: async (message: string) => note(message) }));
    for (const secret of [token, password, key, broken]) {
      await report(new Problem('x', sentence('It says {0}.', secret), { details: btoa(`of ${secret} more`) }));
      said.push(escapeIcons(`title ${encodeURIComponent(secret)}`), JSON.stringify(explain(new Error(secret))));
    }
    for (const secret of [token, password, key, broken].flatMap(value => [value, encodeURIComponent(value), btoa(value).slice(0, -4)]))
      assert.ok(!said.join('\n').includes(secret), said.join('\n'));
    // Names of agents, and what may be any word and is not said to be a credential, stay.
    assert.equal(escapeIcons('key-agent of acme has text/words'), 'key-agent of acme has text/words');
  });

  test('no notification, log line, title, test or response document shows a value', async () => {
    const agent = await open.agent(echo);
    mine = [agent.url];
    const {
      outcomes: [, failed],
      runs,
    } = await send([
      {
        agent: agent.url,
        message: '{{$secret token}} {{key}}',
        expect: { text: 'nowhere {{$secret token}}', paths: { 'message.parts[0].text': '{{key}}' } },
      },
      { agent: 'no {{key}} {{$secret token}}', message: 'x' },
    ]);
    const run = runs.all[0]!;
    const document = JSON.parse(
      responseText('x', run, {
        exchange: () => undefined,
        explain,
        translate: ({ template, args }) => template.replaceAll(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)])),
      }),
    ) as { expectations: object[] };
    assert.ok(document.expectations.length >= 2);
    noCanary(JSON.stringify(document.expectations));
    assert.match(JSON.stringify(document.expectations), /••••••/);

    const said: string[] = [];
    const note = (...all: unknown[]): void => void said.push(...all.map(String));
    close.push(inPlaceOf('window', { showErrorMessage: async (message: string) => note(message) }));
    const { error, warn } = log;
    Object.assign(log, { error: note, warn: note });
    try {
      await report(failed?.problem);
      await report(
        new Problem('x', sentence('It says {0}.', canary), {
          nextStep: sentence('Look at {0}.', privateValue),
          details: encodeURIComponent(canary),
        }),
      );
      await report(new Error(`broken by ${canary}`));
      log.warn(`${canary} ${privateValue}`);
      log.error(new Error(canary));
    } finally {
      Object.assign(log, { error, warn });
    }
    assert.equal(said.length, 8);
    const textDocument = { uri: 'x.a2a', positionAt: (offset: number) => offset };
    const verdicts = runs.all.map(({ entry, outcome }) => verdictOf(entry, outcome!, textDocument as never));
    assert.deepEqual(
      verdicts.map(({ verdict }) => verdict),
      ['failed', 'errored'],
    );
    assert.ok(verdicts[0]!.messages.some(({ expectedOutput }) => expectedOutput !== undefined));
    said.push(JSON.stringify(verdicts.map(({ messages }) => messages)));
    said.push(escapeIcons(`title ${canary}`), escapeLinks(`question ${privateValue}`), JSON.stringify(explain(new Error(canary))));
    noCanary(said.join('\n'));
    assert.match(said.join('\n'), /••••••/);
  });
});
