import * as assert from 'node:assert/strict';
import { ForeignOriginProblem, isUnspecified, requireApproved, trustIn } from '../../../src/client/http/origin.ts';
import { inTerminal } from '../../../src/protocol/problem.ts';

const approved = new Set(['https://other.example']);

const allowed: readonly (readonly [target: string, agent: string])[] = [
  ['https://agent.example/rpc', 'https://agent.example/.well-known/agent-card.json'],
  ['https://agent.example:443/rpc', 'https://agent.example'],
  ['http://[0:0::1]:9/', 'http://[::1]:9/'],
  ['https://other.example/rpc', 'https://agent.example'],
];

const refused: readonly (readonly [target: string, agent: string])[] = [
  ['https://rpc.agent.example/', 'https://agent.example'],
  ['http://agent.example/', 'https://agent.example'],
  ['https://agent.example:8443/', 'https://agent.example'],
  ['http://localhost:10/', 'http://localhost:9/'],
  ['http://127.0.0.1:9/', 'http://localhost:9/'],
  ['http://localhost:9/', 'http://[::1]:9/'],
  ['http://[::1]:9/', 'http://127.0.0.1:9/'],
  ['http://127.0.0.2:9/', 'http://127.0.0.1:9/'],
  ['http://0.0.0.0:9/', 'http://127.0.0.1:9/'],
  ['http://one.localhost:9/', 'http://localhost:9/'],
  ['http://[::ffff:127.0.0.1]:9/', 'http://127.0.0.1:9/'],
  ['http://127.0.0.1:9/', 'http://agent.example:9/'],
  ['http://127.0.0.1.agent.example:9/', 'http://127.0.0.1:9/'],
  ['https://other.example:444/', 'https://agent.example'],
];

/** Without headers, another program on the same host has nothing to gain. */
const withoutHeaders: readonly (readonly [target: string, agent: string, allowed: boolean])[] = [
  ['http://localhost:10/', 'http://localhost:9/', true],
  ['http://127.0.0.1:9/', 'http://localhost:9/', true],
  ['http://127.0.0.1:10/', 'http://localhost:9/', true],
  ['https://agent.example:8443/', 'https://agent.example', true],
  ['https://agent.example/', 'http://agent.example:9', true],
  ['http://agent.example:8080/', 'https://agent.example', false],
  ['https://rpc.agent.example/', 'https://agent.example', false],
  ['http://127.0.0.1:9/', 'http://agent.example:9/', false],
];

suite('origin', () => {
  for (const [target, agent, isAllowed] of withoutHeaders) {
    test(`${target} is ${isAllowed ? 'allowed' : 'refused'} for ${agent} that has no headers`, () => {
      const ask = (): void => requireApproved(new URL(target), { agent: new URL(agent), approved, otherPorts: true });
      if (isAllowed) ask();
      else assert.throws(ask, ForeignOriginProblem);
    });
  }

  for (const [target, agent] of allowed) {
    test(`${target} is allowed for ${agent}`, () => {
      assert.doesNotThrow(() => requireApproved(new URL(target), { agent: new URL(agent), approved, otherPorts: false }));
    });
  }
  for (const [target, agent] of refused) {
    test(`${target} is refused for ${agent}`, () => {
      assert.throws(
        () => requireApproved(new URL(target), { agent: new URL(agent), approved, otherPorts: false }),
        error =>
          error instanceof ForeignOriginProblem &&
          error.name === 'ForeignOriginProblem' &&
          error.code === 'foreign-origin' &&
          error.origin === new URL(target).origin,
      );
    });
  }

  test('localhost in the card of another host is named as this machine, with how to name the address', () => {
    for (const [target, agent, isHere] of [
      ['http://localhost:9/', 'http://agent.example:9/', true],
      ['http://127.0.0.1:9/', 'http://agent.example:9/', true],
      ['http://rpc.example:9/', 'http://agent.example:9/', false],
      ['http://127.0.0.1:10/', 'http://localhost:9/', false],
    ] as const)
      assert.throws(
        () => requireApproved(new URL(target), { agent: new URL(agent), approved, otherPorts: false }),
        (error: unknown) =>
          error instanceof ForeignOriginProblem &&
          / which is this machine\.$/.test(inTerminal(error.sentence)) === isHere &&
          inTerminal(error.nextStep!).includes('If the agent runs elsewhere, give its address with --interface ADDRESS.') === isHere &&
          inTerminal(error.nextStep!).includes(`--allow-origin ${new URL(target).origin}`),
        `${target} of ${agent}`,
      );
  });

  test('other ports of the host need no approval where no header goes along', () => {
    const agent = new URL('http://localhost:9/');
    assert.equal(trustIn(agent, approved).otherPorts, true);
    assert.equal(trustIn(agent, approved, {}).otherPorts, true);
    assert.equal(trustIn(agent, approved, { authorization: 'Bearer x' }).otherPorts, false);
  });

  for (const [address, isSo] of [
    ['http://0.0.0.0:9/', true],
    ['http://[::]:9/', true],
    ['http://127.0.0.1:9/', false],
    ['http://agent.example/', false],
  ] as const) {
    test(`${address} is ${isSo ? 'an address of all interfaces' : 'an address to connect to'}`, () =>
      assert.equal(isUnspecified(new URL(address)), isSo));
  }
});
