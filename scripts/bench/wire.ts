import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool } from '../../src/assistant/tools.ts';
import type { World } from '../../src/assistant/world.ts';
import { Http } from '../../src/client/http/http.ts';
import { Agents } from '../../src/model/agents/agents.ts';
import { AgentContexts } from '../../src/model/contexts/agentContexts.ts';
import type { Exchange } from '../../src/protocol/exchange.ts';
import { openStore } from '../../src/store/openStore.ts';
import { median, tell } from './measure.ts';

// What a language model waits for where a context has 10,000 exchanges: a2a_wire of its newest, of some in the middle, and of one of them,
// each compared with the same rows read by the store alone in the same run.

const exchanges = 10_000;
const rounds = 41;
/** As many as the tool lists, and one to see whether there are more. */
const limit = 51;
const context = 'k';
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: { message: { parts: [{ text: 'x'.repeat(2_000) }] } },
});

const exchange = (index: number): Exchange => ({
  id: `e-${index}`,
  operation: 'SendMessage',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
  request: { method: 'POST', url: 'https://agent.example/', headers: [['Content-Type', 'application/json']], body },
  startedAt: index,
  response: { status: 200, headers: [['Content-Type', 'application/json']], body },
  endedAt: index + 0.5,
  findings: index % 10 === 0 ? [{ rule: 'CORE-01', pointer: '/result', message: 'It has no id.' }] : [],
});

/** Milliseconds of processor time. */
async function cost(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / 1000);
  }
  return median(times);
}

const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const http = new Http({});
const store = openStore(join(folder, 'history.db'));
const agents = new Agents({ http });
const onError = (error: unknown): void => console.error(error);
const contexts = new AgentContexts({ store, agents, owner: 'bench', onError });
try {
  agents.configure({ Ann: { url: 'https://agent.example/' } });
  store.putContext({ key: context, agent: 'Ann', at: 1 });
  for (let first = 0; first < exchanges; first += 500) {
    store.putWire(context, { exchanges: Array.from({ length: 500 }, (_, index) => exchange(first + index)), frames: new Map() });
  }
  const consent: World['consent'] = { mayRead: async () => {}, mayAct: async () => {}, hasRead: () => {} };
  const unused = async (): Promise<never> => Promise.reject(new Error('not measured'));
  const world: World = {
    client: 'bench',
    agents,
    contexts,
    consent,
    check: unused,
    run: unused,
    show: () => {},
    link: () => undefined,
    mask: text => text,
    onError,
  };
  const { signal } = new AbortController();
  const middle = `e-${exchanges / 2}`;
  for (const [name, input, alone] of [
    ['the newest', {}, () => store.exchanges(context, { limit })],
    ['in the middle', { before: middle }, () => store.exchanges(context, { before: middle, limit })],
    ['one of them', { exchange: middle }, () => store.exchangeOf(context, middle)],
  ] as const) {
    const call = () => callTool('a2a_wire', { context, ...input }, world, signal);
    // The first call loads the rules.
    await call();
    const [value, reading] = [await cost(call), await cost(alone)];
    tell({ name: `a2a_wire over ${exchanges} exchanges: ${name}`, value, unit: 'ms', against: 'the store alone', ratio: value / reading });
  }
} finally {
  contexts.dispose();
  store.close();
  await http.close();
  rmSync(folder, { recursive: true });
}
