import type { IncomingMessage } from 'node:http';
import { maskedHeaders } from '../client/wireLog/maskedHeaders.ts';
import type { Headers } from '../protocol/exchange.ts';
import { taskIdOf } from '../protocol/message/streamResponse.ts';
import { SecretValues } from '../protocol/secrets/secretValues.ts';
import type { Delivery } from './delivery.ts';
import { deliveryVerdicts } from './deliveryVerdicts.ts';
import { readDelivery } from './readDelivery.ts';
import type { ReceiverLimits } from './receiverLimits.ts';
import { accepts, rehearsedAnswer } from './rehearsal.ts';
import { isAccepted } from './verdict.ts';
import type { Webhook } from './webhook.ts';
import { createHash } from 'node:crypto';

/** Makes deliveries of requests to webhooks. */
export class DeliveryReader {
  readonly #limits: ReceiverLimits;
  readonly #seen = new SeenDeliveries();
  #count = 0;

  constructor(limits: ReceiverLimits) {
    this.#limits = limits;
  }

  async read(webhook: Webhook, { headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>, body: Buffer): Promise<Delivery> {
    const at = Date.now();
    const { value, ...read } = readDelivery(body.toString('utf8'), webhook.protocolVersion);
    const taskId = read.content === undefined ? undefined : taskIdOf(read.content);
    const { verdicts, id } = await deliveryVerdicts(headers, webhook, { body, value, taskId, at }, this.#limits);
    const accepted = isAccepted(verdicts);
    const fine = accepted && read.problem === undefined;
    const answered = fine && accepts(webhook.rehearsal, webhook.rehearsed);
    if (fine && !answered && webhook.rehearsal.kind === 'error') webhook.rehearsed++;
    // A delivery without a success status is sent again, and counts then.
    const rehearsed = fine ? rehearsedAnswer(webhook.rehearsal, answered) : undefined;
    const isNew = answered && this.#seen.isNew(webhook.path, body, id);
    return {
      ...read,
      id: this.#count++,
      webhook,
      at,
      headers: webhook.takesAll ? pairsOf(rawHeaders) : maskedHeaders(pairsOf(rawHeaders), new Set()),
      body: withoutSecrets(body, webhook),
      ...(taskId !== undefined && { taskId }),
      verdicts,
      isAccepted: accepted,
      isApplied: isNew && read.content !== undefined,
      isRepeated: answered && !isNew,
      status: statusOf(webhook, { accepted, fine, answered }),
      ...(rehearsed !== undefined && { rehearsed }),
    };
  }
}

function statusOf({ rehearsal }: Webhook, { accepted, fine, answered }: { accepted: boolean; fine: boolean; answered: boolean }): number {
  if (!accepted) return 401;
  if (!fine) return 400;
  if (answered) return 200;
  return rehearsal.kind === 'redirect' ? 307 : rehearsal.kind === 'error' ? 500 : 0;
}

/** As they came, in pairs of name and value. */
const pairsOf = (raw: readonly string[]): Headers =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));

/** The bytes as they came, unless the agent repeats a secret of the webhook in them. */
function withoutSecrets(body: Buffer, { token, authentication }: Webhook): Uint8Array {
  const secrets = new SecretValues();
  secrets.add([token, authentication?.credentials].filter(secret => secret !== undefined));
  const text = body.toString('utf8');
  const masked = secrets.mask(text);
  return masked === text ? body : Buffer.from(masked);
}

/** Most deliveries that are remembered; those that came first are forgotten first. */
const maxSeen = 10_000;

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
      if (this.#seen.size <= maxSeen) break;
      this.#seen.delete(oldest);
    }
    return !known;
  }
}
