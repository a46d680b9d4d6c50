import type { Headers } from '../../protocol/exchange.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { CauseId } from './causes.ts';

/** The steps of a sign-in in their order. */
export type SignInStepId = 'card' | 'request' | 'resource' | 'server' | 'client' | 'authorization' | 'token' | 'claims' | 'use' | 'refresh';

/** A request of the examination and its answer. Credentials in it are masked. */
export interface SeenExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  /** Body of a form or a registration. */
  readonly requestBody?: string;
  /** Undefined where there was no answer. */
  readonly status?: number;
  readonly headers: Headers;
  /** At most 16,384 characters. */
  readonly body: string;
}

export interface ExplainedStep {
  readonly id: SignInStepId;
  /** `skipped`: not tried, for the reason in the sentence. */
  readonly verdict: 'ok' | 'failed' | 'skipped';
  readonly sentence: LocalizedMessage;
  /** Facts, such as the claims of a token. */
  readonly facts: readonly LocalizedMessage[];
  readonly exchanges: readonly SeenExchange[];
}

export interface LikelyCause {
  readonly id: CauseId;
  readonly step: SignInStepId;
  readonly sentence: LocalizedMessage;
  readonly remedy: LocalizedMessage;
}

export interface SignInReport {
  readonly agentUrl: string;
  /** Origins of documents that were fetched by a GET without credentials, in turn, as `URL.origin` writes them. */
  readonly origins: readonly string[];
  readonly steps: readonly ExplainedStep[];
  /** The agent accepted the credentials and no step failed: what the causes name did not prevent the sign-in. */
  readonly isAccepted: boolean;
  /** The likeliest first. Empty where all that was tried is well. */
  readonly causes: readonly LikelyCause[];
}
