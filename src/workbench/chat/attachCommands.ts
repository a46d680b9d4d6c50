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
 * The command that attaches the selected text of an editor or else files to the next message of a chat: the visible one, or one that the
 * person picks.
 */
export function attachCommands({
  agents,
  contexts,
  panels,
}: {
  readonly agents: Agents;
  readonly contexts: AgentContexts;
  readonly panels: ChatPanels;
}): Pick<CommandHandlers, 'a2a.attachToChat'> {
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
  const attachSelection = async ({ document, selection }: vscode.TextEditor): Promise<void> => {
    const text = document.getText(selection);
    if (text.length > maxMessageLength) {
      throw new Problem('too-long', sentence('The selection has {0} characters; a part may have {1}.', text.length, maxMessageLength), {
        nextStep: sentence('Select less, or attach the file.'),
      });
    }
    const { start, end } = selection;
    const name = `${document.uri.path.split('/').at(-1) ?? ''}:${start.line + 1}-${end.line + 1}`.slice(-maxNameLength);
    const panel = await chat();
    panel?.attach([{ kind: 'text', id: randomUUID(), text, name }]);
    panel?.reveal();
  };
  return {
    'a2a.attachToChat': async (argument, selection) => {
      // An editor's menu passes its file alone; the menus of the Explorer and of tabs pass more.
      const editor = vscode.window.activeTextEditor;
      const isOfEditor = argument === undefined || (selection === undefined && isUri(argument) && isSame(argument, editor?.document.uri));
      if (isOfEditor && editor?.selection.isEmpty === false) return attachSelection(editor);
      const uris = Array.isArray(selection) && selection.every(isUri) ? selection : isUri(argument) ? [argument] : await pickedFiles();
      // Read first: no chat opens if nothing can be attached.
      const files = await readFiles(uris);
      if (files.length > 0) await (await chat())?.attachFiles(files);
    },
  };
}

const isSame = (one: vscode.Uri, other: vscode.Uri | undefined): boolean => one.toString() === other?.toString();

const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
