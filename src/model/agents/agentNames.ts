import { parseAddress } from '../../client/card/agentAddress.ts';
import { originOf } from '../../protocol/card/agentOrigin.ts';
import { Problem } from '../../protocol/problem.ts';
import { ownPlace, type AgentClaim, type AgentIdentities } from '../../store/rows/agentIdentities.ts';
import type { AgentSettings } from './agentSettings.ts';

/** An agent as some settings define it. */
interface DefinedAgent extends Omit<AgentClaim, 'origins'> {
  readonly settings: AgentSettings;
}

/** Names of agents: those of the settings, except for agents of a workspace under the name of another agent. See `AgentIdentities`. */
export class AgentNames {
  readonly #identities: AgentIdentities;
  readonly #onError: (error: unknown) => void;
  /** By what is known of the agent. */
  #known = new Map<string, string>();

  constructor(identities: AgentIdentities, onError: (error: unknown) => void) {
    this.#identities = identities;
    this.#onError = onError;
  }

  /**
   * The name of an agent. The person's own agents are to be asked for first. Where the history cannot be read, a workspace's agent goes by a
   * name that nothing there has.
   */
  of({ settings, ...entry }: DefinedAgent): string {
    const origins = originsOf(settings);
    const key = JSON.stringify([entry.place, entry.name, origins]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    try {
      const name = this.#identities.claim({ ...entry, origins }, Date.now());
      this.#known.set(key, name);
      return name;
    } catch (error) {
      this.#onError(error);
      return entry.place === ownPlace ? entry.name : `${entry.name} (${entry.label})`;
    }
  }

  /** The settings have changed, perhaps those of another window: the history is asked again. */
  forget(): void {
    this.#known = new Map();
  }

  /** The person has allowed this agent to be asked at other addresses: it is the same one there. Throws a `Problem`. */
  join(agent: string, addresses: readonly string[]): void {
    this.#identities.join(agent, addresses.map(written));
    this.forget();
  }

  /** Contexts go with an agent that got another name. Throws a `Problem`. */
  rename(from: string, to: string): void {
    this.#identities.rename(from, to);
    this.forget();
  }
}

/** Every origin that an agent of these settings may be asked at, as `originOf` writes them; at least one. */
const originsOf = ({ url, origins = [], interface: wanted }: AgentSettings): readonly string[] => [
  ...new Set([url, ...origins, ...(wanted?.url === undefined ? [] : [wanted.url])].map(written)),
];

/** Text that is no address equals only itself. */
function written(address: string): string {
  try {
    return originOf(parseAddress(address));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return address;
  }
}
