import * as z from 'zod';
import { originsOfHeaders } from '../../model/agents/agentHeaders.ts';
import type { AgentSettings } from '../../model/agents/agentSettings.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isYes, type AskUser } from './ask.ts';
import { quoted, type Output } from './output.ts';

/** Storage for the permissions, as one JSON text. */
interface AllowanceStore {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Permissions by origin: names of variables, and `credentials` for sign-ins. */
const Kept = z.object({ version: z.literal(1), allowed: z.record(z.string(), z.array(z.string())) });

/** Maximum number of entries of one origin, and of origins: the oldest go. */
const most = { entries: 200, origins: 1000 };

/** Entry for credentials that the person types or keeps, which have no variable. */
const credentials = 'your credentials';

interface FolderAllowanceOptions {
  /** Origins that the command line allows, as `URL.origin` writes them. */
  readonly allowed: readonly string[];
  /** Undefined where there is no terminal. */
  readonly ask: AskUser | undefined;
  readonly store: AllowanceStore;
}

/**
 * Permission for values of the person to go to agents that the settings of a folder define: the author of the folder chose their addresses and
 * what they get, not the person, who is asked once for each value and origin.
 */
export class FolderAllowance {
  readonly #options: FolderAllowanceOptions;
  readonly #allowed: ReadonlySet<string>;

  constructor(options: FolderAllowanceOptions) {
    this.#options = options;
    this.#allowed = new Set(options.allowed);
  }

  /** Rejects with a `Problem` `folder-values` where the values of these environment variables may not go to one of the addresses. */
  async require(variables: readonly string[], urls: readonly string[], agent: string): Promise<void> {
    for (const origin of new Set(urls.map(url => new URL(url).origin)))
      if (!(await this.#allows(origin, variables, ({ list }) => `The settings of this folder send ${list} to ${origin} for "${agent}".`)))
        throw refused(variables.join(', '), origin);
  }

  /** The same for what the person types to sign in at an agent, or what they keep for that. */
  async requireSignIn(url: string, agent: string): Promise<void> {
    const { origin } = new URL(url);
    if (
      !(await this.#allows(
        origin,
        [credentials],
        () => `The settings of this folder say that "${agent}" is at ${origin}. It gets your credentials.`,
      ))
    )
      throw refused(credentials, origin);
  }

  /** The further origins for requests and their headers in the settings, as far as the person allows them. */
  async origins(wanted: readonly string[], { name, url }: { readonly name: string; readonly url: string }): Promise<readonly string[]> {
    const allowed: string[] = [];
    for (const origin of wanted)
      if (
        await this.#allows(
          origin,
          [`requests for ${url}`],
          () => `The settings of this folder let "${name}" (${url}) have requests sent to ${origin}, with all that they carry.`,
        )
      )
        allowed.push(origin);
    return allowed;
  }

  async #allows(origin: string, what: readonly string[], said: (of: { readonly list: string }) => string): Promise<boolean> {
    if (this.#allowed.has(origin)) return true;
    const known = (await this.#read()).allowed[origin] ?? [];
    const unknown = what.filter(each => !known.includes(each));
    if (unknown.length === 0) return true;
    const { ask } = this.#options;
    if (ask === undefined || !(await isYes(ask, `${said({ list: unknown.join(', ') })} Allow it, here and from now on?`))) return false;
    await this.#keep(origin, unknown);
    return true;
  }

  async #read(): Promise<z.infer<typeof Kept>> {
    const text = await this.#options.store.read();
    const none = { version: 1 as const, allowed: {} };
    if (text === undefined) return none;
    try {
      const read = Kept.safeParse(JSON.parse(text));
      return read.success ? read.data : none;
    } catch (error) {
      if (error instanceof SyntaxError) return none;
      throw error;
    }
  }

  #keep(origin: string, what: readonly string[]): Promise<void> {
    return this.#options.store.exclusively(async () => {
      const { [origin]: known = [], ...others } = (await this.#read()).allowed;
      const entries = [...Object.entries(others), [origin, [...new Set([...known, ...what])].slice(-most.entries)]].slice(-most.origins);
      await this.#options.store.write(JSON.stringify({ version: 1, allowed: Object.fromEntries(entries) as object }));
    });
  }
}

const refused = (what: string, origin: string): Problem =>
  new Problem(
    'folder-values',
    sentence('The settings of this folder would send {0} to {1}, and you have not allowed that. Nothing was sent.', what, origin),
    { nextStep: sentence('If you trust that address, run it with --allow-origin {0}, or run it in a terminal and say yes.', origin) },
  );

/** The settings of an agent; of one that a folder defines, without the further origins that the person does not allow, of which it warns. */
export async function allowedSettings(
  name: string,
  settings: AgentSettings,
  { allowance, output }: { readonly allowance: FolderAllowance; readonly output: Output },
): Promise<AgentSettings> {
  const { url, interface: wanted, ofWorkspace } = settings;
  if (ofWorkspace !== true) return settings;
  const own = originsOfHeaders({ url });
  const further = originsOfHeaders(settings).filter(origin => !own.includes(origin));
  if (further.length === 0) return settings;
  const allowed = await allowance.origins(further, { name, url });
  const refused = further.filter(origin => !allowed.includes(origin));
  if (refused.length > 0)
    output.printError(
      quoted(
        `warning: the settings of this folder let "${name}" have requests sent to ${refused.join(', ')}, which you have not allowed: nothing is sent there. If you trust it, allow it with --allow-origin.`,
      ),
    );
  const isAllowed = wanted?.url === undefined || originsOfHeaders({ url: wanted.url }).every(origin => !refused.includes(origin));
  const { url: _, ...others } = wanted ?? {};
  return { ...settings, origins: allowed, ...(wanted !== undefined && { interface: isAllowed ? wanted : others }) };
}
