import type { SignInStore } from '../signInStore.ts';
import { agentKey } from '../agentKey.ts';
import { readKept, type KeptAgent, type KeptSignIn, type KeptSignIns } from './keptSignIns.ts';
import type { KnownSecrets } from './knownSecrets.ts';

/** Sign-ins in the store, read once until another window changes them. Their secrets become known. */
export class StoredSignIns {
  readonly #store: SignInStore;
  readonly #secrets: KnownSecrets;
  readonly #listeners = new Set<() => void>();
  #kept: Promise<KeptSignIns> | undefined;

  constructor(store: SignInStore, secrets: KnownSecrets) {
    this.#store = store;
    this.#secrets = secrets;
    store.onDidChange(() => {
      this.#kept = undefined;
      this.#notify();
    });
  }

  /** Calls `listener` when this or another window has written. Returns a function that ends that. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  all(): Promise<KeptSignIns> {
    return (this.#kept ??= this.#store.read().then(readKept));
  }

  /** Sign-ins of the agent at an address. */
  async agent(url: string): Promise<KeptAgent | undefined> {
    if (!URL.canParse(url)) return undefined;
    return this.#learned(agentKey(url), await this.all());
  }

  /**
   * Changes the sign-ins while no other window does. Rejects with a `Problem` `sign-in-busy`.
   * @param change changes the sign-ins that it gets; they are written when it calls `write`
   */
  change<T>(change: (all: KeptSignIns, write: () => Promise<void>) => Promise<T>): Promise<T> {
    return this.#store.exclusively(async () => {
      const all = readKept(await this.#store.read());
      const result = await change(all, async () => {
        await this.#store.write(JSON.stringify(all));
        this.#kept = Promise.resolve(all);
        this.#notify();
      });
      this.#remember(all);
      return result;
    });
  }

  /**
   * Runs work that may take long, such as a request, while no other window runs one about the same.
   * @param about subject of the work, such as an agent and an identity
   */
  alone<T>(about: string, work: (all: KeptSignIns) => Promise<T>): Promise<T> {
    return this.#store.exclusively(async () => {
      const all = readKept(await this.#store.read());
      this.#remember(all);
      return work(all);
    }, about);
  }

  #remember(all: KeptSignIns): void {
    this.#kept = Promise.resolve(all);
    for (const key of Object.keys(all.agents)) this.#learned(key, all);
  }

  #learned(key: string, { agents }: KeptSignIns): KeptAgent | undefined {
    const agent = agents[key];
    if (agent !== undefined) this.#secrets.learn(key, agent);
    return agent;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The sign-in of a name, which may come from a file of others; the one in use without a name. */
export function identityOf(agent: KeptAgent, identity = agent.current): KeptSignIn | undefined {
  return Object.hasOwn(agent.identities, identity) ? agent.identities[identity] : undefined;
}
