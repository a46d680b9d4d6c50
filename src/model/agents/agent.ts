import { parseAddress } from '../../client/card/agentAddress.ts';
import type { AgentClient, ReceivedChallenge } from '../../client/agentClient.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import type { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import { isApproved, trustIn, type Trust } from '../../client/http/origin.ts';
import type { CardDoctor } from '../../client/doctor/cardDoctor.ts';
import type { Diagnosis } from '../../client/doctor/diagnosis.ts';
import type { DiagnosisTarget } from '../../client/doctor/diagnosisTarget.ts';
import type { Http } from '../../client/http/http.ts';
import type { ConnectionOptions } from '../../client/network/network.ts';
import { offeredInterfaces, type OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { AgentClients, nameOf, nobody, type Learned } from './agentClients.ts';
import { AgentDiagnosis } from './agentDiagnosis.ts';
import { AgentHeaders, type AgentValueSources } from './agentHeaders.ts';
import { extensionsOf, type ExtensionState } from './agentExtensions.ts';
import { certificatesOfWorkspace, type AgentSettings } from './agentSettings.ts';
import type { WantedConnection } from './wantedConnection.ts';
import type { AgentSignIns } from './agentSignIns.ts';
import type { SignInState } from '../../auth/signInState.ts';
import { CardFetch } from './cardFetch.ts';
import type { ExtendedCards, ExtendedCardState } from './extendedCards.ts';
import { AgentReview, type CardReview, type CardReviewer } from './cardReview.ts';
import { Emitter, type Event } from '../emitter.ts';

/** What is known of whether an agent answers. `unknown` until it was asked for the first time. */
export type Reachability = 'unknown' | 'checking' | 'reachable' | 'unreachable';

export interface AgentOptions {
  readonly name: string;
  readonly settings: AgentSettings;
  readonly http: Http;
  readonly log?: WireLog;
  /** Other origins that may have requests and headers of this agent, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Asks agents whether they are as their cards say. Without one, cards alone are looked at. */
  readonly doctor?: CardDoctor;
  /** Verifies signatures of cards and tells what changed in them. */
  readonly reviewer?: CardReviewer;
  /** For templates in its settings; without it they have no values. */
  readonly values?: AgentValueSources;
  /** The sign-ins of the person; without them, requests carry what the settings say. */
  readonly signIns?: Pick<AgentSignIns, 'authentication' | 'stateOf'>;
  readonly onError?: (error: unknown) => void;
}

/** What the card offers and what of it is spoken. */
export interface AgentInterfaces {
  readonly chosen: ChosenInterface | undefined;
  /** Why that one, for people. */
  readonly reason: LocalizedMessage | undefined;
  /** In the card's order; empty before there is a card. An address of the person's own is not among them. */
  readonly offered: readonly (OfferedInterface & { readonly chosen: boolean })[];
}

/** How an agent is asked. */
export interface AgentAccess {
  readonly http: Http;
  readonly url: string;
  readonly cardHeaders: ConfiguredHeaders;
  readonly headers: ConfiguredHeaders;
  /** Where requests may go without anybody being asked. */
  readonly trust: Trust;
}

/** How long a card counts as current, in milliseconds. */
const cardLifetime = 5 * 60_000;

/** One agent: where it is, what its card says, and whether it answers. */
export class Agent {
  /** Its address as it is asked; as it was written where that is none. */
  readonly addressUrl: string;
  readonly #options: AgentOptions;
  readonly #changed: Emitter<void>;
  readonly #answered: Emitter<void>;
  #reachability: Reachability = 'unknown';
  #problem: Problem | undefined;
  #resolved: ResolvedAgentCard | undefined;
  /** Of the card as it is; gone when that is to be fetched anew. */
  #extended: Pick<ExtendedCards, 'shown' | 'clientFor'> | undefined;
  #resolvedAt = 0;
  #client: AgentClient | undefined;
  #connecting: Promise<AgentClient> | undefined;
  readonly #fetch: CardFetch;
  readonly #headers: AgentHeaders;
  readonly #connection: ConnectionOptions;
  readonly #http: Http;
  /** What the agent itself has shown, which a card fetched anew does not change. */
  readonly #learned = new Map<string, Learned>();
  #activated: ReadonlySet<string> | undefined;
  #challenge: ReceivedChallenge | undefined;
  readonly #diagnosis: AgentDiagnosis;
  readonly #review: AgentReview;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
    this.#answered = new Emitter(options.onError);
    const { name, settings, log, doctor, reviewer, values, signIns, onError } = options;
    this.addressUrl = addressOf(settings.url);
    const { connectTimeoutMs, answerTimeoutMs, http2 } = settings;
    this.#connection = { connectTimeoutMs, answerTimeoutMs, http2 };
    const http = (this.#http = options.http.for(this.#connection));
    this.#headers = new AgentHeaders(name, settings, values);
    const card =
      settings.auth === nobody
        ? undefined
        : signIns?.authentication(this.addressUrl, settings.auth, 'card', certificatesOfWorkspace(settings));
    const { configured } = this.#headers;
    this.#fetch = new CardFetch({ settings, headers: card === undefined ? configured : configured.signedIn(card), http, log });
    this.#diagnosis = new AgentDiagnosis({
      doctor,
      isCurrent: ({ resolved }) => resolved === this.#resolved,
      onDidChange: () => this.#changed.fire(),
      onError: error => onError?.(error),
    });
    this.#review = new AgentReview({
      reviewer,
      isCurrent: ({ resolved }) => resolved === this.#resolved,
      onDidChange: () => this.#changed.fire(),
      onError: error => onError?.(error),
    });
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

  /** Whether requests may go to an address without anybody being asked: the agent's own origin, and those that its settings allow. */
  trusts(url: URL): boolean {
    return isApproved(url, trustIn(parseAddress(this.url), this.#approved, this.settings.headers));
  }

  get reachability(): Reachability {
    return this.#reachability;
  }

  /** Other origins that may have its requests, as `URL.origin` writes them. */
  get approvedOrigins(): ReadonlySet<string> {
    return this.#approved;
  }

  /** Whose requests are sent, as far as that is known; see `AgentSignIns.refresh`. */
  get signIn(): SignInState {
    return this.#options.signIns?.stateOf(this.addressUrl, this.settings.auth) ?? { kind: 'none' };
  }

  /**
   * Nobody is signed in, and the agent or its card requires it, or it refuses the sign-in that there is. Headers of the settings may have the
   * credentials.
   */
  get needsSignIn(): boolean {
    if (this.settings.auth === nobody) return false;
    if (this.#problem?.code === 'unauthorized') return true;
    if (this.signIn.kind === 'signedIn') return false;
    if (this.signIn.kind === 'expired') return true;
    const { securityRequirements: required = [], securitySchemes: declared = {} } = this.card ?? {};
    const { certificate, pfx } = this.settings.tls ?? {};
    const isSatisfied = (name: string): boolean => declared[name]?.mtlsSecurityScheme !== undefined && (certificate ?? pfx) !== undefined;
    const isOpen = required.length === 0 || required.some(({ schemes }) => Object.keys(schemes).every(isSatisfied));
    return !isOpen && Object.keys(this.settings.headers ?? {}).length === 0;
  }

  /** What it said last of the credentials that it wants; undefined where it did not. */
  get challenge(): ReceivedChallenge | undefined {
    const { challenge } = this.#problem instanceof UnauthorizedProblem ? this.#problem : {};
    return challenge === undefined ? this.#challenge : { challenge, url: this.addressUrl };
  }

  /** The card as it was read last; it stays when the agent is no longer reachable. */
  get card(): AgentCard | undefined {
    return this.#resolved?.card;
  }

  /** The card for whoever is signed in at present, or why there is none; undefined where nobody was asked. Changes are told by `onDidChange`. */
  get extendedCard(): ExtendedCardState | undefined {
    return this.#extended?.shown;
  }

  /** Somebody else may be signed in now: their card is asked for. Never rejects. */
  async signInChanged(): Promise<void> {
    if (this.#client === undefined) return;
    try {
      await this.#present();
    } catch (error) {
      // A request tells it, too.
      if (!(error instanceof Problem)) this.#options.onError?.(error);
    }
  }

  /** The card's text as it was received. */
  get cardSource(): string | undefined {
    return this.#resolved?.source;
  }

  get cardUrl(): string | undefined {
    return this.#resolved?.cardUrl;
  }

  /** What its address turned out to be, where that is an interface itself (gRPC) and no place of a card. */
  get addressSpeaks(): InterfaceSelector | undefined {
    return this.#resolved?.ownInterface;
  }

  /** The interface that is spoken, and why this one. */
  get chosen(): ChosenInterface | undefined {
    return this.#client?.chosen;
  }

  get interfaces(): AgentInterfaces {
    const { chosen } = this;
    const offered = this.#resolved === undefined ? [] : offeredInterfaces(this.#resolved.card, this.#resolved.cardUrl);
    const name = chosen === undefined ? undefined : nameOf(chosen.interface);
    return { chosen, reason: chosen?.reason, offered: offered.map(each => ({ ...each, chosen: nameOf(each.interface) === name })) };
  }

  /** What does not fit between its card and itself. Changes are told by `onDidChange`. */
  get diagnosis(): readonly Diagnosis[] {
    return this.#diagnosis.found;
  }

  /** Resolves once `diagnosis` holds what the last look at the card brought. Never rejects. */
  get diagnosed(): Promise<void> {
    return this.#diagnosis.done;
  }

  /** Whether its card is signed, by whom, and what changed in it. Changes are told by `onDidChange`. */
  get review(): CardReview {
    return this.#review.found;
  }

  /** Resolves once `review` holds what the last look at the card brought. Never rejects. */
  get reviewed(): Promise<void> {
    return this.#review.done;
  }

  /** The person trusts other keys now: its card is looked at once more. */
  reviewAgain(): void {
    this.#review.lookAgain();
  }

  /** The person has seen what changed in its card. Rejects with the system's error where that cannot be written down. */
  acceptCard(): Promise<void> {
    return this.#review.accept();
  }

  /** The extensions of its card and of its settings. Changes are told by `onDidChange`. */
  get extensions(): readonly ExtensionState[] {
    return extensionsOf(this.card, this.settings.extensions ?? [], this.#activated);
  }

  /** Why the last attempt to reach it failed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** A `check` found it reachable. Tells nothing of requests of tasks, which would hurry each other on without end. */
  get onDidAnswer(): Event<void> {
    return this.#answered.event;
  }

  /** What a check of its conformance asks it with: what its requests have. */
  get access(): AgentAccess {
    const { settings, signIns } = this.#options;
    const { configured } = this.#headers;
    const signedIn = (of: 'card' | 'request'): ConfiguredHeaders =>
      settings.auth === nobody || signIns === undefined
        ? configured
        : configured.signedIn(signIns.authentication(this.addressUrl, settings.auth, of, certificatesOfWorkspace(settings)));
    return {
      http: this.#http,
      url: this.url,
      cardHeaders: signedIn('card'),
      headers: signedIn('request'),
      trust: trustIn(parseAddress(this.url), this.#approved, configured),
    };
  }

  /**
   * Asks the person for what its settings take from outside of them (secrets), before something is done that they wait for. Without it, what
   * is missing is a `Problem` of `connect`.
   */
  async prepare(): Promise<void> {
    await this.#headers.ask(() => [parseAddress(this.url).href, ...this.#approved]);
  }

  /**
   * Card and interface, resolved once for all who ask at the same time and kept for five minutes. Rejects with a `Problem`: those of
   * `resolveAgentCard`, `no-interface`, `foreign-origin`, `bad-extension`.
   * @param wanted the interface to speak, instead of what the settings or the card say. An address in it is not approved by being there.
   */
  async connect({
    refresh = false,
    wanted,
  }: {
    readonly refresh?: boolean;
    readonly wanted?: WantedConnection;
  } = {}): Promise<AgentClient> {
    if (wanted !== undefined) return (await this.#extendedFor(refresh)).clientFor(wanted);
    if (!refresh && this.#client !== undefined && this.#isFresh()) return this.#present();
    return this.#connectOnce();
  }

  /**
   * Fetches the card anew. Never rejects: the outcome is in `reachability` and `problem`. `anew`: a fetch that is under way, and may hang, is
   * broken off and begun again, for all who wait for it.
   */
  async check({ anew = false }: { readonly anew?: boolean } = {}): Promise<void> {
    this.#options.doctor?.forgetFailures();
    if (anew) this.#fetch.beginAnew();
    try {
      await this.connect({ refresh: true });
      this.#answered.fire();
    } catch (error) {
      // `#connect` has put every Problem where views find it; the rest is a defect.
      if (!(error instanceof Problem)) this.#options.onError?.(error);
    }
  }

  /** A request could not reach it: the card is fetched anew before the next one. */
  lost(problem: Problem): void {
    this.#forget();
    this.#become('unreachable', problem);
  }

  #connectOnce(): Promise<AgentClient> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** The clients of a current card, whether or not the interface of the settings can be spoken. */
  async #extendedFor(refresh: boolean): Promise<Pick<ExtendedCards, 'clientFor'>> {
    if (!refresh && this.#extended !== undefined && this.#isFresh()) return this.#extended;
    try {
      await this.#connectOnce();
    } catch (error) {
      if (this.#extended === undefined) throw error;
    }
    if (this.#extended === undefined) throw new Error('connected without a card');
    return this.#extended;
  }

  /** The client for whoever is signed in at present. */
  async #present(): Promise<AgentClient> {
    const extended = this.#extended;
    if (extended === undefined) return this.#connectOnce();
    const client = await extended.clientFor();
    if (this.#extended === extended && this.#client !== client) {
      this.#client = client;
      this.#changed.fire();
    }
    return client;
  }

  #isFresh(): boolean {
    return Date.now() - this.#resolvedAt < cardLifetime;
  }

  #forget(): void {
    this.#extended = undefined;
    this.#client = undefined;
  }

  async #connect(): Promise<AgentClient> {
    const { settings, log } = this.#options;
    const http = this.#http;
    this.#become('checking', this.#problem);
    let fetched = false;
    try {
      const resolved = await this.#fetch.resolve();
      this.#resolved = resolved;
      this.#resolvedAt = Date.now();
      fetched = true;
      this.#review.look({ agent: this.name, url: this.url, resolved });
      this.#client = undefined;
      const clientsOf = (card: ResolvedAgentCard): AgentClients =>
        new AgentClients({
          resolved: card,
          settings,
          headers: this.#headers.configured,
          plainHeaders: () => this.#headers.withoutCredentials,
          authentication: this.#options.signIns?.authentication,
          http,
          approvedOrigins: this.#approved,
          learned: this.#learned,
          listener: {
            versionSwitched: (from, to) => {
              this.#learned.set(nameOf(from.interface), { instead: to.interface, reason: to.reason });
              this.#changed.fire();
            },
            versionRefused: () => void this.#examine(resolved, true),
            extensionsActivated: uris => this.#activate(uris),
            challenged: challenge => void (this.#challenge = challenge),
          },
        });
      const clients = clientsOf(resolved);
      const extended: Pick<ExtendedCards, 'shown' | 'clientFor'> =
        resolved.card.capabilities.extendedAgentCard === true
          ? new (await import('./extendedCards.ts')).ExtendedCards({
              resolved,
              clients,
              clientsOf,
              log,
              onDidChange: () => {
                if (this.#extended === extended) this.#changed.fire();
              },
            })
          : { shown: undefined, clientFor: wanted => Promise.resolve(clients.get(wanted)) };
      this.#extended = extended;
      await this.#learnVersion(resolved);
      this.#client = clients.get();
      this.#client = await extended.clientFor();
      void this.#examine(resolved);
      this.#become('reachable', undefined);
      return this.#client;
    } catch (error) {
      this.#client = undefined;
      if (!fetched) this.#extended = undefined;
      else if (this.#resolved !== undefined) await this.#examine(this.#resolved);
      this.#become(
        'unreachable',
        error instanceof Problem
          ? error
          : new Problem('defect', sentence('Something went wrong inside A2A Workbench.'), {
              cause: error,
              details: error instanceof Error ? error.stack : String(error),
            }),
      );
      throw error;
    }
  }

  /** A card that leaves open which version its agent speaks is not taken at its word where the agent can be asked. */
  async #learnVersion(resolved: ResolvedAgentCard): Promise<void> {
    const learned = await this.#options.doctor?.versionSpoken(this.#diagnosisTarget(resolved));
    if (learned === undefined) return;
    const { claimed, spoken } = learned;
    const { protocolBinding, protocolVersion, url } = spoken;
    this.#learned.set(nameOf(claimed), {
      instead: spoken,
      reason: sentence(
        'Uses {0} {1} at {2}: the card does not say clearly which version, and the agent answers to this one.',
        protocolBinding,
        protocolVersion,
        url,
      ),
    });
  }

  #examine(resolved: ResolvedAgentCard, doubt = false): Promise<void> {
    return this.#diagnosis.examine(this.#diagnosisTarget(resolved, doubt));
  }

  #diagnosisTarget(resolved: ResolvedAgentCard, doubt = false): DiagnosisTarget {
    const { interface: wanted = resolved.ownInterface ?? {} } = this.settings;
    return {
      resolved,
      wanted,
      headers: this.#headers.configured,
      approvedOrigins: this.#approved,
      connection: this.#connection,
      versionRefused: doubt,
    };
  }

  #activate(uris: ReadonlySet<string>): void {
    const before = this.#activated;
    if (before !== undefined && before.size === uris.size && [...uris].every(uri => before.has(uri))) return;
    this.#activated = uris;
    this.#changed.fire();
  }

  get #approved(): ReadonlySet<string> {
    const {
      settings: { origins = [], interface: wanted },
      approvedOrigins = [],
    } = this.#options;
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

/** The address as it is asked; as it was written where that is none. */
function addressOf(url: string): string {
  try {
    return parseAddress(url).href;
  } catch (error) {
    if (error instanceof Problem) return url;
    throw error;
  }
}
