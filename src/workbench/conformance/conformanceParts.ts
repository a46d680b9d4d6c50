import type { OpenWebhook } from '../../conformance/checkWebhook.ts';
import type * as Bundle from '../../conformance/bundle/bundle.ts';

/** The module with the checks of conformance. */
export type Conformance = typeof Bundle;

/** Opens webhooks for checks of push notifications. */
export interface Webhooks {
  readonly webhooksFor: (agentName: string) => OpenWebhook;
}

/** Loads it. */
export type ConformanceParts = () => Promise<Conformance>;
