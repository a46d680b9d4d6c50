import { Problem, sentence } from '../protocol/problem.ts';

/** The card names an interface at an origin that the user has not approved; nothing was sent there. */
export class ForeignOriginProblem extends Problem {
  /** The origin to approve, such as `https://agents.example`. */
  readonly origin: string;

  constructor(origin: string, agentOrigin: string) {
    super('foreign-origin', sentence('The agent card of {0} wants requests to go to {1}.', agentOrigin, origin), {
      nextStep: sentence('Allow {0} for this agent if you trust it, or choose another interface of the card.', origin),
    });
    this.name = 'ForeignOriginProblem';
    this.origin = origin;
  }
}

/** Hosts that are this machine, however they are written. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** The address of all interfaces of a machine: to listen on, not to connect to. */
export const isUnspecified = ({ hostname }: URL): boolean => hostname === '0.0.0.0' || hostname === '[::]';

/** One origin, where the names of this machine count as one. */
export function sameOrigin(one: URL, other: URL): boolean {
  return one.origin === other.origin
    || (one.protocol === other.protocol && one.port === other.port && isLoopback(one.hostname) && isLoopback(other.hostname));
}

/** True for the origin the user gave and for those the user approved, as `URL.origin` writes them. */
export const isApproved = (target: URL, agent: URL, approved: ReadonlySet<string>): boolean => sameOrigin(target, agent) || approved.has(target.origin);

/**
 * Requests and credentials go to the origin the user gave and to those the user approved.
 * @param approved origins as `URL.origin` writes them.
 * @throws ForeignOriginProblem for any other.
 */
export function requireApproved(target: URL, agent: URL, approved: ReadonlySet<string>): void {
  if (!isApproved(target, agent, approved)) throw new ForeignOriginProblem(target.origin, agent.origin);
}
