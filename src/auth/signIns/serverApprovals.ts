import { spelledOut } from '../../protocol/hiddenCharacters.ts';
import { listOf, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import { quoted } from '../../protocol/quoted.ts';
import { covers, notApproved } from '../oauth/recipients.ts';
import type { SignInPrompts } from '../signInPrompts.ts';
import type { SignInRecipient } from '../signInRecipient.ts';
import { maxTogether, type KeptAgent } from './keptSignIns.ts';

/** Most scopes that are named, and longest part of each, in UTF-16 code units. */
const shownScopes = 10;
const shownScope = 60;

interface SignInAt {
  /** Origin of the agent. */
  readonly agent: string;
  /** Other origins that the person has allowed to have the credentials. */
  readonly named: readonly string[];
  /** Earlier approvals. */
  readonly before: Pick<KeptAgent, 'servers' | 'together' | 'scopes'> | undefined;
  readonly approve: SignInPrompts['approve'];
}

/** Origins that the person approves for a sign-in, and the scopes that this is for: more scopes need another approval. */
export class ServerApprovals {
  readonly #at: SignInAt;
  readonly #servers: Set<string>;
  readonly #together: (readonly SignInRecipient[])[];
  /** Scopes by origin. */
  readonly #scopes: Map<string, readonly string[]>;

  constructor(at: SignInAt) {
    this.#at = at;
    this.#servers = new Set(at.before?.servers);
    this.#together = [...(at.before?.together ?? [])];
    this.#scopes = new Map(Object.entries(at.before?.scopes ?? {}));
  }

  /** Rejects with a `Problem` `sign-in-origin` where the person does not approve. */
  async require(recipients: readonly SignInRecipient[], scopes: readonly string[]): Promise<void> {
    const { agent, named, approve } = this.#at;
    if (recipients.every(({ origin }) => named.includes(origin) || (origin === agent && recipients.length === 1))) return;
    // Approvals of each by itself do not mean that they belong together.
    const isKnown =
      recipients.length > 1
        ? this.#together.some(each => covers(each, recipients))
        : recipients.every(({ origin }) => this.#servers.has(origin));
    const areKnown = recipients.every(({ origin }) => scopes.every(scope => this.#scopes.get(origin)?.includes(scope)));
    if (isKnown && areKnown) return;
    const token = tokenSentence(scopes, [...new Set([agent, ...named])]);
    const origins = recipients.map(({ origin }) => origin);
    if (!(await approve(recipients, agent, token))) throw notApproved(origins, token);
    for (const origin of origins) {
      this.#servers.add(origin);
      this.#scopes.set(origin, [...new Set([...(this.#scopes.get(origin) ?? []), ...scopes])]);
    }
    if (recipients.length > 1) this.#together.push(recipients);
  }

  /** Approvals as they are kept. */
  get kept(): Pick<KeptAgent, 'servers' | 'together' | 'scopes'> {
    const together = this.#together.slice(-maxTogether).map(each => each.map(({ origin, uses }) => ({ origin, uses: [...uses] })));
    return {
      servers: [...this.#servers],
      ...(together.length > 0 && { together }),
      scopes: Object.fromEntries([...this.#scopes].map(([origin, scopes]) => [origin, [...scopes]])),
    };
  }
}

/** Sentence about the scopes and the audience of the token. Scopes are the agent's text: characters that RFC 6749 §3.3 does not allow are escaped. */
function tokenSentence(scopes: readonly string[], audience: readonly string[]): LocalizedMessage {
  const places = listOf(audience);
  const shown = listOf(scopes.slice(0, shownScopes).map(scope => quoted(scope, shownScope).replaceAll(/[^\x20-\x7e…]/gu, spelledOut)));
  if (scopes.length === 0) return sentence('No scopes are requested. The token is for {0}.', places);
  return scopes.length > shownScopes
    ? sentence('{0} scopes are requested: {1}, … The token is for {2}.', scopes.length, shown, places)
    : sentence('Scopes requested: {0}. The token is for {1}.', shown, places);
}
