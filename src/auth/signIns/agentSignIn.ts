import type { RequestAuthentication, RequestCredentials } from '../../client/http/requestAuthentication.ts';
import type { SignInPlan, SignInOption } from '../signInPlan.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { SignInState } from '../signInState.ts';
import type { SignIns } from './signIns.ts';

export interface SignInRequest {
  readonly plan: SignInPlan;
  readonly challenge?: string | undefined;
  readonly prompts: SignInPrompts;
  /** Chosen before; otherwise the person is asked where there are several. */
  readonly option?: SignInOption;
  /** Under which name it is kept; `default` without one. */
  readonly identity?: string;
  /** Origins that may have the credentials beside the agent's own, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
  /** The card, too, is fetched with the credentials from now on. */
  readonly card?: boolean;
  readonly signal?: AbortSignal;
}

/** The sign-ins at one agent, and the credentials of its requests. */
export class AgentSignIn implements RequestAuthentication {
  readonly #all: SignIns;
  readonly #url: string;
  readonly #identity: string | undefined;
  readonly #of: 'card' | 'request';

  /** @param identity of all requests; without one, that which the person uses at present */
  constructor(all: SignIns, url: string, identity: string | undefined, of: 'card' | 'request') {
    this.#of = of;
    this.#all = all;
    this.#url = url;
    this.#identity = identity;
  }

  /** Of the identity that the person uses at present. */
  state(): Promise<SignInState> {
    return this.#all.state(this.#url, this.#identity);
  }

  identities(): Promise<readonly string[]> {
    return this.#all.identities(this.#url);
  }

  /** Rejects with a `Problem`; `sign-in-canceled` where the person does not go on. */
  signIn(request: SignInRequest): Promise<void> {
    return this.#all.signIn(this.#url, request);
  }

  /** Also tells the authorization server. Resolves to why that failed, if it did. */
  signOut(identity?: string): Promise<unknown> {
    return this.#all.signOut(this.#url, identity ?? this.#identity);
  }

  credentialsFor(url: URL, signal?: AbortSignal): Promise<RequestCredentials | undefined> {
    return this.#all.credentialsFor(this.#url, this.#identity, url, { of: this.#of, signal });
  }

  renew(since: number, signal?: AbortSignal): Promise<boolean> {
    return this.#all.renew(this.#url, this.#identity, since, signal);
  }
}
