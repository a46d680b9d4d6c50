import type { OpenWebhook } from '../../conformance/checkWebhook.ts';
import type * as Bundle from '../../conformance/bundle/bundle.ts';

/** What checks of conformance take, once it is loaded. */
export type Conformance = typeof Bundle;

/** Loads what has the receiver of push notifications. */
export interface Webhooks {
  readonly webhooksFor: (agentName: string) => OpenWebhook;
}

/** Loads it. */
export type ConformanceParts = () => Promise<Conformance>;
