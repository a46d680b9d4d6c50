import type { TaskPushNotificationConfig } from '../../protocol/message/pushNotificationConfig.ts';
import type { ReceivedOutcome } from '../../protocol/exchange.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { Delivery } from '../../receiver/delivery.ts';
import { NotificationReceiver } from '../../receiver/notificationReceiver.ts';
import type { ReceiverLimits } from '../../receiver/receiverLimits.ts';
import type { Rehearsal } from '../../receiver/rehearsal.ts';
import type { Webhook } from '../../receiver/webhook.ts';
import type { AgentContext } from '../contexts/agentContext.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { configId, createConfig, deleteConfig } from './configurations.ts';
import { DeliveryIntake } from './deliveryIntake.ts';
import { LentWebhooks, type LentOptions, type LentWebhook } from './lentWebhooks.ts';

interface PushReceiverOptions {
  /** Called with defects. */
  readonly onError: (error: unknown) => void;
  readonly limits?: Partial<ReceiverLimits>;
  /** See `DeliveryIntake`. */
  readonly grace?: number;
}

/** A task whose notifications are received here. */
interface Receiving {
  readonly context: AgentContext;
  readonly taskId: string;
  /** As the agent has it; undefined until it has answered. */
  readonly config: TaskPushNotificationConfig | undefined;
}

/** A delivery to one of the webhooks, and what became of it. */
export interface ReceivedDelivery {
  readonly context: AgentContext;
  readonly taskId: string;
  readonly delivery: Delivery;
  /** Id of the exchange in the history. */
  readonly exchangeId: string;
  readonly outcome: ReceivedOutcome;
}

interface OpenWebhook {
  readonly context: AgentContext;
  readonly taskId: string;
  readonly webhook: Webhook;
  readonly protocolVersion: string;
  config: TaskPushNotificationConfig | undefined;
  /** Deliveries that were refused, as far as they are kept. */
  refused: number;
}

/** Most refused deliveries of one webhook in the history: any program that finds the path could fill it. */
const maxRefused = 50;
/** Most deliveries that `deliveries` has, the newest. */
const maxListed = 100;

/**
 * Receives push notifications of tasks on loopback (A2A 1.0 §4.3.3). It listens while it has webhooks: one for each task, with a path and a
 * token of its own.
 */
export class PushReceiver implements Disposable {
  readonly #options: PushReceiverOptions;
  readonly #changed: Emitter<void>;
  readonly #received: Emitter<ReceivedDelivery>;
  readonly #intake: DeliveryIntake;
  readonly #open = new Map<string, OpenWebhook>();
  readonly #lent = new LentWebhooks();
  #receiver: NotificationReceiver | undefined;
  #starting: Promise<NotificationReceiver> | undefined;
  #rehearsal: Rehearsal = { kind: 'accept' };
  #count = 0;
  #refusals = 0;
  #deliveries: readonly ReceivedDelivery[] = [];

  constructor(options: PushReceiverOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
    this.#received = new Emitter(options.onError);
    this.#intake = new DeliveryIntake(options.onError, options.grace);
  }

  /** Anything below has changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** After it is in the history. */
  get onDidReceive(): Event<ReceivedDelivery> {
    return this.#received.event;
  }

  /** The port on 127.0.0.1; 0 while nothing listens. */
  get port(): number {
    return this.#receiver?.port ?? 0;
  }

  /** How many deliveries came since it was started, refused ones left out. */
  get count(): number {
    return this.#count;
  }

  /** How many requests were refused since it was started, forged deliveries included. */
  get refusals(): number {
    return this.#refusals;
  }

  /** The newest hundred, oldest first. */
  get deliveries(): readonly ReceivedDelivery[] {
    return this.#deliveries;
  }

  /** Tasks whose notifications are received here. */
  get receiving(): readonly Receiving[] {
    return [...this.#open.values()];
  }

  /** How many addresses are lent. */
  get lent(): number {
    return this.#lent.size;
  }

  get rehearsal(): Rehearsal {
    return this.#rehearsal;
  }

  /** How all deliveries are answered from now on. */
  rehearse(rehearsal: Rehearsal): void {
    this.#rehearsal = rehearsal;
    for (const { webhook } of this.#open.values()) {
      webhook.rehearsal = rehearsal;
      webhook.rehearsed = 0;
    }
    this.#changed.fire();
  }

  /** The address of a task's webhook; undefined where its notifications are not received here. */
  urlOf(context: AgentContext, taskId: string): string | undefined {
    return this.#open.get(keyOf(context, taskId))?.webhook.url;
  }

  /** True for the address of a webhook that is open here, also for one from before the port was forwarded. */
  isOwn(url: string): boolean {
    return URL.canParse(url) && [...this.#open.values()].some(({ webhook }) => new URL(url).pathname.endsWith(webhook.path));
  }

  /** Begins to listen, if it does not yet. Rejects with a `Problem` where no port can be listened on. */
  async start(): Promise<number> {
    if (this.#receiver === undefined) await (this.#starting ??= this.#start().finally(() => (this.#starting = undefined)));
    return this.port;
  }

  /** See `NotificationReceiver.setPublicAddress`. Existing configurations keep their address, which stays valid. */
  reachedBy(address: string | undefined): void {
    this.#receiver?.setPublicAddress(address);
    this.#changed.fire();
  }

  /**
   * Creates a configuration with a webhook here for the task, or returns the one that there is. Rejects with the `Problem` of the agent;
   * then nothing is open.
   */
  async receive(context: AgentContext, taskId: string, signal?: AbortSignal): Promise<Receiving> {
    const key = keyOf(context, taskId);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const receiver = await this.#started();
    const protocolVersion = context.agent?.chosen?.interface.protocolVersion ?? '1.0';
    const webhook = receiver.open({ protocolVersion, rehearsal: this.#rehearsal });
    webhook.taskIds.add(taskId);
    const open: OpenWebhook = { context, taskId, webhook, protocolVersion, config: undefined, refused: 0 };
    this.#open.set(key, open);
    try {
      open.config = await createConfig(context, taskId, webhook.config, signal);
    } catch (error) {
      await this.#close(open);
      throw error;
    }
    this.#changed.fire();
    return open;
  }

  /**
   * Lends an address of its own, to which everything may be sent: it is neither counted nor kept, and what is rehearsed does not hold for it.
   * Begins to listen, if it does not yet; rejects as `start`.
   */
  async lend({ origin: addressOf, ...options }: LentOptions): Promise<LentWebhook> {
    const { port } = await this.#started();
    let origin: string | undefined;
    try {
      origin = await addressOf?.(port);
    } catch (error) {
      await this.#endIfUnused();
      throw error;
    }
    const lent = this.#lent.lend(await this.#started(), { ...options, origin }, () => this.#endIfUnused());
    this.#changed.fire();
    return lent;
  }

  /** Closes the task's webhook without a request to the agent. The receiver stops with the last one. */
  async forget(context: AgentContext, taskId: string): Promise<void> {
    const open = this.#open.get(keyOf(context, taskId));
    if (open !== undefined) await this.#close(open);
  }

  /**
   * Stops receiving and deletes the configurations at their agents. Resolves with those that their agents could not be asked to delete, or
   * refused to, with the reason.
   */
  async stop(signal?: AbortSignal): Promise<readonly (Receiving & { readonly problem: Problem })[]> {
    const open = [...this.#open.values()];
    await this.#end();
    const failed = await Promise.all(
      open.map(async ({ context, taskId, config }) => {
        if (config === undefined) return undefined;
        try {
          await deleteConfig(context, { taskId, id: configId(config) }, signal);
          return undefined;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          return { context, taskId, config, problem: error };
        }
      }),
    );
    return failed.filter(each => each !== undefined);
  }

  /** Stops the receiver without requests to agents. */
  dispose(): void {
    this.#intake.dispose();
    this.#changed.dispose();
    this.#received.dispose();
    this.#end().catch(this.#options.onError);
  }

  async #start(): Promise<NotificationReceiver> {
    const receiver = new NotificationReceiver({
      onDelivery: delivery => this.#take(delivery),
      onRefusal: () => {
        this.#refusals++;
        this.#changed.fire();
      },
      onError: this.#options.onError,
      ...(this.#options.limits !== undefined && { limits: this.#options.limits }),
    });
    try {
      await receiver.start();
    } catch (error) {
      throw new Problem(
        'cannot-listen',
        sentence('Could not listen on any port of this machine: {0}.', (error as NodeJS.ErrnoException).code ?? String(error)),
        { cause: error },
      );
    }
    this.#count = 0;
    this.#refusals = 0;
    this.#deliveries = [];
    this.#receiver = receiver;
    return receiver;
  }

  async #close(open: OpenWebhook): Promise<void> {
    this.#open.delete(keyOf(open.context, open.taskId));
    this.#receiver?.close(open.webhook);
    await this.#endIfUnused();
  }

  async #endIfUnused(): Promise<void> {
    if (this.#open.size === 0 && this.#lent.size === 0) await this.#end();
    else this.#changed.fire();
  }

  async #started(): Promise<NotificationReceiver> {
    await this.start();
    if (this.#receiver === undefined) throw new Problem('receiver-stopped', sentence('The receiver was stopped in the meantime.'));
    return this.#receiver;
  }

  async #end(): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#rehearsal = { kind: 'accept' };
    this.#open.clear();
    this.#lent.end();
    this.#changed.fire();
    await receiver?.stop();
  }

  #take(delivery: Delivery): void {
    const open = [...this.#open.values()].find(({ webhook }) => webhook === delivery.webhook);
    if (open === undefined) return;
    if (delivery.isAccepted) this.#count++;
    else {
      this.#refusals++;
      open.refused++;
    }
    const { context, taskId, protocolVersion } = open;
    if (open.refused <= maxRefused || delivery.isAccepted) {
      const received = { context, taskId, delivery, ...this.#intake.take(context, delivery, protocolVersion) };
      this.#deliveries = [...this.#deliveries, received].slice(-maxListed);
      this.#received.fire(received);
    }
    // As many failures as were asked for: from now on answers are true again.
    if (this.#rehearsal.kind === 'error' && open.webhook.rehearsed >= this.#rehearsal.times) this.rehearse({ kind: 'accept' });
    else this.#changed.fire();
  }
}

const keyOf = ({ key }: AgentContext, taskId: string): string => JSON.stringify([key, taskId]);
