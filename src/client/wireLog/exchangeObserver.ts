import type { Exchange, Frame } from '../../protocol/exchange.ts';
import type { Finding } from '../../protocol/finding.ts';

/** Callback for each deviation. `cause` is the same for all of one cause in an exchange: the rule, and the place without indices. */
export type Found = (finding: Finding, cause: string) => void;

/** Checks one exchange for deviations from the protocol while it is read. Must not throw. */
export interface ExchangeObserver {
  /** Checks an event. @param result inside its envelope */
  event(frame: Frame, result: unknown): void;
  /** Checks the body. @param exchange with everything that came; its `endedAt` is set afterwards */
  end(exchange: Exchange): void;
}

/** Makes the observer of an exchange whose answer is about to be read. */
export type ObserveExchange = (exchange: Exchange, found: Found) => ExchangeObserver;
