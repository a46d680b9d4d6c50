import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ClientFactory } from '@a2a-js/sdk/client';
import { createParser } from 'eventsource-parser';
import Dispatcher from 'undici/lib/dispatcher/agent.js';
import undici from 'undici/lib/api/index.js';
import { resolveAgentCard } from '../../src/client/card/agentCardResolver.ts';
import { AgentClient } from '../../src/client/agentClient.ts';
import { chooseInterface } from '../../src/client/interfaces/agentInterface.ts';
import { Http } from '../../src/client/http/http.ts';
import { loadObserver } from '../../src/conformance/rules/loadedRules.ts';
import { AgentContexts } from '../../src/model/contexts/agentContexts.ts';
import { Agents } from '../../src/model/agents/agents.ts';
import { openStore } from '../../src/store/openStore.ts';
import { median, tell } from './measure.ts';

// Events per second of a recorded stream: parsed to core objects, and parsed and committed to the history; compared with the official SDK's
// client and with a minimal reader (undici, eventsource-parser, JSON.parse).

const rounds = 9;
type Kind = 'text' | 'markdown';
const sizes: readonly (readonly [characters: number, events: number, kind: Kind])[] = [
  [256, 20_000, 'text'],
  [4096, 6_000, 'text'],
  [65_536, 600, 'text'],
  [4096, 6_000, 'markdown'],
];

const replay = fork(join(import.meta.dirname, 'replay.ts'), { stdio: 'inherit' });
const [port] = (await once(replay, 'message')) as [number];
const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const http = new Http({ loadObserver });
const bareAgent = new Dispatcher();
const message = () => ({ messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text: 'Write' }] });

/** Cost of a stream: elapsed seconds, and microseconds of this process's processor time per event. */
interface Cost {
  readonly seconds: number;
  readonly cpu: number;
}

/** Names of the compared readers. */
const sides = { sdk: 'the official SDK', bare: 'a bare reader', bytes: 'the bytes alone, not even looked at' } as const;

/** Reads one stream; only the work inside `timed`, which resolves to the number of events, is measured. */
type Reader = (url: string, binding: string, timed: (read: () => Promise<number>) => Promise<void>) => Promise<void>;

async function post(url: string, binding: string): Promise<AsyncIterable<Uint8Array>> {
  const { origin, pathname } = new URL(url);
  const { body } = await undici.request.call(bareAgent, {
    origin,
    path: binding === 'rest' ? `${pathname}/message:stream` : pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message: message() } }),
  });
  return body as AsyncIterable<Uint8Array>;
}

const readers: Readonly<Record<string, Reader>> = {
  // The minimum that any reader needs.
  bytes: async (url, binding, timed) => {
    await timed(async () => {
      for await (const _ of await post(url, binding));
      return Number(new URL(url).pathname.split('/')[3]) + 2;
    });
  },
  bare: async (url, binding, timed) => {
    await timed(async () => {
      let events = 0;
      const parser = createParser({
        onEvent: ({ data }) => {
          JSON.parse(data);
          events += 1;
        },
      });
      const decoder = new TextDecoder();
      for await (const chunk of await post(url, binding)) parser.feed(decoder.decode(chunk, { stream: true }));
      return events;
    });
  },
  sdk: async (url, _binding, timed) => {
    const client = await new ClientFactory().createFromUrl(url, '');
    await timed(async () => {
      let events = 0;
      for await (const _ of client.sendMessageStream({
        message: { ...message(), role: 1, parts: [{ content: { $case: 'text', value: 'Write' } }] },
      } as never))
        events += 1;
      return events;
    });
  },
  read: async (url, _binding, timed) => {
    const { card, cardUrl, agentUrl } = await resolveAgentCard(url, { http });
    const client = new AgentClient({ card, http, agentUrl, chosen: chooseInterface(card, cardUrl) });
    await timed(async () => {
      let events = 0;
      for await (const batch of client.stream('SendStreamingMessage', { message: message() })) events += batch.events.length;
      return events;
    });
  },
  committed: async (url, binding, timed) => {
    const path = join(folder, `${randomUUID()}.db`);
    const fail = (error: unknown): void => {
      throw error;
    };
    const store = openStore(path);
    const agents = new Agents({ http, onError: fail });
    agents.configure({ Replay: { url } });
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    await agents.get('Replay')?.connect();
    const context = contexts.create('Replay');
    await timed(async () => {
      const outcome = await context.send({ parts: [{ text: 'Write' }], target: 'new-task' }).done;
      if (outcome.problem !== undefined) throw new Error(`${binding}: ${outcome.problem.message}`);
      // As in the history.
      return (store.artifacts.ofTask(context.key, outcome.task?.id ?? '')[0]?.chunks ?? 0) + 2;
    });
    contexts.dispose();
    agents.dispose();
    store.close();
    rmSync(path);
  },
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function measure(read: Reader, url: string, binding: string, expected: number): Promise<Cost> {
  let cost: Cost | undefined;
  // Collects garbage, so that no reader pays for the one before.
  collectGarbage();
  await read(url, binding, async work => {
    const before = process.cpuUsage();
    const started = performance.now();
    const seen = await work();
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(before);
    if (seen !== expected) throw new Error(`saw ${seen} events of ${expected}`);
    cost = { seconds, cpu: (user + system) / seen };
  });
  return cost!;
}

try {
  for (const binding of ['jsonrpc', 'rest']) {
    for (const [size, events, kind] of sizes) {
      const url = `http://127.0.0.1:${port}/${binding}/${size}/${events}/${kind}`;
      const costs = new Map(Object.keys(readers).map(name => [name, [] as Cost[]]));
      // In turns, so that other load on the machine affects all sides equally; the first round warms up the compiler.
      for (let round = 0; round <= rounds; round += 1) {
        for (const [name, read] of Object.entries(readers)) {
          const cost = await measure(read, url, binding, events + 2);
          if (round > 0) costs.get(name)!.push(cost);
        }
      }
      const rate = (name: string): number => median(costs.get(name)!.map(({ seconds }) => (events + 2) / seconds));
      const cpu = (name: string): number => median(costs.get(name)!.map(one => one.cpu));
      const what = `${binding === 'rest' ? 'HTTP+JSON' : 'JSON-RPC'}, ${size} ${kind === 'text' ? 'B' : 'characters of Markdown'}`;
      for (const [done, name, others] of [
        ['read', 'read', ['sdk', 'bare', 'bytes']],
        ['read and committed', 'committed', ['sdk']],
      ] as const) {
        for (const other of others) {
          const against = sides[other];
          tell({ name: `${done}: ${what}`, value: rate(name), unit: 'events/s', against, ratio: rate(name) / rate(other) });
          // On a machine with other load, processor time is the more stable figure.
          tell({ name: `${done}: ${what}, processor time`, value: cpu(name), unit: 'µs/event', against, ratio: cpu(name) / cpu(other) });
        }
      }
    }
  }
} finally {
  replay.disconnect();
  await http.close();
  await bareAgent.destroy();
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}
