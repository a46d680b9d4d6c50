import * as vscode from 'vscode';
import { isObject } from '../../protocol/json.ts';
import type { OtherConfiguration } from './launch.ts';

/** The launch configurations that are in reach of a folder: its own, those of the workspace file and of the user. */
export function otherConfigurations(
  folder: vscode.WorkspaceFolder | undefined,
): (OtherConfiguration & Readonly<Record<string, unknown>>)[] {
  const { workspaceFolderValue, workspaceValue, globalValue } =
    vscode.workspace.getConfiguration('launch', folder?.uri).inspect<unknown>('configurations') ?? {};
  return [workspaceFolderValue, workspaceValue, globalValue].flatMap(value =>
    Array.isArray(value)
      ? value.filter(isObject).flatMap(each => {
          const { name, type, request } = each;
          return typeof name === 'string' && typeof type === 'string' ? [{ ...each, name, type, request: String(request) }] : [];
        })
      : [],
  );
}
