import type { Http } from '../../client/http/http.ts';
import type { RequestCredentials } from '../../client/http/requestAuthentication.ts';
import { isLoopback } from '../../protocol/card/agentOrigin.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import type { OAuthContext } from '../oauth/oauthFetch.ts';
import { refreshTokens, repeatClientCredentials, revokeTokens, SignInCanceled } from '../oauth/oauthFlows.ts';
import { oauthCodeOf } from '../oauth/oauthProblem.ts';
import type { SignInState } from '../signInState.ts';
import type { SignInStore } from '../signInStore.ts';
import { AgentSignIn, type SignInRequest } from './agentSignIn.ts';
import { credentialFor } from './credentialSteps.ts';
import { agentKey } from '../agentKey.ts';
import {
  defaultIdentity,
  maxIdentities,
  maxIdentityName,
  readKept,
  type KeptAgent,
  type KeptCredential,
  type KeptSignIn,
  type KeptSignIns,
} from './keptSignIns.ts';
import { isSupported } from './planOf.ts';
import { requestCredentials } from './requestCredentials.ts';

export interface SignInsOptions {
  readonly store: SignInStore;
  readonly http: Pick<Http, 'request'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A token that is over within this time is renewed before a request, in milliseconds. */
const renewAheadMs = 60_000;

/** One sign-in, for lists of all of them. */
export interface ListedSignIn {
  readonly url: string;
  readonly identity: string;
  readonly state: SignInState;
}

/** All sign-ins, and what keeps them alive. */
export class SignIns {
  readonly #store: SignInStore;
  readonly #http: Pick<Http, 'request'>;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #kept: Promise<KeptSignIns> | undefined;
  /** Renewals that are under way, by agent and identity: whoever needs one waits for the same. */
  readonly #renewing = new Map<string, Promise<KeptSignIn | undefined>>();
  /** When tokens were renewed last, by agent and identity; milliseconds since 1970. */
  readonly #renewedAt = new Map<string, number>();

  constructor({ store, http, now = Date.now }: SignInsOptions) {
    this.#store = store;
    this.#http = http;
    this.#now = now;
    store.onDidChange(() => {
      this.#kept = undefined;
      this.#tell();
    });
  }

  /** Calls `listener` when somebody signed in or out or tokens were renewed. Returns what ends that. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param of what the credentials are for */
  of(url: string, identity?: string, of: 'card' | 'request' = 'request'): AgentSignIn {
    return new AgentSignIn(this, url, identity, of);
  }

  /** What the agents' present sign-ins are, by `agentKey`. */
  async present(): Promise<ReadonlyMap<string, SignInState>> {
    const { agents } = await this.#read();
    return new Map(
      Object.entries(agents).flatMap(([key, { identities, current }]) => {
        const kept = identities[current];
        return kept === undefined ? [] : [[key, this.#stateOf(kept, current)] as const];
      }),
    );
  }

  async list(): Promise<readonly ListedSignIn[]> {
    const { agents } = await this.#read();
    return Object.entries(agents).flatMap(([url, { identities }]) =>
      Object.entries(identities).map(([identity, kept]) => ({ url, identity, state: this.#stateOf(kept, identity) })),
    );
  }

  async identities(url: string): Promise<readonly string[]> {
    return Object.keys((await this.#agent(url))?.identities ?? {});
  }

  async state(url: string, identity?: string): Promise<SignInState> {
    const agent = await this.#agent(url);
    const name = identity ?? agent?.current;
    const kept = name === undefined ? undefined : agent?.identities[name];
    return kept === undefined || name === undefined ? { kind: 'none' } : this.#stateOf(kept, name);
  }

  #stateOf({ credentials, account, over }: KeptSignIn, identity: string): SignInState {
    const tokens = credentials.flatMap(each => (each.kind === 'oauth' ? [each] : []));
    const expiresAt = Math.min(...tokens.map(each => each.tokens.expiresAt ?? Infinity));
    const renews = tokens.length > 0 && tokens.every(renewsItself);
    if (over === true || (expiresAt <= this.#now() && !renews)) return { kind: 'expired', identity, account };
    return {
      kind: 'signedIn',
      identity,
      account,
      schemes: credentials.map(({ scheme }) => scheme),
      expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
      renews,
    };
  }

  async signIn(url: string, { plan, challenge, prompts, option, identity, origins = [], card, signal }: SignInRequest): Promise<void> {
    const name = identity ?? defaultIdentity;
    if (name === '' || name.length > maxIdentityName)
      throw new Problem('sign-in-name', sentence('The name of a sign-in has at most {0} characters.', maxIdentityName));
    const chosen = option ?? (await this.#chosen(plan.options, prompts));
    const before = await this.#agent(url);
    const agentUrl = new URL(url);
    const servers = new Set(before?.servers ?? []);
    const known = new Set([agentUrl.origin, ...origins, ...servers]);
    const credentials: KeptCredential[] = [];
    for (const step of chosen.steps)
      credentials.push(
        await credentialFor({
          step,
          agentUrl: url,
          challenge,
          prompts,
          http: this.#http,
          signal,
          now: this.#now,
          before: before?.identities[name]?.credentials.find(({ scheme }) => scheme === step.name),
          requireOrigin: async asked => {
            if (known.has(asked.origin)) return;
            if (!(await prompts.approve([asked.origin], agentUrl.origin))) throw notApproved(asked.origin);
            known.add(asked.origin);
            servers.add(asked.origin);
          },
        }),
      );
    const account = credentials.map(accountOf).find(each => each !== undefined);
    await this.#change(kept => {
      const agent = kept.agents[agentKey(url)] ?? { origins: [], servers: [], current: name, identities: {} };
      if (!(name in agent.identities) && Object.keys(agent.identities).length >= maxIdentities)
        throw new Problem('sign-in-many', sentence('There are {0} sign-ins at this agent already.', maxIdentities), {
          nextStep: sentence('Sign out of one of them.'),
        });
      kept.agents[agentKey(url)] = {
        origins: [...new Set([agentUrl.origin, ...origins])],
        servers: [...servers],
        ...((card ?? agent.card) === true && { card: true }),
        current: name,
        identities: { ...agent.identities, [name]: { credentials, at: this.#now(), ...(account !== undefined && { account }) } },
      };
    });
  }

  async #chosen(options: SignInRequest['plan']['options'], prompts: SignInRequest['prompts']) {
    const supported = options.filter(isSupported);
    if (supported.length === 0) {
      const reason = options.flatMap(({ steps }) => steps).find(({ unsupported }) => unsupported !== undefined)?.unsupported;
      throw new Problem('sign-in-unsupported', reason ?? sentence('The agent card does not say how to sign in.'), {
        nextStep: hint(
          sentence("Set the credentials that the agent wants in the agent's headers."),
          "Give the credentials that the agent wants with --header 'Name: value'.",
        ),
      });
    }
    const option = supported.length === 1 ? supported[0] : await prompts.chooseOption(supported);
    if (option === undefined) throw new SignInCanceled();
    return option;
  }

  /** Uses another of the sign-ins at an agent from now on. */
  async use(url: string, identity: string): Promise<void> {
    await this.#change(kept => {
      const agent = kept.agents[agentKey(url)];
      if (agent?.identities[identity] !== undefined) agent.current = identity;
    });
  }

  /** Forgets a sign-in and tells its authorization server. Resolves to why the server was not told, if it was not. */
  async signOut(url: string, identity?: string): Promise<unknown> {
    const agent = await this.#agent(url);
    const name = identity ?? agent?.current;
    const kept = name === undefined ? undefined : agent?.identities[name];
    if (agent === undefined || name === undefined || kept === undefined) return undefined;
    await this.#change(all => {
      const mine = all.agents[agentKey(url)];
      if (mine === undefined) return;
      const { [name]: _, ...others } = mine.identities;
      const [first] = Object.keys(others);
      if (first === undefined) delete all.agents[agentKey(url)];
      else all.agents[agentKey(url)] = { ...mine, identities: others, current: mine.current === name ? first : mine.current };
    });
    for (const credential of kept.credentials)
      if (credential.kind === 'oauth')
        try {
          await revokeTokens(credential.tokens, this.#context(url, agent));
        } catch (error) {
          return error;
        }
    return undefined;
  }

  /** @param of what is requested: a card has credentials only where the person chose that */
  async credentialsFor(
    url: string,
    identity: string | undefined,
    target: URL,
    { of, signal }: { readonly of: 'card' | 'request'; readonly signal?: AbortSignal | undefined },
  ): Promise<RequestCredentials | undefined> {
    const agent = await this.#agent(url);
    if (of === 'card' && agent?.card !== true) return undefined;
    const name = identity ?? agent?.current;
    const kept = name === undefined ? undefined : agent?.identities[name];
    if (agent === undefined || name === undefined || kept === undefined) {
      if (identity !== undefined) throw notSignedIn(identity);
      return undefined;
    }
    const { protocol, hostname, origin } = target;
    const isSafe = ['https:', 'wss:', 'grpcs:'].includes(protocol) || isLoopback(hostname);
    if (!agent.origins.includes(origin.replace(/^ws/, 'http')) || !isSafe) return undefined;
    const isOver = kept.credentials.some(each => each.kind === 'oauth' && isDue(each.tokens.expiresAt, this.#now() + renewAheadMs));
    const current = isOver ? ((await this.#renewed(url, name, agent, signal)) ?? kept) : kept;
    return requestCredentials(current, name);
  }

  /**
   * The agent answered 401 to a request that was sent at `since`. True if there are other credentials now.
   */
  async renew(url: string, identity: string | undefined, since: number, signal?: AbortSignal): Promise<boolean> {
    const agent = await this.#agent(url);
    const name = identity ?? agent?.current;
    const kept = name === undefined ? undefined : agent?.identities[name];
    if (agent === undefined || name === undefined || !kept?.credentials.some(each => each.kind === 'oauth')) return false;
    if ((this.#renewedAt.get(`${agentKey(url)} ${name}`) ?? 0) > since) return true;
    return (await this.#renewed(url, name, agent, signal)) !== undefined;
  }

  /** Renews the tokens of one sign-in once, however many ask for it; undefined where they cannot be renewed. */
  #renewed(url: string, identity: string, agent: KeptAgent, signal?: AbortSignal): Promise<KeptSignIn | undefined> {
    const key = `${agentKey(url)} ${identity}`;
    const under = this.#renewing.get(key);
    if (under !== undefined) return under;
    const work = this.#renewOnce(url, identity, agent, signal).finally(() => this.#renewing.delete(key));
    this.#renewing.set(key, work);
    return work;
  }

  async #renewOnce(url: string, identity: string, agent: KeptAgent, signal?: AbortSignal): Promise<KeptSignIn | undefined> {
    const known = tokensIn(agent.identities[identity]);
    return this.#store.exclusively(async () => {
      const all = readKept(await this.#store.read());
      const mine = all.agents[agentKey(url)];
      const kept = mine?.identities[identity];
      if (mine === undefined || kept === undefined) return undefined;
      // Another window was faster.
      if (tokensIn(kept) !== known && kept.over !== true) return this.#took(all, url, identity, kept);
      const context = { ...this.#context(url, mine), signal };
      let renewed = false;
      const credentials: KeptCredential[] = [];
      try {
        for (const credential of kept.credentials) {
          if (credential.kind !== 'oauth' || !renewsItself(credential)) {
            credentials.push(credential);
            continue;
          }
          const renew =
            credential.flow === 'clientCredentials' && credential.tokens.refreshToken === undefined
              ? repeatClientCredentials
              : refreshTokens;
          const tokens = await renew(credential.tokens, context, this.#now);
          credentials.push({ ...credential, tokens: { ...tokens, scopes: [...tokens.scopes] } });
          renewed = true;
        }
      } catch (error) {
        if (!isRefusal(error)) throw error;
        mine.identities[identity] = { ...kept, over: true };
        await this.#write(all);
        return undefined;
      }
      if (!renewed) return undefined;
      const { over: _, ...rest } = kept;
      const next = { ...rest, credentials };
      mine.identities[identity] = next;
      await this.#write(all);
      return this.#took(all, url, identity, next);
    });
  }

  #took(all: KeptSignIns, url: string, identity: string, kept: KeptSignIn): KeptSignIn {
    this.#kept = Promise.resolve(all);
    this.#renewedAt.set(`${agentKey(url)} ${identity}`, this.#now());
    return kept;
  }

  /** Renewals go to where the person approved at sign-in, and nowhere else. */
  #context(url: string, { servers, origins }: KeptAgent): OAuthContext {
    const allowed = new Set([new URL(url).origin, ...origins, ...servers]);
    return {
      http: this.#http,
      requireOrigin: asked => (allowed.has(asked.origin) ? Promise.resolve() : Promise.reject(notApproved(asked.origin))),
    };
  }

  #read(): Promise<KeptSignIns> {
    return (this.#kept ??= this.#store.read().then(readKept));
  }

  async #agent(url: string): Promise<KeptAgent | undefined> {
    if (!URL.canParse(url)) return undefined;
    const { agents } = await this.#read();
    return agents[agentKey(url)];
  }

  async #change(change: (kept: KeptSignIns) => void): Promise<void> {
    await this.#store.exclusively(async () => {
      const kept = readKept(await this.#store.read());
      change(kept);
      await this.#write(kept);
    });
  }

  async #write(kept: KeptSignIns): Promise<void> {
    await this.#store.write(JSON.stringify(kept));
    this.#kept = Promise.resolve(kept);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const tokensIn = (kept: KeptSignIn | undefined): string =>
  JSON.stringify(kept?.credentials.map(each => (each.kind === 'oauth' ? [each.tokens.accessToken, each.tokens.refreshToken] : [])));

const isDue = (expiresAt: number | undefined, at: number): boolean => expiresAt !== undefined && expiresAt <= at;

const renewsItself = (credential: Extract<KeptCredential, { readonly kind: 'oauth' }>): boolean =>
  credential.tokens.refreshToken !== undefined || credential.flow === 'clientCredentials';

/** The server has spoken, so that asking again brings nothing. */
const isRefusal = (error: unknown): boolean => {
  const code = oauthCodeOf(error);
  return code !== undefined && code !== 'server_error' && code !== 'temporarily_unavailable';
};

function accountOf(credential: KeptCredential): string | undefined {
  if (credential.kind === 'oauth') return credential.tokens.account;
  if (credential.kind === 'authorization' && credential.type === 'Basic')
    return Buffer.from(credential.value, 'base64').toString('utf8').split(':')[0];
  return undefined;
}

const notApproved = (origin: string): Problem =>
  new Problem('sign-in-origin', sentence('Credentials were not sent to {0}, which you have not approved for this agent.', origin), {
    nextStep: sentence('Sign in again, and approve it if you trust it.'),
  });

const notSignedIn = (identity: string): Problem =>
  new Problem('sign-in-missing', sentence('You are not signed in as "{0}" at this agent.', identity), {
    nextStep: hint(sentence('Sign in with "A2A: Sign In…".'), 'Sign in with: a2a auth login URL --identity {0}'),
  });
