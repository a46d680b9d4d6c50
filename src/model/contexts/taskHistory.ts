import { Problem, sentence, type LocalizedMessage } from '../../protocol/problem.ts';
import type { Entry, TaskSummary } from '../../protocol/message/transcript.ts';
import { writtenWithoutPasswords } from '../../store/rows/hiddenPasswords.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import type { ImportOutcome } from '../../store/transfer/historyImport.ts';
import type { DiskUse } from '../../store/database/diskUse.ts';
import { filterTerms, type ListFilter } from '../../store/lists/listFilter.ts';
import type { DeviantExchange } from '../../store/rows/exchangeRows.ts';
import type { CheckRuns } from '../../store/rows/checkRuns.ts';
import type { RetentionOptions, RetentionOutcome } from '../../store/changes/retention.ts';
import { salvage } from '../../store/transfer/historyRescue.ts';
import type { SalvageOutcome } from '../../store/transfer/salvage.ts';
import type { SearchOptions, SearchPage } from '../../store/search/search.ts';
import { clean, fold } from '../../store/search/searchText.ts';
import type { ListedTask, TaskCursor } from '../../store/lists/taskList.ts';
import type { TaskStore } from '../../store/taskStore.ts';
import type { Recording } from '../../recording/recording.ts';
import { entriesMarkdown, transcriptMarkdown } from '../../store/transfer/transcriptMarkdown.ts';

const entriesAtOnce = 200;
const tasksAtOnce = 200;
/** Most contexts of an agent in which deviations are looked for. */
const deviantContexts = 50;
/** Most tasks of a context that a filter shows, and most that it searches. */
const maxFitting = 2_000;
const maxLookedAt = 20_000;

/** The history as a whole: search, retention, export and import. */
export class TaskHistory {
  readonly #store: TaskStore;
  readonly #onChanged: () => void;

  /** `onChanged` is called when contexts may have been added or removed. */
  constructor(store: TaskStore, onChanged: () => void) {
    this.#store = store;
    this.#onChanged = onChanged;
  }

  /** Runs of the conformance suite. */
  get checks(): CheckRuns {
    return this.#store.checks;
  }

  /** Exchanges with findings in the contexts of an agent that were used last; newest contexts first. */
  deviations(agent: string): readonly DeviantExchange[] {
    return this.#store.contexts({ agent, limit: deviantContexts }).flatMap(({ key }) => this.#store.deviantExchanges(key));
  }

  /** True if `deviations` has any that is not disputed. */
  deviates(agent: string): boolean {
    return this.#store.deviates(agent);
  }

  /** Entries that have all the words, the newest first. Throws a `Problem` with code `search-too-long`. */
  search(options: SearchOptions): SearchPage {
    return this.#store.search.find(options);
  }

  /** Tasks of all contexts, pinned ones first, then the last changed; at most `limit` (50, never above 201). */
  tasks(options: ListFilter & { readonly before?: TaskCursor; readonly limit?: number } = {}): readonly ListedTask[] {
    return this.#store.listTasks(options);
  }

  /**
   * Tasks of one context that fit, newest first: at most 2,000, of its newest 20,000. If the text matches no task but the context, the text
   * does not filter further.
   */
  tasksOf(context: string, filter: Omit<ListFilter, 'agent'>): readonly TaskSummary[] {
    const { states, since = 0, until = Infinity } = filter;
    const terms = filterTerms(filter);
    const fitting: TaskSummary[] = [];
    const named: TaskSummary[] = [];
    let before: string | undefined;
    for (let looked = 0; looked < maxLookedAt && named.length < maxFitting; ) {
      const page = this.#store.tasks({ context, before, limit: tasksAtOnce });
      for (const task of page) {
        const { state, updatedAt, title, taskId } = task;
        if (states?.includes(state) === false || updatedAt < since || updatedAt >= until) continue;
        if (fitting.length < maxFitting) fitting.push(task);
        const names = fold(clean(`${title} ${taskId}`));
        if (named.length < maxFitting && terms.every(term => names.includes(term))) named.push(task);
      }
      looked += page.length;
      before = page.at(-1)?.taskId;
      if (page.length < tasksAtOnce) break;
    }
    return named.length > 0 ? named : fitting;
  }

  get disk(): DiskUse {
    return this.#store.disk;
  }

  /** Size of all content, in bytes. */
  content(): Promise<number> {
    return this.#store.retention.content();
  }

  /** The items that `retain` would delete now. */
  whatWouldGo(options: RetentionOptions): Promise<RetentionOutcome> {
    return this.#store.retention.whatWouldGo(options, Date.now());
  }

  /** Deletes for good what exceeds the limits. */
  async retain(options: RetentionOptions): Promise<RetentionOutcome> {
    try {
      return await this.#store.retention.apply(options, Date.now());
    } finally {
      this.#onChanged();
    }
  }

  /** Removes the tasks and contexts that exceed the limits from the lists, as `AgentContexts.remove` does. Resolves with the way back. */
  async clear(options: RetentionOptions): Promise<() => void> {
    const { retention, edits } = this.#store;
    const at = Date.now();
    try {
      await retention.hide(options, at);
    } finally {
      this.#onChanged();
    }
    return () => {
      edits.restore(edits.deletedAt(at));
      this.#onChanged();
    };
  }

  /** Lines of JSON, one for each task; everything if no items are given. `wire`: with exchanges and frames, credentials masked. */
  exportLines(items?: readonly HistoryItem[], options: { readonly wire?: boolean } = {}): Iterable<string> {
    return this.#store.export.lines(items, options);
  }

  /**
   * Imports the output of `exportLines`, nothing twice; the result names unreadable lines.
   * @param label put in brackets after an agent's name that belongs to another agent here.
   */
  async importLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, label: string): Promise<ImportOutcome> {
    try {
      return await this.#store.import.lines(chunks, Date.now(), label);
    } finally {
      this.#onChanged();
    }
  }

  /**
   * Puts a recording into the history, as contexts of an agent that is in no settings: one for each of its conversations. What is there is not
   * changed. Resolves with the key of the first. Rejects with a `Problem`: `nothing-recorded`, or if the history cannot be written.
   * @param id of the file's content
   * @param agent the name to show; the agent gets a number behind it where another one has the name
   */
  async putRecording(recording: Recording, as: { readonly id: string; readonly agent: string }): Promise<string> {
    const { putRecording } = await import('./recordingImport.ts');
    const first = await putRecording(this.#store, recording, as);
    this.#onChanged();
    return first;
  }

  /** Copies what can be read of a history that was moved away as damaged; see `openStore`. */
  async salvage(setAside: string): Promise<SalvageOutcome> {
    try {
      return await salvage(setAside, this.#store.import, Date.now());
    } finally {
      this.#onChanged();
    }
  }

  /** A context's transcript for reading, or a task's part of it, in pieces of Markdown. Rejects with a `Problem` with code `no-context`. */
  async markdown({ context: key, taskId }: HistoryItem, tell?: (sentence: LocalizedMessage) => string): Promise<Iterable<string>> {
    const context = this.#store.context(key);
    if (context === undefined) {
      throw new Problem('no-context', sentence('This context is no longer in the history.'), {
        nextStep: sentence('It was deleted, perhaps in another window. Start a new one.'),
      });
    }
    const verdicts = this.#store.artifacts
      .ofContext(key)
      .flatMap(({ seq, verdict }) => (verdict === undefined ? [] : [[seq, verdict] as const]));
    return writtenWithoutPasswords(this.#entries(key, taskId), entries =>
      transcriptMarkdown(context, entries, tell, new Map(verdicts), seq => this.#store.artifacts.revisions(key, seq)),
    );
  }

  /** Each of these entries of one context as a piece of such a transcript. */
  entriesMarkdown(entries: readonly Entry[]): readonly string[] {
    return [...writtenWithoutPasswords(entries, entriesMarkdown)];
  }

  *#entries(context: string, taskId: string | undefined): Generator<Entry> {
    for (let after = 0; ; ) {
      const entries = this.#store.transcript.entriesAfter({ context, after, limit: entriesAtOnce });
      yield* taskId === undefined ? entries : entries.filter(entry => entry.taskId === taskId);
      after = entries.at(-1)?.seq ?? 0;
      if (entries.length < entriesAtOnce) return;
    }
  }
}
