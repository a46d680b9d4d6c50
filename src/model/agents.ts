import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '../client/agentAddress.ts';
import type { CardDoctor } from '../client/doctor/cardDoctor.ts';
import type { Http } from '../client/http.ts';
import { readRemoteFile, type RemoteFile } from '../client/remoteFile.ts';
import type { WireLog } from '../client/wireLog.ts';
import { Problem, sentence } from '../protocol/problem.ts';
import { Agent } from './agent.ts';
import type { AgentSettings } from './agentSettings.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';

export interface AgentsOptions {
  readonly http: Http;
  /** Keeps the exchanges of card fetches. */
  readonly log?: WireLog;
  /** Other origins that may have requests and headers, as `URL.origin` writes them. */
  readonly approvedOrigins?: ReadonlySet<string>;
  /** Asks agents whether they are as their cards say. Without one, cards alone are looked at. */
  readonly doctor?: CardDoctor;
  readonly onError?: (error: unknown) => void;
}

/** The agents of the setting `a2a.agents`, and those that request files name by address. */
export class Agents implements Disposable {
  readonly #options: AgentsOptions;
  readonly #changed: Emitter<Agent | undefined>;
  #configured = new Map<string, Agent>();
  readonly #byAddress = new Map<string, Agent>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
  }

  /** An agent changed (reachability, card), or, with undefined, the list of agents. */
  get onDidChange(): Event<Agent | undefined> {
    return this.#changed.event;
  }

  /** In the order of the setting. */
  get all(): readonly Agent[] {
    return [...this.#configured.values()];
  }

  /** Reads a file that an agent refers to, at the person's wish; see `readRemoteFile` for what it rejects with. */
  readFile(address: string): Promise<RemoteFile> {
    return readRemoteFile(address, this.#options.http);
  }

  /** Takes the setting as it is now. Agents whose settings did not change stay the same object. */
  configure(agents: Readonly<Record<string, AgentSettings>>): void {
    const before = this.#configured;
    this.#configured = new Map(Object.entries(agents).map(([name, settings]) => {
      const known = before.get(name);
      return [name, known !== undefined && isDeepStrictEqual(known.settings, settings) ? known : this.#make(name, settings)];
    }));
    this.#changed.fire(undefined);
  }

  /** The configured agent of that name, or one that was found by its address before. */
  get(name: string): Agent | undefined {
    return this.#configured.get(name) ?? this.#byAddress.get(name);
  }

  /**
   * The configured agent of that name or address, else one made for the address. Throws a `Problem` `unknown-agent` for a name that is
   * neither configured nor an address.
   */
  find(nameOrUrl: string): Agent {
    const known = this.get(nameOrUrl) ?? this.configuredAt(nameOrUrl);
    if (known !== undefined) return known;
    if (!/^https?:\/\/|^[\w.-]+:\d+(\/|$)/i.test(nameOrUrl)) {
      throw new Problem('unknown-agent', sentence('There is no agent "{0}".', nameOrUrl), {
        nextStep: sentence('Add it to the setting a2a.agents, or give its address.'),
      });
    }
    const agent = this.#make(nameOrUrl, { url: nameOrUrl });
    this.#byAddress.set(nameOrUrl, agent);
    return agent;
  }

  /** The configured agent at that address, however the two write it. */
  configuredAt(address: string): Agent | undefined {
    return this.all.find(agent => sameAddress(agent.url, address));
  }

  /**
   * A new agent for an address as a person types it, known to nobody else; for a look at one that is not configured.
   * Throws a `Problem` `bad-url`.
   */
  at(address: string, settings: Omit<AgentSettings, 'url'> = {}): Agent {
    parseAddress(address);
    return this.#make(address, { ...settings, url: address });
  }

  /** Connections that are open and idle may be dead: none of them is used again. */
  renewConnections(): void {
    this.#options.http.renew();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #make(name: string, settings: AgentSettings): Agent {
    const agent = new Agent({ ...this.#options, name, settings });
    agent.onDidChange(() => {
      if (this.get(name) === agent) this.#changed.fire(agent);
    });
    return agent;
  }
}

const sameAddress = (one: string, other: string): boolean => canonical(one) === canonical(other);

/** Text that is no address is only the same as itself. */
function canonical(address: string): string {
  try {
    return parseAddress(address).href.replace(/\/+$/, '');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return address;
  }
}
