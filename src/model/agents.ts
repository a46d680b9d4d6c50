import { isDeepStrictEqual } from 'node:util';
import type { Http } from '../client/http.ts';
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
    const known = this.get(nameOrUrl) ?? this.all.find(agent => sameAddress(agent.url, nameOrUrl));
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

const withoutSlash = (address: string): string => address.replace(/\/+$/, '');
const sameAddress = (one: string, other: string): boolean => withoutSlash(one) === withoutSlash(other);
