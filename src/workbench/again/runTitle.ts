import * as vscode from 'vscode';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import { truncated } from '../platform/untrustedText.ts';

/** Longest title beside its number, in UTF-16 code units: the whole has room in the history. */
const maxTitle = 100;
/** So many contexts of the agent, the newest, are looked at for earlier runs. */
const maxLooked = 200;

/** The number stands first: a row has no room for a long title. */
const titleOf = (title: string, number: number | string): string => vscode.l10n.t('Run {0}: {1}', number, title);

/** Title of the next run of a conversation: that of the conversation with a number, from 2, that no run of it with the agent has yet. */
export function nextRunTitle(contexts: Pick<AgentContexts, 'page'>, agent: string, conversation: string): string {
  const title = truncated(partsOf(conversation).title, maxTitle);
  const { items } = contexts.page({ agent, limit: maxLooked });
  const numbers = items.map(item => partsOf(item.title)).flatMap(run => (run.title === title ? [run.number] : []));
  return titleOf(title, Math.max(1, ...numbers) + 1);
}

/** A title without the number of a run; that is 1 where it has none. */
function partsOf(whole: string): { readonly title: string; readonly number: number } {
  const [before = '', between = ''] = titleOf('', '\0').split('\0');
  const at = whole.indexOf(between, before.length);
  const number = whole.startsWith(before) && at > 0 ? Number(whole.slice(before.length, at)) : NaN;
  return Number.isSafeInteger(number) && number > 0 ? { title: whole.slice(at + between.length), number } : { title: whole, number: 1 };
}
