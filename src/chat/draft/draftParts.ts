import { signal } from '@preact/signals';
import { HostError } from '../host/channel.ts';
import { type DraftContent, type DraftFile, type DraftPart, maxParts } from '../host/draft.ts';
import { t } from '../text/strings.ts';
import { moved, without } from './slots.ts';

export interface DraftPartsNeeds {
  readonly fail: (error: HostError) => void;
  readonly changed: () => void;
  /** The keyboard focus is wanted in the text box. */
  readonly focusText: () => void;
}

/** The parts of the next message besides its text, in their order. */
export class DraftParts {
  /** And how many of them come before the text. */
  readonly order = signal<Pick<DraftContent, 'parts' | 'textAt'>>({ parts: [], textAt: 0 });
  /** Files that the agent is not likely to take: the person says what becomes of them. */
  readonly refused = signal<readonly DraftFile[]>([]);
  /** The part that the keyboard focus belongs to, by its id, or the text by its own name; a new object each time. */
  readonly wanted = signal<{ readonly id: string } | undefined>(undefined);
  readonly #needs: DraftPartsNeeds;

  constructor(needs: DraftPartsNeeds) {
    this.#needs = needs;
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.order.peek().parts.reduce((sum, part) => sum + (part.kind === 'file' ? part.size : 0), 0);
  }

  /** Attaches parts behind the others; those that the agent is not likely to take wait for a word of the person's. */
  attach(parts: readonly DraftPart[]): void {
    const isRefused = (part: DraftPart): part is DraftFile => part.kind === 'file' && part.refused !== undefined;
    const known = new Set([...this.order.peek().parts, ...this.refused.peek()].map(({ id }) => id));
    const fresh = parts.filter(({ id }) => !known.has(id));
    this.refused.value = [...this.refused.peek(), ...fresh.filter(isRefused)].slice(-maxParts);
    this.#add(fresh.filter(part => !isRefused(part)));
  }

  /** Attaches what was refused, or lets it go. */
  settleRefused(anyway: boolean): void {
    const refused = this.refused.peek();
    this.refused.value = [];
    if (anyway) this.#add(refused);
    this.#needs.focusText();
    // The host counts what is kept.
    this.#needs.changed();
  }

  /** Puts a part in the place of the one with its id, or behind all others. */
  put(part: DraftPart): void {
    const { parts, textAt } = this.order.peek();
    if (!parts.some(({ id }) => id === part.id)) return this.#add([part]);
    this.order.value = { parts: parts.map(each => (each.id === part.id ? part : each)), textAt };
    this.#needs.changed();
  }

  /** Moves the one at a place of the order, the text counted, by so many places. */
  move(index: number, by: number, id: string): void {
    this.order.value = moved(this.order.peek(), index, by);
    this.wanted.value = { id };
    this.#needs.changed();
  }

  remove(id: string): void {
    const at = this.order.peek().parts.findIndex(part => part.id === id);
    this.order.value = without(this.order.peek(), id);
    const { parts } = this.order.peek();
    const next = parts[at] ?? parts[at - 1];
    if (next === undefined) this.#needs.focusText();
    else this.wanted.value = { id: next.id };
    this.#needs.changed();
  }

  #add(parts: readonly DraftPart[]): void {
    const { parts: before, textAt } = this.order.peek();
    if (before.length + parts.length > maxParts) {
      this.#needs.fail(
        new HostError(
          t('A message takes {0} parts besides its text.', maxParts),
          t('Remove some first, or send them in several messages.'),
        ),
      );
    }
    const added = parts.slice(0, maxParts - before.length);
    if (added.length === 0) return;
    this.order.value = { parts: [...before, ...added], textAt };
    this.#needs.focusText();
    this.#needs.changed();
  }
}
