import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { configuredHeaders, type GivenHeaders } from './configuredHeaders.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';

/** The card has an interface at an origin that the user has not approved; nothing was sent there. */
export class ForeignOriginProblem extends Problem {
  /** The origin to approve, such as `https://agents.example`. */
  readonly origin: string;

  /** @param hasOthers true where the card has other interfaces */
  constructor(origin: string, agentOrigin: string, hasOthers = true) {
    // Behind a forwarded port or in a container, an agent that runs elsewhere calls its own machine "localhost".
    const isHere = isLoopback(new URL(origin).hostname) && !isLoopback(new URL(agentOrigin).hostname);
    const what = isHere
      ? sentence('The agent card of {0} directs requests to {1}, which is this machine.', agentOrigin, origin)
      : sentence('The agent card of {0} directs requests to {1}.', agentOrigin, origin);
    super('foreign-origin', what, {
      nextStep: isHere
        ? hint(
            sentence(
              'If the agent runs elsewhere, choose "Fix…" on it. If it runs on this machine, choose "Allow Address of Card".',
              origin,
            ),
            'If the agent runs elsewhere, give its address with --interface ADDRESS. If it runs on this machine, allow it with --allow-origin {0}.',
          )
        : hasOthers
          ? hint(
              sentence(
                'If you trust it, allow it with "Allow Address of Card" on the agent. Otherwise choose another interface of the card.',
                origin,
              ),
              'If you trust it, allow it with --allow-origin {0}. Otherwise choose another interface of the card with --interface.',
            )
          : hint(
              sentence(
                'If you trust it, allow it with "Allow Address of Card" on the agent. Otherwise correct the address in the card.',
                origin,
              ),
              'If you trust it, allow it with --allow-origin {0}. Otherwise correct the address in the card.',
            ),
    });
    this.name = 'ForeignOriginProblem';
    this.origin = origin;
  }
}

/** True for the unspecified address: it is for listening, not for connecting. */
export const isUnspecified = ({ hostname }: URL): boolean => hostname === '0.0.0.0' || hostname === '[::]';

/** Origins that requests to one agent may go to. */
export interface Trust {
  /** The address from the user. */
  readonly agent: URL;
  /** Other origins that the user approved, as `URL.origin` writes them. */
  readonly approved: ReadonlySet<string>;
  /**
   * True where other ports and loopback names of its host need no approval: there is nothing (headers, a client certificate) that
   * another program there could receive.
   */
  readonly otherPorts: boolean;
}

/**
 * True for the origin from the user and for approved ones. Two names of this machine are two origins, since another program may listen on
 * the same port of `[::1]` or `127.0.0.2`. With `otherPorts`, other ports and loopback names of the same host are accepted too, if the
 * connection is no less protected: agents commonly have one port per interface.
 */
export function isApproved(target: URL, { agent, approved, otherPorts }: Trust): boolean {
  return (
    target.origin === agent.origin ||
    approved.has(target.origin) ||
    (otherPorts && sameHost(target, agent) && (target.protocol === agent.protocol || target.protocol === 'https:'))
  );
}

/** Ignores the port; all names of this machine count as one host. */
export const sameHost = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname));

/** @throws ForeignOriginProblem for an address that is not approved. @param hasOthers true where the card has other interfaces */
export function requireApproved(target: URL, trust: Trust, hasOthers = true): void {
  if (!isApproved(target, trust)) throw new ForeignOriginProblem(target.origin, trust.agent.origin, hasOthers);
}

/** @param headers sent with every request to the agent */
export function trustIn(agent: URL, approved: ReadonlySet<string>, headers?: GivenHeaders): Trust {
  const { names, tls } = configuredHeaders(headers);
  return { agent, approved, otherPorts: names.length === 0 && tls === undefined };
}
