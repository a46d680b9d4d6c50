import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Entry, EntryUpdate, MessageEntry, ProblemEntry } from '../../protocol/message/transcript.ts';
import type { SentEntry } from '../host/messages.ts';
import type { Part } from '../../protocol/message/part.ts';
import { type Shape, shapeOf, sameShape } from './rows.ts';
import { appendParts, type ShownPart, showParts } from './shownParts.ts';

/** A displayed entry. For a growing artifact, `parts` and `chunks` are newer than `entry`, which keeps the content that it was put with. */
export interface EntryView {
  readonly entry: SentEntry;
  readonly parts: readonly ShownPart[];
  readonly chunks: number;
}

/** Chunks that a batch of updates appends to an artifact. */
interface Growth {
  readonly parts: Part[];
  chunks: number;
  complete: boolean | undefined;
}

/**
 * The displayed entries, one signal each, so that an update renders one entry again; the list changes only when entries are added or
 * change their kind.
 */
export class Transcript {
  readonly #views = new Map<number, Signal<EntryView>>();
  readonly #shapes = signal<readonly Shape[]>([]);
  readonly #more = signal(false);
  readonly #newer = signal(false);

  /** The shapes from which rows are made, oldest first. */
  readonly shapes: ReadonlySignal<readonly Shape[]> = this.#shapes;
  /** True where the history has entries before the first. */
  readonly more: ReadonlySignal<boolean> = this.#more;
  /** True where the history has entries after the last: a part of the past is shown, and new entries are not appended to it. */
  readonly newer: ReadonlySignal<boolean> = this.#newer;

  get first(): number | undefined {
    return this.#shapes.peek()[0]?.seq;
  }

  get last(): number | undefined {
    return this.#shapes.peek().at(-1)?.seq;
  }

  view(seq: number): ReadonlySignal<EntryView> | undefined {
    return this.#views.get(seq);
  }

  /** Replaces all entries. */
  load(entries: readonly Entry[], more: boolean, newer = false): void {
    batch(() => {
      this.#views.clear();
      this.#shapes.value = this.#add(entries);
      this.#more.value = more;
      this.#newer.value = newer;
    });
  }

  /** Adds older entries at the start; entries that are there already stay unchanged. */
  prepend(entries: readonly Entry[], more: boolean): void {
    batch(() => {
      this.#shapes.value = [...this.#add(entries), ...this.#shapes.peek()];
      this.#more.value = more;
    });
  }

  /** Adds newer entries at the end. */
  extend(entries: readonly Entry[], newer: boolean): void {
    batch(() => {
      this.#shapes.value = [...this.#shapes.peek(), ...this.#add(entries)];
      this.#newer.value = newer;
    });
  }

  /** Applies updates in order. Updates of entries that are not loaded are ignored: the page that loads them includes them. */
  apply(updates: readonly EntryUpdate[]): void {
    batch(() => {
      const shapes = new ShapeList(this.#shapes.peek());
      const grown = new Map<number, Growth>();
      const grow = (): void => {
        for (const [seq, growth] of grown) this.#append(seq, growth);
        grown.clear();
      };
      for (const update of updates) {
        if (update.type === 'append') {
          const growth = grown.get(update.seq) ?? {
            parts: [],
            chunks: this.#views.get(update.seq)?.peek().chunks ?? 0,
            complete: undefined,
          };
          // A page that was loaded meanwhile includes these parts.
          if (update.chunks > growth.chunks) growth.parts.push(...update.parts);
          growth.chunks = Math.max(growth.chunks, update.chunks);
          growth.complete = update.complete ?? growth.complete;
          grown.set(update.seq, growth);
        } else {
          grow();
          this.#put(update.entry, shapes);
        }
      }
      grow();
      this.#shapes.value = shapes.list;
    });
  }

  /**
   * Removes the oldest entries beyond `limit`; they stay in the history and can be loaded again. Consecutive statuses are kept together, up
   * to `maxRun`, since they may be pieces of one text.
   */
  trim(limit: number, maxRun = limit): void {
    const shapes = this.#shapes.peek();
    let from = shapes.length - limit;
    while (from > 0 && from > shapes.length - maxRun && shapes[from]?.kind === 'status' && sameRun(shapes[from], shapes[from - 1])) from--;
    if (from <= 0) return;
    batch(() => {
      for (const { seq } of shapes.slice(0, from)) this.#views.delete(seq);
      this.#shapes.value = shapes.slice(from);
      this.#more.value = true;
    });
  }

  /** The newest entry, where it is a problem. */
  get lastProblem(): ProblemEntry | undefined {
    const last = this.#shapes.value.at(-1);
    const entry = last?.kind === 'problem' ? this.#views.get(last.seq)?.value.entry : undefined;
    return entry?.kind === 'problem' ? entry : undefined;
  }

  /** The person's newest message before an entry, in its task or in none. */
  askedBefore(seq: number): MessageEntry | undefined {
    const shapes = this.#shapes.value;
    const taskId = shapes.find(shape => shape.seq === seq)?.taskId;
    const asked = shapes.findLast(shape => shape.seq < seq && shape.mine && (shape.taskId === undefined || shape.taskId === taskId));
    const entry = asked === undefined ? undefined : this.#views.get(asked.seq)?.value.entry;
    return entry?.kind === 'message' ? entry : undefined;
  }

  /** True for a message that was refused and arrived when it was sent again, and for the problem that it met. */
  isSentAgain(seq: number): boolean {
    const entry = this.#views.get(seq)?.value.entry;
    const asked = entry?.kind === 'problem' ? this.askedBefore(seq) : entry;
    if (asked?.kind !== 'message' || asked.delivery !== 'refused' || entry?.taskId !== asked.taskId) return false;
    const content = JSON.stringify([asked.message.taskId, asked.message.parts]);
    return this.#shapes.value.some(shape => {
      const later = shape.mine && shape.seq > asked.seq ? this.#views.get(shape.seq)?.value.entry : undefined;
      return (
        later?.kind === 'message' && later.delivery === 'sent' && JSON.stringify([later.message.taskId, later.message.parts]) === content
      );
    });
  }

  /** True for a problem that the next entry repeats in the same words. */
  isRepeated(seq: number): boolean {
    const shapes = this.#shapes.value;
    const [one, other] = [seq, shapes[shapes.findIndex(shape => shape.seq === seq) + 1]?.seq ?? -1].map(
      each => this.#views.get(each)?.value.entry,
    );
    return one?.kind === 'problem' && other?.kind === 'problem' && JSON.stringify(one.sentence) === JSON.stringify(other.sentence);
  }

  /** The seq of that message, where it asks for output of a schema. */
  askedSchemaOf(seq: number): number | undefined {
    const entry = this.askedBefore(seq);
    return entry?.kind === 'message' && entry.message.parts.some(({ metadata }) => metadata?.['schema'] !== undefined)
      ? entry.seq
      : undefined;
  }

  /** Adds those that are not there yet; their shapes. */
  #add(entries: readonly Entry[]): readonly Shape[] {
    const added = entries.filter(({ seq }) => !this.#views.has(seq));
    for (const entry of added) this.#views.set(entry.seq, signal(viewOf(entry)));
    return added.map(shapeOf);
  }

  #put(entry: Entry, shapes: ShapeList): void {
    const view = this.#views.get(entry.seq);
    if (view === undefined) {
      const [first] = shapes.list;
      const last = shapes.list.at(-1);
      if (this.#more.peek() && first !== undefined && entry.seq < first.seq) return;
      if (this.#newer.peek() && last !== undefined && entry.seq > last.seq) return;
      this.#views.set(entry.seq, signal(viewOf(entry)));
    } else view.value = viewOf(entry, view.peek().parts);
    shapes.put(shapeOf(entry));
  }

  #append(seq: number, { parts, chunks, complete }: Growth): void {
    const view = this.#views.get(seq);
    if (view === undefined) return;
    const { entry, parts: before } = view.peek();
    const grown = complete === undefined || entry.kind !== 'artifact' ? entry : { ...entry, complete };
    const { leftOut = 0 } = grown;
    // The page does not have the parts before these.
    view.value =
      leftOut > 0
        ? { entry: { ...grown, leftOut: leftOut + parts.length }, parts: before, chunks }
        : { entry: grown, parts: appendParts(before, parts), chunks };
  }
}

const sameRun = (one: Shape | undefined, other: Shape | undefined): boolean => one?.kind === other?.kind && one?.taskId === other?.taskId;

function viewOf(entry: SentEntry, before?: readonly ShownPart[]): EntryView {
  switch (entry.kind) {
    case 'message':
      return { entry, parts: showParts(entry.message.parts, [], entry.cut), chunks: 0 };
    case 'status':
      return { entry, parts: showParts(entry.message?.parts ?? [], [], entry.cut), chunks: 0 };
    case 'artifact':
      return { entry, parts: showParts(entry.artifact.parts, before, entry.cut), chunks: entry.chunks };
    case 'problem':
    case 'gap':
      return { entry, parts: [], chunks: 0 };
  }
}

/** Shapes by seq; a new list only where something changed. */
class ShapeList {
  list: readonly Shape[];
  #own: Shape[] | undefined;

  constructor(list: readonly Shape[]) {
    this.list = list;
  }

  put(shape: Shape): void {
    let index = this.list.length;
    while (index > 0 && (this.list[index - 1]?.seq ?? 0) > shape.seq) index--;
    const before = this.list[index - 1];
    const replaces = before?.seq === shape.seq;
    if (replaces && sameShape(before, shape)) return;
    this.#own ??= [...this.list];
    this.#own.splice(replaces ? index - 1 : index, replaces ? 1 : 0, shape);
    this.list = this.#own;
  }
}
