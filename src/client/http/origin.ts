import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';

/** The card names an interface at an origin that the user has not approved; nothing was sent there. */
export class ForeignOriginProblem extends Problem {
  /** The origin to approve, such as `https://agents.example`. */
  readonly origin: string;

  constructor(origin: string, agentOrigin: string) {
    super('foreign-origin', sentence('The agent card of {0} wants requests to go to {1}.', agentOrigin, origin), {
      nextStep: hint(
        sentence(
          'If you trust it, allow it with "Allow Address of Card" on the agent. Otherwise choose another interface of the card.',
          origin,
        ),
        'If you trust it, allow it with --allow-origin {0}. Otherwise choose another interface of the card with --interface.',
      ),
    });
    this.name = 'ForeignOriginProblem';
    this.origin = origin;
  }
}

/** The address of all interfaces of a machine: to listen on, not to connect to. */
export const isUnspecified = ({ hostname }: URL): boolean => hostname === '0.0.0.0' || hostname === '[::]';

/** Where requests of one agent may go. */
export interface Trust {
  /** The address the user gave. */
  readonly agent: URL;
  /** Other origins that the user approved, as `URL.origin` writes them. */
  readonly approved: ReadonlySet<string>;
  /** Other ports and loopback names of its host need no approval: there are no headers that another program there would get. */
  readonly otherPorts: boolean;
}

/**
 * True for the origin the user gave and for those the user approved. Two names of this machine are two origins: another program may listen at
 * the same port of `[::1]` or `127.0.0.2`. Another port or loopback name of the same host may need no approval, where the connection is no less
 * protected: agents commonly have each interface at a port of its own.
 */
export function isApproved(target: URL, { agent, approved, otherPorts }: Trust): boolean {
  return (
    target.origin === agent.origin ||
    approved.has(target.origin) ||
    (otherPorts && sameHost(target, agent) && (target.protocol === agent.protocol || target.protocol === 'https:'))
  );
}

/** Whatever the port; the names of this machine are one host. */
export const sameHost = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname));

/** @throws ForeignOriginProblem for an address that is not approved. */
export function requireApproved(target: URL, trust: Trust): void {
  if (!isApproved(target, trust)) throw new ForeignOriginProblem(target.origin, trust.agent.origin);
}

/** @param headers that go with every request to the agent. */
export function trustIn(agent: URL, approved: ReadonlySet<string>, headers: Readonly<Record<string, string>> = {}): Trust {
  return { agent, approved, otherPorts: Object.keys(headers).length === 0 };
}
