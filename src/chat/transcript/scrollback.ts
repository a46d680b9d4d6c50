import { batch, signal } from '@preact/signals';
import type { Entry } from '../../protocol/message/transcript.ts';
import type { Channel } from '../host/channel.ts';
import type { Transcript } from './transcript.ts';

/** The transcript and its history: pages are loaded as the reader scrolls, and any entry can be shown. */
export class Scrollback {
  readonly loadingOlder = signal(false);
  readonly #transcript: Transcript;
  readonly #channel: Channel;
  readonly #came: (entries: readonly Entry[]) => void;
  readonly #fail: (error: unknown) => void;
  #loadingNewer = false;

  /** `came` is called with each loaded page; `fail` with each error. */
  constructor(transcript: Transcript, channel: Channel, came: (entries: readonly Entry[]) => void, fail: (error: unknown) => void) {
    this.#transcript = transcript;
    this.#channel = channel;
    this.#came = came;
    this.#fail = fail;
  }

  /** Loads the page before the first entry. Resolves when it is shown. */
  async loadOlder(): Promise<void> {
    const before = this.#transcript.first;
    if (before === undefined || this.loadingOlder.peek() || !this.#transcript.more.peek()) return;
    this.loadingOlder.value = true;
    await this.#try(async () => {
      const { entries, more } = await this.#channel.request('older', { before });
      // The reader may have moved elsewhere meanwhile.
      if (this.#transcript.first === before) this.#show(entries, () => this.#transcript.prepend(entries, more));
    });
    this.loadingOlder.value = false;
  }

  /** Loads the page after the last entry, where newer entries are not shown. */
  async loadNewer(): Promise<void> {
    const after = this.#transcript.last;
    if (after === undefined || this.#loadingNewer || !this.#transcript.newer.peek()) return;
    this.#loadingNewer = true;
    await this.#try(async () => {
      const { entries, more } = await this.#channel.request('newer', { after });
      if (this.#transcript.last === after) this.#show(entries, () => this.#transcript.extend(entries, more));
    });
    this.#loadingNewer = false;
  }

  /** Shows the entry; loads the page around it where it is not near the shown ones. Resolves to false where it cannot be loaded. */
  async goTo(seq: number): Promise<boolean> {
    if (this.#transcript.view(seq) === undefined) {
      await this.#try(async () => {
        const { entries, older, newer } = await this.#channel.request('around', { seq });
        this.#show(entries, () => this.#transcript.load(entries, older, newer));
      });
    }
    return this.#transcript.view(seq) !== undefined;
  }

  /** Shows the newest entries. */
  async goToEnd(): Promise<void> {
    if (!this.#transcript.newer.peek()) return;
    await this.#try(async () => {
      const { entries, more } = await this.#channel.request('older', { before: Number.MAX_SAFE_INTEGER });
      this.#show(entries, () => this.#transcript.load(entries, more));
    });
  }

  #show(entries: readonly Entry[], put: () => void): void {
    batch(() => {
      put();
      this.#came(entries);
    });
  }

  async #try(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#fail(error);
    }
  }
}
