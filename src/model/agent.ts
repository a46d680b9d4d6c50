import { chooseInterface, type ChosenInterface } from '../client/agentInterface.ts';
import { AgentClient } from '../client/agentClient.ts';
import { resolveAgentCard, type ResolvedAgentCard } from '../client/agentCardResolver.ts';
import type { Http } from '../client/http.ts';
import type { WireLog } from '../client/wireLog.ts';
import type { AgentCard } from '../protocol/agentCard.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import type { AgentSettings } from './agentSettings.ts';
import { Emitter, type Event } from './emitter.ts';

/** What is known of whether an agent answers. `unknown` until it was asked for the first time. */
export type Reachability = 'unknown' | 'checking' | 'reachable' | 'unreachable';

export interface AgentOptions {
  readonly name: string;
  readonly settings: AgentSettings;
  readonly http: Http;
  readonly log?: WireLog;
  /** Other origins that may have requests and headers of this agent, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  readonly onError?: (error: unknown) => void;
}

/** How long a card counts as current, in milliseconds. */
const cardLifetime = 5 * 60_000;

interface Connection {
  readonly client: AgentClient;
  readonly resolved: ResolvedAgentCard;
  readonly at: number;
}

/** One agent: where it is, what its card says, and whether it answers. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #changed: Emitter<void>;
  #reachability: Reachability = 'unknown';
  #problem: Problem | undefined;
  #resolved: ResolvedAgentCard | undefined;
  #connection: Connection | undefined;
  #connecting: Promise<AgentClient> | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
  }

  /** Its name in `a2a.agents`, or the address itself for an agent that only a request file names. */
  get name(): string {
    return this.#options.name;
  }

  get url(): string {
    return this.#options.settings.url;
  }

  get settings(): AgentSettings {
    return this.#options.settings;
  }

  get reachability(): Reachability {
    return this.#reachability;
  }

  /** The card as it was read last; it stays when the agent is no longer reachable. */
  get card(): AgentCard | undefined {
    return this.#resolved?.card;
  }

  /** The card's text as it was received. */
  get cardSource(): string | undefined {
    return this.#resolved?.source;
  }

  get cardUrl(): string | undefined {
    return this.#resolved?.cardUrl;
  }

  /** The interface that is spoken, and why this one. */
  get chosen(): ChosenInterface | undefined {
    return this.#connection?.client.chosen;
  }

  /** Why the last attempt to reach it failed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /**
   * Card and interface, resolved once for all who ask at the same time and kept for five minutes. Rejects with a `Problem`: those of
   * `resolveAgentCard`, `no-interface`, `foreign-origin`.
   */
  connect({ refresh = false }: { readonly refresh?: boolean } = {}): Promise<AgentClient> {
    const known = this.#connection;
    if (!refresh && known !== undefined && Date.now() - known.at < cardLifetime) return Promise.resolve(known.client);
    this.#connecting ??= this.#connect().finally(() => { this.#connecting = undefined; });
    return this.#connecting;
  }

  /** Fetches the card anew. Never rejects: the outcome is in `reachability` and `problem`. */
  async check(): Promise<void> {
    try {
      await this.connect({ refresh: true });
    } catch (error) {
      // `#connect` has put every Problem where views find it; the rest is a defect.
      if (!(error instanceof Problem)) this.#options.onError?.(error);
    }
  }

  /** A request could not reach it: the card is fetched anew before the next one. */
  lost(problem: Problem): void {
    this.#connection = undefined;
    this.#become('unreachable', problem);
  }

  async #connect(): Promise<AgentClient> {
    const { http, log, settings } = this.#options;
    this.#become('checking', this.#problem);
    try {
      const resolved = await resolveAgentCard(settings.url, { http, headers: settings.headers, log });
      this.#resolved = resolved;
      const chosen = chooseInterface(resolved.card, resolved.cardUrl, settings.interface);
      const client = new AgentClient({
        card: resolved.card, chosen, http, agentUrl: resolved.agentUrl, headers: settings.headers, approvedOrigins: this.#approved,
      });
      this.#connection = { client, resolved, at: Date.now() };
      this.#become('reachable', undefined);
      return client;
    } catch (error) {
      this.#connection = undefined;
      this.#become('unreachable', error instanceof Problem ? error : new Problem('defect', sentence('Something went wrong inside A2A Workbench.'), {
        cause: error, details: error instanceof Error ? error.stack : String(error),
      }));
      throw error;
    }
  }

  get #approved(): ReadonlySet<string> {
    const { settings: { origins = [], interface: wanted }, approvedOrigins = [] } = this.#options;
    // What a person wrote is approved by that; a relative address says nothing about where it leads.
    const written = [...origins, ...(wanted?.url === undefined ? [] : [wanted.url])].filter(address => URL.canParse(address));
    return new Set([...approvedOrigins, ...written.map(address => new URL(address).origin)]);
  }

  #become(reachability: Reachability, problem: Problem | undefined): void {
    this.#reachability = reachability;
    this.#problem = problem;
    this.#changed.fire();
  }
}
