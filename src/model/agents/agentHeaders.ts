import { parseAddress } from '../../client/card/agentAddress.ts';
import { ConfiguredHeaders } from '../../client/http/configuredHeaders.ts';
import type { TlsMaterial } from '../../client/http/agentTls.ts';
import { hint, Problem, sentence } from '../../protocol/problem.ts';
import type { SecretDraw } from '../../request/resolve/usedValues.ts';
import { headerPieces, headersWithoutCredentials, type HeaderPiece } from '../../request/template/headerTemplate.ts';
import { secretVariable } from '../../request/template/variableNames.ts';
import type { AgentSettings, TlsSettings } from './agentSettings.ts';
import type { SecretOrigins } from './secretOrigins.ts';

/** Where `{{$secret NAME}}` and `{{$env NAME}}` in agents' settings take their values from. */
export interface AgentValueSources {
  env(name: string): string | undefined;
  secret(name: string): Promise<string | undefined>;
  /** Asks the person for a secret that is not set, and stores it. Absent where no prompt can be shown. */
  askForSecret?(name: string, agent: string): Promise<unknown>;
  /** Called with each value before it is sent, so that it is masked wherever else it appears. */
  onUse(header: string, value: string, secret: boolean): void;
  readonly origins: Pick<SecretOrigins, 'release'>;
  /** Reads a file that the settings of an agent name. Rejects with a `Problem`. */
  file(path: string, settings: Pick<AgentSettings, 'base' | 'ofWorkspace'>): Promise<Uint8Array>;
}

/** A secret of an agent's settings is not set. `secretName` is its name. */
class MissingSecretProblem extends Problem {
  readonly secretName: string;

  constructor(agent: string, name: string) {
    super('secret-missing', sentence('The agent "{0}" needs the secret {1}, which is not set.', agent, name), {
      nextStep: hint(sentence('Set it with "A2A: Set Secret…".', secretVariable(name)), 'Set the environment variable {0}.'),
    });
    this.name = 'MissingSecretProblem';
    this.secretName = name;
  }
}

/** The name of the secret that a `secret-missing` problem is about; undefined for any other error. */
export function missingSecretOf(error: unknown): string | undefined {
  return error instanceof Problem && error.code === 'secret-missing' && 'secretName' in error && typeof error.secretName === 'string'
    ? error.secretName
    : undefined;
}

/** Every origin to which the person's own settings send the headers of an agent, as `URL.origin` writes them. */
export function originsOfHeaders({ url, origins = [], interface: wanted }: AgentSettings): readonly string[] {
  return [...new Set([url, ...origins, ...(wanted?.url === undefined ? [] : [wanted.url])].flatMap(originIn))];
}

/** Undefined for text that is no address. */
function originIn(address: string): readonly string[] {
  try {
    return [parseAddress(address).origin];
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

type NamedPiece = Extract<HeaderPiece, { readonly name: string }>;

/** The headers of one agent. Their values are made for each request; nothing keeps them. */
export class AgentHeaders {
  readonly configured: ConfiguredHeaders;
  readonly #agent: string;
  readonly #own: boolean;
  readonly #headers: readonly (readonly [name: string, pieces: readonly HeaderPiece[]])[];
  readonly #sources: AgentValueSources | undefined;
  readonly #settings: AgentSettings;
  readonly #passphrase: readonly HeaderPiece[];

  constructor(agent: string, settings: AgentSettings, sources: AgentValueSources | undefined) {
    const { headers = {}, ofWorkspace = false, tls } = settings;
    this.#settings = settings;
    this.#passphrase = tls?.passphrase === undefined ? [] : headerPieces(tls.passphrase);
    this.#agent = agent;
    this.#own = !ofWorkspace;
    this.#headers = Object.entries(headers).map(([name, value]) => [name, headerPieces(value)]);
    this.#sources = sources;
    const certain = this.#headers.filter(([, pieces]) => pieces.some(({ kind }) => kind === 'secret')).map(([name]) => name);
    this.configured = new ConfiguredHeaders(Object.keys(headers), url => this.#valuesFor(url), {
      certain,
      templates: Object.fromEntries(
        this.#headers.flatMap(([name, pieces]) => {
          const used = namedIn(pieces).map(({ kind, name: value }) => `{{$${kind} ${value}}}`);
          return used.length === 0 ? [] : [[name.toLowerCase(), used.join(', ')] as const];
        }),
      ),
      ...(tls !== undefined && { tls: url => this.#tlsMaterial(tls, url) }),
    });
  }

  /** Headers without credentials, over the same TLS. Values of the others are not requested. */
  get withoutCredentials(): ConfiguredHeaders {
    const headers = headersWithoutCredentials(this.#settings.headers ?? {});
    return new AgentHeaders(this.#agent, { ...this.#settings, headers }, this.#sources).configured;
  }

  /**
   * Asks the person for secrets that are not set and, for an agent that a workspace defines, whether the values may go to its addresses.
   * What they refuse is refused when a request is sent. Rejects with defects alone.
   * @param urls every address that may have the headers; asked for where there is anything to ask about
   */
  async ask(urls: () => readonly string[]): Promise<void> {
    const sources = this.#sources;
    const named = [...this.#named, ...(this.#settings.tlsOfPerson === true ? [] : namedIn(this.#passphrase))];
    if (sources === undefined || named.length === 0) return;
    for (const name of new Set(named.filter(({ kind }) => kind === 'secret').map(each => each.name)))
      if ((await sources.secret(name)) === undefined) await sources.askForSecret?.(name, this.#agent);
    if (this.#own) return;
    try {
      await this.#release(await this.#drawn(named), urls(), false);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  get #named(): readonly NamedPiece[] {
    return this.#headers.flatMap(([, pieces]) => namedIn(pieces));
  }

  async #valuesFor(url: URL): Promise<Readonly<Record<string, string>>> {
    const drawn = this.#named.length === 0 ? new Map<string, SecretDraw>() : await this.#drawn(this.#named);
    if (drawn.size > 0) await this.#release(drawn, [url.href], true);
    return Object.fromEntries(
      this.#headers.map(([header, pieces]) => {
        const value = filled(pieces, drawn);
        if (drawn.size > 0) this.#sources?.onUse(header, value, false);
        return [header, value];
      }),
    );
  }

  /**
   * The values of all templates. Rejects with a `Problem` where one has none.
   * @param secret whatever they are for is secret; otherwise those of the environment may be any words
   */
  async #drawn(named: readonly NamedPiece[], secret = false): Promise<ReadonlyMap<string, SecretDraw>> {
    const drawn = new Map<string, SecretDraw>();
    for (const piece of named) {
      const { kind, name } = piece;
      const value = kind === 'env' ? this.#sources?.env(name) : await this.#sources?.secret(name);
      if (value === undefined || value === '')
        throw kind === 'secret' ? new MissingSecretProblem(this.#agent, name) : noVariable(this.#agent, name);
      if (secret || kind === 'secret') this.#sources?.onUse(name, value, true);
      drawn.set(keyOf(piece), { kind: 'secret', key: keyOf(piece), name: kind === 'env' ? `$env ${name}` : name, value });
    }
    return drawn;
  }

  /** Files and passphrase for one connection. Rejects with a `Problem`. */
  async #tlsMaterial({ certificate, key, pfx, ca, rejectUnauthorized }: TlsSettings, url: URL): Promise<TlsMaterial> {
    const read = async (path: string | undefined): Promise<Uint8Array | undefined> =>
      path === undefined ? undefined : this.#sources?.file(path, this.#settings);
    const drawn = await this.#drawn(namedIn(this.#passphrase), true);
    if (drawn.size > 0 && this.#settings.tlsOfPerson !== true) await this.#release(drawn, [url.href], true);
    const [certificateBytes, keyBytes, pfxBytes, caBytes] = await Promise.all([certificate, key, pfx, ca].map(read));
    return {
      ...(certificateBytes && { certificate: certificateBytes }),
      ...(keyBytes && { key: keyBytes }),
      ...(pfxBytes && { pfx: pfxBytes }),
      ...(caBytes && { ca: caBytes }),
      ...(this.#passphrase.length > 0 && { passphrase: filled(this.#passphrase, drawn) }),
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    };
  }

  async #release(secrets: ReadonlyMap<string, SecretDraw>, urls: readonly string[], quiet: boolean): Promise<void> {
    await this.#sources?.origins.release({ secrets, answers: false }, undefined, {
      agent: this.#agent,
      urls,
      chosenByAnswer: false,
      ownAgent: this.#own,
      quiet,
    });
  }
}

const namedIn = (pieces: readonly HeaderPiece[]): readonly NamedPiece[] => pieces.filter((piece): piece is NamedPiece => 'name' in piece);

/** The text that the pieces make. */
const filled = (pieces: readonly HeaderPiece[], drawn: ReadonlyMap<string, SecretDraw>): string =>
  pieces
    .map(piece => ('name' in piece ? String(drawn.get(keyOf(piece))?.value) : piece.kind === 'other' ? `{{${piece.text}}}` : piece.text))
    .join('');

/** As the keys of request files' secrets (`fill.ts`): one secret is the same, wherever it is used. */
const keyOf = ({ kind, name }: NamedPiece): string => `${kind} ${name}`;

const noVariable = (agent: string, name: string): Problem =>
  new Problem('variable-missing', sentence('The agent "{0}" needs the environment variable {1}, which is not set.', agent, name), {
    nextStep: hint(
      sentence('Set it in the environment in which VS Code is started, and restart VS Code.'),
      'Set it and run the command again.',
    ),
  });
