import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientFactory } from '@a2a-js/sdk/client';
import { createParser } from 'eventsource-parser';
import Dispatcher from 'undici/lib/dispatcher/agent.js';
import undici from 'undici/lib/api/index.js';
import { resolveAgentCard } from '../../src/client/agentCardResolver.ts';
import { AgentClient } from '../../src/client/agentClient.ts';
import { chooseInterface } from '../../src/client/agentInterface.ts';
import { Http } from '../../src/client/http.ts';
import { AgentContexts } from '../../src/model/agentContexts.ts';
import { Agents } from '../../src/model/agents.ts';
import { openStore } from '../../src/store/openStore.ts';
import { median, tell } from './measure.ts';

// Events per second of a stream on recorded bytes: read into core objects, and read and committed to the history, against the official
// SDK's client and against the least a reader can do: undici, eventsource-parser, JSON.parse.

const rounds = 5;
const sizes: readonly (readonly [bytes: number, events: number])[] = [[256, 20_000], [4096, 6_000], [65_536, 600]];

const replay = fork(join(import.meta.dirname, 'replay.ts'), { stdio: 'inherit' });
const [port] = await once(replay, 'message') as [number];
const folder = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
const http = new Http();
const bareAgent = new Dispatcher();
const message = () => ({ messageId: randomUUID(), role: 'ROLE_USER' as const, parts: [{ text: 'Write' }] });

type Reader = (url: string, binding: string) => Promise<number>;

const readers: Readonly<Record<string, Reader>> = {
  bare: async (url, binding) => {
    let events = 0;
    const parser = createParser({ onEvent: ({ data }) => {
      JSON.parse(data);
      events += 1;
    } });
    const { origin, pathname } = new URL(url);
    const { body } = await undici.request.call(bareAgent, {
      origin, path: binding === 'rest' ? `${pathname}/message:stream` : pathname, method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message: message() } }),
    });
    const decoder = new TextDecoder();
    for await (const chunk of body as AsyncIterable<Uint8Array>) parser.feed(decoder.decode(chunk, { stream: true }));
    return events;
  },
  sdk: async url => {
    const client = await new ClientFactory().createFromUrl(url, '');
    let events = 0;
    for await (const _ of client.sendMessageStream({ message: { ...message(), role: 1, parts: [{ content: { $case: 'text', value: 'Write' } }] } } as never)) events += 1;
    return events;
  },
  read: async url => {
    const { card, cardUrl, agentUrl } = await resolveAgentCard(url, { http });
    const client = new AgentClient({ card, http, agentUrl, chosen: chooseInterface(card, cardUrl) });
    let events = 0;
    for await (const batch of client.stream('SendStreamingMessage', { message: message() })) events += batch.events.length;
    return events;
  },
  committed: async (url, binding) => {
    const path = join(folder, `${randomUUID()}.db`);
    const fail = (error: unknown): void => { throw error; };
    const store = openStore(path);
    const agents = new Agents({ http, onError: fail });
    agents.configure({ Replay: { url } });
    const contexts = new AgentContexts({ store, agents, owner: randomUUID(), onError: fail });
    const outcome = await contexts.create('Replay').send({ parts: [{ text: 'Write' }], target: 'new-task' }).done;
    const chunks = outcome.task?.artifacts?.[0]?.parts.length ?? 0;
    contexts.dispose();
    agents.dispose();
    store.close();
    if (outcome.problem !== undefined) throw new Error(`${binding}: ${outcome.problem.message}`);
    return chunks + 2;
  },
};

try {
  for (const binding of ['jsonrpc', 'rest']) {
    for (const [bytes, events] of sizes) {
      const url = `http://127.0.0.1:${port}/${binding}/${bytes}/${events}`;
      const rates = new Map(Object.keys(readers).map(name => [name, [] as number[]]));
      // Round and round, so that whatever else the machine does hits every side alike; the first round is for the compiler.
      for (let round = 0; round <= rounds; round += 1) {
        for (const [name, read] of Object.entries(readers)) {
          const started = performance.now();
          const seen = await read(url, binding);
          const seconds = (performance.now() - started) / 1000;
          if (seen !== events + 2) throw new Error(`${name} saw ${seen} events of ${events + 2}`);
          if (round > 0) rates.get(name)!.push(seen / seconds);
        }
      }
      const rate = (name: string): number => median(rates.get(name)!);
      const what = `${binding === 'rest' ? 'HTTP+JSON' : 'JSON-RPC'}, ${bytes} B`;
      tell({ name: `read: ${what}`, value: rate('read'), unit: 'events/s', against: 'the official SDK', ratio: rate('read') / rate('sdk') });
      tell({ name: `read: ${what}`, value: rate('read'), unit: 'events/s', against: 'a bare reader', ratio: rate('read') / rate('bare') });
      tell({ name: `read and committed: ${what}`, value: rate('committed'), unit: 'events/s', against: 'the official SDK', ratio: rate('committed') / rate('sdk') });
    }
  }
} finally {
  replay.disconnect();
  await http.close();
  await bareAgent.destroy();
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
}
