import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** One agent as the setting `a2a.agents` has it, under its name. */
export interface AgentSettings {
  /** Base address of the agent or of its card, as the person wrote it. */
  readonly url: string;
  /** Sent with every request to approved origins, and to no other. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins besides those of `url` and `interface.url` that may have requests and headers, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
  /** Narrows the choice among the card's interfaces. */
  readonly interface?: InterfaceSelector;
  /** URIs of the extensions that are on. */
  readonly extensions?: readonly string[];
  /** Longest wait for a connection, in milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Longest wait for an answer to begin, in milliseconds; without it, an agent may work on a message as long as it likes. */
  readonly answerTimeoutMs?: number;
  /** Whether HTTP/2 is offered to an agent with TLS. */
  readonly http2?: boolean;
}
