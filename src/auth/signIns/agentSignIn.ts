import type { RequestAuthentication, RequestCredentials, WithheldCredentials } from '../../client/http/requestAuthentication.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import type { SignInPlan, SignInOption } from '../signInPlan.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { SignInState } from '../signInState.ts';
import type { SignIns } from './signIns.ts';

export interface SignInRequest {
  readonly plan: SignInPlan;
  readonly challenge?: string | undefined;
  /** Address of the request that was challenged, if not the agent's own. */
  readonly challengedUrl?: string | undefined;
  readonly prompts: SignInPrompts;
  /** Option that was chosen before; without it, the person chooses where there are several. */
  readonly option?: SignInOption;
  /** Under which name it is kept; `default` without one. */
  readonly identity?: string;
  /** Origins that may have the credentials beside the agent's own, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
  /** The card, too, is fetched with the credentials from now on. */
  readonly card?: boolean;
  /** Certificates of `RequestedSignIn` that the person has allowed to decide. */
  readonly certificates?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Whose sign-in requests carry. */
export interface RequestedSignIn {
  /** Without one, that which the person uses at present. */
  readonly identity?: string | undefined;
  /** Purpose of the sign-in; `request` by default. */
  readonly of?: 'card' | 'request';
  /** Says which certificates others than the person want to be believed; see `certificatesOfWorkspace`. */
  readonly certificates?: string | undefined;
}

/** The sign-ins at one agent, and the credentials of its requests. */
export class AgentSignIn implements RequestAuthentication {
  readonly #all: SignIns;
  readonly #url: string;
  readonly #requested: RequestedSignIn;

  constructor(all: SignIns, url: string, requested: RequestedSignIn = {}) {
    this.#all = all;
    this.#url = url;
    this.#requested = requested;
  }

  get #identity(): string | undefined {
    return this.#requested.identity;
  }

  /** State of the identity that the person uses at present. */
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

  /** Also revokes the tokens at the authorization server. Resolves to the reason why that failed, if it did. */
  signOut(identity?: string): Promise<unknown> {
    return this.#all.signOut(this.#url, identity ?? this.#identity);
  }

  credentialsFor(url: URL, signal?: AbortSignal): Promise<RequestCredentials | undefined> {
    return this.#all.credentialsFor(this.#url, this.#requested, url, signal);
  }

  withheld(url: URL): Promise<WithheldCredentials | undefined> {
    return this.#all.withheld(this.#url, this.#requested, url);
  }

  secrets(): readonly string[] {
    return this.#all.secretsOf(this.#url);
  }

  /** Renews the tokens, whether or not that is due. Rejects with a `Problem` where they cannot be renewed. */
  async renewNow(signal?: AbortSignal): Promise<void> {
    if (await this.#all.renew(this.#url, this.#identity, Infinity, signal)) return;
    throw new Problem('oauth-invalid_grant', sentence('The authorization server does not renew the token, or issued no refresh token.'), {
      nextStep: sentence('Sign in again.'),
    });
  }

  renew(since: number, signal?: AbortSignal): Promise<boolean> {
    return this.#all.renew(this.#url, this.#identity, since, signal);
  }
}
