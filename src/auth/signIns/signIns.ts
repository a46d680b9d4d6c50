import type { Http } from '../../client/http/http.ts';
import type { RequestCredentials, WithheldCredentials } from '../../client/http/requestAuthentication.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import { revokeTokens } from '../oauth/renewTokens.ts';
import { SignInCanceled } from '../signInCanceled.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { SignInsAtAgent, SignInState } from '../signInState.ts';
import type { SignInStore } from '../signInStore.ts';
import { AgentSignIn, type RequestedSignIn, type SignInRequest } from './agentSignIn.ts';
import { credentialFor } from './credentialSteps.ts';
import { agentKey } from '../agentKey.ts';
import { defaultIdentity, maxIdentities, maxIdentityName, type KeptAgent, type KeptCredential, type KeptSignIn } from './keptSignIns.ts';
import { KnownSecrets } from './knownSecrets.ts';
import { isSupported } from './planOf.ts';
import { requestCredentials } from './requestCredentials.ts';
import { ServerApprovals } from './serverApprovals.ts';
import { notSignedIn, otherCertificates } from './signInProblems.ts';
import { stateOf } from './stateOf.ts';
import { identityOf, StoredSignIns } from './storedSignIns.ts';
import { renewalContext, TokenRenewals } from './tokenRenewals.ts';
import { withheldFrom } from '../withheldCredentials.ts';

interface SignInsOptions {
  readonly store: SignInStore;
  readonly http: Pick<Http, 'request'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called with each secret of a sign-in that is used, so that it is masked in whatever is shown or logged. */
  readonly onSecret?: (secret: string) => void;
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
  readonly #http: Pick<Http, 'request'>;
  readonly #now: () => number;
  readonly #secrets: KnownSecrets;
  readonly #kept: StoredSignIns;
  readonly #renewals: TokenRenewals;

  constructor({ store, http, now = Date.now, onSecret }: SignInsOptions) {
    this.#secrets = new KnownSecrets(onSecret);
    this.#kept = new StoredSignIns(store, this.#secrets);
    this.#http = http;
    this.#now = now;
    this.#renewals = new TokenRenewals(this.#kept, http, now);
  }

  /** Calls `listener` when somebody signed in or out or tokens were renewed. Returns what ends that. */
  onDidChange(listener: () => void): () => void {
    return this.#kept.onDidChange(listener);
  }

  /**
   * @param of what the credentials are for
   * @param certificates see `RequestedSignIn`
   */
  of(url: string, identity?: string, of: 'card' | 'request' = 'request', certificates?: string): AgentSignIn {
    return new AgentSignIn(this, url, { identity, of, certificates });
  }

  /** The sign-ins at all agents, by `agentKey`. */
  async present(): Promise<ReadonlyMap<string, SignInsAtAgent>> {
    const { agents } = await this.#kept.all();
    return new Map(
      Object.entries(agents).map(([key, { identities, current, origins }]) => {
        const all = Object.entries(identities);
        const withSecrets = all.filter(([, kept]) => hasSecrets(kept));
        return [
          key,
          {
            current,
            states: new Map(all.map(([name, kept]) => [name, stateOf(kept, name, this.#now())])),
            recipients: new Map(withSecrets.map(([name]) => [name, origins])),
          },
        ];
      }),
    );
  }

  /** The sign-ins at one agent; an empty one where there is none. */
  async at(url: string): Promise<SignInsAtAgent> {
    return (await this.present()).get(agentKey(url)) ?? { current: defaultIdentity, states: new Map(), recipients: new Map() };
  }

  async list(): Promise<readonly ListedSignIn[]> {
    const { agents } = await this.#kept.all();
    return Object.entries(agents).flatMap(([url, { identities }]) =>
      Object.entries(identities).map(([identity, kept]) => ({ url, identity, state: stateOf(kept, identity, this.#now()) })),
    );
  }

  async identities(url: string): Promise<readonly string[]> {
    return Object.keys((await this.#kept.agent(url))?.identities ?? {});
  }

  /** Origins of authorization servers that the person approved for an agent. */
  async servers(url: string): Promise<readonly string[]> {
    return (await this.#kept.agent(url))?.servers ?? [];
  }

  async state(url: string, identity?: string): Promise<SignInState> {
    const found = namedIn(await this.#kept.agent(url), identity);
    return found === undefined ? { kind: 'none' } : stateOf(found.kept, found.name, this.#now());
  }

  async signIn(url: string, request: SignInRequest): Promise<void> {
    const { plan, challenge, challengedUrl, option, identity, origins = [], card, certificates, signal } = request;
    const prompts: SignInPrompts = {
      ...request.prompts,
      type: async value => {
        const typed = await request.prompts.type(value);
        // Also where the sign-in fails: the server has it then.
        if (value.secret && typed !== undefined) this.#secrets.add(agentKey(url), [typed.trim()]);
        return typed;
      },
    };
    const name = identity ?? defaultIdentity;
    if (name === '' || name.length > maxIdentityName)
      throw new Problem('sign-in-name', sentence('The name of a sign-in has at most {0} characters.', maxIdentityName));
    const chosen = option ?? (await this.#chosen(plan.options, prompts));
    const before = await this.#kept.agent(url);
    const agentUrl = new URL(url);
    const approvals = new ServerApprovals({
      agent: agentUrl.origin,
      named: origins,
      before,
      approve: (...asked) => prompts.approve(...asked),
    });
    const credentials: KeptCredential[] = [];
    for (const step of chosen.steps)
      credentials.push(
        await credentialFor({
          step,
          agentUrl: url,
          challenge,
          challengedUrl,
          prompts,
          http: this.#http,
          signal,
          now: this.#now,
          onSecret: secret => this.#secrets.add(agentKey(url), [secret]),
          before: before && identityOf(before, name)?.credentials.find(({ scheme }) => scheme === step.name),
          requireRecipients: (recipients, scopes) => approvals.require(recipients, scopes),
        }),
      );
    const account = credentials.map(accountOf).find(each => each !== undefined);
    await this.#kept.change(async (kept, write) => {
      const agent = kept.agents[agentKey(url)] ?? { origins: [], servers: [], current: name, identities: {} };
      if (identityOf(agent, name) === undefined && Object.keys(agent.identities).length >= maxIdentities)
        throw new Problem('sign-in-many', sentence('There are {0} sign-ins at this agent already.', maxIdentities), {
          nextStep: sentence('Sign out of one of them.'),
        });
      kept.agents[agentKey(url)] = {
        origins: [...new Set([agentUrl.origin, ...origins])],
        ...approvals.kept,
        ...((card ?? agent.card) === true && { card: true }),
        ...((certificates ?? agent.certificates) !== undefined && { certificates: certificates ?? agent.certificates }),
        current: name,
        identities: { ...agent.identities, [name]: { credentials, at: this.#now(), ...(account !== undefined && { account }) } },
      };
      await write();
    });
  }

  async #chosen(options: SignInRequest['plan']['options'], prompts: SignInRequest['prompts']) {
    const supported = options.filter(isSupported);
    if (supported.length === 0) {
      const reason = options.flatMap(({ steps }) => steps).find(({ unsupported }) => unsupported !== undefined)?.unsupported;
      throw new Problem('sign-in-unsupported', reason ?? sentence('The agent card does not say how to sign in.'), {
        nextStep: hint(
          sentence("Set the credentials that the agent requires in the agent's headers."),
          "Set the credentials that the agent requires with --header 'Name: value'.",
        ),
      });
    }
    const option =
      supported.length === 1
        ? supported[0]
        : await prompts.chooseOption(
            supported,
            options.filter(each => !isSupported(each)),
          );
    if (option === undefined) throw new SignInCanceled();
    return option;
  }

  /** Uses another of the sign-ins at an agent from now on. */
  async use(url: string, identity: string): Promise<void> {
    await this.#kept.change(async (kept, write) => {
      const agent = kept.agents[agentKey(url)];
      if (agent === undefined || identityOf(agent, identity) === undefined) return;
      agent.current = identity;
      await write();
    });
  }

  /** Lets another origin have the credentials of an agent's sign-ins: the person has agreed. */
  async allow(url: string, origin: string): Promise<void> {
    await this.#kept.change(async (kept, write) => {
      const agent = kept.agents[agentKey(url)];
      if (agent === undefined || agent.origins.includes(origin)) return;
      agent.origins = [...agent.origins, origin];
      await write();
    });
  }

  /** Forgets a sign-in and revokes its tokens at the authorization server. Resolves to the reason why that failed, if it did. */
  async signOut(url: string, identity?: string): Promise<unknown> {
    const found = namedIn(await this.#kept.agent(url), identity);
    if (found === undefined) return undefined;
    const { agent, name, kept } = found;
    await this.#kept.change(async (all, write) => {
      const mine = all.agents[agentKey(url)];
      if (mine === undefined) return;
      const { [name]: _, ...others } = mine.identities;
      const [first] = Object.keys(others);
      if (first === undefined) delete all.agents[agentKey(url)];
      else all.agents[agentKey(url)] = { ...mine, identities: others, current: mine.current === name ? first : mine.current };
      await write();
    });
    for (const credential of kept.credentials)
      if (credential.kind === 'oauth')
        try {
          await revokeTokens(credential.tokens, renewalContext(this.#http, credential.tokens, agent));
        } catch (error) {
          return error;
        }
    return undefined;
  }

  /** A card has credentials only where the person chose that. */
  async credentialsFor(
    url: string,
    { identity, of = 'request', certificates }: RequestedSignIn,
    target: URL,
    signal?: AbortSignal,
  ): Promise<RequestCredentials | undefined> {
    const agent = await this.#kept.agent(url);
    if (of === 'card' && agent?.card !== true) return undefined;
    const found = namedIn(agent, identity);
    if (found === undefined) {
      if (identity !== undefined) throw notSignedIn(identity);
      return undefined;
    }
    const { name, kept } = found;
    if (withheldFrom(target, found.agent.origins, url) !== undefined) return undefined;
    if (certificates !== undefined && certificates !== found.agent.certificates) throw otherCertificates(name);
    const isOver = kept.credentials.some(
      each => each.kind === 'oauth' && (each.tokens.expiresAt ?? Infinity) <= this.#now() + renewAheadMs,
    );
    const current = isOver ? ((await this.#renewals.renewed(url, name, found.agent, signal)) ?? kept) : kept;
    return requestCredentials(current, name);
  }

  /** See `RequestAuthentication.withheld`. A card has none unless the person chose that. */
  async withheld(url: string, { identity, of }: RequestedSignIn, target: URL): Promise<WithheldCredentials | undefined> {
    const found = of === 'card' ? undefined : namedIn(await this.#kept.agent(url), identity);
    return found !== undefined && hasSecrets(found.kept) ? withheldFrom(target, found.agent.origins, url) : undefined;
  }

  /**
   * The agent answered 401 to a request that was sent at `since`. True if there are other credentials now.
   */
  async renew(url: string, identity: string | undefined, since: number, signal?: AbortSignal): Promise<boolean> {
    const found = namedIn(await this.#kept.agent(url), identity);
    if (!found?.kept.credentials.some(each => each.kind === 'oauth')) return false;
    if (this.#renewals.renewedAt(url, found.name) > since) return true;
    return (await this.#renewals.renewed(url, found.name, found.agent, signal)) !== undefined;
  }

  /** See `RequestAuthentication.secrets`. */
  secretsOf(url: string): readonly string[] {
    return URL.canParse(url) ? this.#secrets.of(agentKey(url)) : [];
  }
}

/** The sign-in of an identity, without one that in use; undefined where there is none. */
function namedIn(
  agent: KeptAgent | undefined,
  identity: string | undefined,
): { readonly agent: KeptAgent; readonly name: string; readonly kept: KeptSignIn } | undefined {
  const name = identity ?? agent?.current;
  const kept = agent && identityOf(agent, name);
  return agent === undefined || name === undefined || kept === undefined ? undefined : { agent, name, kept };
}

/** False for client certificates alone, which the connection has. */
const hasSecrets = ({ credentials }: KeptSignIn): boolean => credentials.some(({ kind }) => kind !== 'mtls');

function accountOf(credential: KeptCredential): string | undefined {
  if (credential.kind === 'oauth') return credential.tokens.account;
  if (credential.kind === 'authorization' && credential.type === 'Basic')
    return Buffer.from(credential.value, 'base64').toString('utf8').split(':')[0];
  return undefined;
}
