import * as vscode from 'vscode';
import type { Agents } from '../model/agents.ts';

/** The smallest useful request file, for the first agent there is, with its first example prompt. */
export function requestFileText(agent: { readonly name: string; readonly example?: string } | undefined): string {
  const file = {
    agent: agent?.name ?? 'http://localhost:9999',
    requests: [{ name: 'hello', message: agent?.example ?? 'Hello!' }],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Opens an untitled `.a2a` file, ready to send. */
export async function newRequestFile(agents: Agents): Promise<void> {
  const agent = agents.all[0];
  const example = agent?.card?.skills.flatMap(skill => skill.examples ?? [])[0];
  const document = await vscode.workspace.openTextDocument({
    language: 'a2a', content: requestFileText(agent === undefined ? undefined : { name: agent.name, example }),
  });
  await vscode.window.showTextDocument(document);
}
