import type { Part } from '../../protocol/message/part.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { joinText } from '../../protocol/message/transcript.ts';
import { ArtifactRevisions, type ArtifactRevision } from './artifactRevisions.ts';
import { chunkRow, chunkRows, partsIn, type ChunkRow } from './artifactChunks.ts';
import type { Database, Query } from '../database/database.ts';
import type { FrameRows } from './frameRows.ts';
import { decode, encode } from '../texts/jsonText.ts';
import { plainChunkIn } from '../../protocol/versions/shared/plainChunk.ts';

interface ArtifactRow {
  readonly id: number;
  readonly entry: number;
  readonly complete: number;
  readonly chunks: number;
}

interface HeadRow {
  readonly id: number;
  readonly entry: number;
  readonly head: string;
  readonly complete: number;
  readonly chunks: number;
}

type PartsRow = ChunkRow & (Holding | { readonly exchange: null });

/** Everything of an artifact except its parts. */
export type ArtifactHead = Omit<Artifact, 'parts'>;

/** An artifact as lists show it; its content is in the entry. */
export interface ArtifactSummary {
  readonly seq: number;
  readonly artifact: ArtifactHead;
  readonly complete: boolean;
  readonly chunks: number;
}

/** The tables `artifacts` and `artifact_chunks`. Writes are called inside a transaction. */
export class ArtifactRows {
  readonly #row: Query<ArtifactRow>;
  readonly #heads: Query<HeadRow>;
  readonly #chunks: Query<PartsRow>;
  readonly #heldBy: Query<PartsRow & { readonly id: number }>;
  readonly #ofEntry: Query<{ id: number }>;
  readonly #leave: Query;
  readonly #insert: Query;
  readonly #replace: Query;
  readonly #extend: Query<{ chunks: number }>;
  readonly #remove: Query;
  readonly #insertChunk: Query;
  readonly #deleteChunks: Query;
  readonly #keepChunk: Query;
  readonly #frames: FrameRows;
  readonly #head: Query<Pick<HeadRow, 'head' | 'complete'>>;
  readonly #revisions: ArtifactRevisions;

  constructor(database: Database, frames: FrameRows) {
    this.#revisions = new ArtifactRevisions(database);
    this.#head = database.prepare('SELECT head, complete FROM artifacts WHERE id = ?');
    this.#frames = frames;
    this.#row = database.prepare('SELECT id, entry, complete, chunks FROM artifacts WHERE task = ? AND artifact_id = ? AND past = 0');
    this.#heads = database.prepare(
      'SELECT id, entry, head, complete, chunks FROM artifacts WHERE task = ? AND removed = 0 AND past = 0 ORDER BY id',
    );
    this.#ofEntry = database.prepare('SELECT id FROM artifacts WHERE entry = ?');
    this.#leave = database.prepare('UPDATE artifacts SET past = 1, complete = 1 WHERE id = ?');
    const columns = 'parts, text, exchange, first, last';
    this.#chunks = database.prepare(`SELECT ${columns} FROM artifact_chunks WHERE artifact = ? ORDER BY id`);
    this.#heldBy = database.prepare(`SELECT id, ${columns} FROM artifact_chunks WHERE exchange = ? ORDER BY id`);
    this.#insert = database.prepare('INSERT INTO artifacts (task, artifact_id, entry, head, complete, chunks) VALUES (?, ?, ?, ?, ?, ?)');
    this.#replace = database.prepare('UPDATE artifacts SET head = ?, complete = ?, removed = 0, chunks = ? WHERE id = ?');
    this.#extend = database.prepare('UPDATE artifacts SET complete = ?, chunks = chunks + ? WHERE id = ? RETURNING chunks');
    this.#remove = database.prepare('UPDATE artifacts SET removed = 1 WHERE task = ? AND artifact_id = ?');
    this.#insertChunk = database.prepare('INSERT INTO artifact_chunks (artifact, parts, text) VALUES (?, ?, ?)');
    this.#keepChunk = database.prepare('UPDATE artifact_chunks SET parts = ?, text = ?, exchange = NULL WHERE id = ?');
    this.#deleteChunks = database.prepare('DELETE FROM artifact_chunks WHERE artifact = ?');
  }

  /** The artifact as it is in the newest turn that changed it. */
  row(task: number, artifactId: string): ArtifactRow | undefined {
    return this.#row.get(task, encode(artifactId));
  }

  summaries(task: number): ArtifactSummary[] {
    return this.#heads.all(task).map(row => ({
      seq: row.entry,
      artifact: decode<ArtifactHead>(row.head),
      complete: row.complete === 1,
      chunks: row.chunks,
    }));
  }

  /** The artifacts that the agent still has, with their parts as they came. */
  whole(task: number): { readonly artifact: Artifact; readonly complete: boolean }[] {
    return this.#heads.all(task).map(row => ({
      artifact: { ...decode<ArtifactHead>(row.head), parts: this.parts(row.id) },
      complete: row.complete === 1,
    }));
  }

  /** The row id of the artifact that an entry shows. */
  ofEntry(seq: number): number | undefined {
    return this.#ofEntry.get(seq)?.id;
  }

  /** Parts are as they came. */
  asItCame(id: number): Artifact {
    return { ...decode<ArtifactHead>(this.#head.get(id)?.head ?? '{}'), parts: this.parts(id) };
  }

  /** As they came, one after the other. */
  parts(id: number): Part[] {
    return this.#chunks.all(id).flatMap(row => [...this.#partsOf(row)]);
  }

  /** For the transcript: neighboring text chunks are joined. `enough`: content after so many code units may be left out. */
  joined(id: number, head: string, enough = Infinity): Artifact {
    const parts: Part[] = [];
    let length = 0;
    for (const row of this.#chunks.iterate(id)) {
      for (const part of this.#partsOf(row)) {
        if (length >= enough) break;
        parts.push(part);
        length += 'text' in part ? part.text.length : encode(part).length;
      }
      if (length >= enough) break;
    }
    return { ...decode<ArtifactHead>(head), parts: joinText(parts) };
  }

  /** Returns the row id. */
  insert(task: number, entry: number, artifact: Artifact, complete: boolean, chunks: number): number {
    const { parts, ...head } = artifact;
    const { lastInsertRowid } = this.#insert.run(task, encode(artifact.artifactId), entry, encode(head), complete ? 1 : 0, chunks);
    this.#putParts(Number(lastInsertRowid), parts);
    return Number(lastInsertRowid);
  }

  /** The artifact goes on in a later turn of its task, as another row. */
  leave(id: number): void {
    this.#leave.run(id);
  }

  /** `revises`: stores the previous content as a revision that was replaced so. */
  replace(
    id: number,
    artifact: Artifact,
    complete: boolean,
    chunks: number,
    revises?: Pick<ArtifactRevision, 'replacedAt' | 'apart'>,
  ): void {
    const { parts, ...head } = artifact;
    if (revises !== undefined) this.#keepRevision(id, revises);
    this.#replace.run(encode(head), complete ? 1 : 0, chunks, id);
    this.#deleteChunks.run(id);
    this.#putParts(id, parts);
    if (complete) this.#revisions.settle(id, () => parts);
  }

  /** The kept revisions from before its agent replaced it, oldest first, and the number of the current one. */
  revisions(id: number): { readonly current: number; readonly earlier: readonly ArtifactRevision[] } {
    return { current: this.#revisions.current(id), earlier: this.#revisions.list(id) };
  }

  /** Stores revisions from another history. */
  restoreRevisions(id: number, current: number, revisions: readonly ArtifactRevision[]): void {
    this.#revisions.restore(id, current, revisions);
  }

  /** Adds parts that came in so many updates; returns how many updates there were in total. */
  extend(id: number, parts: readonly Part[], complete: boolean, updates: number): number {
    if (parts.length > 0) this.#putParts(id, parts);
    const chunks = this.#extend.get(complete ? 1 : 0, updates, id)?.chunks ?? 0;
    if (complete) this.#revisions.settle(id, () => this.parts(id));
    return chunks;
  }

  remove(task: number, artifactId: string): void {
    this.#remove.run(task, encode(artifactId));
  }

  /** Call it before an exchange, given by its row id, is deleted: artifact parts in its frames get rows of their own. */
  keepWithout(exchange: number): void {
    for (const row of this.#heldBy.all(exchange)) {
      const { parts, text } = chunkRow([...this.#partsOf(row)]);
      this.#keepChunk.run(parts, text, row.id);
    }
  }

  #keepRevision(id: number, how: Pick<ArtifactRevision, 'replacedAt' | 'apart'>): void {
    const row = this.#head.get(id);
    if (row === undefined) return;
    const artifact = this.asItCame(id);
    this.#revisions.settle(id, () => artifact.parts);
    this.#revisions.add(id, { artifact, complete: row.complete === 1, ...how });
  }

  #partsOf(row: PartsRow): Iterable<Part> {
    return row.exchange === null ? partsIn(row) : heldParts(this.#frames, row);
  }

  #putParts(id: number, parts: readonly Part[]): void {
    for (const row of chunkRows(parts)) this.#insertChunk.run(id, row.parts, row.text);
  }
}

/** Consecutive frames of an exchange, each of them a plain chunk (`plainChunkIn`). */
interface Holding {
  /** Row id. */
  readonly exchange: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Parts that are stored only in the frames that brought them: histories have such rows from a time when that was how the text of a stream was
 * stored once. Text that its frame has lost shows as U+FFFD.
 */
function* heldParts(frames: FrameRows, { exchange, first, last }: Holding): Generator<Part> {
  for (const { seq, data } of frames.from(exchange, first)) {
    if (seq > last) return;
    yield* partsOf(data);
  }
}

function partsOf(data: string): readonly Part[] {
  try {
    const chunk = plainChunkIn(JSON.parse(data));
    if (chunk !== undefined) return chunk.artifactUpdate.artifact.parts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [{ text: '\uFFFD' }];
}
