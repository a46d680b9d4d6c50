import type { Part } from '../../protocol/message/part.ts';
import { beginsWithContent, isSameContent } from '../texts/partContent.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import { chunkRow, partsIn, type ChunkRow } from './artifactChunks.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, encode } from '../texts/jsonText.ts';

/**
 * Most revisions of one artifact that are kept, the newest: more than a person compares, but an agent that replaces after each token does not
 * fill the disk.
 */
export const maxRevisions = 20;
/** Most bytes of them together: twenty long documents or a few pictures. A larger revision is not kept. */
export const maxRevisionBytes = 8 * 2 ** 20;

/** An artifact as it was until its agent replaced it. */
export interface ArtifactRevision {
  /** Counted from 1. */
  readonly number: number;
  /** When, in milliseconds since the epoch. */
  readonly replacedAt: number;
  /** It was replaced by content that was not in the answer to a message, but for example in that to GetTask. */
  readonly apart?: true;
  readonly complete: boolean;
  /** Parts as they came. */
  readonly artifact: Artifact;
}

interface Row extends ChunkRow {
  readonly number: number;
  readonly replaced: number;
  readonly apart: number;
  readonly head: string;
  readonly complete: number;
}

/** The table `artifact_revisions`; artifacts are given by their row id. Writes are called inside a transaction. */
export class ArtifactRevisions {
  readonly #all: Query<Row>;
  readonly #current: Query<{ revision: number }>;
  readonly #setCurrent: Query;
  readonly #sizes: Query<{ number: number; bytes: number }>;
  readonly #insert: Query;
  readonly #delete: Query;
  readonly #deleteUpTo: Query;

  constructor(database: Database) {
    this.#all = database.prepare(
      'SELECT number, replaced, apart, head, complete, parts, text FROM artifact_revisions WHERE artifact = ? ORDER BY number',
    );
    this.#current = database.prepare('SELECT revision FROM artifacts WHERE id = ?');
    this.#setCurrent = database.prepare('UPDATE artifacts SET revision = ? WHERE id = ?');
    this.#sizes = database.prepare(
      'SELECT number, octet_length(parts) + octet_length(text) AS bytes FROM artifact_revisions WHERE artifact = ? ORDER BY number DESC',
    );
    this.#insert = database.prepare(
      'INSERT OR REPLACE INTO artifact_revisions (artifact, number, replaced, apart, head, complete, parts, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#delete = database.prepare('DELETE FROM artifact_revisions WHERE artifact = ? AND number = ?');
    this.#deleteUpTo = database.prepare('DELETE FROM artifact_revisions WHERE artifact = ? AND number <= ?');
  }

  /** The number of the current revision: 1 if nothing was replaced. */
  current(artifact: number): number {
    return this.#current.get(artifact)?.revision ?? 1;
  }

  /** The kept revisions, oldest first. */
  list(artifact: number): ArtifactRevision[] {
    return this.#all.all(artifact).map(revisionOf);
  }

  /** Stores the artifact as a revision; the next one gets the next number. */
  add(artifact: number, revision: Omit<ArtifactRevision, 'number'>): void {
    const number = this.current(artifact);
    this.#put(artifact, { ...revision, number });
    this.#setCurrent.run(number + 1, artifact);
  }

  /** Stores revisions from another history. */
  restore(artifact: number, current: number, revisions: readonly ArtifactRevision[]): void {
    for (const revision of revisions) if (revision.number < current) this.#put(artifact, revision);
    this.#setCurrent.run(current, artifact);
  }

  /**
   * An agent may repeat an artifact from its beginning and then continue it. The last revision is therefore removed if the current parts have
   * the same content again, or continue one that was not finished.
   */
  settle(artifact: number, parts: () => readonly Part[]): void {
    const current = this.current(artifact);
    const last = current === 1 ? undefined : this.#all.all(artifact).map(revisionOf).at(-1);
    if (last?.number !== current - 1) return;
    const now = parts();
    if (!(last.complete ? isSameContent(now, last.artifact.parts) : beginsWithContent(now, last.artifact.parts))) return;
    this.#delete.run(artifact, last.number);
    this.#setCurrent.run(last.number, artifact);
  }

  #put(artifact: number, { number, replacedAt, apart, complete, artifact: { parts, ...head } }: ArtifactRevision): void {
    const row = chunkRow(parts);
    this.#insert.run(artifact, number, replacedAt, apart === true ? 1 : 0, encode(head), complete ? 1 : 0, row.parts, row.text);
    let bytes = 0;
    for (const [index, each] of this.#sizes.all(artifact).entries()) {
      bytes += each.bytes;
      if (index < maxRevisions && bytes <= maxRevisionBytes) continue;
      this.#deleteUpTo.run(artifact, each.number);
      return;
    }
  }
}

const revisionOf = (row: Row): ArtifactRevision => ({
  number: row.number,
  replacedAt: row.replaced,
  ...(row.apart === 1 && { apart: true as const }),
  complete: row.complete === 1,
  artifact: { ...decode<Omit<Artifact, 'parts'>>(row.head), parts: partsIn(row) },
});
