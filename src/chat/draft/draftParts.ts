import { signal } from '@preact/signals';
import { HostError } from '../host/channel.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import type { DraftContent, DraftFile, DraftPart } from '../host/draft.ts';
import { maxParts } from '../host/limits.ts';
import { t } from '../text/strings.ts';
import { moveItem, withoutPart } from './slots.ts';

interface DraftPartsNeeds {
  readonly host: HostRequests;
  readonly changed: () => void;
  /** Puts the keyboard focus into the text box. */
  readonly focusText: () => void;
}

/** The parts of the next message besides its text, in order. */
export class DraftParts {
  /** The parts, and how many of them come before the text. */
  readonly order = signal<Pick<DraftContent, 'parts' | 'textAt'>>({ parts: [], textAt: 0 });
  /** Files with a media type that the agent does not accept: the person decides whether to attach them. */
  readonly refused = signal<readonly DraftFile[]>([]);
  /** The part that gets the keyboard focus, by id, or `text` for the text box; a new object for each request. */
  readonly wanted = signal<{ readonly id: string } | undefined>(undefined);
  readonly #needs: DraftPartsNeeds;

  constructor(needs: DraftPartsNeeds) {
    this.#needs = needs;
  }

  /** Total size of all files in bytes. */
  get bytes(): number {
    return this.order.peek().parts.reduce((sum, part) => sum + (part.kind === 'file' ? part.size : 0), 0);
  }

  /** Attaches parts after the others; those that the agent does not accept wait for the person's decision. */
  attach(parts: readonly DraftPart[]): void {
    const isRefused = (part: DraftPart): part is DraftFile => part.kind === 'file' && part.refused !== undefined;
    const known = new Set([...this.order.peek().parts, ...this.refused.peek()].map(({ id }) => id));
    const fresh = parts.filter(({ id }) => !known.has(id));
    this.refused.value = [...this.refused.peek(), ...fresh.filter(isRefused)].slice(-maxParts);
    this.#add(fresh.filter(part => !isRefused(part)));
  }

  /** Attaches the refused files, or drops them. */
  settleRefused(anyway: boolean): void {
    const refused = this.refused.peek();
    this.refused.value = [];
    if (anyway) this.#add(refused);
    this.#needs.focusText();
    // The host's limits count the parts of the kept draft.
    this.#needs.changed();
  }

  /** Replaces the part with the same id, or adds it at the end. */
  put(part: DraftPart): void {
    const { parts, textAt } = this.order.peek();
    if (!parts.some(({ id }) => id === part.id)) return this.#add([part]);
    this.order.value = { parts: parts.map(each => (each.id === part.id ? part : each)), textAt };
    this.#needs.changed();
  }

  /** Moves the part at `index` (the text counts as one) by `by` positions. */
  move(index: number, by: number, id: string): void {
    this.order.value = moveItem(this.order.peek(), index, by);
    this.wanted.value = { id };
    this.#needs.changed();
  }

  remove(id: string): void {
    const at = this.order.peek().parts.findIndex(part => part.id === id);
    this.order.value = withoutPart(this.order.peek(), id);
    const { parts } = this.order.peek();
    const next = parts[at] ?? parts[at - 1];
    if (next === undefined) this.#needs.focusText();
    else this.wanted.value = { id: next.id };
    this.#needs.changed();
  }

  #add(parts: readonly DraftPart[]): void {
    const { parts: before, textAt } = this.order.peek();
    if (before.length + parts.length > maxParts) {
      this.#needs.host.fail(
        new HostError(
          t('A message can have at most {0} parts besides its text.', maxParts),
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
