import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { parseJson } from '../../client/http/parseJson.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isObject } from '../../protocol/json.ts';
import type { RecordedExchange, Recording } from '../../recording/recording.ts';
import { recordingSuffix } from '../../recording/recordingSuffix.ts';
import { ownReplacement, Replacements, withoutPersonal, type OwnReplacement } from '../../recording/replacements.ts';
import type { HistoryItem } from '../../store/changes/historyEdits.ts';
import { eachContext } from '../agentsView/historyRows.ts';
import { askWhereToSave } from '../documents/savedFile.ts';
import { translatedList } from '../platform/report.ts';
import { oneLine } from '../platform/untrustedText.ts';

/** Exchanges of one agent that are to become a recording. */
interface Recordable {
  readonly agent: string;
  /** Oldest first; at least one. */
  readonly exchanges: readonly RecordedExchange[];
  /** Number of exchanges whose bytes are no longer kept. */
  readonly missing: number;
}

/** Most contexts of an agent, those used last, in which its exchanges are looked for. */
const maxContexts = 500;

/** The exchanges of a context, or of one of its tasks. Throws a `Problem` `nothing-recorded`. */
export function recordableOf(contexts: AgentContexts, { context: key, taskId }: HistoryItem): Recordable {
  const context = contexts.get(key);
  const all = context === undefined ? [] : exchangesOf(contexts, key);
  const named = exchangesNamedIn(contexts, { context: key, ...(taskId !== undefined && { taskId }) });
  const exchanges = taskId === undefined ? all : all.filter(({ exchange }) => named.has(exchange.id));
  if (context === undefined || exchanges.length === 0)
    throw new Problem(
      'nothing-recorded',
      sentence('The requests of this conversation are no longer kept, so there is nothing to record.'),
      {
        nextStep: sentence('Send its messages again, and export it then.'),
      },
    );
  const kept = new Set(exchanges.map(({ exchange }) => exchange.id));
  const missing = [...named].filter(id => !kept.has(id) && contexts.exchange(id) === undefined).length;
  return { agent: context.agentName, exchanges, missing };
}

/** All exchanges with an agent since a time, in whatever context; undefined where there are none. */
export function recordableSince(contexts: AgentContexts, agent: string, since: number): Recordable | undefined {
  const recent: RecordedExchange[][] = [];
  for (const { key } of eachContext(contexts, { agent })) {
    if (recent.length >= maxContexts) break;
    const isOlder = (contexts.get(key)!.exchanges({ limit: 1 }).items[0]?.startedAt ?? 0) < since;
    recent.push(isOlder ? [] : exchangesOf(contexts, key, since));
  }
  const exchanges = recent.flat().toSorted((one, other) => one.exchange.startedAt - other.exchange.startedAt);
  return exchanges.length === 0 ? undefined : { agent, exchanges, missing: 0 };
}

/**
 * The recording, once the person has seen what is replaced in it; undefined where they cancel.
 * @param question the dialog's title, where not one conversation is saved alone
 * @param further a line of the dialog
 * @param onDiscard called where the person wants no file: a further button
 */
export async function askForRecording(
  { agent: name, exchanges, missing }: Recordable,
  agents: Agents,
  {
    question = vscode.l10n.t('Save this conversation as a recording?'),
    further,
    onDiscard,
  }: { readonly question?: string; readonly further?: string; readonly onDiscard?: () => Promise<void> } = {},
): Promise<Recording | undefined> {
  const agent = agents.get(name);
  const source = agent?.cardSource;
  const own: OwnReplacement[] = [];
  for (;;) {
    const recording = withoutPersonal(
      {
        agent: { name, url: agent?.addressUrl ?? exchanges[0]!.exchange.request.url },
        recordedAt: exchanges[0]!.exchange.startedAt,
        ...(source !== undefined && { card: parseJson(source) }),
        lacks: missing === 0 ? [] : [`${missing} requests whose bytes are no longer kept.`],
        rules: [],
        faults: [],
        exchanges,
      },
      new Replacements(homedir(), own),
    );
    const replaced = recording.replaced.map(({ what, times }) => vscode.l10n.t('{0} ({1} ×)', what, times));
    const save = vscode.l10n.t('Save…');
    const more = vscode.l10n.t('Replace More…');
    const discard = vscode.l10n.t('Discard');
    const choice = await vscode.window.showInformationMessage(
      question,
      {
        modal: true,
        detail: [
          ...(further === undefined ? [] : [further]),
          vscode.l10n.t('Requests: {0}. Credentials are masked.', exchanges.length),
          replaced.length === 0
            ? vscode.l10n.t('Nothing else is replaced: neither your home folder nor an e-mail address was found.')
            : vscode.l10n.t('Replaced: {0}.', translatedList(replaced)),
          vscode.l10n.t('A text that was streamed in several pieces is not found: look at the file before you give it away.'),
          ...(missing === 0 ? [] : [vscode.l10n.t('{0} requests are missing: their bytes are no longer kept.', missing)]),
        ].join('\n'),
      },
      save,
      more,
      ...(onDiscard === undefined ? [] : [discard]),
    );
    if (choice === save) return recording;
    if (choice === discard) await onDiscard?.();
    if (choice !== more) return undefined;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Replace in the recording'),
      prompt: vscode.l10n.t('A text, or a regular expression between slashes; after = what stands in its place'),
      placeHolder: vscode.l10n.t('ACME=some company'),
      ignoreFocusOut: true,
      validateInput: text =>
        text === '' || ownReplacement(text) !== undefined ? undefined : vscode.l10n.t('This regular expression is not valid.'),
    });
    const added = typed === undefined || typed === '' ? undefined : ownReplacement(oneLine(typed));
    if (added !== undefined) own.push(added);
  }
}

/** Asks where to save a recording; the file has its ending, whatever name is typed. Undefined where the person cancels. */
export async function askForRecordingFile(name: string): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Export');
  const target = await askWhereToSave(`${name}${recordingSuffix}`, { title, saveLabel: title });
  if (target === undefined || target.path.endsWith(recordingSuffix)) return target;
  const named = target.with({ path: target.path.replace(/(?:\.a2a-recording)?(?:\.jsonl?)?$/, recordingSuffix) });
  // The dialog has asked about another name.
  const isFree = await vscode.workspace.fs.stat(named).then(
    () => false,
    () => true,
  );
  if (isFree) return named;
  const replace = vscode.l10n.t('Replace');
  const question = vscode.l10n.t('{0} exists. Replace it?', oneLine(named.path.split('/').at(-1) ?? ''));
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace ? named : undefined;
}

/** The requests of a context to its agent that are still kept, oldest first. */
function exchangesOf(contexts: AgentContexts, key: string, since = 0): RecordedExchange[] {
  const context = contexts.get(key)!;
  const found: RecordedExchange[] = [];
  for (let before: string | undefined; ; ) {
    const { items, more } = context.exchanges({ before, limit: 200 });
    for (const { id, received, startedAt } of items) {
      const kept = received === undefined && startedAt >= since ? context.exchange(id) : undefined;
      if (kept !== undefined) found.push(kept);
    }
    before = items.at(-1)?.id;
    if (!more || before === undefined || (items.at(-1)?.startedAt ?? 0) < since) return found.reverse();
  }
}

/** The exchanges that entries name. */
function exchangesNamedIn(contexts: AgentContexts, item: HistoryItem): ReadonlySet<string> {
  const named = new Set<string>();
  for (const line of contexts.history.exportLines([item])) {
    const record: unknown = JSON.parse(line);
    const entries: unknown = isObject(record) ? record['entries'] : undefined;
    for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : [])
      if (isObject(entry) && typeof entry['exchangeId'] === 'string') named.add(entry['exchangeId']);
  }
  return named;
}
