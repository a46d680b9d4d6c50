import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Delivery } from './delivery.ts';
import { DeliveryReader } from './deliveryReader.ts';
import { boundedBody, guarded, listenOnLoopback, refuse, callListener } from './loopbackServer.ts';
import { receiverLimits, type ReceiverLimits } from './receiverLimits.ts';
import { answer, rehearse } from './rehearsal.ts';
import { refusalOf, type RefusalReason } from './requestGuard.ts';
import { Webhook, type WebhookOptions } from './webhook.ts';

interface NotificationReceiverOptions {
  /** Called with each delivery to a webhook's path, also one that is refused. */
  readonly onDelivery: (delivery: Delivery) => void;
  /** Called with each request that is not a delivery, and with senders that were too slow. */
  readonly onRefusal?: (reason: RefusalReason | 'slow' | 'malformed') => void;
  /** Called with defects of this program; the sender is answered with HTTP 500. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<ReceiverLimits>;
}

/** Longest time between two looks for senders that are too slow, in milliseconds. */
const longestLook = 1_000;

/**
 * Receives push notifications of agents on loopback (A2A 1.0 §4.3.3). It listens from `start` to `stop`, accepts nothing that is not sent
 * to a webhook's secret path, checks what is, and tells no sender anything but a status.
 */
export class NotificationReceiver {
  readonly #options: NotificationReceiverOptions;
  readonly #limits: ReceiverLimits;
  readonly #webhooks = new Map<string, Webhook>();
  readonly #reader: DeliveryReader;
  readonly #log: DeliveryLog;
  readonly #sockets = new Set<Socket>();
  /** Connections that end after a refused request. */
  readonly #refused = new WeakSet<object>();
  #server: Server | undefined;
  #port = 0;
  #origin: string | undefined;
  #hosts: ReadonlySet<string> = new Set();
  #stopped = new AbortController();

  constructor(options: NotificationReceiverOptions) {
    this.#options = options;
    this.#limits = { ...receiverLimits, ...options.limits };
    this.#log = new DeliveryLog(this.#limits);
    this.#reader = new DeliveryReader(this.#limits);
  }

  /** The port; 0 while nothing listens. */
  get port(): number {
    return this.#server === undefined ? 0 : this.#port;
  }

  /** The last deliveries, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#log.deliveries;
  }

  /** Listens on loopback; port 0 takes any free one. Rejects with Node's error, such as `EADDRINUSE`. */
  async start(port = 0): Promise<void> {
    const { headerBytes, headMs, requestMs, connections } = this.#limits;
    // With this import Node.js compiles its own fetch, 50 ms of a processor.
    const { createServer } = await import('node:http');
    const server = createServer(
      {
        maxHeaderSize: headerBytes,
        headersTimeout: headMs,
        requestTimeout: requestMs,
        keepAliveTimeout: headMs,
        connectionsCheckingInterval: Math.min(longestLook, headMs / 4, requestMs / 4),
      },
      (message, response) => this.#onRequest(message, response),
    );
    server.maxConnections = connections;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => this.#onRequest(message, response));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      socket.destroy();
      // The rest of a request that was refused already is no other request.
      if (this.#refused.has(socket)) return;
      this.#reportRefusal(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow' : 'malformed');
    });
    for (const event of ['upgrade', 'connect'] as const) {
      server.on(event, (_: IncomingMessage, socket: Socket) => {
        socket.destroy();
        this.#reportRefusal('method');
      });
    }
    this.#port = await listenOnLoopback(server, port, this.#options.onError);
    this.#server = server;
    this.#nameHosts();
  }

  /** Closes every connection and frees the port. Webhooks stay, for the next start. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#stopped.abort();
    this.#stopped = new AbortController();
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * Lets agents reach the receiver by another address that is forwarded to it, such as one of a remote window: webhooks name it, and its
   * `Host` is accepted.
   * @param address of the receiver as agents see it; undefined for its own
   */
  setPublicAddress(address: string | undefined): void {
    const url = address === undefined ? undefined : new URL(address);
    this.#origin = url && url.origin + url.pathname.replace(/\/$/, '');
    this.#nameHosts();
  }

  /** An address for an agent or a task. */
  open(options?: WebhookOptions): Webhook {
    const webhook = new Webhook(() => this.#origin ?? `http://127.0.0.1:${this.#port}`, options);
    this.#webhooks.set(webhook.path, webhook);
    this.#nameHosts();
    return webhook;
  }

  /** Takes an address back: what is still sent there is answered with HTTP 404. */
  close(webhook: Webhook): void {
    this.#webhooks.delete(webhook.path);
    this.#nameHosts();
  }

  #nameHosts(): void {
    this.#hosts = new Set([
      ...(this.#origin === undefined ? [] : [new URL(this.#origin).host.toLowerCase()]),
      ...[...this.#webhooks.values()].flatMap(({ host }) => host ?? []),
    ]);
  }

  #onRequest(message: IncomingMessage, response: ServerResponse): void {
    void guarded(
      response,
      () => this.#receive(message, response),
      error => {
        answer(response, 500, { connection: 'close' });
        this.#options.onError(error);
      },
    );
  }

  async #receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const webhooks = [...this.#webhooks.values()];
    const refusal = refusalOf(message, {
      hosts: this.#hosts,
      paths: webhooks.map(({ path }) => path),
      anyType: new Set(webhooks.filter(({ takesAll }) => takesAll).map(({ path }) => path)),
      limits: this.#limits,
    });
    if (refusal !== undefined) return this.#refuse(message, response, refusal.status, refusal.reason);
    if (message.headers.expect !== undefined) response.writeContinue();
    const body = await boundedBody(message, this.#limits.bodyBytes).catch(() => null);
    // The sender broke off or was too slow; the server's error has the reason.
    if (body === null) return void response.destroy();
    if (body === undefined) return this.#refuse(message, response, 413, 'too-large');
    const webhook = this.#webhooks.get(message.url ?? '');
    if (webhook === undefined) return this.#refuse(message, response, 404, 'path');
    await this.#deliver(webhook, message, body, response, AbortSignal.any([gone.signal, this.#stopped.signal]));
  }

  async #deliver(webhook: Webhook, message: IncomingMessage, body: Buffer, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { rehearsal } = webhook;
    const delivery = await this.#reader.read(webhook, message, body);
    if (webhook.onDelivery === undefined) {
      this.#log.add(delivery);
      this.#options.onDelivery(delivery);
    } else webhook.onDelivery(delivery);
    if (delivery.isAccepted && delivery.problem === undefined) await rehearse(response, rehearsal, delivery.status === 200, signal);
    else answer(response, delivery.status, { connection: 'close' });
  }

  #refuse(message: IncomingMessage, response: ServerResponse, status: number, reason: RefusalReason): void {
    this.#refused.add(message.socket);
    refuse(message, response, status, { 'cache-control': 'no-store', ...(status === 405 && { allow: 'POST' }) });
    this.#reportRefusal(reason);
  }

  #reportRefusal(reason: RefusalReason | 'slow' | 'malformed'): void {
    callListener(() => this.#options.onRefusal?.(reason), this.#options.onError);
  }
}

/** The last deliveries, within bounds: those that came first are dropped first. */
class DeliveryLog {
  readonly #limits: Pick<ReceiverLimits, 'kept' | 'keptBytes'>;
  readonly #deliveries: Delivery[] = [];
  #bytes = 0;

  constructor(limits: Pick<ReceiverLimits, 'kept' | 'keptBytes'>) {
    this.#limits = limits;
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  add(delivery: Delivery): void {
    this.#deliveries.push(delivery);
    this.#bytes += delivery.body.byteLength;
    while (this.#deliveries.length > this.#limits.kept || this.#bytes > this.#limits.keptBytes) {
      const oldest = this.#deliveries.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest.body.byteLength;
    }
  }
}
