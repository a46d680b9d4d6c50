import type { Part } from '../../protocol/message/part.ts';
import type { ArtifactRevision } from '../rows/artifactRevisions.ts';
import type { ArtifactSummary } from '../rows/artifactRows.ts';
import type { Rows } from '../rows/changeWriter.ts';
import type { ContextArtifact, ContextArtifacts, Verdict } from './contextArtifacts.ts';
import type { ContextScope } from '../rows/contextScope.ts';

/** The artifacts of tasks and contexts; their content is in the transcript. Contexts are given by their key. */
export class ArtifactQueries {
  readonly #scope: ContextScope;
  readonly #rows: Rows;
  readonly #verdicts: ContextArtifacts;

  constructor(scope: ContextScope, rows: Rows, verdicts: ContextArtifacts) {
    this.#scope = scope;
    this.#rows = rows;
    this.#verdicts = verdicts;
  }

  /** In the order in which they came, without content, which is in the entry of each. */
  ofTask(context: string, taskId: string): ArtifactSummary[] {
    return this.#scope.read(context, [], id => {
      const task = this.#rows.tasks.present(id, taskId);
      return task === undefined ? [] : this.#rows.artifacts.summaries(task);
    });
  }

  /** The parts of one artifact, as they came. */
  parts(context: string, taskId: string, artifactId: string): readonly Part[] {
    return this.#scope.read(context, [], id => {
      const task = this.#rows.tasks.present(id, taskId);
      const row = task === undefined ? undefined : this.#rows.artifacts.row(task, artifactId);
      return row === undefined ? [] : this.#rows.artifacts.parts(row.id);
    });
  }

  /** The kept revisions of the artifact of an entry, from before its agent replaced it, oldest first. */
  revisions(context: string, seq: number): readonly ArtifactRevision[] {
    return this.#scope.read(context, [], () => {
      const row = this.#rows.artifacts.ofEntry(seq);
      return row === undefined ? [] : this.#rows.artifacts.revisions(row).earlier;
    });
  }

  /** The artifacts of all tasks of a context, without content: the newest 500, in the order in which they began to arrive. */
  ofContext(context: string): readonly ContextArtifact[] {
    return this.#scope.read(context, [], id => this.#verdicts.list(id));
  }

  /** The person's verdict on the artifact of that entry; undefined removes it. An entry of another context is ignored. */
  judge(context: string, seq: number, verdict: Verdict | undefined): void {
    this.#scope.write(context, id => this.#verdicts.judge(id, seq, verdict), true);
  }
}
