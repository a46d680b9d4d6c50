import { exactJson } from '../../protocol/json/exactJson.ts';
import { originOf } from '../../protocol/card/agentOrigin.ts';
import type { Exchange, Frame } from '../../protocol/exchange.ts';
import { isShallow, maxNesting } from '../../protocol/json/depth.ts';
import { holdsMoreValues } from '../../protocol/json/valueCount.ts';
import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import type { AgentIdentities } from '../rows/agentIdentities.ts';
import { boundedLines, type LineBounds } from '../texts/boundedLines.ts';
import type { Rows } from '../rows/changeWriter.ts';
import type { ArtifactRevision } from '../rows/artifactRevisions.ts';
import type { ContextArtifacts } from '../lists/contextArtifacts.ts';
import type { Database, Query } from '../database/database.ts';
import type { ExchangeRows } from '../rows/exchangeRows.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import { HistoryRecord, recordFormat, recordHead, recordVersion } from './historyRecord.ts';
import { encode, encodeOptional } from '../texts/jsonText.ts';

/**
 * Longest lines that are read, in bytes. One task is one line, with the exchanges that the person wanted: an exported one may be longer than
 * any other, and is recognized by how it begins.
 */
const exported = { head: recordHead, longest: 256 * 2 ** 20 };
const bounds: LineBounds = { longest: 32 * 2 ** 20, marked: exported };
/** Lines of this history itself are never left out. */
const unbounded: LineBounds = { longest: Number.POSITIVE_INFINITY };
/** Most JSON values of one line, counted before it is parsed: the history of one task has more than a message may have. */
const maxValues = 4_000_000;
/** Most unreadable lines that are described; the others are counted. */
const maxProblems = 100;

export interface ImportOutcome {
  /** Tasks that were added. */
  readonly added: number;
  /** Tasks that were there already and were not changed. */
  readonly known: number;
  /** Entries outside tasks that were added. */
  readonly entries: number;
  /** Lines that could not be read. */
  readonly failed: number;
  readonly problems: readonly { readonly line: number; readonly problem: Problem }[];
}

/** Imports lines that `HistoryExport` wrote, of this history or another one. */
export class HistoryImport {
  readonly #database: Database;
  readonly #rows: Rows;
  readonly #exchanges: ExchangeRows;
  readonly #artifacts: ContextArtifacts;
  readonly #context: Query<{ id: number; deleted: number | null }>;
  readonly #restoreContext: Query;
  readonly #restoreTasks: Query;
  readonly #restoreTask: Query;
  readonly #putContext: Query;
  readonly #putTask: Query;
  readonly #loose: Query<{ kind: string; at: number; body: string }>;
  readonly #identities: AgentIdentities;

  constructor(database: Database, rows: Rows, exchanges: ExchangeRows, artifacts: ContextArtifacts, identities: AgentIdentities) {
    this.#identities = identities;
    this.#database = database;
    this.#artifacts = artifacts;
    this.#rows = rows;
    this.#exchanges = exchanges;
    this.#context = database.prepare('SELECT id, deleted FROM contexts WHERE key = ?');
    this.#restoreContext = database.prepare('UPDATE contexts SET deleted = NULL WHERE id = ?');
    this.#restoreTasks = database.prepare('UPDATE tasks SET deleted = NULL WHERE context = ? AND deleted = ?');
    this.#restoreTask = database.prepare('UPDATE tasks SET deleted = NULL WHERE id = ?');
    this.#putContext = database.prepare(`INSERT INTO contexts (key, agent, context_id, title, own_title, pinned, created, updated, made_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#putTask = database.prepare(`INSERT INTO tasks
      (context, agent, made_by, task_id, context_id, state, status, metadata, title, own_title, pinned, findings, created, updated, imported)
      VALUES (?1, (SELECT agent FROM contexts WHERE id = ?1), (SELECT made_by FROM contexts WHERE id = ?1), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#loose = database.prepare('SELECT kind, at, body FROM entries WHERE context = ? AND task IS NULL');
  }

  /**
   * Nothing is added twice: contexts are matched by their key, tasks by their context and id. A task that is there already is not changed,
   * except that it gets verdicts if it has none; one that was deleted and can still be restored is restored. A line is imported completely or
   * not at all; a bad line does not stop the others. Contexts belong to the agent of the name and the origins in the line, see
   * `AgentIdentities.ofImport`. Throws a `Problem` if the history cannot be written; the lines before are imported then.
   * @param label put in brackets after an agent's name that belongs to another agent here; without a label names are taken as they are, as for
   * this history's own lines, which have no bounds either: a recovery loses nothing to them.
   */
  async lines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, at: number, label?: string): Promise<ImportOutcome> {
    const outcome = { added: 0, known: 0, entries: 0, failed: 0, problems: [] as { line: number; problem: Problem }[] };
    const most = label === undefined ? Number.POSITIVE_INFINITY : maxValues;
    for await (const { number, text } of boundedLines(chunks, label === undefined ? unbounded : bounds)) {
      if (text?.trim() === '') continue;
      const record = text === undefined ? tooLong() : readRecord(text, most);
      if (record instanceof Problem) {
        outcome.failed++;
        if (outcome.problems.length < maxProblems) outcome.problems.push({ line: number, problem: record });
        continue;
      }
      const { task, entries } = await this.#database.writes.patiently(() => this.#database.write(() => this.#put(record, at, label)));
      if (task !== undefined) outcome[task]++;
      outcome.entries += entries;
    }
    return outcome;
  }

  #put(record: HistoryRecord, at: number, label: string | undefined): { readonly task?: 'added' | 'known'; readonly entries: number } {
    const context = this.#putContextOf(record, at, label);
    if (record.task === undefined) return { entries: this.#putLoose(context, record) };
    const { task } = record.task;
    const known = this.#rows.tasks.row(context, task.id);
    if (known !== undefined) {
      this.#restoreTask.run(known.id);
      this.#putVerdicts(known.id, record);
      return { task: 'known', entries: 0 };
    }
    const row = this.#putTaskOf(context, record.task, record.entries as readonly Entry[], at);
    this.#putVerdicts(row, record);
    this.#putWire(context, record);
    return { task: 'added', entries: 0 };
  }

  #putContextOf(record: HistoryRecord, at: number, label: string | undefined): number {
    const { agent, context } = record;
    const known = this.#context.get(context.key);
    if (known !== undefined) {
      if (known.deleted !== null) {
        this.#restoreContext.run(known.id);
        this.#restoreTasks.run(known.id, known.deleted);
      }
      return known.id;
    }
    return Number(
      this.#putContext.run(
        context.key,
        encode(label === undefined ? agent : this.#identities.ofImport(agent, originsIn(record), label, at)),
        encodeOptional(context.contextId),
        encode(context.title ?? ''),
        encodeOptional(context.ownTitle),
        context.pinned === true ? 1 : 0,
        context.createdAt,
        context.updatedAt,
        context.madeBy ?? 'person',
      ).lastInsertRowid,
    );
  }

  #putTaskOf(context: number, record: NonNullable<HistoryRecord['task']>, entries: readonly Entry[], at: number): number {
    const { task } = record;
    const last = entries.findLast(entry => entry.kind === 'status');
    const row = Number(
      this.#putTask.run(
        context,
        encode(task.id),
        encodeOptional(task.contextId),
        last?.state === 'LOST' ? last.state : task.status.state,
        encode(task.status),
        encodeOptional(task.metadata),
        encodeOptional(record.title),
        encodeOptional(record.ownTitle),
        record.pinned === true ? 1 : 0,
        encodeOptional(record.findings),
        record.createdAt,
        record.updatedAt,
        at,
      ).lastInsertRowid,
    );
    const asTheyCame = new Map(task.artifacts?.map(artifact => [artifact.artifactId, artifact]));
    const newest = new Map(entries.flatMap(entry => (entry.kind === 'artifact' ? [[entry.artifact.artifactId, entry]] : [])));
    for (const entry of entries) {
      const seq = this.#putEntry(context, row, entry);
      if (entry.kind !== 'artifact') continue;
      const {
        artifact,
        complete,
        chunks,
        revision,
        revisions = [],
      } = entry as Extract<HistoryRecord['entries'][number], { kind: 'artifact' }>;
      const { artifactId } = artifact;
      const isNewest = newest.get(artifactId) === entry;
      const id = this.#rows.artifacts.insert(row, seq, (isNewest && asTheyCame.get(artifactId)) || artifact, complete, chunks);
      if (revision !== undefined) this.#rows.artifacts.restoreRevisions(id, revision, revisions as readonly ArtifactRevision[]);
      if (!isNewest) this.#rows.artifacts.leave(id);
    }
    for (const artifactId of newest.keys()) if (!asTheyCame.has(artifactId)) this.#rows.artifacts.remove(row, artifactId);
    return row;
  }

  /** A verdict of the person here is kept. If only one of two files has verdicts, their order makes no difference. */
  #putVerdicts(task: number, { entries }: HistoryRecord): void {
    const turns = new Map<string, number>();
    for (const entry of entries) {
      if (entry.kind !== 'artifact') continue;
      const { artifactId } = entry.artifact;
      const turn = turns.get(artifactId) ?? 0;
      turns.set(artifactId, turn + 1);
      if (entry.verdict !== undefined) this.#artifacts.adopt(task, artifactId, turn, entry.verdict);
    }
  }

  /** Leaves out what the context has already: the same words at the same time, or the same message id. */
  #putLoose(context: number, record: HistoryRecord): number {
    const keyOf = (kind: string, at: number, body: string): string => `${kind} ${at} ${body}`;
    const there = new Set(this.#loose.all(context).map(row => keyOf(row.kind, row.at, row.body)));
    let put = 0;
    for (const entry of record.entries as readonly Entry[]) {
      if (entry.kind === 'artifact' || there.has(keyOf(entry.kind, entry.at, encode(bodyOf(entry))))) continue;
      if (
        entry.kind === 'message' &&
        !entry.message.messageId.startsWith(syntheticIdPrefix) &&
        this.#rows.entries.byMessage(context, entry.message.messageId) !== undefined
      )
        continue;
      this.#putEntry(context, undefined, entry);
      put++;
    }
    if (put > 0) this.#putWire(context, record);
    return put;
  }

  #putEntry(context: number, task: number | undefined, entry: Entry): number {
    const messageId = entry.kind === 'message' || entry.kind === 'status' ? entry.message?.messageId : undefined;
    // No process here is sending it.
    const delivery = entry.kind !== 'message' ? undefined : entry.delivery === 'sending' ? 'unknown' : entry.delivery;
    const rev = this.#rows.contexts.touch(context, 0);
    const seq = this.#rows.entries.insert(
      entry.kind,
      { context, task, at: entry.at, exchangeId: entry.exchangeId, rev, untimed: entry.untimed === true, polled: entry.polled === true },
      bodyOf(entry),
      withoutUndefined({ messageId, delivery, assistant: entry.kind === 'message' ? entry.assistant : undefined }),
    );
    if (delivery !== undefined && entry.kind === 'message') this.#rows.entries.setDelivery(seq, delivery, rev, entry.outcome);
    return seq;
  }

  #putWire(context: number, { exchanges = [] }: HistoryRecord): void {
    for (const { exchange, frames } of exchanges as readonly { readonly exchange: Exchange; readonly frames: readonly Frame[] }[]) {
      if (this.#exchanges.get(exchange.id) === undefined) {
        this.#exchanges.putWire(context, { exchanges: [exchange], frames: new Map([[exchange.id, frames]]) });
      }
    }
  }
}

/** The origins at which the agent was asked; a file of an earlier version has them only in its exchanges. */
function originsIn({ origins, exchanges = [] }: HistoryRecord): readonly string[] {
  const urls = origins ?? exchanges.map(({ exchange }) => exchange.request.url);
  return [...new Set(urls.filter(url => URL.canParse(url)).map(url => originOf(new URL(url))))];
}

/** The value of the column: members that have columns of their own are left out. */
function bodyOf(entry: Entry): object {
  if (entry.kind === 'message') return entry.message;
  if (entry.kind === 'artifact') return {};
  const { seq: _seq, at: _at, untimed: _untimed, polled: _polled, taskId: _taskId, exchangeId: _exchangeId, kind: _kind, ...body } = entry;
  return body;
}

/** @param most values that are read. */
function readRecord(text: string, most: number): HistoryRecord | Problem {
  if (holdsMoreValues(text, most)) return unreadable(sentence('The line exceeds the limit of {0} values.', most));
  let value: unknown;
  try {
    value = exactJson(text);
  } catch (error) {
    return unreadable(sentence('The line is not JSON.'), error instanceof Error ? error.message : undefined);
  }
  if (!isShallow(value)) return unreadable(sentence('The line exceeds the limit of {0} nesting levels.', maxNesting));
  const { format, version } = (value ?? {}) as { format?: unknown; version?: unknown };
  if (format !== recordFormat) return unreadable(sentence('The line is not part of an exported history.'));
  if (typeof version === 'number' && version > recordVersion) {
    return new Problem('import-newer', sentence('The line was written by a newer version of A2A Workbench.'), {
      nextStep: sentence('Update A2A Workbench.'),
    });
  }
  const read = HistoryRecord.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return unreadable(
      sentence('The line is not in the format of an exported history.'),
      issue && `/${issue.path.join('/')}: ${issue.message}`,
    );
  }
  // The original and not the parsed value: members that only the agent knows are kept.
  return value as HistoryRecord;
}

const unreadable = (what: LocalizedMessage, details?: string): Problem =>
  new Problem('import-unreadable', what, {
    nextStep: sentence('Export it again, and import that.'),
    details,
  });

const tooLong = (): Problem =>
  unreadable(
    sentence(
      'The line exceeds the limit of {0} MB, or of {1} MB for an exported task.',
      bounds.longest / 2 ** 20,
      exported.longest / 2 ** 20,
    ),
  );
