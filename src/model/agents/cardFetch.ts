import { resolveAgentCard, type ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { GivenHeaders } from '../../client/http/configuredHeaders.ts';
import type { Http } from '../../client/http/http.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { AgentSettings } from './agentSettings.ts';

interface CardFetchOptions {
  readonly settings: AgentSettings;
  readonly headers: GivenHeaders;
  readonly http: Http;
  readonly log?: WireLog | undefined;
}

/** Fetches the card of one agent. */
export class CardFetch {
  readonly #options: CardFetchOptions;
  /** Breaks off the fetch that is under way. */
  #fetching: AbortController | undefined;

  constructor(options: CardFetchOptions) {
    this.#options = options;
  }

  /** A fetch that is under way, and may hang, begins again. */
  restart(): void {
    this.#fetching?.abort();
  }

  /** Resolves to true if the agent still has this card. Nothing is logged: a changed card is fetched once more. Never rejects. */
  async has(known: ResolvedAgentCard): Promise<boolean> {
    const { http, headers, settings } = this.#options;
    return resolveAgentCard(settings.url, { http, headers, wanted: settings.interface, known }).then(
      ({ source, cardUrl }) => source === known.source && cardUrl === known.cardUrl,
      () => false,
    );
  }

  /** Rejects with the `Problem`s of `resolveAgentCard`. */
  async resolve(): Promise<ResolvedAgentCard> {
    const {
      http,
      log,
      headers,
      settings: { url, interface: wanted },
    } = this.#options;
    for (;;) {
      const { signal } = (this.#fetching = new AbortController());
      try {
        return await resolveAgentCard(url, { http, headers, log, signal, wanted });
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (this.#fetching.signal === signal) this.#fetching = undefined;
      }
    }
  }
}
