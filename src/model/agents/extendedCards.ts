import type { AgentClient } from '../../client/agentClient.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { extendedCardProblem } from '../../client/card/extendedCardProblem.ts';
import type { CredentialsUsed } from '../../client/http/configuredHeaders.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { Problem, type LocalizedMessage } from '../../protocol/problem.ts';
import type { AgentClients } from './agentClients.ts';
import { cardChanges } from './cardChanges.ts';
import type { WantedConnection } from './wantedConnection.ts';

/** The extended card of a sign-in. */
interface ExtendedCard {
  readonly card: AgentCard;
  /** Its JSON as received, with credentials of the request masked. */
  readonly source: string;
  /** Under which name the person keeps the sign-in; undefined where the settings have the credentials. */
  readonly identity: string | undefined;
  /** Differences from the public card, as phrases. */
  readonly differences: readonly LocalizedMessage[];
  /** Why requests go by the public card all the same: no interface of this card is supported, or allowed for this agent. */
  readonly unused: Problem | undefined;
}

/** The result of a request for an extended card. */
export type ExtendedCardState =
  | ({ readonly kind: 'found' } & ExtendedCard)
  /** Requests go by the public card. */
  | { readonly kind: 'failed'; readonly identity: string | undefined; readonly problem: Problem };

interface ExtendedCardsOptions {
  /** The public card. */
  readonly resolved: ResolvedAgentCard;
  readonly clients: AgentClients;
  /** Clients for another card of the same agent, with the same approved origins. */
  readonly clientsOf: (resolved: ResolvedAgentCard) => AgentClients;
  readonly log?: WireLog | undefined;
  /** `shown` is another one. */
  readonly onDidChange: () => void;
}

interface Found {
  readonly state: ExtendedCardState;
  readonly clients?: AgentClients;
}

/** Most extended cards of one agent that are kept: files can name any number of identities. */
const maxCards = 16;

/**
 * The extended cards of one agent, each for the credentials that it was given to (A2A 1.0 §3.1.11, §13.3). They are kept in memory alone,
 * for as long as the public card is.
 */
export class ExtendedCards {
  readonly #options: ExtendedCardsOptions;
  readonly #found = new Map<string, Promise<Found>>();
  #shown: { readonly key: string; readonly state?: ExtendedCardState } | undefined;

  constructor(options: ExtendedCardsOptions) {
    this.#options = options;
  }

  /** Card of the person's current sign-in; undefined until the request for it has a result, and where there is no request. */
  get shown(): ExtendedCardState | undefined {
    return this.#shown?.state;
  }

  /**
   * The client for a request: by the extended card of its sign-in, else by the public card. Rejects with a `Problem`: see
   * `AgentClients.get`. A missing extended card is never one.
   */
  async clientFor(wanted: WantedConnection = {}): Promise<AgentClient> {
    const { clients } = this.#options;
    // Headers of a request may belong to any sign-in.
    if (wanted.headers !== undefined || wanted.withoutCredentials === true) return clients.get(wanted);
    const extended = (await this.#extendedFor(wanted.identity))?.clients;
    if (extended === undefined) return clients.get(wanted);
    try {
      return extended.get(wanted);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return clients.get(wanted);
    }
  }

  async #extendedFor(identity: string | undefined): Promise<Found | undefined> {
    const { clients } = this.#options;
    let client: AgentClient;
    let used: CredentialsUsed | undefined;
    try {
      client = clients.get(identity === undefined ? {} : { identity });
      used = await client.credentials();
    } catch (error) {
      // The request itself tells why it cannot be signed in.
      if (error instanceof Problem) return undefined;
      throw error;
    }
    const key = used?.key ?? '';
    if (identity === undefined && this.#shown?.key !== key) this.#show({ key });
    if (used === undefined) return undefined;
    const known = this.#found.get(key);
    if (known === undefined && this.#found.size >= maxCards) this.#found.clear();
    const asking = known ?? this.#ask(client, used);
    this.#found.set(key, asking);
    const found = await asking;
    if (identity === undefined && this.#shown?.key === key && this.#shown.state !== found.state) this.#show({ key, state: found.state });
    // Somebody else signed in meanwhile: the next request asks for their card.
    return (await client.credentials())?.key === key ? found : undefined;
  }

  async #ask(client: AgentClient, { identity }: CredentialsUsed): Promise<Found> {
    const { resolved, clientsOf, log } = this.#options;
    try {
      // Renewed credentials would be others, for which the card is asked for again.
      const { card, source } = await client.extendedCard({ renews: false, ...(log && { log }) });
      const clients = clientsOf({ ...resolved, card, source });
      const differences = cardChanges({ source: resolved.source, verdict: 'unsigned' }, { source, verdict: 'unsigned' });
      return { state: { kind: 'found', card, source, identity, differences, unused: whyUnused(clients, identity) }, clients };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { state: { kind: 'failed', identity, problem: extendedCardProblem(error, { declared: true, carried: true }) } };
    }
  }

  #show(shown: { readonly key: string; readonly state?: ExtendedCardState }): void {
    const before = this.#shown?.state;
    this.#shown = shown;
    if (before !== shown.state) this.#options.onDidChange();
  }
}

function whyUnused(clients: AgentClients, identity: string | undefined): Problem | undefined {
  try {
    clients.get(identity === undefined ? {} : { identity });
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
