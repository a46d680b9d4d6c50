import * as vscode from 'vscode';
import { isObject } from '../../protocol/json.ts';
import type { OtherConfiguration } from './launch.ts';

/** The launch configurations that are in reach of a folder: its own, those of the workspace file and of the user. */
export function otherConfigurations(
  folder: vscode.WorkspaceFolder | undefined,
): (OtherConfiguration & Readonly<Record<string, unknown>>)[] {
  const { workspaceFolderValue, workspaceValue, globalValue } =
    vscode.workspace.getConfiguration('launch', folder?.uri).inspect<unknown>('configurations') ?? {};
  const all = [workspaceFolderValue, workspaceValue, globalValue].flatMap(value => (Array.isArray(value) ? value.filter(isObject) : []));
  const byName = new Map<string, ReturnType<typeof otherConfigurations>[number]>();
  // In a window with a single folder, its settings are the workspace's as well.
  for (const each of all) {
    const { name, type, request } = each;
    if (typeof name === 'string' && typeof type === 'string' && !byName.has(name))
      byName.set(name, { ...each, name, type, request: String(request) });
  }
  return [...byName.values()];
}
