import type { DraftContent, Recalled } from '../host/draft.ts';

/** The composer's history of sent messages, newest first, with the draft that was there before. */
export class InputHistory {
  #steps: DraftContent[] = [];
  #seqs: number[] = [];
  #at = 0;

  /** Continues after a reload: only the waiting draft is left. */
  restore(waiting: DraftContent | undefined): void {
    this.end();
    if (waiting === undefined) return;
    this.#steps = [waiting];
    this.#at = 1;
  }

  /** The draft that waits while an earlier message is shown. */
  get waiting(): DraftContent | undefined {
    return this.away ? this.#steps[0] : undefined;
  }

  /** True while an earlier message is shown. */
  get away(): boolean {
    return this.#at > 0;
  }

  /** The seq of the shown message; the caller asks the host for the one before it. */
  get seq(): number | undefined {
    return this.#seqs[this.#at - 1];
  }

  /** Goes back to a message already loaded; `now` is the composer's current content. Undefined where none is loaded. */
  older(now: DraftContent): DraftContent | undefined {
    this.#steps[this.#at] = now;
    const next = this.#steps[this.#at + 1];
    if (next !== undefined) this.#at++;
    return next;
  }

  /** Goes back to a message that was just loaded. */
  goTo(now: DraftContent, { seq, ...content }: Recalled): DraftContent {
    this.#steps = [...this.#steps.slice(0, this.#at), now, content];
    this.#seqs = [...this.#seqs.slice(0, this.#at), seq];
    this.#at++;
    return content;
  }

  /** Goes forward by one; undefined at the draft. */
  newer(now: DraftContent): DraftContent | undefined {
    if (this.#at === 0) return undefined;
    this.#steps[this.#at] = now;
    return this.#steps[--this.#at];
  }

  /** Ends browsing and returns the waiting draft. */
  end(): DraftContent | undefined {
    const draft = this.waiting;
    this.#steps = [];
    this.#seqs = [];
    this.#at = 0;
    return draft;
  }
}
