import { closestMatch } from '../../protocol/closestMatch.ts';
import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '../../client/card/agentAddress.ts';
import { resolveAgentCard, type ResolvedAgentCard } from '../../client/card/agentCardResolver.ts';
import { localAgentAt, type LocalAgent } from '../../client/card/localAgent.ts';
import type { CardDoctor } from '../../client/doctor/cardDoctor.ts';
import { timeLimits } from '../../client/http/timeLimits.ts';
import type { Http } from '../../client/http/http.ts';
import type { OfferedInterface } from '../../client/interfaces/offeredInterface.ts';
import { isLoopback, originOf } from '../../protocol/card/agentOrigin.ts';
import type { RemoteFile } from '../../client/http/remoteFile.ts';
import type { WireLog } from '../../client/wireLog/wireLog.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { wrongScheme } from '../../protocol/card/webScheme.ts';
import { Agent, type AgentOptions } from './agent.ts';
import type { AgentValueSources } from './agentHeaders.ts';
import type { AgentSettings } from './agentSettings.ts';
import type { CardReviewer } from './cardReview.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { readRemoteFile } from '../../client/http/remoteFile.ts';

export interface AgentsOptions {
  readonly http: Http;
  /** Keeps the exchanges of card fetches. */
  readonly log?: WireLog;
  /** Other origins that may have requests and headers, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Probes agents for differences from their cards. Without one, only cards are examined. */
  readonly doctor?: CardDoctor;
  /** Verifies card signatures and finds changes since the card used last. */
  readonly reviewer?: CardReviewer;
  /** For templates in settings; without it they have no values. */
  readonly values?: AgentValueSources;
  /** See `AgentOptions`. */
  readonly signIns?: AgentOptions['signIns'];
  readonly onError?: (error: unknown) => void;
  /** See `AgentOptions`. */
  readonly isDebugged?: AgentOptions['isDebugged'];
  /** See `AgentOptions`. */
  readonly now?: AgentOptions['now'];
}

/** The agents of the setting `a2a.agents`, and those that request files name by address. */
export class Agents implements Disposable {
  readonly #options: AgentsOptions;
  readonly #changed: Emitter<Agent | undefined>;
  readonly #answered: Emitter<Agent>;
  readonly #replaced: Emitter<Agent>;
  readonly #restarted: Emitter<Agent>;
  #configured = new Map<string, Agent>();
  readonly #byAddress = new Map<string, Agent>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
    this.#answered = new Emitter(options.onError);
    this.#replaced = new Emitter(options.onError);
    this.#restarted = new Emitter(options.onError);
  }

  /** An agent changed (reachability, card), or, with undefined, the list of agents. */
  get onDidChange(): Event<Agent | undefined> {
    return this.#changed.event;
  }

  /** A check of an agent found it reachable; see `Agent.onDidAnswer`. */
  get onDidAnswer(): Event<Agent> {
    return this.#answered.event;
  }

  /** See `AgentOptions.onCardReplaced`. */
  get onDidReplaceCard(): Event<Agent> {
    return this.#replaced.event;
  }

  /**
   * An agent answers again after its process was gone, see `Standing.restartedAt`. Its card is read by then, or with the next request; `Agent.connect`
   * waits for it.
   */
  get onDidRestart(): Event<Agent> {
    return this.#restarted.event;
  }

  /** In the order of the setting. */
  get all(): readonly Agent[] {
    return [...this.#configured.values()];
  }

  /** Reads a file that this agent refers to, at the person's wish; see `readRemoteFile` for what it rejects with. */
  async readFile(address: string, agent: Agent | undefined): Promise<RemoteFile> {
    return readRemoteFile(address, { agentUrl: agent && parseAddress(agent.url).href, network: this.#options.http.network });
  }

  /** Takes the setting as it is now. Agents whose settings did not change stay the same object. */
  configure(agents: Readonly<Record<string, AgentSettings>>): void {
    const before = this.#configured;
    this.#configured = new Map(
      Object.entries(agents).map(([name, settings]) => {
        const known = before.get(name);
        return [name, known !== undefined && isDeepStrictEqual(known.settings, settings) ? known : this.#make(name, settings)];
      }),
    );
    this.#changed.fire(undefined);
  }

  /** The configured agent of that name, or one that was found by its address before. */
  get(name: string): Agent | undefined {
    return this.#configured.get(name) ?? this.#byAddress.get(name);
  }

  /**
   * The configured agent of that name, address or interface, else one made for the address. Throws a `Problem` `unknown-agent` for a name
   * that is neither configured nor an address, `bad-url` for an address with a mistyped scheme.
   */
  find(nameOrUrl: string): Agent {
    const known = this.get(nameOrUrl) ?? this.configuredAt(nameOrUrl);
    if (known !== undefined) return known;
    if (wrongScheme(nameOrUrl) !== undefined) parseAddress(nameOrUrl);
    if (!isAgentAddress(nameOrUrl)) {
      const like = closestMatch(nameOrUrl, this.#configured.keys());
      const what =
        like === undefined
          ? sentence('No agent named "{0}".', nameOrUrl)
          : sentence('No agent named "{0}". Did you mean "{1}"?', nameOrUrl, like);
      throw new Problem('unknown-agent', what, {
        nextStep: hint(
          sentence('Add it to the setting a2a.agents, or give its address.'),
          "Known are agents of --agent NAME=URL, of a2a.agents in .vscode/settings.json (in the file's folder or above, up to the current folder) and, in the editor's own terminals, of its window. Name it in one of these, or write its address in the file.",
        ),
      });
    }
    const offering = this.interfaceAt(nameOrUrl);
    if (offering !== undefined) return offering.agent;
    const agent = this.#make(nameOrUrl, { url: nameOrUrl });
    this.#byAddress.set(nameOrUrl, agent);
    return agent;
  }

  /** The configured agent at that address, however the two write it. */
  configuredAt(address: string): Agent | undefined {
    return this.all.find(agent => sameAddress(agent.url, address));
  }

  /**
   * The configured agent whose card has interfaces at exactly this address, and these interfaces. A card counts only for the origin of its
   * agent.
   */
  interfaceAt(address: string): { readonly agent: Agent; readonly offered: readonly OfferedInterface[] } | undefined {
    for (const agent of this.all) {
      const offered = agent.interfaces.offered.filter(({ interface: { url } }) => sameAddress(url, address));
      if (offered.length > 0 && sameOrigin(agent.url, address)) return { agent, offered };
    }
    return undefined;
  }

  /** The first other agent of the list that has the same address, however the two write it; the names of this machine count as one. */
  twinOf(agent: Pick<Agent, 'url'>): Agent | undefined {
    return this.all.find(other => other !== agent && sameAgent(other.url, agent.url));
  }

  /** Names, among these and the configured agents, with the same address as the agent of this name; an address may be a name itself. */
  twinNames(name: string, names: readonly string[]): readonly string[] {
    const url = this.get(name)?.url ?? name;
    const addresses = new Map([...names.map(other => [other, other] as const), ...this.all.map(other => [other.name, other.url] as const)]);
    return [...addresses].flatMap(([other, address]) => (other !== name && sameAgent(address, url) ? [other] : []));
  }

  /** A new agent for a typed address, known nowhere else; for a look at one that is not configured. Throws a `Problem` `bad-url`. */
  at(address: string, settings: Omit<AgentSettings, 'url'> = {}): Agent {
    parseAddress(address);
    return this.#make(address, { ...settings, url: address });
  }

  /**
   * The card at an address, read without credentials and without a record in the wire log, however long a debugger holds the agent meanwhile.
   * Rejects as `resolveAgentCard` does.
   */
  cardAt(address: string, signal: AbortSignal): Promise<ResolvedAgentCard> {
    const { debugged } = timeLimits;
    return resolveAgentCard(address, { http: this.#options.http, signal, timeoutMs: debugged, silenceMs: debugged });
  }

  /** The agent that answers on a port of this machine, asked without credentials; undefined where none does. */
  onThisMachine(port: number, signal: AbortSignal): Promise<LocalAgent | undefined> {
    return localAgentAt(port, this.#options.http, signal);
  }

  /** The person trusts other keys now: cards that are signed are looked at once more. */
  reviewAgain(): void {
    for (const agent of [...this.all, ...this.#byAddress.values()]) agent.reviewAgain();
  }

  /** Requests extended cards again after a sign-in or sign-out. */
  signInChanged(): void {
    for (const agent of [...this.all, ...this.#byAddress.values()]) void agent.signInChanged();
  }

  /** Connections that are open and idle may be dead: none of them is used again. */
  renewConnections(): void {
    this.#options.http.renew();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#answered.dispose();
    this.#replaced.dispose();
    this.#restarted.dispose();
  }

  #make(name: string, settings: AgentSettings): Agent {
    const agent = new Agent({
      ...this.#options,
      name,
      settings,
      onCardReplaced: replaced => this.#replaced.fire(replaced),
      onRestarted: restarted => {
        if (this.get(name) === restarted) this.#restarted.fire(restarted);
      },
    });
    agent.onDidChange(() => {
      if (this.get(name) === agent) this.#changed.fire(agent);
    });
    agent.onDidAnswer(() => {
      if (this.get(name) === agent) this.#answered.fire(agent);
    });
    return agent;
  }
}

/** An address, and no name that is not known: with a scheme, or `host:port`. */
export const isAgentAddress = (text: string): boolean => /^(?:https?|grpcs?):\/\/|^[\w.-]+:\d+(\/|$)/i.test(text);

const sameAddress = (one: string, other: string): boolean => canonical(one) === canonical(other);

function sameOrigin(one: string, other: string): boolean {
  const [first, second] = [one, other].map(canonical);
  return URL.canParse(first!) && URL.canParse(second!) && originOf(new URL(first!)) === originOf(new URL(second!));
}

/** The names of this machine count as one. */
const sameAgent = (one: string, other: string): boolean => onThisMachine(canonical(one)) === onThisMachine(canonical(other));

function onThisMachine(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  return url.href.replace(/\/+$/, '');
}

/** Text that is no address is only the same as itself. */
function canonical(address: string): string {
  try {
    return parseAddress(address).href.replace(/\/+$/, '');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return address;
  }
}
