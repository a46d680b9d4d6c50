import type * as vscode from 'vscode';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { confirmOrigins } from '../agentsView/foreignOrigin.ts';
import type { Comparable } from './interfaceComparison.ts';
import type { RequestSender } from './sending/requestSender.ts';

/**
 * A request of a file for every interface of its agent; undefined where the person chose not to send it. The first question has read the
 * agent's card, so that the last one knows where its interfaces are. Rejects with a `Problem`.
 */
export async function comparableRequest(
  { document, entry }: { readonly document: vscode.TextDocument; readonly entry: RequestEntry },
  sender: RequestSender,
): Promise<Comparable | undefined> {
  const prepared = await sender.prepare(document, one => one.key === entry.key);
  if (prepared === undefined) return undefined;
  const {
    session,
    file,
    entries: [first],
    options,
  } = prepared;
  for (const agent of sender.agentsOf(prepared.entries, session)) {
    if (!(await confirmOrigins(agent))) return undefined;
  }
  return {
    agent: entry.agent?.value ?? session.agent ?? '',
    outcomes: signal => session.runs.sendOnEveryInterface(first!, file, options, signal),
  };
}
