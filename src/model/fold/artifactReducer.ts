import { isDeepStrictEqual } from 'node:util';
import type { RuleId } from '../../protocol/ruleId.ts';
import type { Part } from '../../protocol/message/part.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { TaskArtifactUpdateEvent } from '../../protocol/message/streamResponse.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import type { TaskChange, TaskSource } from '../../protocol/message/taskChange.ts';
import { beginsWithContent, isSameContent } from '../../store/texts/partContent.ts';
import { repeatedLength } from './repeatedText.ts';
import { partsLength } from './roughLength.ts';
import { type LocalizedMessage, sentence } from '../../protocol/problem.ts';
import { findingOf } from '../../protocol/finding.ts';

interface FoldedArtifact {
  head: Omit<Artifact, 'parts'>;
  readonly parts: Part[];
  complete: boolean;
  /** Chunks came out of order. */
  disordered?: true;
}

/** The artifacts of one task, built from its events (A2A 1.0 §3.5.2, §4.2.2). */
export class ArtifactReducer {
  readonly #taskId: string;
  readonly #artifacts = new Map<string, FoldedArtifact>();
  /** The chunk that was appended last. */
  #appended: TaskArtifactUpdateEvent | undefined;
  #doubtful = false;
  /** Artifacts from before the person's last message that no update has put since. */
  #earlier = new Set<string>();
  /** Artifacts that a task was sent without, which is reported once. */
  readonly #missing = new Set<string>();

  constructor(taskId: string, known: readonly Artifact[] = [], complete: ReadonlySet<string> = new Set()) {
    this.#taskId = taskId;
    for (const { parts, ...head } of known) {
      this.#artifacts.set(head.artifactId, {
        head,
        parts: [...parts],
        complete: complete.has(head.artifactId),
      });
    }
  }

  /**
   * True once chunks came as a sound stream does not bring them, out of order or with the same text twice: a snapshot had better confirm
   * what they made.
   */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  get list(): Artifact[] {
    return [...this.#artifacts.values()].map(({ head, parts }) => ({ ...head, parts: [...parts] }));
  }

  get complete(): ReadonlySet<string> {
    return new Set([...this.#artifacts].filter(([, artifact]) => artifact.complete).map(([id]) => id));
  }

  /** True if the artifact of this id has other content, and no chunk of it was doubtful. */
  isContradictedBy({ artifactId, parts }: Artifact): boolean {
    const known = this.#artifacts.get(artifactId);
    return known !== undefined && !this.#doubtful && !isSameContent(known.parts, parts);
  }

  /** The person has sent a message into the task: an update is a change from now on even if it repeats an artifact. */
  beginTurn(): void {
    this.#earlier = new Set(this.#artifacts.keys());
  }

  /** A snapshot has settled every doubt. */
  confirm(): void {
    this.#doubtful = false;
  }

  /** Applies one update. `joined`: earlier updates may have been missed. */
  update(update: TaskArtifactUpdateEvent, joined: boolean): TaskChange[] {
    const { artifact, append, lastChunk } = update;
    const { parts, ...head } = artifact;
    const { artifactId } = head;
    const known = this.#artifacts.get(artifactId);
    const complete = lastChunk === true;
    if (append !== true) {
      const before = known?.parts ?? [];
      return [
        ...this.#checkShrinking(artifact, append),
        ...this.#put(artifact, complete, before, known !== undefined && isRevisedBy(known, before, parts)),
      ];
    }
    const repeats = isRepetition(update, this.#appended);
    if (repeats) this.#doubtful = true;
    this.#appended = update;
    if (known === undefined) {
      const put = this.#put(artifact, complete, [], false);
      const begun = this.#artifacts.get(artifactId);
      if (joined) return put;
      this.#doubtful = true;
      if (begun !== undefined) begun.disordered = true;
      return [this.#outOfOrder(sentence('Artifact {0} begins with an append chunk.', quoted(artifactId))), ...put];
    }
    const changes: TaskChange[] = [];
    if (known.complete) {
      this.#doubtful = true;
      changes.push(this.#outOfOrder(sentence('A chunk of artifact {0} arrived after its last chunk.', quoted(artifactId))));
    }
    const repeated = joined ? undefined : repeatedLength(known.parts, parts);
    if (repeated !== undefined) {
      this.#doubtful = true;
      changes.push(
        this.#finding(
          'STRM-13',
          sentence('A chunk that is appended to artifact {0} repeats the {1} characters before it.', quoted(artifactId), repeated),
        ),
      );
    }
    if (repeats || repeated !== undefined || known.complete) known.disordered = true;
    for (const part of parts) known.parts.push(part);
    known.complete ||= complete;
    if (
      (head.name !== undefined && known.head.name === undefined) ||
      (head.description !== undefined && known.head.description === undefined)
    ) {
      known.head = { ...head, ...known.head };
      changes.push({
        kind: 'artifact',
        taskId: this.#taskId,
        artifact: { ...known.head, parts: [...known.parts] },
        complete: known.complete,
      });
    } else {
      changes.push({
        kind: 'append',
        taskId: this.#taskId,
        artifactId,
        parts,
        complete: known.complete,
      });
    }
    return changes;
  }

  /**
   * The task has these now. One that it lacks stays, since no operation takes an artifact back (A2A 1.0 §3.7). `active`: the agent still works, so that they may grow.
   * `inTask`: how the task that has them came.
   */
  replace(artifacts: readonly Artifact[], active: boolean, inTask: TaskSource): TaskChange[] {
    const changes: TaskChange[] = [];
    for (const artifact of artifacts) {
      const known = this.#artifacts.get(artifact.artifactId);
      // Snapshots do not mark whole artifacts; while the agent works they may still grow.
      const before = known?.parts ?? [];
      const revises = known !== undefined && !beginsWithContent(artifact.parts, before);
      changes.push(...this.#put(artifact, !active || known?.complete === true, before, revises, inTask));
    }
    const sent = new Set(artifacts.map(artifact => artifact.artifactId));
    for (const artifactId of this.#artifacts.keys()) {
      if (active || sent.has(artifactId) || this.#missing.has(artifactId)) continue;
      this.#missing.add(artifactId);
      const what = sentence('The agent sent artifact {0}, and then the task without it; the artifact is kept.', quoted(artifactId));
      changes.push(this.#finding('STRM-08', what));
    }
    return changes;
  }

  /** A task that is over sends no more chunks, whether or not it said which was the last. */
  close(): TaskChange[] {
    const changes: TaskChange[] = [];
    for (const [artifactId, artifact] of this.#artifacts) {
      if (artifact.complete) continue;
      artifact.complete = true;
      changes.push({ kind: 'append', taskId: this.#taskId, artifactId, parts: [], complete: true });
    }
    return changes;
  }

  /** `before`: the parts it has. */
  #put(artifact: Artifact, complete: boolean, before: readonly Part[], revises: boolean, inTask?: TaskSource): TaskChange[] {
    const { parts, ...head } = artifact;
    const known = this.#artifacts.get(head.artifactId);
    const source = inTask === undefined ? {} : { inTask };
    const isOfNewTurn = inTask === undefined && this.#earlier.delete(head.artifactId);
    if (known === undefined || revises || isOfNewTurn || !isDeepStrictEqual(known.head, head) || !begins(parts, before)) {
      this.#artifacts.set(head.artifactId, { head, parts: [...parts], complete });
      return [{ kind: 'artifact', taskId: this.#taskId, artifact, complete, ...(revises && { revises }), ...source }];
    }
    const rest = parts.slice(before.length);
    if (rest.length === 0 && known.complete === complete) return [];
    for (const part of rest) known.parts.push(part);
    known.complete = complete;
    return [{ kind: 'append', taskId: this.#taskId, artifactId: head.artifactId, parts: rest, complete, ...source }];
  }

  /** An update without `append` replaces (A2A 1.0 §4.2.2): where that leaves less than there was, it may have been meant as a chunk. */
  #checkShrinking({ artifactId, parts }: Artifact, append: boolean | undefined): TaskChange[] {
    const before = partsLength(this.#artifacts.get(artifactId)?.parts ?? []);
    const after = partsLength(parts);
    if (after >= before) return [];
    this.#doubtful = true;
    return [
      this.#finding(
        'STRM-08',
        append === false
          ? sentence('An update of artifact {0} with "append": false replaced {2} characters with {1}.', quoted(artifactId), after, before)
          : sentence('An update of artifact {0} without append replaced {2} characters with {1}.', quoted(artifactId), after, before),
      ),
    ];
  }

  #outOfOrder(what: LocalizedMessage): TaskChange {
    return this.#finding('STRM-04', what);
  }

  #finding(rule: RuleId, what: LocalizedMessage): TaskChange {
    return { kind: 'finding', taskId: this.#taskId, finding: findingOf(rule, '', what) };
  }
}

/** Content that was finished is a revision of its own where other content takes its place; what was not, only where the other does not continue it. */
function isRevisedBy({ complete, disordered }: FoldedArtifact, before: readonly Part[], parts: readonly Part[]): boolean {
  if (disordered === true && !complete) return false;
  return complete && before.length > 0 ? !isSameContent(before, parts) : !beginsWithContent(parts, before);
}

const begins = (parts: readonly Part[], beginning: readonly Part[]): boolean =>
  parts.length >= beginning.length && beginning.every((part, index) => isDeepStrictEqual(part, parts[index]));

/** True if a chunk repeats the one before. Hardly any does, so their texts are compared first. */
function isRepetition(update: TaskArtifactUpdateEvent, before: TaskArtifactUpdateEvent | undefined): boolean {
  const [one] = update.artifact.parts;
  const [other] = before?.artifact.parts ?? [];
  if (one !== undefined && other !== undefined && 'text' in one && 'text' in other && one.text !== other.text) return false;
  return isDeepStrictEqual(update, before);
}
