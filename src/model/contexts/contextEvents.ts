import type { EntryUpdate } from '../../protocol/message/transcript.ts';
import { Emitter, type Disposable } from '../emitter.ts';

/** The events of one context. */
export class ContextEvents implements Disposable {
  readonly updated: Emitter<readonly EntryUpdate[]>;
  readonly changed: Emitter<void>;
  readonly found: Emitter<void>;
  readonly deleted: Emitter<{ readonly here: boolean }>;

  constructor(onError: (error: unknown) => void) {
    this.updated = new Emitter(onError);
    this.changed = new Emitter(onError);
    this.found = new Emitter(onError);
    this.deleted = new Emitter(onError);
  }

  dispose(): void {
    for (const emitter of [this.updated, this.changed, this.found, this.deleted]) emitter.dispose();
  }
}
