import type * as vscode from 'vscode';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { confirmOrigins } from '../agentsView/foreignOrigin.ts';
import type { EveryInterfaceRequest } from './interfaceComparison.ts';
import type { RequestSender } from './sending/requestSender.ts';

/**
 * A request of a file, to be sent on every interface of its agent; undefined if the person cancels. The questions about extensions read the
 * agent's card first, so that the question about origins knows its interfaces. Rejects with a `Problem`.
 */
export async function comparableRequest(
  { document, entry }: { readonly document: vscode.TextDocument; readonly entry: RequestEntry },
  sender: RequestSender,
): Promise<EveryInterfaceRequest | undefined> {
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
