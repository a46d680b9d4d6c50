import type { LocalizedMessage } from '../../protocol/problem.ts';

/**
 * The request did not get past a proxy, so nothing reached the agent. Data for a `ConnectionProblem`. Contains no credentials.
 */
export class ProxyFailure extends Error {
  readonly what: LocalizedMessage;
  readonly nextStep: LocalizedMessage;
  /** `tls` for the certificate or handshake of the proxy. */
  readonly kind: 'unreachable' | 'tls';
  readonly details: string;

  constructor(what: LocalizedMessage, nextStep: LocalizedMessage, { kind = 'unreachable', details = '', cause }: ProxyFailureOptions = {}) {
    super(details || what.template, { cause });
    this.name = 'ProxyFailure';
    this.what = what;
    this.nextStep = nextStep;
    this.kind = kind;
    this.details = details;
  }
}

interface ProxyFailureOptions {
  readonly kind?: ProxyFailure['kind'];
  readonly details?: string;
  readonly cause?: unknown;
}
