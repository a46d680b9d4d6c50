import * as vscode from 'vscode';
import * as z from 'zod';
import { ChosenNormalization, ComparisonPageMessage } from '../../chat/host/comparisonMessages.ts';
import { storedRun } from '../../model/again/storedRun.ts';
import type { AgentContext } from '../../model/contexts/agentContext.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem } from '../../protocol/problem.ts';
import { compareRuns, comparedTexts } from '../../recording/compare/comparison.ts';
import { usual } from '../../recording/compare/normalization.ts';
import { comparisonScheme, plainTextIfSchema, type ReadOnlyDocuments } from '../documents/readOnlyDocuments.ts';
import { log } from '../platform/log.ts';
import { report } from '../platform/report.ts';
import { throttled } from '../platform/throttled.ts';
import { escapeIcons, oneLine, truncated } from '../platform/untrustedText.ts';
import { showPage } from '../platform/webviewHtml.ts';
import { type ReadRun, runDetail, shownComparison } from './shownComparison.ts';

/** Type of the panels with compared runs. */
export const comparisonType = 'a2a.comparison';

/** Most runs beside each other. */
export const maxRuns = 8;

const Contexts = z.array(z.string().max(200)).min(1).max(maxRuns);

/** Webview state of a page, and the argument of the command. */
export const ComparedContexts = z.object({ contexts: Contexts });

/** Key of a document of {@link comparisonScheme}: a turn of the first run and of another, of which it shows one side. */
const DocumentKey = z.object({
  contexts: z.array(z.string()).length(2),
  turns: z.array(z.number().nullable()).length(2),
  side: z.union([z.literal(0), z.literal(1)]),
});
type DocumentKey = z.infer<typeof DocumentKey>;

/** How often a page is drawn while its runs go on, in milliseconds. */
const drawEvery = 500;

export interface ComparisonNeeds {
  readonly contexts: AgentContexts;
  readonly documents: ReadOnlyDocuments;
  readonly extensionUri: vscode.Uri;
  /** Keeps the choice of what does not count. */
  readonly state: vscode.Memento;
  readonly openChat: (context: AgentContext) => Promise<unknown>;
}

interface Page {
  readonly panel: vscode.WebviewPanel;
  readonly contexts: readonly string[];
  /** Runs as they were read last, by context; one that has changed is read again. */
  readonly read: Map<string, ReadRun>;
}

/** Pages with runs of a conversation beside each other. */
export class ComparisonPages implements vscode.Disposable {
  readonly #needs: ComparisonNeeds;
  readonly #pages = new Set<Page>();

  constructor(needs: ComparisonNeeds) {
    this.#needs = needs;
    needs.documents.add(comparisonScheme, { extension: 'json', render: key => this.#textOf(key) });
  }

  /** Shows the runs of these contexts, by their keys; the page that has them is shown again. */
  open(contexts: readonly string[]): void {
    const before = [...this.#pages].find(page => page.contexts.join(' ') === contexts.join(' '));
    if (before !== undefined) return before.panel.reveal();
    this.#fill(vscode.window.createWebviewPanel(comparisonType, title(), vscode.ViewColumn.Active), contexts);
  }

  /** Fills a page that VS Code kept over a reload. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = ComparedContexts.safeParse(state);
    const contexts = kept.success ? kept.data.contexts.filter(key => this.#needs.contexts.get(key) !== undefined) : [];
    if (contexts.length > 0) this.#fill(panel, contexts);
    else panel.dispose();
  }

  dispose(): void {
    for (const { panel } of this.#pages) panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel, contexts: readonly string[]): void {
    const page: Page = { panel, contexts, read: new Map() };
    this.#pages.add(page);
    panel.title = title();
    // Nothing is worth comparing anew while the page is not in sight.
    const draw = throttled(drawEvery, () => {
      if (panel.visible) this.#show(page).catch(report);
    });
    const listeners = contexts.flatMap(key => {
      const context = this.#needs.contexts.get(key);
      const changed = (): void => {
        page.read.delete(key);
        draw();
      };
      // A context that is deleted is still found while it says so.
      return context === undefined
        ? []
        : [
            context.onDidUpdate(changed),
            context.onDidChangeState(changed),
            context.onDidFind(changed),
            context.onDidDelete(() => queueMicrotask(changed)),
          ];
    });
    panel.webview.onDidReceiveMessage(message => this.#receive(page, message).catch(report));
    panel.onDidChangeViewState(draw);
    panel.onDidDispose(() => {
      this.#pages.delete(page);
      draw.dispose();
      for (const listener of listeners) listener.dispose();
    });
    showPage('comparisonPage', panel, this.#needs.extensionUri);
  }

  async #receive(page: Page, data: unknown): Promise<void> {
    const message = ComparisonPageMessage.safeParse(data);
    if (!message.success) return log.warn(`The page of a comparison sent an invalid message: ${message.error.message}`);
    switch (message.data.type) {
      case 'ready':
        return this.#show(page);
      case 'open': {
        const context = this.#needs.contexts.get(page.contexts[message.data.run] ?? '');
        if (context !== undefined) await this.#needs.openChat(context);
        return;
      }
      case 'diff':
        return this.#openDiff(page, message.data.turn, message.data.run);
      case 'normalize':
        await this.#needs.state.update(stateKey, message.data.normalization);
        await Promise.all([...this.#pages].map(each => this.#show(each)));
    }
  }

  get #normalization(): ChosenNormalization {
    const kept = ChosenNormalization.safeParse(this.#needs.state.get(stateKey));
    return kept.success ? kept.data : { ...usual, tolerance: 0, without: [] };
  }

  #runsOf({ contexts, read }: Page): readonly ReadRun[] {
    return contexts.map(key => {
      const known = read.get(key) ?? readRun(this.#needs.contexts.get(key));
      read.set(key, known);
      return known;
    });
  }

  async #show(page: Page): Promise<void> {
    await page.panel.webview.postMessage(shownComparison(page.contexts, this.#runsOf(page), this.#normalization));
  }

  async #openDiff(page: Page, index: number, run: number): Promise<void> {
    const runs = this.#runsOf(page);
    const row = compareRuns(
      runs.map(each => each.run),
      this.#normalization,
    )[index];
    const other = runs[run];
    if (row === undefined || other === undefined) return;
    const shared = {
      contexts: [page.contexts[0]!, page.contexts[run]!],
      turns: [row.turns[0] ?? null, row.turns[run] ?? null],
    };
    const names = [runs[0]!, other].map(each => escapeIcons(`${each.agent} ${runDetail(each)}`).slice(0, 80));
    const [left, right] = await Promise.all(
      ([0, 1] as const).map(async side => {
        const key = JSON.stringify({ ...shared, side } satisfies DocumentKey);
        const uri = this.#needs.documents.uri(comparisonScheme, names[side]!, key);
        this.#needs.documents.refresh(uri);
        await plainTextIfSchema(await vscode.workspace.openTextDocument(uri));
        return uri;
      }),
    );
    const said = row.said.parts.map(part => ('text' in part ? part.text : '')).join(' ');
    const name = vscode.l10n.t('{0}: {1}', escapeIcons(truncated(oneLine(said), 40)), names.join(' ↔ '));
    await vscode.commands.executeCommand('vscode.diff', left, right, name);
  }

  #textOf(key: string): string | undefined {
    const { contexts, turns, side } = DocumentKey.parse(JSON.parse(key));
    const [base, other] = contexts.map((context, index) => {
      const turn = turns[index];
      const live = turn === null ? undefined : this.#needs.contexts.get(context);
      return live === undefined || turn === undefined || turn === null ? undefined : storedRun(live).turns[turn]?.outcome;
    });
    if (base === undefined && other === undefined) return undefined;
    return comparedTexts(base, other, this.#normalization)[side];
  }
}

const stateKey = 'comparison.normalization';

const title = (): string => vscode.l10n.t('Compared Runs');

/** A run that is too long, or no longer in the history, is a column without turns that says so. */
function readRun(context: AgentContext | undefined): ReadRun {
  if (context === undefined) {
    return {
      run: { name: '', turns: [] },
      agent: '',
      title: '',
      isRunning: false,
      remark: vscode.l10n.t('This is no longer in the history.'),
    };
  }
  const first = context.entriesAfter(0, 10).items.find(({ kind }) => kind === 'message');
  const head = first?.exchangeId === undefined ? undefined : context.exchangeHead(first.exchangeId);
  const shared = {
    agent: context.agentName,
    title: context.title,
    isRunning: context.running || context.runningElsewhere,
    ...(head !== undefined && { interface: head }),
    ...(first !== undefined && { startedAt: first.at }),
  };
  try {
    return { run: storedRun(context), ...shared };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { run: { name: context.title, turns: [] }, ...shared, problem: error };
  }
}
