import * as assert from 'node:assert/strict';
import type { BindingName } from '../../../src/mock/binding.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import { english, inTerminal, Problem } from '../../../src/protocol/problem.ts';
import { mendedWithoutStream } from '../../../src/protocol/mendedWithoutStream.ts';
import { OpenThings } from '../../support/client/openThings.ts';
import { asks } from '../../support/client/says.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface } from '../../../src/client/interfaces/agentInterface.ts';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { requireApproved, trustIn } from '../../../src/client/http/origin.ts';

suite('what the card has to do with an error', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  const adviceOn = async (sent: Promise<unknown>): Promise<string> => {
    const problem: unknown = await sent.catch((error: unknown) => error);
    assert.ok(problem instanceof Problem, String(problem));
    return inTerminal(problem.nextStep ?? { template: '', args: [] });
  };

  const receipts = 'https://ext.example/receipts/v2';
  const stamps = 'urn:harbour:stamps';
  const refusedFor = async (extensions: object[], asked: string[], binding: BindingName = 'JSONRPC'): Promise<string> => {
    const { client } = await open.spoken({ SendMessage: [{ error: { code: -32008, message: 'not without it' } }] }, '1.0', {
      binding,
      extensions: asked,
      card: url => ({ ...(minimalCard(url, '1.0', binding) as object), capabilities: { extensions } }),
    });
    return adviceOn(client.call('SendMessage', asks('hello')));
  };

  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    test(`an extension that the card requires is named: ${binding}`, async () => {
      const advice = await refusedFor([{ uri: receipts, required: true }], [], binding);
      assert.equal(advice, `The agent card requires ${receipts}. Ask for it with --extension and its URI.`);
    });
  }

  test('of several those alone that were not asked for', async () => {
    const advice = await refusedFor(
      [{ uri: receipts, required: true }, { uri: 'urn:harbour:optional' }, { uri: stamps, required: true }],
      [receipts],
    );
    assert.ok(advice.startsWith(`The agent card requires ${stamps}. `), advice);
  });

  test('where the card requires none, or one that no request could name, what an agent said is all', async () => {
    for (const extensions of [[], [{ uri: receipts }], [{ uri: 'a, b', required: true }]]) {
      const advice = await refusedFor(extensions, []);
      assert.match(advice, /^The agent requires an extension that was not requested\./);
    }
  });

  /** How the agent refused a streamed message: the advice, whether a front offers to send without a stream, and findings of the exchange. */
  async function streamRefused(code: number, { streaming = true, taskId = '' } = {}): Promise<unknown> {
    const { client, log } = await open.spoken({ SendStreamingMessage: [{ error: { code, message: 'no' } }] }, '1.0', {
      card: url => ({ ...(minimalCard(url, '1.0') as object), capabilities: { streaming } }),
    });
    const { message } = asks('hello');
    const body = { message: { ...message, ...(taskId !== '' && { taskId }) } };
    const read = async (): Promise<void> => {
      for await (const _ of client.stream('SendStreamingMessage', body, { log }));
    };
    const problem: unknown = await read().catch((error: unknown) => error);
    assert.ok(problem instanceof Problem, String(problem));
    const { findings = [] } = log.exchanges.at(-1) ?? {};
    return [mendedWithoutStream(problem), findings.filter(({ rule }) => rule === 'STRM-01').map(({ message: said }) => said)];
  }
  const broken = 'The card promises streaming, but SendStreamingMessage was refused.';

  for (const code of [-32004, -32601])
    test(`a card that promises what the agent refuses with ${code} is a finding, and the message can be sent without a stream`, async () => {
      assert.deepEqual(await streamRefused(code), [true, [broken]]);
    });

  test('a refusal with another error, from a card without streaming, or of a message to a task is no broken promise', async () => {
    assert.deepEqual(await streamRefused(-32602), [false, []]);
    assert.deepEqual(await streamRefused(-32004, { streaming: false }), [false, []]);
    assert.deepEqual(await streamRefused(-32004, { taskId: 't-1' }), [false, []]);
  });

  // Cards whose address is that of one operation, as in agno-agi/agno#10165.
  const at = async (path: string, protocolBinding: string, status: number): Promise<string> => {
    const agent: string = await open.web((request, response) => {
      if (!request.url!.endsWith('agent-card.json')) return response.writeHead(status).end();
      const supportedInterfaces = [{ url: agent.replace(/\/$/, path), protocolBinding, protocolVersion: '1.0' }];
      return response.end(JSON.stringify({ ...(minimalCard(agent, '1.0') as object), supportedInterfaces }));
    });
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(agent, { http });
    const client = new AgentClient({ card, chosen: chooseInterface(card, cardUrl), http, agentUrl });
    return adviceOn(client.call('SendMessage', asks('hello')));
  };

  for (const [path, binding, status, operation] of [
    ['/harbour/message:send', 'HTTP+JSON', 404, 'message:send'],
    ['/v1/tasks', 'JSONRPC', 405, 'tasks'],
    ['/a/v1/message:stream', 'JSONRPC', 422, 'message:stream'],
  ] as const) {
    test(`an address that ends with ${operation} is said to be that of an operation: HTTP ${status}`, async () => {
      const advice = await at(path, binding, status);
      assert.match(advice, /is the one in the agent card\. It ends with /);
      assert.ok(advice.includes(`It ends with /${operation}, the path of one operation`), advice);
    });
  }

  test('what can be done about the only interface of a card is no other interface', async () => {
    const refusal = async (interfaces: number, data?: unknown): Promise<string> => {
      const script = { GetTask: [{ error: { code: -32009, message: 'No such version', data } }] };
      const agent = await open.agent(script, '1.0');
      const http = open.http();
      const { card: own, cardUrl, agentUrl } = await resolveAgentCard(agent.url, { http });
      const card = { ...own, supportedInterfaces: Array.from({ length: interfaces }, () => own.supportedInterfaces[0]!) };
      return adviceOn(new AgentClient({ card, chosen: chooseInterface(card, cardUrl), http, agentUrl }).call('GetTask', { id: 't' }));
    };
    assert.equal(await refusal(1), 'The card has no other interface. Correct its version, or let the agent accept A2A 1.0.');
    assert.match(await refusal(1, [{ supportedVersions: ['0.3'] }]), /^The agent reports that it supports 0\.3, and its card has no other/);
    assert.match(await refusal(2), /^Choose a protocol version/);
    const trust = trustIn(new URL('https://a.example'), new Set(), undefined);
    const foreign = (hasOthers: boolean) => () => requireApproved(new URL('https://b.example'), trust, hasOthers);
    const advised = (words: RegExp) => (problem: unknown) => problem instanceof Problem && words.test(english(problem.nextStep!));
    assert.throws(foreign(true), advised(/choose another interface/));
    assert.throws(foreign(false), advised(/correct the address in the card/));
  });

  test('that a task is unknown does not fit a message that names none', async () => {
    const { client } = await open.spoken({ SendMessage: [{ error: { code: -32001, message: 'Task not found' } }] });
    const { message } = asks('hello');
    const unfit = /^The message names no task, so this error does not fit it\./;
    assert.match(await adviceOn(client.call('SendMessage', { message })), unfit);
    for (const named of [{ taskId: 't' }, { referenceTaskIds: ['t'] }])
      assert.doesNotMatch(await adviceOn(client.call('SendMessage', { message: { ...message, ...named } })), unfit);
  });

  test('an address that is none of an operation is not said to be one', async () => {
    assert.doesNotMatch(await at('/rpc/message:sender', 'JSONRPC', 404), /operation/);
    assert.equal(await at('/rpc', 'JSONRPC', 422), '');
  });
});
