import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange, Headers } from '../protocol/exchange.ts';
import { isShallow } from '../protocol/json/depth.ts';
import type { ProbeReceiver } from '../protocol/rules/rule/probe.ts';

/** Longest notification, in bytes. */
const maxBody = 1024 * 1024;
/** Most notifications of one receiver; what comes later is refused. */
const maxDeliveries = 200;
/** Longest time of one request, in milliseconds. */
const requestMs = 20_000;

type Delivery = ProbeReceiver['deliveries'] extends AsyncIterable<infer Each> ? Each : never;

/**
 * A webhook on loopback, for probes: it takes POSTs to a secret path and keeps them as they come, with the credentials that the probe gave the
 * agent. Only an agent on this machine can reach it.
 * @param told hears of each notification as an exchange
 */
export async function loopbackReceiver(told: (exchange: Exchange) => void): Promise<ProbeReceiver> {
  const path = `/${randomBytes(16).toString('base64url')}`;
  const waiting: Delivery[] = [];
  let [count, isClosed] = [0, false];
  let wake = (): void => {};
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs, maxHeaderSize: 16 * 1024 }, (message, response) => {
    if (message.url !== path || message.method !== 'POST' || ++count > maxDeliveries) return void refuse(message, response);
    void bodyOf(message).then(body => {
      if (body === undefined) return refuse(message, response);
      response.writeHead(200).end();
      const delivery = deliveryOf(message, body, `http://${message.headers.host ?? ''}${path}`);
      told(delivery.exchange);
      waiting.push({ exchangeId: delivery.exchange.id, headers: delivery.exchange.request.headers, json: delivery.json });
      wake();
    });
  });
  server.maxConnections = 32;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  async function* deliveries(): AsyncGenerator<Delivery> {
    while (true) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isClosed) return;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    deliveries: deliveries(),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      wake();
      server.closeAllConnections();
      await new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

function refuse(message: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404, { connection: 'close' }).end();
  message.resume();
}

/** The bytes of the body; undefined for one that is too long or broke off. */
async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBody) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The sender broke off: there is no notification.
    return undefined;
  }
  return Buffer.concat(chunks);
}

function deliveryOf(message: IncomingMessage, body: Buffer, url: string): { readonly exchange: Exchange; readonly json: unknown } {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) headers.push([message.rawHeaders[at]!, message.rawHeaders[at + 1]!]);
  const text = body.toString();
  const now = Date.now();
  const exchange: Exchange = {
    id: randomUUID(),
    operation: 'PushNotification',
    protocolBinding: 'HTTP+JSON',
    protocolVersion: '',
    request: { method: 'POST', url, headers: headers satisfies Headers, body: text },
    startedAt: now,
    endedAt: now,
    response: { status: 200, headers: [], body: '' },
    findings: [],
  };
  return { exchange, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    return isShallow(json) ? json : undefined;
  } catch {
    // Not JSON: the probe sees that nothing could be read.
    return undefined;
  }
}
