import * as assert from 'node:assert/strict';
import { ForeignOriginProblem, requireApproved } from '../../../src/client/origin.ts';

const approved = new Set(['https://other.example']);

const allowed: readonly (readonly [target: string, agent: string])[] = [
  ['https://agent.example/rpc', 'https://agent.example/.well-known/agent-card.json'],
  ['https://agent.example:443/rpc', 'https://agent.example'],
  ['http://127.0.0.1:9/', 'http://localhost:9/'],
  ['http://localhost:9/', 'http://[::1]:9/'],
  ['https://other.example/rpc', 'https://agent.example'],
];

const refused: readonly (readonly [target: string, agent: string])[] = [
  ['https://rpc.agent.example/', 'https://agent.example'],
  ['http://agent.example/', 'https://agent.example'],
  ['https://agent.example:8443/', 'https://agent.example'],
  ['http://localhost:10/', 'http://localhost:9/'],
  ['http://127.0.0.1:9/', 'http://agent.example:9/'],
  ['http://127.0.0.1.agent.example:9/', 'http://127.0.0.1:9/'],
  ['https://other.example:444/', 'https://agent.example'],
];

suite('origin', () => {
  for (const [target, agent] of allowed) {
    test(`${target} is allowed for ${agent}`, () => requireApproved(new URL(target), new URL(agent), approved));
  }
  for (const [target, agent] of refused) {
    test(`${target} is refused for ${agent}`, () => {
      assert.throws(() => requireApproved(new URL(target), new URL(agent), approved), error =>
        error instanceof ForeignOriginProblem && error.code === 'foreign-origin' && error.origin === new URL(target).origin);
    });
  }
});
