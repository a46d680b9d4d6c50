import * as vscode from 'vscode';
import { openUntitled } from '../platform/untitledDocument.ts';

/** Tab stops of a new card, in their order, with their defaults. With the defaults, it is a card without a problem. */
const places = (): readonly (readonly [name: string, words: string])[] => [
  ['name', vscode.l10n.t('My Agent')],
  ['description', vscode.l10n.t('What the agent is for.')],
  ['url', 'http://localhost:9999'],
  ['skillId', 'answer'],
  ['skillName', vscode.l10n.t('Answer')],
  ['skillDescription', vscode.l10n.t('What the skill does.')],
  ['tag', vscode.l10n.t('questions')],
  ['example', vscode.l10n.t('What can you do?')],
];

/** JSON as a snippet: strings that are the name of a tab stop become that tab stop. */
function snippet(card: unknown): vscode.SnippetString {
  const [built, stops] = [new vscode.SnippetString(), places()];
  for (const piece of JSON.stringify(card, null, 2)
    .split(/‹(\w+)›/)
    .entries()) {
    const [index, text] = piece;
    const place = index % 2 === 1 ? stops.findIndex(([name]) => name === text) : -1;
    if (place === -1) built.appendText(text);
    else built.appendPlaceholder(stops[place]![1], place + 1);
  }
  return built.appendText('\n');
}

const card = {
  name: '‹name›',
  description: '‹description›',
  version: '1.0.0',
  supportedInterfaces: [{ url: '‹url›', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: '‹skillId›', name: '‹skillName›', description: '‹skillDescription›', tags: ['‹tag›'], examples: ['‹example›'] }],
};

/** Opens an unsaved agent card to be filled in. */
export async function newAgentCard(): Promise<void> {
  const editor = await openUntitled('agent', '.agent-card.json', '');
  await editor.insertSnippet(snippet(card), new vscode.Position(0, 0), { undoStopBefore: false, undoStopAfter: false });
}
