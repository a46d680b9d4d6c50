import { signal } from '@preact/signals';
import type { DraftPart } from '../host/draft.ts';

/** The editor of a part or of metadata, one at a time. */
type Editing =
  | { readonly kind: 'part'; readonly part: Extract<DraftPart, { readonly kind: 'data' | 'text' }> }
  | { readonly kind: 'metadata' | 'modes' | 'sending' };

/** The editor for what is not the text of the message, below the text box: open or closed. */
export class OpenEditor {
  readonly content = signal<Editing | undefined>(undefined);
  /** Takes the content of the open editor into the message; false where that is invalid, which it then shows. */
  onTake: (() => boolean | Promise<boolean>) | undefined;
  /** Counts requests for the keyboard focus in the open editor. */
  readonly focusWanted = signal(0);
  readonly #focusText: () => void;

  constructor(focusText: () => void) {
    this.#focusText = focusText;
  }

  /** Content of an editor that is already open is taken first; where that is invalid it stays open. */
  open(content: Editing): void {
    void this.take().then(taken => {
      if (taken) this.content.value = content;
    });
  }

  close(): void {
    this.content.value = undefined;
    this.#focusText();
  }

  /** Content of the open editor belongs to the message: it is sent along, or the message waits for it. */
  async take(): Promise<boolean> {
    if (this.content.peek() === undefined || this.onTake === undefined || (await this.onTake())) return true;
    this.focusWanted.value++;
    return false;
  }
}
