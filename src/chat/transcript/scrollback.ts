import { batch, signal } from '@preact/signals';
import type { Entry } from '../../protocol/message/transcript.ts';
import type { HostRequests } from '../host/hostRequests.ts';
import type { Transcript } from './transcript.ts';

/** The transcript and its history: pages are loaded as the reader scrolls, and any entry can be shown. */
export class Scrollback {
  readonly loadingOlder = signal(false);
  readonly #transcript: Transcript;
  readonly #host: HostRequests;
  readonly #came: (entries: readonly Entry[]) => void;
  #loadingNewer = false;

  /** `came` is called with each loaded page. */
  constructor(transcript: Transcript, host: HostRequests, came: (entries: readonly Entry[]) => void) {
    this.#transcript = transcript;
    this.#host = host;
    this.#came = came;
  }

  /** Loads the page before the first entry. Resolves when it is shown. */
  async loadOlder(): Promise<void> {
    const before = this.#transcript.first;
    if (before === undefined || this.loadingOlder.peek() || !this.#transcript.more.peek()) return;
    this.loadingOlder.value = true;
    const page = await this.#host.answer('older', { before });
    // The reader may have moved elsewhere meanwhile.
    if (page && this.#transcript.first === before) this.#show(page.entries, () => this.#transcript.prepend(page.entries, page.more));
    this.loadingOlder.value = false;
  }

  /** Loads the page after the last entry, where newer entries are not shown. */
  async loadNewer(): Promise<void> {
    const after = this.#transcript.last;
    if (after === undefined || this.#loadingNewer || !this.#transcript.newer.peek()) return;
    this.#loadingNewer = true;
    const page = await this.#host.answer('newer', { after });
    if (page && this.#transcript.last === after) this.#show(page.entries, () => this.#transcript.extend(page.entries, page.more));
    this.#loadingNewer = false;
  }

  /** Shows the entry; loads the page around it where it is not near the shown ones. Resolves to false where it cannot be loaded. */
  async goTo(seq: number): Promise<boolean> {
    if (this.#transcript.view(seq) === undefined) {
      const page = await this.#host.answer('around', { seq });
      if (page) this.#show(page.entries, () => this.#transcript.load(page.entries, page.older, page.newer));
    }
    return this.#transcript.view(seq) !== undefined;
  }

  /** Shows the newest entries. */
  async goToEnd(): Promise<void> {
    if (!this.#transcript.newer.peek()) return;
    const page = await this.#host.answer('older', { before: Number.MAX_SAFE_INTEGER });
    if (page) this.#show(page.entries, () => this.#transcript.load(page.entries, page.more));
  }

  #show(entries: readonly Entry[], put: () => void): void {
    batch(() => {
      put();
      this.#came(entries);
    });
  }
}
