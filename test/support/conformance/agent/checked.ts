import * as assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolveAgentCard } from '../../../../src/client/card/agentCardResolver.ts';
import { Http } from '../../../../src/client/http/http.ts';
import { loadObserver } from '../../../../src/conformance/rules/loadedRules.ts';
import { checkAgent, type RuleVerdict, type SuiteOptions } from '../../../../src/conformance/suite.ts';
import type { ProbeReceiver } from '../../../../src/conformance/rules/rule/probe.ts';
import { leftEnglish } from '../../leftEnglish.ts';
import { conformingAgent, prompts, type ConformingOptions } from './conformingAgent.ts';

/** A webhook on loopback that takes everything. */
async function webhook(): Promise<ProbeReceiver> {
  type Delivery = ProbeReceiver['deliveries'] extends AsyncIterable<infer D> ? D : never;
  const waiting: Delivery[] = [];
  let more = Promise.withResolvers<void>();
  let isOver = false;
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      waiting.push({ exchangeId: `delivery-${++count}`, headers, json: JSON.parse(Buffer.concat(chunks).toString()) as unknown });
      response.writeHead(200).end();
      more.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  async function* deliveries(): AsyncGenerator<Delivery> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!;
      if (isOver) return;
      await more.promise;
      more = Promise.withResolvers();
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries: deliveries(),
    async close() {
      isOver = true;
      more.resolve();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Runs the suite on an agent that keeps every rule but for its faults. */
export async function checked(options: ConformingOptions, more: Partial<SuiteOptions> = {}): Promise<readonly RuleVerdict[]> {
  const agent = await conformingAgent(options);
  try {
    return await checkedAt(agent.url, {
      headers: { Authorization: 'Bearer right' },
      other: { Authorization: 'Bearer other' },
      prompts,
      ...more,
    });
  } finally {
    await agent.stop();
  }
}

/** Runs the suite on the agent at an address. No reason of a verdict has English in it that could not be translated. */
export async function checkedAt(url: string, more: Partial<SuiteOptions> = {}): Promise<readonly RuleVerdict[]> {
  const http = new Http({ loadObserver });
  try {
    const { card, cardUrl, source } = await resolveAgentCard(url, { http });
    const verdicts: RuleVerdict[] = [];
    const cardJson = JSON.parse(source) as Record<string, unknown>;
    const options: SuiteOptions = { http, card, cardJson, cardUrl, allowWork: true, receiver: webhook, ...more };
    for await (const verdict of checkAgent(options)) {
      assert.deepEqual([verdict.rule, ...leftEnglish(verdict.why)], [verdict.rule]);
      verdicts.push(verdict);
    }
    return verdicts;
  } finally {
    await http.close();
  }
}
