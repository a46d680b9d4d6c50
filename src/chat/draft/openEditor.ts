import { signal } from '@preact/signals';
import type { DraftPart } from '../host/draft.ts';

/** What is being written besides the text, one at a time. */
type Editing =
  | { readonly kind: 'part'; readonly part: Extract<DraftPart, { readonly kind: 'data' | 'text' }> }
  | { readonly kind: 'metadata' | 'modes' | 'sending' };

/** The editor for what is not the text of the message, below the text box: open or closed. */
export class OpenEditor {
  readonly content = signal<Editing | undefined>(undefined);
  /** Takes what stands in the open editor into the message; false where that is wrong, which it then says. */
  onTake: (() => boolean | Promise<boolean>) | undefined;
  /** Counts requests for the keyboard focus in the open editor. */
  readonly focusWanted = signal(0);
  readonly #focusText: () => void;

  constructor(focusText: () => void) {
    this.#focusText = focusText;
  }

  /** What an editor that is open already has is taken first; where that is wrong it stays open. */
  open(content: Editing): void {
    void this.take().then(taken => {
      if (taken) this.content.value = content;
    });
  }

  close(): void {
    this.content.value = undefined;
    this.#focusText();
  }

  /** What is being edited belongs to the message: it is sent along, or the message waits for it. */
  async take(): Promise<boolean> {
    if (this.content.peek() === undefined || this.onTake === undefined || (await this.onTake())) return true;
    this.focusWanted.value++;
    return false;
  }
}
