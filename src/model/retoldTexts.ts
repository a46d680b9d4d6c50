import { createHash } from 'node:crypto';
import type { Part } from '../protocol/part.ts';
import type { Artifact } from '../protocol/task.ts';
import type { TaskChange } from '../protocol/taskChange.ts';
import { present } from '../protocol/versions/fields.ts';
import type { GrowingParts } from './growingParts.ts';

interface Told {
  readonly head: Omit<Artifact, 'parts'>;
  readonly parts: GrowingParts;
  readonly complete: boolean;
}

/**
 * Which artifacts of a task hold the whole text of an earlier one, under an id of their own: agents that stream a text have been seen to tell it
 * again as a whole when it is done. Only what is told in one run is compared, since who asks twice for the same gets the same; and only
 * texts of equal length whose artifacts do not have different names.
 */
export class RetoldTexts {
  /** Artifacts that were whole before this run. */
  readonly #before: Set<string>;
  /** For an artifact that tells a text again: the one that told it first. */
  readonly #originals = new Map<string, string>();
  /** Of texts that were compared. */
  readonly #digests = new Map<string, string | undefined>();

  constructor(before: Iterable<string>) {
    this.#before = new Set(before);
  }

  /** What has become of it by these changes, after which the artifacts are `artifacts`. */
  after(changes: readonly TaskChange[], taskId: string, artifacts: ReadonlyMap<string, Told>): TaskChange[] {
    const changed = this.#changed(changes);
    const isWhole = [...changed].some(id => artifacts.get(id)?.complete === true);
    if (!isWhole && this.#originals.size === 0) return [];
    const sizes = new Set([...changed].map(id => artifacts.get(id)?.parts.size));
    for (const id of changed) if (!artifacts.has(id)) this.#originals.delete(id);
    const news: TaskChange[] = [];
    for (const [id, artifact] of artifacts) {
      const before = this.#originals.get(id);
      if (!sizes.has(artifact.parts.size) && !changed.has(id) && (before === undefined || !changed.has(before))) continue;
      const of = this.#original(id, artifact, artifacts);
      if (of === before) continue;
      if (of === undefined) this.#originals.delete(id);
      else {
        this.#originals.set(id, of);
        const message = `Artifact ${JSON.stringify(id)} has the same text as artifact ${JSON.stringify(of)} of the task: it is shown once.`;
        news.push({ kind: 'finding', taskId, finding: { rule: 'STRM-10', pointer: '', message } });
      }
      news.push(present({ kind: 'retold', taskId, artifactId: id, of }));
    }
    return news;
  }

  #changed(changes: readonly TaskChange[]): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const change of changes) {
      if (change.kind !== 'artifact' && change.kind !== 'append' && change.kind !== 'removed') continue;
      const id = change.kind === 'artifact' ? change.artifact.artifactId : change.artifactId;
      changed.add(id);
      this.#digests.delete(id);
      // What is written down of it begins anew.
      if (change.kind === 'artifact') {
        this.#before.delete(id);
        this.#originals.delete(id);
      }
    }
    return changed;
  }

  #original(id: string, artifact: Told, artifacts: ReadonlyMap<string, Told>): string | undefined {
    if (!artifact.complete || artifact.parts.size === 0 || this.#before.has(id)) return undefined;
    for (const [other, told] of artifacts) {
      if (other === id) return undefined;
      if (told.parts.size !== artifact.parts.size || !told.complete || this.#before.has(other) || this.#originals.has(other)) continue;
      if (!mayBeOne(told.head.name, artifact.head.name)) continue;
      const digest = this.#digest(id, artifact);
      if (digest === undefined) return undefined;
      if (this.#digest(other, told) === digest) return other;
    }
    return undefined;
  }

  #digest(id: string, { parts }: Told): string | undefined {
    if (!this.#digests.has(id)) this.#digests.set(id, digestOf(parts.all));
    return this.#digests.get(id);
  }
}

/** Two files of one content are two files. */
const mayBeOne = (one: string | undefined, other: string | undefined): boolean => one === other || one === undefined || other === undefined;

/** Undefined where it is not text alone, or nothing that one sees. */
function digestOf(parts: readonly Part[]): string | undefined {
  const texts = parts.map(part => ('text' in part && part.filename === undefined ? part.text : undefined));
  if (texts.includes(undefined) || !texts.some(text => text !== undefined && text.trim() !== '')) return undefined;
  const hash = createHash('sha256');
  // Whole, since the border of a chunk may be inside a character of two code units.
  hash.update(texts.join(''));
  return hash.digest('base64');
}
