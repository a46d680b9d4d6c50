import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';

const root = resolve(import.meta.dirname, '../../..');

/** Ids of commands that are not in this extension's manifest, by their titles in the Command Palette. */
const others: Readonly<Record<string, string>> = {
  'A2A: Focus on Agents View': 'a2a.agents.focus',
  'Debug: Select and Start Debugging': 'workbench.action.debug.selectandstart',
  'Developer: Reload Window': 'workbench.action.reloadWindow',
  'Extensions: Show Installed Extensions': 'workbench.extensions.action.installedExtensions',
  'File: Refresh Explorer': 'workbench.files.action.refreshFilesExplorer',
  'Go to File…': 'workbench.action.quickOpen',
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'Notifications: Show Notifications': 'notifications.showList',
  'Problems: Focus on Problems View': 'workbench.panel.markers.view.focus',
  'Show All Commands': 'workbench.action.showCommands',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Close Editors in Other Groups': 'workbench.action.closeEditorsInOtherGroups',
  'View: Focus First Editor Group': 'workbench.action.focusFirstEditorGroup',
  'View: Revert and Close Editor': 'workbench.action.revertAndCloseActiveEditor',
  'View: Show Explorer': 'workbench.view.explorer',
  'Welcome: Open Walkthrough...': 'welcome.showAllWalkthroughs',
};

const titles = new Map(Object.entries({ ...titlesOfManifest(), ...others }));
const order = [...titles.keys()];

function titlesOfManifest(): Record<string, string> {
  const read = <T>(name: string): T => JSON.parse(readFileSync(resolve(root, name), 'utf8')) as T;
  const { contributes } = read<{ contributes: { commands: { command: string; category: string; title: string }[] } }>('package.json');
  const texts = read<Record<string, string>>('package.nls.json');
  const text = (reference: string): string => texts[reference.slice(1, -1)] ?? reference;
  return Object.fromEntries(
    contributes.commands.map(({ command, category, title }) => [`${text(category)}: ${text(title)}`, command] as const),
  );
}

/** The two letters that are pressed one after the other, each with Ctrl, Shift and Alt, for the command at a position of the list. */
function lettersOf(position: number): readonly [string, string] {
  const letter = (at: number): string => String.fromCharCode(97 + at);
  return [letter(Math.floor(position / 26)), letter(position % 26)];
}

/** The test window's keybindings.json. Menus show the keys of a command, but not those of a list of commands. */
export const keybindings = [...titles.values()].map((command, position) => ({
  key: lettersOf(position)
    .map(letter => `ctrl+shift+alt+${letter}`)
    .join(' '),
  command: 'runCommands',
  args: { commands: [command] },
}));

/**
 * Presses the keys of a command, wherever the focus is: as VS Code does it itself for keys that are pressed in a webview. Resolves to whether VS Code
 * has taken them, which it does not before it has read its keybindings.
 */
export function pressKeysOf(page: Page, title: string): Promise<boolean> {
  const position = order.indexOf(title);
  if (position < 0) throw new Error(`no key is known for the command "${title}": see commandKeys.ts`);
  return page.evaluate(
    letters =>
      letters.every(letter => {
        const upper = letter.toUpperCase();
        const key = new KeyboardEvent('keydown', {
          key: upper,
          code: `Key${upper}`,
          keyCode: upper.charCodeAt(0),
          ctrlKey: true,
          shiftKey: true,
          altKey: true,
          bubbles: true,
          cancelable: true,
          composed: true,
        });
        (document.activeElement ?? document.body).dispatchEvent(key);
        return key.defaultPrevented;
      }),
    lettersOf(position),
  );
}
