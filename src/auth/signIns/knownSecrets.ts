import type { KeptAgent, KeptCredential } from './keptSignIns.ts';

/** Most secrets that are remembered for one agent; the oldest are forgotten. */
const most = 16;

/** The secrets of sign-ins, by `agentKey`, as long as this process runs: tokens that are over may still be quoted. */
export class KnownSecrets {
  readonly #all = new Map<string, readonly string[]>();
  readonly #learned = new WeakSet<KeptAgent>();
  readonly #onAdd: (secret: string) => void;

  /** @param onAdd called once for each secret of an agent */
  constructor(onAdd: (secret: string) => void = () => {}) {
    this.#onAdd = onAdd;
  }

  of(key: string): readonly string[] {
    return this.#all.get(key) ?? [];
  }

  add(key: string, secrets: readonly string[]): void {
    const known = this.of(key);
    const added = [...new Set(secrets)].filter(secret => secret !== '' && !known.includes(secret));
    if (added.length > 0) this.#all.set(key, [...known, ...added].slice(-most));
    for (const secret of added) this.#onAdd(secret);
  }

  /** Adds the secrets of an agent's sign-in; a sign-in that was read before is skipped. */
  learn(key: string, agent: KeptAgent): void {
    if (this.#learned.has(agent)) return;
    this.#learned.add(agent);
    this.add(
      key,
      Object.values(agent.identities).flatMap(({ credentials }) => credentials.flatMap(secretsIn)),
    );
  }
}

function secretsIn(credential: KeptCredential): readonly string[] {
  switch (credential.kind) {
    case 'apiKey':
      return [credential.value];
    case 'authorization': {
      if (!/^basic$/i.test(credential.type)) return [credential.value];
      const both = Buffer.from(credential.value, 'base64').toString('utf8');
      return [credential.value, both, both.slice(both.indexOf(':') + 1)];
    }
    case 'oauth': {
      const { accessToken, refreshToken, idToken, client } = credential.tokens;
      return [accessToken, refreshToken, idToken, client.secret].filter(secret => secret !== undefined);
    }
    case 'mtls':
      return [];
  }
}
