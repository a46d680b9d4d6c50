import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';

/** One agent as the setting `a2a.agents` has it, under its name. */
export interface AgentSettings {
  /** Base address of the agent or of its card, as the person wrote it. */
  readonly url: string;
  /** Sent with every request to approved origins, and to no other. `{{$secret NAME}}` and `{{$env NAME}}` are filled in for each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins besides those of `url` and `interface.url` that may have requests and headers, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
  /** Narrows the choice among the card's interfaces. */
  readonly interface?: InterfaceSelector;
  /** URIs of the extensions that are on. */
  readonly extensions?: readonly string[];
  /** A workspace defines it, and not the person: the person is asked before secrets go to it. */
  readonly ofWorkspace?: boolean;
}
