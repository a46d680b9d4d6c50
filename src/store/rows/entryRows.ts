import type { Message } from '../../protocol/message/message.ts';
import type { TaskStatus } from '../../protocol/message/task.ts';
import type { LocalizedMessage } from '../../protocol/problem.ts';
import type { AssistantCall, Delivery, Entry, GapEntry, StatusEntry } from '../../protocol/message/transcript.ts';
import { syntheticIdPrefix } from '../../protocol/versions/shared/readTask.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { ArtifactRows } from './artifactRows.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, decodeOptional, encode, encodeOptional } from '../texts/jsonText.ts';

interface EntryRow {
  readonly seq: number;
  readonly kind: Entry['kind'];
  readonly at: number;
  readonly delivery: Delivery | null;
  readonly outcome: string | null;
  readonly assistant: string | null;
  readonly exchange: string | null;
  readonly untimed: number;
  readonly body: string;
  readonly task_id: string | null;
  readonly artifact: number | null;
  readonly head: string | null;
  readonly complete: number | null;
  readonly chunks: number | null;
}

/** The facts of every new entry. */
export interface EntryFacts {
  /** Row ids. */
  readonly context: number;
  readonly task: number | undefined;
  readonly at: number;
  readonly exchangeId: string | undefined;
  readonly rev: number;
  readonly untimed?: boolean;
  readonly polled?: boolean;
}

/** Members of an entry that have columns of their own. */
interface Columns {
  readonly messageId?: string;
  readonly delivery?: Delivery;
  readonly owner?: string;
  readonly assistant?: AssistantCall;
}

/** A status as its entry keeps it. */
type ToldStatus = Omit<TaskStatus, 'state'> & Pick<StatusEntry, 'state' | 'metadata'>;

const columns = `e.seq, e.kind, e.at, e.delivery, e.outcome, e.assistant, e.exchange, e.untimed, e.body, t.task_id, a.id AS artifact, a.head, a.complete, a.chunks
  FROM entries e LEFT JOIN tasks t ON t.id = e.task LEFT JOIN artifacts a ON a.entry = e.seq`;

/** The table `entries`. Writes are called inside a transaction. */
export class EntryRows {
  readonly #artifacts: ArtifactRows;
  readonly #page: Query<EntryRow>;
  readonly #after: Query<EntryRow>;
  readonly #changed: Query<EntryRow>;
  readonly #bySeq: Query<EntryRow>;
  readonly #place: Query<{ key: string }>;
  readonly #ofTask: Query<{ kind: 'message' | 'status'; body: string }>;
  readonly #lastStatus: Query<{ seq: number; body: string }>;
  readonly #seqsOfTask: Query<{ seq: number }>;
  readonly #lastOfTask: Query<EntryRow>;
  readonly #gaps: Query<{ seq: number; body: string }>;
  readonly #byMessage: Query<{ seq: number; task: number | null }>;
  readonly #sending: Query<{ seq: number; key: string; owner: string | null }>;
  readonly #lastSent: Query<{ seq: number | null }>;
  readonly #ofAssistants: Query<{ assistant: string }>;
  readonly #insert: Query;
  readonly #setBody: Query;
  readonly #setTask: Query;
  readonly #setDelivery: Query;
  readonly #setExchange: Query;
  readonly #touch: Query;

  constructor(database: Database, artifacts: ArtifactRows) {
    this.#artifacts = artifacts;
    this.#page = database.prepare(`SELECT ${columns} WHERE e.context = ? AND e.seq < ? AND t.deleted IS NULL ORDER BY e.seq DESC LIMIT ?`);
    this.#after = database.prepare(`SELECT ${columns} WHERE e.context = ? AND e.seq > ? AND t.deleted IS NULL ORDER BY e.seq LIMIT ?`);
    this.#changed = database.prepare(`SELECT ${columns} WHERE e.context = ? AND e.rev > ? AND t.deleted IS NULL ORDER BY e.seq`);
    this.#bySeq = database.prepare(`SELECT ${columns} WHERE e.seq = ?`);
    this.#place = database.prepare('SELECT c.key FROM entries e JOIN contexts c ON c.id = e.context WHERE e.seq = ?');
    this.#ofTask = database.prepare(`SELECT kind, body FROM entries WHERE task = ? AND kind IN ('message', 'status') ORDER BY seq`);
    this.#lastStatus = database.prepare(`SELECT seq, body FROM entries WHERE task = ? AND kind = 'status' ORDER BY seq DESC LIMIT 1`);
    this.#seqsOfTask = database.prepare('SELECT seq FROM entries WHERE task = ? ORDER BY seq');
    this.#lastOfTask = database.prepare(`SELECT ${columns} WHERE e.seq = (SELECT max(seq) FROM entries WHERE task = ?)`);
    this.#gaps = database.prepare(`SELECT seq, body FROM entries WHERE task = ? AND kind = 'gap' ORDER BY seq`);
    this.#byMessage = database.prepare('SELECT seq, task FROM entries WHERE context = ? AND message_id = ? ORDER BY seq LIMIT 1');
    this.#sending = database.prepare(
      `SELECT e.seq, c.key, e.owner FROM entries e JOIN contexts c ON c.id = e.context WHERE e.delivery = 'sending' AND c.deleted IS NULL`,
    );
    this.#lastSent = database.prepare(`SELECT max(seq) AS seq FROM entries WHERE task = ? AND delivery = 'sent'`);
    this.#ofAssistants = database.prepare(
      'SELECT assistant FROM entries WHERE context = ? AND assistant IS NOT NULL AND task IS coalesce(?, task) ORDER BY seq DESC LIMIT 1',
    );
    this.#insert =
      database.prepare(`INSERT INTO entries (context, task, kind, at, message_id, delivery, owner, assistant, exchange, rev, untimed, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#setBody = database.prepare('UPDATE entries SET body = ?, rev = ? WHERE seq = ?');
    this.#setTask = database.prepare('UPDATE entries SET task = ?, rev = ? WHERE seq = ?');
    this.#setDelivery = database.prepare('UPDATE entries SET delivery = ?, outcome = ?, owner = NULL, rev = ? WHERE seq = ?');
    this.#setExchange = database.prepare('UPDATE entries SET exchange = coalesce(exchange, ?) WHERE seq = ?');
    this.#touch = database.prepare('UPDATE entries SET rev = ? WHERE seq = ?');
  }

  /** The newest entries before `before`, oldest first. */
  page(context: number, before: number | undefined, limit: number): Entry[] {
    return this.#page
      .all(context, before ?? Number.MAX_SAFE_INTEGER, limit)
      .reverse()
      .map(row => this.#entry(row));
  }

  /** The oldest entries after `after`, oldest first. */
  after(context: number, after: number, limit: number): Entry[] {
    return this.#after.all(context, after, limit).map(row => this.#entry(row));
  }

  changed(context: number, rev: number): Entry[] {
    return this.#changed.all(context, rev).map(row => this.#entry(row));
  }

  /** `enough`: an artifact's parts after so many code units may be left out. */
  bySeq(seq: number, enough?: number): Entry | undefined {
    const row = this.#bySeq.get(seq);
    return row && this.#entry(row, enough);
  }

  /** Key of the context to which the entry belongs. */
  contextOf(seq: number): string | undefined {
    return this.#place.get(seq)?.key;
  }

  /** The oldest `limit` entries of a task. `enough`: an artifact's parts after so many code units may be left out. */
  ofTask(task: number, limit: number, enough: number): Entry[] {
    return this.#seqsOfTask
      .all(task)
      .slice(0, limit)
      .flatMap(({ seq }) => this.bySeq(seq, enough) ?? []);
  }

  /** The messages of a task, in order and each once, without the message of its current status. */
  history(task: number): Message[] {
    const rows = this.#ofTask.all(task);
    const current = rows.findLast(row => row.kind === 'status' && decode<ToldStatus>(row.body).state !== 'LOST');
    const told = new Set<string | undefined>(current && [decode<TaskStatus>(current.body).message?.messageId]);
    return rows.flatMap(row => {
      const message = row.kind === 'message' ? decode<Message>(row.body) : decode<TaskStatus>(row.body).message;
      if (message === undefined || row === current) return [];
      if (message.messageId.startsWith(syntheticIdPrefix)) return [message];
      if (told.has(message.messageId)) return [];
      told.add(message.messageId);
      return [message];
    });
  }

  lastStatus(task: number): { readonly seq: number; readonly status: ToldStatus } | undefined {
    const row = this.#lastStatus.get(task);
    return row && { seq: row.seq, status: decode<ToldStatus>(row.body) };
  }

  lastOfTask(task: number): Entry | undefined {
    const row = this.#lastOfTask.get(task);
    return row && this.#entry(row);
  }

  /** Gaps of a task that are not filled. */
  openGaps(task: number): readonly { readonly seq: number; readonly body: object }[] {
    return this.#gaps
      .all(task)
      .map(({ seq, body }) => ({ seq, body: decode<Pick<GapEntry, 'reason' | 'filled'>>(body) }))
      .filter(({ body }) => body.filled !== true);
  }

  byMessage(context: number, messageId: string): { readonly seq: number; readonly task: number | null } | undefined {
    return this.#byMessage.get(context, encode(messageId));
  }

  /** The newest message that the person has sent into a task. */
  lastSent(task: number): number | undefined {
    return this.#lastSent.get(task)?.seq ?? undefined;
  }

  /** The newest call of a language model that sent a message in the context, or in one of its tasks. */
  assistantIn(context: number, task: number | undefined): AssistantCall | undefined {
    return decodeOptional<AssistantCall>(this.#ofAssistants.get(context, task ?? null)?.assistant ?? null);
  }

  /** Messages of which it is not yet known how far they got. */
  sending(): { readonly seq: number; readonly key: string; readonly owner: string | null }[] {
    return this.#sending.all();
  }

  insert(kind: Entry['kind'], facts: EntryFacts, body: unknown, own: Columns = {}): number {
    return Number(
      this.#insert.run(
        facts.context,
        facts.task ?? null,
        kind,
        facts.at,
        encodeOptional(own.messageId),
        own.delivery ?? null,
        own.owner ?? null,
        encodeOptional(own.assistant),
        facts.exchangeId ?? null,
        facts.rev,
        facts.untimed === true ? 1 : facts.polled === true ? 2 : 0,
        encode(body),
      ).lastInsertRowid,
    );
  }

  setBody(seq: number, body: unknown, rev: number): void {
    this.#setBody.run(encode(body), rev, seq);
  }

  setTask(seq: number, task: number, rev: number): void {
    this.#setTask.run(task, rev, seq);
  }

  setDelivery(seq: number, delivery: Delivery, rev: number, outcome?: LocalizedMessage): void {
    this.#setDelivery.run(delivery, encodeOptional(outcome), rev, seq);
  }

  /** Only the first exchange is kept. */
  setExchange(seq: number, exchangeId: string): void {
    this.#setExchange.run(exchangeId, seq);
  }

  /** Marks the entry as changed if its content is in other tables. */
  touch(seq: number, rev: number): void {
    this.#touch.run(rev, seq);
  }

  #entry(row: EntryRow, enough?: number): Entry {
    const facts = {
      seq: row.seq,
      at: row.at,
      untimed: row.untimed === 1 ? (true as const) : undefined,
      polled: row.untimed === 2 ? (true as const) : undefined,
      taskId: decodeOptional<string>(row.task_id),
      exchangeId: row.exchange ?? undefined,
    };
    if (row.kind === 'message') {
      return withoutUndefined({
        ...facts,
        kind: row.kind,
        message: decode<Message>(row.body),
        delivery: row.delivery ?? undefined,
        assistant: decodeOptional<AssistantCall>(row.assistant),
        outcome: decodeOptional<LocalizedMessage>(row.outcome),
      });
    }
    if (row.kind === 'artifact') {
      return withoutUndefined({
        ...facts,
        kind: row.kind,
        artifact: this.#artifacts.joined(row.artifact ?? 0, row.head ?? '{}', enough),
        complete: row.complete === 1,
        chunks: row.chunks ?? 0,
      });
    }
    // A status keeps members that only its agent knows. Our own facts come last, so that none of the agent's members replaces them.
    return withoutUndefined({ ...decode<object>(row.body), ...facts, kind: row.kind }) as Entry;
  }
}
