import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Entry } from '../../protocol/message/transcript.ts';
import type { SearchHit } from '../../store/search/search.ts';
import { oneLine, escapeIcons } from '../platform/untrustedText.ts';
import { relativeTime } from '../platform/relativeTime.ts';
import { explain, report } from '../platform/report.ts';

/** Delay between the last keystroke and the search, in milliseconds. */
const pause = 150;
const pageSize = 50;
/** Maximum number of queries for one page: each examines a bounded number of entries and may find nothing. */
const pagesAtOnce = 20;

const icons: Readonly<Record<Entry['kind'], string>> = {
  message: 'comment',
  status: 'pulse',
  artifact: 'package',
  problem: 'error',
  gap: 'debug-disconnect',
};

interface HitItem extends vscode.QuickPickItem {
  readonly hit?: SearchHit;
  /** True for the item that loads more results. */
  readonly more?: true;
}

export interface HistorySearchOptions {
  readonly contexts: AgentContexts;
  /** Shows the entry in its chat. */
  readonly openEntry: (hit: SearchHit) => Promise<void>;
  readonly openArtifact: (hit: SearchHit) => Promise<void>;
}

/** Searches all messages, status messages and artifacts while the person types. A new keystroke cancels the search before. */
export class HistorySearch {
  readonly #needs: HistorySearchOptions;
  readonly #pick = vscode.window.createQuickPick<HitItem>();
  readonly #openArtifact: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('go-to-file'),
    tooltip: vscode.l10n.t('Open Artifact'),
  };
  #timer: NodeJS.Timeout | undefined;
  /** Number of the current search: results of earlier ones are dropped. */
  #search = 0;
  #hits: readonly SearchHit[] = [];
  #next: number | undefined;

  private constructor(needs: HistorySearchOptions, text: string) {
    this.#needs = needs;
    const pick = this.#pick;
    pick.title = vscode.l10n.t('Search History');
    pick.placeholder = vscode.l10n.t('Search messages and artifacts');
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    pick.value = text;
    pick.onDidChangeValue(() => this.#searchSoon());
    pick.onDidAccept(() => this.#accept());
    pick.onDidTriggerItemButton(({ item }) => {
      if (item.hit !== undefined) needs.openArtifact(item.hit).then(undefined, report);
    });
    pick.onDidHide(() => {
      this.#search++;
      clearTimeout(this.#timer);
      pick.dispose();
    });
    pick.show();
    if (text !== '') this.#searchSoon();
  }

  /** @param text what to search for at first */
  static open(needs: HistorySearchOptions, text = ''): void {
    new HistorySearch(needs, text);
  }

  #searchSoon(): void {
    clearTimeout(this.#timer);
    this.#search++;
    this.#pick.busy = true;
    this.#timer = setTimeout(() => {
      this.#hits = [];
      this.#next = undefined;
      void this.#load();
    }, pause);
  }

  #accept(): void {
    const [item] = this.#pick.selectedItems;
    if (item?.more === true) {
      this.#pick.busy = true;
      void this.#load();
    } else if (item?.hit !== undefined) {
      this.#pick.hide();
      void this.#needs.openEntry(item.hit);
    }
  }

  /** Loads a page of results with as many queries as that takes, and yields to the event loop after each so that keystrokes are handled. */
  async #load(): Promise<void> {
    const search = ++this.#search;
    const text = this.#pick.value;
    try {
      let complete = true;
      for (let pages = 0, found = 0; pages < pagesAtOnce && found < pageSize; pages++) {
        const page = this.#needs.contexts.history.search({ text, before: this.#next, limit: pageSize - found });
        this.#hits = [...this.#hits, ...page.hits];
        found += page.hits.length;
        this.#next = page.next;
        complete = page.complete;
        if (page.next === undefined) break;
        await setImmediate();
        if (search !== this.#search) return;
      }
      this.#show(text, complete);
    } catch (error) {
      this.#pick.items = [{ label: explain(error).message, detail: explain(error).nextStep, alwaysShow: true }];
    }
    this.#pick.busy = false;
  }

  #show(text: string, complete: boolean): void {
    const pick = this.#pick;
    const before = pick.items.length;
    const items: HitItem[] = this.#hits.map(hit => this.#item(hit));
    if (this.#next !== undefined) items.push({ label: `$(ellipsis) ${vscode.l10n.t('More Results…')}`, alwaysShow: true, more: true });
    if (items.length === 0 && text.trim() !== '') items.push({ label: vscode.l10n.t('Nothing was found.'), alwaysShow: true });
    if (!complete) items.push({ label: vscode.l10n.t('Older entries are still loading. Search again in a moment.'), alwaysShow: true });
    pick.items = items;
    // After "More Results…", activates the first new result.
    const first = items[Math.max(0, before - 1)];
    if (this.#hits.length > pageSize && first !== undefined) pick.activeItems = [first];
  }

  #item(hit: SearchHit): HitItem {
    const context = this.#needs.contexts.get(hit.context);
    const title = oneLine(context?.title ?? '').slice(0, 60);
    const ofTask = hit.taskId === undefined ? '' : oneLine(context?.taskSummary(hit.taskId)?.title ?? '').slice(0, 60);
    return {
      label: `$(${icons[hit.kind]}) ${escapeIcons(hit.agent)}`,
      description: [relativeTime(hit.at), escapeIcons(title), ofTask === title ? '' : escapeIcons(ofTask)].filter(Boolean).join(' · '),
      detail: escapeIcons(hit.snippet.text),
      alwaysShow: true,
      ...(hit.kind === 'artifact' && { buttons: [this.#openArtifact] }),
      hit,
    };
  }
}
