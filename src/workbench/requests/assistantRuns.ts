import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { originOf, recipientOf } from '../../assistant/mayAct.ts';
import { refusal } from '../../assistant/refusal.ts';
import type { Action, World } from '../../assistant/world.ts';
import type { RequestRun } from '../../model/requests/requestRun.ts';
import { sentence } from '../../protocol/problem.ts';
import { planOf } from '../../request/file/control.ts';
import { agentsOf } from '../../request/file/matrix.ts';
import type { RequestEntry } from '../../request/file/requestEntry.ts';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { exists, openSearchResult } from '../platform/workspaceFiles.ts';
import type { RequestSender } from './sending/requestSender.ts';
import type { RequestSession } from './session/requestSessions.ts';
import type { FileEnvironment } from './values/fileEnvironments.ts';

/** Sends requests of a file for a language model, as its tests are sent. Rejects with a `Problem`. */
export const assistantRuns =
  (sender: RequestSender): World['run'] =>
  async ({ file: path, request, environment }, mayRun, signal) => {
    const document = await requestDocument(path);
    const prepared = await sender.prepare(document, entry => request === undefined || entry.name === request, {
      environment,
      consent: async (entries, session, chosen) => {
        refuseProduction(chosen);
        await mayRun(actionOf(document, entries, session));
      },
    });
    if (prepared === undefined) throw refusal(sentence('The person has not allowed this.'));
    const { file, entries, options, session } = prepared;
    const stop = (): void => session.runs.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const sending = { ...options, testRun: true, assistant: { tool: 'a2a_run', client: vscode.env.appName } };
      if (request === undefined) {
        await session.runs.sendAll(file, sending, signal);
        return planOf(file).sent.flatMap(({ key }) => session.runs.get(key) ?? []);
      }
      const runs: readonly RequestRun[] = entries.map(entry => session.runs.send(entry, file, sending));
      await Promise.all(runs.map(({ done }) => done));
      return runs;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };

/** A request file inside of the workspace, links out of it included. */
async function requestDocument(path: string): Promise<vscode.TextDocument> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = isAbsolute(path) ? [vscode.Uri.file(path)] : folders.map(({ uri }) => vscode.Uri.joinPath(uri, path));
  const inside = places.filter(uri => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  if (inside.length === 0) throw refusal(sentence('This file is not in the workspace.'));
  const found = await Promise.all(inside.map(exists));
  const document = await openSearchResult(inside[found.indexOf(true)] ?? inside[0]!);
  if (isRequestDocument(document)) return document;
  throw refusal(sentence('This is not a request file.'), sentence('Name an .a2a file, or a Markdown file with requests.'));
}

function refuseProduction({ production, name = '' }: FileEnvironment): void {
  if (production)
    throw refusal(
      sentence('The environment "{0}" is marked as production: no tool sends in it.', name),
      sentence('Name another "environment".'),
    );
}

/** The agents and the text of the requests. An agent that is only known when a request is sent makes the action open. */
function actionOf(document: vscode.TextDocument, entries: readonly RequestEntry[], session: RequestSession): Omit<Action, 'kind'> {
  const names = new Set(entries.flatMap(entry => (entry.agent === undefined ? session.agent : agentsOf(entry).map(({ value }) => value))));
  if (names.has(undefined)) {
    throw refusal(sentence('A request names no agent.'), sentence('Write "agent" in the file, with the name from a2a_agents.'));
  }
  const written = [...names].filter(name => name !== undefined);
  const fixed = written.filter(name => !name.includes('{{'));
  const agents = fixed.map(name => {
    const agent = session.agents.known(name);
    return agent === undefined ? { name, origin: originOf(name) } : recipientOf(agent);
  });
  // The key of one that is imported has its path before a line break.
  const texts = entries.map(({ key, range: { offset, length } }) =>
    key.includes('\n') ? key.replace('\n', ': ') : document.getText().slice(offset, offset + length),
  );
  return {
    agents,
    isOpen: fixed.length < written.length,
    payload: [vscode.workspace.asRelativePath(document.uri), ...texts].join('\n'),
  };
}
