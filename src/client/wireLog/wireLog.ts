import type { Exchange, Frame } from '../../protocol/exchange.ts';

/** A password from a form, and the name of the member that it is sent in. */
export interface SentPassword {
  readonly name: string;
  readonly value: unknown;
}

/** Records what is sent and received. Called synchronously during a call; must not throw. */
export interface WireLog {
  /** An exchange began, received headers, or ended; called each time with all that is known about it. */
  exchange(exchange: Exchange): void;
  /** Events of a stream, in order of arrival. */
  frames(exchangeId: string, frames: readonly Frame[]): void;
  /**
   * The server sent something: headers, or part of a body that may not complete an event, such as a comment that keeps a stream alive.
   * @param bytes length of what came of a stream; 0 for part of another body, undefined for headers
   */
  received?(bytes?: number): void;
  /** Passwords that must not appear in anything recorded, whether sent or repeated by the agent. */
  readonly passwords?: readonly SentPassword[];
  /** The server sent an interim answer (HTTP 1xx). */
  provisional?(status: number): void;
}

/** A log that hands on to another what is recorded. */
export const inBoth = (log: WireLog, other: Pick<WireLog, 'exchange' | 'frames'>): WireLog => ({
  ...log,
  exchange: exchange => {
    log.exchange(exchange);
    other.exchange(exchange);
  },
  frames: (id, frames) => {
    log.frames(id, frames);
    other.frames(id, frames);
  },
});
