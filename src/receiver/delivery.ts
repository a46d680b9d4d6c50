import type { Finding } from '../protocol/finding.ts';
import type { Headers } from '../protocol/exchange.ts';
import type { Problem } from '../protocol/problem.ts';
import type { StreamResponse } from '../protocol/message/streamResponse.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Verdict } from './verdict.ts';
import type { Webhook } from './webhook.ts';

/** A notification as it came, and what became of it. */
export interface Delivery {
  /** Counts up within a receiver. */
  readonly id: number;
  readonly webhook: Webhook;
  /** When its last byte came, in milliseconds since the epoch. */
  readonly at: number;
  /** Values with credentials are masked, unless the webhook takes all. */
  readonly headers: Headers;
  /** The bytes as they came; secrets of the webhook in them are masked. */
  readonly body: Uint8Array;
  readonly content?: StreamResponse;
  readonly taskId?: string;
  /** The version whose shape it has. */
  readonly protocolVersion?: string;
  readonly findings: readonly Finding[];
  /** Why nothing could be read. */
  readonly problem?: Problem;
  readonly verdicts: readonly Verdict[];
  /** Nothing failed: it is from the agent. */
  readonly isAccepted: boolean;
  /** It is to be applied: accepted, answered with success, readable, and not known yet. */
  readonly isApplied: boolean;
  /** It was applied before. */
  readonly isRepeated: boolean;
  /** The status that it is answered with; 0 for silence. */
  readonly status: number;
  /** How it is answered on purpose; undefined where the answer is the true one. */
  readonly rehearsed?: Exclude<Rehearsal, { readonly kind: 'accept' }>;
}
