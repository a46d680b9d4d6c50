import type { Exchange, ExchangeSummary, Frame, ReceivedFacts, ReceivedSummary } from '../../protocol/exchange.ts';
import { type Finding, maxFindings } from '../../protocol/finding.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { Database, Query } from '../database/database.ts';
import type { FrameRows } from './frameRows.ts';
import { decode, decodeOptional, encode, encodeOptional } from '../texts/jsonText.ts';
import { type AnswerColumns, LongAnswers } from '../texts/longAnswers.ts';
import type { TaskWire } from './taskSizes.ts';

/** Most exchanges outside any context (card fetches) that are kept. */
const keptOutside = 200;
/** Most push notifications of a task that its timeline shows, the first, and how much of each, in characters. */
const maxReceived = 500;
const receivedBody = 2_000;
/** Most exchanges of one context that are listed with their findings, the newest. */
const maxDeviant = 500;
/** Most exchanges with findings of an agent in which one that is not disputed is looked for. */
const maxDisputed = 500;

/** Exchanges as far as they are known, and frames of these or of earlier ones by exchange id. */
export interface Wire {
  readonly exchanges: readonly Exchange[];
  readonly frames: ReadonlyMap<string, readonly Frame[]>;
  /** Growth of the sizes of tasks by the exchanges. */
  readonly tasks?: TaskWire;
}

/** An exchange with findings. */
export interface DeviantExchange {
  readonly exchangeId: string;
  readonly operation: string;
  /** The task that it is about, where that is known. */
  readonly taskId?: string;
  readonly protocolVersion: string;
  /** When it began, milliseconds since the epoch. */
  readonly startedAt: number;
  /** At least one, in the order of `Exchange.findings`. */
  readonly findings: readonly Finding[];
}

interface FindingColumns {
  readonly findings: string | null;
  readonly noted: string | null;
}

interface ListedColumns extends FindingColumns {
  readonly uid: string;
  readonly facts: string;
  readonly error: string | null;
  readonly sentSize: number;
  readonly sentHead: string;
  readonly answeredSize: number | null;
  readonly answeredHead: string;
  readonly frames: number;
  readonly firstFrameAt: number | null;
}

/** A longer body is not taken for an error. */
const maxErrorLength = 20_000;
/** How much of an error's message is listed, in characters. */
const listedError = 300;
/** How much of a body is listed, in characters. */
const listedBody = 8_000;

/** The error message in a body: of JSON-RPC, of Google's APIs, of problem+json, or as common frameworks write it. */
const errorIn = (
  body: string,
): string => `CASE WHEN length(${body}) <= ${maxErrorLength} AND json_valid(${body}) AND json_type(${body}) = 'object' THEN
  substr(CASE json_type(${body}, '$.error') WHEN 'object' THEN (${body}) ->> '$.error.message' WHEN 'text' THEN (${body}) ->> '$.error'
  ELSE CASE WHEN body ->> '$.response.status' >= 400 THEN coalesce((${body}) ->> '$.detail', (${body}) ->> '$.title', (${body}) ->> '$.message') END END, 1, ${listedError}) END`;

/** The table `exchanges`, with their frames. Writes are called inside a transaction. */
export class ExchangeRows {
  readonly #get: Query<{ id: number; context: number | null; body: string } & AnswerColumns & FindingColumns>;
  readonly #deviates: Query<{ readonly found: number }>;
  readonly #deviant: Query<
    { uid: string; task: string | null; operation: string; protocolVersion: string; startedAt: number } & FindingColumns
  >;
  readonly #listed: Query<ListedColumns>;
  readonly #before: Query<{ readonly count: number }>;
  readonly #received: Query<{ uid: string; at: number; body: string; status: number | null; received: string }>;
  readonly #idOf: Query<{ id: number }>;
  readonly #head: Query<{ facts: string }>;
  readonly #put: Query;
  readonly #prune: Query;
  readonly #release: Query;
  readonly #note: Query;
  readonly #adopt: Query;
  readonly #frames: FrameRows;
  readonly #answers: LongAnswers;

  constructor(database: Database, frames: FrameRows) {
    this.#frames = frames;
    this.#answers = new LongAnswers(database);
    this.#get = database.prepare('SELECT id, context, body, answer, own, findings, noted FROM exchanges WHERE uid = ?');
    this.#idOf = database.prepare('SELECT id FROM exchanges WHERE uid = ?');
    this.#head =
      database.prepare(`SELECT json_object('protocolBinding', body -> '$.protocolBinding', 'protocolVersion', body -> '$.protocolVersion')
      AS facts FROM exchanges WHERE uid = ? AND context = ?`);
    this.#listed = database.prepare(`SELECT uid, findings, noted,
      json_object('operation', body -> '$.operation', 'protocolBinding', body -> '$.protocolBinding', 'protocolVersion', body -> '$.protocolVersion',
        'startedAt', body -> '$.startedAt', 'headersAt', body -> '$.headersAt', 'endedAt', body -> '$.endedAt', 'failure', body -> '$.failure', 'failureSentence', body -> '$.failureSentence',
        'method', body -> '$.request.method', 'url', body -> '$.request.url', 'status', body -> '$.response.status', 'received', json_remove(body -> '$.received', '$.verdicts')) AS facts, ${errorIn("body ->> '$.response.body'")} AS error,
      octet_length(body ->> '$.request.body') AS sentSize, substr(body ->> '$.request.body', 1, ${listedBody}) AS sentHead,
      CASE WHEN answer IS NULL THEN octet_length(body ->> '$.response.body')
        ELSE (SELECT octet_length(content ->> '$.body') FROM answers WHERE id = exchanges.answer) END AS answeredSize,
      coalesce(substr(body ->> '$.response.body', 1, ${listedBody}), '') AS answeredHead,
      (SELECT coalesce(sum(count), 0) FROM frames WHERE exchange = exchanges.id) AS frames,
      (SELECT coalesce(json_extract(body, '$[0][0]'), json_extract(body, '$.at')) FROM frames WHERE exchange = exchanges.id ORDER BY seq LIMIT 1) AS firstFrameAt
      FROM exchanges WHERE context = ? AND id < coalesce((SELECT id FROM exchanges WHERE uid = ?), 9223372036854775807)
      ORDER BY id DESC LIMIT ?`);
    this.#before = database.prepare(
      'SELECT count(*) AS count FROM exchanges WHERE context = ? AND id < (SELECT id FROM exchanges WHERE uid = ?)',
    );
    this.#received =
      database.prepare(`SELECT uid, body ->> '$.startedAt' AS at, substr(body ->> '$.request.body', 1, ${receivedBody}) AS body,
      body ->> '$.response.status' AS status, body -> '$.received' AS received FROM exchanges
      WHERE task = (SELECT id FROM tasks WHERE context = ? AND task_id = ?) AND body ->> '$.received' IS NOT NULL ORDER BY id LIMIT ${maxReceived}`);
    this.#deviates = database.prepare(`SELECT EXISTS (SELECT 1 FROM (SELECT findings, noted FROM
      (SELECT id FROM contexts WHERE agent = ? AND title IS NOT NULL AND deleted IS NULL AND pinned IN (0, 1) ORDER BY pinned DESC, updated DESC LIMIT 50) newest
      JOIN exchanges e ON e.context = newest.id AND (e.findings IS NOT NULL OR e.noted IS NOT NULL)
      LIMIT ${maxDisputed}) JOIN json_each(json_array(json(coalesce(findings, '[]')), json(coalesce(noted, '[]')))) lists
      JOIN json_each(lists.value) finding WHERE json_extract(finding.value, '$.disputed') IS NOT TRUE) AS found`);
    this.#deviant = database.prepare(`SELECT uid, findings, noted, json_extract(body, '$.operation') AS operation,
      (SELECT task_id FROM tasks t WHERE t.id = task) AS task,
      json_extract(body, '$.protocolVersion') AS protocolVersion, json_extract(body, '$.startedAt') AS startedAt FROM exchanges
      WHERE context = ? AND (findings IS NOT NULL OR noted IS NOT NULL) ORDER BY id DESC LIMIT ${maxDeviant}`);
    this.#put = database.prepare(`INSERT INTO exchanges (uid, context, body, answer, own, findings) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (uid) DO UPDATE SET body = excluded.body, answer = excluded.answer, own = excluded.own, findings = excluded.findings`);
    this.#prune = database.prepare(`DELETE FROM exchanges WHERE context IS NULL AND id <=
      (SELECT id FROM exchanges WHERE context IS NULL ORDER BY id DESC LIMIT 1 OFFSET ${keptOutside})`);
    this.#release = database.prepare('UPDATE exchanges SET context = NULL WHERE context = ?');
    this.#note = database.prepare('UPDATE exchanges SET noted = ? WHERE uid = ?');
    this.#adopt = database.prepare(
      'UPDATE exchanges SET context = ?1, task = (SELECT id FROM tasks WHERE context = ?1 AND task_id = ?2) WHERE uid = ?3 AND context IS NULL',
    );
  }

  /** `context` is the row id of the context to which it must belong; if left out, it may belong to any or none. */
  get(uid: string, context?: number): { readonly exchange: Exchange; readonly frames: readonly Frame[] } | undefined {
    const row = this.#get.get(uid);
    if (row === undefined || (context !== undefined && row.context !== context)) return undefined;
    return {
      exchange: { ...this.#answers.withAnswer(decode<Exchange>(row.body), row), findings: findingsOf(row) },
      frames: [...this.#frames.from(row.id, 0)],
    };
  }

  /** Binding and version of an exchange of this context. */
  head(uid: string, context: number): Pick<Exchange, 'protocolBinding' | 'protocolVersion'> | undefined {
    const row = this.#head.get(uid, context);
    return row && decode(row.facts);
  }

  /** True if an exchange has findings that are not disputed, of the contexts of an agent that were used last. */
  deviates(agent: string): boolean {
    return this.#deviates.get(encode(agent))?.found === 1;
  }

  /** The newest exchanges of a context that have findings, oldest first. */
  deviant(context: number): DeviantExchange[] {
    return this.#deviant
      .all(context)
      .reverse()
      .map(({ uid, task, findings, noted, ...row }) => ({
        exchangeId: uid,
        ...(task !== null && { taskId: decode<string>(task) }),
        ...row,
        findings: findingsOf({ findings, noted }),
      }));
  }

  /** The newest exchanges of a context before the one of that id, newest first. */
  list(context: number, { before, limit }: { readonly before?: string; readonly limit: number }): ExchangeSummary[] {
    return this.#listed.all(context, before ?? null, limit).map(row => {
      const { uid, facts, error, frames, firstFrameAt, sentSize, sentHead, answeredSize, answeredHead, ...columns } = row;
      const known = Object.fromEntries(Object.entries(decode<Record<string, unknown>>(facts)).filter(([, value]) => value !== null));
      return {
        ...(known as unknown as ExchangeSummary),
        id: uid,
        frames,
        ...(error !== null && { error }),
        ...(firstFrameAt !== null && { firstFrameAt }),
        findings: findingsOf(columns).map(({ rule, frame, times, alsoIn }) => withoutUndefined({ rule, frame, times, alsoIn })),
        sent: { size: sentSize, head: sentHead },
        ...(answeredSize !== null && { answered: { size: answeredSize, head: answeredHead } }),
      };
    });
  }

  /** Number of exchanges of a context before the one of that id. */
  countBefore(context: number, uid: string): number {
    return this.#before.get(context, uid)!.count;
  }

  /** The push notifications of a task, oldest first. */
  received(context: number, taskId: string): ReceivedSummary[] {
    return this.#received.all(context, encode(taskId)).map(({ uid, at, body, status, received }) => ({
      exchangeId: uid,
      at,
      body,
      ...(status !== null && { status }),
      received: decode<ReceivedFacts>(received),
    }));
  }

  /** Events of an exchange of this context after the one of that number. */
  frames(uid: string, context: number, { after = -1, limit }: { readonly after?: number; readonly limit: number }): Frame[] {
    const row = this.#get.get(uid);
    const found: Frame[] = [];
    if (row === undefined || row.context !== context) return found;
    for (const frame of this.#frames.from(row.id, after + 1)) {
      if (found.length >= limit) break;
      found.push(frame);
    }
    return found;
  }

  /**
   * Adds findings that were found only when the exchange's events were put together. One of no context, such as a list of tasks, belongs from
   * then on to the context of that task; one of another context stays as it is.
   */
  note(uid: string, findings: readonly Finding[], { context, taskId }: { readonly context: number; readonly taskId: string }): void {
    this.#adopt.run(context, encode(taskId), uid);
    const row = this.#get.get(uid);
    if (row?.context !== context) return;
    const known = decodeOptional<Finding[]>(row.noted) ?? [];
    if (known.length < maxFindings) this.#note.run(encode([...known, ...findings].slice(0, maxFindings)), uid);
  }

  putWire(context: number | undefined, { exchanges, frames }: Wire): void {
    for (const whole of exchanges) {
      const { findings } = whole;
      const { exchange, answer, own } = this.#answers.keep(whole);
      this.#put.run(
        exchange.id,
        context ?? null,
        encode(exchange),
        answer,
        own,
        encodeOptional(findings.length === 0 ? undefined : findings),
      );
    }
    if (context === undefined) this.#prune.run();
    for (const [uid, some] of frames) this.#putFrames(uid, some);
  }

  /** The exchanges of this context belong to no context from now on. */
  release(context: number): void {
    this.#release.run(context);
    this.#prune.run();
  }

  #putFrames(uid: string, frames: readonly Frame[]): void {
    const row = this.#idOf.get(uid);
    if (row === undefined) throw new Error(`frames of an exchange that was not written: ${uid}`);
    this.#frames.put(row.id, frames);
  }
}

const findingsOf = ({ findings, noted }: FindingColumns): Finding[] =>
  [findings, noted].flatMap(column => decodeOptional<Finding[]>(column) ?? []);
