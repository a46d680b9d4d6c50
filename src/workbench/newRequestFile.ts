import * as vscode from 'vscode';
import type { Agents } from '../model/agents.ts';
import { freeUntitled } from './freeUntitled.ts';

/** The smallest useful request file, for the first agent there is, with its first example prompt. */
export function requestFileText(agent: { readonly name: string; readonly example?: string } | undefined): string {
  const file = {
    agent: agent?.name ?? 'http://localhost:9999',
    requests: [{ name: 'hello', message: agent?.example ?? 'Hello!' }],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Opens an unsaved `.a2a` file, ready to send. It has a name from the start: schemas are found by name. */
export async function newRequestFile(agents: Agents): Promise<void> {
  const agent = agents.all[0];
  const example = agent?.card?.skills.flatMap(skill => skill.examples ?? [])[0];
  const document = await vscode.workspace.openTextDocument(freeUntitled('request', '.a2a'));
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit(edit => edit.insert(new vscode.Position(0, 0), requestFileText(agent === undefined ? undefined : { name: agent.name, example })));
}
