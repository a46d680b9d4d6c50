import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { maxNameLength, maxMessageLength } from '../../chat/host/limits.ts';
import type { AgentContexts } from '../../model/contexts/agentContexts.ts';
import type { Agents } from '../../model/agents/agents.ts';
import { Problem, sentence } from '../../protocol/problem.ts';
import { pickAgent } from '../agents/agentCommands.ts';
import type { ChatPanel } from './panel.ts';
import type { ChatPanels } from './panels.ts';
import type { CommandHandlers } from '../platform/commands.ts';
import { escapeIcons } from '../platform/untrustedText.ts';
import { pickedFiles, readFiles } from './drafts/chosenFiles.ts';

/**
 * Commands that attach files of the explorer or text of editors to the next message of a chat: the visible one, or one that the person
 * picks.
 */
export function attachCommands({
  agents,
  contexts,
  panels,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
}): Pick<CommandHandlers, 'a2a.attachToChat' | 'a2a.attachSelectionToChat'> {
  const chat = async (): Promise<ChatPanel | undefined> => {
    const { shown } = panels;
    const inSight = shown.filter(({ visible }) => visible);
    if (inSight.length === 1 || shown.length === 1) return inSight[0] ?? shown[0];
    if (shown.length === 0) {
      const agent = await pickAgent(agents, undefined);
      return agent === undefined
        ? undefined
        : panels.open(await contexts.patiently(() => contexts.create(agent.name)), vscode.ViewColumn.Beside);
    }
    const picked = await vscode.window.showQuickPick(
      shown.map(panel => ({
        label: escapeIcons(panel.context.agentName),
        description: escapeIcons(panel.context.title).slice(0, 80),
        panel,
      })),
      { title: vscode.l10n.t('Attach to which chat?') },
    );
    return picked?.panel;
  };
  return {
    'a2a.attachToChat': async (argument, selection) => {
      const uris = Array.isArray(selection) && selection.every(isUri) ? selection : isUri(argument) ? [argument] : await pickedFiles();
      // Read first: no chat opens if nothing can be attached.
      const files = await readFiles(uris);
      if (files.length > 0) await (await chat())?.attachFiles(files);
    },
    'a2a.attachSelectionToChat': async () => {
      const editor = vscode.window.activeTextEditor;
      const text = editor?.document.getText(editor.selection) ?? '';
      if (editor === undefined || text === '') throw new Problem('nothing-selected', sentence('Select some text in an editor first.'));
      if (text.length > maxMessageLength) {
        throw new Problem('too-long', sentence('The selection has {0} characters; a part may have {1}.', text.length, maxMessageLength), {
          nextStep: sentence('Select less, or attach the file.'),
        });
      }
      const { start, end } = editor.selection;
      const name = `${editor.document.uri.path.split('/').at(-1) ?? ''}:${start.line + 1}-${end.line + 1}`.slice(-maxNameLength);
      const panel = await chat();
      panel?.attach([{ kind: 'text', id: randomUUID(), text, name }]);
      panel?.reveal();
    },
  };
}

const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
