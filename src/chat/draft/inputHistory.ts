import type { DraftContent, Recalled } from '../host/draft.ts';

/** What the composer shows while earlier messages are walked through: the draft, and the messages so far, the newest first. */
export class InputHistory {
  #steps: DraftContent[] = [];
  #seqs: number[] = [];
  #at = 0;

  /** The walk of a page before this one, of which the draft that waits is left. */
  restore(waiting: DraftContent | undefined): void {
    this.end();
    if (waiting === undefined) return;
    this.#steps = [waiting];
    this.#at = 1;
  }

  /** The draft, while an earlier message is on show. */
  get waiting(): DraftContent | undefined {
    return this.away ? this.#steps[0] : undefined;
  }

  /** An earlier message is on show. */
  get away(): boolean {
    return this.#at > 0;
  }

  /** The message on show; the one before it is to be asked for. */
  get seq(): number | undefined {
    return this.#seqs[this.#at - 1];
  }

  /** One step back to a message that was on show already; `now` is what stands in the composer, changed or not. */
  older(now: DraftContent): DraftContent | undefined {
    this.#steps[this.#at] = now;
    const next = this.#steps[this.#at + 1];
    if (next !== undefined) this.#at++;
    return next;
  }

  /** One step back to a message that was not on show yet. */
  goTo(now: DraftContent, { seq, ...content }: Recalled): DraftContent {
    this.#steps = [...this.#steps.slice(0, this.#at), now, content];
    this.#seqs = [...this.#seqs.slice(0, this.#at), seq];
    this.#at++;
    return content;
  }

  /** One step forward; undefined at the draft. */
  newer(now: DraftContent): DraftContent | undefined {
    if (this.#at === 0) return undefined;
    this.#steps[this.#at] = now;
    return this.#steps[--this.#at];
  }

  /** Ends the walk. Gives the draft as it was before. */
  end(): DraftContent | undefined {
    const draft = this.waiting;
    this.#steps = [];
    this.#seqs = [];
    this.#at = 0;
    return draft;
  }
}
