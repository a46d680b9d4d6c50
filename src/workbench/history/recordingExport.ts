import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { parseJson } from '../../client/http/parseJson.ts';
import type { Agents } from '../../model/agents/agents.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { isObject } from '../../protocol/json.ts';
import { recordingText, type RecordedExchange } from '../../recording/recording.ts';
import { ownReplacement, Replacements, withoutPersonal, type OwnReplacement } from '../../recording/replacements.ts';
import { translatedList } from '../platform/report.ts';
import { oneLine } from '../platform/untrustedText.ts';

/**
 * The text of a recording of a context, once the person has seen what is replaced in it; undefined where they cancel. Rejects with a `Problem`
 * `nothing-recorded`.
 */
export async function recordingOfContext(contexts: AgentContexts, agents: Agents, key: string): Promise<string | undefined> {
  const context = contexts.get(key);
  const exchanges = context === undefined ? [] : exchangesOf(contexts, key);
  if (context === undefined || exchanges.length === 0)
    throw new Problem(
      'nothing-recorded',
      sentence('The requests of this conversation are no longer kept, so there is nothing to record.'),
      {
        nextStep: sentence('Send its messages again, and export it then.'),
      },
    );
  const missing = lostExchanges(contexts, key, exchanges);
  const agent = agents.get(context.agentName);
  const source = agent?.cardSource;
  const own: OwnReplacement[] = [];
  for (;;) {
    const recording = withoutPersonal(
      {
        agent: { name: context.agentName, url: agent?.addressUrl ?? exchanges[0]!.exchange.request.url },
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
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('Save this conversation as a recording?'),
      {
        modal: true,
        detail: [
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
    );
    if (choice === save) return recordingText(recording);
    if (choice !== more) return undefined;
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Replace in the recording'),
      prompt: vscode.l10n.t('A text, or a regular expression between slashes; after = what stands in its place'),
      placeHolder: 'ACME=some company',
      ignoreFocusOut: true,
      validateInput: text =>
        text === '' || ownReplacement(text) !== undefined ? undefined : vscode.l10n.t('This regular expression is not valid.'),
    });
    const added = typed === undefined || typed === '' ? undefined : ownReplacement(oneLine(typed));
    if (added !== undefined) own.push(added);
  }
}

/** The requests of a context to its agent that are still kept, oldest first. */
function exchangesOf(contexts: AgentContexts, key: string): RecordedExchange[] {
  const context = contexts.get(key)!;
  const found: RecordedExchange[] = [];
  for (let before: string | undefined; ; ) {
    const { items, more } = context.exchanges({ before, limit: 200 });
    for (const { id, received } of items) {
      const kept = received === undefined ? context.exchange(id) : undefined;
      if (kept !== undefined) found.push(kept);
    }
    before = items.at(-1)?.id;
    if (!more || before === undefined) return found.reverse();
  }
}

/** Number of exchanges that entries of the context name and that are gone. */
function lostExchanges(contexts: AgentContexts, key: string, kept: readonly RecordedExchange[]): number {
  const ids = new Set(kept.map(({ exchange }) => exchange.id));
  const named = new Set<string>();
  for (const line of contexts.history.exportLines([{ context: key }])) {
    const record: unknown = JSON.parse(line);
    const entries: unknown = isObject(record) ? record['entries'] : undefined;
    for (const entry of Array.isArray(entries) ? (entries as readonly unknown[]) : [])
      if (isObject(entry) && typeof entry['exchangeId'] === 'string') named.add(entry['exchangeId']);
  }
  return [...named].filter(id => !ids.has(id) && contexts.exchange(id) === undefined).length;
}
