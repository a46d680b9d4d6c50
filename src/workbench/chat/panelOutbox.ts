import { maxParts, maxReferences } from '../../chat/host/limits.ts';
import type { DraftPart } from '../../chat/host/draft.ts';
import type { Events } from '../../chat/host/messages.ts';
import type { ExchangeFindings, Referral } from '../../chat/host/chatState.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { EntryUpdate } from '../../protocol/message/transcript.ts';
import { findingLines } from '../documents/findingLines.ts';
import { translate } from '../platform/report.ts';
import { sentUpdates } from './sentEntries.ts';
import { chatState } from './state.ts';

/** The panel gets updates at most twice in this time, milliseconds: what directly follows a new entry is not delayed either. */
const frameMs = 32;
/** Maximum size of the updates at a time, as `roomAfter` counts it: the rest follows the next time. */
const maxUpdates = 1_000_000;

interface OutboxNeeds {
  readonly context: AgentContext;
  /** False while the page is hidden, or has not asked for its content yet: events wait then. */
  readonly isOpen: () => boolean;
  readonly post: <Name extends keyof Events>(name: Name, value: Events[Name]) => void;
}

/** The events that a chat's page has to get, each kept until the page can take it. */
export class PanelOutbox {
  readonly #needs: OutboxNeeds;
  #updates: EntryUpdate[] = [];
  #stateChanged = false;
  #findingsChanged = false;
  #timer: NodeJS.Timeout | undefined;
  #flushedAt = 0;
  /** Time of the flush before the last one; on the clock of `performance.now()`. */
  #flushedBefore = 0;
  /** seq of the entry to scroll to. */
  #revealed: number | undefined;
  #exchange: string | undefined;
  #references: readonly Referral[] = [];
  #attached: readonly DraftPart[] = [];

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
  }

  /** Updates of entries; dropped while the page is closed, since a new page gets all entries. */
  update(updates: readonly EntryUpdate[]): void {
    if (!this.#needs.isOpen()) return;
    this.#updates.push(...updates);
    this.flushSoon();
  }

  stateChanged(): void {
    this.#stateChanged = true;
    this.flushSoon();
  }

  findingsChanged(): void {
    this.#findingsChanged = true;
    this.flushSoon();
  }

  reveal(seq: number): void {
    this.#revealed = seq;
    this.flushSoon();
  }

  showExchange(exchangeId: string | undefined): void {
    this.#exchange = exchangeId;
    this.flushSoon();
  }

  refer(references: readonly Referral[]): void {
    this.#references = [...this.#references, ...references].slice(-maxReferences);
    this.flushSoon();
  }

  attach(parts: readonly DraftPart[]): void {
    this.#attached = [...this.#attached, ...parts].slice(-maxParts);
    this.flushSoon();
  }

  /** Content for a new page: everything that waits for it besides the entries and the state. */
  take(): {
    readonly findings: readonly ExchangeFindings[];
    readonly references: readonly Referral[];
    readonly attached: readonly DraftPart[];
  } {
    const references = this.#references;
    const attached = this.#attached;
    this.#references = [];
    this.#attached = [];
    return { findings: this.#findings(), references, attached };
  }

  /** Drops what a new page gets with its content. */
  restart(): void {
    this.#updates = [];
    this.#findingsChanged = false;
  }

  flushSoon(): void {
    if (!this.#needs.isOpen()) return;
    // The first of several updates is sent without delay.
    this.#timer ??= setTimeout(() => this.flush(), Math.max(0, frameMs - (performance.now() - this.#flushedBefore)));
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#needs.isOpen()) return;
    this.#flushedBefore = this.#flushedAt;
    this.#flushedAt = performance.now();
    const updates = sentUpdates(this.#updates, { entryAt: seq => this.#needs.context.entry(seq), room: maxUpdates });
    if (updates.length > 0) this.#needs.post('updates', updates);
    this.#updates = this.#updates.slice(updates.length);
    // The rest follows the last update.
    if (this.#updates.length > 0) return this.flushSoon();
    if (this.#references.length > 0) this.#needs.post('refer', this.#references);
    this.#references = [];
    if (this.#attached.length > 0) this.#needs.post('attached', this.#attached);
    this.#attached = [];
    if (this.#stateChanged) this.#needs.post('state', chatState(this.#needs.context));
    this.#stateChanged = false;
    if (this.#findingsChanged) this.#needs.post('findings', this.#findings());
    this.#findingsChanged = false;
    if (this.#revealed !== undefined) this.#needs.post('reveal', { seq: this.#revealed });
    this.#revealed = undefined;
    if (this.#exchange !== undefined) this.#needs.post('showExchange', { exchangeId: this.#exchange });
    this.#exchange = undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #findings(): readonly ExchangeFindings[] {
    return this.#needs.context.deviantExchanges().map(({ exchangeId, operation, taskId, protocolVersion, startedAt, findings }) => ({
      exchangeId,
      operation,
      ...(taskId !== undefined && { taskId }),
      startedAt,
      lines: findingLines(findings, translate, protocolVersion),
    }));
  }
}
