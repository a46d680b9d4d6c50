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
import { SeenDeliveries } from './seenDeliveries.ts';
import { isAccepted } from './verdict.ts';
import type { Webhook } from './webhook.ts';

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
    // What is not answered with success is sent again, and counts then.
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
