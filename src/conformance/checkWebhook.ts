import type { Headers } from '../protocol/exchange.ts';
import type { LocalizedMessage } from '../protocol/problem.ts';

/** A push notification as a receiver took it. */
export interface TakenNotification {
  /** When its last byte came, in milliseconds since the epoch. */
  readonly at: number;
  /** As they came, with credentials. */
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The HTTP status that it was answered with. */
  readonly status: number;
}

/** Requirements of a check for a receiver of push notifications. */
interface WantedWebhook {
  /** True for an agent of this machine, which needs no address but one on loopback. */
  readonly isNear: boolean;
  /** The protocol version of requests to the agent. */
  readonly protocolVersion: string;
  readonly onNotification: (notification: TakenNotification) => void;
  /** Called when the receiver ends before the webhook is closed. */
  readonly onEnd: () => void;
}

/** An address of the receiver, for one check alone. */
export interface CheckWebhook {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens an address at the receiver that the editor or the terminal has, which begins to listen if it does not yet, and ends with the last
 * address. Resolves with a sentence where no address can be had for the agent. Rejects with a `Problem` where nothing can be listened on.
 */
export type OpenWebhook = (wanted: WantedWebhook) => Promise<CheckWebhook | LocalizedMessage>;
