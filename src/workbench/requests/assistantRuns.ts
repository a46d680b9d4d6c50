import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { refusal } from '../../assistant/refusal.ts';
import { actionOf, refuseProduction, sendRequests } from '../../assistant/requestFileRuns.ts';
import type { World } from '../../assistant/world.ts';
import { sentence } from '../../protocol/problem.ts';
import { isRequestDocument } from '../documents/requestDocuments.ts';
import { exists, openSearchResult } from '../platform/workspaceFiles.ts';
import type { RequestSender } from './sending/requestSender.ts';

/** Sends requests of a file for a language model, as its tests are sent. Rejects with a `Problem`. */
export const assistantRuns =
  (sender: RequestSender): World['run'] =>
  async ({ file: path, request, environment }, mayRun, signal) => {
    const document = await requestDocument(path);
    const prepared = await sender.prepare(document, entry => request === undefined || entry.name === request, {
      environment,
      consent: async (entries, session, chosen) => {
        refuseProduction(chosen);
        await mayRun(
          actionOf(entries, {
            path: vscode.workspace.asRelativePath(document.uri),
            text: document.getText(),
            agent: session.agent,
            known: name => session.agents.known(name),
          }),
        );
      },
    });
    if (prepared === undefined) throw refusal(sentence('The person has not allowed this.'));
    const { file, entries, options, session } = prepared;
    const chosen = request === undefined ? undefined : entries;
    return sendRequests({ runs: session.runs, file, entries: chosen, options, client: vscode.env.appName }, signal);
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
