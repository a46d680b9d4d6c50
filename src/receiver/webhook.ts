import { randomBytes } from 'node:crypto';
import type { PushNotificationConfig } from '../protocol/message/pushNotificationConfig.ts';
import type { Delivery } from './delivery.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { JwtExpectation } from './signedDelivery.ts';

/** Bytes of paths and tokens. */
const secretBytes = 32;

/** The expectations of a webhook. */
export interface WebhookOptions {
  /** Version in use with the agent. */
  readonly protocolVersion?: string;
  /** Made at random where it is left out. */
  readonly path?: string;
  /** Made at random where it is left out; null for none. */
  readonly token?: string | null;
  /** `authentication` of the configuration. */
  readonly authentication?: PushNotificationConfig['authentication'];
  /** Set where the agent signs its notifications: `Authorization` is then a JWT. */
  readonly jwt?: JwtExpectation;
  readonly rehearsal?: Rehearsal;
  /** Address under which the receiver is reached for this webhook, whatever it is for the others. */
  readonly origin?: string | undefined;
  /** Every POST counts, whatever its type, and header values are kept as they came: for checks, whose rules judge both. */
  readonly takesAll?: boolean;
  /** Called with the deliveries of this webhook, which the receiver then neither keeps nor reports. */
  readonly onDelivery?: (delivery: Delivery) => void;
}

/** One address of the receiver, for one agent or task, with secrets of its own. */
export class Webhook {
  readonly path: string;
  /** Undefined where the path alone is secret. */
  readonly token: string | undefined;
  readonly authentication: PushNotificationConfig['authentication'];
  readonly jwt: JwtExpectation | undefined;
  readonly protocolVersion: string | undefined;
  readonly takesAll: boolean;
  readonly onDelivery: WebhookOptions['onDelivery'];
  /** The host that deliveries may name beside those of the receiver, in lower case. */
  readonly host: string | undefined;
  /** How deliveries are answered; may change at any time. */
  rehearsal: Rehearsal;
  /** Tasks that deliveries may be about; empty while the task is unknown. */
  readonly taskIds = new Set<string>();
  /** How many deliveries were answered with an error on purpose. */
  rehearsed = 0;
  readonly #origin: () => string;

  /** @param origin of the receiver, as the agent reaches it */
  constructor(origin: () => string, options: WebhookOptions = {}) {
    const { path = `/${randomBytes(secretBytes).toString('base64url')}`, token, rehearsal = { kind: 'accept' } } = options;
    const { origin: own } = options;
    const url = own === undefined ? undefined : new URL(own);
    const place = url && url.origin + url.pathname.replace(/\/$/, '');
    this.#origin = place === undefined ? origin : () => place;
    this.host = url?.host.toLowerCase();
    this.takesAll = options.takesAll === true;
    this.onDelivery = options.onDelivery;
    this.path = path;
    this.token = token === undefined ? randomBytes(secretBytes).toString('base64url') : (token ?? undefined);
    this.authentication = options.authentication;
    this.jwt = options.jwt;
    this.protocolVersion = options.protocolVersion;
    this.rehearsal = rehearsal;
  }

  get url(): string {
    return this.#origin() + this.path;
  }

  /** The configuration with this webhook, for a message or, with a task's id, for that task. */
  get config(): PushNotificationConfig {
    const { url, token, authentication } = this;
    return { url, ...(token !== undefined && { token }), ...(authentication !== undefined && { authentication }) };
  }
}
