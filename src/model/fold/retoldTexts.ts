import { createHash } from 'node:crypto';
import type { Part } from '../../protocol/message/part.ts';
import { quoted } from '../../protocol/quoted.ts';
import type { Artifact } from '../../protocol/message/task.ts';
import type { TaskChange } from '../../protocol/message/taskChange.ts';
import { withoutUndefined } from '../../protocol/versions/shared/fields.ts';
import type { GrowingParts } from './growingParts.ts';

interface Told {
  readonly head: Omit<Artifact, 'parts'>;
  readonly parts: GrowingParts;
  readonly complete: boolean;
}

/** Of the whole artifacts of one length so many are compared with each other. */
const maxCompared = 32;

/**
 * Which artifacts of a task hold the whole text of an earlier one, under an id of their own: agents that stream a text have been seen to tell it
 * again as a whole when it is done. Only what is told in one run is compared, since who asks twice for the same gets the same; and only
 * texts of equal length whose artifacts do not have different names. A change costs the same however many artifacts there are.
 */
export class RetoldTexts {
  /** Artifacts that were whole before this run. */
  readonly #before: Set<string>;
  /** For an artifact that tells a text again: the one that told it first. */
  readonly #originals = new Map<string, string>();
  /** For an artifact that told a text first: those that tell it again. */
  readonly #tellers = new Map<string, Set<string>>();
  /** Of texts that were compared. */
  readonly #digests = new Map<string, string | undefined>();
  /** Where artifacts stand among the task's. */
  readonly #places = new Map<string, number>();
  #place = 0;
  /** The whole artifacts of each length that are compared, and the length of each. */
  readonly #ofSize = new Map<number, Set<string>>();
  readonly #sizes = new Map<string, number>();

  constructor(before: Iterable<string>) {
    this.#before = new Set(before);
  }

  /** What has become of it by these changes, after which the artifacts are `artifacts`. */
  after(changes: readonly TaskChange[], taskId: string, artifacts: ReadonlyMap<string, Told>): TaskChange[] {
    if (changes.every(change => this.#saysNothing(change))) return [];
    if (this.#places.size === 0) for (const id of artifacts.keys()) this.#places.set(id, this.#place++);
    const touched = new Set<string>();
    for (const id of this.#changed(changes)) {
      for (const teller of this.#tellers.get(id) ?? []) touched.add(teller);
      for (const other of this.#regroup(id, artifacts.get(id))) touched.add(other);
      touched.add(id);
    }
    const news: TaskChange[] = [];
    for (const id of this.#inOrder(touched)) {
      const artifact = artifacts.get(id);
      const before = this.#originals.get(id);
      const of = artifact === undefined ? undefined : this.#original(id, artifact, artifacts);
      if (of === before) continue;
      this.#setOriginal(id, of);
      if (artifact === undefined) continue;
      if (of !== undefined) {
        const message = `Artifact ${quoted(id)} has the same text as artifact ${quoted(of)} of the task: it is shown once.`;
        news.push({ kind: 'finding', taskId, finding: { rule: 'STRM-10', pointer: '', message } });
      }
      news.push(withoutUndefined({ kind: 'retold', taskId, artifactId: id, of }));
    }
    return news;
  }

  /** A chunk of what is still growing and was never whole, as most are. */
  #saysNothing(change: TaskChange): boolean {
    return change.kind === 'append' && !change.complete && this.#places.has(change.artifactId) && !this.#sizes.has(change.artifactId);
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
        this.#setOriginal(id, undefined);
      }
    }
    return changed;
  }

  /** Puts an artifact among those of its length. Returns these. */
  #regroup(id: string, artifact: Told | undefined): Iterable<string> {
    const size = this.#sizes.get(id);
    if (size !== undefined) {
      this.#sizes.delete(id);
      this.#ofSize.get(size)?.delete(id);
      if (this.#ofSize.get(size)?.size === 0) this.#ofSize.delete(size);
    }
    if (artifact === undefined) {
      this.#places.delete(id);
      return [];
    }
    if (!this.#places.has(id)) this.#places.set(id, this.#place++);
    const { parts, complete } = artifact;
    if (!complete || parts.size === 0 || this.#before.has(id)) return [];
    const group = this.#ofSize.get(parts.size) ?? new Set();
    if (group.size >= maxCompared) return [];
    this.#sizes.set(id, parts.size);
    this.#ofSize.set(parts.size, group.add(id));
    return group;
  }

  #setOriginal(id: string, of: string | undefined): void {
    const before = this.#originals.get(id);
    if (before !== undefined) {
      this.#originals.delete(id);
      this.#tellers.get(before)?.delete(id);
      if (this.#tellers.get(before)?.size === 0) this.#tellers.delete(before);
    }
    if (of === undefined) return;
    this.#originals.set(id, of);
    this.#tellers.set(of, (this.#tellers.get(of) ?? new Set()).add(id));
  }

  #inOrder(ids: Iterable<string>): string[] {
    return [...ids].sort((one, other) => (this.#places.get(one) ?? 0) - (this.#places.get(other) ?? 0));
  }

  #original(id: string, artifact: Told, artifacts: ReadonlyMap<string, Told>): string | undefined {
    const size = this.#sizes.get(id);
    if (size === undefined) return undefined;
    for (const other of this.#inOrder(this.#ofSize.get(size) ?? [])) {
      if (other === id) return undefined;
      const told = artifacts.get(other);
      if (told === undefined || this.#originals.has(other) || !mayBeOne(told.head.name, artifact.head.name)) continue;
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
