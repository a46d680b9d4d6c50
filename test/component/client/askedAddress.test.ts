import * as assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AgentClient } from '../../../src/client/agentClient.ts';
import { resolveAgentCard } from '../../../src/client/card/agentCardResolver.ts';
import { chooseInterface, type SelectionSource } from '../../../src/client/interfaces/agentInterface.ts';
import { minimalCard } from '../../../src/mock/minimalCard.ts';
import type { InterfaceSelector } from '../../../src/protocol/card/interfaceSelector.ts';
import { english, inTerminal, Problem } from '../../../src/protocol/problem.ts';
import { drain, OpenThings } from '../../support/client/openThings.ts';
import { asks } from '../../support/client/says.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

suite('the address that was asked', () => {
  const open = new OpenThings();
  teardown(() => open.close());

  /** What is to do after sending to an agent whose card says `interfaceUrl`, once by call and once by stream. */
  async function advised(
    interfaceUrl: (agent: string) => string,
    answer: Answer,
    { wanted, source }: { readonly wanted?: InterfaceSelector; readonly source?: SelectionSource } = {},
  ): Promise<{ readonly agent: string; readonly problem: Problem; readonly says: string; readonly saysInTerminal: string }> {
    const agent: string = await open.web((request, response) => {
      if (!request.url!.endsWith('agent-card.json')) return answer(request, response);
      const url = interfaceUrl(agent.replace(/\/$/, ''));
      const supportedInterfaces = [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
      return response.end(JSON.stringify({ ...minimalCard(agent, '1.0'), supportedInterfaces }));
    });
    const http = open.http();
    const { card, cardUrl, agentUrl } = await resolveAgentCard(agent, { http });
    const chosen = chooseInterface(card, cardUrl, wanted, source === undefined ? {} : { source });
    const approvedOrigins = new Set([new URL(chosen.interface.url).origin]);
    const client = new AgentClient({ card, chosen, http, agentUrl, approvedOrigins });
    const problem: unknown = await client.call('SendMessage', asks('hello')).catch((error: unknown) => error);
    const { error } = await drain(client.stream('SendStreamingMessage', asks('hello')));
    assert.ok(problem instanceof Problem && error instanceof Problem && problem.nextStep && error.nextStep, String(problem));
    // Of a stream that was refused more may be said, behind the address.
    const [address] = /^.*? agent card[^ ]* |^.*?\. /.exec(english(problem.nextStep)) ?? [];
    assert.ok(address !== undefined && english(error.nextStep).startsWith(address), english(error.nextStep));
    return { agent: agent.replace(/\/$/, ''), problem, says: english(problem.nextStep), saysInTerminal: inTerminal(problem.nextStep) };
  }
  const status =
    (code: number): Answer =>
    (_request, response) =>
      response.writeHead(code).end('no such route');

  test('a gateway that has its own prefix twice in the card', async () => {
    const { agent, says } = await advised(url => `${url}/edge/edge/rpc`, status(404));
    assert.equal(
      says,
      `The address ${agent}/edge/edge/rpc is the one in the agent card. Check that this address leads to the agent itself.`,
    );
  });

  test('an address that takes no POST', async () => {
    const { agent, says } = await advised(url => `${url}/docs`, status(405));
    assert.match(says, new RegExp(`^The address ${agent}/docs is the one in the agent card\\. `));
  });

  test('an address where a web page is', async () => {
    const { agent, says, problem } = await advised(
      url => `${url}/portal/`,
      (_request, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Portal</title>'),
    );
    assert.equal(problem.code, 'not-json');
    assert.match(says, new RegExp(`^The address ${agent}/portal/ is the one in the agent card\\. `));
  });

  test('another server of JSON-RPC, which does not have the method', async () => {
    const { agent, says } = await advised(
      url => `${url}/wallet`,
      (_request, response) =>
        response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } })),
    );
    assert.match(says, new RegExp(`^The address ${agent}/wallet is the one in the agent card\\.`));
  });

  for (const host of ['0.0.0.0', '[::]'])
    test(`a card with ${host} and a port where nothing listens`, async () => {
      const dead = (await open.deadPort()).replace(/.*:/, '');
      const { says, problem } = await advised(() => `http://${host}:${dead}/`, status(404));
      assert.equal(problem.code, 'unreachable');
      assert.equal(
        says,
        `The agent card says http://${host}:${dead}/, which leads to the address http://127.0.0.1:${dead}/. Start the agent, or correct its address.`,
      );
    });

  test('a card with the port that the agent has inside its container', async () => {
    const dead = await open.deadPort();
    const { says } = await advised(() => `http://${dead}`, status(404));
    assert.equal(says, `The address http://${dead}/ is the one in the agent card. Start the agent, or correct its address.`);
  });

  test('an address relative to the card', async () => {
    const { agent, says } = await advised(() => 'rpc', status(404));
    assert.match(says, new RegExp(`^The agent card says rpc, which leads to the address ${agent}/\\.well-known/rpc\\. `));
  });

  for (const [source, editor, terminal] of [
    ['settings', "the one in the agent's settings", 'the one in .vscode/settings.json'],
    ['request', 'the one in the request', 'the one in the request'],
    ['options', 'the one that was given', 'the one that was given'],
    ['address', 'the one that was given', 'the one that was given'],
  ] as const)
    test(`an address of the person's own: ${source}`, async () => {
      const dead = await open.deadPort();
      const { says, saysInTerminal } = await advised(url => url, status(200), { wanted: { url: `http://${dead}/mine` }, source });
      assert.equal(says, `The address http://${dead}/mine is ${editor}. Start the agent, or correct its address.`);
      assert.equal(saysInTerminal, `The address http://${dead}/mine is ${terminal}. Start the agent, or correct its address.`);
    });

  test('it is not told where it is not in doubt', async () => {
    const { says } = await advised(url => `${url}/rpc`, status(503));
    assert.doesNotMatch(says, /address/);
  });
});
