import * as assert from 'node:assert/strict';
import { AgentClient } from '../../../src/client/agentClient.ts';
import type { AgentClientListener } from '../../../src/client/agentClientListener.ts';
import { chooseInterface, chosenInterface, type ChosenInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { offeredInterfaces } from '../../../src/client/interfaces/offeredInterface.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import type { ReceivedRequest, Step } from '../../../src/mock/script.ts';
import type { ScriptedAgent } from '../../../src/mock/scriptedAgent.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { english, Problem } from '../../../src/protocol/problem.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks, says, task } from '../../support/client/says.ts';
import { WireRecording } from '../../support/client/wireRecording.ts';

const refusal = (data?: unknown): Step[] => [
  { error: { code: -32009, message: 'not this version', ...(data === undefined ? {} : { data }) } },
];
const noMethod: Step[] = [{ error: { code: -32601, message: 'Method not found' } }];
const answer: Step[] = [{ answer: { message: says('hi') } }];

interface Agents {
  /** What is spoken first. */
  readonly newer: ScriptedAgent;
  readonly older: ScriptedAgent;
  readonly client: AgentClient;
  readonly told: string[];
  readonly log: WireRecording;
}

suite('a version that is refused', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  /** An agent with two addresses, `1.0` and an older one, and a client that speaks the first. */
  async function agents(
    turn: Step[],
    { older: olderTurn = answer, generation = '0.3', others = true, approved = true } = {},
  ): Promise<Agents> {
    const script = (steps: Step[]): object => ({
      SendMessage: steps,
      SendStreamingMessage: steps,
      GetTask: steps,
      ListTasks: steps,
      CancelTask: steps,
      SubscribeToTask: steps,
    });
    const older = await open.agent(script(olderTurn), generation);
    const newer = await open.agent(script(turn), '1.0', {
      card: url => ({
        ...minimalCard(url, '1.0'),
        supportedInterfaces: [
          { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: older.url, protocolBinding: 'JSONRPC', protocolVersion: generation },
        ],
      }),
    });
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(newer.url, { http });
    const chosen = chooseInterface(card, cardUrl);
    const told: string[] = [];
    const listener: AgentClientListener = {
      versionSwitched: (from, to) => told.push(`${from.version.protocolVersion} -> ${to.version.protocolVersion}`),
      versionRefused: () => told.push('refused'),
    };
    const spoken: ChosenInterface[] = offeredInterfaces(card, cardUrl).map(({ interface: entry }) =>
      chosenInterface(entry, chosen.reason, chosen.address),
    );
    const approvedOrigins = new Set(approved ? [new URL(older.url).origin] : []);
    return {
      newer,
      older,
      told,
      log: new WireRecording(),
      client: new AgentClient({
        card,
        chosen,
        http,
        agentUrl,
        approvedOrigins,
        headers: { 'X-Key': 'k' },
        listener,
        others: others ? spoken : [],
      }),
    };
  }

  const posts = (agent: ScriptedAgent): (string | undefined)[] =>
    agent.requests.filter(({ method }) => method === 'POST').map(({ operation }: ReceivedRequest) => operation);

  for (const [name, turn] of Object.entries({ 'by its number': refusal(), 'by an unknown method': noMethod })) {
    test(`${name}, is answered once in the other version of the card, and that one stays`, async () => {
      const { client, newer, older, told, log } = await agents(turn);
      const { result } = await client.call('SendMessage', asks('hello'), { log, exchangeId: 'first' });
      assert.deepEqual(result, { message: says('hi') });
      assert.deepEqual([posts(newer), posts(older), told], [['SendMessage'], ['SendMessage'], ['1.0 -> 0.3']]);
      assert.deepEqual(
        log.exchanges.map(({ id, findings }) => [id === 'first', findings.map(({ rule }) => rule)]),
        [
          [true, ['CARD-07']],
          [false, []],
        ],
      );
      assert.match(english(client.chosen.reason), /Uses JSONRPC 0\.3 .* because the agent refused A2A 1\.0/);
      await client.call('SendMessage', asks('again'));
      assert.deepEqual([posts(newer).length, posts(older).length], [1, 2]);
    });
  }

  test('is answered for a stream too, before anything has come', async () => {
    const { client, told, log } = await agents(noMethod, { older: [{ event: { task: task('TASK_STATE_COMPLETED') } }] });
    const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go'), { log }));
    assert.deepEqual(
      [error, items.flatMap(({ events }) => events), told],
      [undefined, [{ task: task('TASK_STATE_COMPLETED') }], ['1.0 -> 0.3']],
    );
    assert.equal(items.at(-1)?.exchangeId, log.exchanges[1]?.id);
  });

  test('is not answered in the middle of a stream', async () => {
    const { client, older, told } = await agents([{ event: { task: task('TASK_STATE_WORKING') } }, ...refusal()]);
    const { items, error } = await drain(client.stream('SendStreamingMessage', asks('go')));
    assert.equal(items.flatMap(({ events }) => events).length, 1);
    assert.ok(error instanceof Problem && error.code === 'agent-error');
    assert.deepEqual([posts(older), told], [[], []]);
  });

  const silent: Readonly<
    Record<
      string,
      { readonly turn: Step[]; readonly more?: Parameters<typeof agents>[1]; readonly operation?: 'ListTasks'; readonly told: string[] }
    >
  > = {
    'where a person asked for it': { turn: refusal(), more: { others: false }, told: ['refused'] },
    'where the agent names versions that its card does not have': {
      turn: refusal([{ metadata: { supportedVersions: ['0.2'] } }]),
      told: ['refused'],
    },
    'where the other address is not approved': { turn: refusal(), more: { approved: false }, told: ['refused'] },
    'for any other error': { turn: [{ error: { code: -32602, message: 'bad params' } }], told: [] },
    'for a broken connection': { turn: [{ close: true }], told: [] },
    'for an operation that not every agent has': { turn: noMethod, operation: 'ListTasks', told: [] },
  };
  for (const [name, { turn, more = {}, operation, told: expected }] of Object.entries(silent)) {
    test(`stays refused ${name}`, async () => {
      const { client, older, told } = await agents(turn, more);
      await assert.rejects(operation === undefined ? client.call('SendMessage', asks('hello')) : client.call(operation, {}), Problem);
      assert.deepEqual([posts(older), told, client.chosen.version.protocolVersion], [[], expected, '1.0']);
    });
  }

  test('stays refused when the other one is refused as well, and is not asked a third time', async () => {
    const { client, newer, older, told } = await agents(refusal(), { older: noMethod });
    for (const text of ['one', 'two'])
      await assert.rejects(client.call('SendMessage', asks(text)), /VersionNotSupportedError \(-32009\): not this version/);
    assert.deepEqual(
      [posts(newer).length, posts(older).length, told, client.chosen.version.protocolVersion],
      [2, 1, ['refused', 'refused'], '1.0'],
    );
  });

  test('an error that shows that the other one is spoken is the answer', async () => {
    const { client, told } = await agents(refusal(), { older: [{ error: { code: -32001, message: 'no such task' } }] });
    await assert.rejects(client.call('GetTask', { id: 't' }), /TaskNotFoundError/);
    assert.deepEqual(told, ['1.0 -> 0.3']);
  });

  test('calls that are under way together are all answered', async () => {
    const { client, older, told } = await agents([{ delay: 20 }, ...refusal()]);
    await Promise.all(['one', 'two', 'three'].map(text => client.call('SendMessage', asks(text))));
    assert.deepEqual([posts(older).length, told], [3, ['1.0 -> 0.3']]);
  });

  test('the first version counts again when the other one could not be reached', async () => {
    const { client, newer, older, told } = await agents(refusal());
    await older.stop();
    for (const text of ['one', 'two']) await assert.rejects(client.call('SendMessage', asks(text)), { code: 'unreachable' });
    assert.deepEqual([posts(newer).length, told, client.chosen.version.protocolVersion], [2, [], '1.0']);
  });

  test('the first version counts again when the reader leaves the other one before its first event', async () => {
    const unreadable: Step[] = [
      { status: 200, headers: { 'content-type': 'text/event-stream' } },
      { raw: 'data: {"neither": "event"}\n\n' },
      { stall: true },
    ];
    const { client, newer, older, told } = await agents(refusal(), { older: unreadable });
    for (const text of ['one', 'two']) {
      for await (const { events } of client.stream('SendStreamingMessage', asks(text))) {
        assert.deepEqual([events, client.chosen.version.protocolVersion], [[], '0.3']);
        break;
      }
      assert.equal(client.chosen.version.protocolVersion, '1.0');
    }
    assert.deepEqual([posts(newer).length, posts(older).length, told], [2, 2, []]);
  });

  const supported: Readonly<Record<string, unknown>> = {
    'a list': { supportedVersions: ['0.3'] },
    'a text': { supportedVersions: '0.3, 0.2' },
    'in details': [{ '@type': 'x', metadata: { supportedVersions: '0.3' } }],
  };
  for (const [name, data] of Object.entries(supported)) {
    test(`the agent's own list of versions counts: ${name}`, async () => {
      const { client } = await agents(refusal(data));
      await client.call('SendMessage', asks('hello'));
      assert.equal(client.chosen.version.protocolVersion, '0.3');
    });
  }

  test('the next step names the versions that the agent says it speaks', async () => {
    const { client } = await agents(refusal({ supportedVersions: ['0.2', '0.3'] }), { others: false });
    await assert.rejects(client.call('SendMessage', asks('hello')), (error: Problem) =>
      /supports 0\.2, 0\.3/.test(english(error.nextStep!)),
    );
  });
});

suite('extensions', () => {
  const open = new OpenThings();
  teardown(() => open.close());
  const uris = ['https://example.com/one', 'https://example.com/two'];

  for (const [generation, name] of Object.entries({
    '1.0': 'a2a-extensions',
    '1.0-rc': 'a2a-extensions',
    '0.3': 'x-a2a-extensions',
    '0.2': 'x-a2a-extensions',
    '0.1': undefined,
  })) {
    test(`are asked for in ${generation} under ${name ?? 'no name'}`, async () => {
      const { agent, client } = await open.spoken({ SendMessage: [{ answer: { task: task('TASK_STATE_COMPLETED') } }] }, generation, {
        extensions: uris,
      });
      await client.call('SendMessage', asks('hello'));
      const { headers } = agent.requests.at(-1)!;
      const sent = Object.entries(headers).filter(([header]) => /extensions/.test(header));
      assert.deepEqual(sent, name === undefined ? [] : [[name, uris.join(', ')]]);
    });
  }

  const echoes: Readonly<
    Record<string, { readonly headers: Record<string, string>; readonly active: readonly string[]; readonly findings: number }>
  > = {
    all: { headers: { 'A2A-Extensions': uris.join(',') }, active: uris, findings: 0 },
    'under the older name': { headers: { 'X-A2A-Extensions': uris.join(', ') }, active: uris, findings: 0 },
    'one of them': { headers: { 'A2A-Extensions': uris[0]! }, active: [uris[0]!], findings: 1 },
    none: { headers: {}, active: [], findings: 2 },
  };
  for (const [name, { headers, active, findings }] of Object.entries(echoes)) {
    test(`the answer says which are active: ${name}`, async () => {
      const told: string[][] = [];
      const listener = { extensionsActivated: (names: ReadonlySet<string>) => void told.push([...names]) };
      const { client, log } = await open.spoken({ SendMessage: [{ status: 200, headers }, { answer: { message: says('hi') } }] }, '1.0', {
        extensions: uris,
        listener,
      });
      await client.call('SendMessage', asks('hello'), { log });
      assert.deepEqual(told, [active]);
      assert.deepEqual(
        log.last.findings.map(({ rule }) => rule),
        Array.from({ length: findings }, () => 'EXT-02'),
      );
    });
  }

  test('the answer to a stream says it too', async () => {
    const told: string[][] = [];
    const listener = { extensionsActivated: (names: ReadonlySet<string>) => void told.push([...names]) };
    const { client } = await open.spoken(
      {
        SendStreamingMessage: [{ status: 200, headers: { 'A2A-Extensions': uris[0]! } }, { event: { task: task('TASK_STATE_COMPLETED') } }],
      },
      '1.0',
      { extensions: uris, listener },
    );
    await drain(client.stream('SendStreamingMessage', asks('go')));
    assert.deepEqual(told[0], [uris[0]]);
  });

  test('nothing is asked, and nothing is found, where none is on', async () => {
    const { agent, client, log } = await open.spoken({ SendMessage: answer });
    await client.call('SendMessage', asks('hello'), { log });
    assert.deepEqual([log.last.findings, agent.requests.at(-1)!.headers['a2a-extensions']], [[], undefined]);
  });

  test('what is no URI is not sent', async () => {
    await assert.rejects(open.spoken({ SendMessage: answer }, '1.0', { extensions: ['https://a, https://b'] }), { code: 'bad-extension' });
  });

  test('an agent that requires one says so with a way out', async () => {
    const { client } = await open.spoken({ SendMessage: [{ error: { code: -32008, message: 'timestamps are required' } }] });
    await assert.rejects(client.call('SendMessage', asks('hello')), (error: Problem) => /Choose Extensions/.test(english(error.nextStep!)));
  });

  test('which one it requires is said by its card, as far as it was not asked for', async () => {
    const refused = [{ error: { code: -32008, message: 'No' } }];
    const { agent, client, http } = await open.spoken({ SendMessage: refused, SendStreamingMessage: refused });
    const declared = [...uris, 'https://example.com/free'].map((uri, index) => ({ uri, required: index < 2 }));
    const card = { ...client.card, capabilities: { ...client.card.capabilities, extensions: declared } };
    const asking = new AgentClient({ card, chosen: client.chosen, http, agentUrl: agent.url, extensions: [uris[0]!] });
    const named = (error: Problem): boolean => /^The agent card requires https:\/\/example\.com\/two\. Turn/.test(english(error.nextStep!));
    await assert.rejects(asking.call('SendMessage', asks('hello')), named);
    const { error } = await drain(asking.stream('SendStreamingMessage', asks('hello')));
    assert.ok(error instanceof Problem && named(error));
  });
});
