import type { Delivery } from '../../receiver/delivery.ts';
import type { NotificationReceiver } from '../../receiver/notificationReceiver.ts';
import type { Webhook, WebhookOptions } from '../../receiver/webhook.ts';

/** A webhook without a task, for a caller that judges its deliveries. */
export interface LentWebhook {
  readonly url: string;
  /** Takes the address back. The receiver ends with the last one. */
  close(): Promise<void>;
}

export interface LentOptions extends Pick<WebhookOptions, 'protocolVersion'> {
  /** The address by which a port of this machine is reached; that on loopback where left out. */
  readonly origin?: (port: number) => Promise<string>;
  readonly onDelivery: (delivery: Delivery) => void;
  /** Called when the receiver ends before the address is taken back. */
  readonly onEnd: () => void;
}

/** Addresses of a receiver that are lent, each with what is called when the receiver ends. */
export class LentWebhooks {
  readonly #open = new Map<Webhook, () => void>();

  get size(): number {
    return this.#open.size;
  }

  /** @param onClosed called when one was taken back */
  lend(
    receiver: NotificationReceiver,
    { onEnd, origin, ...options }: Omit<LentOptions, 'origin'> & Pick<WebhookOptions, 'origin'>,
    onClosed: () => Promise<void>,
  ): LentWebhook {
    const webhook = receiver.open({ ...options, origin: origin ?? `http://127.0.0.1:${receiver.port}`, token: null, takesAll: true });
    this.#open.set(webhook, onEnd);
    return {
      url: webhook.url,
      close: async () => {
        if (!this.#open.delete(webhook)) return;
        receiver.close(webhook);
        await onClosed();
      },
    };
  }

  /** The receiver has ended. */
  end(): void {
    const ended = [...this.#open.values()];
    this.#open.clear();
    for (const onEnd of ended) onEnd();
  }
}
