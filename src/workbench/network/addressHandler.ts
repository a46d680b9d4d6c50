import * as vscode from 'vscode';

type Handle = (address: vscode.Uri) => void;

const handlers = new Map<string | undefined, Handle>();
let registered: vscode.Disposable | undefined;

/** Handles the addresses of this extension with that path, or all others. VS Code lets one handler of an extension be registered: it stays. */
export function handleAddresses(handle: Handle, path?: string): void {
  handlers.set(path, handle);
  registered ??= vscode.window.registerUriHandler({
    handleUri: address => (handlers.get(address.path) ?? handlers.get(undefined))?.(address),
  });
}

/** An address that VS Code hands to this extension. */
export const ownAddress = (path: string): string => `${vscode.env.uriScheme}://a2a-workbench.a2a-workbench${path}`;
