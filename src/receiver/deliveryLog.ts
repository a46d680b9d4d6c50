import type { Delivery } from './delivery.ts';
import type { ReceiverLimits } from './receiverLimits.ts';

/** The last deliveries, within bounds: those that came first are dropped first. */
export class DeliveryLog {
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
