import * as assert from 'node:assert/strict';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { Agents } from '../../../src/model/agents/agents.ts';
import { findingOf } from '../../../src/protocol/finding.ts';
import { sentence } from '../../../src/protocol/problem.ts';
import { guardedAgent } from '../../support/auth/guardedAgent.ts';
import { type GrpcAgent, serveGrpcAgent } from '../../support/client/grpcAgents.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { eventually } from '../../support/eventually.ts';
import { EventEmitter } from '../../support/fakeVscode.ts';
import { atOtherHost } from '../../support/otherHost.ts';
import { inPlaceOf } from '../../support/shimmedVscode.ts';

const { addAgent } = await import('../../../src/workbench/agents/addAgent.ts');
const { agentCommands, pickAgent } = await import('../../../src/workbench/agents/agentCommands.ts');
const { openAddedAgent } = await import('../../../src/workbench/agents/addedAgent.ts');

/** The box as VS Code shows it. */
class Box {
  value = '';
  validationMessage: { readonly message: string } | undefined;
  readonly #accepted = new EventEmitter<void>();
  readonly #changed = new EventEmitter<string>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidChangeValue = this.#changed.event;
  readonly #pressed = new EventEmitter<unknown>();
  readonly onDidTriggerButton = this.#pressed.event;
  buttons: readonly unknown[] = [];
  readonly onDidHide = new EventEmitter<void>().event;
  show(): void {}
  dispose(): void {}

  /** Presses the one button. */
  press(): void {
    assert.equal(this.buttons.length, 1);
    this.#pressed.fire(this.buttons[0]);
  }

  /** Presses Enter, after typing where there is something to type. */
  enter(typed?: string): void {
    if (typed !== undefined) {
      this.value = typed;
      this.#changed.fire(typed);
    }
    this.#accepted.fire();
  }
}

suite('adding an agent', () => {
  const open = new OpenThings();
  let agents: Agents;
  let settings: Record<string, object>;
  let box: Box;
  let asked: string[];
  let answers: (string | undefined)[];
  let signedIn: string[];
  let restore: (() => void)[];
  setup(() => {
    [settings, asked, answers, signedIn] = [{}, [], [], []];
    agents = new Agents({ http: open.http() });
    restore = [
      inPlaceOf('window', {
        createInputBox: () => {
          box = new Box();
          return box;
        },
        showWarningMessage: async (question: string, { detail }: { readonly detail: string }) => {
          asked.push(`${question} ${detail}`);
          return answers.shift();
        },
      }),
      inPlaceOf('workspace', {
        getConfiguration: () => ({
          get: () => undefined,
          inspect: () => ({ globalValue: settings }),
          update: async (_: string, value: typeof settings) => {
            settings = value;
            agents.configure(settings as never);
          },
        }),
      }),
    ];
  });
  teardown(async () => {
    restore.forEach(back => back());
    agents.dispose();
    await open.close();
  });
  const add = (url: string): ReturnType<typeof addAgent> => {
    const added = addAgent(
      agents,
      async agent => {
        signedIn.push(agent.name);
        return false;
      },
      url,
    );
    box.enter();
    return added;
  };
  const says = (reason: RegExp): Promise<void> => eventually(() => assert.match(box.validationMessage?.message ?? '', reason));

  test('a wrong address gets its reason, and what was typed stays; the right one is added by the name of its card', async () => {
    const site = await open.web((_, response) => void response.end('<!doctype html><title>Welcome</title>'));
    const added = add('http://');
    for (const [address, reason, buttons] of [
      ['', /not a web address/, 0],
      [site, /HTML|web page/i, 1],
      ['http://127.0.0.1:9', /Connection refused/, 0],
    ] as const) {
      box.enter(address);
      await says(reason);
      assert.deepEqual([box.value, box.buttons.length], [address, buttons]);
    }
    const { url } = await open.agent({}, '1.0', { card: at => ({ ...(minimalCard(at, '1.0') as object), name: 'Harbour {{x}}' }) });
    box.enter(url);
    assert.deepEqual(await added, { name: 'Harbour x', url });
    assert.deepEqual(settings, { 'Harbour x': { url } });
    void add(url);
    await says(/This address is in the list already, as "Harbour x"/);
  });

  test('a card that sends requests to another address is used once that is allowed', async () => {
    const { url } = await open.agent({}, '1.0', { card: at => minimalCard(atOtherHost(at), '1.0') });
    const { origin } = new URL(atOtherHost(url));
    answers = [undefined, 'Allow'];
    const added = add(url);
    await eventually(() => assert.equal(asked.length, 1));
    assert.ok(asked[0]?.includes(origin), asked[0]);
    await eventually(() => assert.equal(answers.length, 1));
    assert.deepEqual(settings, {});
    box.enter();
    const { name } = (await added) ?? assert.fail('nothing was added');
    assert.deepEqual(settings, { [name]: { url, origins: [origin] } });
  });

  test('one whose card requires a key is added, and asks for it then', async () => {
    const behind = await open.agent({});
    const keyed = await guardedAgent(behind.url, {
      challenge: 'ApiKey',
      security: {
        name: 'Tool',
        securitySchemes: { tool: { apiKeySecurityScheme: { location: 'header', name: 'X-Tool' } } },
        securityRequirements: [{ schemes: { tool: { list: [] } } }],
      },
      allows: () => false,
    });
    try {
      assert.deepEqual(await add(keyed.url), { name: 'Tool', url: keyed.url });
      assert.deepEqual([settings, signedIn], [{ Tool: { url: keyed.url } }, ['Tool']]);
    } finally {
      await keyed.close();
    }
  });

  test('an endpoint without a card is added as what the person says that it is', async () => {
    const { url } = await open.agent({ AgentCard: [{ status: 404 }] });
    answers = [undefined, 'Use It as JSON-RPC 1.0'];
    const added = add(`${url}rpc`);
    await says(/No agent card found at .* \(5 locations tried\).* select the plug button\./);
    assert.deepEqual(asked, []);
    box.press();
    await eventually(() => assert.match(asked[0] ?? '', /^No card here\. No agent card found at .*rpc \(5 locations tried\)/));
    assert.deepEqual(settings, {});
    box.press();
    const { name } = (await added) ?? assert.fail('nothing was added');
    assert.equal(name, new URL(url).host);
    const own = { url: `${url}rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    assert.deepEqual(settings, { [name]: { url: `${url}rpc`, interface: own } });
    const agent = agents.get(name)!;
    await agent.connect();
    assert.deepEqual(
      [agent.reachability, agent.noCard?.code, agent.card, agent.cardSource, agent.needsSignIn],
      ['reachable', 'no-card', undefined, undefined, false],
    );
    await Promise.all([agent.diagnosed, agent.reviewed]);
    assert.deepEqual([agent.diagnosis, agent.review, agent.chosen?.interface], [[], {}, own]);
  });

  test('over gRPC it is added with the interface at its address, and without a card once somebody wants it so', async () => {
    const started: GrpcAgent[] = [];
    try {
      const harbour = await serveGrpcAgent('1.0', {
        card: address => ({
          name: 'Harbour',
          description: 'Knows every ship.',
          version: '7',
          capabilities: { streaming: true },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [],
          supportedInterfaces: [
            { url: 'http://127.0.0.1:9/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
            { url: address, protocolBinding: 'GRPC', protocolVersion: '1.0' },
          ],
        }),
      });
      started.push(harbour);
      await add(harbour.address);
      const over = { protocolBinding: 'GRPC', protocolVersion: '1.0' };
      assert.deepEqual(settings, { Harbour: { url: harbour.address, interface: over } });
      const bare = await serveGrpcAgent('1.0');
      started.push(bare);
      answers = [undefined, 'Use It as GRPC 1.0'];
      const added = add(bare.address);
      await says(/without an agent card/);
      assert.match(asked[0] ?? '', /is an A2A 1\.0 agent over gRPC without an agent card/);
      box.enter();
      const { name } = (await added) ?? assert.fail('nothing was added');
      assert.deepEqual((settings as Record<string, object>)[name], { url: bare.address, interface: over });
    } finally {
      await Promise.all(started.map(agent => agent.stop()));
    }
  });

  test('its row is revealed and its chat opened, and no notification lies over that', async () => {
    const { url } = await open.agent({}, '1.0', { card: at => ({ ...(minimalCard(at, '1.0') as object), name: 'Harbour' }) });
    const did: string[] = [];
    restore.push(inPlaceOf('window', { showInformationMessage: async (words: string) => void did.push(words) }));
    const { 'a2a.addAgent': command } = agentCommands({
      agents,
      contexts: { patiently: async () => undefined },
      openChat: async (name: string) => did.push(`chat with ${name}`),
      revealRow: async (name: string) => did.push(`row of ${agents.get(name)?.name}`),
      signIn: async () => false,
    } as never);
    const added = command({ kind: 'agent', name: `${url}/` });
    box.enter();
    await added;
    assert.deepEqual(did.sort(), ['chat with Harbour', 'row of Harbour']);
    // The button in the view's title gets the focused row.
    const asks = (): never => assert.fail('asked for an address');
    restore.push(inPlaceOf('window', { createQuickPick: asks, createInputBox: () => assert.fail('a box with the name in it') }));
    await assert.rejects(async () => command({ kind: 'agent', name: 'Harbour' }), /asked for an address/);
  });
});

suite('an agent that was added', () => {
  test('and does not fit its card is announced, with the remedy and the card one press away', async () => {
    const seen: unknown[] = [];
    const back = [
      inPlaceOf('window', {
        showWarningMessage: async (...said: readonly string[]) => {
          seen.push(said);
          return 'Open Card';
        },
      }),
      inPlaceOf('commands', { executeCommand: async (...command: readonly string[]) => void seen.push(command) }),
    ];
    const suggestedFix = { title: sentence('Use JSONRPC 0.3'), change: {} };
    const agent = {
      check: async () => undefined,
      diagnosed: Promise.resolve(),
      diagnosis: [{ severity: 'error', finding: findingOf('CARD-07', '', sentence('The card is wrong.')), suggestedFix }],
    };
    await openAddedAgent('Ann', agent as never, async name => void seen.push(name));
    const said = ['Added the agent "Ann". The card is wrong.', 'Use JSONRPC 0.3', 'Open Card'];
    await eventually(() => assert.deepEqual(seen, ['Ann', said, ['a2a.openAgentCard', 'Ann']]));
    back.forEach(restore => restore());
  });

  test('an agent is asked for only where there are several', async () => {
    let asked = 0;
    const back = inPlaceOf('window', { showQuickPick: async (items: readonly { readonly agent: unknown }[]) => (asked++, items[1]) });
    const [ann, bob] = ['Ann', 'Bob'].map(name => ({ name, url: 'http://a' }));
    assert.equal(await pickAgent({ all: [ann], get: () => undefined } as never, undefined), ann);
    assert.equal(asked, 0);
    assert.equal(await pickAgent({ all: [ann, bob], get: () => undefined } as never, undefined), bob);
    assert.equal(asked, 1);
    back();
  });
});
