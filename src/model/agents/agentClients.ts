import { AgentClient } from '../../client/agentClient.ts';
import type { AgentClientListener } from '../../client/agentClientListener.ts';
import type { ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import {
  chooseInterface,
  chosenInterface,
  ofCard,
  type SelectionSource,
  type ChosenInterface,
} from '../../client/interfaces/agentInterface.ts';
import type { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import type { RequestAuthentication } from '../../client/http/requestAuthentication.ts';
import type { Http } from '../../client/http/http.ts';
import { trustIn } from '../../client/http/origin.ts';
import { whyUnsupported, offeredInterfaces } from '../../client/interfaces/offeredInterface.ts';
import type { AgentInterface } from '../../protocol/card/agentCard.ts';
import type { LocalizedMessage, Problem } from '../../protocol/problem.ts';
import { isEmptySelector, type InterfaceSelector } from '../../protocol/card/interfaceSelector.ts';
import { withRequestHeaders, type WantedConnection } from './wantedConnection.ts';
import { certificatesOfWorkspace, type AgentSettings } from './agentSettings.ts';

/** An interface to use instead of the one of the card, as found out while the program runs. */
export interface Learned {
  readonly instead: AgentInterface;
  readonly reason: LocalizedMessage;
}

interface AgentClientsOptions {
  readonly resolved: ResolvedAgentCard;
  readonly settings: AgentSettings;
  readonly headers: ConfiguredHeaders;
  /** Headers without credentials. */
  readonly plainHeaders: () => ConfiguredHeaders;
  /** @param identity of the agent's settings or of the request; the person's present one without it */
  readonly authentication?:
    | ((url: string, identity?: string, of?: 'card' | 'request', certificates?: string) => RequestAuthentication)
    | undefined;
  readonly http: Http;
  readonly approvedOrigins: ReadonlySet<string>;
  /** By {@link nameOf} the interface. */
  readonly learned: ReadonlyMap<string, Learned>;
  readonly listener: Omit<AgentClientListener, 'answered' | 'failed'> & {
    readonly answered: (isOwn: boolean, version: string | undefined, over: ChosenInterface) => void;
    readonly failed: (problem: Problem, isOwn: boolean, over: ChosenInterface) => void;
  };
}

/** Headers and extensions of one client's requests. */
interface Sending {
  readonly headers: ConfiguredHeaders;
  readonly extensions: readonly string[] | undefined;
  /** No others' credentials than those of the agent's settings and of the sign-in that is used for it. */
  readonly isOwn: boolean;
}

/** Most interfaces that are kept ready beside the agent's own: a file can ask for any number. */
const maxClients = 32;

/** The identity of requests that are sent without a sign-in. */
export const noSignIn = 'none';

/** Key of an interface. */
export const nameOf = ({ url, protocolBinding, protocolVersion }: AgentInterface): string => `${protocolBinding} ${protocolVersion} ${url}`;

/** The clients of one agent for one card, one for each interface that was asked for. */
export class AgentClients {
  readonly #options: AgentClientsOptions;
  readonly #clients = new Map<string, AgentClient>();
  /** Clients of requests with headers of their own. */
  readonly #ofRequests = new WeakMap<ConfiguredHeaders, AgentClient>();

  constructor(options: AgentClientsOptions) {
    this.#options = options;
  }

  /**
   * The client for what the agent's settings or, where it is given, a request asks for. Throws a `Problem`: `no-interface`,
   * `foreign-origin`, `bad-extension`.
   */
  get({
    headers,
    identity = this.#options.settings.auth,
    extensions: own = [],
    withoutCredentials = false,
    ...selector
  }: WantedConnection = {}): AgentClient {
    const wanted: InterfaceSelector = selector;
    const isOwn = headers === undefined && identity === this.#options.settings.auth && !withoutCredentials;
    const ofSettings = withoutCredentials ? this.#options.plainHeaders() : this.#options.headers;
    const extensions =
      own.length === 0 ? this.#options.settings.extensions : [...new Set([...(this.#options.settings.extensions ?? []), ...own])];
    if (headers !== undefined) {
      const made =
        this.#ofRequests.get(headers) ??
        this.#choose(wanted, { headers: this.#signedIn(withRequestHeaders(ofSettings, headers), identity), extensions, isOwn });
      this.#ofRequests.set(headers, made);
      return made;
    }
    const key = JSON.stringify([wanted.url, wanted.protocolBinding, wanted.protocolVersion, identity, own, withoutCredentials]);
    const known = this.#clients.get(key);
    if (known !== undefined) return known;
    if (this.#clients.size >= maxClients) this.#clients.clear();
    const client = this.#choose(wanted, { headers: this.#signedIn(ofSettings, identity), extensions, isOwn });
    this.#clients.set(key, client);
    return client;
  }

  #signedIn(headers: ConfiguredHeaders, identity: string | undefined): ConfiguredHeaders {
    const { authentication, resolved, settings } = this.#options;
    if (authentication === undefined || identity === noSignIn) return headers;
    return headers.signedIn(authentication(resolved.agentUrl, identity, 'request', certificatesOfWorkspace(settings)));
  }

  #choose(wanted: InterfaceSelector, sending: Sending): AgentClient {
    const { settings, resolved } = this.#options;
    const own = isEmptySelector(wanted);
    return own && settings.interface === undefined && resolved.ownInterface !== undefined
      ? this.#make(resolved.ownInterface, 'address', sending)
      : this.#make(own ? (settings.interface ?? {}) : wanted, own ? 'settings' : 'request', sending);
  }

  #make(wanted: InterfaceSelector, source: SelectionSource, { headers, extensions, isOwn }: Sending): AgentClient {
    const {
      resolved: { card, cardUrl, agentUrl },
      http,
      approvedOrigins,
      listener,
      learned,
    } = this.#options;
    const trusted = trustIn(new URL(agentUrl), approvedOrigins, headers);
    // A file may come from anywhere: an address of its own must not lead to whatever else listens on the agent's host.
    const trust = source !== 'request' || this.#isDeclared(wanted.url) ? trusted : { ...trusted, otherPorts: false };
    const chosen = chooseInterface(card, cardUrl, wanted, { source, trust });
    const decided = wanted.url !== undefined || wanted.protocolVersion !== undefined;
    const known = decided ? undefined : learned.get(nameOf(chosen.interface));
    const client: AgentClient = new AgentClient({
      card,
      http,
      agentUrl,
      trust,
      headers,
      extensions,
      listener: {
        ...listener,
        answered: version => listener.answered(isOwn, version, client.chosen),
        failed: problem => listener.failed(problem, isOwn, client.chosen),
      },
      chosen: known === undefined ? chosen : chosenInterface(known.instead, known.reason, chosen.address),
      others: decided ? [] : this.#others(wanted, chosen),
    });
    return client;
  }

  /** True for an address of the card, and for none. */
  #isDeclared(url: string | undefined): boolean {
    const { card, cardUrl, noCard } = this.#options.resolved;
    const declared = noCard === undefined ? offeredInterfaces(card, cardUrl) : [];
    return url === undefined || declared.some(({ interface: entry, declaredUrl }) => url === entry.url || url === declaredUrl);
  }

  /** Supported interfaces of the card that fit the person's selection. */
  #others({ protocolBinding }: InterfaceSelector, chosen: ChosenInterface): readonly ChosenInterface[] {
    const { card, cardUrl } = this.#options.resolved;
    return offeredInterfaces(card, cardUrl)
      .filter(({ interface: entry }) => whyUnsupported(entry) === undefined)
      .map(({ interface: entry }) => chosenInterface(entry, chosen.reason, ofCard(entry, card, cardUrl)))
      .filter(({ transport }) => protocolBinding === undefined || transport === chosen.transport);
  }
}
