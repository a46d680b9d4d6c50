import type { ArtifactHead } from '../rows/artifactRows.ts';
import type { Database, Query } from '../database/database.ts';
import { decode, encode } from '../texts/jsonText.ts';

export const verdicts = ['accepted', 'rejected'] as const;
/** The person's verdict on an artifact: it stays when the agent replaces the artifact's content. */
export type Verdict = (typeof verdicts)[number];

/** An artifact among all that a context's tasks have made; its content is in the entry. */
export interface ContextArtifact {
  readonly seq: number;
  readonly taskId: string;
  readonly artifact: ArtifactHead;
  readonly complete: boolean;
  readonly verdict?: Verdict;
  /** Number of the current revision, if the agent has replaced the content within the task: at least 2. */
  readonly revision?: number;
  /** How many earlier revisions are kept. */
  readonly earlier?: number;
  /** The current revision was not in the answer to a message, but for example in that to GetTask. */
  readonly apart?: true;
}

interface Row {
  readonly entry: number;
  readonly task_id: string;
  readonly head: string;
  readonly complete: number;
  readonly verdict: Verdict | null;
  readonly revision: number;
  readonly earlier: number;
  readonly apart: number | null;
}

/** Most artifacts of a context, the newest; a context with more does not list the oldest versions. */
const maxArtifacts = 500;

/** The artifacts of a context over all its tasks, and the person's verdicts on them. Writes are called inside a transaction. */
export class ContextArtifacts {
  readonly #newest: Query<Row>;
  readonly #judge: Query;
  readonly #judged: Query<{ readonly entry: number; readonly verdict: Verdict }>;
  readonly #adopt: Query;

  constructor(database: Database) {
    this.#newest = database.prepare(`SELECT a.entry, t.task_id, a.head, a.complete, a.verdict, a.revision,
        (SELECT count(*) FROM artifact_revisions r WHERE r.artifact = a.id) AS earlier,
        (SELECT r.apart FROM artifact_revisions r WHERE r.artifact = a.id AND r.number = a.revision - 1) AS apart
      FROM entries e JOIN artifacts a ON a.entry = e.seq JOIN tasks t ON t.id = a.task
      WHERE e.context = ? AND e.kind = 'artifact' AND a.removed = 0 AND t.deleted IS NULL ORDER BY e.seq DESC LIMIT ${maxArtifacts}`);
    this.#judge = database.prepare(
      'UPDATE artifacts SET verdict = ? WHERE entry = (SELECT seq FROM entries WHERE seq = ? AND context = ?)',
    );
    this.#judged = database.prepare('SELECT entry, verdict FROM artifacts WHERE task = ? AND verdict IS NOT NULL');
    this.#adopt = database.prepare(`UPDATE artifacts SET verdict = ? WHERE verdict IS NULL AND id =
      (SELECT id FROM artifacts WHERE task = ? AND artifact_id = ? ORDER BY entry LIMIT 1 OFFSET ?)`);
  }

  /** In the order in which they began to arrive. */
  list(context: number): ContextArtifact[] {
    return this.#newest
      .all(context)
      .reverse()
      .map(row => ({
        seq: row.entry,
        taskId: decode<string>(row.task_id),
        artifact: decode<ArtifactHead>(row.head),
        complete: row.complete === 1,
        ...(row.revision > 1 && { revision: row.revision, earlier: row.earlier }),
        ...(row.apart === 1 && { apart: true as const }),
        ...(row.verdict !== null && { verdict: row.verdict }),
      }));
  }

  /** Verdicts on the artifacts of a task, by their entries. */
  judged(task: number): ReadonlyMap<number, Verdict> {
    return new Map(this.#judged.all(task).map(({ entry, verdict }) => [entry, verdict]));
  }

  /** Imports a verdict if the person has none here. `turn`: how many earlier turns of the task have that artifact. */
  adopt(task: number, artifactId: string, turn: number, verdict: Verdict): void {
    this.#adopt.run(verdict, task, encode(artifactId), turn);
  }

  judge(context: number, seq: number, verdict: Verdict | undefined): void {
    this.#judge.run(verdict ?? null, seq, context);
  }
}
