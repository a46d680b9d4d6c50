import type { Exchange, Frame } from '../../protocol/exchange.ts';

/** A password of a form, and the name of the member that it is sent as. */
export interface SentPassword {
  readonly name: string;
  readonly value: unknown;
}

/** Keeps what went over the wire. Called synchronously while a call runs; must not throw. */
export interface WireLog {
  /** An exchange began, got its head, or ended: each time the whole of what is known of it so far. */
  exchange(exchange: Exchange): void;
  /** Events of a stream, in order, as they arrived. */
  frames(exchangeId: string, frames: readonly Frame[]): void;
  /**
   * A sign of the other end: a head, a chunk of a body that may complete nothing, such as a comment that keeps a stream alive. `bytes`: so much
   * of a stream, whatever it says.
   */
  heard?(bytes?: number): void;
  /** What nothing that is told may have in it: not what is sent, and not what the agent repeats of it. */
  readonly passwords?: readonly SentPassword[];
  /** An answer came that is none yet (HTTP 1xx), and says that another one will come. */
  provisional?(status: number): void;
}
