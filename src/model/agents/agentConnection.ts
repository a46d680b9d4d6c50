import type { AgentClient } from '../../client/agentClient.ts';
import type { ReceivedChallenge } from '../../client/agentClientListener.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { CardDoctor } from '../../client/doctor/cardDoctor.ts';
import { ConnectionProblem } from '../../client/http/connectionProblem.ts';
import type { Http } from '../../client/http/http.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import { AgentClients, nameOf, type Learned } from './agentClients.ts';
import type { AgentHeaders } from './agentHeaders.ts';
import { AgentStanding } from './agentStanding.ts';
import type { AgentSettings } from './agentSettings.ts';
import type { AgentSignIns } from './agentSignIns.ts';
import { AwayInterface } from './awayInterface.ts';
import { CardDoubt } from './cardDoubt.ts';
import type { CardFetch } from './cardFetch.ts';
import type { WantedConnection } from './wantedConnection.ts';
import { ExtendedCards, type ExtendedCardState } from './extendedCards.ts';
import { withoutCard } from '../../client/card/withoutCard.ts';

/** Reachability of an agent: `unknown` until the first request. */
export type Reachability = 'unknown' | 'checking' | 'reachable' | 'unreachable';

/** Callbacks of a connection into its agent. */
interface ConnectedAgent {
  readonly changed: () => void;
  /** A card was fetched. */
  readonly cardRead: (resolved: ResolvedAgentCard) => void;
  /** Probes for the version where the card leaves it open. */
  readonly supportedVersion: (resolved: ResolvedAgentCard) => ReturnType<CardDoctor['supportedVersion']>;
  /** Looks for what does not fit between the card and the agent; `versionRefused`: the agent refused the version of its card. */
  readonly examine: (resolved: ResolvedAgentCard, versionRefused?: boolean) => Promise<void>;
  /** An answer in the version of the interface. */
  readonly answered: (over: AgentInterface) => void;
  readonly extensionsActivated: (uris: ReadonlySet<string>) => void;
  readonly challenged: (challenge: ReceivedChallenge) => void;
  /** See `AgentOptions.onRestarted`. */
  readonly restarted: () => void;
  /** The card, fetched again after a failure, has changed. */
  readonly cardReplaced: () => void;
}

interface AgentConnectionOptions {
  readonly settings: AgentSettings;
  readonly http: Http;
  readonly log: WireLog | undefined;
  readonly headers: Pick<AgentHeaders, 'configured' | 'withoutCredentials'>;
  readonly fetch: Pick<CardFetch, 'resolve' | 'has'>;
  readonly authentication: AgentSignIns['authentication'] | undefined;
  /** Other origins that may have the agent's requests, as `URL.origin` writes them. */
  readonly approvedOrigins: () => ReadonlySet<string>;
  readonly agent: ConnectedAgent;
  readonly now?: (() => number) | undefined;
}

/** Shortest time between two requests for the card that no request needs, in milliseconds. */
const lookPauseMs = 60_000;
/** How long a card counts as current, in milliseconds. */
const cardLifetime = 5 * 60_000;

/** An agent's card as it was fetched last, the clients of its interfaces, and whether the agent is reachable. */
export class AgentConnection {
  readonly #options: AgentConnectionOptions;
  #reachability: Reachability = 'unknown';
  #problem: Problem | undefined;
  #resolved: ResolvedAgentCard | undefined;
  /** Clients of the current card; undefined when it has to be fetched again. */
  #extended: Pick<ExtendedCards, 'shown' | 'clientFor'> | undefined;
  /** When the card was read last, or found missing. */
  #resolvedAt = 0;
  #lookedAt = 0;
  readonly #doubt: CardDoubt;
  readonly #away = new AwayInterface();
  readonly standing: AgentStanding;
  readonly #now: () => number;
  #client: AgentClient | undefined;
  #connecting: Promise<AgentClient> | undefined;
  /** Interfaces found out from the agent itself, which a card fetched again does not change. */
  readonly #learned = new Map<string, Learned>();

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#doubt = new CardDoubt(this.#now);
    const { changed, restarted } = options.agent;
    this.standing = new AgentStanding(this.#now, changed, restarted, () => this.#resolved?.card.securityRequirements !== undefined);
  }

  get reachability(): Reachability {
    return this.#reachability;
  }

  /** Why the last attempt to reach it failed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** The card as it was read last; it stays when the agent is no longer reachable. */
  get resolved(): ResolvedAgentCard | undefined {
    return this.#resolved;
  }

  /** The client of the interface in use; undefined before the first card, and after the card could not be fetched. */
  get client(): AgentClient | undefined {
    return this.#client;
  }

  /** See `Agent.extendedCard`. */
  get extendedCard(): ExtendedCardState | undefined {
    return this.#extended?.shown;
  }

  /** See `Agent.connect`. */
  async connect({ refresh = false, wanted }: { readonly refresh?: boolean; readonly wanted?: WantedConnection }): Promise<AgentClient> {
    if (wanted !== undefined) return (await this.#extendedFor(refresh, wanted)).clientFor(wanted);
    if (!refresh && this.#client !== undefined && this.#isFresh()) return this.currentClient();
    return this.#connectOnce();
  }

  /** See `Agent.look`. */
  async look(): Promise<void> {
    const known = this.#resolved;
    if (known === undefined || this.#connecting !== undefined || this.#now() - this.#lookedAt < lookPauseMs) return;
    this.#lookedAt = this.#now();
    if (this.#reachability === 'reachable' && (await this.#options.fetch.has(known))) {
      this.#resolvedAt = this.#now();
      this.standing.reached();
    } else await this.#connectOnce();
  }

  #failed(problem: Problem, isOwn: boolean, over: ChosenInterface): void {
    this.standing.failed(problem, isOwn);
    const reads = this.#doubt.failed(problem);
    if (reads === 'at-once') void this.#refetch();
    if (reads === 'next') this.#resolvedAt = 0;
    if (!(problem instanceof ConnectionProblem) || problem.code === 'cancelled' || problem.reached !== 'no') return;
    this.#away.failed(over);
    this.#become('unreachable', problem);
  }

  /** Never rejects: the outcome is in `reachability` and `problem`. */
  async #refetch(): Promise<void> {
    const before = this.#resolved;
    if (before === undefined || (await this.#options.fetch.has(before))) return;
    await this.#connectOnce().catch(() => {});
  }

  #connectOnce(): Promise<AgentClient> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The clients of a current card, also where the interface of the settings is not supported. */
  async #extendedFor(refresh: boolean, wanted: WantedConnection): Promise<Pick<ExtendedCards, 'clientFor'>> {
    const isFresh = !refresh && this.#isFresh();
    const known = isFresh ? (this.#extended ?? (await this.#without(this.#problem, wanted))) : undefined;
    if (known !== undefined) return known;
    try {
      await this.#connectOnce();
    } catch (error) {
      const without = this.#extended ?? (await this.#without(error, wanted));
      if (without === undefined) throw error;
      return without;
    }
    if (this.#extended === undefined) throw new Error('connected without a card');
    return this.#extended;
  }

  /** The clients of an agent without a card, for a request that names the interface itself. */
  async #without(error: unknown, wanted: WantedConnection): Promise<Pick<ExtendedCards, 'clientFor'> | undefined> {
    const resolved = withoutCard(error, this.#options.settings.url, wanted);
    return resolved && { clientFor: async each => this.#clientsOf(resolved).get(each) };
  }

  /** The client with the current sign-in. */
  async currentClient(): Promise<AgentClient> {
    const extended = this.#extended;
    if (extended === undefined) return this.#connectOnce();
    const client = await extended.clientFor();
    if (this.#extended === extended && this.#client !== client) {
      this.#client = client;
      this.#options.agent.changed();
    }
    return client;
  }

  /** Where a card is being read, requests wait for it: it may say something else. */
  #isFresh(): boolean {
    return this.#connecting === undefined && this.#now() - this.#resolvedAt < cardLifetime;
  }

  async #connect(): Promise<AgentClient> {
    const { log, agent } = this.#options;
    this.#become('checking', this.#problem);
    let fetched = false;
    try {
      const before = this.#resolved;
      const resolved = await this.#options.fetch.resolve().finally(() => (this.#resolvedAt = this.#lookedAt = this.#now()));
      this.#resolved = resolved;
      this.standing.reached();
      fetched = true;
      agent.cardRead(resolved);
      if (this.#problem instanceof UnauthorizedProblem) this.standing.forgetSignIn();
      if (this.#doubt.settle() && before !== undefined && before.source !== resolved.source) agent.cardReplaced();
      this.#client = undefined;
      const clients = this.#clientsOf(resolved);
      const extended: Pick<ExtendedCards, 'shown' | 'clientFor'> =
        resolved.card.capabilities.extendedAgentCard === true
          ? new ExtendedCards({
              resolved,
              clients,
              clientsOf: card => this.#clientsOf(card, resolved),
              log,
              onDidChange: () => {
                if (this.#extended === extended) agent.changed();
              },
            })
          : { shown: undefined, clientFor: wanted => Promise.resolve(clients.get(wanted)) };
      this.#extended = extended;
      await this.#learnVersion(resolved);
      this.#client = clients.get();
      this.#client = await extended.clientFor();
      void agent.examine(resolved);
      const problem = await this.#away.problem(this.#client, resolved.cardUrl);
      this.#become(problem === undefined ? 'reachable' : 'unreachable', problem);
      return this.#client;
    } catch (error) {
      this.#client = undefined;
      if (!fetched && error instanceof Problem) this.standing.failed(error, true);
      if (!fetched) this.#extended = undefined;
      else if (this.#resolved !== undefined) await agent.examine(this.#resolved);
      this.#become(
        'unreachable',
        error instanceof Problem
          ? error
          : new Problem('defect', sentence('Internal error in A2A Workbench.'), {
              cause: error,
              details: error instanceof Error ? error.stack : String(error),
            }),
      );
      throw error;
    }
  }

  /** The clients of a card: that which was fetched, or an extended one in its place. */
  #clientsOf(resolved: ResolvedAgentCard, fetched = resolved): AgentClients {
    const { settings, http, headers, authentication, approvedOrigins, agent } = this.#options;
    return new AgentClients({
      resolved,
      settings,
      headers: headers.configured,
      plainHeaders: () => headers.withoutCredentials,
      authentication,
      http,
      approvedOrigins: approvedOrigins(),
      learned: this.#learned,
      listener: {
        versionSwitched: (from, to) => {
          this.#learned.set(nameOf(from.interface), { instead: to.interface, reason: to.reason });
          agent.changed();
        },
        versionRefused: () => void agent.examine(fetched, true),
        extensionsActivated: agent.extensionsActivated,
        challenged: agent.challenged,
        answered: (isOwn, version, over) => {
          this.standing.answered(isOwn, version);
          if (this.#away.answered(over)) this.#become('reachable', undefined);
          if (version === over.version.protocolVersion) agent.answered(over.interface);
        },
        failed: (problem, isOwn, over) => this.#failed(problem, isOwn, over),
      },
    });
  }

  /** A card that leaves open which version its agent speaks is not taken at its word where the agent can be asked. */
  async #learnVersion(resolved: ResolvedAgentCard): Promise<void> {
    const learned = await this.#options.agent.supportedVersion(resolved);
    if (learned === undefined) return;
    const { claimed, supported } = learned;
    const { protocolBinding, protocolVersion, url } = supported;
    this.#learned.set(nameOf(claimed), {
      instead: supported,
      reason: sentence(
        'Uses {0} {1} at {2}: the card does not say clearly which version, and the agent answers to this one.',
        protocolBinding,
        protocolVersion,
        url,
      ),
    });
  }

  #become(reachability: Reachability, problem: Problem | undefined): void {
    this.#reachability = reachability;
    this.#problem = problem;
    this.#options.agent.changed();
  }
}
