import { agentKey } from '../../auth/agentKey.ts';
import { withheldFrom } from '../../auth/withheldCredentials.ts';
import type { SignIns } from '../../auth/signIns/signIns.ts';
import type { SignInsAtAgent, SignInState } from '../../auth/signInState.ts';
import type { RequestAuthentication, WithheldCredentials } from '../../client/http/requestAuthentication.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';

interface AgentSignInsOptions {
  /** False until the first sign-in anywhere: nothing is loaded then. */
  readonly isUsed: () => Promise<boolean>;
  readonly load: () => Promise<SignIns>;
  readonly onError: (error: unknown) => void;
}

/** The sign-ins of all agents, loaded when the first one is needed. */
export class AgentSignIns implements Disposable {
  readonly #options: AgentSignInsOptions;
  readonly #changed: Emitter<void>;
  #loading: Promise<SignIns> | undefined;
  #loaded: SignIns | undefined;
  #present: ReadonlyMap<string, SignInsAtAgent> = new Map();

  constructor(options: AgentSignInsOptions) {
    this.#options = options;
    this.#changed = new Emitter(options.onError);
  }

  /** Fired after a sign-in or sign-out, when tokens were renewed, and when `refresh` found stored sign-ins. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /**
   * State of a sign-in at an address; `none` until `refresh` has resolved.
   * @param identity the person's current one if left out
   */
  stateOf(url: string, identity?: string): SignInState {
    const present = URL.canParse(url) ? this.#present.get(agentKey(url)) : undefined;
    return present?.states.get(identity ?? present.current) ?? { kind: 'none' };
  }

  /** Why an address gets no credentials of a sign-in that there is. See `stateOf`. */
  withheld(url: string, identity: string | undefined, target: URL): WithheldCredentials | undefined {
    const present = URL.canParse(url) ? this.#present.get(agentKey(url)) : undefined;
    const origins = present?.recipients.get(identity ?? present.current);
    return origins === undefined ? undefined : withheldFrom(target, origins, url);
  }

  /** Reads what is kept. Never rejects. */
  async refresh(): Promise<void> {
    try {
      if (this.#loading === undefined && !(await this.#options.isUsed())) return;
      const signIns = await this.signIns();
      this.#present = await signIns.present();
      this.#changed.fire();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  signIns(): Promise<SignIns> {
    return (this.#loading ??= this.#options.load().then(signIns => {
      this.#loaded = signIns;
      signIns.onDidChange(() => void this.refresh());
      return signIns;
    }));
  }

  /** For `AgentOptions.authentication`. */
  readonly authentication = (
    url: string,
    identity?: string,
    of: 'card' | 'request' = 'request',
    certificates?: string,
  ): RequestAuthentication => {
    const isUsed = async (): Promise<boolean> => this.#loading !== undefined || identity !== undefined || (await this.#options.isUsed());
    const own = async () => (await this.signIns()).of(url, identity, of, certificates);
    return {
      credentialsFor: async (target, signal) => ((await isUsed()) ? (await own()).credentialsFor(target, signal) : undefined),
      withheld: async target => ((await isUsed()) ? (await own()).withheld(target) : undefined),
      secrets: () => this.#loaded?.secretsOf(url) ?? [],
      renew: async (since, signal) => (await isUsed()) && (await own()).renew(since, signal),
    };
  };

  dispose(): void {
    this.#changed.dispose();
  }
}
