import { cancelled } from '../../client/http/connectionProblem.ts';
import type { Http } from '../../client/http/http.ts';
import { agentKey } from '../agentKey.ts';
import type { OAuthContext } from '../oauth/oauthFetch.ts';
import { oauthCodeOf } from '../oauth/oauthProblem.ts';
import type { OAuthTokens } from '../oauth/oauthTokens.ts';
import { notApproved } from '../oauth/recipients.ts';
import { refreshTokens, repeatClientCredentials } from '../oauth/renewTokens.ts';
import { renewsItself, type KeptAgent, type KeptCredential, type KeptSignIn } from './keptSignIns.ts';
import { identityOf, type StoredSignIns } from './storedSignIns.ts';

/** A renewal that several may wait for. It ends when all of them have been canceled. */
interface Renewal {
  readonly done: Promise<KeptSignIn | undefined>;
  readonly ending: AbortController;
  waiting: number;
}

/** Renews tokens once for all requests and windows that need it. */
export class TokenRenewals {
  readonly #kept: StoredSignIns;
  readonly #http: Pick<Http, 'request'>;
  readonly #now: () => number;
  /** Renewals under way, by agent and identity: all that need one wait for the same. */
  readonly #underWay = new Map<string, Renewal>();
  /** When they were last done, by agent and identity; milliseconds since 1970. */
  readonly #doneAt = new Map<string, number>();

  constructor(kept: StoredSignIns, http: Pick<Http, 'request'>, now: () => number) {
    this.#kept = kept;
    this.#http = http;
    this.#now = now;
  }

  /** Milliseconds since 1970; 0 where this window has renewed nothing. */
  renewedAt(url: string, identity: string): number {
    return this.#doneAt.get(keyOf(url, identity)) ?? 0;
  }

  /** The renewed sign-in; undefined where it cannot be renewed. Rejects with a `Problem` where the server could not be reached. */
  async renewed(url: string, identity: string, agent: KeptAgent, signal?: AbortSignal): Promise<KeptSignIn | undefined> {
    if (signal?.aborted === true) throw cancelled('no');
    const key = keyOf(url, identity);
    const one = this.#underWay.get(key) ?? this.#begun(key, url, identity, tokensIn(identityOf(agent, identity)));
    one.waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(cancelled('no'));
        if (--one.waiting > 0) return;
        this.#end(key, one);
        one.ending.abort();
      };
      signal?.addEventListener('abort', leave, { once: true });
      void one.done.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  }

  #begun(key: string, url: string, identity: string, known: string): Renewal {
    const ending = new AbortController();
    const one: Renewal = { done: this.#renew(url, identity, known, ending.signal), ending, waiting: 0 };
    this.#underWay.set(key, one);
    const end = (): void => this.#end(key, one);
    one.done.then(end, end);
    return one;
  }

  #end(key: string, one: Renewal): void {
    if (this.#underWay.get(key) === one) this.#underWay.delete(key);
  }

  /** @param known tokens that are over, as `tokensIn` writes them */
  async #renew(url: string, identity: string, known: string, signal: AbortSignal): Promise<KeptSignIn | undefined> {
    const renewed = await this.#kept.alone(keyOf(url, identity), async ({ agents }) => {
      const agent = agents[agentKey(url)];
      const kept = agent && identityOf(agent, identity);
      if (agent === undefined || kept === undefined) return undefined;
      // Another window was faster.
      if (tokensIn(kept) !== known && kept.over !== true) return kept;
      const credentials = await this.#renewedCredentials(kept, agent, signal);
      return this.#keep(url, identity, kept, credentials);
    });
    if (renewed !== undefined) this.#doneAt.set(keyOf(url, identity), this.#now());
    return renewed;
  }

  /** Keeps what a renewal of `old` came to, unless the person has signed out or in meanwhile. */
  #keep(url: string, identity: string, old: KeptSignIn, credentials: KeptCredential[] | undefined): Promise<KeptSignIn | undefined> {
    return this.#kept.change(async (all, write) => {
      const mine = all.agents[agentKey(url)];
      const kept = mine && identityOf(mine, identity);
      if (mine === undefined || kept === undefined) return undefined;
      if (tokensIn(kept) !== tokensIn(old)) return kept;
      if (credentials === undefined) {
        mine.identities[identity] = { ...kept, over: true };
        await write();
        return undefined;
      }
      if (!kept.credentials.some(isRenewable)) return undefined;
      const { over: _, ...rest } = kept;
      const next = { ...rest, credentials };
      mine.identities[identity] = next;
      await write();
      return next;
    });
  }

  /** Undefined where the server refuses. */
  async #renewedCredentials(
    { credentials }: KeptSignIn,
    agent: KeptAgent,
    signal: AbortSignal | undefined,
  ): Promise<KeptCredential[] | undefined> {
    const renewed: KeptCredential[] = [];
    try {
      for (const credential of credentials) {
        if (!isRenewable(credential)) {
          renewed.push(credential);
          continue;
        }
        const renew =
          credential.flow === 'clientCredentials' && credential.tokens.refreshToken === undefined ? repeatClientCredentials : refreshTokens;
        const tokens = await renew(credential.tokens, { ...renewalContext(this.#http, credential.tokens, agent), signal }, this.#now);
        renewed.push({ ...credential, tokens: { ...tokens, scopes: [...tokens.scopes] } });
      }
      return renewed;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }
}

/**
 * Renewals and revocations go to the origin that issued the tokens, and to what the person approved beside it at sign-in. The agent's own
 * origin is not among them by itself: what it may have is the access token.
 */
export function renewalContext(
  http: Pick<Http, 'request'>,
  { tokenEndpoint }: Pick<OAuthTokens, 'tokenEndpoint'>,
  { servers }: KeptAgent,
): OAuthContext {
  const allowed = new Set([new URL(tokenEndpoint).origin, ...servers]);
  return {
    http,
    requireOrigin: asked => (allowed.has(asked.origin) ? Promise.resolve() : Promise.reject(notApproved([asked.origin]))),
  };
}

const keyOf = (url: string, identity: string): string => `${agentKey(url)} ${identity}`;

const isRenewable = (credential: KeptCredential): credential is Extract<KeptCredential, { readonly kind: 'oauth' }> =>
  credential.kind === 'oauth' && renewsItself(credential);

const tokensIn = (kept: KeptSignIn | undefined): string =>
  JSON.stringify(kept?.credentials.map(each => (each.kind === 'oauth' ? [each.tokens.accessToken, each.tokens.refreshToken] : [])));

/** True for an answer of the server: another request would get the same. */
const isRefusal = (error: unknown): boolean => {
  const code = oauthCodeOf(error);
  return code !== undefined && code !== 'server_error' && code !== 'temporarily_unavailable';
};
