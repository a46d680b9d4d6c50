import { askedAddress, parseAddress } from '../../client/card/agentAddress.ts';
import type { AgentClient } from '../../client/agentClient.ts';
import type { ReceivedChallenge } from '../../client/agentClientListener.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import type { ChosenInterface } from '../../client/interfaces/agentInterface.ts';
import type { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import { isApproved, trustIn } from '../../client/http/origin.ts';
import type { CardDoctor } from '../../client/doctor/cardDoctor.ts';
import type { Diagnosis } from '../../client/doctor/diagnosis.ts';
import type { DiagnosisTarget } from '../../client/doctor/diagnosisTarget.ts';
import type { Http } from '../../client/http/http.ts';
import { timeLimits } from '../../client/http/timeLimits.ts';
import type { ConnectionOptions } from '../../client/network/network.ts';
import { UnauthorizedProblem } from '../../client/transport/agentError.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import type { AgentCard } from '../../protocol/card/agentCard.ts';
import type { WithheldCredentials } from '../../client/http/requestAuthentication.ts';
import { Problem } from '../../protocol/problem.ts';
import type { InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { noSignIn } from './agentClients.ts';
import { AgentConnection, type Reachability } from './agentConnection.ts';
import { interfacesOf, type AgentInterfaces } from './agentInterfaces.ts';
import type { Standing } from './agentStanding.ts';
import { AgentDiagnosis } from './agentDiagnosis.ts';
import { AgentHeaders, type AgentValueSources } from './agentHeaders.ts';
import { extensionsOf, type ExtensionState } from './agentExtensions.ts';
import { certificatesOfWorkspace, type AgentSettings } from './agentSettings.ts';
import type { WantedConnection } from './wantedConnection.ts';
import type { AgentSignIns } from './agentSignIns.ts';
import type { SignInState } from '../../auth/signInState.ts';
import { CardFetch } from './cardFetch.ts';
import type { ExtendedCardState } from './extendedCards.ts';
import { AgentReview, type CardReview, type CardReviewer } from './cardReview.ts';
import { Emitter, type Event } from '../emitter.ts';

export interface AgentOptions {
  readonly name: string;
  readonly settings: AgentSettings;
  readonly http: Http;
  readonly log?: WireLog;
  /** Other origins that may have requests and headers of this agent, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Probes agents for differences from their cards. Without one, only cards are examined. */
  readonly doctor?: CardDoctor;
  /** Verifies card signatures and finds changes since the card used last. */
  readonly reviewer?: CardReviewer;
  /** For templates in its settings; without it they have no values. */
  readonly values?: AgentValueSources;
  /** The person's sign-ins; without them, requests carry only what the settings define. */
  readonly signIns?: Pick<AgentSignIns, 'authentication' | 'stateOf'> & Partial<Pick<AgentSignIns, 'withheld'>>;
  readonly onError?: (error: unknown) => void;
  /** Called when the card, fetched again after a failure, has changed; see `review`. */
  readonly onCardReplaced?: (agent: Agent) => void;
  /** A debugger may hold the agent at this address at a breakpoint. */
  readonly isDebugged?: (url: string) => boolean;
  /** Called when the agent answers again after connections to it were refused. */
  readonly onRestarted?: (agent: Agent) => void;
  /** The current time in milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

/** One agent: its address, its card, and whether it is reachable. */
export class Agent {
  /** Its address as it is asked; as it was written where that is none. */
  readonly addressUrl: string;
  readonly #options: AgentOptions;
  readonly #changed: Emitter<void>;
  readonly #answered: Emitter<void>;
  readonly #fetch: CardFetch;
  readonly #headers: AgentHeaders;
  readonly #network: ConnectionOptions;
  readonly #http: Http;
  readonly #connection: AgentConnection;
  #activated: ReadonlySet<string> | undefined;
  #challenge: ReceivedChallenge | undefined;
  readonly #diagnosis: AgentDiagnosis;
  readonly #review: AgentReview;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
    this.#answered = new Emitter(options.onError);
    const { name, settings, log, doctor, reviewer, values, signIns, onError } = options;
    this.addressUrl = askedAddress(settings.url);
    const { connectTimeoutMs, http2 } = settings;
    const answerTimeoutMs = (): number | undefined => this.answerTimeoutMs;
    this.#network = {
      connectTimeoutMs,
      http2,
      // Asked for each request: a debugger comes and goes.
      get answerTimeoutMs() {
        return answerTimeoutMs();
      },
    };
    const http = (this.#http = options.http.for(this.#network));
    this.#headers = new AgentHeaders(name, settings, values);
    this.#fetch = new CardFetch({ settings, headers: this.#signedIn('card'), http, log });
    const ofCard = {
      isCurrent: ({ resolved }: { readonly resolved: unknown }) => resolved === this.#connection.resolved,
      onDidChange: () => this.#changed.fire(),
      onError: (error: unknown) => onError?.(error),
    };
    this.#diagnosis = new AgentDiagnosis({ doctor, ...ofCard });
    this.#review = new AgentReview({ reviewer, ...ofCard });
    this.#connection = new AgentConnection({
      settings,
      http,
      log,
      headers: this.#headers,
      fetch: this.#fetch,
      authentication: signIns?.authentication,
      approvedOrigins: () => this.#approved,
      agent: {
        changed: () => this.#changed.fire(),
        cardRead: resolved => this.#review.look({ agent: name, url: this.url, resolved }),
        supportedVersion: async resolved => doctor?.supportedVersion(this.#diagnosisTarget(resolved)),
        examine: (resolved, versionRefused) => this.#diagnosis.examine(this.#diagnosisTarget(resolved, versionRefused)),
        answered: over => this.#diagnosis.answered(over),
        extensionsActivated: uris => this.#activate(uris),
        challenged: challenge => void (this.#challenge = challenge),
        restarted: () => options.onRestarted?.(this),
        cardReplaced: () => void this.#review.done.then(() => options.onCardReplaced?.(this)),
      },
      now: options.now,
    });
  }

  /** Its name in `a2a.agents`, or the address itself for an agent that only a request file names. */
  get name(): string {
    return this.#options.name;
  }

  get url(): string {
    return this.#options.settings.url;
  }

  /** See `AgentSettings`; while it is debugged, `timeLimits.debugged`. */
  get answerTimeoutMs(): number | undefined {
    return this.isDebugged ? timeLimits.debugged : this.settings.answerTimeoutMs;
  }

  /** A debugger may hold it at a breakpoint, for as long as a person looks around there: its silence means nothing. */
  get isDebugged(): boolean {
    return this.#options.isDebugged?.(this.url) === true;
  }

  get settings(): AgentSettings {
    return this.#options.settings;
  }

  /** True if requests to an address need no approval: the agent's own origin, and those that its settings allow. */
  trusts(url: URL): boolean {
    return isApproved(url, trustIn(parseAddress(this.url), this.#approved, this.settings.headers));
  }

  get reachability(): Reachability {
    return this.#connection.reachability;
  }

  get standing(): Standing {
    return this.#connection.standing.shown;
  }

  /** Other origins that may have its requests, as `URL.origin` writes them. */
  get approvedOrigins(): ReadonlySet<string> {
    return this.#approved;
  }

  /** The sign-in in use, as far as it is known; see `AgentSignIns.refresh`. */
  get signIn(): SignInState {
    return this.#options.signIns?.stateOf(this.addressUrl, this.settings.auth) ?? { kind: 'none' };
  }

  /** Why the interface in use gets no credentials, although there is a sign-in. */
  get withheld(): WithheldCredentials | undefined {
    const { signIns } = this.#options;
    if (this.chosen === undefined || this.signIn.kind !== 'signedIn') return undefined;
    return signIns?.withheld?.(this.addressUrl, this.settings.auth, new URL(this.chosen.interface.url));
  }

  /**
   * A sign-in is missing but required by the agent, or by its card as long as the agent answered nothing without one, or the agent refuses
   * the current one. Headers of the settings may have the credentials.
   */
  get needsSignIn(): boolean {
    if (this.settings.auth === noSignIn) return false;
    if (this.problem?.code === 'unauthorized' || this.standing.signInRefused === true) return true;
    if (this.signIn.kind === 'signedIn') return false;
    if (this.signIn.kind === 'expired') return true;
    // What the agent does counts for more than what its card says.
    if (this.standing.signedInAt !== undefined) return false;
    const { securityRequirements: required = [], securitySchemes: declared = {} } = this.card ?? {};
    const { certificate, pfx } = this.settings.tls ?? {};
    const isSatisfied = (name: string): boolean => declared[name]?.mtlsSecurityScheme !== undefined && (certificate ?? pfx) !== undefined;
    const isOpen = required.length === 0 || required.some(({ schemes }) => Object.keys(schemes).every(isSatisfied));
    return !isOpen && Object.keys(this.settings.headers ?? {}).length === 0;
  }

  /** The last authentication challenge; undefined where there was none. */
  get challenge(): ReceivedChallenge | undefined {
    const { challenge } = this.problem instanceof UnauthorizedProblem ? this.problem : {};
    return challenge === undefined ? this.#challenge : { challenge, url: this.addressUrl };
  }

  /** The card as it was read last; it stays when the agent is no longer reachable. Undefined, as all of it, where the agent has none. */
  get card(): AgentCard | undefined {
    return this.#found?.card;
  }

  get #found(): ResolvedAgentCard | undefined {
    return this.noCard === undefined ? this.#connection.resolved : undefined;
  }

  /** Why it has no card, where it is used without one: the interface is that of its settings. */
  get noCard(): Problem | undefined {
    return this.#connection.resolved?.noCard;
  }

  /** The extended card of the current sign-in, or why there is none; undefined where it was not requested. Changes fire `onDidChange`. */
  get extendedCard(): ExtendedCardState | undefined {
    return this.#connection.extendedCard;
  }

  /** Requests the extended card of another sign-in. Never rejects. */
  async signInChanged(): Promise<void> {
    if (this.#connection.client === undefined) return;
    try {
      await this.#connection.currentClient();
    } catch (error) {
      this.#report(error);
    }
  }

  /** The card's text as it was received. */
  get cardSource(): string | undefined {
    return this.#found?.source;
  }

  /** The address that the card was read from, after redirects; over gRPC that of the agent. Undefined where there is no card. */
  get cardUrl(): string | undefined {
    return this.#found?.cardUrl;
  }

  /** The interface at the agent's address, where that is an interface itself (gRPC) and not the place of a card. */
  get addressSpeaks(): InterfaceSelector | undefined {
    return this.#connection.resolved?.ownInterface;
  }

  /** The interface in use, and why this one. */
  get chosen(): ChosenInterface | undefined {
    return this.#connection.client?.chosen;
  }

  get interfaces(): AgentInterfaces {
    return interfacesOf(this.chosen, this.#connection.resolved);
  }

  /** Differences between the card and the agent. Changes fire `onDidChange`. */
  get diagnosis(): readonly Diagnosis[] {
    return this.#diagnosis.found;
  }

  /** Resolves once `diagnosis` holds what the last look at the card brought. Never rejects. */
  get diagnosed(): Promise<void> {
    return this.#diagnosis.done;
  }

  /** Signatures and changes of the card. Changes fire `onDidChange`. */
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

  /** The extensions of its card and of its settings. Changes fire `onDidChange`. */
  get extensions(): readonly ExtensionState[] {
    return extensionsOf(this.card, this.settings.extensions ?? [], this.#activated);
  }

  /** Why the last attempt to reach it failed. */
  get problem(): Problem | undefined {
    return this.#connection.problem;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Fired when a `check` found the agent reachable; never for requests of tasks, which would trigger each other without end. */
  get onDidAnswer(): Event<void> {
    return this.#answered.event;
  }

  /** Access for a conformance check, the same as for its requests. */
  get access() {
    return {
      http: this.#http,
      url: this.url,
      cardHeaders: this.#signedIn('card'),
      headers: this.#signedIn('request'),
      trust: trustIn(parseAddress(this.url), this.#approved, this.#headers.configured),
    };
  }

  #signedIn(of: 'card' | 'request'): ConfiguredHeaders {
    const { settings, signIns } = this.#options;
    const { configured } = this.#headers;
    return settings.auth === noSignIn || signIns === undefined
      ? configured
      : configured.signedIn(signIns.authentication(this.addressUrl, settings.auth, of, certificatesOfWorkspace(settings)));
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
  connect(options: { readonly refresh?: boolean; readonly wanted?: WantedConnection } = {}): Promise<AgentClient> {
    return this.#connection.connect(options);
  }

  /**
   * Fetches the card anew. Never rejects: the outcome is in `reachability` and `problem`. `anew`: a fetch that is under way, and may hang, is
   * broken off and begun again, for all who wait for it. `signedIn`: its requests carry other credentials now.
   */
  async check({ anew = false, signedIn = false }: { readonly anew?: boolean; readonly signedIn?: boolean } = {}): Promise<void> {
    if (signedIn) this.#connection.standing.forgetSignIn();
    this.#options.doctor?.forgetFailures();
    if (anew) this.#fetch.restart();
    try {
      await this.connect({ refresh: true });
      this.#answered.fire();
    } catch (error) {
      this.#report(error);
    }
  }

  /** The connection has every Problem where views find it; the rest is a defect. */
  #report(error: unknown): void {
    if (!(error instanceof Problem)) this.#options.onError?.(error);
  }

  /** Its process is ended, to be started again: the next answer comes from another one. */
  expectRestart(): void {
    this.#connection.standing.expectRestart();
  }

  /** Asks for its card, at most once a minute: one that is as before changes nothing but the time in `standing`. Never rejects. */
  look(): Promise<void> {
    return this.#connection.look().catch((error: unknown) => this.#report(error));
  }

  #diagnosisTarget(resolved: ResolvedAgentCard, versionRefused = false): DiagnosisTarget {
    const { interface: wanted = resolved.ownInterface ?? {} } = this.settings;
    return {
      resolved,
      wanted,
      headers: this.#headers.configured,
      approvedOrigins: this.#approved,
      connection: this.#network,
      versionRefused,
    };
  }

  #activate(uris: ReadonlySet<string>): void {
    const before = this.#activated;
    if (before !== undefined && before.size === uris.size && [...uris].every(uri => before.has(uri))) return;
    this.#activated = uris;
    this.#changed.fire();
  }

  get #approved(): ReadonlySet<string> {
    const { origins = [], interface: wanted } = this.settings;
    // What a person wrote is approved by that; a relative address says nothing about where it leads.
    const written = [...origins, ...(wanted?.url === undefined ? [] : [wanted.url])].filter(address => URL.canParse(address));
    return new Set([...(this.#options.approvedOrigins ?? []), ...written.map(address => new URL(address).origin)]);
  }
}
