import { createHash } from 'node:crypto';

/** Most deliveries that are remembered; those that came first are forgotten first. */
const most = 10_000;

/** Which deliveries were applied, so that each is applied once: agents send again what they think was lost. */
export class SeenDeliveries {
  readonly #seen = new Set<string>();

  /**
   * True the first time. A delivery is known by its webhook and the id of its JWT, or else its bytes: notifications have no ids of their
   * own, so that two that say exactly the same count as one.
   */
  isNew(path: string, body: Uint8Array, id?: string): boolean {
    const key = createHash('sha256')
      .update(path)
      .update('\0')
      .update(id ?? '')
      .update('\0')
      .update(body)
      .digest('base64url');
    const keys = id === undefined ? [key] : [key, `${path} ${id}`];
    const known = keys.some(each => this.#seen.has(each));
    for (const each of keys) this.#seen.add(each);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= most) break;
      this.#seen.delete(oldest);
    }
    return !known;
  }
}
