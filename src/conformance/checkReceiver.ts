import { randomUUID } from 'node:crypto';
import type { Http } from '../client/http/http.ts';
import { maskedHeaders } from '../client/wireLog/maskedHeaders.ts';
import type { AgentInterface } from '../protocol/card/agentCard.ts';
import { isLoopback } from '../protocol/card/agentOrigin.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { isShallow } from '../protocol/json/depth.ts';
import { hint, Problem, sentence } from '../protocol/problem.ts';
import type { ProbeReceiver, Unreachable } from './rules/rule/probe.ts';
import type { CheckLog } from './port/probeRequests.ts';
import type { CheckWebhook, OpenWebhook, TakenNotification } from './checkWebhook.ts';

/** Most notifications of one webhook that are looked at. */
const maxNotifications = 200;
/** Longest texts of all notifications of a run, in UTF-16 code units: what is parsed takes many times its text. */
const maxTexts = 16 * 1024 * 1024;
/** Longest time in which a notification of our own comes back by the address that agents use, in milliseconds. */
const reachMs = 10_000;
/** How much of a webhook's secret path is shown. */
const shownPath = 9;

type Delivery = ProbeReceiver['deliveries'] extends AsyncIterable<infer Each> ? Each : never;

interface CheckReceiverOptions {
  readonly open: OpenWebhook;
  readonly http: Http;
  readonly signal: AbortSignal;
  /** Records each notification as an exchange. */
  readonly log: Pick<CheckLog, 'exchange'>;
}

/**
 * The receiver of push notifications as the probes of one run have it: each webhook has an address of its own, so that what comes there is of
 * one probe alone. The addresses stay open until the run is over: an agent that notifies late is answered, and the receiver stays on.
 */
export class CheckReceiver {
  readonly #options: CheckReceiverOptions;
  readonly #open: CheckWebhook[] = [];
  /** By host of the agent. */
  readonly #unreachable = new Map<string, Unreachable>();
  #origin: string | undefined;
  /** How much may still come, in code units. */
  #room = maxTexts;

  constructor(options: CheckReceiverOptions) {
    this.#options = options;
  }

  /** Where notifications were to be received; undefined where that was never needed. */
  get origin(): string | undefined {
    return this.#origin;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map(each => each.close()));
  }

  /**
   * A webhook for the agent of the interface; the reason where it cannot reach one. Rejects with a `Problem` where nothing can be listened
   * on.
   */
  async webhook(entry: AgentInterface): Promise<ProbeReceiver | Unreachable> {
    const { hostname } = new URL(entry.url);
    const known = this.#unreachable.get(hostname);
    if (known !== undefined) return known;
    const opened = await this.#webhookFor(hostname, entry);
    if ('unreachable' in opened) this.#unreachable.set(hostname, opened);
    else this.#origin ??= new URL(opened.url).origin;
    return opened;
  }

  async #webhookFor(hostname: string, entry: AgentInterface): Promise<ProbeReceiver | Unreachable> {
    const { open, signal, log } = this.#options;
    const isNear = isLoopback(hostname);
    const queue = new DeliveryQueue();
    const reached = Promise.withResolvers<boolean>();
    const mark = randomUUID();
    let shownUrl = '';
    const webhook = await open({
      isNear,
      protocolVersion: entry.protocolVersion,
      onNotification: notification => {
        const text = Buffer.from(notification.body).toString();
        if (text.includes(mark)) return reached.resolve(true);
        if (queue.isFull || text.length > this.#room) return;
        this.#room -= text.length;
        const exchange = exchangeOf(notification, text, shownUrl);
        queue.add({ exchangeId: exchange.id, headers: notification.headers, json: jsonOf(text) });
        log.exchange(exchange, entry);
      },
      onEnd: () => {
        reached.resolve(false);
        queue.fail(new Problem('receiver-stopped', sentence('The push notification receiver was stopped during the check.')));
      },
    });
    if (!('url' in webhook)) return { unreachable: webhook };
    const { host, hostname: own, pathname, origin } = new URL(webhook.url);
    shownUrl = `${origin}${pathname.slice(0, shownPath)}…`;
    if (!isNear && (isLoopback(own) || !(await this.#isReached(webhook.url, mark, reached)))) {
      await webhook.close();
      signal.throwIfAborted();
      return { unreachable: isLoopback(own) ? elsewhere(hostname, host) : closed(origin) };
    }
    this.#open.push(webhook);
    return { url: webhook.url, deliveries: queue.all(), close: () => queue.end() };
  }

  /** Sends something there, as an agent would: a forwarded port may want a sign-in, which agents do not have. */
  async #isReached(url: string, mark: string, reached: PromiseWithResolvers<boolean>): Promise<boolean> {
    const { http, signal } = this.#options;
    try {
      const answer = await http.request({
        method: 'POST',
        url: new URL(url),
        headers: [['content-type', 'application/json']],
        body: JSON.stringify({ reached: mark }),
        headersTimeoutMs: reachMs,
        bodyTimeoutMs: reachMs,
        timeoutMs: reachMs,
        signal,
        subject: { operation: 'PushNotification', protocolBinding: 'HTTP+JSON', protocolVersion: '' },
      });
      answer.discard();
      answer.record.end();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
    // The delivery is reported before it is answered.
    reached.resolve(false);
    return reached.promise;
  }
}

const elsewhere = (agent: string, here: string) =>
  hint(
    sentence(
      'The agent is on another machine, {0}, and cannot reach the push notification receiver at {1}. Check it from a remote window whose ports VS Code forwards, or on its own machine.',
      agent,
      here,
    ),
    'The agent is on another machine, {0}, and cannot reach the receiver of push notifications at {1}. Give --webhook with an address that leads to --port of this machine, or check it on its own machine.',
  );

const closed = (origin: string) =>
  hint(
    sentence(
      'What is sent to {0} does not reach the push notification receiver. Make the forwarded port public in the Ports view, so that the agent can send there.',
      origin,
    ),
    'What is sent to {0} does not come to the receiver of push notifications. Let the address of --webhook lead to --port of this machine.',
  );

/** Deliveries that no probe has read yet. */
class DeliveryQueue {
  readonly #waiting: Delivery[] = [];
  #count = 0;
  #isOver = false;
  #error: Problem | undefined;
  #wake = (): void => {};

  /** Nothing more is looked at. */
  get isFull(): boolean {
    return this.#isOver || this.#count >= maxNotifications;
  }

  add(delivery: Delivery): void {
    this.#count++;
    this.#waiting.push(delivery);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  fail(error: Problem): void {
    if (!this.#isOver) this.#error = error;
    this.end();
  }

  async *all(): AsyncGenerator<Delivery> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#error !== undefined) throw this.#error;
      else if (this.#isOver) return;
      else await new Promise<void>(resolve => (this.#wake = resolve));
    }
  }
}

/** The exchange in which the agent was the client. The webhook's path is secret, so only its beginning is kept. */
const exchangeOf = ({ at, headers, status }: TakenNotification, body: string, url: string): Exchange => ({
  id: randomUUID(),
  operation: 'PushNotification',
  protocolBinding: 'HTTP+JSON',
  // What the agent asked is not an answer of its interface, and counts for no rule about those.
  protocolVersion: '',
  request: { method: 'POST', url, headers: maskedHeaders(headers, new Set()), body },
  startedAt: at,
  endedAt: at,
  headersAt: at,
  response: { status, headers: [], body: '' },
  findings: [],
});

function jsonOf(text: string): unknown {
  try {
    const json = JSON.parse(text) as unknown;
    return isShallow(json) ? json : undefined;
  } catch {
    // Not JSON: the probe sees that nothing could be read.
    return undefined;
  }
}
