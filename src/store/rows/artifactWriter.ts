import type { Artifact } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { joinText, type EntryUpdate } from '../../protocol/message/transcript.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { AppendRun } from './appendRun.ts';
import type { ArtifactRows } from './artifactRows.ts';
import type { EntryFacts, EntryRows } from './entryRows.ts';

/** The task of an artifact: its row id, and whether the times of its entries are unknown. */
interface TaskOfArtifact {
  readonly id: number;
  readonly untimed: boolean;
}

/**
 * Writes the artifacts of one call into one context. An artifact that changes after the person's next message to its task gets another
 * entry: each turn shows what came in it.
 */
export class ArtifactWriter {
  readonly #entries: EntryRows;
  readonly #artifacts: ArtifactRows;
  readonly #facts: Omit<EntryFacts, 'task' | 'untimed'>;
  readonly #updates: EntryUpdate[];

  /** `updates`: those for an open transcript are added to it. */
  constructor(entries: EntryRows, artifacts: ArtifactRows, facts: Omit<EntryFacts, 'task' | 'untimed'>, updates: EntryUpdate[]) {
    this.#entries = entries;
    this.#artifacts = artifacts;
    this.#facts = facts;
    this.#updates = updates;
  }

  put(
    task: TaskOfArtifact,
    { taskId, artifact, complete, revises, inTask, at = this.#facts.at }: Extract<TaskChange, { kind: 'artifact' }>,
  ): void {
    const own = inTask === undefined ? 1 : 0;
    const row = this.#artifacts.row(task.id, artifact.artifactId);
    if (row === undefined || this.#isOfEarlierTurn(task, row.entry)) {
      if (row !== undefined) this.#leave(row);
      this.#begin(task, taskId, artifact, complete, own, at);
      return;
    }
    const how = revises === true ? { replacedAt: at, ...(inTask === 'apart' && { apart: true as const }) } : undefined;
    this.#artifacts.replace(row.id, artifact, complete, revises === true ? own : row.chunks + own, how);
    this.#touch(row.entry);
  }

  append(task: TaskOfArtifact, taskId: string, artifactId: string, run: AppendRun): void {
    const streamed = run.parts.length === 0 || run.inTask ? 0 : run.updates;
    const row = this.#artifacts.row(task.id, artifactId);
    if (row === undefined) {
      this.#begin(task, taskId, { artifactId, parts: [...run.parts] }, run.complete, streamed);
      return;
    }
    const changesState = run.complete !== (row.complete === 1);
    if (run.parts.length === 0 && !changesState) return;
    if (run.parts.length > 0 && this.#isOfEarlierTurn(task, row.entry)) {
      const { parts, ...head } = this.#artifacts.asItCame(row.id);
      this.#leave(row);
      this.#begin(task, taskId, { ...head, parts: [...parts, ...run.parts] }, run.complete, streamed);
      return;
    }
    const chunks = this.#artifacts.extend(row.id, run.parts, run.complete, streamed);
    // A page knows by the number of chunks which parts it has.
    if (run.inTask && run.parts.length > 0) {
      this.#touch(row.entry);
      return;
    }
    this.#entries.touch(row.entry, this.#facts.rev);
    // Only the new parts and not the whole artifact, which may be of any size by now.
    let told = chunks - run.updates;
    for (const { parts, updates } of run.pieces.slice(0, -1)) {
      told += updates;
      this.#updates.push({ type: 'append', seq: row.entry, parts: joinText(parts), chunks: told });
    }
    this.#updates.push({
      type: 'append',
      seq: row.entry,
      parts: joinText(run.pieces.at(-1)?.parts ?? []),
      chunks,
      ...(changesState && { complete: run.complete }),
    });
  }

  /** True if the person has sent a message into the task since that entry. */
  #isOfEarlierTurn({ id }: TaskOfArtifact, entry: number): boolean {
    return (this.#entries.lastSent(id) ?? 0) > entry;
  }

  /** The earlier turn keeps what it has, and expects no more. */
  #leave(row: { readonly id: number; readonly entry: number; readonly complete: number }): void {
    this.#artifacts.leave(row.id);
    if (row.complete === 0) this.#touch(row.entry);
  }

  #begin(
    { id, untimed }: TaskOfArtifact,
    taskId: string,
    artifact: Artifact,
    complete: boolean,
    chunks: number,
    at = this.#facts.at,
  ): void {
    const { exchangeId } = this.#facts;
    const seq = this.#entries.insert('artifact', { ...this.#facts, at, task: id, untimed }, {});
    this.#artifacts.insert(id, seq, artifact, complete, chunks);
    this.#updates.push({
      type: 'put',
      entry: withoutUndefined({
        seq,
        at,
        taskId,
        exchangeId,
        ...(untimed && { untimed }),
        kind: 'artifact',
        artifact: { ...artifact, parts: joinText(artifact.parts) },
        complete,
        chunks,
      }),
    });
  }

  #touch(seq: number): void {
    this.#entries.touch(seq, this.#facts.rev);
    const entry = this.#entries.bySeq(seq);
    if (entry !== undefined) this.#updates.push({ type: 'put', entry });
  }
}
