import { originOf } from '../../protocol/card/agentOrigin.ts';
import type { ContextRows } from './contextRows.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, encode } from '../texts/jsonText.ts';

/** The place of agents that the person has defined: in their own settings, or by starting them here. */
export const ownPlace = 'user';

/** The place of agents that no settings define: their contexts were imported from a file. */
const importedPlace = 'import';

/** An agent as it is defined somewhere. */
export interface AgentClaim {
  readonly name: string;
  /** {@link ownPlace}, or the address of the workspace or folder whose settings have it. */
  readonly place: string;
  /** The name of the place for people. */
  readonly label: string;
  /** Every origin at which it may be asked, as `originOf` writes them. */
  readonly origins: readonly string[];
}

interface Row {
  readonly agent: string;
  readonly name: string;
  readonly place: string;
  readonly label: string;
  readonly origins: readonly string[];
  readonly claimed: number;
}

type RawRow = Readonly<Record<'agent' | 'name' | 'place' | 'label' | 'origins', string>> & { readonly claimed: number };

/** Most origins that are remembered of an agent; the oldest are forgotten first. */
const maxOrigins = 200;
/** How many contexts, the newest, are searched for the origin of an agent that has none on record. */
const fewContexts = 200;
/** The exactness of the times of claims, in milliseconds. */
const day = 24 * 60 * 60_000;
/** An agent without contexts is forgotten after no window has had it for so long, in milliseconds. */
const lifetime = 30 * day;

/**
 * Which agent a context belongs to. A name is not enough: any repository may define an agent with the name of one that the person has, at
 * another address, and would see that agent's contexts and be asked about its tasks.
 *
 * An agent is the same as before if its name is the same and
 * - it is the person's own, whatever its address: who moves an agent to another port keeps its history, and the new origin is remembered; or
 * - the same workspace defines it that defined it first; or
 * - every origin at which it may be asked is one that the agent of that name had: a workspace may give the person's agent other headers.
 *
 * Any other agent of that name gets a history of its own, under the name followed by the workspace's name in brackets. The person's own agents
 * always have their plain names: an agent of a workspace that had the name before is renamed.
 */
export class AgentIdentities {
  readonly #database: Database;
  readonly #contexts: ContextRows;
  readonly #byAgent: Query<RawRow>;
  readonly #byName: Query<RawRow>;
  readonly #put: Query;
  readonly #delete: Query;
  readonly #known: Query<{ one: number }>;
  readonly #addresses: Query<{ url: string | null }>;
  readonly #sweep: Query;

  constructor(database: Database, contexts: ContextRows) {
    this.#database = database;
    this.#contexts = contexts;
    const listed = 'title IS NOT NULL AND deleted IS NULL';
    this.#byAgent = database.prepare('SELECT agent, name, place, label, origins, claimed FROM agents WHERE agent = ?');
    this.#byName = database.prepare('SELECT agent, name, place, label, origins, claimed FROM agents WHERE name = ?');
    this.#put = database.prepare(`INSERT INTO agents (agent, name, place, label, origins, claimed) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (agent) DO UPDATE SET name = excluded.name, place = excluded.place, label = excluded.label, origins = excluded.origins, claimed = excluded.claimed`);
    this.#delete = database.prepare('DELETE FROM agents WHERE agent = ?');
    this.#known = database.prepare(`SELECT 1 AS one FROM contexts WHERE agent = ? AND ${listed} LIMIT 1`);
    this.#addresses =
      database.prepare(`SELECT (SELECT body ->> '$.request.url' FROM exchanges WHERE context = c.id AND body ->> '$.received' IS NULL ORDER BY id DESC LIMIT 1) AS url
      FROM contexts c WHERE agent = ? AND ${listed} AND pinned IN (0, 1) ORDER BY pinned DESC, updated DESC LIMIT ${fewContexts}`);
    this.#sweep = database.prepare(
      `DELETE FROM agents WHERE claimed < ? AND NOT EXISTS (SELECT 1 FROM contexts c WHERE c.agent = agents.agent AND ${listed})`,
    );
  }

  /** The name of an agent in the history; it is remembered from then on. Call it for the person's own agents first. Throws a `Problem`. */
  claim(claim: AgentClaim, at: number): string {
    const settled = this.#database.read(() => this.#rowOf(claim));
    if (settled !== undefined && isSettled(settled, claim, at)) return settled.agent;
    return this.#database.write(() => {
      const row = this.#rowOf(claim) ?? this.#newRow(claim, at);
      if (!isSettled(row, claim, at))
        this.#write({
          ...row,
          ...(isOf(row, claim) && { place: claim.place, label: claim.label, origins: joined(row.origins, claim.origins) }),
          claimed: at,
        });
      return row.agent;
    });
  }

  /**
   * The name here for an agent of an imported file: that of the agent which has the name and was asked at all of these origins. If there is
   * none, or the file names no origin, the agent is kept apart under the name followed by the label in brackets. Call it inside a transaction.
   * Throws a `Problem`.
   */
  ofImport(name: string, origins: readonly string[], label: string, at: number): string {
    const wanted = /^https?:\/\//i.test(name) && URL.canParse(name) ? joined([originOf(new URL(name))], origins) : origins;
    const written = this.#get(name) === undefined ? this.#unwritten(name, at) : undefined;
    if (written !== undefined) this.#write(written);
    const rows = this.#byName
      .all(encode(name))
      .map(read)
      .toSorted((one, other) => rank(one) - rank(other));
    const known =
      rows.find(row => covers(row.origins, wanted)) ??
      (wanted.length > 0 ? undefined : rows.find(row => row.place === importedPlace && row.origins.length === 0));
    if (known !== undefined) return known.agent;
    const agent = this.#isFree(name) ? name : this.#freeName(`${name} (${label})`);
    this.#write({ agent, name, place: importedPlace, label, origins: joined([], wanted), claimed: at });
    return agent;
  }

  /** The origins at which the agent was asked, as far as they are known. Throws a `Problem`. */
  originsOf(agent: string): readonly string[] {
    return this.#get(agent)?.origins ?? [];
  }

  /** The person has allowed origins for this agent. Throws a `Problem`. */
  join(agent: string, origins: readonly string[]): void {
    this.#database.write(() => {
      const row = this.#get(agent);
      if (row !== undefined && !covers(row.origins, origins)) this.#write({ ...row, origins: joined(row.origins, origins) });
    });
  }

  /** Renames an agent with its contexts. If the other name has a history already, the two are merged. Throws a `Problem`. */
  rename(from: string, to: string): void {
    this.#database.write(() => this.#rename(from, to, to));
  }

  /** Forgets agents without contexts that no window has had for long. */
  sweep(at: number): void {
    this.#database.write(() => this.#sweep.run(at - lifetime));
  }

  /** The agent's row; undefined if there is none. */
  #rowOf(claim: AgentClaim): Row | undefined {
    if (claim.place === ownPlace) {
      const row = this.#get(claim.name);
      return row !== undefined && isOf(row, claim) ? row : undefined;
    }
    const rows = this.#byName.all(encode(claim.name)).map(read);
    return (
      rows.find(row => row.place === claim.place) ??
      rows.toSorted((one, other) => rank(one) - rank(other)).find(row => covers(row.origins, claim.origins))
    );
  }

  #newRow(claim: AgentClaim, at: number): Row {
    const { name, place, label, origins } = claim;
    const plain: Row = { agent: name, name, place, label, origins, claimed: at };
    if (place === ownPlace) {
      const other = this.#get(name);
      if (other !== undefined) this.#rename(name, this.#freeName(`${other.name} (${other.label})`), other.name);
      this.#write(plain);
      return plain;
    }
    const before = this.#get(name) === undefined ? this.#unwritten(name, at) : undefined;
    if (before !== undefined) this.#write(before);
    if (before !== undefined && covers(before.origins, origins)) return before;
    const row = this.#isFree(name) ? plain : { ...plain, agent: this.#freeName(`${name} (${label})`) };
    this.#write(row);
    return row;
  }

  /** Agents of the history that have no row: those of an earlier version, or an agent that is named by its address. */
  #unwritten(name: string, at: number): Row | undefined {
    const own = /^https?:\/\//i.test(name) && URL.canParse(name) ? [originOf(new URL(name))] : [];
    const urls = this.#addresses
      .all(encode(name))
      .flatMap(({ url }) => (url !== null && URL.canParse(url) ? [originOf(new URL(url))] : []));
    if (own.length === 0 && urls.length === 0 && this.#known.get(encode(name)) === undefined) return undefined;
    return { agent: name, name, place: own.length > 0 ? ownPlace : '', label: '', origins: joined([], [...own, ...urls]), claimed: at };
  }

  #rename(from: string, to: string, name: string): void {
    const [row, other] = [this.#get(from), this.#get(to)];
    this.#contexts.rename(from, to);
    this.#delete.run(encode(from));
    if (row !== undefined)
      this.#write({ ...(other ?? row), agent: to, name: other?.name ?? name, origins: joined(row.origins, other?.origins ?? []) });
  }

  #isFree(agent: string): boolean {
    return this.#get(agent) === undefined && this.#known.get(encode(agent)) === undefined;
  }

  #freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; !this.#isFree(name); number++) name = `${wanted} ${number}`;
    return name;
  }

  #get(agent: string): Row | undefined {
    const row = this.#byAgent.get(encode(agent));
    return row && read(row);
  }

  #write({ agent, name, place, label, origins, claimed }: Row): void {
    this.#put.run(encode(agent), encode(name), place, encode(label), JSON.stringify(origins), claimed);
  }
}

const read = (row: RawRow): Row => ({
  ...row,
  agent: decode(row.agent),
  name: decode(row.name),
  label: decode(row.label),
  origins: JSON.parse(row.origins) as readonly string[],
});

/** The person's own first, then those of workspaces. */
const rank = ({ place }: Row): number => (place === ownPlace ? 0 : 1);

const covers = (had: readonly string[], has: readonly string[]): boolean => has.length > 0 && has.every(origin => had.includes(origin));

/**
 * New origins of an agent are added only if the same place defines it as before. The person's own agent also takes over a row without a known
 * place, and a row with the same origins: the person may have moved the agent from a workspace's settings to their own.
 */
const isOf = (row: Row, { place, name, origins }: AgentClaim): boolean =>
  row.place === place || (place === ownPlace && row.name === name && (row.place === '' || covers(row.origins, origins)));

const isSettled = (row: Row, claim: AgentClaim, at: number): boolean =>
  (row.place === claim.place || !isOf(row, claim)) && covers(row.origins, claim.origins) && Math.abs(at - row.claimed) < day;

const joined = (had: readonly string[], has: readonly string[]): readonly string[] =>
  [...new Set([...has.toReversed(), ...had.toReversed()])].slice(0, maxOrigins).toReversed();
